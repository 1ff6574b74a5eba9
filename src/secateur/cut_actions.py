"""What a run has cut: which actions, since when, why, and when they are looked at again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.checks import refuse, shown
from secateur.compiled.counts import histories_of_cells
from secateur.compiled.game import CompiledGame, checked_game
from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    DATE_BITS,
    HEAD,
    LANE,
    LANES,
    REACH,
    SCALE,
    VALUE_SUM,
    WEIGHT_NEXT,
    WEIGHT_NOW,
    Store,
)
from secateur.kernels.fictitious_play.books import OPEN
from secateur.kernels.public_tree.behind import add_what_follows
from secateur.solvers.fictitious_play import FictitiousPlayState
from secateur.solvers.interval import IntervalState
from secateur.solvers.protocols import State
from secateur.solvers.pruned import PrunedState
from secateur.solvers.rounds import RoundsState
from secateur.worth import values_of

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]


class Cuts(NamedTuple):
    """Actions that are cut, one number for each in all arrays; what lies behind is not listed.

    Earnings and bounds are those of one iteration on average, weighted by how likely chance and the
    opponent come to the information set. A run that prunes in rounds tells how they were at its
    last search.
    """

    cell: Long
    """Which sequence: its place in arrays that have one number per sequence."""

    since: Long
    """The iteration after which it was cut, from 2048 on rounded down to eleven binary digits; 0 if
    the algorithm does not note it."""

    earned: Float
    """What its information set has earned without it."""

    at_most: Float
    """The most that a best response behind it can have earned by now: less than was earned."""

    again: Float
    """About the iteration by which it is looked at again; infinite if the opponent stays away."""


def cuts(state: State, reach: Float | None = None) -> Cuts:
    """Return what a run has cut; nothing if it does not prune its own actions.

    Parameters
    ----------
    state : State
        Of a run with :class:`BestResponsePruning` or :class:`RegretBasedPruning`, such as
        ``secateur.open_run("five").at_checkpoint()``.
    reach : array
        That of :func:`secateur.action_values` of its average strategy; computed if not given.
    """
    if not isinstance(state, State):
        refuse(f"cuts({shown(state)})", "pass the state of a run, such as solver.start(game)")
    if isinstance(state, PrunedState) and state.dense is None:
        return _of_store(state, reach)
    if isinstance(state, RoundsState) and state.dense is None:
        return _of_rounds(state)
    if isinstance(state, IntervalState):
        return _of_intervals(state)
    if isinstance(state, FictitiousPlayState):
        return _of_fictitious_play(state, reach)
    nothing = np.zeros(0, np.int64)
    return Cuts(nothing, nothing, *np.zeros((3, 0)))


class OwnTree(NamedTuple):
    """What follows what for each player alone, as far as it tells what a cut takes away."""

    infoset: Long
    """Of each sequence, its information set."""

    parent: Long
    """Of each information set, the own sequence before; -1 if its player has not moved yet."""

    histories: Long
    """Of each sequence, how many histories of the game lie behind it."""

    def behind(self, cells: Long) -> npt.NDArray[np.bool_]:
        """Return which information sets lie behind some sequences."""
        chosen = np.zeros(len(self.infoset), np.bool_)
        chosen[cells] = True
        found = np.zeros(len(self.parent), np.bool_)
        inner = np.flatnonzero(self.parent >= 0)
        before = self.parent[inner]
        while True:
            now = chosen[before] | found[self.infoset[before]]
            if (now == found[inner]).all():
                return found
            found[inner] = now


def own_tree(game: CompiledGame) -> OwnTree:
    """Return what follows each sequence of a game, as its player sees it."""
    game = checked_game("own_tree", game)
    a = game.arrays
    lanes = a.lanes.astype(np.int64)
    block = np.repeat(np.arange(len(lanes)), a.actions * lanes)
    infoset = a.first_infoset[block] + (np.arange(game.cells) - a.first_cell[block]) % lanes[block]
    histories = histories_of_cells(a)
    parent = np.empty(game.size.information_sets, np.int64)
    add_what_follows(a, np.zeros(2 * game.stack.slots, np.int64), parent, histories)
    return OwnTree(infoset.astype(np.int64), parent, histories)


def _of_store(state: PrunedState, reach: Float | None) -> Cuts:
    game, store = state.game, state.store
    a, more = game.arrays, game.pruning
    assert more is not None
    attics = store.attic_at.astype(np.int64)
    counts = store.attic_ids[attics].astype(np.int64)
    blocks = np.repeat(np.arange(len(attics)), counts)
    entry = np.arange(len(blocks)) - np.repeat(np.cumsum(counts) - counts, counts)
    entry += attics[blocks] + 1
    lane, action = np.divmod(store.attic_ids[entry].astype(np.int64), a.actions[blocks])
    cell = a.first_cell[blocks] + action * a.lanes[blocks] + lane
    infoset = a.first_infoset[blocks] + lane
    numbers = store.numbers[_lane_numbers(game, store)[infoset][:, None] + [VALUE_SUM, REACH]]
    value_sum, reach_sum = numbers.T
    upper, lower = more.payoffs[more.upper[cell]], more.payoffs[more.lower[infoset]]
    weight, following = store.clock[WEIGHT_NOW], store.clock[WEIGHT_NEXT]
    if store.fixed:
        bound = store.attic_numbers[entry] + (upper - lower) * weight
        pace = (following - weight) * (upper - lower)
    else:
        bound = store.attic_numbers[entry] + upper * reach_sum - value_sum
        pace = (following - weight) * _reach(state, reach)[cell] * (upper - lower)
    return Cuts(
        cell=cell.astype(np.int64),
        since=_iterations(store.attic_dates[entry].astype(np.int64)),
        earned=value_sum / weight,
        at_most=(value_sum + bound) / weight,
        again=_again(state, bound, pace),
    )


def _of_rounds(state: RoundsState) -> Cuts:
    """Return what the last search cut or left cut, as it was then."""
    found = state.cut()
    return Cuts(
        cell=found.cell,
        since=np.zeros(len(found.cell), np.int64),
        earned=found.earned,
        at_most=found.at_most,
        again=np.full(len(found.cell), float(state.next_search)),
    )


def _iterations(dates: Long) -> Long:
    """Return the iterations that dates of a store stand for."""
    digits, more = dates & ((1 << DATE_BITS) - 1), dates >> DATE_BITS
    return digits << more


def _lane_numbers(game: CompiledGame, store: Store) -> Long:
    """Return where the numbers of every information set begin; those that are not active lack."""
    a = game.arrays
    found = np.zeros(game.size.information_sets, np.int64)
    names = store.ids_at.astype(np.int64)
    left = store.ids[names + LANES].astype(np.int64)
    names, values = names + HEAD, store.numbers_at.astype(np.int64) + store.past
    blocks = np.flatnonzero(left)
    while len(blocks):
        here = names[blocks]
        alive = store.ids[here + ALIVE].astype(np.int64)
        found[a.first_infoset[blocks] + store.ids[here + LANE]] = values[blocks]
        single = alive == 1
        values[blocks] += np.where(single, SCALE + 1, SCALE + 1 + store.sections * alive)
        names[blocks] += ACTIONS + alive
        left[blocks] -= 1
        blocks = blocks[left[blocks] > 0]
    return found


def _of_intervals(state: IntervalState) -> Cuts:
    game, books = state.game, state.books
    infosets = own_tree(game).infoset
    cell = np.flatnonzero((books.pruned != 0) & (books.active[infosets] != 0))
    infoset = infosets[cell]
    iterations = max(1, state.iteration)
    bound = books.bound[cell]
    payoffs = books.payoffs[books.upper[cell]] - books.payoffs[books.lower[infoset]]
    earned = books.value_sum[infoset]
    pace = books.reach_sum[infoset] / iterations * payoffs
    return Cuts(
        cell=cell,
        since=np.zeros(len(cell), np.int64),
        earned=earned / iterations,
        at_most=(earned + bound) / iterations,
        again=_again(state, bound, pace),
    )


def _of_fictitious_play(state: FictitiousPlayState, reach: Float | None) -> Cuts:
    game, books = state.game, state.books
    tree = own_tree(game)
    infosets, cut = tree.infoset, books.pruned != OPEN
    best = np.full(game.size.information_sets, -np.inf)
    np.maximum.at(best, infosets[~cut], books.worth[~cut])
    cell = np.flatnonzero(cut & ~tree.behind(np.flatnonzero(cut))[infosets])
    infoset, iterations = infosets[cell], max(1, state.iteration)
    more = game.pruning
    assert more is not None
    payoffs = more.payoffs[more.upper[cell]] - more.payoffs[more.lower[infoset]]
    return Cuts(
        cell=cell,
        since=np.zeros(len(cell), np.int64),
        earned=best[infoset] / iterations,
        at_most=books.worth[cell] / iterations,
        again=_again(
            state, books.worth[cell] - best[infoset], _reach(state, reach)[cell] * payoffs
        ),
    )


def _reach(state: State, known: Float | None) -> Float:
    """Return how likely chance and the opponent's average strategy come to each sequence."""
    if known is not None:
        return known
    average = state.average_strategy()
    return values_of(state.game, average.own_plan, average.own_probabilities).reach


def _again(state: Any, bound: Float, pace: Float) -> Float:
    """Return when bounds that grow at some pace will be zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        skips = np.where(pace > 0.0, -bound / pace, np.inf)
    found: Float = state.iteration + np.ceil(np.maximum(skips, 1.0))
    return found
