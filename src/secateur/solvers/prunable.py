"""Which combinations best-response pruning can serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secateur.errors import ParameterError
from secateur.minimizers import Hedge, Minimizer, RegretMatching, RegretMatchingPlus

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR


def check_prunable(solver: CFR) -> None:
    """Raise ParameterError if best-response pruning cannot serve these parts.

    It compares a sum of values with a best response to the opponent's average (Brown and Sandholm,
    2017, equation (5)): both must weigh the iterations alike, and the regrets must be sums of what
    was observed.
    """
    minimizer = solver.minimizer
    if isinstance(minimizer, Hedge):
        raise ParameterError(
            "best-response pruning with Hedge: a best response that loses does not make its "
            "probabilities zero; use RegretBasedPruning() with "
            "thresholding=DynamicThresholding(2)."
        )
    if solver.thresholding is not None:
        raise ParameterError(
            "best-response pruning with thresholding: pruned branches come back as regret matching "
            "alone would play them; leave thresholding out or use RegretBasedPruning()."
        )
    if not isinstance(minimizer, RegretMatching | RegretMatchingPlus):
        raise ParameterError(
            f"best-response pruning with {type(minimizer).__name__}: its regrets are no plain "
            "sums; use recipes.cfr() or recipes.linear_cfr(), or RegretMatchingPlus()."
        )
    power = 1.0 if _is_linear(minimizer) else 0.0
    if (solver.averaging.power, solver.averaging.delay) != (power, 0):
        raise ParameterError(
            f"best-response pruning with averaging of power {solver.averaging.power:g} and delay "
            f"{solver.averaging.delay}: regrets weigh iterations with power {power:g}, and so "
            "must the average; use recipes.cfr() or recipes.linear_cfr()."
        )
    if solver.storage.precision != "float64":
        raise ParameterError("best-response pruning with float32 storage: use float64.")


def _is_linear(minimizer: Minimizer) -> bool:
    return isinstance(minimizer, RegretMatching) and minimizer.linear
