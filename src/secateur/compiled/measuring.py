"""Finds how large the parts of a game are that names public states, without compiling it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from secateur.compiled.cut import Outline, is_never_divided, work_of
from secateur.compiled.matrices import padded
from secateur.errors import GameError
from secateur.games.public import Hands, PublicGame
from secateur.games.rules import CHANCE, END

DEEPEST = 10_000
"""Moves after which every game must have ended."""


class _Entry(NamedTuple):
    """A block, and the work of all that the walk came to before it."""

    block: int
    before: int
    player: int
    actions: int
    lanes: int
    slot: int
    row: int


class _Known(NamedTuple):
    """An entry, and the block after all that is below it."""

    entry: _Entry
    end: int


class _Visit(NamedTuple):
    """A public state that is still to be seen."""

    state: Any
    hands: Hands
    depth: int


class _Close(NamedTuple):
    """The end of all that is below a block."""

    place: int
    """Of its entry."""


def measured(game: PublicGame) -> Outline:
    """Return the outline of a game, by a walk over its public states.

    Blocks below one that is never divided are counted and forgotten, so this takes little memory.
    """
    return _Surveyor(game).run()


class _Surveyor:
    """Walks over public states in the order in which they are compiled."""

    def __init__(self, game: PublicGame) -> None:
        self._game = game
        self._known: list[_Known] = [_Known(_Entry(0, 0, 2, 0, 0, 0, 0), 0)]
        self._blocks = 1
        self._work = _work(0, 0)
        self._slot = [padded(1), padded(1)]
        self._row = [1, 1]
        self._lanes: dict[tuple[int, int], tuple[int, Hands]] = {}

    def run(self) -> Outline:
        start = self._game.public_start()
        todo: list[_Visit | _Close] = [_Visit(start, self._game.hands(start), 0)]
        while todo:
            item = todo.pop()
            if isinstance(item, _Close):
                self._close(item.place)
            else:
                todo += reversed(self._see(item))
        return self._outline()

    def _see(self, visit: _Visit) -> list[_Visit | _Close]:
        game, (state, hands, depth) = self._game, visit
        if depth > DEEPEST:
            raise GameError(f"{game}: not over after {DEEPEST:,} moves; every game must end.")
        turn = game.public_turn(state)
        if turn == END:
            return []
        if turn == CHANCE:
            return [
                _Visit(deal.state, game.hands(deal.state), depth + 1) for deal in game.deals(state)
            ]
        actions = game.public_actions(state)
        place = self._open(turn, len(actions), self._lanes_of(hands, turn))
        after: list[_Visit | _Close] = [
            _Visit(game.public_after(state, str(action)), hands, depth + 1) for action in actions
        ]
        return [*after, _Close(place)]

    def _lanes_of(self, hands: Hands, player: int) -> int:
        """Return how many hands a player may have; they are kept, so that no ``id`` comes again."""
        found = self._lanes.get((id(hands), player))
        if found is None:
            lanes = int(np.count_nonzero(hands.pairs(player)))
            found = self._lanes[id(hands), player] = lanes, hands
        return found[0]

    def _open(self, player: int, actions: int, lanes: int) -> int:
        """Note a block; return where."""
        slot, row = self._slot[player], self._row[player]
        entry = _Entry(self._blocks, self._work, player, actions, lanes, slot, row)
        self._known.append(_Known(entry, 0))
        self._slot[player] += actions * padded(lanes)
        self._row[player] += actions
        self._blocks += 1
        self._work += _work(actions, lanes)
        return len(self._known) - 1

    def _close(self, place: int) -> None:
        """Note where a subtree ends; forget what is below if nobody will ask."""
        entry = self._known[place].entry
        self._slot[entry.player], self._row[entry.player] = entry.slot, entry.row
        self._known[place] = _Known(entry, self._blocks)
        if is_never_divided(self._work - entry.before, self._work):
            del self._known[place + 1 :]

    def _outline(self) -> Outline:
        entries = np.array([each.entry for each in self._known], np.int64).T
        block, before, player, actions, lanes, first_slot, first_row = entries
        end = np.array([each.end for each in self._known], np.int64)
        end[0] = self._blocks
        return Outline(
            block=block,
            subtree_end=end,
            before=before,
            player=player,
            actions=actions,
            lanes=lanes,
            first_slot=first_slot,
            first_row=first_row,
            blocks=self._blocks,
            whole=self._work,
        )


@cache
def _work(actions: int, lanes: int) -> int:
    """Return about what a sweep costs at a block."""
    return int(work_of(np.array([actions]), np.array([lanes]))[0])
