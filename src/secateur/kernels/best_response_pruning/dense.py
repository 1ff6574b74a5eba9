"""The first search of a run: what can be pruned is found where dense arrays hold all numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.best_response_pruning.store import (
    ROUNDING,
    expected_skip,
    number_of_bound,
    rounding,
)
from secateur.kernels.best_response_pruning.value_sums import face_counted
from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.parts import U
from secateur.kernels.core.pieces import number_of
from secateur.kernels.core.pruning_parts import parent_of, reach_of_lanes
from secateur.kernels.core.walk import EVERYTHING, add_ends, choose_reached, visitor

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@book
class Dense(NamedTuple):
    """The numbers of a run that has not pruned anything, by cell, and what is to be pruned."""

    regret: Float  # of a cell that is cut for good the number of its bound
    total: Float  # strategy sums
    value_sums: Float  # by information set
    cut: Flags


@book
class Terms(NamedTuple):
    """On which terms cells are cut."""

    summed: bool  # as in a store
    fixed: bool  # as in a store
    clock: Float  # that of a store
    weight: float  # of the last iteration
    payoff_range: float
    minimum_skip: float
    cut_played: bool
    for_good: bool  # whether regrets give way to bounds


@part
def _leave(visit, tally, g, me, block, w):
    """Note which cells of a block can be pruned; pass gaps or best responses on."""
    p, dense, terms, value, lane_reach = visit.p, visit.dense, visit.terms, w.value, w.lane_reach
    at = block_at(g, block)
    reach_of_lanes(g, p, me, block, w.reach, lane_reach)
    for lane in range(at.lanes):
        value_sum = dense.value_sums[U(at.infoset + lane)]
        best = -np.inf
        keep = -1  # the best action stays
        for a in range(at.actions):
            slot = at.slot + a * at.stride + lane
            regret = dense.regret[U(at.cell + a * at.lanes + lane)]
            value[U(slot)] += regret if terms.summed else -value_sum
            if value[U(slot)] > best:
                best = value[U(slot)]
                keep = a
        value[U(parent_of(g, at.parent, lane))] += best if terms.summed else best + value_sum
        reach = lane_reach[U(at.slot + lane)]
        for a in range(at.actions):
            cell = at.cell + a * at.lanes + lane
            gap = value[U(at.slot + a * at.stride + lane)]
            dense.cut[U(cell)] = (
                a != keep
                and (dense.regret[U(cell)] <= visit.nothing or terms.cut_played)
                and gap < min(0.0, best) - visit.tolerance
                and expected_skip(g, p, block, terms, lane, a, gap, reach, visit.pace)
                >= terms.minimum_skip
            )
            if terms.for_good and dense.cut[U(cell)]:
                dense.regret[U(cell)] = number_of_bound(
                    g, p, block, terms, lane, a, gap, 0.0, value_sum
                )
    return tally


@part
def _choose(visit, tally, g, me, block, depth, w):
    """Leave out what the opponent does not reach, unless regrets tell of it."""
    if visit.terms.summed:
        return EVERYTHING, tally
    return choose_reached(visit, tally, g, me, block, depth, w)


@part
def _face(visit, tally, g, me, block, w):
    """Put the opponent's strategy sums on the stack of reach; count histories that are visited."""
    counted = face_counted(visit, tally, g, me, block, w)
    return tally if visit.terms.summed else counted


@part
def _ends(visit, tally, g, me, block, w):
    """Add the values of ends, unless regrets tell enough."""
    return tally if visit.terms.summed else add_ends(visit, tally, g, me, block, w)


@visitor(choose=_choose, face=_face, ends=_ends, leave=_leave)
class _Find(NamedTuple):
    """Where to look, and on which terms; its tally: histories touched."""

    p: PruningArrays
    plan: Float  # strategy sums
    dense: Dense
    terms: Terms
    pace: float
    tolerance: float
    nothing: float  # up to which a regret counts as not positive


@kernel
def find_losing(g, p, dense, terms, total_weight, pieces, turn, w):
    """Note which cells of players are to be cut; return the histories touched.

    It finds what :func:`secateur.kernels.best_response_pruning.gaps.find_prunable` would in a store
    with the same numbers. ``turn`` says for which players, and may ask for a part of the sweep.
    """
    visit = _Find(
        p,
        dense.total,
        dense,
        terms,
        terms.weight / total_weight,
        rounding(total_weight, terms.payoff_range),
        ROUNDING * terms.payoff_range,
    )
    touched = 0.0
    for me in range(turn.player, turn.last_player):
        touched += in_pieces(g, me, visit, visit, total_weight, pieces, turn, number_of(0, me), w)
    return touched


@kernel
def blocks_alive(g, cut, marks, alive):
    """Return how many blocks both players may still reach without the cells that are ``cut``.

    ``marks`` and ``alive`` are room for the slots and rows of both players.
    """
    for player in range(2):
        marks[player][U(0)] = True
        alive[player][U(0)] = True
    count = 0
    block = 0
    while block < len(g.player):
        if not (alive[0][U(g.gate[U(2 * block)])] and alive[1][U(g.gate[U(2 * block + 1)])]):
            block = g.subtree_end[U(block)]
            continue
        count += 1
        player = g.player[U(block)]
        if player < 2:
            _mark(g, block, cut, marks[player], alive[player])
        block += 1
    return count


@part
def _mark(g, block, cut, mark, alive):
    """Mark the slots and rows of a block that stay alive."""
    at = block_at(g, block)
    for a in range(at.actions):
        some = False
        for lane in range(at.lanes):
            lives = not cut[U(at.cell + a * at.lanes + lane)]
            lives &= mark[U(parent_of(g, at.parent, lane))]
            mark[U(at.slot + a * at.stride + lane)] = lives
            some |= lives
        alive[U(at.row + a)] = some
