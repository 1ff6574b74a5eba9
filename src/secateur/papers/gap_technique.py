"""What the paper on dynamic thresholding says about the excessive gap technique, as claims.

Brown, Kroer and Sandholm: "Dynamic Thresholding and Pruning for Regret Minimization" (AAAI 2017).
"""

from __future__ import annotations

from secateur.papers.claims import Band, Claim
from secateur.papers.curves import Curve, egt, partial
from secateur.papers.measures import (
    exploitability_ratio,
    exploitability_spread,
    lead,
    nodes_ratio,
    nodes_ratio_growth,
)

GAMES = ("leduc-dt", "leduc5-dt")
"""With the paper's bet sizes."""

GOOD = (0.001, 0.005, 0.01)
"""Thresholds that the paper finds good."""

AGGRESSIVE = 0.05

COMPARED = 0.005
"""The threshold where the excessive gap technique is compared with other methods."""


def benefits(game: str, factor: float | None = None) -> Claim:
    """Return the claim that a threshold makes EGT faster, by a factor if the paper has one."""
    words = f"improves the performance of EGT by a factor of {factor:g}" if factor else "helps EGT"
    least = 0.85 * factor if factor else 1.05
    return Claim(
        sentence=f"{game}: dynamic thresholding {words} (c = {COMPARED:g})",
        claimed=f"{factor:g}" if factor else "above 1",
        measure=nodes_ratio(slower=egt(game, 0.0), faster=egt(game, COMPARED)),
        holds=Band(low=least),
        partly=Band(low=1.2 if factor else 1.0),
    )


def larger_games_benefit_more() -> Claim:
    """Return the claim that compares the games."""
    smaller, larger = ((egt(game, 0.0), egt(game, COMPARED)) for game in GAMES)
    return Claim(
        sentence=f"the relative benefit for EGT increases with game size (c = {COMPARED:g})",
        claimed="above 1",
        measure=nodes_ratio_growth(larger=larger, smaller=smaller),
        holds=Band(low=1.05),
        partly=Band(low=1.0),
    )


def good_thresholds(game: str) -> tuple[Claim, ...]:
    """Return the claims about how large a threshold should be."""
    good = tuple(egt(game, c) for c in GOOD)
    return (
        Claim(
            sentence=f"{game}: c = 0.001, 0.005 and 0.01 perform similarly",
            claimed="similar",
            measure=exploitability_spread(*good),
            holds=Band(high=1.25),
            partly=Band(high=1.5),
        ),
        Claim(
            sentence=f"{game}: c = 0.001, 0.005 and 0.01 are all beneficial",
            claimed="above 1",
            measure=lead(ahead=good, behind=(egt(game, 0.0),)),
            holds=Band(low=1.05),
            partly=Band(low=1.0),
        ),
        Claim(
            sentence=f"{game}: c = 0.05 is too aggressive and hurts slightly (against c = 0.01)",
            claimed="slightly above 1",
            measure=exploitability_ratio(worse=egt(game, AGGRESSIVE), better=egt(game, GOOD[-1])),
            holds=Band(1.05, 2.0),
            partly=Band(low=1.01),
        ),
    )


def best_of_all(game: str, *others: Curve) -> Claim:
    """Return the claim that CFR+ is ahead of EGT and other methods."""
    others = (egt(game, 0.0), egt(game, COMPARED), *others)
    return Claim(
        sentence=f"{game}: CFR+ exhibits the best performance",
        claimed="above 1",
        measure=lead(ahead=(partial(game, "CFR+"),), behind=others),
        holds=Band(low=1.05),
        partly=Band(low=0.9),
    )


def wins_in_the_long_run(game: str) -> Claim:
    """Return the claim that EGT overtakes CFR+."""
    return Claim(
        sentence=f"{game}: in the long run EGT (c = {COMPARED:g}) outperforms CFR+",
        claimed="above 1",
        measure=exploitability_ratio(worse=partial(game, "CFR+"), better=egt(game, COMPARED)),
        holds=Band(low=1.05),
        partly=Band(low=0.9),
    )
