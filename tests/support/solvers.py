"""All algorithms with all ways to prune; what each of them must be able to do runs on these."""

from __future__ import annotations

from functools import cache

import secateur
from secateur import (
    CFR,
    EGT,
    Averaging,
    BestResponsePruning,
    DynamicThresholding,
    FictitiousPlay,
    NoPruning,
    OptimisticMirrorDescent,
    RegretBasedPruning,
    RegretMatchingPlus,
    Storage,
    recipes,
)
from secateur.compiled.game import CompiledGame
from secateur.solvers.protocols import Solver
from support.small_games import built_in

BRP = BestResponsePruning(check_every=10, minimum_skip=2.0)
RBP = RegretBasedPruning(minimum_skip=2.0)
CUT = DynamicThresholding(2.0)
BOTH = {"updates": "simultaneous"}

SOLVERS: dict[str, Solver] = {
    "cfr": recipes.cfr(),
    "cfr, no pruning": recipes.cfr(pruning=NoPruning()),
    "cfr, simultaneous": recipes.cfr(**BOTH),
    "cfr, float32": recipes.cfr(storage=Storage("float32")),
    "cfr+, int16": recipes.cfr_plus(storage=Storage("int16")),
    "sapcfr+, int16": recipes.sapcfr_plus(storage=Storage("int16")),
    "cfr, threshold": recipes.cfr(thresholding=CUT),
    "cfr, rbp": recipes.cfr(pruning=RBP),
    "cfr, rbp, simultaneous": recipes.cfr(pruning=RBP, **BOTH),
    "cfr, brp": recipes.cfr(pruning=BRP),
    "cfr, brp, simultaneous": recipes.cfr(pruning=BRP, **BOTH),
    "cfr, brp, fixed": recipes.cfr(
        pruning=BestResponsePruning(check_every=10, minimum_skip=1.0, duration="fixed")
    ),
    "cfr, brp, late": recipes.cfr(pruning=BestResponsePruning(check_every=100)),
    "cfr, brp, adaptive": recipes.cfr(pruning=BestResponsePruning(check_every=10)),
    "cfr+": recipes.cfr_plus(),
    "cfr+, rbp": recipes.cfr_plus(pruning=RBP),
    "cfr+, odd weights": recipes.cfr_plus(averaging=Averaging(1.7, delay=3)),
    "cfr with rm+, brp": CFR(RegretMatchingPlus(), pruning=BRP),
    "lcfr": recipes.linear_cfr(),
    "lcfr, brp": recipes.linear_cfr(pruning=BRP),
    "cfr+, brp, odd weights": recipes.cfr_plus(pruning=BRP, averaging=Averaging(1.7, delay=13)),
    "dcfr, brp, when it pays": recipes.dcfr(pruning=BestResponsePruning()),
    "dcfr, brp, simultaneous": recipes.dcfr(pruning=BRP, **BOTH),
    "pcfr+, brp": recipes.pcfr_plus(pruning=BRP),
    "dcfr": recipes.dcfr(),
    "dcfr+": recipes.dcfr_plus(),
    "pcfr+": recipes.pcfr_plus(),
    "pcfr+, simultaneous": recipes.pcfr_plus(**BOTH),
    "pdcfr+": recipes.pdcfr_plus(),
    "sapcfr+": recipes.sapcfr_plus(),
    "hedge": recipes.hedge(),
    "hedge, threshold": recipes.hedge(thresholding=CUT),
    "hedge, threshold, rbp": recipes.hedge(thresholding=CUT, pruning=RBP),
    "egt": EGT(),
    "egt, fixed steps": EGT(steps="fixed", pruning=NoPruning()),
    "egt, balanced": EGT(weights="kroer15", balanced=True),
    "egt, threshold": EGT(threshold=0.01),
    "fp": FictitiousPlay(),
    "fp, brp": FictitiousPlay(pruning=BRP),
    "omd": OptimisticMirrorDescent(),
    "omd, safe steps": OptimisticMirrorDescent(steps="safe"),
}
"""Named by the algorithm as the command line knows it, and what else was chosen."""

LATE = {"dcfr, brp, when it pays": 560}
"""Iterations after which those have begun to prune on Leduc that others have by then, too."""


@cache
def ready(title: str) -> CompiledGame:
    """Return a built-in game, compiled for all of them."""
    return secateur.compile(built_in(title), pruning=True, thresholds=True)
