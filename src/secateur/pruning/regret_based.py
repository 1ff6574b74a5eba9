"""Interval regret-based pruning: what is skipped is made up for later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from secateur import checks
from secateur.errors import ParameterError
from secateur.options import Option
from secateur.pruning.policy import EVERY, SKIP, Pruning

if TYPE_CHECKING:
    from secateur.compiled.game import CompiledGame
    from secateur.solvers.cfr import CFR
    from secateur.solvers.interval import IntervalState


@final
@dataclass(frozen=True)
class RegretBasedPruning(Pruning):
    r"""Skip actions while their regret cannot have become positive (Brown and Sandholm, 2015).

    An action of negative regret is skipped until the most that it might have won meanwhile would
    make its regret positive: with its values until iteration :math:`t_0`, while

    .. math:: \sum_{t = 1}^{t_0} v^t(I, a) + \sum_{t = t_0 + 1}^{t_1} \pi_{-i}^t(I)\, U(I, a)
        \le \sum_{t = 1}^{t_1} v^t(I),

    equation (10) of Brown, Kroer and Sandholm (2017). For Hedge with thresholds their equation (11)
    is used, with repairs. Then the iterations that it missed are made up for at once, with a best
    response to the opponent's average over just these. Nothing is forgotten, so no memory is saved.

    Parameters
    ----------
    minimum_skip : float
        Prune an action only if it can be skipped for that many iterations at the average pace.
    check_every : int
        Iterations between two searches for actions to prune.
    """

    name = "rbp"
    title = "regret-based pruning"
    about = (
        "rbp, regret-based pruning, also skips own actions while they are surely not played (with "
        "algorithm cfr, cfr+, or hedge with --threshold)"
    )
    options = (
        Option(
            "min_skip",
            "pruning.minimum_skip",
            "rbp: prune an action only if it can be skipped for N iterations (default 5)",
            kind="positive",
            metavar="N",
        ),
        Option(
            "check_every",
            "pruning.check_every",
            "rbp: look for actions to prune every N iterations (default 1)",
            kind="count",
            metavar="N",
        ),
    )
    needs_bounds = True
    kernel_seconds = 14

    minimum_skip: float = 5.0
    check_every: int = 1

    def __post_init__(self) -> None:
        checks.check_fields(self, minimum_skip=SKIP, check_every=EVERY)

    def check(self, solver: CFR) -> None:
        """Raise ParameterError if it cannot serve these parts.

        What an action has missed is made up for with one visit against the plain sum of strategies
        that were faced: every iteration must count the same in regrets, which must be sums of what
        was observed. The average strategy may weigh iterations as it likes.
        """
        minimizer, cuts = solver.minimizer, solver.thresholding
        if minimizer.pruned_as == "hedge" and (cuts is None or cuts.factor == 1.0):
            raise ParameterError(
                "regret-based pruning with Hedge: its probabilities are never zero; cut small ones "
                "with thresholding=DynamicThresholding(2), or another factor above 1."
            )
        if minimizer.pruned_as is not None and minimizer.regret_power != 0.0:
            raise ParameterError(
                "regret-based pruning with linear CFR: its regrets weigh iterations differently; "
                "use recipes.cfr() or recipes.cfr_plus(), or BestResponsePruning()."
            )
        if minimizer.pruned_as is None:
            raise ParameterError(
                f"regret-based pruning with {type(minimizer).__name__}: its regrets are no plain "
                "sums; use recipes.cfr(), recipes.cfr_plus(), or recipes.hedge() with "
                "thresholding=DynamicThresholding(2)."
            )
        if solver.storage.precision != "float64":
            raise ParameterError(
                f"regret-based pruning with {solver.storage.precision} storage: use float64."
            )

    def start(self, solver: CFR, game: CompiledGame) -> IntervalState:
        """Return a state that keeps bounds beside regrets."""
        from secateur.solvers.interval import IntervalState  # noqa: PLC0415

        return IntervalState(solver, self, game)

    def memory_estimate(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that such a state will take, but for small stacks."""
        from secateur.solvers.interval import IntervalState  # noqa: PLC0415

        return IntervalState.memory_estimate(solver, game)
