"""Pieces of the sweeps of fictitious play."""

from __future__ import annotations

from math import inf

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.fictitious_play.books import OPEN


@part
def mark_alive(g, block, pruned, alive, alive_row):
    """Note which sequences of an own block are open, and nothing before them is pruned."""
    at = block_at(g, block)
    row = at.row
    cell = at.cell
    slot = at.slot
    for _ in range(at.actions):
        some = False
        for lane in range(at.lanes):
            here = alive[U(parent_of(g, at.parent, lane))] and pruned[U(cell + lane)] == OPEN
            alive[U(slot + lane)] = here
            some |= here
        alive_row[U(row)] = some
        row += 1
        cell += at.lanes
        slot += at.stride


@part
def best_of(g, block, lane, books):
    """Return the value of the best open action of an information set."""
    worth, pruned = books.worth, books.pruned
    at = block_at(g, block)
    cell = at.cell + lane
    best = -inf
    for _ in range(at.actions):
        if pruned[U(cell)] == OPEN:
            best = max(best, worth[U(cell)])
        cell += at.lanes
    return best


@part
def choose_first_best(g, block, lane, tie, books):
    """Play the first open action whose value is the best but for ``tie``."""
    worth, behavior, pruned = books.worth, books.behavior, books.pruned
    least = best_of(g, block, lane, books) - tie
    at = block_at(g, block)
    cell = at.cell + lane
    found = False
    for _ in range(at.actions):
        chosen = not found and pruned[U(cell)] == OPEN and worth[U(cell)] >= least
        behavior[U(cell)] = 1.0 if chosen else 0.0
        found = found or chosen
        cell += at.lanes


@part
def can_be_skipped(worth, best, margin, upper, arrived, iteration, minimum_skip):
    """Return whether an action loses, and for how long it will at the average pace.

    ``arrived`` is the sum of the probabilities with which chance and opponent came there. A bound
    would have grown by ``arrived * upper`` in all iterations so far, and the best action by its
    value.
    """
    pace = arrived * upper - best
    return worth < best - margin and (best - worth) * iteration >= minimum_skip * pace


@part
def settle(g, block, books, played):
    """Make the counts of a block complete, and put them on the stack ``played``.

    Sweeps leave out what is behind sequences that the *other* player has pruned. The block's owner
    is not disturbed there, and goes on as before; so what is missing of the count of the sequence
    before an information set belongs to the action that is played there.
    """
    behavior, counts = books.behavior, books.counts
    at = block_at(g, block)
    for lane in range(at.lanes):
        missing = played[U(parent_of(g, at.parent, lane))]
        cell = at.cell + lane
        for _ in range(at.actions):
            missing -= counts[U(cell)]
            cell += at.lanes
        cell = at.cell + lane
        slot = at.slot + lane
        for _ in range(at.actions):
            # counts are whole numbers, and so is what is missing
            if missing > 0.0 and behavior[U(cell)] == 1.0:
                counts[U(cell)] += missing
            played[U(slot)] = counts[U(cell)]
            cell += at.lanes
            slot += at.stride


@part
def load_sums(g, block, books, room):
    """Put the sum of all plans of the opponent on the stack of reach."""
    settle(g, block, books, room.played)
    at = block_at(g, block)
    share = 1.0 / at.actions
    slot = at.slot
    for a in range(at.actions):
        for lane in range(at.lanes):
            first = share * room.uniform[U(parent_of(g, at.parent, lane))]
            room.uniform[U(slot + lane)] = first
            room.reach[U(slot + lane)] = room.played[U(slot + lane)] + first
        room.reached[U(at.row + a)] = True
        slot += at.stride


@part
def begin_sums(iteration, room):
    """Put the empty sequence of the opponent on the stacks of :func:`load_sums`."""
    room.played[U(0)] = iteration - 1.0
    room.uniform[U(0)] = 1.0
    room.reach[U(0)] = iteration
    room.reached[U(0)] = True
