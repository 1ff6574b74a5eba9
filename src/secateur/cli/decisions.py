"""Finds the first decisions of a game, without going through all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from secateur.compiled.game import CompiledGame, InformationSet


def first_decisions(game: CompiledGame) -> Iterator[InformationSet]:
    """Go through the information sets by the number of public decisions before them."""
    arrays, labels = game.arrays, game.labels
    for block in _breadth_first(arrays.subtree_end.tolist()):
        lanes, first = int(arrays.lanes[block]), int(arrays.first_cell[block])
        end = first + int(arrays.actions[block]) * lanes
        for lane in range(lanes):
            yield InformationSet(
                player=int(arrays.player[block]),
                label=labels.label(block, lane),
                actions=labels.actions(int(arrays.first_infoset[block]) + lane),
                cells=slice(first + lane, end, lanes),
            )


def _breadth_first(subtree_end: list[int]) -> Iterator[int]:
    """Turn the preorder of blocks into breadth-first order, without the root."""
    todo = deque([0])
    while todo:
        block = todo.popleft()
        child = block + 1
        while child < subtree_end[block]:
            yield child
            todo.append(child)
            child = subtree_end[child]
