"""Ends between hands of cards, in time linear in their number.

Two hands of two cards go together if they share no card. What all hands of the opponent that go
together with a hand are worth is what all are worth, without those that hold its first card,
without those that hold its second one; the same two cards were then taken away twice.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.compilation.index import unsigned as U  # noqa: N812 - as everywhere in kernels
from secateur.kernels.core.card_sums import card_sums
from secateur.kernels.core.matrix_kinds import CARD_BITS, CARD_MASK, SHOWDOWN

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
def _lane(hand):
    """Return the lane of a combination."""
    return hand >> (2 * CARD_BITS)


@part
def _reach_of(g, k, hand, reach, yours):
    """Return the weighted reach of a combination."""
    return g.combination_weight[U(k)] * reach[U(yours + _lane(hand))]


@part
def _add(hand, weight, sums):
    """Add a weight to the sums of a combination's cards."""
    sums[U(hand & CARD_MASK)] += weight
    sums[U((hand >> CARD_BITS) & CARD_MASK)] += weight


@part
def _without(hand, total, sums):
    """Return a total without what holds a card of a combination."""
    return total - sums[U(hand & CARD_MASK)] - sums[U((hand >> CARD_BITS) & CARD_MASK)]


@part
def _earn(g, h, hand, worth, least, factor, value, mine):
    """Add what a combination earns to the value of its lane."""
    earned = factor * g.combination_weight[U(h)] * worth
    value[U(mine + _lane(hand))] += earned if abs(worth) > least else 0.0


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
        hand = g.combination_hand[U(k)]
        weight = _reach_of(g, k, hand, reach, yours)
        total += weight
        _add(hand, weight, sums)
    least = _LEAST * total
    begin, end = _count(g, matrix, me)
    for h in range(begin, end):
        hand = g.combination_hand[U(h)]
        worth = _without(hand, total, sums)
        twin = g.combination_twin[U(h)]
        if twin >= 0:
            same = first + twin
            worth += _reach_of(g, same, g.combination_hand[U(same)], reach, yours)
        _earn(g, h, hand, worth, least, factor, value, mine)


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
        hand = g.combination_hand[U(k)]
        weight = _reach_of(g, k, hand, reach, yours)
        total -= weight
        _add(hand, -weight, sums)
    least = _LEAST * -total
    begin = g.combination_first[U(2 * matrix + me)]
    own_pointer = g.class_first[U(2 * matrix + me)]
    pointer = g.class_first[U(2 * matrix + 1 - me)]
    before, start, h = first, first, begin
    for one in range(1, g.matrix_classes[U(matrix)] + 1):
        end = first + g.class_pointer[U(pointer + one)]
        # the class before for the second time, this one for the first
        for k in range(before, end):
            hand = g.combination_hand[U(k)]
            weight = _reach_of(g, k, hand, reach, yours)
            total += weight
            _add(hand, weight, sums)
        before, start = start, end
        own_end = begin + g.class_pointer[U(own_pointer + one)]
        while h < own_end:
            hand = g.combination_hand[U(h)]
            worth = _without(hand, total, sums)
            _earn(g, h, hand, worth, least, factor, value, mine)
            h += 1


@stage
def tally_combinations(g, me, matrix, chosen_lane, mine, reach, yours):
    """Count the pairs of combinations of chosen own lanes and lanes that the opponent reaches."""
    sums = card_sums()
    total = 0.0
    first, end = _count(g, matrix, 1 - me)
    for k in range(first, end):
        hand = g.combination_hand[U(k)]
        if reach[U(yours + _lane(hand))] > 0.0:
            total += 1.0
            _add(hand, 1.0, sums)
    count = 0.0
    begin, end = _count(g, matrix, me)
    for h in range(begin, end):
        hand = g.combination_hand[U(h)]
        if chosen_lane[U(mine + _lane(hand))]:
            count += _without(hand, total, sums)
            twin = g.combination_twin[U(h)]
            if twin >= 0:
                same = g.combination_hand[U(first + twin)]
                if reach[U(yours + _lane(same))] > 0.0:
                    count += 1.0
    return count
