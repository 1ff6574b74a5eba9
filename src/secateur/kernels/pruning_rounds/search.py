"""Searches: what is alive in the next round is decided anew, for the whole game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from secateur.kernels.best_response_pruning.store import LEAST_REGRET
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import skip_length
from secateur.kernels.pruning_rounds.iterate import fading
from secateur.kernels.regret_minimizers.matching import probability, scale_of


class Terms(NamedTuple):
    """On which terms actions are cut, and come back."""

    weight: float  # of the last iteration
    total_weight: float  # of all
    minimum_skip: float
    again: float  # the same for what is cut already
    tolerance: float  # what counts as zero
    nothing: float  # up to which a regret counts as not positive


@kernel
def end_round(side, kept, links, value, last, logs, idle):
    """Add to the sums what has come in the round, and discount regrets up to its end.

    ``value`` holds what sequences earned against what the other player's sums have grown by.
    """
    for k in range(len(side.parent) - 1, -1, -1):
        earned = kept.earned[U(k)]
        positive = negative = 1.0
        if idle:
            positive, negative = fading(logs, int(kept.seen[U(k)]), last)
        for sequence in range(int(side.first[U(k)]), int(side.first[U(k + 1)])):
            if kept.alive[U(sequence)] > 0:
                regret = kept.regret[U(sequence)]
                kept.regret[U(sequence)] = regret * (positive if regret > 0.0 else negative)
                if links.place[U(sequence)] >= 0 and links.number[U(k)] < 0:
                    earned = value[U(sequence)]  # the only living action
        kept.value_sum[U(k)] += earned
        value[U(side.parent[U(k)])] += earned
        kept.earned[U(k)] = 0.0
    for sequence in range(len(kept.total)):
        kept.total[U(sequence)] += kept.grown[U(sequence)]
        kept.grown[U(sequence)] = 0.0


@kernel
def write_average(side, sums, weight, plan):
    """Write the plan of an average strategy, times ``weight``; zero where it never came."""
    plan[U(0)] = weight
    for k in range(len(side.parent)):
        first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
        before = plan[U(side.parent[U(k)])]
        norm = 0.0
        for sequence in range(first, end):
            norm += sums[U(sequence)]
        for sequence in range(first, end):
            share = sums[U(sequence)] / norm if norm > 0.0 else 0.0
            plan[U(sequence)] = before * share


@kernel
def respond(side, value):
    """Let values of sequences be those of best responses; return that of the whole game."""
    for k in range(len(side.parent) - 1, -1, -1):
        best = -np.inf
        for sequence in range(int(side.first[U(k)]), int(side.first[U(k + 1)])):
            best = max(best, value[U(sequence)])
        value[U(side.parent[U(k)])] += best
    return value[U(0)]


@kernel
def respond_alive(side, alive, value):
    """Do the same with nothing that is cut."""
    for k in range(len(side.parent) - 1, -1, -1):
        if alive[U(side.parent[U(k)])] > 0:
            first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
            value[U(side.parent[U(k)])] += _best_alive(alive, value, first, end)
    return value[U(0)]


@part
def _best_alive(alive, value, first, end):
    """Return the largest value of the living sequences among some."""
    best = -np.inf
    for sequence in range(first, end):
        if alive[U(sequence)] > 0:
            best = max(best, value[U(sequence)])
    return best


@kernel
def bar(side, kept, value):
    """Bar what is cut from being cut if best responses play it."""
    for k in range(len(side.parent)):
        if kept.alive[U(side.parent[U(k)])] > 0:
            first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
            best = _best_alive(kept.alive, value, first, end)
            for sequence in range(first, end):
                if value[U(sequence)] > best:
                    kept.barred[U(sequence)] = 1


@kernel
def decide(side, spread, value, terms, kept):
    """Cut what cannot catch up, from the top down, and bring back what might.

    What is barred comes back whatever it earns. ``value`` holds values of best responses, and how
    often information sets were reached; ``spread`` how much more may be won with a sequence than at
    its information set at the least.
    """
    sequences = len(spread)
    for k in range(len(side.parent)):
        first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
        if kept.alive[U(side.parent[U(k)])] == 0:
            kept.value_sum[U(k)] = 0.0
            for sequence in range(first, end):
                kept.alive[U(sequence)] = 0
                kept.regret[U(sequence)] = 0.0
            continue
        active = False
        best = -np.inf
        keep = -1  # the best action stays, or comes back
        for sequence in range(first, end):
            active |= kept.alive[U(sequence)] > 0
            if value[U(sequence)] > best:
                best = value[U(sequence)]
                keep = sequence
        if not active:
            kept.value_sum[U(k)] = best
        earned = kept.value_sum[U(k)]
        reach = value[U(sequences + k)]
        for sequence in range(first, end):
            gap = value[U(sequence)] - earned
            losing = sequence != keep and gap < min(0.0, best - earned) - terms.tolerance
            losing &= kept.barred[U(sequence)] == 0
            pace = terms.weight / terms.total_weight
            skip = skip_length(gap, reach, pace, spread[U(sequence)]) if losing else 0.0
            if kept.alive[U(sequence)] > 0:
                if kept.regret[U(sequence)] <= terms.nothing and skip >= terms.minimum_skip:
                    _cut(kept, sequence)
            elif skip < (terms.again if active else terms.minimum_skip):
                kept.alive[U(sequence)] = 1
                back = max(0.0, gap) / terms.weight
                if not active:
                    back = LEAST_REGRET if sequence == keep else 0.0
                kept.regret[U(sequence)] = back


@part
def _cut(kept, sequence):
    """Cut a sequence."""
    kept.alive[U(sequence)] = 0
    kept.regret[U(sequence)] = 0.0


@kernel
def discard(side, kept, limit):
    """Forget strategy sums of what is cut and hardly played: up to ``limit``.

    What an information set has lost before, which is what came to it and is not there any more,
    counts as well.
    """
    total = kept.total
    for k in range(len(side.parent)):
        first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
        arrived = total[U(side.parent[U(k)])]
        left = 0.0
        for sequence in range(first, end):
            if arrived == 0.0:
                total[U(sequence)] = 0.0
            left += total[U(sequence)]
        if kept.alive[U(side.parent[U(k)])] == 0:
            continue
        lost = max(0.0, arrived - left)
        for sequence in range(first, end):
            mass = total[U(sequence)]
            if kept.alive[U(sequence)] == 0 and 0.0 < mass < left and lost + mass <= limit:
                total[U(sequence)] = 0.0
                left -= mass
                lost += mass


@kernel
def restart(kept, iteration, predictive):
    """Let strategies follow from regrets, nothing predicted, after a search."""
    for sequence in range(len(kept.claim) if predictive else 0):
        kept.claim[U(sequence)] = max(0.0, kept.regret[U(sequence)])
    for k in range(len(kept.seen)):
        kept.seen[U(k)] = iteration


@kernel
def write_strategy(side, kept, cell, iteration, predictive, strategy):
    """Write what is played after an iteration to the cells of the game; uniform where all is cut.

    What was predicted has lapsed where nobody came in that iteration.
    """
    for k in range(len(side.parent)):
        first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
        lapsed = predictive and kept.seen[U(k)] < iteration
        claims = kept.regret if lapsed else kept.claim
        norm = 0.0
        living = 0
        for sequence in range(first, end):
            if kept.alive[U(sequence)] > 0:
                norm += max(0.0, claims[U(sequence)])
                living += 1
        scale = scale_of(norm, living if living > 0 else end - first)
        for sequence in range(first, end):
            played = kept.alive[U(sequence)] > 0 or living == 0
            share = probability(claims[U(sequence)], scale) if played else 0.0
            strategy[U(cell[U(sequence)])] = share


@kernel
def is_in_order(side, alive):
    """Return whether what is alive is behind nothing that is cut, and goes on as far as it can."""
    if alive[U(0)] != 1:
        return False
    for k in range(len(side.parent)):
        living = 0
        for sequence in range(int(side.first[U(k)]), int(side.first[U(k + 1)])):
            if not 0 <= alive[U(sequence)] <= 1:
                return False
            living = max(living, alive[U(sequence)])
        if living != alive[U(side.parent[U(k)])]:
            return False
    return True
