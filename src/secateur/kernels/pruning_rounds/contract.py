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
    """Return whether a column has an entry at a living sequence."""
    for e in range(int(side.pointer[U(sequence)]), int(side.pointer[U(sequence + 1)])):
        target = int(side.target[U(e)])
        if target < len(alive_others) and alive_others[U(target)] > 0:
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
def _goal(target, others, links):
    """Return the target of an entry in the round; -1 if it has none.

    What is earned whatever the other does needs no entry: it has no sequence to choose by.
    """
    if target < len(others.place):
        place = int(others.place[U(target)])
        return place if place > 0 else -1
    number = int(others.number[U(target - len(others.place))])
    return links + number if number >= 0 else -1


@kernel
def count_columns(side, links, others, pointer):
    """Write where the columns of the round begin."""
    for sequence in range(len(pointer)):
        pointer[U(sequence)] = 0
    for sequence in range(len(links.place)):
        place = int(links.place[U(sequence)])
        if place < 0:
            continue
        count = 0
        for e in range(int(side.pointer[U(sequence)]), int(side.pointer[U(sequence + 1)])):
            count += _goal(int(side.target[U(e)]), others, 0) >= 0
        pointer[U(place + 1)] += count
    for sequence in range(1, len(pointer)):
        pointer[U(sequence)] += pointer[U(sequence - 1)]


@kernel
def fill_columns(side, links, others, sequences_of_other, cursor, smaller):
    """Write the columns of the round; ``cursor`` says where each begins, and then where it ends."""
    for sequence in range(len(links.place)):
        place = int(links.place[U(sequence)])
        if place < 0:
            continue
        at = int(cursor[U(place)])
        for e in range(int(side.pointer[U(sequence)]), int(side.pointer[U(sequence + 1)])):
            goal = _goal(int(side.target[U(e)]), others, sequences_of_other)
            if goal >= 0:
                smaller.target[U(at)] = goal
                smaller.code[U(at)] = side.code[U(e)]
                at += 1
        cursor[U(place)] = at


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
