"""What a run that prunes in rounds keeps: the whole game in sequence form, and the round's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.pruning_rounds import contract, search
from secateur.kernels.pruning_rounds.iterate import How, Numbers, iterate_round
from secateur.kernels.pruning_rounds.side import Before, Kept, Links, Side, add_columns
from secateur.solvers.holdings import arrays_in, each_once
from secateur.solvers.resumable import Array
from secateur.solvers.sequence_sides import GameSide, both_sides, room_for_tree
from secateur.solvers.stores import Layout

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]


class Round(NamedTuple):
    """A player's side of the game of a round, and its numbers."""

    side: Side
    numbers: Numbers


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

    @property
    def size(self) -> tuple[int, int]:
        """Entries and sequences of the whole game."""
        entries = sum(len(each.side.target) for each in self.sides)
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
        useful = tuple(np.zeros(len(each.cell), np.bool_) for each in self.sides)
        for player in range(2):
            alive, others = self.kept[player].alive, self.kept[1 - player].alive
            contract.mark_useful(self.sides[player].side, alive, others, useful[player])
        trees = [self._tree(player, useful[player]) for player in range(2)]
        self._rounds = tuple(self._round(player, trees) for player in range(2))

    def _tree(self, player: int, useful: npt.NDArray[np.bool_]) -> tuple[Side, int]:
        """Return a side of the round without columns, and how many sequences it has."""
        whole = self.sides[player].side
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

    def _round(self, player: int, trees: list[tuple[Side, int]]) -> Round:
        """Add columns to a side, and numbers."""
        whole, links, others = self.sides[player].side, self._links[player], self._links[1 - player]
        tree, sequences = trees[player]
        pointer = np.zeros(sequences + 1, np.int32)
        contract.count_columns(whole, links, others, pointer)
        entries, infosets = int(pointer[-1]), len(tree.parent)
        side = tree._replace(
            pointer=pointer,
            target=np.zeros(entries, np.int32),
            code=np.zeros(entries, whole.code.dtype),
            worth=whole.worth,
        )
        contract.fill_columns(whole, links, others, trees[1 - player][1], pointer.copy(), side)
        regret = np.zeros(sequences)
        numbers = Numbers(
            regret=regret,
            claim=np.zeros(sequences) if self.how.predictive else regret,
            total=np.zeros(sequences),
            plan=np.zeros(sequences),
            scale=np.zeros(infosets),
            earned=np.zeros(infosets),
            seen=np.zeros(infosets, np.int32),
            value=np.zeros(sequences + infosets),
        )
        contract.begin_round(whole, self.kept[player], links, numbers)
        return Round(side, numbers)

    def iterate(self, schedule: Float, iteration: int, logs: Float) -> int:
        """Run iterations, that of the first row first; return how much was done."""
        (first, ours), (second, theirs) = self._rounds
        work: int = iterate_round(first, ours, second, theirs, schedule, iteration, logs, self.how)
        return work

    def _write_back(self) -> None:
        """Write what the round has come to beside what it began with."""
        for each, kept, links, now in zip(
            self.sides, self.kept, self._links, self._rounds, strict=bool(self._rounds)
        ):
            contract.write_back(each.side, kept, links, now.numbers)

    def end_round(self, iteration: int, logs: Float) -> None:
        """Add what has come in the round to what is kept."""
        self._write_back()
        for player in range(2):
            plan = self.kept[1 - player].grown
            add_columns(self.sides[1 - player].side, plan, self._values[player])
        for each, kept, links, value in zip(
            self.sides, self.kept, self._links, self._values, strict=True
        ):
            search.end_round(each.side, kept, links, value, iteration, logs, self.how.idle)

    def respond(self, weight: float) -> tuple[float, float]:
        """Find what best responses to the averages earn.

        Returns what both would win by them, and how much of that with what is cut.
        """
        gained = [0.0, 0.0]
        self._face_averages([kept.total for kept in self.kept], weight)
        for each, kept, value in zip(self.sides, self.kept, self._values, strict=True):
            gained[1] += search.respond_alive(each.side, kept.alive, value.copy())
            gained[0] += search.respond(each.side, value)
        return gained[0], gained[0] - gained[1]

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
        for each, kept, value in zip(self.sides, self.kept, self._values, strict=True):
            search.decide(each.side, each.spread, value, terms, kept)
            search.discard(each.side, kept, limit)
            search.restart(kept, iteration, self.how.predictive)

    def _face_averages(self, sums: list[Float], weight: float) -> None:
        """Find what sequences earn against the averages, and how often information sets come."""
        for each, total, plan in zip(self.sides, sums, self._plans, strict=True):
            search.write_average(each.side, total, weight, plan)
        for player in range(2):
            other = 1 - player
            add_columns(self.sides[other].side, self._plans[other], self._values[player])

    def _respond(self, sums: list[Float], weight: float) -> float:
        """Find what best responses to averages earn, and the sum of both for the whole game."""
        self._face_averages(sums, weight)
        return sum(
            float(search.respond(each.side, value))
            for each, value in zip(self.sides, self._values, strict=True)
        )

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
        return self._respond(self._sums(), weight) / weight

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
        self._respond([kept.total for kept in self.kept], weight)
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
