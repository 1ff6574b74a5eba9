"""The parts that the oracles of pruning are made of."""

from __future__ import annotations

import random

import pytest

from reference import Tree
from reference.branches import Branches
from reference.brp import ReferenceBRP
from reference.faced_average import BehavioralForm, SequenceForm
from reference.metrics import counterfactual_best_response_values
from reference.near_best_response import near_maximum
from reference.pruned_traversal import pruned_counterfactual_values
from reference.small_games import Kuhn
from reference.subtree import response_values, subtree_sums
from reference.traversal import counterfactual_values
from secateur.games.leduc import Leduc
from secateur.games.random_game import RandomGame

GAMES = [
    Kuhn(),
    RandomGame(seed=4),
    RandomGame(seed=7, structured=True, depth=8),
    RandomGame(seed=8, depth=8, chance_moves=0.1),
    Leduc(),
]


def test_branches_of_kuhn():
    branches = Branches(Tree(Kuhn()))
    queen = (0, "1")
    assert branches.best_payoff[queen, "p"] == 2  # a check, a bet of the jack, a call
    assert branches.worst_payoff[queen] == -2
    assert branches.best_payoff[(0, "1pb"), "p"] == -1
    assert branches.payoff_range == 4
    assert [infoset.key for infoset in branches.below((queen, "p"))] == [(0, "1pb")]
    assert branches.below((queen, "b")) == []
    # the queen meets two cards with probability 1/6 each, after one action of the opponent
    arrivals = branches.arrivals[0, "1pb"]
    assert [arrival.chance for arrival in arrivals] == [1 / 6, 1 / 6]
    assert [arrival.opponent for arrival in arrivals] == [
        (((1, "0p"), "b"),),
        (((1, "2p"), "b"),),
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_branches_hold_all_that_is_behind_them(game):
    tree = Tree(game)
    branches = Branches(tree)
    for infoset in tree.infosets.values():
        above, parent = [], infoset.parent
        while parent is not None:
            above.append(parent)
            parent = tree.infosets[parent[0]].parent
        for other in tree.of_player(infoset.player):
            for action in other.actions:
                cell = (other.key, action)
                assert (infoset in branches.below(cell)) == (cell in above)
        for cell in above:
            assert branches.worst_payoff[cell[0]] <= branches.worst_payoff[infoset.key]
            for action in infoset.actions:
                assert branches.best_payoff[cell] >= branches.best_payoff[infoset.key, action]
        assert branches.range_below(infoset) <= branches.payoff_range


def random_strategy(tree: Tree, rng: random.Random) -> dict:
    """Return a strategy in which many actions have probability 0."""
    strategy = {}
    for key, infoset in tree.infosets.items():
        scores = [rng.choice([0.0, 0.0, rng.random()]) for _ in infoset.actions]
        scores[rng.randrange(len(scores))] = 1.0
        strategy[key] = [score / sum(scores) for score in scores]
    return strategy


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_skipping_actions_of_probability_zero_keeps_all_other_values(game):
    tree = Tree(game)
    branches = Branches(tree)
    strategy = random_strategy(tree, random.Random(1))
    for player in (0, 1):
        pruned = {
            (infoset.key, action)
            for infoset in tree.of_player(player)
            for action, p in zip(infoset.actions, strategy[infoset.key], strict=True)
            if p == 0.0
        }
        hidden = {infoset.key for cell in pruned for infoset in branches.below(cell)}
        full = counterfactual_values(tree, player, strategy, partial_pruning=True)
        part = pruned_counterfactual_values(tree, player, strategy, pruned)
        assert part.root_value == full.root_value
        assert part.nodes_touched <= full.nodes_touched
        for infoset in tree.of_player(player):
            key = infoset.key
            if key in hidden:
                assert part.reach[key] == 0.0
                continue
            assert part.reach[key] == full.reach[key]
            for a, action in enumerate(infoset.actions):
                expected = 0.0 if (key, action) in pruned else full.action_values[key][a]
                assert part.action_values[key][a] == expected


@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_both_forms_of_the_average_agree(game, updates: str):
    """Without discards S(J, b) = W times the product of normalized S along the way."""
    solver = ReferenceBRP(game, "rm", updates, min_skip=1)
    solver.step(12)
    weight, sums = solver.total_weight, solver.strategy_sum
    for infoset in solver.tree.infosets.values():
        for action in infoset.actions:
            cell = (infoset.key, action)
            sequence = subtree_sums(solver.branches, cell, SequenceForm(weight, sums))
            behavior = subtree_sums(
                solver.branches, cell, BehavioralForm(weight, sums, solver.tree)
            )
            assert sequence.nodes_touched == behavior.nodes_touched
            assert dict(sequence.leaves) == pytest.approx(behavior.leaves, rel=1e-12, abs=1e-14)
            assert dict(sequence.reach) == pytest.approx(behavior.reach, rel=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_subtree_is_worth_what_the_whole_best_response_says(game):
    solver = ReferenceBRP(game, "linear", "alternating", min_skip=1)
    solver.step(8)
    average = solver.average_strategy()
    for player in (0, 1):
        whole = counterfactual_best_response_values(solver.tree, player, average)
        for cell, value in whole.items():
            _, values = solver.response(cell)
            assert values.of_action[cell] == pytest.approx(
                solver.total_weight * value, rel=1e-9, abs=1e-10
            )


def test_fold_by_hand():
    branches = Branches(Tree(Kuhn()))
    cell = ((0, "1"), "p")
    leaves = {cell: 5.0, ((0, "1pb"), "p"): -1.0, ((0, "1pb"), "b"): 2.0}
    values = response_values(branches, cell, leaves, lambda _, options: max(options))
    assert values.of_infoset == {(0, "1pb"): 2.0}
    assert values.of_action[cell] == 7.0


def test_near_maximum_by_hand():
    assert near_maximum([3.0, 1.0, 2.0], 0.0) == 3.0
    assert near_maximum([3.0, 1.0, 2.0], 0.25) == 2.5  # only the best exceeds it, by 1/2
    assert near_maximum([5.0, 5.0], 8.0) == 5.0  # no response wins less than its worst action
    assert near_maximum([10.0, 10.0, 0.0], 8.0) == 8.0  # 2^2 + 2^2
    assert near_maximum([4.0], 100.0) == 4.0


def test_near_maximum_is_the_smallest_that_is_allowed():
    rng = random.Random(7)
    for _ in range(300):
        values = [rng.uniform(-3, 3) for _ in range(rng.randint(1, 5))]
        allowance = rng.choice([0.0, 1e-6, 0.1, 1.0, 10.0])

        def excess(x: float, values: list[float] = values) -> float:
            return sum(max(0.0, value - x) ** 2 for value in values)

        x = near_maximum(values, allowance)
        assert min(values) <= x <= max(values)
        assert excess(x) <= allowance + 1e-12
        assert x == min(values) or excess(x - 1e-6) > allowance
