"""A run on a cluster: the driver holds the trunk, and has the shards do the rest.

A shard that is lost is replaced. All go back to the last complete checkpoint, or to the beginning,
and do again what they have done since: to the same bits, so nobody who asks notices.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from secateur import checks
from secateur.atomic import new_file
from secateur.cluster.engine import LostError
from secateur.cluster.letters import Errand
from secateur.cluster.shard import Condition
from secateur.cluster.shards import Shards
from secateur.cluster.sources import Places
from secateur.cluster.sweeps import TrunkSweeps
from secateur.compiled.game import CompiledGame
from secateur.compiled.parts import Part
from secateur.errors import ParameterError, SecateurError
from secateur.metrics import best_response_value_of, value_of
from secateur.regular_files import open_regular
from secateur.runs.part_files import Origin, Pieces
from secateur.runs.shard_reports import ShardReport
from secateur.solvers.cfr import CFR, PER_INFOSET, CFRState
from secateur.solvers.resumable import Array, Saved
from secateur.solvers.scheduled import MOST_AT_ONCE
from secateur.strategy import Strategy
from secateur.strategy_files import readable

T = TypeVar("T")

_ATTEMPTS = 5
"""How often shards may be lost before the run has come any further."""


class Kept(NamedTuple):
    """Where a run can go back to."""

    saved: Saved
    """Of the trunk or, if there are no files, of the whole game."""

    files: dict[int, Path]
    """Of each piece."""

    origin: Origin


class ClusterState:
    """A run of CFR whose numbers are where the pieces are.

    Parameters
    ----------
    solver : CFR
        What is run.
    game : CompiledGame
        What is solved.
    trunk : Part
        What is above its pieces.
    shards : Shards
        Who holds them.
    warn : callable
        Gets a sentence for each shard that is lost.
    """

    def __init__(
        self,
        solver: CFR,
        game: CompiledGame,
        trunk: Part,
        shards: Shards,
        warn: Callable[[str], Any],
    ) -> None:
        self.solver = solver
        self.game = game
        self.shards = shards
        self._trunk = trunk
        self._warn = warn
        self._kept: Kept | None = None
        self._errand = Errand.ITERATE
        self._iterations = 1
        self._lost_at = -1
        self._losses = 0
        self._condition: tuple[int, list[Condition]] | None = None
        self._begin()

    def _begin(self) -> None:
        """Begin with a trunk in which nothing has happened."""
        self._sweeps = TrunkSweeps(self._trunk, self._exchange)
        self.trunk = CFRState(self.solver, self._trunk.game, self._sweeps)
        self.shards.attend(self._sweeps.pieces)

    def _exchange(self, row: int, player: int) -> None:
        self.shards.sweep(self._errand, self._iterations, row, player)

    # -- what a run does

    @property
    def iteration(self) -> int:
        """Iterations run so far."""
        return self.trunk.iteration

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        iterations = checks.ITERATIONS(f"step({checks.shown(iterations)})", iterations)
        self._done(self.iteration + iterations, lambda: None)

    def _done(self, iteration: int, work: Callable[[], T]) -> T:
        """Do something after an iteration; again, if a shard is lost meanwhile."""
        while True:
            try:
                while self.iteration < iteration:
                    self._advance(min(iteration - self.iteration, MOST_AT_ONCE))
                return work()
            except LostError as error:
                self._recover(error)

    def _advance(self, iterations: int) -> None:
        self._errand, self._iterations = Errand.ITERATE, iterations
        self.trunk.step(iterations)

    def _evaluated(self, errand: Errand, work: Callable[[], T]) -> T:
        """Return what sweeps find that change nothing."""

        def evaluated() -> T:
            self._errand, self._iterations = errand, 1
            return work()

        return self._done(self.iteration, evaluated)

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        return self._evaluated(Errand.NASH_CONV, self._nash_conv)

    def _nash_conv(self) -> float:
        return self.trunk.nash_conv()

    def value(self) -> float:
        """Return what player 0 wins on average under the average strategy."""
        game = self._trunk.game

        def value() -> float:
            behavior = self.trunk.average_strategy().own_probabilities
            return value_of(game, behavior, self._sweeps)

        return self._evaluated(Errand.VALUE, value)

    def best_response_value(self, player: int) -> float:
        """Return the most that a player can win against the average strategy."""
        game = self._trunk.game

        def value() -> float:
            behavior = self.trunk.average_strategy().own_probabilities
            return best_response_value_of(game, behavior, player, self._sweeps)

        return self._evaluated(Errand.BEST_RESPONSE, value)

    def last_strategy(self) -> Strategy:
        """Return the average strategy; actors are told elsewhere that the run is over."""
        return self.average_strategy()

    def average_strategy(self) -> Strategy:
        """Return the average strategy: that of the trunk, and what writes all of it."""
        trunk = self.trunk.average_strategy()
        return Strategy.scattered(trunk.game, trunk.own_probabilities, StrategyWriter(self))

    def current_strategy(self) -> Strategy:
        """Return the strategy of the trunk that the next iteration begins with."""
        return self.trunk.current_strategy()

    def entries(self) -> Iterator[str]:
        """Go through the average strategy as it stands in a strategy file."""
        trunk = self._trunk
        probabilities = self.trunk.average_strategy().own_probabilities
        stubs = {block: piece for piece, block in enumerate(trunk.cut.first.tolist())}
        for block in range(1, len(trunk.game.arrays.player)):
            if block in stubs:
                yield from self.shards.entries(stubs[block])
            else:
                yield from readable.entries(trunk.game, probabilities, [block])

    def write_strategy(self, path: Path, remarks: dict[str, Any]) -> None:
        """Write the average strategy, piece by piece."""
        self._done(
            self.iteration,
            lambda: readable.write_entries(path, self.game, self.entries(), remarks),
        )

    # -- how it is

    def conditions(self) -> list[Condition]:
        """Return how all shards are, as of this iteration."""
        if self._condition is None or self._condition[0] != self.iteration:
            found = self._done(self.iteration, lambda: self.shards.tell("condition"))
            self._condition = self.iteration, found
        return self._condition[1]

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited by regret updates so far; None if nobody asked to count them."""
        if not self.solver.pruning.skips_unreached:
            return 2 * self.game.size.histories * self.iteration
        return self.trunk.nodes_touched

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Histories visited besides regret updates: none."""
        return None if self.nodes_touched is None else 0

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose regret is in use: all."""
        return self.game.cells

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        theirs = sum(each.strategy_entries for each in self.conditions())
        return self.trunk.strategy_entries_live + theirs

    @property
    def bytes_resident(self) -> int:
        """Bytes of the arrays that this run holds anywhere, without those of the whole game."""
        everywhere = sum(each.bytes_resident for each in self.conditions())
        return self.trunk.bytes_resident + everywhere

    def held(self) -> dict[str, Array]:
        """Return the arrays that the driver holds."""
        return self.trunk.held()

    def has_nan(self) -> bool:
        """Whether a number the next iteration depends on is none."""
        return self.trunk.has_nan() or any(each.nan for each in self.conditions())

    # -- how it is kept

    @property
    def _origin(self) -> str:
        return f"{self.solver!r} on {self.game} ({self.game.fingerprint})"

    def saved(self) -> Saved:
        """Return what the trunk needs to go on from here."""
        return self.trunk.saved()._replace(origin=self._origin)

    def save_parts(self, path: Path, origin: Origin) -> dict[int, Path]:
        """Have shards write all pieces to files beside ``path``; return where each piece is."""
        # shards work somewhere else
        paths = [path.resolve().with_name(f"{path.name}.part-{k}") for k in range(len(self.shards))]
        arguments = [(each, origin) for each in paths]
        self._done(self.iteration, lambda: self.shards.tell("save", arguments))
        return {
            piece: paths[number]
            for number, holding in enumerate(self.shards.holdings)
            for piece in holding
        }

    def keep(self, saved: Saved, files: dict[int, Path], origin: Origin) -> None:
        """Note where the run can go back to."""
        copies = {name: part.copy() for name, part in saved.arrays.items()} if files else None
        self._kept = Kept(saved._replace(arrays=copies or saved.arrays), files, origin)
        self._done(self.iteration, self._rebalance)

    def _rebalance(self) -> None:
        if self.shards.rebalance():
            self._go_back()  # to what has just been kept

    def report(self) -> list[ShardReport]:
        """Return how each shard does."""
        return self.shards.report(self.conditions())

    def go_on_from(self, saved: Saved, files: dict[int, Path], origin: Origin) -> None:
        """Go on from a checkpoint, in files or of one machine, or raise an error."""
        if saved.origin != self._origin:
            raise ParameterError(f"restore: that was saved by {saved.origin}.")
        before = self._kept
        self._kept = Kept(saved, {k: each.resolve() for k, each in files.items()}, origin)
        try:
            self._done(0, self._go_back)
        except SecateurError:
            self._kept = before
            raise

    def restore(self, saved: Saved) -> None:
        """Go on from what a state of one machine has saved."""
        self.go_on_from(saved, {}, Origin("", "", ""))

    def _recover(self, error: LostError) -> None:
        """Replace what is lost, and go back to where the run was kept last."""
        self._losses = self._losses + 1 if self.iteration <= self._lost_at else 1
        self._lost_at = max(self._lost_at, self.iteration)
        if self._losses >= _ATTEMPTS:
            raise SecateurError(
                f"{error.reason}; {self._losses} times in a row, so the run ends here. What was "
                "kept is intact."
            ) from error
        self._warn(f"{error.reason}; it is replaced, and the run goes back a little.")
        try:
            self.shards.replace(error.numbers)
            self._go_back()
        except LostError as again:
            self._recover(again)

    def _go_back(self) -> None:
        self._begin()
        self._condition = None
        kept = self._kept
        if kept is None:
            self.shards.tell("begin_anew")
        elif kept.files:
            self._take_trunk(kept.saved.numbers, kept.saved.arrays)
            self.shards.tell("restore", [(kept.files, kept.origin)] * len(self.shards))
        else:
            self._take_whole(kept.saved)

    def _take_trunk(self, numbers: dict[str, float], arrays: dict[str, Array]) -> None:
        fresh = self.trunk.saved()
        self.trunk.restore(fresh._replace(numbers=numbers, arrays=arrays))

    def _take_whole(self, saved: Saved) -> None:
        """Go on from the numbers of the whole game, which are shared out."""
        trunk: dict[str, Array] = {}
        pieces: Pieces = {piece: {} for piece in range(len(self._trunk.cut.first))}
        places = Places(self._trunk, self.shards.extents())
        for name, part in saved.arrays.items():
            own = np.ones(len(part), np.bool_)
            for piece, (begin, end) in enumerate(places.of(per_infoset=name in PER_INFOSET)):
                own[begin:end] = False
                pieces[piece][name] = part[begin:end]
            trunk[name] = part[own]
        self._take_trunk(saved.numbers, trunk)
        arguments = [
            (saved.numbers, {piece: pieces[piece] for piece in holding})
            for holding in self.shards.holdings
        ]
        self.shards.tell("take", arguments)


class StrategyWriter:
    """Writes the average strategy of a run: the first time piece by piece, and then a copy.

    When it is written, the shards have done their work.
    """

    def __init__(self, state: ClusterState) -> None:
        self._state: ClusterState | None = state
        self._file: Path | None = None

    def __call__(self, path: Path, remarks: dict[str, Any]) -> None:
        """Write a readable file."""
        if self._state is not None:
            self._state.write_strategy(path, remarks)
            self._state.shards.dismiss()
            self._state, self._file = None, path
        elif self._file is not None and path != self._file:
            with open_regular(self._file) as source, new_file(path) as file:
                shutil.copyfileobj(source, file)
