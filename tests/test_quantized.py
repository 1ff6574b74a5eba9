"""Runs whose numbers are kept in 16 bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur import Averaging, NoPruning, PartialPruning, Storage, recipes
from secateur.games import Game
from secateur.kernels.regret_minimizers.quantized import BROKEN, MOST_EXPONENT
from secateur.runs.checkpoints import Checkpoint, Checkpoints, Identity, read_checkpoint
from support.long_games import Scaled
from support.runs import MINIMIZERS, UPDATES, started
from support.small_games import compiled, examples, loaded, random_games, ready_to_prune

INT16 = Storage("int16")
FAMILY = [name for name in MINIMIZERS if name != "hedge"]


def assert_kept_alike(first, second) -> None:
    assert first.saved().numbers == second.saved().numbers
    for name, part in first.saved().arrays.items():
        assert np.array_equal(part, second.saved().arrays[name]), name


@pytest.mark.parametrize("title", ["kuhn", "leduc"])
@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("minimizer", FAMILY)
def test_partial_pruning_and_sizes_of_steps_change_no_bit(minimizer: str, updates: str, title: str):
    plain, pruned, at_once = (
        started(compiled(title), minimizer, updates, storage=INT16, pruning=pruning)
        for pruning in (NoPruning(), PartialPruning(), PartialPruning())
    )
    for _ in range(40):
        plain.step()
        pruned.step()
        assert_kept_alike(plain, pruned)
    at_once.step(40)
    assert_kept_alike(plain, at_once)


@examples(60)
@given(game=random_games(), minimizer=st.sampled_from(FAMILY), updates=st.sampled_from(UPDATES))
def test_partial_pruning_changes_no_bit_in_random_games(game: Game, minimizer: str, updates: str):
    plain, pruned = (
        started(secateur.compile(game), minimizer, updates, storage=INT16, pruning=pruning)
        for pruning in (NoPruning(), PartialPruning())
    )
    plain.step(30)
    pruned.step(30)
    assert_kept_alike(plain, pruned)


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("minimizer", FAMILY)
def test_a_run_goes_on_from_what_was_saved(minimizer: str, updates: str):
    first, second = (
        started(compiled("leduc"), minimizer, updates, storage=INT16) for _ in range(2)
    )
    first.step(25)
    second.restore(first.saved())
    for each in (first, second):
        each.step(25)
    assert_kept_alike(first, second)


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("minimizer", FAMILY)
def test_it_stays_near_float64(minimizer: str, updates: str):
    kept, exact = (
        started(compiled("leduc"), minimizer, updates, storage=Storage(precision))
        for precision in ("int16", "float64")
    )
    for each in (kept, exact):
        each.step(1)
    np.testing.assert_allclose(kept.strategy_sum, exact.strategy_sum, atol=1e-4)
    largest = np.abs(exact.regret).max()
    np.testing.assert_allclose(kept.regret, exact.regret, atol=1e-4 * largest)
    for _ in range(9):
        for each in (kept, exact):
            each.step(11)
        assert kept.nash_conv() == pytest.approx(exact.nash_conv(), rel=0.6, abs=2e-3)


@pytest.mark.parametrize("recipe", ["sapcfr_plus", "cfr_plus", "dcfr"])
@pytest.mark.parametrize("title", ["kuhn", "leduc"])
def test_it_converges_to_a_thousandth_of_the_payoffs(title: str, recipe: str):
    state = getattr(recipes, recipe)(storage=INT16).start(compiled(title))
    state.step(5000)
    assert 0.0 < state.nash_conv() < 4e-3
    later = getattr(recipes, recipe)(storage=INT16).start(compiled(title))
    later.step(60_000)
    assert later.nash_conv() < 4e-3


def test_sums_go_on_growing_when_parts_are_much_smaller_than_a_unit():
    state = recipes.cfr(averaging=Averaging(0), storage=INT16).start(compiled("kuhn"))
    state.step(400_000)
    first_cards = slice(0, 6)  # what player 0 does first, with each of three cards
    assert state.strategy_sum[first_cards].sum() == pytest.approx(3 * 400_000, rel=1e-3)
    before = state.strategy_sum
    state.step(400)  # a unit is 8 by then
    gained = (state.strategy_sum - before)[first_cards].sum()
    assert gained == pytest.approx(3 * 400, abs=6 * 3 * 8)


@pytest.mark.parametrize("power", [5, 16])
def test_high_powers_of_averaging_fit(power: int):
    state = recipes.cfr_plus(averaging=Averaging(power), storage=INT16).start(compiled("kuhn"))
    state.step(2000)
    assert not state.has_nan()
    assert state.nash_conv() < 1e-2


@pytest.mark.parametrize("recipe", ["sapcfr_plus", "cfr"])
def test_strategies_are_distributions(recipe: str):
    game = compiled("leduc")
    state = getattr(recipes, recipe)(storage=INT16).start(game)
    for _ in range(5):
        for strategy in (state.current_strategy(), state.average_strategy()):
            for infoset in game.information_sets():
                assert strategy.probabilities[infoset.cells].sum() == pytest.approx(1.0, abs=1e-14)
        assert state.nash_conv() == secateur.nash_conv(game, state.average_strategy())
        state.step(50)


def test_what_is_played_first_is_uniform():
    state = recipes.sapcfr_plus(storage=INT16).start(compiled("leduc"))
    uniform = secateur.Strategy.uniform(compiled("leduc"))
    assert np.array_equal(state.strategy, uniform.probabilities)
    assert np.array_equal(state.average_strategy().probabilities, uniform.probabilities)


@pytest.mark.parametrize(
    ("recipe", "most"), [("sapcfr_plus", 6.8), ("dcfr", 4.8), ("cfr_plus", 4.7)]
)
def test_memory_is_two_bytes_a_number(recipe: str, most: float):
    game = ready_to_prune(loaded("leduc5"))
    solver = getattr(recipes, recipe)(storage=INT16)
    state = solver.start(game)
    small = sum(part.nbytes for part in state._held_by_sweeps().values())
    assert state.bytes_resident == solver.memory_estimate(game) + small
    assert state.bytes_resident / game.cells < most
    assert small < 0.05 * game.cells


@pytest.mark.parametrize("power", [-200, -30, 40, 200])
@pytest.mark.parametrize("recipe", ["sapcfr_plus", "dcfr"])
def test_only_exponents_know_the_unit_of_payoffs(recipe: str, power: int):
    plain, scaled = (
        getattr(recipes, recipe)(storage=INT16).start(
            secateur.compile(Scaled(secateur.load("leduc"), unit))
        )
        for unit in (1.0, 2.0**power)
    )
    for each in (plain, scaled):
        each.step(100)
    mine, theirs = plain.saved().arrays, scaled.saved().arrays
    for name in ("regret", "total", "total_exponent"):
        assert np.array_equal(mine[name], theirs[name])
    assert np.array_equal(plain.regret * 2.0**power, scaled.regret)
    assert scaled.nash_conv() == plain.nash_conv() * 2.0**power


@pytest.mark.parametrize("recipe", ["sapcfr_plus", "cfr"])
def test_payoffs_that_are_too_large_are_noticed(recipe: str):
    game = secateur.compile(Scaled(secateur.load("kuhn"), 1e300))
    state = getattr(recipes, recipe)(storage=INT16).start(game)
    for _ in range(3):
        state.step(20)
        assert state.has_nan()
    fresh = getattr(recipes, recipe)(storage=INT16).start(game)
    with pytest.raises(secateur.ParameterError, match="regret_exponent has numbers that are not"):
        fresh.restore(state.saved())
    with pytest.raises(secateur.SecateurError):
        secateur.solve(game, fresh.solver, secateur.until.iterations(50))


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("regret_exponent", BROKEN),
        ("regret_exponent", MOST_EXPONENT + 1),
        ("total_exponent", -MOST_EXPONENT - 1),
        ("total_exponent", np.iinfo(np.int16).min),
        ("regret", np.iinfo(np.int16).min),
    ],
)
def test_what_cannot_have_been_saved_is_refused(name: str, number: int):
    state, fresh = (recipes.sapcfr_plus(storage=INT16).start(compiled("leduc")) for _ in "ab")
    state.step(10)
    saved = state.saved()
    wrong = saved.arrays[name].copy()
    wrong[3] = number
    with pytest.raises(secateur.ParameterError, match=f"restore: {name} has numbers that are not"):
        fresh.restore(saved._replace(arrays={**saved.arrays, name: wrong}))
    assert fresh.iteration == 0
    assert not fresh.strategy_sum.any()


def test_checkpoints_keep_it(tmp_path):
    state, fresh = (recipes.sapcfr_plus(storage=INT16).start(compiled("leduc")) for _ in "ab")
    state.step(3)
    identity = Identity.of(state.game, state.solver)
    Checkpoints(tmp_path).write(identity, Checkpoint(state.saved(), [], 0.5), 3)
    [file] = tmp_path.iterdir()
    assert file.stat().st_size < 8 * state.game.cells + 4096
    fresh.restore(read_checkpoint(file, identity).saved)
    assert_kept_alike(state, fresh)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pruning": secateur.BestResponsePruning()}, "int16 storage: use float64"),
        ({"pruning": secateur.RegretBasedPruning()}, "int16 storage: use float64"),
        ({"thresholding": secateur.DynamicThresholding(2)}, "use float64 or float32"),
        ({"minimizer": secateur.Hedge()}, "use float64 or float32"),
    ],
)
def test_what_does_not_go_with_it_is_refused_in_a_sentence(options: dict, words: str):
    with pytest.raises(secateur.ParameterError, match=words):
        secateur.CFR(storage=INT16, **options)
