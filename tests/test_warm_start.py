"""Runs that begin with a strategy: regrets against the oracle, and how such runs go on."""

from __future__ import annotations

import random
from functools import cache
from math import inf
from pathlib import Path

import numpy as np
import pytest

import secateur
from reference.branches import Branches
from reference.local_rules import RULES
from reference.small_games import Kuhn
from reference.tree import Strategy as Profile
from reference.warm_start import following, least_softness, repeated, scales, substituted
from secateur import CFR, Averaging, CompiledGame, FileError, ParameterError, Strategy
from secateur.games.leduc import Leduc
from secateur.games.random_game import RandomGame
from secateur.solvers import warm_start
from support.oracle import Bridge
from support.runs import MINIMIZERS
from support.small_games import compiled

GAMES = [
    Kuhn(),
    RandomGame(seed=4),
    RandomGame(seed=7, structured=True, depth=6),
    RandomGame(seed=8, depth=6, chance_moves=0.1),
]
SUMS = ("rm", "linear")
LED = ("rm+", "dcfr", "dcfr+", "pcfr+", "pdcfr+", "sapcfr+")
"""Minimizers with floors or discounts: their regrets lead back to the strategy."""

RECIPES = {
    "cfr": secateur.recipes.cfr,
    "cfr+": secateur.recipes.cfr_plus,
    "dcfr": secateur.recipes.dcfr,
    "sapcfr+": secateur.recipes.sapcfr_plus,
}


@cache
def liars_dice() -> CompiledGame:
    return secateur.compile(secateur.load("liars-dice"), pruning=True)


def profile_of(bridge: Bridge, seed: int = 0, zeros: float = 0.2) -> Profile:
    """Return a random strategy that does not play everything."""
    chance = random.Random(seed)
    found = {}
    for key, infoset in bridge.tree.infosets.items():
        shares = [
            0.0 if chance.random() < zeros else chance.random() + 0.01 for _ in infoset.actions
        ]
        shares[chance.randrange(len(shares))] += 0.1
        found[key] = [each / sum(shares) for each in shares]
    return found


@pytest.fixture(params=GAMES, ids=lambda game: f"{game.name} {getattr(game, 'seed', '')}")
def bridge(request: pytest.FixtureRequest) -> Bridge:
    return Bridge(request.param)


def regrets_of(bridge: Bridge, profile: Profile, softness: float) -> np.ndarray:
    found: dict = {}
    for player in range(2):
        found |= substituted(bridge.tree, player, profile, softness)[1]
    return bridge.array(found)


def total(bridge: Bridge, profile: Profile, softness: float) -> float:
    return sum(substituted(bridge.tree, player, profile, softness)[0] for player in range(2))


def lengths_of(bridge: Bridge, regrets: np.ndarray) -> np.ndarray:
    """Return how long positive regrets are at each information set of the compiled game."""
    return np.array(
        [
            np.sqrt((np.maximum(regrets[infoset.cells], 0.0) ** 2).sum())
            for infoset in bridge.compiled.information_sets()
        ]
    )


def test_scales_are_those_of_the_oracle(bridge: Bridge) -> None:
    profile = profile_of(bridge)
    found = warm_start.scales_of(bridge.compiled, bridge.strategy(profile).own_plan)
    by_key = {(key[0], str(key[1])): scale for key, scale in scales(bridge.tree, profile).items()}
    expected = [by_key[each.player, each.label] for each in bridge.compiled.information_sets()]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("minimizer", SUMS)
def test_regrets_that_are_sums_have_seen_the_same_in_all_iterations(
    bridge: Bridge, minimizer: str
) -> None:
    profile = profile_of(bridge)
    strategy = bridge.strategy(profile)
    weight = 7
    state = CFR(MINIMIZERS[minimizer]).start(bridge.compiled, strategy, weight)
    scale = warm_start.scales_of(bridge.compiled, strategy.own_plan)
    softness = warm_start.least_softness(bridge.compiled, strategy, scale)
    seen = regrets_of(bridge, profile, softness)
    expected = np.array(repeated(RULES[minimizer], seen.tolist(), weight))
    assert state.regret == pytest.approx(expected, abs=1e-9)


def test_the_softness_is_the_least_by_which_nothing_is_won(bridge: Bridge) -> None:
    profile = profile_of(bridge)
    strategy = bridge.strategy(profile)
    scale = warm_start.scales_of(bridge.compiled, strategy.own_plan)
    found = warm_start.least_softness(bridge.compiled, strategy, scale)
    least = least_softness(bridge.tree, profile)
    assert total(bridge, profile, found) <= 1e-9
    assert least * (1 - 1e-9) <= found <= least * 1.05
    assert total(bridge, profile, 0.0) > 0.0 or least == 0.0


def test_without_softness_the_best_action_has_no_regret(bridge: Bridge) -> None:
    profile = profile_of(bridge)
    strategy = bridge.strategy(profile)
    game = bridge.compiled
    regret = np.zeros(game.cells)
    once = warm_start._Times(1.0, 1.0, -inf)
    none = np.zeros(game.size.information_sets)
    warm_start._substitute(game, strategy, 0.0, none, once, regret)
    assert regret == pytest.approx(regrets_of(bridge, profile, 0.0), abs=1e-12)
    for infoset in game.information_sets():
        assert regret[infoset.cells].max() == 0.0


def test_with_softness_regrets_are_no_longer_than_those_of_a_cold_run_may_be() -> None:
    bridge = Bridge(Leduc())
    weight = 200
    solver = secateur.recipes.cfr(updates="simultaneous")
    cold = solver.start(bridge.compiled)
    cold.step(weight)
    strategy = cold.average_strategy()
    state = solver.start(bridge.compiled, strategy, weight)
    scale = warm_start.scales_of(bridge.compiled, strategy.own_plan)
    softness = warm_start.least_softness(bridge.compiled, strategy, scale)
    lengths = lengths_of(bridge, state.regret)
    assert (lengths <= weight * softness * scale * (1 + 1e-9)).all()
    share = weight * softness**2  # of what theory allows after so many iterations
    assert 0.0 < share < 0.1
    branches = Branches(bridge.tree)
    ranges = {
        (key[0], str(key[1])): branches.range_below(infoset) ** 2 * len(infoset.actions)
        for key, infoset in bridge.tree.infosets.items()
    }
    for length, infoset in zip(lengths, bridge.compiled.information_sets(), strict=True):
        assert length**2 <= ranges[infoset.player, infoset.label] * weight


@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
@pytest.mark.parametrize("minimizer", LED)
def test_regrets_with_floors_or_discounts_lead_to_the_strategy(
    minimizer: str, updates: str
) -> None:
    bridge = Bridge(RandomGame(seed=4))
    profile = profile_of(bridge)
    strategy = bridge.strategy(profile)
    solver = CFR(MINIMIZERS[minimizer], Averaging(2), updates=updates)
    cold = solver.start(bridge.compiled)
    cold.step(warm_start._COLD)
    weight = 5
    state = solver.start(bridge.compiled, strategy, weight)
    shortest = warm_start._SHORTEST * bridge.compiled.payoff_scale
    lengths = np.maximum(lengths_of(bridge, cold.regret), shortest)
    responses = regrets_of(bridge, profile, 0.0)
    for infoset, length in zip(bridge.compiled.information_sets(), lengths, strict=True):
        played = strategy.probabilities[infoset.cells]
        leading = following(played.tolist(), length, 1.0)
        others = repeated(RULES[minimizer], responses[infoset.cells].tolist(), weight)
        expected = np.where(played > 0.0, leading, others)
        assert state.regret[infoset.cells] == pytest.approx(expected, abs=1e-12)
    assert state.current_strategy().probabilities == pytest.approx(strategy.probabilities)


@pytest.mark.parametrize("minimizer", ["rm", "linear", "rm+", "dcfr", "sapcfr+"])
def test_the_strategy_counts_as_much_as_the_iterations_it_stands_for(minimizer: str) -> None:
    game = compiled("leduc")
    strategy = secateur.solve(game, "cfr+", secateur.until.iterations(20)).strategy
    averaging = Averaging(2, delay=3)
    state = CFR(MINIMIZERS[minimizer], averaging).start(game, strategy, 10)
    assert state.iteration == 0
    assert state.weight == sum((t - 3) ** 2 for t in range(4, 11))
    assert state.strategy_sum == pytest.approx(state.weight * strategy.plan)
    assert state.nash_conv() == pytest.approx(secateur.nash_conv(game, strategy))
    state.step(2)
    assert state.weight == sum((t - 3) ** 2 for t in range(4, 13))


@pytest.mark.parametrize("algorithm", RECIPES)
@pytest.mark.parametrize("title", ["leduc", "liars-dice"])
def test_a_run_that_goes_on_from_its_average_is_hardly_behind(title: str, algorithm: str) -> None:
    game = compiled(title) if title == "leduc" else liars_dice()
    solver = RECIPES[algorithm]()
    cold = solver.start(game)
    cold.step(50)
    before = cold.nash_conv()
    warm = solver.start(game, cold.average_strategy())
    ratios = []
    for together in (200, 400):
        cold.step(together - cold.iteration)
        warm.step(together - 50 - warm.iteration)
        ratios.append(warm.nash_conv() / cold.nash_conv())
    # curves are not smooth: one number alone may be a third more or less
    assert np.exp(np.log(ratios).mean()) < 1.3
    assert warm.nash_conv() < 0.25 * before


@pytest.mark.parametrize("algorithm", RECIPES)
def test_nobody_overrates_a_strategy(algorithm: str) -> None:
    for game in (compiled("leduc"), liars_dice()):
        solver = RECIPES[algorithm]()
        state = solver.start(game)
        for iterations in (10, 40, 160):
            state.step(iterations - state.iteration)
            weight = warm_start.usual_weight(solver, game, state.average_strategy())
            assert 1 <= weight <= iterations


def test_the_weight_of_an_equilibrium_is_finite() -> None:
    game = compiled("matrix")
    exact = secateur.solve(game, secateur.Exact()).strategy
    state = secateur.recipes.cfr_plus().start(game, exact)
    state.step(10)
    assert state.nash_conv() < 1e-3


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr"])
def test_best_response_pruning_takes_over_what_the_run_began_with(algorithm: str) -> None:
    game = compiled("leduc")
    strategy = secateur.solve(game, "cfr+", secateur.until.iterations(50)).strategy
    nothing = secateur.BestResponsePruning(minimum_skip=inf, check_every=7, discard=0.0)
    pruned = RECIPES[algorithm](pruning=nothing).start(game, strategy, 20)
    plain = RECIPES[algorithm]().start(game, strategy, 20)
    for _ in range(3):
        pruned.step(10)
        plain.step(10)
        assert pruned.iteration == plain.iteration
        assert pruned.weight == plain.weight
        assert pruned.strategy_sums() == pytest.approx(plain.strategy_sum, abs=1e-9)
    assert pruned.dense is None
    assert pruned.earlier == 20


def test_a_pruned_run_that_began_warm_converges() -> None:
    game = compiled("leduc")
    strategy = secateur.solve(game, "dcfr", secateur.until.iterations(100)).strategy
    solver = secateur.recipes.dcfr(pruning=secateur.BestResponsePruning(check_every=50))
    state = solver.start(game, strategy)
    state.step(1500)
    assert state.regret_entries_live < game.cells
    assert state.nash_conv() < 1e-3


@pytest.mark.parametrize("algorithm", RECIPES)
@pytest.mark.parametrize("prune", ["partial", "brp"])
def test_states_that_began_warm_are_restored_to_the_same_bits(algorithm: str, prune: str) -> None:
    game = compiled("leduc")
    strategy = secateur.solve(game, "cfr+", secateur.until.iterations(20)).strategy
    pruning = secateur.BestResponsePruning(check_every=15) if prune == "brp" else None
    options = {} if pruning is None else {"pruning": pruning}
    solver = RECIPES[algorithm](**options)
    for first in (10, 20):  # before and after the first search
        state = solver.start(game, strategy, 30)
        state.step(first)
        other = solver.start(game)
        other.restore(state.saved())
        state.step(30)
        other.step(30)
        mine, theirs = state.saved(), other.saved()
        assert mine.numbers == theirs.numbers
        for name, part in mine.arrays.items():
            assert np.array_equal(part, theirs.arrays[name]), name


def test_single_precision_serves_as_well() -> None:
    game = compiled("leduc")
    strategy = secateur.solve(game, "cfr+", secateur.until.iterations(20)).strategy
    for algorithm in ("cfr", "sapcfr+"):
        storage = secateur.Storage("float32")
        state = RECIPES[algorithm](storage=storage).start(game, strategy, 20)
        state.step(100)
        assert state.nash_conv() < 0.2


@pytest.mark.parametrize("algorithm", ["cfr+", "sapcfr+"])
def test_numbers_in_16_bits_begin_where_others_do(algorithm: str) -> None:
    game = compiled("leduc")
    strategy = secateur.solve(game, "cfr+", secateur.until.iterations(20)).strategy
    exact = RECIPES[algorithm]().start(game, strategy, 20)
    solver = RECIPES[algorithm](storage=secateur.Storage("int16"))
    state = solver.start(game, strategy, 20)
    assert (state.earlier, state.weight) == (exact.earlier, exact.weight)
    for name, most in (("regret", 2**15 - 1), ("strategy_sum", 2**16 - 1)):
        mine, theirs = getattr(state, name), getattr(exact, name)
        for block in range(1, len(game.arrays.player)):
            cells = game.arrays.first_cell[block : block + 2].tolist()
            here = slice(cells[0], cells[1] if cells[1:] else None)
            # half a unit, which is less than two of the most'th part of the largest number
            assert np.abs(mine[here] - theirs[here]).max() <= np.abs(theirs[here]).max() / most
    state.step(100)
    assert state.nash_conv() < 0.2
    other = solver.start(game)
    other.restore(state.saved())
    other.step(5)
    state.step(5)
    assert other.nash_conv() == state.nash_conv()


@pytest.mark.parametrize(
    ("solver", "why"),
    [
        (secateur.recipes.hedge(), "Hedge: its learning rates"),
        (secateur.recipes.cfr(thresholding=secateur.DynamicThresholding(2)), "thresholding"),
        (secateur.recipes.cfr_plus(pruning=secateur.RegretBasedPruning()), "regret-based"),
    ],
)
def test_what_a_strategy_does_not_tell_is_refused(solver: CFR, why: str) -> None:
    game = compiled("kuhn")
    with pytest.raises(ParameterError, match=f"warm start with {why}"):
        solver.start(game, Strategy.uniform(game))


@pytest.mark.parametrize("solver", ["egt", "omd", "fp", "exact"])
def test_methods_without_regrets_are_refused(solver: str) -> None:
    game = compiled("kuhn")
    with pytest.raises(ParameterError, match="use CFR and its kin"):
        secateur.solve(game, solver, warm_start=Strategy.uniform(game))


def test_misuse_is_refused() -> None:
    game, other = compiled("kuhn"), compiled("leduc")
    solver = secateur.recipes.cfr()
    with pytest.raises(ParameterError, match="pass the game that it was made for"):
        solver.start(game, Strategy.uniform(other))
    with pytest.raises(ParameterError, match="it goes with a strategy"):
        solver.start(game, warm_weight=5)
    for weight in (0, -1, 1.5, 2e6, "many"):
        with pytest.raises(ParameterError, match="1 to 1e6"):
            solver.start(game, Strategy.uniform(game), weight)
    plain = secateur.compile(secateur.load("kuhn"))
    with pytest.raises(ParameterError, match="pruning=True"):
        solver.start(plain, Strategy.uniform(plain))
    secateur.recipes.dcfr().start(plain, Strategy.uniform(plain)).step(3)
    with pytest.raises(ParameterError, match="go with a strategy"):
        secateur.solve(game, warm_weight=3)


def test_a_run_that_is_kept_remembers_what_it_began_with(tmp_path: Path) -> None:
    rules = secateur.load("leduc")
    strategy = secateur.solve(rules, "cfr+", secateur.until.iterations(30)).strategy
    for algorithm in ("cfr", "sapcfr+"):
        solver = RECIPES[algorithm]()
        through = secateur.solve(
            rules, solver, secateur.until.iterations(60), warm_start=strategy, warm_weight=12
        )
        assert through.warm_weight == 12
        assert through.iterations == 60
        path = tmp_path / algorithm
        secateur.solve(
            rules,
            solver,
            secateur.until.iterations(25),
            run=path,
            warm_start=strategy,
            warm_weight=12,
        )
        assert secateur.open_run(path).warm_weight == 12
        resumed = secateur.resume(path, secateur.until.iterations(60))
        assert resumed.warm_weight == 12
        assert resumed.nash_conv == through.nash_conv
        assert np.array_equal(resumed.strategy.probabilities, through.strategy.probabilities)
        # nothing has been kept yet: it begins again, with the strategy
        for checkpoint in path.glob("checkpoint-*"):
            checkpoint.unlink()
        (path / "metrics.jsonl").unlink()
        again = secateur.resume(path, secateur.until.iterations(60))
        assert np.array_equal(again.strategy.probabilities, through.strategy.probabilities)
        (path / "start.bin").unlink()
        with pytest.raises(FileError, match=r"start\.bin"):
            secateur.resume(path, secateur.until.iterations(80))


def test_strategies_come_from_files_of_every_kind(tmp_path: Path) -> None:
    rules = secateur.load("kuhn")
    game = secateur.compile(rules, pruning=True)
    strategy = secateur.solve(game, "cfr+", secateur.until.iterations(30)).strategy
    files = [tmp_path / "kuhn.json", tmp_path / "kuhn.bin", tmp_path / "kuhn.profile"]
    strategy.save(files[0])
    strategy.save(files[1])
    secateur.write_gambit_profile(strategy, rules, files[2])
    found = [
        secateur.solve(
            rules, "cfr+", secateur.until.iterations(10), warm_start=each, warm_weight=9
        ).nash_conv
        for each in (strategy, *files)
    ]
    assert found == pytest.approx([found[0]] * 4)
    cold = secateur.solve(rules, "cfr+", secateur.until.iterations(10)).nash_conv
    assert found[0] != cold


def test_strategies_of_coarser_games_are_translated(tmp_path: Path) -> None:
    coarse = secateur.compile(secateur.load("leduc"))
    strategy = secateur.solve(coarse, "cfr+", secateur.until.iterations(200)).strategy
    rules = secateur.load("leduc", bet_sizes=((1, 2, 3), (2, 4, 9)))
    game = secateur.compile(rules)
    lifted = secateur.translate_strategy(strategy, game, rules)
    there = strategy["Q check bet2"]
    here = lifted["Q check bet3"]  # of which bet2 is the nearest
    assert here == pytest.approx(
        {
            "fold": there["fold"],
            "call": there["call"],
            "raise1": 0.0,
            "raise2": there["raise2"],
            "raise3": 0.0,
        }
    )
    there = strategy["K bet2 call | Q"]
    assert lifted["K bet1 call | Q"] == pytest.approx(
        {"check": there["check"], "bet2": 0.0, "bet4": there["bet4"], "bet9": 0.0}
    )
    strategy.save(tmp_path / "coarse.json")
    results = [
        secateur.solve(given, "dcfr", secateur.until.iterations(20), warm_start=begin)
        for given in (rules, game)
        for begin in (strategy, lifted, tmp_path / "coarse.json")
    ]
    assert len({each.nash_conv for each in results}) == 1
    assert results[0].warm_weight == warm_start.usual_weight(secateur.recipes.dcfr(), game, lifted)


def test_what_cannot_be_translated_is_refused(tmp_path: Path) -> None:
    strategy = Strategy.uniform(compiled("leduc"))
    with pytest.raises(ParameterError, match="the same ranks, suits"):
        secateur.solve("leduc", "dcfr", warm_start=Strategy.uniform(_leduc_of_four_ranks()))
    with pytest.raises(ParameterError, match="give one of the same game"):
        secateur.solve("kuhn", "dcfr", warm_start=strategy)
    five, three = secateur.load("kuhn", cards=5), compiled("kuhn")
    with pytest.raises(ParameterError, match="has no information set '9' of player 0"):
        secateur.solve(five, "dcfr", warm_start=Strategy.uniform(three))
    Strategy.uniform(secateur.compile(RandomGame(seed=1))).save(tmp_path / "random.json")
    with pytest.raises(ParameterError, match="give one of the same game"):
        secateur.solve("kuhn", "dcfr", warm_start=tmp_path / "random.json")


def _leduc_of_four_ranks() -> CompiledGame:
    return secateur.compile(secateur.load("leduc", ranks=4))


class Renamed(RandomGame):
    """A game that no name stands for."""

    name = "renamed"


def test_the_game_of_a_file_can_be_told(tmp_path: Path) -> None:
    rules = Renamed(seed=3)
    strategy = Strategy.uniform(secateur.compile(Renamed(seed=3, depth=5)))
    file = tmp_path / "renamed.json"
    strategy.save(file)
    finer = Renamed(seed=3, depth=5, skew=0.5)
    with pytest.raises(FileError, match="warm_game"):
        secateur.solve(finer, "dcfr", secateur.until.iterations(3), warm_start=file)
    secateur.solve(
        finer,
        "dcfr",
        secateur.until.iterations(3),
        warm_start=file,
        warm_game=Renamed(seed=3, depth=5),
    )
    with pytest.raises(FileError, match="not for"):
        secateur.solve(finer, "dcfr", warm_start=file, warm_game=rules)
