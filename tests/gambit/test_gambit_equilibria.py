"""Games in .efg files are solved, and Gambit's own computation confirms it."""

import pytest

import secateur
from support.gambit import (
    CATALOG,
    FILES,
    first_payoff,
    gambit_equilibrium,
    gambit_profile,
    gambit_reads,
)
from support.small_games import built_in

TARGET = 1e-3
EXPORTED = ["kuhn", "matrix", "random", "goofspiel of 3 cards, random prizes"]
PUBLISHED = [
    "books/myerson1991/fig2_1",
    "books/vonstengel2022/fig10.12",
    "books/vonstengel2022/fig10.1",
]


def file_of(name, tmp_path):
    """Return the path of a game: in the tests, written from a built-in one, or of Gambit."""
    if name in FILES and name != "names":
        return FILES[name]
    if name in PUBLISHED:
        return CATALOG / f"{name}.efg"
    path = tmp_path / "game.efg"
    secateur.write_efg(secateur.read_efg(FILES[name]) if name in FILES else built_in(name), path)
    return path


@pytest.mark.parametrize("name", [*sorted(FILES), *EXPORTED, *PUBLISHED])
def test_solved_to_the_target_and_confirmed_by_gambit(name, tmp_path):
    path = file_of(name, tmp_path)
    rules = secateur.load(str(path))
    game = secateur.compile(rules)
    result = secateur.solve(
        game, secateur.recipes.cfr_plus(), secateur.until.exploitability(TARGET)
    )
    assert result.exploitability <= TARGET
    secateur.write_gambit_profile(result.strategy, rules, tmp_path / "profile.csv")

    theirs = gambit_reads(path)
    profile = gambit_profile(theirs, tmp_path / "profile.csv")
    assert first_payoff(profile) == pytest.approx(result.value, abs=1e-9)
    responses = [secateur.best_response_value(game, result.strategy, p) for p in range(2)]
    regrets = [responses[0] - result.value, responses[1] + result.value]
    assert float(profile.max_regret()) == pytest.approx(max(regrets), abs=1e-9)
    assert float(profile.max_regret()) <= 2 * TARGET
    assert first_payoff(gambit_equilibrium(theirs, rational=name in FILES)) == pytest.approx(
        result.value, abs=2 * TARGET
    )


@pytest.mark.parametrize("name", [*sorted(FILES), *EXPORTED])
def test_exact_values_are_those_of_gambits_linear_program(name, tmp_path):
    path = file_of(name, tmp_path)
    value = secateur.solve(secateur.load(str(path)), secateur.Exact()).value
    equilibrium = gambit_equilibrium(gambit_reads(path), rational=name in FILES)
    assert value == pytest.approx(first_payoff(equilibrium), abs=1e-9)


def test_regret_of_a_bad_profile_is_that_of_gambit(tmp_path):
    rules = secateur.read_efg(FILES["depths"])
    game = secateur.compile(rules)
    uniform = secateur.Strategy.uniform(game)
    secateur.write_gambit_profile(uniform, rules, tmp_path / "profile.csv")
    profile = gambit_profile(gambit_reads(FILES["depths"]), tmp_path / "profile.csv")
    value = secateur.expected_value(game, uniform)
    gains = [
        secateur.best_response_value(game, uniform, 0) - value,
        secateur.best_response_value(game, uniform, 1) + value,
    ]
    assert max(gains) > 0.1
    assert float(profile.max_regret()) == pytest.approx(max(gains), abs=1e-12)
