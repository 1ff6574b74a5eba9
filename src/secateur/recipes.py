"""Well-known combinations, by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from secateur.averaging import LINEAR, QUADRATIC, UNIFORM
from secateur.minimizers import (
    DiscountedRegretMatching,
    Hedge,
    PredictiveRegretMatchingPlus,
    RegretMatching,
    RegretMatchingPlus,
)
from secateur.solvers.cfr import CFR


def cfr(**options: Any) -> CFR:
    """Return CFR with regret matching and uniform averaging (Zinkevich et al., 2007)."""
    return replace(CFR(minimizer=RegretMatching(), averaging=UNIFORM), **options)


def cfr_plus(**options: Any) -> CFR:
    """Return CFR+ with linear averaging (Tammelin, 2014)."""
    return replace(CFR(minimizer=RegretMatchingPlus(), averaging=LINEAR), **options)


def linear_cfr(**options: Any) -> CFR:
    """Return linear CFR: iteration t weighs t in regrets and average (Brown, Sandholm, 2019)."""
    return replace(CFR(minimizer=RegretMatching(linear=True), averaging=LINEAR), **options)


def dcfr(**options: Any) -> CFR:
    """Return discounted CFR with exponents 1.5, 0 and 2 (Brown and Sandholm, 2019)."""
    return replace(CFR(minimizer=DiscountedRegretMatching(), averaging=QUADRATIC), **options)


def pcfr_plus(**options: Any) -> CFR:
    """Return predictive CFR+ with quadratic averaging (Farina, Kroer and Sandholm, 2021)."""
    return replace(CFR(minimizer=PredictiveRegretMatchingPlus(), averaging=QUADRATIC), **options)


def hedge(**options: Any) -> CFR:
    """Return CFR with Hedge and uniform averaging (Brown, Kroer and Sandholm, 2017)."""
    return replace(CFR(minimizer=Hedge(), averaging=UNIFORM), **options)
