"""Ends between hands of cards, in time linear in their number.

Two hands of two cards go together if they share no card. What all hands of the opponent that go
together with a hand are worth is what all are worth, without those that hold its first card,
without those that hold its second one; the same two cards were then taken away twice.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.compilation.index import unsigned as U  # noqa: N812 - as everywhere in kernels
from secateur.kernels.core.card_sums import card_sums
from secateur.kernels.core.matrix_kinds import SHOWDOWN

_LEAST = 2.0**-44
"""Of the reach of all hands: what is smaller is what rounding has left of nothing."""


@stage
def multiply_combinations(g, me, matrix, factor, reach, yours, value, mine):
    """Add ``factor`` times a matrix between hands times ``reach`` to ``value``."""
    if g.matrix_kind[U(matrix)] == SHOWDOWN:
        # payoffs are those of player 0
        _compare(g, me, matrix, factor if me == 0 else -factor, reach, yours, value, mine)
    else:
        _go_together(g, me, matrix, factor, reach, yours, value, mine)


@part
def _reach_of(g, k, reach, yours):
    """Return the weighted reach of a combination."""
    return g.combination_weight[U(k)] * reach[U(yours + g.combination_lane[U(k)])]


@part
def _add(g, k, weight, sums):
    """Add a weight to the sums of a combination's cards."""
    sums[U(g.combination_card[U(2 * k)])] += weight
    sums[U(g.combination_card[U(2 * k + 1)])] += weight


@part
def _without(g, k, total, sums):
    """Return a total without what holds a card of a combination."""
    first = sums[U(g.combination_card[U(2 * k)])]
    return total - first - sums[U(g.combination_card[U(2 * k + 1)])]


@part
def _earn(g, h, worth, least, factor, value, mine):
    """Add what a combination earns to the value of its lane."""
    lane = mine + g.combination_lane[U(h)]
    earned = factor * g.combination_weight[U(h)] * worth
    value[U(lane)] += earned if abs(worth) > least else 0.0


@part
def _count(g, matrix, player):
    """Return where a player's combinations begin and end."""
    first = g.combination_first[U(2 * matrix + player)]
    pointer = g.class_first[U(2 * matrix + player)] + g.matrix_classes[U(matrix)]
    return first, first + g.class_pointer[U(pointer)]


@part
def _go_together(g, me, matrix, factor, reach, yours, value, mine):
    """Add up the reach of all hands that share no card with an own one."""
    sums = card_sums()
    total = 0.0
    first, end = _count(g, matrix, 1 - me)
    for k in range(first, end):
        weight = _reach_of(g, k, reach, yours)
        total += weight
        _add(g, k, weight, sums)
    least = _LEAST * total
    begin, end = _count(g, matrix, me)
    for h in range(begin, end):
        worth = _without(g, h, total, sums)
        twin = g.combination_twin[U(h)]
        if twin >= 0:
            worth += _reach_of(g, first + twin, reach, yours)
        _earn(g, h, worth, least, factor, value, mine)


@part
def _compare(g, me, matrix, factor, reach, yours, value, mine):
    """Add up the reach of weaker hands without that of stronger ones, from the weakest on.

    Each hand of the opponent counts -1 while own hands are weaker, 0 while they are as strong, and
    then 1. The same two cards are as strong as an own hand, so they were not taken away twice.
    """
    sums = card_sums()
    total = 0.0
    first, end = _count(g, matrix, 1 - me)
    for k in range(first, end):
        weight = _reach_of(g, k, reach, yours)
        total -= weight
        _add(g, k, -weight, sums)
    least = _LEAST * -total
    begin = g.combination_first[U(2 * matrix + me)]
    own_pointer = g.class_first[U(2 * matrix + me)]
    pointer = g.class_first[U(2 * matrix + 1 - me)]
    k, h = first, begin
    for one in range(1, g.matrix_classes[U(matrix)] + 1):
        start = k
        end = first + g.class_pointer[U(pointer + one)]
        while k < end:
            weight = _reach_of(g, k, reach, yours)
            total += weight
            _add(g, k, weight, sums)
            k += 1
        own_end = begin + g.class_pointer[U(own_pointer + one)]
        while h < own_end:
            _earn(g, h, _without(g, h, total, sums), least, factor, value, mine)
            h += 1
        for again in range(start, end):
            weight = _reach_of(g, again, reach, yours)
            total += weight
            _add(g, again, weight, sums)


@stage
def tally_combinations(g, me, matrix, chosen_lane, mine, reach, yours):
    """Count the pairs of combinations of chosen own lanes and lanes that the opponent reaches."""
    sums = card_sums()
    total = 0.0
    first, end = _count(g, matrix, 1 - me)
    for k in range(first, end):
        if reach[U(yours + g.combination_lane[U(k)])] > 0.0:
            total += 1.0
            _add(g, k, 1.0, sums)
    count = 0.0
    begin, end = _count(g, matrix, me)
    for h in range(begin, end):
        if chosen_lane[U(mine + g.combination_lane[U(h)])]:
            count += _without(g, h, total, sums)
            twin = g.combination_twin[U(h)]
            if twin >= 0 and reach[U(yours + g.combination_lane[U(first + twin)])] > 0.0:
                count += 1.0
    return count
