"""Chooses strategies as Hedge does, in proportion to exponentials of regret."""

from __future__ import annotations

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.exponential import exponentiate
from secateur.kernels.core.lanes import ONE, THREE, each, minus, plus, put, take, times
from secateur.kernels.core.parts import U
from secateur.kernels.regret_minimizers.hedge import learning_rate


@kernel
def choose_softmax(g, me, regret, h, iteration, chosen):
    """Choose ``me``'s next strategies everywhere: rates change even where nobody comes.

    As many blocks as fit share one long row of exponentials.
    """
    blocks = len(g.player)
    begin = 0
    while begin < blocks:
        end = begin
        filled = 0
        while end < blocks:
            if g.player[U(end)] == me:
                size = g.actions[U(end)] * g.lanes[U(end)]
                if filled + size > len(h.row):
                    break
                _score_block(g, end, regret, h, iteration, filled)
                filled += size
            end += 1
        exponentiate(h.row, 0, filled)
        filled = 0
        for block in range(begin, end):
            if g.player[U(block)] == me:
                normalize(g, block, h.row, filled, chosen)
                filled += g.actions[U(block)] * g.lanes[U(block)]
        begin = end


@part
def _score_block(g, block, regret, h, iteration, row):
    """Write the logarithms of a block's probabilities, up to a constant, to the row."""
    at = block_at(g, block)
    lane = 0
    while lane + 3 <= at.lanes:
        rates = (
            learning_rate(g, block, lane, h, iteration),
            learning_rate(g, block, lane + 1, h, iteration),
            learning_rate(g, block, lane + 2, h, iteration),
        )
        _score_lanes(at, at.cell + lane, row + lane, regret, rates, h.row)
        lane += 3
    while lane < at.lanes:
        rate = learning_rate(g, block, lane, h, iteration)
        _score_lanes(at, at.cell + lane, row + lane, regret, (rate,), h.row)
        lane += 1


@part
def _score_lanes(at, first_cell, score, regret, rates, row):
    """Score information sets, as many as there are rates."""
    largest = take(regret, first_cell, rates)
    cell = first_cell
    for _ in range(1, at.actions):
        cell += at.lanes
        largest = each(_larger, largest, take(regret, cell, rates), 0)
    cell = first_cell
    for _ in range(at.actions):
        put(row, score, times(rates, minus(take(regret, cell, rates), largest)))
        cell += at.lanes
        score += at.lanes


@part
def _larger(number, other, _rest):
    """Return the larger number."""
    return max(number, other)


@part
def normalize(g, block, weights, first_weight, chosen):
    """Set a block's strategy in proportion to weights, which may stand in its own place."""
    at = block_at(g, block)
    lane = 0
    while lane + 3 <= at.lanes:
        _normalize_lanes(at, weights, first_weight + lane, chosen, at.cell + lane, THREE)
        lane += 3
    while lane < at.lanes:
        _normalize_lanes(at, weights, first_weight + lane, chosen, at.cell + lane, ONE)
        lane += 1


@part
def _normalize_lanes(at, weights, first_weight, chosen, cell, zeros):
    """Normalize information sets, as many as there are zeros."""
    norm = zeros
    weight = first_weight
    for _ in range(at.actions):
        norm = plus(norm, take(weights, weight, zeros))
        weight += at.lanes
    scale = each(_inverse, norm, norm, 0)
    weight = first_weight
    for _ in range(at.actions):
        put(chosen, cell, times(scale, take(weights, weight, zeros)))
        weight += at.lanes
        cell += at.lanes


@part
def _inverse(number, _other, _rest):
    """Return the inverse of a number."""
    return 1.0 / number
