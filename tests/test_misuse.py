"""What people may pass by mistake: every public name says so in one line, and computes nothing."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import secateur
from secateur import Strategy
from secateur.until import exploitability, iterations, nodes_touched, seconds
from support.small_games import compiled

KUHN, LEDUC = compiled("kuhn"), compiled("leduc")
RULES = secateur.load("kuhn")
UNIFORM = Strategy.uniform(KUHN)
NUMBERS = UNIFORM.probabilities
NOWHERE = Path("/no/such/directory/file")
CFR = secateur.recipes.cfr()


def with_numbers(value: float) -> np.ndarray:
    numbers = NUMBERS.copy()
    numbers[3] = value
    return numbers


def refused_pairs(function) -> list:
    """Return misuses of a function of a game and a strategy."""
    return [
        lambda: function(LEDUC, UNIFORM),
        lambda: function(RULES, UNIFORM),
        lambda: function("kuhn", UNIFORM),
        lambda: function(None, UNIFORM),
        lambda: function(KUHN, NUMBERS),
        lambda: function(KUHN, None),
        lambda: function(UNIFORM, KUHN),
    ]


def refused_triples(function) -> list:
    """Return misuses of a function of a game, a strategy and a player."""
    return [
        *refused_pairs(lambda game, strategy: function(game, strategy, 0)),
        *(
            lambda player=player: function(KUHN, UNIFORM, player)
            for player in (2, -1, 0.5, math.nan, "0", None, True)
        ),
    ]


MISUSES = {
    "AsymmetricPredictiveRegretMatchingPlus": [
        lambda: secateur.AsymmetricPredictiveRegretMatchingPlus(asymmetry=-1),
        lambda: secateur.AsymmetricPredictiveRegretMatchingPlus(math.inf),
        lambda: secateur.AsymmetricPredictiveRegretMatchingPlus("2"),
    ],
    "Averaging": [
        lambda: secateur.Averaging(-1),
        lambda: secateur.Averaging(math.nan),
        lambda: secateur.Averaging("linear"),
        lambda: secateur.Averaging(True),
        lambda: secateur.Averaging(1, delay=-1),
        lambda: secateur.Averaging(1, delay=0.5),
    ],
    "BestResponsePruning": [
        lambda: secateur.BestResponsePruning(minimum_skip=0),
        lambda: secateur.BestResponsePruning(minimum_skip="5"),
        lambda: secateur.BestResponsePruning(evaluations=math.inf),
        lambda: secateur.BestResponsePruning(restart=2),
        lambda: secateur.BestResponsePruning(duration="long"),
        lambda: secateur.BestResponsePruning(check_every=1.5),
        lambda: secateur.BestResponsePruning(discard=math.nan),
        lambda: secateur.BestResponsePruning(discard_rule="cubic"),
        lambda: secateur.BestResponsePruning(cut_played="no"),
        lambda: secateur.BestResponsePruning(softness=-0.5),
    ],
    "CFR": [
        lambda: secateur.CFR("rm+"),
        lambda: secateur.CFR(secateur.RegretMatching),
        lambda: secateur.CFR(averaging=1),
        lambda: secateur.CFR(pruning="brp"),
        lambda: secateur.CFR(pruning=None),
        lambda: secateur.CFR(pruning=secateur.NoPruning),
        lambda: secateur.CFR(updates="sometimes"),
        lambda: secateur.CFR(updates=["alternating"]),
        lambda: secateur.CFR(storage="float32"),
        lambda: secateur.CFR(count_nodes="yes"),
        lambda: secateur.CFR(thresholding=2.0),
        lambda: CFR.start("kuhn"),
        lambda: CFR.start(RULES),
        lambda: CFR.start(KUHN).step(2.5),
        lambda: CFR.start(KUHN).step(0),
        lambda: CFR.start(KUHN).step(True),
        lambda: CFR.start(KUHN).step(math.nan),
        lambda: CFR.start(KUHN).step(10**30),
        lambda: CFR.start(KUHN).restore({}),
        lambda: CFR.start(KUHN).restore(CFR.start(LEDUC).saved()),
        lambda: CFR.start(KUHN).restore(secateur.recipes.cfr_plus().start(KUHN).saved()),
    ],
    "DiscountedRegretMatching": [
        lambda: secateur.DiscountedRegretMatching(alpha=math.inf),
        lambda: secateur.DiscountedRegretMatching(beta="0"),
    ],
    "DiscountedRegretMatchingPlus": [
        lambda: secateur.DiscountedRegretMatchingPlus(alpha=math.nan),
        lambda: secateur.DiscountedRegretMatchingPlus(-1.5),
    ],
    "DynamicThresholding": [
        lambda: secateur.DynamicThresholding(0.5),
        lambda: secateur.DynamicThresholding(math.inf),
        lambda: secateur.DynamicThresholding(None),
    ],
    "EGT": [
        lambda: secateur.EGT(weights="even"),
        lambda: secateur.EGT(steps=2),
        lambda: secateur.EGT(balanced=1),
        lambda: secateur.EGT(threshold=1.0),
        lambda: secateur.EGT(threshold="0.1"),
        lambda: secateur.EGT(pruning="partial"),
        lambda: secateur.EGT(count_nodes=None),
        lambda: secateur.EGT().start(RULES),
        lambda: secateur.EGT().start(KUHN).step(1.5),
    ],
    "Exact": [
        lambda: secateur.Exact("simplex"),
        lambda: secateur.Exact().solve(RULES),
    ],
    "FictitiousPlay": [
        lambda: secateur.FictitiousPlay(pruning="brp"),
        lambda: secateur.FictitiousPlay(count_nodes=2),
        lambda: secateur.FictitiousPlay().start("kuhn"),
        lambda: secateur.FictitiousPlay().start(KUHN).step(-1),
    ],
    "Hedge": [lambda: secateur.Hedge("fast"), lambda: secateur.Hedge(0.1)],
    "OptimisticMirrorDescent": [
        lambda: secateur.OptimisticMirrorDescent(weights=2017),
        lambda: secateur.OptimisticMirrorDescent(steps="fixed"),
        lambda: secateur.OptimisticMirrorDescent(pruning="none"),
        lambda: secateur.OptimisticMirrorDescent(count_nodes="no"),
        lambda: secateur.OptimisticMirrorDescent().start(None),
    ],
    "PredictiveDiscountedRegretMatchingPlus": [
        lambda: secateur.PredictiveDiscountedRegretMatchingPlus(alpha=-2.3),
        lambda: secateur.PredictiveDiscountedRegretMatchingPlus(True),
    ],
    "RegretBasedPruning": [
        lambda: secateur.RegretBasedPruning(minimum_skip=math.nan),
        lambda: secateur.RegretBasedPruning(check_every=2.5),
    ],
    "RegretMatching": [lambda: secateur.RegretMatching(linear="yes")],
    "Storage": [lambda: secateur.Storage("float16"), lambda: secateur.Storage(np.float32)],
    "Strategy": [
        lambda: Strategy(KUHN, np.ones(3)),
        lambda: Strategy(KUHN, NUMBERS.reshape(2, -1)),
        lambda: Strategy(KUHN, 3.0 * NUMBERS),
        lambda: Strategy(KUHN, with_numbers(math.nan)),
        lambda: Strategy(KUHN, with_numbers(math.inf)),
        lambda: Strategy(KUHN, with_numbers(-0.5)),
        lambda: Strategy(KUHN, NUMBERS.astype(str)),
        lambda: Strategy(KUHN, NUMBERS > 0),
        lambda: Strategy(KUHN, [[1.0], 2.0]),
        lambda: Strategy(KUHN, None),
        lambda: Strategy(LEDUC, NUMBERS),
        lambda: Strategy(RULES, NUMBERS),
        lambda: Strategy("kuhn", NUMBERS),
        lambda: Strategy.uniform(RULES),
        lambda: Strategy.from_plan(KUHN, np.zeros(3)),
        lambda: Strategy.from_plan(KUHN, with_numbers(math.nan)),
        lambda: UNIFORM.at(2, "K"),
        lambda: UNIFORM.save(3),
        lambda: UNIFORM.save(NOWHERE),
    ],
    "action_values": refused_pairs(secateur.action_values),
    "best_response": refused_triples(secateur.best_response),
    "best_response_value": refused_triples(secateur.best_response_value),
    "compile": [
        lambda: secateur.compile("kuhn"),
        lambda: secateur.compile(KUHN),
        lambda: secateur.compile(None),
        lambda: secateur.compile(type(RULES)),
        lambda: secateur.compile(RULES, pruning="brp"),
        lambda: secateur.compile(RULES, thresholds=0.1),
        lambda: secateur.compile(RULES, observe=3),
    ],
    "counterfactual_best_response_values": refused_triples(
        secateur.counterfactual_best_response_values
    ),
    "expected_value": [
        *refused_pairs(secateur.expected_value),
        lambda: secateur.expected_value(KUHN, UNIFORM, Strategy.uniform(LEDUC)),
        lambda: secateur.expected_value(KUHN, UNIFORM, 1),
    ],
    "exploitability": refused_pairs(secateur.exploitability),
    "export_csv": [
        lambda: secateur.export_csv(NUMBERS, "file"),
        lambda: secateur.export_csv(UNIFORM, None),
        lambda: secateur.export_csv(UNIFORM, ""),
        lambda: secateur.export_csv(UNIFORM, NOWHERE),
    ],
    "export_open_spiel": [
        lambda: secateur.export_open_spiel("file", UNIFORM),
        lambda: secateur.export_open_spiel(UNIFORM, "file"),
    ],
    "load": [
        lambda: secateur.load(RULES),
        lambda: secateur.load(None),
        lambda: secateur.load("poker"),
        lambda: secateur.load("kuhn", cards="many"),
        lambda: secateur.load("kuhn", color="red"),
    ],
    "load_strategy": [
        lambda: secateur.load_strategy(RULES, "file"),
        lambda: secateur.load_strategy("file", KUHN),
        lambda: secateur.load_strategy(KUHN, None),
        lambda: secateur.load_strategy(KUHN, NOWHERE),
    ],
    "memory_ledger": [
        lambda: secateur.memory_ledger(RULES),
        lambda: secateur.memory_ledger("kuhn"),
        lambda: secateur.memory_ledger(CFR),
        lambda: secateur.memory_ledger(type(CFR.start(KUHN))),
        lambda: secateur.memory_ledger(None),
    ],
    "nash_conv": refused_pairs(secateur.nash_conv),
    "open_compiled": [
        lambda: secateur.open_compiled(KUHN),
        lambda: secateur.open_compiled(NOWHERE),
    ],
    "read_efg": [lambda: secateur.read_efg(None), lambda: secateur.read_efg(NOWHERE)],
    "read_gambit_profile": [
        lambda: secateur.read_gambit_profile(RULES, RULES, NOWHERE),
        lambda: secateur.read_gambit_profile(KUHN, KUHN, NOWHERE),
        lambda: secateur.read_gambit_profile(KUHN, RULES, 3),
        lambda: secateur.read_gambit_profile(KUHN, RULES, NOWHERE),
    ],
    "recipes": [
        lambda: secateur.recipes.cfr(pruning="brp"),
        lambda: secateur.recipes.dcfr(storage="float32"),
    ],
    "sample_play": [
        lambda: secateur.sample_play(KUHN, UNIFORM),
        lambda: secateur.sample_play(RULES, NUMBERS),
        lambda: secateur.sample_play(RULES, UNIFORM, 2.5),
        lambda: secateur.sample_play(RULES, UNIFORM, -1),
        lambda: secateur.sample_play(RULES, UNIFORM, 1, seed="a"),
        lambda: secateur.sample_play(RULES, UNIFORM, 1, opponent=3),
        lambda: secateur.sample_play(secateur.load("leduc"), UNIFORM),
    ],
    "save_compiled": [
        lambda: secateur.save_compiled(RULES, "file"),
        lambda: secateur.save_compiled(KUHN, 7),
        lambda: secateur.save_compiled(KUHN, NOWHERE),
    ],
    "translate_strategy": [
        lambda: secateur.translate_strategy(NUMBERS, KUHN, RULES),
        lambda: secateur.translate_strategy(UNIFORM, RULES, RULES),
        lambda: secateur.translate_strategy(UNIFORM, KUHN, KUHN),
        lambda: secateur.translate_strategy(UNIFORM, KUHN, "kuhn"),
    ],
    "solve": [
        lambda: secateur.solve(None),
        lambda: secateur.solve(3),
        lambda: secateur.solve("poker"),
        lambda: secateur.solve(KUHN, "magic"),
        lambda: secateur.solve(KUHN, warm_start=NOWHERE),
        lambda: secateur.solve(KUHN, warm_start=NUMBERS),
        lambda: secateur.solve(KUHN, warm_start=UNIFORM, warm_weight=0),
        lambda: secateur.solve(KUHN, warm_weight=3),
        lambda: secateur.solve(KUHN, secateur.CFR),
        lambda: secateur.solve(KUHN, secateur.RegretMatching()),
        lambda: secateur.solve(KUHN, until="soon"),
        lambda: secateur.solve(KUHN, until=0),
        lambda: secateur.solve(KUHN, until=math.nan),
        lambda: secateur.solve(KUHN, until=True),
        lambda: secateur.solve(KUHN, until=1000),
        lambda: secateur.solve(KUHN, until=np.int64(1000)),
        lambda: secateur.solve(KUHN, until=iterations(1), observe=3),
        lambda: secateur.solve(KUHN, "exact", until=1e-3),
        lambda: secateur.solve(KUHN, "exact", memory_limit=10**9),
        lambda: secateur.solve(KUHN, memory_limit=0.5),
        lambda: secateur.solve(KUHN, memory_limit=1000),
        lambda: secateur.solve("kuhn", cache=3),
    ],
    "to_open_spiel_policy": [
        lambda: secateur.to_open_spiel_policy(UNIFORM),
        lambda: secateur.to_open_spiel_policy(3),
        lambda: secateur.to_open_spiel_policy(NOWHERE),
    ],
    "PublicTree": [
        lambda: secateur.PublicTree(None),
        lambda: secateur.PublicTree("kuhn"),
        lambda: secateur.PublicTree(RULES),
    ],
    "cuts": [lambda: secateur.cuts(None), lambda: secateur.cuts(KUHN)],
    "largest_differences": [
        lambda: secateur.largest_differences(NUMBERS, UNIFORM),
        lambda: secateur.largest_differences(UNIFORM, None),
        lambda: secateur.largest_differences(UNIFORM, UNIFORM, most=0),
    ],
    "node_table": [
        lambda: secateur.node_table(NUMBERS, [1]),
        lambda: secateur.node_table(UNIFORM, []),
        lambda: secateur.node_table(UNIFORM, "1"),
        lambda: secateur.node_table(UNIFORM, [0]),
        lambda: secateur.node_table(UNIFORM, [1000]),
        lambda: secateur.node_table(UNIFORM, 1),
    ],
    "open_explorer": [
        secateur.open_explorer,
        lambda: secateur.open_explorer(3),
        lambda: secateur.open_explorer(NOWHERE),
    ],
    "threads": [
        *(
            lambda value=value: secateur.threads(value)
            for value in (0, -1, 1025, 1.5, math.nan, math.inf, "1", True, [1], 1j)
        ),
    ],
    "until": [
        *(
            lambda function=function, value=value: function(value)
            for function in (iterations, nodes_touched, seconds, exploitability)
            for value in (0, -1, math.nan, math.inf, "1", None, True, [1], 1j, np.array([1, 2]))
        ),
        lambda: iterations(2.5),
        lambda: nodes_touched(2.5),
    ],
    "open_run": [
        lambda: secateur.open_run(3),
        lambda: secateur.open_run("nowhere"),
        lambda: secateur.open_run(""),
    ],
    "resume": [
        lambda: secateur.resume(3),
        lambda: secateur.resume("nowhere"),
        lambda: secateur.resume("nowhere", until="soon"),
        lambda: secateur.resume("nowhere", until=-1.0),
        lambda: secateur.resume("nowhere", until=1000),
        lambda: secateur.resume("nowhere", checkpoint_every=0),
        lambda: secateur.resume("nowhere", memory_limit=0),
        lambda: secateur.resume("nowhere", memory_limit="1G"),
    ],
    "with_perfect_recall": [
        lambda: secateur.with_perfect_recall("leduc"),
        lambda: secateur.with_perfect_recall(KUHN),
    ],
    "write_efg": [
        lambda: secateur.write_efg(KUHN, "file"),
        lambda: secateur.write_efg(RULES, None),
        lambda: secateur.write_efg(RULES, NOWHERE),
    ],
    "write_gambit_profile": [
        lambda: secateur.write_gambit_profile(NUMBERS, RULES, "file"),
        lambda: secateur.write_gambit_profile(UNIFORM, KUHN, "file"),
        lambda: secateur.write_gambit_profile(UNIFORM, RULES, None),
        lambda: secateur.write_gambit_profile(UNIFORM, secateur.load("goofspiel"), NOWHERE),
    ],
}

TAKE_NOTHING = {
    *("CHANCE", "END"),
    *("FileError", "GameError", "ParameterError", "SecateurError"),
    *("NoPruning", "PartialPruning", "PredictiveRegretMatchingPlus", "RegretMatchingPlus"),
    "available",
}
NOT_MADE_BY_PEOPLE = {"CompiledGame", "Cuts", "NodeTable", "Result", "Run"}
ABSTRACT = {"Game", "PublicGame"}
OTHERWISE = {"metrics"}
"""A module whose functions are public names themselves."""


def test_every_public_name_is_misused():
    others = TAKE_NOTHING | NOT_MADE_BY_PEOPLE | ABSTRACT | OTHERWISE
    assert set(MISUSES) | others == set(secateur.__all__)
    assert not set(MISUSES) & others


@pytest.mark.parametrize(
    "misuse",
    [
        pytest.param(misuse, id=f"{name} {number}")
        for name, misuses in MISUSES.items()
        for number, misuse in enumerate(misuses)
    ],
)
def test_misuse_is_refused_in_one_line(misuse, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(secateur.SecateurError) as caught:
        misuse()
    message = str(caught.value)
    assert "\n" not in message
    assert "--" not in message  # these are Python's words
    assert len(message) < 1000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: secateur.CFR(pruning="brp"), r"CFR\(pruning='brp'\): .*BestResponsePruning\(\)"),
        (lambda: secateur.nash_conv(LEDUC, UNIFORM), "nash_conv: the strategy is of kuhn.*leduc"),
        (
            lambda: secateur.nash_conv("kuhn", UNIFORM),
            r"secateur\.compile\(secateur\.load\('kuhn'\)",
        ),
        (lambda: CFR.start(KUHN).step(2.5), r"step\(2\.5\): run a whole number of iterations"),
        (lambda: secateur.solve(KUHN, until=1000), r"use secateur\.until\.iterations\(1000\)"),
        (lambda: secateur.best_response_value(KUHN, UNIFORM, 2), "players are 0 and 1"),
        (lambda: Strategy(KUHN, 3.0 * NUMBERS), "sum to 3; they must sum to 1"),
        (lambda: Strategy(KUHN, with_numbers(math.nan)), "nan at information set"),
        (
            lambda: secateur.recipes.dcfr().start(KUHN).restore(CFR.start(KUHN).saved()),
            "saved by CFR.*RegretMatching.*but this is CFR.*Discounted",
        ),
    ],
)
def test_messages_say_what_was_asked_and_what_to_do(make, words: str):
    with pytest.raises(secateur.ParameterError, match=words):
        make()


@pytest.mark.parametrize("part", ["numbers", "arrays"])
@pytest.mark.parametrize(
    "wrong", [None, "1", True, [1.0], math.nan, -1, np.ones(2), np.ones((2, 1))]
)
def test_states_that_were_tampered_with_are_refused(part: str, wrong):
    state = CFR.start(KUHN)
    state.step(3)
    before, saved = state.nash_conv(), state.saved()
    for name in getattr(saved, part):
        harmed = saved._replace(**{part: {**getattr(saved, part), name: wrong}})
        with pytest.raises(secateur.ParameterError, match=f"restore: {name} "):
            state.restore(harmed)
    with pytest.raises(secateur.ParameterError, match="restore: "):
        state.restore(saved._replace(**{part: wrong}))
    assert state.nash_conv() == before


def test_names_of_attributes_may_be_read_but_strategies_do_not_change():
    numbers = NUMBERS.copy()
    strategy = Strategy(KUHN, numbers)
    numbers[:] = 7.0  # the strategy has its own
    assert np.array_equal(strategy.probabilities, NUMBERS)
    for array in (strategy.probabilities, strategy.plan):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_game_compiled_again_is_the_same_game():
    again = secateur.compile(RULES, pruning=True)
    assert secateur.nash_conv(again, UNIFORM) == secateur.nash_conv(KUHN, UNIFORM)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8, np.float64, np.float32, float])
def test_scalars_of_numpy_are_numbers(kind):
    assert secateur.Averaging(kind(2), kind(3)) == secateur.Averaging(2, 3)
    assert repr(secateur.Averaging(kind(2), kind(3))) == "Averaging(power=2.0, delay=3)"
    state = CFR.start(KUHN)
    state.step(kind(4))
    assert (state.iteration, type(state.iteration)) == (4, int)
    assert iterations(kind(5)) == iterations(5)
    assert secateur.best_response_value(KUHN, UNIFORM, kind(1)) == secateur.best_response_value(
        KUHN, UNIFORM, 1
    )
    assert secateur.CFR(count_nodes=np.bool_(True)) == secateur.CFR(count_nodes=True)


def test_fractions_are_numbers():
    assert seconds(Fraction(1, 2)) == seconds(0.5)


anything = st.builds(
    np.ones,
    arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=40),
    st.sampled_from([np.float64, np.float32, np.int64, np.bool_, np.complex128, object, "U3"]),
)


@given(anything)
def test_arrays_of_the_wrong_shape_or_type_are_refused(numbers: np.ndarray):
    with pytest.raises(secateur.ParameterError):
        Strategy(LEDUC, numbers)


bad_numbers = st.sampled_from([math.nan, math.inf, -math.inf, -1e-300, -1.0])


@given(st.integers(0, KUHN.cells - 1), bad_numbers)
def test_a_single_bad_number_is_found(place: int, bad: float):
    numbers = NUMBERS.copy()
    numbers[place] = bad
    for make in (Strategy, Strategy.from_plan):
        with pytest.raises(secateur.ParameterError):
            make(KUHN, numbers)


@given(st.integers(0, KUHN.cells - 1), st.floats(1e-5, 1e300))
def test_sums_other_than_one_are_found(place: int, more: float):
    numbers = NUMBERS.copy()
    numbers[place] += more
    with pytest.raises(secateur.ParameterError, match="must sum to 1"):
        Strategy(KUHN, numbers)
