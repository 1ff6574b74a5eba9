"""What a strategy does at a node of the public tree: information sets by actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame
from secateur.strategy import Strategy, checked_strategy
from secateur.worth import ActionValues, blocks_alike

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]


class NodeTable(NamedTuple):
    """Information sets of one player at one node, with equally many actions.

    Arrays of two dimensions are by action and then by information set. What actions are worth is
    None unless it was given.
    """

    player: int
    places: list[tuple[int, int]]
    """Of each information set: its block and its lane."""

    cells: Long
    """Where the numbers stand in arrays that have one per sequence."""

    probability: Float
    own_reach: Float
    """Of each information set: the probability that its player does all that leads there."""

    value: Float | None
    loss: Float | None
    """See :class:`~secateur.worth.ActionValues`."""

    expected: Float | None
    """Of each information set: what its player wins on average by following the strategy."""

    reach: Float | None
    """Of each information set: the probability that chance and the opponent let it come about."""

    def label(self, game: CompiledGame, place: int) -> str:
        """Return the label of an information set, by its place in the table."""
        return game.labels.label(*self.places[place])

    def actions(self, game: CompiledGame, place: int) -> tuple[str, ...]:
        """Return the names of its actions."""
        block, lane = self.places[place]
        return game.labels.actions(block, lane)


def node_table(
    strategy: Strategy, blocks: Sequence[int], values: ActionValues | None = None
) -> NodeTable:
    """Return what a strategy does at some blocks, which a :class:`PublicNode` names as one table.

    Parameters
    ----------
    strategy : Strategy
        What is played.
    blocks : sequence of int
        One of the ``tables`` of a node of :class:`~secateur.public_tree.PublicTree`.
    values : ActionValues
        What :func:`secateur.action_values` returns for the strategy.
    """
    strategy = checked_strategy("node_table", strategy)
    a = strategy.game.arrays
    blocks = _checked_blocks(blocks, len(a.player))
    cells = np.concatenate([_cells(strategy.game, block) for block in blocks], axis=1)
    probability = strategy.own_probabilities[cells]
    value = None if values is None else values.value[cells]
    return NodeTable(
        player=int(a.player[blocks[0]]),
        places=[(block, lane) for block in blocks for lane in range(int(a.lanes[block]))],
        cells=cells,
        probability=probability,
        own_reach=strategy.own_plan[cells].sum(axis=0),
        value=value,
        loss=None if values is None else values.loss[cells],
        expected=None if value is None else (probability * value).sum(axis=0),
        reach=None if values is None else values.reach[cells[0]],
    )


def _checked_blocks(blocks: Any, end: int) -> list[int]:
    asked = f"node_table(strategy, {checks.shown(blocks)})"
    rule = checks.whole(
        "pass one of the tables of a node: numbers of blocks", least=1, most=end - 1
    )
    if not isinstance(blocks, Sequence) or isinstance(blocks, str) or not blocks:
        checks.refuse(asked, "pass one of the tables of a node: numbers of blocks")
    return [rule(asked, block) for block in blocks]


def _cells(game: CompiledGame, block: int) -> Long:
    a = game.arrays
    actions, lanes = int(a.actions[block]), int(a.lanes[block])
    return (int(a.first_cell[block]) + np.arange(actions * lanes)).reshape(actions, lanes)


_MOST = checks.whole("ask for a whole number of blocks, at least one", least=1)


class Difference(NamedTuple):
    """How differently two strategies play at a block."""

    block: int
    amount: float
    """The probability that the first comes there and then does what the second would not do."""

    largest: float
    """The largest difference between two probabilities of one action."""


def largest_differences(
    first: Strategy, second: Strategy, values: ActionValues | None = None, most: int = 20
) -> list[Difference]:
    """Return where two strategies of one game differ most, the largest amounts first.

    Parameters
    ----------
    first, second : Strategy
        What is compared.
    values : ActionValues
        Of the first. They tell how likely the opponent and chance make each information set;
        without them, only what its own player does counts.
    most : int
        How many blocks to return, of those that differ at all.
    """
    first = checked_strategy("largest_differences", first)
    second = checked_strategy("largest_differences", second, first.game)
    most = _MOST(f"largest_differences(most={checks.shown(most)})", most)
    a = first.game.arrays
    apart = np.abs(first.own_probabilities - second.own_probabilities)
    weighted = 0.5 * apart * _own_reach(first)
    if values is not None:
        weighted *= values.reach
    starts = a.first_cell[1:].astype(np.int64)
    if not len(starts):
        return []
    amounts = np.add.reduceat(weighted, starts)
    order = np.argsort(-amounts, kind="stable")[:most]
    largest = np.maximum.reduceat(apart, starts)
    return [
        Difference(int(place) + 1, float(amounts[place]), float(largest[place]))
        for place in order
        if amounts[place] > 0.0
    ]


def _own_reach(strategy: Strategy) -> Float:
    """Return for each sequence the probability that its player comes to the information set."""
    plan = strategy.own_plan
    found = np.empty_like(plan)
    for cells in blocks_alike(strategy.game):
        found[cells] = plan[cells].sum(axis=1, keepdims=True)
    return found
