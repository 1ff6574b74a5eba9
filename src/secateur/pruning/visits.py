"""The two policies that need no state of their own: visit everything, or what is reached.

One comparison in the sweep is all that they differ by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from secateur.pruning.policy import Pruning

if TYPE_CHECKING:
    from secateur.compiled.game import CompiledGame
    from secateur.solvers.cfr import CFR, CFRState
    from secateur.solvers.quantized import QuantizedState


@final
@dataclass(frozen=True)
class NoPruning(Pruning):
    """Visit the whole game for each player in every iteration."""

    name = "none"
    title = "no pruning"
    about = "none visits everything"
    skips_unreached = False

    def start(self, solver: CFR, game: CompiledGame) -> CFRState | QuantizedState:
        """Return a state with a number for each sequence."""
        return _dense(solver)(solver, game)

    def memory_estimate(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that such a state will take, but for small stacks."""
        return _dense(solver).memory_estimate(solver, game)

    def memory_beside(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes by which the strategy at the end takes more than such a state."""
        return _dense(solver).memory_beside(solver, game)


@final
@dataclass(frozen=True)
class PartialPruning(Pruning):
    r"""Skip what the opponent does not reach; the result is the same to the last bit.

    Where :math:`\pi_{-i}(h) = 0`, history h adds nothing to counterfactual values (Brown and
    Sandholm, 2017, section 2.2).
    """

    name = "partial"
    title = "partial pruning"
    about = "partial skips what the opponent does not reach, with the same result (default)"

    def start(self, solver: CFR, game: CompiledGame) -> CFRState | QuantizedState:
        """Return a state with a number for each sequence."""
        return _dense(solver)(solver, game)

    def memory_estimate(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that such a state will take, but for small stacks."""
        return _dense(solver).memory_estimate(solver, game)

    def memory_beside(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes by which the strategy at the end takes more than such a state."""
        return _dense(solver).memory_beside(solver, game)


def _dense(solver: CFR) -> type[CFRState | QuantizedState]:
    """Return what keeps numbers as a solver wants them."""
    # policies are light, states are not
    from secateur.solvers.cfr import CFRState  # noqa: PLC0415
    from secateur.solvers.quantized import QuantizedState  # noqa: PLC0415

    return QuantizedState if solver.storage.precision == "int16" else CFRState
