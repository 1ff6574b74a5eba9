"""Games as .efg files: what is written can be read, here and by Gambit, and is the same game."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import secateur
from secateur.compiled.from_histories import compile_histories
from secateur.games import CHANCE, END, Game
from secateur.games.gambit.numbers import chances, decimals, written
from secateur.games.gambit.writer import efg_lines
from support.gambit import FILES, HEADER, gambit_reads
from support.small_games import BUILT_IN, built_in, examples, random_games


def read_back(game, tmp_path):
    path = tmp_path / "written.efg"
    secateur.write_efg(game, path)
    return secateur.read_efg(path)


def unpacked(arrays):
    """Return arrays by name, with numbers instead of places in tables, where rounding may tell."""
    found = arrays._asdict()
    found["leaf_factor"] = found.pop("factors")[found["leaf_factor"]]
    return found


def assert_same_game(first, second):
    """Compare all arrays of the games, compiled by history as files describe them, and labels."""
    ours, theirs = compile_histories(first), compile_histories(second)
    assert list(map(str, ours.information_sets())) == list(map(str, theirs.information_sets()))
    for name, part in unpacked(ours.arrays).items():
        other = unpacked(theirs.arrays)[name]
        assert part.shape == other.shape, name
        np.testing.assert_allclose(part, other, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("title", sorted(BUILT_IN))
def test_built_in_games_come_back_the_same(title, tmp_path):
    game = built_in(title)
    assert_same_game(game, read_back(game, tmp_path))


@pytest.mark.parametrize("name", sorted(FILES))
def test_files_come_back_the_same(name, tmp_path):
    game = secateur.read_efg(FILES[name])
    again = read_back(game, tmp_path)
    assert_same_game(game, again)
    assert list(efg_lines(again)) == list(efg_lines(game))
    ours, theirs = game.tree, again.tree
    assert (ours.title, ours.comment, ours.names) == (theirs.title, theirs.comment, theirs.names)
    assert [each.payoffs for each in ours.outcomes] == [each.payoffs for each in theirs.outcomes]
    assert list(ours.outcome) == list(theirs.outcome)
    assert [each.probabilities for each in ours.information_sets] == [
        each.probabilities for each in theirs.information_sets
    ]


@given(random_games())
@examples(60)
def test_random_games_come_back_the_same(tmp_path_factory, game):
    path = tmp_path_factory.mktemp("efg")
    again = read_back(game, path)
    assert_same_game(game, again)
    assert list(efg_lines(again))[1:] == list(efg_lines(game))[1:]
    assert gambit_reads(path / "written.efg").is_const_sum


@pytest.mark.parametrize("title", ["kuhn", "leduc", "goofspiel", "battleship of 2 shots"])
def test_gambit_reads_built_in_games(title, tmp_path):
    game = built_in(title)
    secateur.write_efg(game, tmp_path / "game.efg")
    theirs = gambit_reads(tmp_path / "game.efg")
    assert theirs.title == str(game)
    assert theirs.is_const_sum
    assert theirs.is_perfect_recall
    infosets = sum(len(theirs.get_infosets(player)) for player in theirs.players)
    assert infosets == secateur.compile(game).size.information_sets


class Awkward(Game):
    """Labels that Gambit does not take as they are, and probabilities that it does not like."""

    name = 'awkward "\\'
    labels = ("a/", "a\\", " a ", 'say "a"', "bell\a", "two\nlines", "a", "")

    def start(self):
        return ()

    def turn(self, state):
        return (CHANCE, 0, 1, END)[len(state)]

    def chance(self, state):
        return [(label, p) for label, p in zip(self.labels, self.probabilities, strict=True) if p]

    probabilities = (0.1, 0.2, 0.3, 1 / 3, 1e-17, 0.0, 0.0, 1 - 0.1 - 0.2 - 0.3 - 1 / 3)

    def actions(self, state):
        return self.labels if len(state) == 1 else ("x", "y")

    def after(self, state, action):
        return (*state, action)

    def information(self, state):
        return f"{self.labels.index(state[0])}" if len(state) == 1 else f" {state[1]}"

    def payoffs(self, state):
        win = 0.1 * self.labels.index(state[1]) - 0.25 * (state[2] == "x") + 1e-7
        return win, -win


def test_gambit_reads_awkward_labels_and_probabilities(tmp_path):
    again = read_back(Awkward(), tmp_path)
    theirs = gambit_reads(tmp_path / "written.efg")
    assert theirs.is_const_sum
    assert sum(len(theirs.get_infosets(player)) for player in theirs.players) == 14
    # the branch of probability 1e-17 is still there
    assert secateur.compile(again).size.histories == secateur.compile(Awkward()).size.histories
    ours, same = (
        secateur.solve(Awkward(), secateur.Exact()),
        secateur.solve(again, secateur.Exact()),
    )
    assert same.value == pytest.approx(ours.value, abs=1e-12)


def test_gambit_reads_names_that_occur_twice_once_they_are_written(tmp_path):
    with pytest.raises(ValueError, match="unique"):
        gambit_reads(FILES["names"])
    read_back(secateur.read_efg(FILES["names"]), tmp_path)
    assert gambit_reads(tmp_path / "written.efg").is_perfect_recall


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-0.5, "-0.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e22, "10000000000000000000000"),
        (1e-7, "0.0000001"),
        (Fraction(-7, 8), "-0.875"),
        (Fraction(2, 3), "2/3"),
        (Fraction(0), "0"),
    ],
)
def test_numbers_are_written_so_that_gambit_reads_them(tmp_path, number, text):
    assert written(number) == text
    path = tmp_path / "game.efg"
    path.write_text(f'{HEADER}t "" 1 "" {{ {text}, 0 }}')
    assert secateur.read_efg(path).payoffs(0)[0] == (
        number if isinstance(number, Fraction) else Fraction(repr(number))
    )
    assert gambit_reads(path).title == "game"


def test_simple_fractions_are_recognized():
    assert chances([1 / 6, 1 / 3, 0.5]) == ["1/6", "1/3", "1/2"]
    assert chances([Fraction(1, 3), Fraction(2, 3)]) == ["1/3", "2/3"]


@pytest.mark.parametrize("seed", range(20))
def test_other_probabilities_become_decimals_that_sum_to_one(seed):
    probabilities = np.random.default_rng(seed).dirichlet(np.full(1 + seed, 0.3)).tolist()
    for texts in (chances(probabilities), decimals(probabilities, 17)):
        assert sum(map(Fraction, texts)) == 1
        assert [float(Fraction(text)) for text in texts] == pytest.approx(probabilities, abs=1e-15)


def test_nothing_is_left_behind_if_the_rules_fail(tmp_path):
    class Broken(Awkward):
        def payoffs(self, state):
            raise RuntimeError("broken rules")

    with pytest.raises(RuntimeError):
        secateur.write_efg(Broken(), tmp_path / "game.efg")
    assert list(tmp_path.iterdir()) == []
