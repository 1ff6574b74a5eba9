"""The figures of papers on pruning and thresholds: what each shows, runs and claims.

By N. Brown and T. Sandholm, BRP is "Reduced Space and Faster Convergence in Imperfect-Information
Games via Pruning" (ICML 2017); Total RBP is its earlier version, "... via Regret-Based Pruning",
which calls the same method total RBP, and the one known before interval RBP. Those of a third paper
are in :mod:`secateur.papers.thresholding`, and our own in :mod:`secateur.papers.beyond`.
"""

from __future__ import annotations

from secateur.papers import beyond, statements, thresholding
from secateur.papers.claims import Claim
from secateur.papers.curves import (
    Curve,
    brp,
    brp_with_plain_tests,
    brp_with_two_rules,
    partial,
    rbp,
    unpruned,
)
from secateur.papers.figure import Figure
from secateur.papers.panels import CONVERGENCE, SPACE
from secateur.papers.statements import COMPARED, SPACE_METHODS, THRESHOLDS

LINEAR_AVERAGING = (
    "Total RBP with CFR+ runs in three ways: as BRP with RM+ and uniform averaging; with plain "
    "tests, where the result of the same run is its linear average; and with two rules of our own, "
    "by which tests have the weights of the result, and what is played is not cut."
)


def _space_curves(game: str) -> tuple[Curve, ...]:
    return tuple(brp(game, method, c) for method in SPACE_METHODS for c in THRESHOLDS)


def _cfr_plus_curves(game: str) -> tuple[Curve, ...]:
    """Return CFR+ with total RBP, as in the earlier paper, and what mends it."""
    return (brp_with_plain_tests(game, COMPARED), brp_with_two_rules(game, "CFR+"))


def _convergence_curves(game: str) -> tuple[Curve, ...]:
    return (
        unpruned(game, "CFR"),
        partial(game, "CFR"),
        rbp(game, "CFR"),
        brp(game, "CFR", COMPARED),
        brp(game, "CFR with RM+", COMPARED),
        partial(game, "CFR+"),
        rbp(game, "CFR+"),
    )


def _convergence_curves_of_three_methods(game: str) -> tuple[Curve, ...]:
    return (
        *_convergence_curves(game),
        partial(game, "CFR with RM+"),
        rbp(game, "CFR with RM+"),
    )


def _threshold_claims(game: str) -> tuple[Claim, ...]:
    return tuple(claim for method in SPACE_METHODS for claim in statements.thresholds(game, method))


_SPACE_OPEN = (
    "Which thresholds are drawn is not in the text, only that 0.01 to 0.1 did well and that lower "
    f"ones were tried: {', '.join(f'{c:g}' for c in THRESHOLDS)} here. Which graph is on "
    "top and what the horizontal axes are is not in the text: space and nodes touched here."
)
_CONVERGENCE_OPEN = (
    "The text does not list the curves one by one, nor does it tell the threshold of BRP: C = "
    f"{COMPARED:g} here. Range and scale of the axes are not in the text: logarithms here."
)

FIGURES = {
    figure.name: figure
    for figure in (
        Figure(
            name="brp-fig1",
            title="BRP, figure 1: space and convergence on Leduc",
            shows="Convergence and space required for CFR using RM and RM+ with best-response "
            "pruning in Leduc Hold'em; the vertical axis of the top graph is linear.",
            open=_SPACE_OPEN,
            panels=(SPACE, CONVERGENCE),
            curves=_space_curves("leduc"),
            claims=(statements.drops_to_half(), *_threshold_claims("leduc")),
        ),
        Figure(
            name="brp-fig2",
            title="BRP, figure 2: space and convergence on Leduc-5",
            shows="Convergence and space required for CFR using RM and RM+ with best-response "
            "pruning in Leduc-5; the vertical axis of the top graph is linear.",
            open=_SPACE_OPEN,
            panels=(SPACE, CONVERGENCE),
            curves=_space_curves("leduc5"),
            claims=(
                *(statements.space_falls(method, 7.0) for method in SPACE_METHODS),
                *(statements.space_keeps_falling(method) for method in SPACE_METHODS),
                *_threshold_claims("leduc5"),
            ),
        ),
        Figure(
            name="brp-fig3",
            title="BRP, figure 3: convergence on Leduc",
            shows="Convergence for partial pruning, regret-based pruning, and best-response "
            "pruning in Leduc, for CFR with RM, CFR with RM+, and CFR+; and CFR without pruning.",
            open=_CONVERGENCE_OPEN,
            panels=(CONVERGENCE,),
            curves=_convergence_curves_of_three_methods("leduc"),
            claims=(
                statements.comparable(brp("leduc", "CFR", COMPARED), rbp("leduc", "CFR")),
                statements.clearly_better(rbp("leduc", "CFR+"), brp("leduc", "CFR", COMPARED)),
                statements.regret_matching_plus_gains_nothing("leduc"),
            ),
        ),
        Figure(
            name="brp-fig4",
            title="BRP, figure 4: convergence on Leduc-5",
            shows="Convergence for partial pruning, regret-based pruning, and best-response "
            "pruning in Leduc-5, for CFR with RM, CFR with RM+, and CFR+; and CFR without pruning.",
            open=_CONVERGENCE_OPEN,
            panels=(CONVERGENCE,),
            curves=_convergence_curves_of_three_methods("leduc5"),
            claims=(
                statements.twice_as_fast("leduc5"),
                statements.comparable(
                    brp("leduc5", "CFR with RM+", COMPARED), rbp("leduc5", "CFR+")
                ),
                statements.smooth(brp("leduc5", "CFR with RM+", COMPARED)),
                statements.noisy(rbp("leduc5", "CFR+")),
            ),
        ),
        Figure(
            name="total-rbp-fig1",
            title="Total RBP, figure 1: space and convergence on Leduc and Leduc-5",
            shows="Convergence and space required for CFR and CFR+ with Total RBP, in Leduc and "
            "in Leduc-5.",
            open=f"{_SPACE_OPEN} {LINEAR_AVERAGING}",
            panels=(SPACE, CONVERGENCE),
            curves=tuple(
                curve
                for game in ("leduc", "leduc5")
                for curve in (*_space_curves(game), *_cfr_plus_curves(game))
            ),
            claims=(
                statements.drops_to_half(),
                statements.space_falls("CFR", 7.0),
                statements.space_falls("CFR with RM+", 10.0, " (CFR+ in the paper)"),
                statements.space_keeps_falling("CFR"),
                *(statements.larger_games_gain_more(method) for method in SPACE_METHODS),
                *_threshold_claims("leduc"),
                *_threshold_claims("leduc5"),
            ),
        ),
        Figure(
            name="total-rbp-fig2",
            title="Total RBP, figure 2: convergence on Leduc and Leduc-5",
            shows="Convergence for CFR and CFR+ with only partial pruning, with Interval RBP, and "
            "with Total RBP, in Leduc and in Leduc-5; and CFR without pruning.",
            open=f"{_CONVERGENCE_OPEN} {LINEAR_AVERAGING}",
            panels=(CONVERGENCE,),
            curves=tuple(
                curve
                for game in ("leduc", "leduc5")
                for curve in (*_convergence_curves(game), *_cfr_plus_curves(game))
            ),
            claims=(
                statements.comparable(brp("leduc", "CFR", COMPARED), rbp("leduc", "CFR")),
                statements.clearly_better(
                    rbp("leduc", "CFR+"), brp("leduc", "CFR with RM+", COMPARED)
                ),
                statements.twice_as_fast("leduc5"),
                statements.leads_early(
                    brp("leduc5", "CFR with RM+", COMPARED), rbp("leduc5", "CFR+")
                ),
                statements.overtaken(
                    brp("leduc5", "CFR with RM+", COMPARED), rbp("leduc5", "CFR+")
                ),
                *(
                    claim
                    for game in ("leduc", "leduc5")
                    for claim in (
                        statements.linear_averaging_does_worse(game),
                        statements.stalls(game),
                        statements.two_rules_suffice(game),
                    )
                ),
            ),
        ),
        *thresholding.FIGURES,
        *beyond.FIGURES,
    )
}
"""By name."""
