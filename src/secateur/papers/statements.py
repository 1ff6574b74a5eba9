"""What the papers say about their figures, as claims with numbers."""

from __future__ import annotations

from secateur.papers.claims import Band, Claim
from secateur.papers.curves import (
    Curve,
    brp,
    brp_with_plain_tests,
    brp_with_two_rules,
    partial,
    rbp,
)
from secateur.papers.measures import (
    early_lead,
    early_space,
    exploitability_ratio,
    exploitability_spread,
    late_fall,
    nodes_ratio,
    noise,
    space_factor,
    space_factor_growth,
    space_factor_ratio,
    space_ratio,
)

GOOD = (0.01, 0.05, 0.1)
"""Thresholds in the range that the papers recommend."""

BELOW = 0.001
"""A threshold below that range."""

THRESHOLDS = (BELOW, *GOOD)

COMPARED = 0.01
"""The threshold of best-response pruning where it is compared with other pruning."""

SPACE_METHODS = ("CFR", "CFR with RM+")


def drops_to_half() -> Claim:
    """Return the claim about space on Leduc."""
    curves = tuple(brp("leduc", method, c) for method in SPACE_METHODS for c in GOOD)
    return Claim(
        sentence="leduc: all variants drop off quickly in space to about half (C = 0.01 to 0.1)",
        claimed="about 0.5",
        measure=early_space(*curves),
        holds=Band(0.4, 0.6),
        partly=Band(0.3, 0.7),
    )


def thresholds(game: str, method: str) -> tuple[Claim, ...]:
    """Return the claims about how the threshold matters to a method on a game."""
    where = f"{game}, {method}"
    low, high = brp(game, method, GOOD[0]), brp(game, method, GOOD[-1])
    below = brp(game, method, BELOW)
    return (
        Claim(
            sentence=f"{where}: thresholds from 0.01 to 0.1 perform well, also against 0.001",
            claimed="well",
            measure=exploitability_spread(*(brp(game, method, c) for c in THRESHOLDS)),
            holds=Band(high=2.0),
            partly=Band(high=4.0),
        ),
        Claim(
            sentence=f"{where}: lower thresholds converge somewhat faster (0.01 against 0.1)",
            claimed="somewhat",
            measure=exploitability_ratio(worse=high, better=low),
            holds=Band(1.05, 3.0),
            partly=Band(low=1.01),
        ),
        Claim(
            sentence=f"{where}: higher thresholds reduce space faster (0.1 against 0.01)",
            claimed="faster",
            measure=space_ratio(larger=low, smaller=high),
            holds=Band(low=1.05),
            partly=Band(low=1.01),
        ),
        Claim(
            sentence=f"{where}: below 0.01 convergence is essentially the same (0.001)",
            claimed="the same",
            measure=exploitability_ratio(worse=low, better=below),
            holds=Band(0.8, 1.25),
            partly=Band(0.67, 1.5),
        ),
    )


def space_falls(method: str, factor: float, note: str = "") -> Claim:
    """Return the claim about the reduction of space on Leduc-5 with the threshold 0.1."""
    return Claim(
        sentence=f"leduc5, {method}: C = 0.1 reduces space by a factor of {factor:g}{note}",
        claimed=f"{factor:g}",
        measure=space_factor(brp("leduc5", method, 0.1)),
        holds=Band(low=0.85 * factor),
        partly=Band(low=0.5 * factor),
    )


def space_keeps_falling(method: str) -> Claim:
    """Return the claim that the factor has not yet reached its end."""
    return Claim(
        sentence=f"leduc5, {method}: the reduction factor of C = 0.1 continues to increase",
        claimed="above 1",
        measure=space_factor_growth(brp("leduc5", method, 0.1)),
        holds=Band(low=1.05),
        partly=Band(low=1.01),
    )


def larger_games_gain_more(method: str) -> Claim:
    """Return the claim that compares the games."""
    return Claim(
        sentence=f"{method}: the reduction factor increases with the size of the game (C = 0.1)",
        claimed="above 1",
        measure=space_factor_ratio(brp("leduc5", method, 0.1), brp("leduc", method, 0.1)),
        holds=Band(low=1.2),
        partly=Band(low=1.01),
    )


def comparable(first: Curve, second: Curve) -> Claim:
    """Return the claim that two curves end at about the same exploitability."""
    return Claim(
        sentence=f"{first.game}: {first.name} performs comparably to {second.name}",
        claimed="about 1",
        measure=exploitability_ratio(worse=first, better=second),
        holds=Band(0.67, 1.5),
        partly=Band(0.5, 2.0),
    )


def clearly_better(better: Curve, worse: Curve) -> Claim:
    """Return the claim that one curve ends much lower."""
    return Claim(
        sentence=f"{better.game}: {better.name} does significantly better than {worse.name}",
        claimed="above 1",
        measure=exploitability_ratio(worse=worse, better=better),
        holds=Band(low=2.0),
        partly=Band(low=1.25),
    )


def regret_matching_plus_gains_nothing(game: str) -> Claim:
    """Return the claim that best-response pruning does not profit from RM+."""
    plain, plus = (brp(game, method, COMPARED) for method in SPACE_METHODS)
    return Claim(
        sentence=f"{game}: {plus.name} sees no improvement over {plain.name}",
        claimed="at most 1",
        measure=exploitability_ratio(worse=plain, better=plus),
        holds=Band(high=1.1),
        partly=Band(high=1.5),
    )


def twice_as_fast(game: str) -> Claim:
    """Return the claim that best-response pruning outperforms regret-based pruning by 2."""
    faster, slower = brp(game, "CFR", COMPARED), rbp(game, "CFR")
    return Claim(
        sentence=f"{game}: {faster.name} outperforms {slower.name} by a factor of 2",
        claimed="2",
        measure=nodes_ratio(slower=slower, faster=faster),
        holds=Band(low=1.7),
        partly=Band(low=1.2),
    )


def smooth(curve: Curve) -> Claim:
    """Return the claim that convergence is not noisy."""
    return Claim(
        sentence=f"{curve.game}: the convergence of {curve.name} is not noisy",
        claimed="about 1",
        measure=noise(curve),
        holds=Band(high=1.1),
        partly=Band(high=1.5),
    )


def noisy(curve: Curve) -> Claim:
    """Return the claim that convergence is noisy."""
    return Claim(
        sentence=f"{curve.game}: the convergence of {curve.name} is noisy",
        claimed="above 1",
        measure=noise(curve),
        holds=Band(low=1.1),
        partly=Band(low=1.02),
    )


def leads_early(leader: Curve, other: Curve) -> Claim:
    """Return the claim that one curve is far ahead at first."""
    return Claim(
        sentence=f"{leader.game}: {leader.name} initially does far better than {other.name}",
        claimed="above 1",
        measure=early_lead(leader, other),
        holds=Band(low=2.0),
        partly=Band(low=1.1),
    )


def overtaken(curve: Curve, winner: Curve) -> Claim:
    """Return the claim that another curve is ahead in the end."""
    return Claim(
        sentence=f"{curve.game}: {curve.name} is eventually surpassed by {winner.name}",
        claimed="above 1",
        measure=exploitability_ratio(worse=curve, better=winner),
        holds=Band(low=1.05),
        partly=Band(low=1.01),
    )


def linear_averaging_does_worse(game: str) -> Claim:
    """Return the claim of the later paper about linear averages and best-response pruning."""
    plain, linear = brp(game, "CFR with RM+", COMPARED), brp_with_plain_tests(game, COMPARED)
    return Claim(
        sentence=f"{game}: linear averaging of the result does not do as well with {plain.name}",
        claimed="above 1",
        measure=exploitability_ratio(worse=linear, better=plain),
        holds=Band(low=1.25),
        partly=Band(low=1.05),
    )


def stalls(game: str) -> Claim:
    """Return our own claim that CFR+ makes no way if its result is not what is tested."""
    curve = brp_with_plain_tests(game, COMPARED)
    return Claim(
        sentence=f"{game}: {curve.name} stalls (ours, of two rules for pruning)",
        claimed="–",
        measure=late_fall(curve),
        holds=Band(high=2.0),
        partly=Band(high=4.0),
    )


def two_rules_suffice(game: str) -> Claim:
    """Return our own claim that CFR+ loses nothing to pruning that keeps the two rules."""
    pruned, plain = brp_with_two_rules(game, "CFR+"), partial(game, "CFR+")
    return Claim(
        sentence=f"{game}: {pruned.name} does as well as {plain.name} (ours)",
        claimed="–",
        measure=exploitability_ratio(worse=pruned, better=plain),
        holds=Band(high=1.25),
        partly=Band(high=2.0),
    )
