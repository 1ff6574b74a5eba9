"""Finds the first decisions of a game, without going through all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from secateur.compiled.game import CompiledGame, InformationSet


def first_decisions(game: CompiledGame) -> Iterator[InformationSet]:
    """Go through the information sets by the number of public decisions before them."""
    for block in _breadth_first(game.arrays.subtree_end.tolist()):
        yield from game.information_sets_of(block)


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
