"""Interval regret-based pruning: the oracle against definitions, and against not pruning."""

from __future__ import annotations

from math import inf

import pytest

from reference import ReferenceCFR
from reference.faced_average import SequenceForm
from reference.interval_rbp import ReferenceRBP, RegretMatchingPlusBelowZero
from reference.local_rules import RULES, positive_parts
from reference.metrics import leaf_values
from reference.small_games import Matrix
from reference.subtree import response_values, subtree_sums
from reference.tree import Sequence
from secateur.games.leduc import Leduc
from secateur.games.random_game import RandomGame

UPDATES = ["alternating", "simultaneous"]
RULES_AND_AVERAGINGS = [("rm", "uniform"), ("rm+", "uniform"), ("rm+", "linear")]
GAMES = [
    *(RandomGame(seed=seed, ties=0.0, skew=1.0) for seed in (4, 5)),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, structured=True, depth=8) for seed in (7, 10)),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, depth=8, chance_moves=0.1) for seed in (1, 8)),
]


def short(game) -> str:
    return f"{game.name}-{game.parameters.get('seed', '')}"


def close(solver: ReferenceRBP, number: float):
    """Compare sums of t values up to rounding."""
    scale = 1 + solver.total_weight * solver.branches.payoff_range
    return pytest.approx(number, rel=0, abs=1e-11 * scale)


def test_by_hand():
    solver = ReferenceRBP(Matrix([[1, -1], [-3, -2]]), updates="simultaneous", min_skip=2)
    losing = ((0, "choose"), 1)
    solver.step()
    # rows win 0 and -2.5, value -1.25; the second row could gain U - L = -2 + 3 = 1 a time
    assert solver.regret[losing] == -1.25
    assert not solver.pruned
    solver.step()
    # the second column answers the first row: rows win -1 and -2
    assert solver.pruned == {losing}
    event = solver.events[0]
    assert (event.iteration, event.player, event.action, event.kind) == (2, 0, 1, "start")
    assert (event.value, event.estimated_skip) == (-2.25, 2.25)
    nodes = solver.nodes_touched
    solver.step()
    # the bound takes -2 for what the row wins, while the other row wins -1
    assert solver.regret[losing] == -3.25
    assert solver.nodes_touched - nodes == 3 + 4
    assert solver.overhead_nodes == 0


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize(("rule", "averaging"), RULES_AND_AVERAGINGS)
@pytest.mark.parametrize("game", GAMES[:4], ids=short)
def test_without_a_start_nothing_differs_from_partial_pruning(game, rule, averaging, updates):
    plain = ReferenceCFR(game, rule, averaging, updates, partial_pruning=True)
    solver = ReferenceRBP(game, rule, averaging, updates, min_skip=inf)
    for _ in range(40):
        plain.step()
        solver.step()
        assert solver.current_strategy() == plain.current_strategy()
    assert positive_parts(list(solver.regret.values())) == positive_parts(
        list(plain.regret.values())
    )
    assert solver.strategy_sum == plain.strategy_sum
    assert solver.nodes_touched == plain.nodes_touched
    assert not solver.events


def test_regrets_below_zero_have_the_positive_parts_of_regret_matching_plus():
    below_zero, floored = RegretMatchingPlusBelowZero(), RULES["rm+"]
    deep, flat = [0.0] * 3, [0.0] * 3
    for t, seen in enumerate([[1, -2, 0], [-3, 1, -1], [2, 0.5, -1], [-1, -1, 3]], start=1):
        deep, flat = below_zero.update(deep, seen, t), floored.update(flat, seen, t)
        assert positive_parts(deep) == flat
    assert deep == [1, 0.5, 3]


class Audited(ReferenceRBP):
    """Compare every catch-up with the literal definition, which needs a snapshot at the start."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.snapshots: dict[Sequence, tuple[int, dict[Sequence, float]]] = {}
        self.catch_ups = self.enclosed = 0

    def _start(self, cell: Sequence, skip: float) -> None:
        super()._start(cell, skip)
        self.snapshots[cell] = self.iteration, dict(self.faced_sum)
        behind = {infoset.key for infoset in self.branches.below(cell)}
        assert not behind & {key for key, _ in self.pruned}

    def _catch_up(self, cell: Sequence) -> None:
        begun, snapshot = self.snapshots.pop(cell)
        interval = SequenceForm(
            self.iteration - begun,
            {q: mass - snapshot[q] for q, mass in self.faced_sum.items()},
        )
        literal = response_values(
            self.branches,
            cell,
            subtree_sums(self.branches, cell, interval).leaves,
            lambda _, values: max(values),
        )
        before = dict(self.action_sumv), dict(self.sumv), dict(self.regret)
        old_regret, old_sumv = self._at_start[cell]
        bound = self.regret[cell]
        super()._catch_up(cell)

        for key, value in literal.of_infoset.items():
            assert self.sumv[key] == close(self, before[1][key] + value)
        for q, value in literal.of_action.items():
            assert self.action_sumv[q] == close(self, before[0][q] + value)
            if q != cell:
                increment = value - literal.of_infoset[q[0]]
                assert self.regret[q] == close(self, before[2][q] + increment)
        key = cell[0]
        assert self.sumv[key] == before[1][key]
        increment = literal.of_action[cell] - (self.sumv[key] - old_sumv)
        caught_up = old_regret + increment
        assert caught_up <= bound + self._margin(), "the running bound was no bound"
        if self.plus:
            raised = increment > self._margin()
            jumped = max(0.0, caught_up) if raised else caught_up
            assert self.regret[cell] == close(self, jumped)
        else:
            assert self.regret[cell] == close(self, caught_up)
            assert self.regret[cell] == close(self, self.action_sumv[cell] - self.sumv[key])
        self.catch_ups += 1
        self.enclosed += bound <= 0

    def assert_sums_are_leaves_and_kids(self) -> None:
        """action_sumv(q) = l(q) + sum_{I' in C(q)} sumv(I'), for all that is up to date."""
        play = {
            key: [self.faced_sum[key, action] for action in infoset.actions]
            for key, infoset in self.tree.infosets.items()
        }
        average = {
            key: [mass / sum(row) if sum(row) else 0.0 for mass in row] for key, row in play.items()
        }
        for player in (0, 1):
            leaves = leaf_values(self.tree, player, average)
            for infoset in self.tree.of_player(player):
                for action in infoset.actions:
                    q = (infoset.key, action)
                    if infoset.key in self.active and q not in self.pruned:
                        kids = sum(self.sumv[kid.key] for kid in self.branches.children[q])
                        expected = self.total_weight * leaves[q] + kids
                        assert self.action_sumv[q] == close(self, expected)


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize(("rule", "averaging"), RULES_AND_AVERAGINGS)
@pytest.mark.parametrize("game", GAMES, ids=short)
def test_catch_up_is_a_best_response_to_the_skipped_iterations(game, rule, averaging, updates):
    solver = Audited(game, rule, averaging, updates, min_skip=1)
    for _ in range(6):
        solver.step(10)
        solver.assert_sums_are_leaves_and_kids()
    # whatever is still pruned may return at any time
    for cell in sorted(solver.pruned, key=str):
        solver._end(cell)
    assert solver.active == set(solver.tree.infosets)
    solver.assert_sums_are_leaves_and_kids()
    assert solver.catch_ups > 0


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("rule", ["rm", "rm+"])
def test_catch_up_on_leduc(rule: str, updates: str):
    solver = Audited(Leduc(), rule, "uniform", updates, min_skip=1)
    solver.step(50)
    solver.assert_sums_are_leaves_and_kids()
    assert solver.catch_ups > 100
    assert solver.enclosed > 0
    assert solver.catch_ups == sum(event.kind == "end" for event in solver.events)


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("averaging", ["uniform", "linear"])
@pytest.mark.parametrize("game", [*GAMES, Leduc()], ids=short)
def test_until_the_first_catch_up_play_is_that_of_partial_pruning(game, averaging, updates):
    """A pruned action would not have been played anyway, so no sum of strategies differs.

    That is so in regret matching. Regret matching plus would play an action as soon as its regret
    increases, which the bound over several iterations does not tell.
    """
    plain = ReferenceCFR(game, "rm", averaging, updates, partial_pruning=True)
    solver = ReferenceRBP(game, "rm", averaging, updates, min_skip=8)
    for _ in range(40):
        plain.step()
        solver.step()
        if any(event.kind == "end" for event in solver.events):
            break
        now = solver.current_strategy()
        expected = plain.current_strategy()
        assert all(now[key] == expected[key] for key in solver.active)
        assert solver.strategy_sum == plain.strategy_sum
    assert solver.events


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("rule", ["rm", "rm+"])
@pytest.mark.parametrize("game", GAMES, ids=short)
def test_something_is_always_left_to_play(game, rule: str, updates: str):
    solver = ReferenceRBP(game, rule, "uniform", updates, min_skip=1)
    for _ in range(60):
        solver.step()
        for key, probabilities in solver.current_strategy().items():
            assert sum(probabilities) == pytest.approx(1)
            for action, p in zip(solver.tree.infosets[key].actions, probabilities, strict=True):
                assert p == 0.0 or (key, action) not in solver.pruned
        assert {key for key, _ in solver.pruned} <= solver.active


def test_one_action_is_kept_though_all_lose():
    """The one of largest regret, the first of equals."""
    solver = ReferenceRBP(Matrix([[-2], [-1], [-1], [-3]]), min_skip=1)
    solver.iteration = 1
    solver.reach_sum[0, "choose"] = 1.0
    for row, regret in enumerate([-20, -10, -10, -30]):
        solver.regret[(0, "choose"), row] = regret
    solver._prune(0)
    assert solver.pruned == {((0, "choose"), row) for row in (0, 2, 3)}
    assert solver.current_strategy()[0, "choose"] == [0, 1, 0, 0]


def test_searches_are_every_so_many_iterations():
    solver = ReferenceRBP(Leduc(), min_skip=1, check_every=4)
    solver.step(30)
    started = {event.iteration for event in solver.events if event.kind == "start"}
    ended = {event.iteration for event in solver.events if event.kind == "end"}
    assert started
    assert all(iteration % 4 == 0 for iteration in started)
    assert any(iteration % 4 != 0 for iteration in ended)


def test_reach_is_summed_over_skipped_iterations_too():
    solver = ReferenceRBP(Leduc(), min_skip=1)
    solver.step(30)
    assert any(event.kind == "end" for event in solver.events)
    for infoset in solver.tree.infosets.values():
        if infoset.key in solver.active:
            reach = 0.0
            for arrival in solver.branches.arrivals[infoset.key]:
                masses = [solver.faced_sum[sequence] for sequence in arrival.opponent]
                reach += arrival.chance * (masses[-1] if masses else solver.total_weight)
            assert solver.reach_sum[infoset.key] == close(solver, reach)


def test_pruning_frees_no_regrets():
    solver = ReferenceRBP(Leduc(), min_skip=1)
    solver.step(10)
    assert solver.pruned
    assert solver.space().regret_cells == solver.space().total_cells == 672


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"rule": "linear"}, "rule"), ({"min_skip": 0}, "min_skip"), ({"updates": "now"}, "updates")],
)
def test_wrong_parameters(parameters: dict, message: str):
    with pytest.raises(ValueError, match=message):
        ReferenceRBP(Matrix([[0]]), **parameters)
