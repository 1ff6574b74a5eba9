"""Makes the game of a round: only what is alive, and only where there is something to choose."""

from __future__ import annotations

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.parts import U
from secateur.kernels.regret_minimizers.matching import scale_of


@kernel
def mark_useful(side, alive, alive_others, useful):
    """Mark sequences behind which something is earned while the other plays what is alive."""
    for sequence in range(len(alive)):
        useful[U(sequence)] = alive[U(sequence)] > 0 and _earns(side, sequence, alive_others)
    for k in range(len(side.parent) - 1, -1, -1):
        for sequence in range(int(side.first[U(k)]), int(side.first[U(k + 1)])):
            if useful[U(sequence)]:
                useful[U(side.parent[U(k)])] = True


@part
def _earns(side, sequence, alive_others):
    """Return whether a row has an entry at a living sequence."""
    for e in range(int(side.pointer[U(sequence)]), int(side.pointer[U(sequence + 1)])):
        if alive_others[U(side.other[U(e)])] > 0:
            return True
    return False


@kernel
def contract(side, alive, useful, links, before, smaller):
    """Write the information sets of the round to ``smaller``, and where what is alive has gone.

    ``before`` is room for a number per information set and one more. Returns how many information
    sets and sequences there are.
    """
    infosets = 0
    sequences = 1
    links.place[U(0)] = 0
    for k in range(len(side.parent)):
        before[U(k)] = infosets
        first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
        parent = int(links.place[U(side.parent[U(k)])])
        living = 0
        some = False
        for sequence in range(first, end):
            living += alive[U(sequence)]
            some |= useful[U(sequence)]
        there = parent >= 0 and some
        links.number[U(k)] = infosets if there and living > 1 else -1
        for sequence in range(first, end):
            place = -1
            if there and alive[U(sequence)] > 0:
                place = parent
                if living > 1:
                    place = sequences
                    sequences += 1
            links.place[U(sequence)] = place
        if there and living > 1:
            smaller.first[U(infosets)] = sequences - living
            smaller.parent[U(infosets)] = parent
            infosets += 1
    before[U(len(side.parent))] = infosets
    smaller.first[U(infosets)] = sequences
    for k in range(len(side.parent)):
        if links.number[U(k)] >= 0:
            smaller.end[U(links.number[U(k)])] = before[U(side.end[U(k)])]
    return infosets, sequences


@part
def _row_of(links, sequences, row):
    """Return the row of a round that takes over a row; -1 if none does.

    There are so many ``sequences`` in the round. What is earned whatever its player does needs no
    row: there is nothing to choose.
    """
    if row < len(links.place):
        place = int(links.place[U(row)])
        return place if place > 0 else -1
    number = int(links.number[U(row - len(links.place))])
    return sequences + number if number >= 0 else -1


@kernel
def count_rows(side, links, others, sequences, pointer):
    """Write where the rows of the round begin, in which there are so many ``sequences``."""
    for row in range(len(pointer)):
        pointer[U(row)] = 0
    for row in range(len(side.pointer) - 1):
        smaller = _row_of(links, sequences, row)
        if smaller >= 0:
            count = 0
            for e in range(int(side.pointer[U(row)]), int(side.pointer[U(row + 1)])):
                count += others.place[U(side.other[U(e)])] >= 0
            pointer[U(smaller + 1)] += count
    for row in range(1, len(pointer)):
        pointer[U(row)] += pointer[U(row - 1)]


@kernel
def fill_rows(side, links, others, sequences, cursor, smaller):
    """Write the rows of the round; ``cursor`` says where each begins, and then where it ends."""
    for row in range(len(side.pointer) - 1):
        goal = _row_of(links, sequences, row)
        if goal >= 0:
            at = int(cursor[U(goal)])
            for e in range(int(side.pointer[U(row)]), int(side.pointer[U(row + 1)])):
                place = int(others.place[U(side.other[U(e)])])
                if place >= 0:
                    smaller.other[U(at)] = place
                    smaller.code[U(at)] = side.code[U(e)]
                    at += 1
            cursor[U(goal)] = at


@kernel
def begin_round(side, kept, links, numbers):
    """Write what the round goes on from."""
    numbers.total[U(0)] = kept.grown[U(0)]
    for k in range(len(side.parent)):
        number = int(links.number[U(k)])
        if number < 0:
            continue
        norm = 0.0
        living = 0
        for sequence in range(int(side.first[U(k)]), int(side.first[U(k + 1)])):
            if kept.alive[U(sequence)] > 0:
                place = links.place[U(sequence)]
                numbers.regret[U(place)] = kept.regret[U(sequence)]
                numbers.claim[U(place)] = kept.claim[U(sequence)]
                numbers.total[U(place)] = kept.grown[U(sequence)]
                norm += max(0.0, kept.claim[U(sequence)])
                living += 1
        numbers.scale[U(number)] = scale_of(norm, living)
        numbers.earned[U(number)] = kept.earned[U(k)]
        numbers.seen[U(number)] = kept.seen[U(k)]


@kernel
def write_back(side, kept, links, numbers):
    """Write what the round has come to.

    Strategy sums flow on where there is nothing to choose, and where nobody comes: there the
    strategy stays as it is.
    """
    kept.grown[U(0)] = numbers.total[U(0)]
    for k in range(len(side.parent)):
        number = int(links.number[U(k)])
        first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
        if number >= 0:
            kept.earned[U(k)] = numbers.earned[U(number)]
            kept.seen[U(k)] = numbers.seen[U(number)]
            for sequence in range(first, end):
                if kept.alive[U(sequence)] > 0:
                    place = links.place[U(sequence)]
                    kept.regret[U(sequence)] = numbers.regret[U(place)]
                    kept.claim[U(sequence)] = numbers.claim[U(place)]
                    kept.grown[U(sequence)] = numbers.total[U(place)]
            continue
        norm = 0.0
        living = 0
        for sequence in range(first, end):
            if kept.alive[U(sequence)] > 0:
                norm += max(0.0, kept.regret[U(sequence)])
                living += 1
        scale = scale_of(norm, living) if living > 1 else -1.0
        before = kept.grown[U(side.parent[U(k)])]
        for sequence in range(first, end):
            if kept.alive[U(sequence)] > 0:
                claim = max(0.0, kept.regret[U(sequence)])
                kept.grown[U(sequence)] = before * (claim * scale if scale > 0.0 else -scale)
