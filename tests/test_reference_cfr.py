"""The oracle's iterations: by hand, by their invariants, and by what they converge to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference import (
    Averaging,
    Discounted,
    DiscountedPlus,
    PredictiveDiscountedPlus,
    ReferenceCFR,
)
from reference.local_rules import RULES, normalized
from reference.metrics import (
    best_response_value,
    counterfactual_best_response_values,
    expected_value,
    nash_conv,
)
from reference.small_games import Coin, Kuhn, Matrix
from reference.traversal import counterfactual_values

UPDATES = ["alternating", "simultaneous"]
ROW, COLUMN = (0, "choose"), (1, "choose")


@pytest.mark.parametrize(
    ("rule", "regrets", "scores"),
    [
        ("rm", [-2, 3], [0, 3]),
        ("rm+", [0, 3], [0, 3]),
        ("linear", [-10, 15], [0, 15]),
        ("dcfr+", [0, 3], [0, 3]),
        ("pcfr+", [0, 3], [0, 6]),
        ("pdcfr+", [0, 3], [0, 4.5]),  # half of 3 is left, and 3 is predicted
        ("sapcfr+", [0, 3], [0, 4]),
    ],
)
def test_rules_from_zero(rule: str, regrets: list[float], scores: list[float]):
    seen = [-2.0, 3.0]
    t = 5 if rule == "linear" else 1
    after = RULES[rule].update([0.0, 0.0], seen, t)
    assert after == regrets
    assert RULES[rule].scores(after, seen, t) == scores


def test_discounts():
    rule = Discounted(alpha=1.5, beta=0)
    assert rule.update([0.0, 0.0], [1.0, -1.0], t=1) == [1.0, -1.0]
    # at t = 5: (5-1)^1.5 = 8, so positive regrets keep 8/9 and the others one half
    assert rule.update([9.0, -6.0, 0.0], [1.0, 1.0, -1.0], t=5) == [9.0, -2.0, -1.0]
    # a negative exponent makes old losses vanish: 2^-1 / (2^-1 + 1) = 1/3
    assert Discounted(alpha=1, beta=-1).update([3.0, -3.0], [0.0, 0.0], t=3) == [2.0, -1.0]


def test_discounts_with_a_floor():
    # at t = 5: 4^1.5 = 8, so 8/9 is kept; what falls below zero is forgotten
    rule = DiscountedPlus(alpha=1.5)
    assert rule.update([9.0, 9.0, 0.0], [1.0, -10.0, -1.0], t=5) == [9.0, 0.0, 0.0]
    assert rule.scores([9.0, 0.0, 0.0], [1.0, -10.0, -1.0], t=5) == [9.0, 0.0, 0.0]
    # 4^2 = 16 discounts before the prediction for t = 5, 3^2 = 9 before what was seen at t = 4
    rule = PredictiveDiscountedPlus(alpha=2.0)
    assert rule.update([10.0, 20.0], [8.0, -1.0], t=4) == [17.0, 17.0]
    assert rule.scores([17.0, 17.0], [8.0, -1.0], t=4) == [24.0, 15.0]


def test_no_positive_regret_means_uniform():
    assert normalized([0.0, 0.0, 0.0, 0.0]) == [0.25] * 4


@pytest.mark.parametrize(
    ("averaging", "weights"),
    [
        (Averaging(0), [1, 1, 1, 1]),
        (Averaging(1), [1, 2, 3, 4]),
        (Averaging(2), [1, 4, 9, 16]),
        (Averaging(1, delay=2), [0, 0, 1, 2]),
        (Averaging(0, delay=2), [0, 0, 1, 1]),
    ],
)
def test_average_weights(averaging: Averaging, weights: list[float]):
    assert [averaging.weight(t) for t in (1, 2, 3, 4)] == weights


def test_simultaneous_iterations_by_hand():
    solver = ReferenceCFR(Matrix([[3, -1], [-2, 1]]), "rm", "uniform", "simultaneous")
    solver.step()
    # against (1/2, 1/2) rows win 1 and -1/2, value 1/4; columns win -1/2 and 0, value -1/4
    assert [solver.regret[ROW, a] for a in (0, 1)] == [0.75, -0.75]
    assert [solver.regret[COLUMN, a] for a in (0, 1)] == [-0.25, 0.25]
    assert solver.current_strategy() == {ROW: [1, 0], COLUMN: [0, 1]}
    assert solver.average_strategy() == {ROW: [0.5, 0.5], COLUMN: [0.5, 0.5]}
    solver.step()
    # now rows win -1 and 1, value -1; columns win -3 and 1, value 1
    assert [solver.regret[ROW, a] for a in (0, 1)] == [0.75, 1.25]
    assert [solver.regret[COLUMN, a] for a in (0, 1)] == [-4.25, 0.25]
    assert solver.current_strategy() == {ROW: [0.375, 0.625], COLUMN: [0, 1]}
    assert solver.average_strategy() == {ROW: [0.75, 0.25], COLUMN: [0.25, 0.75]}


def test_alternating_iterations_by_hand():
    solver = ReferenceCFR(Matrix([[3, -1], [-2, 1]]), "rm", "linear", "alternating")
    solver.step()
    # rows as above; columns already meet the first row: they win -3 and 1, value -1
    assert [solver.regret[ROW, a] for a in (0, 1)] == [0.75, -0.75]
    assert [solver.regret[COLUMN, a] for a in (0, 1)] == [-2, 2]
    # player 1 faced (1, 0), player 0 faced (1/2, 1/2)
    assert solver.average_strategy() == {ROW: [1, 0], COLUMN: [0.5, 0.5]}
    solver.step()
    # against the second column rows win -1 and 1, value -1; the new mix is (3/8, 5/8)
    assert [solver.regret[ROW, a] for a in (0, 1)] == [0.75, 1.25]
    # against that mix columns win -(9/8 - 10/8) and -(-3/8 + 5/8), value -1/4
    assert [solver.regret[COLUMN, a] for a in (0, 1)] == [-2 + 3 / 8, 2]
    row = (Fraction(1) + 2 * Fraction(3, 8)) / 3
    assert solver.average_strategy() == {
        ROW: pytest.approx([float(row), float(1 - row)]),
        COLUMN: pytest.approx([0.5 / 3, (0.5 + 2) / 3]),
    }


def test_prediction_lasts_one_iteration():
    solver = ReferenceCFR(Matrix([[3, -1], [-2, 1]]), "pcfr+", "uniform", "simultaneous")
    solver.step(2)
    # r^1 = (3/4, -3/4) makes the first row certain; r^2 = (0, 2) for rows as by regret matching
    assert [solver.regret[ROW, a] for a in (0, 1)] == [0.75, 2.0]
    # the strategy is proportional to (3/4 + 0, 2 + 2)
    assert solver.current_strategy()[ROW] == pytest.approx([0.75 / 4.75, 4 / 4.75])


def regret_in_hindsight(solver: ReferenceCFR, player: int) -> float:
    """Return max_x sum_t w_t (v_i(x, sigma^t) - v_i^t), put together from local regrets.

    G(I) = max_a [R(I, a) + sum_{I' in C(I, a)} G(I')], summed over a player's first decisions.
    """
    total = dict(solver.regret)
    total[None] = 0.0
    for infoset in reversed(solver.tree.of_player(player)):
        total[infoset.parent] += max(total[infoset.key, a] for a in infoset.actions)
    return total[None]


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize(("rule", "averaging"), [("rm", "uniform"), ("linear", "linear")])
def test_regrets_and_averages_speak_of_the_same_strategies(rule: str, averaging: str, updates: str):
    """Regret in hindsight = W BR(average that was faced) - sum_t w_t v_i^t, for both players."""
    solver = ReferenceCFR(Kuhn(), rule, averaging, updates)
    won, total_weight = [0.0, 0.0], 0.0
    for _ in range(50):
        before = solver.current_strategy()
        solver.step()
        met_second = before
        if updates == "alternating":
            new = solver.current_strategy()
            met_second = {key: (new, before)[key[0]][key] for key in before}
        weight = solver.averaging.weight(solver.iteration)
        total_weight += weight
        won[0] += weight * expected_value(solver.tree, before)
        won[1] -= weight * expected_value(solver.tree, met_second)
    average = solver.average_strategy()
    for player in (0, 1):
        could_have_won = total_weight * best_response_value(solver.tree, player, average)
        assert regret_in_hindsight(solver, player) == pytest.approx(
            could_have_won - won[player], abs=1e-11 * total_weight
        )


@pytest.mark.parametrize("updates", UPDATES)
def test_cumulative_values_are_those_of_the_faced_average(updates: str):
    """At a player's last decisions Q(I, a) = sum_t v^t(I, a) is linear in what was faced."""
    iterations = 30
    solver = ReferenceCFR(Kuhn(), "rm", "uniform", updates)
    solver.step(iterations)
    average = solver.average_strategy()
    for player in (0, 1):
        faced = counterfactual_best_response_values(solver.tree, player, average)
        parents = {i.parent[0] for i in solver.tree.of_player(player) if i.parent}
        for infoset in solver.tree.of_player(player):
            if infoset.key in parents:
                continue
            first, second = ((infoset.key, action) for action in infoset.actions)
            assert solver.regret[first] - solver.regret[second] == pytest.approx(
                iterations * (faced[first] - faced[second]), abs=1e-12
            )


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize(
    ("rule", "averaging"),
    [
        ("rm", "uniform"),
        ("rm+", "linear"),
        ("rm+", Averaging(1, delay=10)),
        ("linear", "linear"),
        ("dcfr", "quadratic"),
        ("dcfr+", Averaging(4)),
        ("pcfr+", "quadratic"),
        ("pdcfr+", Averaging(5)),
        ("sapcfr+", "quadratic"),
    ],
)
@pytest.mark.parametrize("game", [Kuhn(), Coin()], ids=str)
def test_partial_pruning_changes_only_the_cost(game, rule: str, averaging, updates: str):
    full = ReferenceCFR(game, rule, averaging, updates)
    pruned = ReferenceCFR(game, rule, averaging, updates, partial_pruning=True)
    for t in range(1, 61):
        full.step()
        pruned.step()
        assert pruned.regret == full.regret
        assert pruned.current_strategy() == full.current_strategy()
        assert pruned.strategy_sum == full.strategy_sum
        assert full.nodes_touched == 2 * t * full.tree.size
    assert pruned.nodes_touched < full.nodes_touched


def test_a_skipped_action_costs_its_whole_subtree_only():
    solver = ReferenceCFR(Coin(), partial_pruning=True)
    strategy = {(0, "H"): [1.0, 0.0], (0, "T"): [0.0, 1.0], (1, "bet"): [0.0, 1.0]}
    # player 0: neither call; player 1: not the passed heads, not the bet tails with its two ends
    assert counterfactual_values(solver.tree, 0, strategy, True).nodes_touched == 11 - 2
    assert counterfactual_values(solver.tree, 1, strategy, True).nodes_touched == 11 - 1 - 3


@pytest.mark.parametrize(
    ("rule", "averaging", "alternating", "simultaneous"),
    [
        ("rm", "uniform", 2e-3, 2e-2),
        ("rm+", "linear", 2e-4, 1e-2),
        ("linear", "linear", 2e-4, 2e-2),
        ("dcfr", "quadratic", 4e-4, 2e-2),
        ("dcfr+", Averaging(4), 1e-3, 2e-2),
        ("pcfr+", "quadratic", 1e-7, 1e-4),
        ("pdcfr+", Averaging(5), 1e-7, 1e-4),
        ("sapcfr+", "quadratic", 1e-7, 1e-2),
    ],
)
def test_every_rule_solves_kuhn(rule: str, averaging, alternating: float, simultaneous: float):
    for updates, reached in (("alternating", alternating), ("simultaneous", simultaneous)):
        solver = ReferenceCFR(Kuhn(), rule, averaging, updates, partial_pruning=True)
        solver.step(1000)
        average = solver.average_strategy()
        assert nash_conv(solver.tree, average) < reached
        assert expected_value(solver.tree, average) == pytest.approx(-1 / 18, abs=reached)


def test_where_a_player_never_came_the_average_is_uniform():
    solver = ReferenceCFR(Kuhn(), "rm", Averaging(1, delay=5))
    solver.step(5)
    assert solver.average_strategy() == solver.tree.uniform_strategy()


def test_unknown_update_mode_is_refused():
    with pytest.raises(ValueError, match="sometimes"):
        ReferenceCFR(Coin(), updates="sometimes")
