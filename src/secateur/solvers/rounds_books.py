"""What a run that prunes in rounds keeps: the whole game in sequence form, and the round's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.crew import thread_count, together
from secateur.kernels.core.heap import new_heap
from secateur.kernels.pruning_rounds import contract, search
from secateur.kernels.pruning_rounds.iterate import (
    ALONE,
    HELPS,
    LEADS,
    Division,
    How,
    Numbers,
    divide,
    give_slots,
    iterate_round,
)
from secateur.kernels.pruning_rounds.side import Before, Kept, Links, Side, face
from secateur.solvers.holdings import arrays_in, each_once
from secateur.solvers.resumable import Array
from secateur.solvers.sequence_sides import GameSide, both_sides, room_for_tree
from secateur.solvers.stores import Layout
from secateur.sweeping import with_helpers

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]
Found = TypeVar("Found")

_LARGE, _PARTS, _SMALLEST = 25_000, 128, 2_000
"""Information sets of a player from which threads share the work; how many parts or so they are
divided into then, and of how many information sets at the least."""


class Round(NamedTuple):
    """A player's side of the game of a round, and its numbers."""

    side: Side
    numbers: Numbers
    division: Division


class CutSequences(NamedTuple):
    """What is cut, and what an iteration had earned on average at the last search."""

    cell: Long
    earned: Float  # by the information set
    at_most: Float  # by a best response behind what is cut


class RoundsBooks:
    """Two sides of the whole game, and of the game of the round: what is alive, and no more."""

    def __init__(self, game: CompiledGame, layout: Layout) -> None:
        self.game = game
        self.how = How(idle=layout.idle, predictive=layout.predictive)
        self.sides = both_sides(game)
        game.forget()
        self.kept = tuple(_nothing_kept(side, layout) for side in self.sides)
        self.before: tuple[Before, ...] = tuple(_copied(kept) for kept in self.kept)
        self._links = tuple(
            Links(np.zeros(len(cell), np.int32), np.zeros(len(infoset), np.int32))
            for _, cell, infoset, _ in self.sides
        )
        self._plans = tuple(np.zeros(len(each.cell)) for each in self.sides)
        self._values = tuple(np.zeros(len(each.cell) + len(each.infoset)) for each in self.sides)
        self._rounds: tuple[Round, ...] = ()
        self._heap = new_heap()

    @property
    def size(self) -> tuple[int, int]:
        """Entries and sequences of the whole game."""
        entries = sum(len(each.side.other) for each in self.sides)
        return entries, sum(len(each.cell) for each in self.sides)

    def arrays(self) -> dict[str, Array]:
        """Return what another run needs to go on, by name."""
        self._write_back()
        all_books: dict[str, Sequence[Kept | Before]] = {"": self.kept, "before_": self.before}
        return each_once(
            {
                f"{kind}{name}_{player}": part
                for kind, books in all_books.items()
                for player, held in enumerate(books)
                for name, part in held._asdict().items()
            }
        )

    def used(self) -> dict[str, int]:
        """Return nothing: all arrays are in use."""
        return {}

    def held(self) -> dict[str, Array]:
        """Return all arrays by name."""
        return each_once(
            arrays_in("kept", self.kept)
            | arrays_in("before", self.before)
            | arrays_in("sides", self.sides)
            | arrays_in("links", self._links)
            | arrays_in("plans", self._plans)
            | arrays_in("values", self._values)
            | arrays_in("round", self._rounds)
        )

    def fill(
        self, regrets: Float, sums: Float, values: Float, weight: float, iteration: int
    ) -> None:
        """Take over a dense run after an iteration, in which all is alive."""
        for (_, cell, infoset, _), kept in zip(self.sides, self.kept, strict=True):
            kept.alive[:] = 1
            kept.regret[1:] = regrets[cell[1:]]
            kept.total[0] = weight
            kept.total[1:] = sums[cell[1:]]
            kept.value_sum[:] = values[infoset]
            kept.seen[:] = iteration

    def begin_round(self) -> None:
        """Make the game of a round from what is alive, and let it go on from what is kept."""
        trees = self._of_both(self._tree)
        self._rounds = ()  # gives way to the next one
        self._rounds = tuple(self._of_both(lambda me: self._round(me, *trees[me])))

    def _tree(self, player: int) -> tuple[Side, int]:
        """Return a side of the round without rows, and how many sequences it has."""
        whole = self.sides[player].side
        useful = np.zeros(len(self.sides[player].cell), np.bool_)
        contract.mark_useful(whole, self.kept[player].alive, self.kept[1 - player].alive, useful)
        infosets = len(whole.parent)
        room = room_for_tree(infosets)
        before = np.zeros(infosets + 1, np.int32)
        given = whole, self.kept[player].alive, useful, self._links[player], before
        infosets, sequences = contract.contract(*given, room)
        tree = room._replace(
            first=room.first[: infosets + 1].copy(),
            parent=room.parent[:infosets].copy(),
            end=room.end[:infosets].copy(),
        )
        return tree, sequences

    def _round(self, player: int, tree: Side, sequences: int) -> Round:
        """Add rows to a side, and numbers."""
        whole, links, others = self.sides[player].side, self._links[player], self._links[1 - player]
        infosets = len(tree.parent)
        pointer = np.zeros(sequences + infosets + 1, np.int32)
        contract.count_rows(whole, links, others, sequences, pointer)
        entries = int(pointer[-1])
        side = tree._replace(
            pointer=pointer,
            other=np.zeros(entries, np.int32),
            code=np.zeros(entries, np.uint16),
            worth=whole.worth,
        )
        contract.fill_rows(whole, links, others, sequences, pointer.copy(), side)
        division = _divided(side)
        slots = give_slots(side, division, *(np.zeros(sequences, np.int32) for _ in range(2)))
        regret = np.zeros(sequences)
        numbers = Numbers(
            regret=regret,
            claim=np.zeros(sequences) if self.how.predictive else regret,
            total=np.zeros(sequences),
            plan=np.zeros(sequences),
            value=np.zeros(slots),
            scale=np.zeros(infosets),
            earned=np.zeros(infosets),
            seen=np.zeros(infosets, np.int32),
            lit=np.zeros(infosets, np.int8),
            reached=np.zeros(infosets, np.int32),
            passed_to=np.zeros(infosets, np.int32),
            passed=np.zeros(infosets),
        )
        contract.begin_round(whole, self.kept[player], links, numbers)
        return Round(side, numbers, division)

    def iterate(self, schedule: Float, iteration: int, logs: Float) -> int:
        """Run iterations, that of the first row first; return how much was done."""

        def work(who: int) -> None:
            first, second = self._rounds
            iterate_round(*first, *second, schedule, iteration, logs, self.how, self._heap, who)

        parts = [now.division for now in self._rounds]
        for each in parts:
            each.work[:] = 0
        helpers = min(thread_count(), max(len(each.end) for each in parts)) - 1
        if helpers > 0:
            with_helpers(self._heap, helpers, lambda: work(LEADS), lambda _: work(HELPS))
        else:
            work(ALONE)
        return sum(int(each.work.sum()) for each in parts)

    def _of_both(self, work: Callable[[int], Found]) -> list[Found]:
        """Return what is found for each player; in large games a thread may help."""
        if max(len(each.infoset) for each in self.sides) < _LARGE or thread_count() == 1:
            return [work(player) for player in range(2)]
        players = iter(range(2))
        found: dict[int, Found] = {}

        def take(_: int) -> None:
            for player in players:  # each goes to one thread
                found[player] = work(player)

        together(take, 1)
        return [found[player] for player in range(2)]

    def _write_back(self) -> None:
        """Write what the round has come to beside what it began with."""
        if self._rounds:
            self._of_both(
                lambda me: contract.write_back(
                    self.sides[me].side, self.kept[me], self._links[me], self._rounds[me].numbers
                )
            )

    def _face(self, plans: Sequence[Float]) -> None:
        """Find what sequences earn against plans, and how often information sets are reached."""
        self._of_both(lambda me: face(self.sides[me].side, plans[1 - me], self._values[me]))

    def end_round(self, iteration: int, logs: Float) -> None:
        """Add what has come in the round to what is kept."""
        self._write_back()
        self._face([kept.grown for kept in self.kept])

        def end(me: int) -> None:
            given = self.sides[me].side, self.kept[me], self._links[me], self._values[me]
            search.end_round(*given, iteration, logs, self.how.idle)

        self._of_both(end)

    def respond(self, weight: float) -> tuple[float, float]:
        """Find what best responses to the averages earn, at the beginning of a round.

        Returns what both would win by them, and how much of that with what is cut.
        """
        self._face_averages([kept.total for kept in self.kept], weight)

        def alive(me: int) -> float:
            side, value = self.sides[me].side, self._values[me].copy()
            return float(search.respond_alive(side, self.kept[me].alive, value))

        without = sum(self._of_both(alive))
        gained = self._best()
        return gained, gained - without

    def _best(self) -> float:
        """Find what best responses earn; return what both do in the whole game."""
        found = self._of_both(lambda me: search.respond(self.sides[me].side, self._values[me]))
        return float(sum(found))

    def remember(self) -> None:
        """Keep what the round begins with, so that it can be undone; bar nothing."""
        for kept, before in zip(self.kept, self.before, strict=True):
            for name, part in before._asdict().items():
                part[:] = getattr(kept, name)
            kept.barred[:] = 0

    def undo(self) -> None:
        """Go back to the beginning of the round; bar what best responses play and was cut."""
        for each, kept, before, value in zip(
            self.sides, self.kept, self.before, self._values, strict=True
        ):
            search.bar(each.side, kept, value)
            for name, part in before._asdict().items():
                getattr(kept, name)[:] = part

    def search(self, terms: search.Terms, limit: float, iteration: int) -> None:
        """Decide what is alive from now on; discard strategy sums up to a limit."""

        def decide(me: int) -> None:
            each, kept = self.sides[me], self.kept[me]
            search.decide(each.side, each.spread, self._values[me], terms, kept)
            search.discard(each.side, kept, limit)
            search.restart(kept, iteration, self.how.predictive)

        self._of_both(decide)

    def _face_averages(self, sums: list[Float], weight: float) -> None:
        """Find what sequences earn against the averages, and how often information sets come."""
        self._of_both(
            lambda me: search.write_average(self.sides[me].side, sums[me], weight, self._plans[me])
        )
        self._face(self._plans)

    def _sums(self) -> list[Float]:
        """Return the strategy sums of both players by sequence."""
        self._write_back()
        return [kept.total + kept.grown for kept in self.kept]

    def entries(self, _weight: float) -> tuple[int, int]:
        """Return how many regrets are in use, and how many strategy sums are positive."""
        alive = sum(int(np.count_nonzero(kept.alive[1:])) for kept in self.kept)
        return alive, sum(int(np.count_nonzero(sums[1:])) for sums in self._sums())

    def strategy_sums(self, _weight: float) -> Float:
        """Return the sums of all cells."""
        found = np.zeros(self.game.cells)
        for each, sums in zip(self.sides, self._sums(), strict=True):
            found[each.cell[1:]] = sums[1:]
        return found

    def current_strategy(self, iteration: int) -> Float:
        """Return the strategy of the next iteration, and a uniform one where nothing is active."""
        self._write_back()
        strategy = np.zeros(self.game.cells)
        for each, kept in zip(self.sides, self.kept, strict=True):
            given = iteration, self.how.predictive, strategy
            search.write_strategy(each.side, kept, each.cell, *given)
        return strategy

    def nash_conv(self, weight: float) -> float:
        """Return what both players would win by best responses to the average, in total."""
        self._face_averages(self._sums(), weight)
        return self._best() / weight

    def is_in_order(self, arrays: dict[str, Array]) -> bool:
        """Return whether what is alive or barred in saved arrays could have come from a run."""
        barred = (arrays[f"barred_{player}"] for player in range(2))
        return all(((part == 0) | (part == 1)).all() for part in barred) and all(
            search.is_in_order(each.side, arrays[f"{kind}alive_{player}"])
            for kind in ("", "before_")
            for player, each in enumerate(self.sides)
        )

    def cut(self) -> CutSequences:
        """Return what was cut at the last search, and why."""
        weight = float(self.kept[0].total[0])
        self._face_averages([kept.total for kept in self.kept], weight)
        self._best()
        found = []
        for each, kept, value in zip(self.sides, self.kept, self._values, strict=True):
            infoset = np.repeat(np.arange(len(each.infoset)), np.diff(each.side.first))
            active = kept.alive[each.side.parent][infoset]
            chosen = np.flatnonzero(active > kept.alive[1:])
            earned, most = kept.value_sum[infoset[chosen]], value[1 + chosen]
            cell = each.cell[1 + chosen].astype(np.int64)
            found.append((cell, earned / weight, most / weight))
        return CutSequences(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _nothing_kept(each: GameSide, layout: Layout) -> Kept:
    """Return room for what is kept of a player's run."""
    sequences, infosets = len(each.cell), len(each.infoset)
    regret = np.zeros(sequences)
    return Kept(
        alive=np.zeros(sequences, np.int8),
        regret=regret,
        claim=np.zeros(sequences) if layout.predictive else regret,
        total=np.zeros(sequences),
        grown=np.zeros(sequences),
        value_sum=np.zeros(infosets),
        earned=np.zeros(infosets),
        seen=np.zeros(infosets, np.int32),
        barred=np.zeros(sequences, np.int8),
    )


def _copied(kept: Kept) -> Before:
    """Return room for what a player's run was like."""
    return Before(*(getattr(kept, name).copy() for name in Before._fields))


def _divided(side: Side) -> Division:
    """Divide the information sets of a large game."""
    infosets = len(side.parent)
    most = max(_SMALLEST, infosets // _PARTS) if infosets >= _LARGE else infosets
    room = [np.zeros(infosets, np.int32) for _ in range(3)]
    stems, parts = divide(side, most, *room)
    trunk, first, end = (
        part[:size].copy() for part, size in zip(room, (stems, parts, parts), strict=True)
    )
    slot, back = np.zeros(infosets, np.int32), np.zeros(infosets, np.int32)
    passed, work = np.zeros(parts, np.int32), np.zeros(parts + 1, np.int64)
    return Division(trunk, first, end, slot, back, passed, work)
