"""What every solver and every state can do; all that runs solvers asks for nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from secateur.compiled.game import CompiledGame
from secateur.pruning import Pruning
from secateur.solvers.resumable import Array, Saved
from secateur.strategy import Strategy


@runtime_checkable
class Solver(Protocol):
    """An algorithm with all of its options, which can be started on any game.

    A frozen dataclass whose fields all have defaults. It is told in full by its ``repr``, by which
    checkpoints know it, and never changes.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def pruning(self) -> Pruning:
        """What is skipped."""

    @property
    def count_nodes(self) -> bool:
        """Whether states count the histories that they visit."""

    @property
    def needs_bounds(self) -> bool:
        """Whether games must be compiled for pruning: ``compile(game, pruning=True)``."""

    @property
    def needs_branches(self) -> bool:
        """Whether games must be compiled for thresholds: ``compile(game, thresholds=True)``."""

    @property
    def kernel_seconds(self) -> int:
        """About how long its kernels take to compile on a machine of today."""

    def start(self, game: CompiledGame) -> State:
        """Return the state before the first iteration."""

    def memory_estimate(self, game: CompiledGame) -> int:
        """Return the bytes that a state will take (but for small stacks), without allocating it."""

    def memory_beside(self, game: CompiledGame) -> int:
        """Return the bytes that a run takes for a while beside its state, at its start or end."""

    def in_words(self) -> list[str]:
        """Return what was chosen besides pruning, one short phrase for each choice."""


@runtime_checkable
class Scattered(Protocol):
    """What a state can do besides whose numbers are in several places, and are kept there."""

    def save_parts(self, path: Path, origin: Any) -> dict[int, Path]:
        """Have all pieces written to files beside ``path``; return where each piece is."""

    def keep(self, saved: Saved, files: dict[int, Path], origin: Any) -> None:
        """Note that the run can go back to here."""

    def report(self) -> list[Any]:
        """Return how each of the places does."""

    def go_on_from(self, saved: Saved, files: dict[int, Path], origin: Any) -> None:
        """Go on from a checkpoint, in parts or of one place."""


@runtime_checkable
class State(Protocol):
    """A run of a solver on a game: what it has found so far, and how to go on."""

    @property
    def solver(self) -> Solver:
        """What is run."""

    @property
    def game(self) -> CompiledGame:
        """What is solved."""

    @property
    def iteration(self) -> int:
        """Iterations run so far."""

    def step(self, iterations: int = 1) -> None:
        """Run some iterations; ``step(100)`` gives the same bits as a hundred times ``step()``."""

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""

    def average_strategy(self) -> Strategy:
        """Return the strategy that converges to an equilibrium: the average, if there is one."""

    def last_strategy(self) -> Strategy:
        """Return the average strategy, and give up all else: nothing is asked of this run again."""

    def current_strategy(self) -> Strategy:
        """Return the strategy that the next iteration begins with."""

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited so far, also for the sake of pruning; None if not counted."""

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Those of them that were visited for the sake of pruning; None if not counted."""

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose regret, or what the algorithm has in its place, is in use."""

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""

    @property
    def bytes_resident(self) -> int:
        """Bytes of the arrays that this run holds, without those of the compiled game."""

    def held(self) -> dict[str, Array]:
        """Return these arrays by name, each once; of reserves, what is in use."""

    def saved(self) -> Saved:
        """Return all that the next iteration depends on; its arrays follow the run."""

    def restore(self, saved: Saved) -> None:
        """Go on from what a state of the same solver and game has saved, or raise ParameterError.

        What cannot have been saved is refused, and then this state is what it was.
        """

    def has_nan(self) -> bool:
        """Whether a number the next iteration depends on is none, or infinite for no reason."""
