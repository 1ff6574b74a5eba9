"""Pieces of the sweeps of fictitious play."""

from __future__ import annotations

from math import inf

from secateur.kernels.decorator import part
from secateur.kernels.fictitious_books import OPEN
from secateur.kernels.parts import U, padded
from secateur.kernels.pruning_parts import parent_of


@part
def mark_alive(g, block, pruned, alive, alive_row):
    """Note which sequences of an own block are open, and nothing before them is pruned."""
    lanes = g.lanes[U(block)]
    row = g.first_row[U(block)]
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    for _ in range(g.actions[U(block)]):
        some = False
        for lane in range(lanes):
            here = alive[U(parent_of(g, parent, lane))] and pruned[U(cell + lane)] == OPEN
            alive[U(slot + lane)] = here
            some |= here
        alive_row[U(row)] = some
        row += 1
        cell += lanes
        slot += padded(lanes)


@part
def best_of(g, block, lane, books):
    """Return the value of the best open action of an information set."""
    worth, pruned = books.worth, books.pruned
    cell = g.first_cell[U(block)] + lane
    best = -inf
    for _ in range(g.actions[U(block)]):
        if pruned[U(cell)] == OPEN:
            best = max(best, worth[U(cell)])
        cell += g.lanes[U(block)]
    return best


@part
def choose_first_best(g, block, lane, tie, books):
    """Play the first open action whose value is the best but for ``tie``."""
    worth, behaviour, pruned = books.worth, books.behaviour, books.pruned
    least = best_of(g, block, lane, books) - tie
    cell = g.first_cell[U(block)] + lane
    found = False
    for _ in range(g.actions[U(block)]):
        chosen = not found and pruned[U(cell)] == OPEN and worth[U(cell)] >= least
        behaviour[U(cell)] = 1.0 if chosen else 0.0
        found = found or chosen
        cell += g.lanes[U(block)]


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
    behaviour, counts = books.behaviour, books.counts
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    parent = g.parent_slot[U(block)]
    for lane in range(lanes):
        missing = played[U(parent_of(g, parent, lane))]
        cell = g.first_cell[U(block)] + lane
        for _ in range(actions):
            missing -= counts[U(cell)]
            cell += lanes
        cell = g.first_cell[U(block)] + lane
        slot = g.first_slot[U(block)] + lane
        for _ in range(actions):
            # counts are whole numbers, and so is what is missing
            if missing > 0.0 and behaviour[U(cell)] == 1.0:
                counts[U(cell)] += missing
            played[U(slot)] = counts[U(cell)]
            cell += lanes
            slot += padded(lanes)


@part
def load_sums(g, block, books, room):
    """Put the sum of all plans of the opponent on the stack of reach."""
    settle(g, block, books, room.played)
    lanes = g.lanes[U(block)]
    parent = g.parent_slot[U(block)]
    share = 1.0 / g.actions[U(block)]
    slot = g.first_slot[U(block)]
    row = g.first_row[U(block)]
    for a in range(g.actions[U(block)]):
        for lane in range(lanes):
            first = share * room.uniform[U(parent_of(g, parent, lane))]
            room.uniform[U(slot + lane)] = first
            room.reach[U(slot + lane)] = room.played[U(slot + lane)] + first
        room.reached[U(row + a)] = True
        slot += padded(lanes)


@part
def begin_sums(iteration, room):
    """Put the empty sequence of the opponent on the stacks of :func:`load_sums`."""
    room.played[U(0)] = iteration - 1.0
    room.uniform[U(0)] = 1.0
    room.reach[U(0)] = iteration
    room.reached[U(0)] = True
