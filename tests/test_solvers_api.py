"""How runs are started, watched, stopped and read."""

from __future__ import annotations

import signal
import time

import numpy as np
import pandas as pd
import pytest

import secateur
from reference.small_games import Matrix
from secateur import Strategy, running
from secateur.algorithms import ALGORITHMS, find_algorithm
from secateur.conditions import Kind
from secateur.kernels.regret_minimizers import sweep
from support.runs import UPDATES, assert_same_bits
from support.small_games import Scaled, compiled

LEDUC = compiled("leduc")
KUHN = compiled("kuhn")


def test_rules_and_compiled_games_are_solved_alike():
    by_rules = secateur.solve(secateur.load("kuhn"), until=secateur.until.iterations(20))
    by_arrays = secateur.solve(KUHN, until=secateur.until.iterations(20))
    assert np.array_equal(by_rules.strategy.probabilities, by_arrays.strategy.probabilities)


def test_default_runs_down_to_a_share_of_what_is_at_stake():
    result = secateur.solve(KUHN)
    assert result.solver == secateur.recipes.sapcfr_plus()
    assert result.exploitability <= 2e-4  # 2 can be won or lost
    assert result.ending.kind is Kind.EXPLOITABILITY
    assert result.ending.condition == (
        "exploitability at most 0.0002, 0.0001 of half the range of payoffs, was reached"
    )


@pytest.mark.parametrize("factor", [1e-4, 1e-9, 1e6])
def test_default_target_does_not_depend_on_the_unit_of_payoffs(factor: float):
    usual = secateur.solve(LEDUC)
    scaled = secateur.solve(secateur.compile(Scaled(secateur.load("leduc"), factor)))
    assert scaled.iterations == pytest.approx(usual.iterations, rel=0.1)
    assert scaled.exploitability == pytest.approx(factor * usual.exploitability, rel=0.2)


def test_where_all_payoffs_are_the_same_a_run_ends_at_once():
    for constant in (0.0, 1.0 / 3.0):
        result = secateur.solve(secateur.compile(Matrix([[constant, constant], [constant] * 2])))
        assert result.iterations == 1


def test_payoffs_of_a_game_are_known():
    assert LEDUC.payoffs == (-13.0, 13.0)  # by public state
    assert secateur.compile(Scaled(secateur.load("leduc"), 0.5)).payoffs == (-6.5, 6.5)
    assert secateur.compile(Matrix([[3.0, -1.0], [0.0, 2.0]])).payoffs == (-1.0, 3.0)


def test_compiling_kernels_does_not_count_as_solving(monkeypatch):
    """That nothing is left to be compiled then, is a matter of tests/cli/test_cli_kernels.py."""
    monkeypatch.setattr(running, "prepare_kernels", lambda *_, **__: time.sleep(0.6))
    until = secateur.until.exploitability(1e-9) | secateur.until.seconds(0.2)
    result = secateur.solve("kuhn", "cfr", until)
    assert result.iterations > 100
    assert 0.2 <= result.seconds < 0.6 <= result.compile_seconds


class Broken:
    """A record of a run whose numbers are none."""

    def __init__(self, harm) -> None:
        self.harm = harm
        self.kept = 0

    def begin(self, state):
        self.harm(state)
        return [], 0.0

    def look(self, snapshot):
        pass

    def is_due(self):
        return True

    def keep(self, *_):
        self.kept += 1


def no_regrets(state):
    state.regret[:] = np.nan


def no_average(state):
    state.strategy_sum[:] = np.inf


@pytest.mark.parametrize("harm", [no_regrets, no_average])
def test_runs_that_are_not_finite_end_and_are_not_kept(harm):
    record = Broken(harm)
    with pytest.raises(secateur.SecateurError, match="no longer finite"):
        running.solve(KUHN, "cfr", secateur.until.iterations(10), record=record)
    assert record.kept == 0


@pytest.mark.parametrize("number", [1, 2, 7, 100, 1234])
def test_run_has_exactly_the_number_of_iterations(number: int):
    result = secateur.solve(KUHN, secateur.recipes.cfr(), secateur.until.iterations(number))
    assert result.iterations == number
    assert result.history[-1].iteration == number


def test_either_condition_ends_a_run():
    loose, tight = secateur.until.exploitability(1e-2), secateur.until.exploitability(1e-9)
    by_target = secateur.solve(LEDUC, until=loose | secateur.until.iterations(10_000))
    assert by_target.exploitability <= 1e-2
    assert by_target.iterations < 10_000
    by_number = secateur.solve(LEDUC, until=secateur.until.iterations(50) | tight)
    assert by_number.iterations == 50


def test_both_conditions_end_a_run():
    by_number = secateur.solve(
        LEDUC, until=secateur.until.exploitability(1.0) & secateur.until.iterations(300)
    )
    assert by_number.iterations >= 300
    by_target = secateur.solve(
        LEDUC, until=secateur.until.exploitability(1e-2) & secateur.until.iterations(10)
    )
    assert by_target.iterations > 10
    assert by_target.exploitability <= 1e-2
    later = secateur.solve(
        LEDUC, until=secateur.until.iterations(10) & secateur.until.iterations(30)
    )
    assert later.iterations == 30


def test_conditions_nest():
    until = (
        secateur.until.iterations(500) & secateur.until.exploitability(1.0)
    ) | secateur.until.iterations(40)
    assert secateur.solve(LEDUC, until=until).iterations == 40


def test_time_ends_a_run_at_the_end_of_an_iteration():
    begin = time.perf_counter()
    result = secateur.solve(LEDUC, secateur.recipes.cfr(), secateur.until.seconds(0.2))
    assert 0.2 <= result.seconds <= time.perf_counter() - begin < 30.0
    assert result.iterations > 1
    assert result.ending.kind is Kind.SECONDS


@pytest.mark.parametrize(
    ("until", "kind", "sentence"),
    [
        (
            secateur.until.exploitability(0.1),
            "exploitability",
            "exploitability at most 0.1 was reached",
        ),
        (secateur.until.iterations(1), "iterations", "1 iteration was done"),
        (
            secateur.until.exploitability(1e-9) | secateur.until.iterations(1200),
            "iterations",
            "1,200 iterations were done",
        ),
        (
            secateur.until.seconds(0.05) | secateur.until.iterations(10**9),
            "seconds",
            "0.05 seconds had passed",
        ),
        (secateur.until.nodes_touched(1000), "nodes_touched", "1,000 nodes were touched"),
        (
            secateur.until.iterations(5) & secateur.until.exploitability(0.5),
            "condition",
            "5 iterations were done and exploitability at most 0.5 was reached",
        ),
    ],
)
def test_ending_says_which_condition_ended_the_run(until, kind: str, sentence: str):
    ending = secateur.solve(KUHN, until=until).ending
    assert (ending.kind, ending.condition) == (kind, sentence)
    assert str(ending) == sentence


def test_result_tells_what_each_player_could_win():
    result = secateur.solve(LEDUC, until=secateur.until.iterations(10))
    for player in range(2):
        assert result.best_response_values[player] == secateur.best_response_value(
            LEDUC, result.strategy, player
        )
    assert sum(result.best_response_values) == pytest.approx(result.nash_conv)


def test_a_name_and_a_number_are_enough():
    result = secateur.solve("kuhn", "dcfr", until=1e-3)
    assert result.game.name == "kuhn"
    assert result.solver == secateur.recipes.dcfr()
    assert result.exploitability <= 1e-3
    assert result.ending.condition == "exploitability at most 0.001 was reached"
    assert secateur.solve("kuhn", "lp").solver == secateur.Exact()


@pytest.mark.parametrize("name", ["cfr+", "CFR+", "cfrplus", "cfr_plus", "CFR plus", "Cfr-Plus"])
def test_names_of_algorithms_are_understood_however_they_are_spelled(name: str):
    assert find_algorithm(name).solver() == secateur.recipes.cfr_plus()


@pytest.mark.parametrize(
    ("name", "recipe"),
    [
        ("dcfrplus", "dcfr_plus"),
        ("Discounted CFR+", "dcfr_plus"),
        ("PDCFR plus", "pdcfr_plus"),
        ("predictive_discounted_cfr_plus", "pdcfr_plus"),
        ("SAPCFR-plus", "sapcfr_plus"),
        ("Simple APCFR+", "sapcfr_plus"),
    ],
)
def test_names_of_later_algorithms_are_understood_as_well(name: str, recipe: str):
    assert find_algorithm(name).solver() == getattr(secateur.recipes, recipe)()


def test_every_algorithm_has_a_name():
    made = {name: each.solver() for name, each in ALGORITHMS.items()}
    for recipe in secateur.recipes.__all__:
        assert getattr(secateur.recipes, recipe)() in made.values()
    kinds = {type(solver).__name__ for solver in made.values()}
    assert kinds == {"CFR", "EGT", "FictitiousPlay", "OptimisticMirrorDescent", "Exact"}


def test_unknown_algorithms_get_the_nearest_name_and_all_of_them():
    with pytest.raises(secateur.ParameterError) as caught:
        secateur.solve("kuhn", "dcrf")
    assert str(caught.value) == (
        f"unknown algorithm 'dcrf'; did you mean 'dcfr'? choose from {', '.join(ALGORITHMS)}"
    )


def test_nodes_are_counted_when_a_condition_needs_them():
    result = secateur.solve(LEDUC, secateur.recipes.cfr(), secateur.until.nodes_touched(100_000))
    assert result.solver.count_nodes
    assert result.nodes_touched >= 100_000
    assert result.history[-2].nodes_touched < 100_000
    combined = secateur.until.nodes_touched(10_000) | secateur.until.iterations(10_000)
    assert secateur.solve(LEDUC, until=combined).nodes_touched >= 10_000
    assert secateur.solve(LEDUC, until=secateur.until.iterations(5)).nodes_touched is None


@pytest.mark.parametrize(
    "make",
    [
        lambda: secateur.until.iterations(0),
        lambda: secateur.until.seconds(0),
        lambda: secateur.until.seconds(float("nan")),
        lambda: secateur.until.exploitability(0.0),
        lambda: secateur.until.exploitability(-1.0),
        lambda: secateur.until.nodes_touched(0),
        lambda: secateur.Averaging(-1),
        lambda: secateur.Averaging(float("nan")),
        lambda: secateur.Averaging(0, delay=-1),
        lambda: secateur.Storage("float16"),
        lambda: secateur.CFR(updates="sometimes"),
        lambda: secateur.DiscountedRegretMatching(alpha=float("inf")),
        lambda: secateur.recipes.cfr().start(KUHN).step(0),
    ],
)
def test_impossible_values_are_refused(make):
    with pytest.raises(secateur.ParameterError) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_history_is_a_table():
    result = secateur.solve(
        LEDUC, secateur.recipes.cfr(count_nodes=True), secateur.until.iterations(60)
    )
    table = pd.DataFrame(result.history)
    assert list(table.columns) == [
        "iteration",
        "seconds",
        "nash_conv",
        "exploitability",
        "nodes_touched",
        "bytes_resident",
        "alive",
        "space",
    ]
    assert table["iteration"].is_monotonic_increasing
    assert table["iteration"].is_unique
    assert table["seconds"].is_monotonic_increasing
    assert table["nodes_touched"].is_monotonic_increasing
    assert (table["exploitability"] == table["nash_conv"] / 2).all()
    assert (table["nash_conv"] > -1e-12).all()
    last = table.iloc[-1]
    assert last["nash_conv"] == result.nash_conv
    assert last["iteration"] == result.iterations == 60
    assert result.bytes_resident == last["bytes_resident"] > LEDUC.size.bytes


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("recipe", [each for each in secateur.recipes.__all__ if each != "hedge"])
def test_stepping_by_hand_is_solving(recipe: str, updates: str):
    solver = getattr(secateur.recipes, recipe)(updates=updates)
    result = secateur.solve(LEDUC, solver, secateur.until.iterations(75))
    state = solver.start(LEDUC)
    for _ in range(5):
        state.step(15)
    assert np.array_equal(state.average_strategy().probabilities, result.strategy.probabilities)
    assert state.nash_conv() == pytest.approx(result.nash_conv, rel=1e-12)


def test_looking_at_a_state_does_not_change_it():
    solver = secateur.recipes.pcfr_plus()
    watched, alone = solver.start(LEDUC), solver.start(LEDUC)
    for _ in range(10):
        watched.step()
        watched.nash_conv()
        secateur.best_response(LEDUC, watched.average_strategy(), 0)
        secateur.expected_value(LEDUC, watched.current_strategy())
        alone.step()
    assert_same_bits(watched, alone)


def test_strategies_of_a_state_do_not_follow_its_later_steps():
    state = secateur.recipes.cfr().start(KUHN)
    state.step(3)
    average, current = state.average_strategy(), state.current_strategy()
    before = average.probabilities.copy(), current.probabilities.copy()
    state.step(5)
    assert np.array_equal(average.probabilities, before[0])
    assert np.array_equal(current.probabilities, before[1])


def test_observer_sees_every_snapshot():
    lengths = []
    result = secateur.solve(
        LEDUC,
        until=secateur.until.iterations(100),
        observe=lambda history: lengths.append(len(history)),
    )
    assert lengths == list(range(1, len(result.history) + 1))


def test_interrupt_in_the_observer_ends_the_run_with_what_was_found():
    def stop(history):
        if len(history) == 10:
            raise KeyboardInterrupt

    result = secateur.solve(LEDUC, until=secateur.until.iterations(100_000), observe=stop)
    assert result.ending.kind is Kind.INTERRUPTED
    assert result.iterations == result.history[-1].iteration < 100_000
    assert result.nash_conv == pytest.approx(secateur.nash_conv(LEDUC, result.strategy), rel=1e-9)


def test_interrupt_during_an_iteration_leaves_a_consistent_result(monkeypatch):
    """Python handles a signal as soon as a kernel has returned, before anything else."""
    finished = []
    real = sweep.iterate

    def interrupted(*arguments):
        nodes = real(*arguments)
        finished.append(len(arguments[2]))
        if len(finished) == 20:
            signal.raise_signal(signal.SIGINT)
        return nodes

    monkeypatch.setattr(sweep, "iterate", interrupted)
    result = secateur.solve(LEDUC, secateur.recipes.cfr(), secateur.until.iterations(100_000))
    assert result.ending.kind is Kind.INTERRUPTED
    assert result.nash_conv == pytest.approx(secateur.nash_conv(LEDUC, result.strategy), rel=1e-9)
    assert result.iterations == sum(finished)


def test_strategy_is_a_mapping_from_labels():
    result = secateur.solve(KUHN, until=secateur.until.iterations(500))
    strategy = result.strategy
    assert len(strategy) == 12
    assert set(strategy) == {each.label for each in KUHN.information_sets()}
    assert set(strategy["K bet"]) == {"fold", "call"}
    assert strategy["K bet"]["call"] > 0.99
    assert strategy["J bet"]["fold"] > 0.99
    assert strategy.at(1, "K bet") == strategy["K bet"]
    for label in strategy:
        assert sum(strategy[label].values()) == pytest.approx(1.0)


def test_unknown_labels_are_key_errors():
    strategy = Strategy.uniform(KUHN)
    with pytest.raises(KeyError):
        strategy["X bet"]
    with pytest.raises(KeyError):
        strategy.at(0, "K bet")
    assert "X bet" not in strategy
    assert strategy.get("X bet") is None


def test_label_of_both_players_must_be_asked_for_by_player():
    game = secateur.compile(Matrix([[1.0, -1.0], [-1.0, 1.0]]))
    strategy = Strategy.uniform(game)
    with pytest.raises(secateur.ParameterError, match=r"strategy\.at\(player, 'choose'\)"):
        strategy["choose"]
    assert strategy.at(0, "choose") == strategy.at(1, "choose") == {"0": 0.5, "1": 0.5}
