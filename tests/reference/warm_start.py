"""Warm start: what a run would have after T iterations that all saw one strategy.

pi_{-i}(I) is the sum over the histories of I of chance's and the opponent's reach, Delta(I) the
range of payoffs behind I. The scale of I is pi_{-i}(I) Delta(I) sqrt(|A(I)|): no vector of
instantaneous regrets r(I, .) against that opponent is longer.
"""

from __future__ import annotations

from math import prod, sqrt

from reference.branches import Branches, branches_of
from reference.local_rules import LocalRule
from reference.metrics import leaf_values
from reference.near_best_response import near_maximum
from reference.tree import InfosetKey, Sequence, Strategy, Tree


def opponent_reach(tree: Tree, branches: Branches, strategy: Strategy) -> dict[InfosetKey, float]:
    """Return pi_{-i}(I) for all information sets of both players."""

    def probability(cell: Sequence) -> float:
        key, action = cell
        return strategy[key][tree.infosets[key].actions.index(action)]

    return {
        key: sum(
            arrival.chance * prod(map(probability, arrival.opponent))
            for arrival in branches.arrivals[key]
        )
        for key in tree.infosets
    }


def scales(tree: Tree, strategy: Strategy) -> dict[InfosetKey, float]:
    """Return pi_{-i}(I) Delta(I) sqrt(|A(I)|)."""
    branches = branches_of(tree)
    reach = opponent_reach(tree, branches, strategy)
    return {
        key: reach[key] * branches.range_below(infoset) * sqrt(len(infoset.actions))
        for key, infoset in tree.infosets.items()
    }


def substituted(
    tree: Tree, player: int, strategy: Strategy, softness: float
) -> tuple[float, dict[Sequence, float]]:
    """Return v'_i and v'(I, a) - v'(I) for all (I, a) of a player.

    v'(I, a) = l(I, a) + sum of v'(I') over the information sets that follow, with leaf values l
    against the opponent's strategy; v'(I) is the least value, not below the worst action's, with
    sum_a max(0, v'(I, a) - v'(I))^2 <= (softness scale(I))^2.
    """
    scale = scales(tree, strategy)
    value_of = leaf_values(tree, player, strategy)
    regrets: dict[Sequence, float] = {}
    for infoset in reversed(tree.of_player(player)):
        values = [value_of[infoset.key, action] for action in infoset.actions]
        here = near_maximum(values, (softness * scale[infoset.key]) ** 2)
        value_of[infoset.parent] += here
        for action, value in zip(infoset.actions, values, strict=True):
            regrets[infoset.key, action] = value - here
    return value_of[None], regrets


def least_softness(tree: Tree, strategy: Strategy, steps: int = 60) -> float:
    """Return the least softness with v'_0 + v'_1 <= 0, by bisection.

    With softness 1 no response is worse than the worst action anywhere, so it is enough: then
    each player wins at most what the other can force.
    """
    low, high = 0.0, 1.0
    if sum(substituted(tree, player, strategy, 0.0)[0] for player in (0, 1)) <= 0.0:
        return 0.0
    for _ in range(steps):
        middle = (low + high) / 2
        if sum(substituted(tree, player, strategy, middle)[0] for player in (0, 1)) <= 0.0:
            high = middle
        else:
            low = middle
    return high


def repeated(rule: LocalRule, regrets: list[float], iterations: int) -> list[float]:
    """Return the regrets of one information set after it has seen the same T times."""
    summed = [0.0] * len(regrets)
    for t in range(1, iterations + 1):
        summed = rule.update(summed, regrets, t)
    return summed


def following(probabilities: list[float], scale: float, share: float) -> list[float]:
    """Return regrets proportional to probabilities, as a vector ``share * scale`` long."""
    length = sqrt(sum(p * p for p in probabilities))
    return [share * scale * p / length for p in probabilities]
