"""What a pruning policy says about itself, and what it can be asked to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from secateur import checks
from secateur.options import Option

if TYPE_CHECKING:
    from secateur.compiled.game import CompiledGame
    from secateur.solvers.cfr import CFR
    from secateur.solvers.protocols import Solver, State

SKIP = checks.number("use 1 or more; infinity prunes nothing", least=1.0, finite=False)
EVERY = checks.whole("use a whole number, 1 or more", least=1)
"""Rules of settings that policies have in common."""


@dataclass(frozen=True)
class Pruning(ABC):
    """A policy: a frozen dataclass of its settings, which all have defaults.

    A class of the package is named in ``POLICIES`` of :mod:`secateur.pruning`, and nowhere else.
    Nothing heavy is imported before :meth:`start`: the help of the command line is made of these
    classes.
    """

    name: ClassVar[str]
    """As it is typed behind ``--prune``."""

    title: ClassVar[str]
    """What it is, in words: "best-response pruning"."""

    about: ClassVar[str]
    """What it skips, and with which algorithms, for help."""

    options: ClassVar[tuple[Option, ...]] = ()
    """Its settings that can be typed."""

    needs_bounds: ClassVar[bool] = False
    """Whether games must be compiled for pruning: ``compile(game, pruning=True)``."""

    skips_unreached: ClassVar[bool] = True
    """Whether what the opponent does not reach is left out."""

    forgets: ClassVar[bool] = False
    """Whether what is pruned is no longer kept, so that one may ask how much still is."""

    kernel_seconds: ClassVar[int] = 7
    """About how long the kernels of CFR with it take to compile on a machine of today; see
    ``benchmarks/cold_start.py``."""

    def check(self, solver: CFR) -> None:  # noqa: B027 - most combinations are fine
        """Raise ParameterError if it cannot serve the parts of this solver."""

    @abstractmethod
    def start(self, solver: CFR, game: CompiledGame) -> State:
        """Return the state of a solver with this policy before the first iteration."""

    @abstractmethod
    def memory_estimate(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that such a state will take, but for small stacks."""

    def memory_beside(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run takes beside that for a while: its strategy at the end."""
        del solver
        return 8 * game.cells

    def first_look(self, solver: Solver, game: CompiledGame) -> int:
        """Return after how many iterations a run first looks whether it pays to prune.

        0 if it does not look.
        """
        del solver, game
        return 0

    def at_once(self, solver: Solver, game: CompiledGame) -> Self:
        """Return a policy that soon does all that this one will ever do with a game.

        That is in two iterations, or in the one after it first looks whether it pays. Kernels are
        compiled by running it on a tiny game.
        """
        del solver, game
        return self
