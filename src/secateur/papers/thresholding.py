"""The figures of "Dynamic Thresholding and Pruning for Regret Minimization" and their claims.

By Brown, Kroer and Sandholm (AAAI 2017). Its games have other bet sizes than those of the other
papers; here they are called leduc-dt and leduc5-dt. What it says about the excessive gap technique
is in :mod:`secateur.papers.gap_technique`.
"""

from __future__ import annotations

from secateur.papers import gap_technique, statements
from secateur.papers.claims import Band, Claim
from secateur.papers.curves import (
    Curve,
    egt,
    partial,
    rbp,
    thresholded,
    thresholded_rbp,
    unpruned,
)
from secateur.papers.figure import Figure
from secateur.papers.measures import (
    exploitability_ratio,
    exploitability_spread,
    nodes_ratio,
    nodes_ratio_growth,
)
from secateur.papers.panels import CONVERGENCE

SMALL, LARGE = "leduc-dt", "leduc5-dt"

AGGRESSIVENESS = (0.1, 1.0, 3.0)
"""The paper's d, C - 1, of its second figure."""

COMPARED = 1.0
"""That of its first figure."""


def factor_of_seven() -> Claim:
    """Return the claim about thresholding and pruning together."""
    slower, faster = unpruned(LARGE, "Hedge"), thresholded_rbp(LARGE, "Hedge", COMPARED)
    return Claim(
        sentence=f"{LARGE}: thresholding combined with RBP improves Hedge by a factor of 7",
        claimed="7",
        measure=nodes_ratio(slower=slower, faster=faster),
        holds=Band(low=5.0),
        partly=Band(low=2.0),
    )


def thresholding_helps(game: str, aggressiveness: float) -> Claim:
    """Return the claim that a threshold does Hedge good."""
    slower, faster = unpruned(game, "Hedge"), thresholded(game, "Hedge", aggressiveness)
    return Claim(
        sentence=f"{game}: the threshold helps Hedge (d = {aggressiveness:g})",
        claimed="above 1",
        measure=nodes_ratio(slower=slower, faster=faster),
        holds=Band(low=1.05),
        partly=Band(low=0.98),
    )


def larger_games_gain_more() -> Claim:
    """Return the claim that compares the games."""
    return Claim(
        sentence="the benefit of thresholding to Hedge increases with the size of the game",
        claimed="above 1",
        measure=nodes_ratio_growth(
            larger=(unpruned(LARGE, "Hedge"), thresholded(LARGE, "Hedge", COMPARED)),
            smaller=(unpruned(SMALL, "Hedge"), thresholded(SMALL, "Hedge", COMPARED)),
        ),
        holds=Band(low=1.1),
        partly=Band(low=1.01),
    )


def outperforms(better: Curve, worse: Curve) -> Claim:
    """Return the claim that one curve ends below another."""
    return Claim(
        sentence=f"{better.game}: {better.name} outperforms {worse.name}",
        claimed="above 1",
        measure=exploitability_ratio(worse=worse, better=better),
        holds=Band(low=1.1),
        partly=Band(low=1.01),
    )


def nothing_to_regret_matching(game: str) -> Claim:
    """Return the claim that regret matching does not profit from thresholds."""
    return Claim(
        sentence=f"{game}: thresholding on RM results in identical performance",
        claimed="1",
        measure=exploitability_ratio(
            worse=thresholded(game, "CFR", COMPARED), better=partial(game, "CFR")
        ),
        holds=Band(0.9, 1.1),
        partly=Band(0.75, 1.33),
    )


def not_sensitive(game: str) -> Claim:
    """Return the claim that any threshold is as good."""
    curves = tuple(thresholded(game, "Hedge", d) for d in AGGRESSIVENESS)
    return Claim(
        sentence=f"{game}: the performance of Hedge is not sensitive to the threshold",
        claimed="about 1",
        measure=exploitability_spread(*curves),
        holds=Band(high=1.25),
        partly=Band(high=2.0),
    )


def _performance(game: str) -> tuple[Curve, ...]:
    return (
        egt(game, 0.0),
        egt(game, gap_technique.COMPARED),
        unpruned(game, "Hedge"),
        thresholded(game, "Hedge", COMPARED),
        thresholded_rbp(game, "Hedge", COMPARED),
        partial(game, "CFR"),
        thresholded(game, "CFR", COMPARED),
        rbp(game, "CFR"),
        partial(game, "CFR+"),
        rbp(game, "CFR+"),
    )


def _varied(game: str) -> tuple[Curve, ...]:
    return (
        unpruned(game, "Hedge"),
        *(thresholded(game, "Hedge", d) for d in AGGRESSIVENESS),
        egt(game, 0.0),
        *(egt(game, c) for c in (*gap_technique.GOOD, gap_technique.AGGRESSIVE)),
    )


def _best_on_large_games() -> Claim:
    others = (partial(LARGE, "CFR"), rbp(LARGE, "CFR"), thresholded_rbp(LARGE, "Hedge", COMPARED))
    return gap_technique.best_of_all(LARGE, *others)


_STEPS_OPEN = (
    "Neither step sizes nor the first smoothing of EGT are in the text: steps of 2 / (t + 2) from "
    "the smallest smoothing that fulfills the condition of the method here, with the weights of "
    "Kroer et al. (2015). The search for it is counted."
)

FIGURES = (
    Figure(
        name="thresholding-fig1",
        title="Dynamic thresholding, figure 1: EGT, Hedge, RM and CFR+ on Leduc and Leduc-5",
        shows="Performance of EGT, CFR with Hedge, and CFR with RM on Leduc and Leduc-5. CFR with "
        "Hedge is shown without any pruning, with dynamic thresholding, and with RBP; EGT without "
        "any pruning and with dynamic thresholding; CFR with RM with partial pruning and with RBP; "
        "and CFR+.",
        open=f"The thresholds are not in the text: d = {COMPARED:g} for Hedge and "
        f"c = {gap_technique.COMPARED:g} for EGT here. Nor is which players update when: "
        f"simultaneous here. {_STEPS_OPEN} Scale and range of the axes are not: logarithms here.",
        panels=(CONVERGENCE,),
        curves=_performance(SMALL) + _performance(LARGE),
        claims=(
            factor_of_seven(),
            thresholding_helps(SMALL, COMPARED),
            thresholding_helps(LARGE, COMPARED),
            larger_games_gain_more(),
            gap_technique.benefits(SMALL),
            gap_technique.benefits(LARGE, factor=2.0),
            gap_technique.larger_games_benefit_more(),
            outperforms(thresholded_rbp(SMALL, "Hedge", COMPARED), rbp(SMALL, "CFR")),
            outperforms(rbp(LARGE, "CFR"), thresholded_rbp(LARGE, "Hedge", COMPARED)),
            _best_on_large_games(),
            gap_technique.wins_in_the_long_run(SMALL),
            statements.noisy(rbp(LARGE, "CFR+")),
            outperforms(partial(SMALL, "CFR+"), rbp(SMALL, "CFR+")),
            nothing_to_regret_matching(SMALL),
            nothing_to_regret_matching(LARGE),
        ),
    ),
    Figure(
        name="thresholding-fig2",
        title="Dynamic thresholding, figure 2: aggressiveness of thresholds for Hedge and EGT",
        shows="EGT and Hedge with different aggressiveness of dynamic thresholding, on Leduc and "
        "Leduc-5. For EGT the threshold is c / T, for Hedge d sqrt(ln |A|) / (sqrt(2) |A|^2 "
        "sqrt(T)), where c and d are shown in the legend.",
        open="The values of d are not in the text: "
        f"{', '.join(f'{d:g}' for d in AGGRESSIVENESS)} here, with partial pruning. {_STEPS_OPEN}",
        panels=(CONVERGENCE,),
        curves=_varied(SMALL) + _varied(LARGE),
        claims=tuple(
            claim
            for game in (SMALL, LARGE)
            for claim in (
                not_sensitive(game),
                *(thresholding_helps(game, d) for d in AGGRESSIVENESS),
                *gap_technique.good_thresholds(game),
            )
        ),
    ),
)
