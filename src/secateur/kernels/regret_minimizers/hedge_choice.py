"""Chooses strategies as Hedge does, in proportion to exponentials of regret."""

from __future__ import annotations

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.exponential import exponentiate
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
        rate_0 = learning_rate(g, block, lane, h, iteration)
        rate_1 = learning_rate(g, block, lane + 1, h, iteration)
        rate_2 = learning_rate(g, block, lane + 2, h, iteration)
        _score_three_lanes(
            at.actions, at.lanes, at.cell + lane, row + lane, regret, rate_0, rate_1, rate_2, h.row
        )
        lane += 3
    while lane < at.lanes:
        rate = learning_rate(g, block, lane, h, iteration)
        _score_lane(at.actions, at.lanes, at.cell + lane, row + lane, regret, rate, h.row)
        lane += 1


@part
def _score_lane(actions, lanes, first_cell, first_score, regret, rate, row):
    """Score one information set."""
    largest = regret[U(first_cell)]
    cell = first_cell
    for _ in range(1, actions):
        cell += lanes
        largest = max(largest, regret[U(cell)])
    cell = first_cell
    score = first_score
    for _ in range(actions):
        row[U(score)] = rate * (regret[U(cell)] - largest)
        cell += lanes
        score += lanes


@part
def _score_three_lanes(
    actions, lanes, first_cell, first_score, regret, rate_0, rate_1, rate_2, row
):
    """Score three information sets side by side; the same as one after the other."""
    largest_0 = regret[U(first_cell)]
    largest_1 = regret[U(first_cell + 1)]
    largest_2 = regret[U(first_cell + 2)]
    cell = first_cell
    for _ in range(1, actions):
        cell += lanes
        largest_0 = max(largest_0, regret[U(cell)])
        largest_1 = max(largest_1, regret[U(cell + 1)])
        largest_2 = max(largest_2, regret[U(cell + 2)])
    cell = first_cell
    score = first_score
    for _ in range(actions):
        row[U(score)] = rate_0 * (regret[U(cell)] - largest_0)
        row[U(score + 1)] = rate_1 * (regret[U(cell + 1)] - largest_1)
        row[U(score + 2)] = rate_2 * (regret[U(cell + 2)] - largest_2)
        cell += lanes
        score += lanes


@part
def normalize(g, block, weights, first_weight, chosen):
    """Set a block's strategy in proportion to weights, which may stand in its own place."""
    at = block_at(g, block)
    lane = 0
    while lane + 3 <= at.lanes:
        _normalize_three_lanes(
            at.actions, at.lanes, weights, first_weight + lane, chosen, at.cell + lane
        )
        lane += 3
    while lane < at.lanes:
        _normalize_lane(at.actions, at.lanes, weights, first_weight + lane, chosen, at.cell + lane)
        lane += 1


@part
def _normalize_lane(actions, lanes, weights, first_weight, chosen, first_cell):
    """Normalize one information set."""
    norm = 0.0
    weight = first_weight
    for _ in range(actions):
        norm += weights[U(weight)]
        weight += lanes
    scale = 1.0 / norm
    weight = first_weight
    cell = first_cell
    for _ in range(actions):
        chosen[U(cell)] = scale * weights[U(weight)]
        weight += lanes
        cell += lanes


@part
def _normalize_three_lanes(actions, lanes, weights, first_weight, chosen, first_cell):
    """Normalize three information sets side by side; the same as one after the other."""
    norm_0 = norm_1 = norm_2 = 0.0
    weight = first_weight
    for _ in range(actions):
        norm_0 += weights[U(weight)]
        norm_1 += weights[U(weight + 1)]
        norm_2 += weights[U(weight + 2)]
        weight += lanes
    scale_0 = 1.0 / norm_0
    scale_1 = 1.0 / norm_1
    scale_2 = 1.0 / norm_2
    weight = first_weight
    cell = first_cell
    for _ in range(actions):
        chosen[U(cell)] = scale_0 * weights[U(weight)]
        chosen[U(cell + 1)] = scale_1 * weights[U(weight + 1)]
        chosen[U(cell + 2)] = scale_2 * weights[U(weight + 2)]
        weight += lanes
        cell += lanes
