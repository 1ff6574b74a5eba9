"""Well-known combinations, by name."""

from __future__ import annotations

from typing import Any

from secateur.algorithms import ALGORITHMS
from secateur.solvers.cfr import CFR

__all__ = ["cfr", "cfr_plus", "dcfr", "hedge", "linear_cfr", "pcfr_plus"]


def cfr(**options: Any) -> CFR:
    """Return CFR with regret matching and uniform averaging (Zinkevich et al., 2007)."""
    return _made("cfr", options)


def cfr_plus(**options: Any) -> CFR:
    """Return CFR+ with linear averaging (Tammelin, 2014)."""
    return _made("cfr+", options)


def linear_cfr(**options: Any) -> CFR:
    """Return linear CFR: iteration t weighs t in regrets and average (Brown, Sandholm, 2019)."""
    return _made("lcfr", options)


def dcfr(**options: Any) -> CFR:
    """Return discounted CFR with exponents 1.5, 0 and 2 (Brown and Sandholm, 2019)."""
    return _made("dcfr", options)


def pcfr_plus(**options: Any) -> CFR:
    """Return predictive CFR+ with quadratic averaging (Farina, Kroer and Sandholm, 2021)."""
    return _made("pcfr+", options)


def hedge(**options: Any) -> CFR:
    """Return CFR with Hedge and uniform averaging (Brown, Kroer and Sandholm, 2017)."""
    return _made("hedge", options)


def _made(name: str, options: dict[str, Any]) -> CFR:
    solver = ALGORITHMS[name].solver(**options)
    assert isinstance(solver, CFR)
    return solver
