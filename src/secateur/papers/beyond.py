"""Figures of our own: what best-response pruning saves CFR, CFR+ and DCFR, by two rules.

What is judged are statements of our own documents. Updates are alternating.
"""

from __future__ import annotations

from dataclasses import replace

from secateur.papers.budgets import Budget
from secateur.papers.claims import Band, Claim
from secateur.papers.curves import Curve, brp_with_two_rules, partial, rbp
from secateur.papers.figure import Figure
from secateur.papers.measures import (
    equal_iterations_ratio,
    nodes_ratio,
    nodes_to_nash_conv,
    space_factor,
)
from secateur.papers.panels import NASH_CONV, NASH_CONV_IN_TIME, SPACE

MEDIUM, LARGE = "leduc5", "leduc12"

METHODS = ("CFR", "CFR+", "DCFR")

BUDGETS = {MEDIUM: Budget(nodes=1_000_000_000, every=10_000_000)}


def unpruned(game: str, method: str) -> Curve:
    """Return a method with partial pruning, which plays what it plays without any."""
    return _alternating(partial(game, method))


def interval(game: str, method: str) -> Curve:
    """Return a method with regret-based pruning."""
    return _alternating(rbp(game, method))


def pruned(game: str, method: str) -> Curve:
    """Return a method with best-response pruning."""
    return _alternating(brp_with_two_rules(game, method))


def _alternating(curve: Curve) -> Curve:
    return replace(curve, solver=replace(curve.solver, updates="alternating"))


def fewer_nodes(game: str, method: str, target: float, least: float) -> Claim:
    """Return the claim that pruning saves nodes on the way to a NashConv."""
    slower, faster = unpruned(game, method), pruned(game, method)
    return Claim(
        sentence=f"{game}: {faster.name} takes fewer nodes than {slower.name}",
        claimed="fewer",
        measure=nodes_to_nash_conv(target, slower=slower, faster=faster),
        holds=Band(low=least),
        partly=Band(low=1.05),
    )


def as_good(game: str, method: str) -> Claim:
    """Return the claim that pruning does no harm after as many iterations."""
    plain, cut = unpruned(game, method), pruned(game, method)
    return Claim(
        sentence=f"{game}: {cut.name} is level with {plain.name} after as many iterations",
        claimed="about 1",
        measure=equal_iterations_ratio(worse=cut, better=plain),
        holds=Band(high=1.25),
        partly=Band(high=2.0),
    )


def less_space(game: str, method: str, factor: float) -> Claim:
    """Return the claim about entries that are left."""
    curve = pruned(game, method)
    return Claim(
        sentence=f"{game}: {curve.name} reduces space by a factor of {factor:g}",
        claimed=f"{factor:g}",
        measure=space_factor(curve),
        holds=Band(low=0.85 * factor),
        partly=Band(low=0.5 * factor),
    )


def ahead_of_regret_matching(game: str, least: float) -> Claim:
    """Return the claim that pruning goes with the speed of DCFR."""
    slower, faster = pruned(game, "CFR"), pruned(game, "DCFR")
    return Claim(
        sentence=f"{game}: {faster.name} takes far fewer nodes than {slower.name}",
        claimed=f"{least:g} or more",
        measure=nodes_ratio(slower=slower, faster=faster),
        holds=Band(low=least),
        partly=Band(low=1.2),
    )


def takes_the_place_of_rbp(game: str) -> Claim:
    """Return the claim that CFR+ needs no regret-based pruning anymore."""
    slower, faster = interval(game, "CFR+"), pruned(game, "CFR+")
    return Claim(
        sentence=f"{game}: {faster.name} takes no more nodes than {slower.name}",
        claimed="1 or more",
        measure=nodes_ratio(slower=slower, faster=faster),
        holds=Band(low=0.9),
        partly=Band(low=0.67),
    )


def _figure(name: str, game: str, sizes: str, claims: tuple[Claim, ...]) -> Figure:
    return Figure(
        name=name,
        title=f"CFR, CFR+ and DCFR with pruning, Leduc poker with {sizes} bet sizes",
        shows="Entries that are left, and convergence over time and over nodes touched, for CFR, "
        "CFR+ and DCFR (exponents 1.5, 0 and 4) with partial pruning, with regret-based pruning "
        "where it goes (not with DCFR), and with best-response pruning by two rules: tests have "
        "the weights of the result, and what is played is not cut. Updates are alternating.",
        open="Searches are every 100 iterations: for few nodes and little memory, not for little "
        "time. Seconds are processor time of iterations, of which the counting of nodes takes "
        "some, on the machine that ran them; all else is the same everywhere.",
        panels=(SPACE, NASH_CONV_IN_TIME, NASH_CONV),
        curves=(
            *(unpruned(game, method) for method in METHODS),
            *(interval(game, method) for method in ("CFR", "CFR+")),
            *(pruned(game, method) for method in METHODS),
        ),
        claims=claims,
        claimed_by="docs",
        own_budgets=BUDGETS,
    )


FIGURES = (
    _figure(
        "beyond",
        MEDIUM,
        "five",
        (
            fewer_nodes(MEDIUM, "CFR", 1e-2, 1.7),
            fewer_nodes(MEDIUM, "CFR+", 1e-3, 1.5),
            fewer_nodes(MEDIUM, "DCFR", 1e-3, 1.4),
            *(as_good(MEDIUM, method) for method in METHODS),
            less_space(MEDIUM, "CFR", 2.1),
            less_space(MEDIUM, "CFR+", 2.3),
            less_space(MEDIUM, "DCFR", 2.7),
            ahead_of_regret_matching(MEDIUM, 5.0),
            takes_the_place_of_rbp(MEDIUM),
        ),
    ),
    _figure(
        "beyond-large",
        LARGE,
        "twelve",
        (
            *(fewer_nodes(LARGE, method, 1e-2, 1.3) for method in METHODS),
            *(as_good(LARGE, method) for method in METHODS),
            *(less_space(LARGE, method, 2.0) for method in METHODS),
            ahead_of_regret_matching(LARGE, 2.0),
            takes_the_place_of_rbp(LARGE),
        ),
    ),
)
