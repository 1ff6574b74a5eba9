"""Compiled games on disk: the same game, or a clear error."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import secateur
from secateur.games import RandomGame
from secateur.solvers.cfr import CFRState
from support.damage import harm


def run(game: secateur.CompiledGame) -> CFRState:
    state = secateur.recipes.cfr_plus().start(game)
    state.step(30)
    return state


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "leduc.game"
    secateur.save_compiled(secateur.compile(secateur.load("leduc"), pruning=True), path)
    return path


def assert_same_game(mapped: secateur.CompiledGame, original: secateur.CompiledGame) -> None:
    assert str(mapped) == str(original)
    assert mapped.size == original.size
    assert list(mapped.information_sets()) == list(original.information_sets())
    ours, theirs = run(mapped), run(original)
    for name in ("regret", "strategy", "strategy_sum"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    assert ours.nash_conv() == theirs.nash_conv()
    assert (mapped.pruning is None) == (original.pruning is None)
    assert (mapped.branches is None) == (original.branches is None)
    ours_more, theirs_more = (
        (*(game.pruning or ()), *(game.branches or ())) for game in (mapped, original)
    )
    for ours, theirs in zip(ours_more, theirs_more, strict=True):
        assert np.array_equal(ours, theirs)


def test_memory_mapped_leduc_equals_the_one_in_memory(saved: Path) -> None:
    assert_same_game(
        secateur.open_compiled(saved), secateur.compile(secateur.load("leduc"), pruning=True)
    )


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), structured=st.booleans())
def test_memory_mapped_random_games_equal_those_in_memory(
    tmp_path_factory: pytest.TempPathFactory, seed: int, structured: bool
) -> None:
    path = tmp_path_factory.mktemp("games") / "random.game"
    rules = RandomGame(seed=seed, observability=float(structured))
    original = secateur.compile(rules, pruning=structured, thresholds=seed % 2 == 0)
    secateur.save_compiled(original, path)
    assert_same_game(secateur.open_compiled(path), original)


def test_a_mapped_game_is_not_copied_into_memory(saved: Path) -> None:
    game = secateur.open_compiled(saved)
    assert game.mapping is not None
    file = np.frombuffer(game.mapping, np.uint8)
    before = [part.copy() for part in game.arrays]
    assert all(np.shares_memory(part, file) for part in game.arrays if len(part))
    game.forget()  # what was read comes back from the file
    for part, copy in zip(game.arrays, before, strict=True):
        assert np.array_equal(part, copy)


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6))
def test_damage_is_noticed(saved: Path, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "damaged.game"
    path.write_bytes(saved.read_bytes())
    harm(path, seed)
    try:
        game = secateur.open_compiled(path)
    except secateur.FileError:
        return
    # only padding was hit
    assert_same_game(game, secateur.compile(secateur.load("leduc"), pruning=True))


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("hello")
    with pytest.raises(secateur.FileError, match="not a compiled game"):
        secateur.open_compiled(other)
    other.write_bytes(b"")
    with pytest.raises(secateur.FileError, match="not a compiled game"):
        secateur.open_compiled(other)
    with pytest.raises(secateur.FileError, match="cannot read"):
        secateur.open_compiled(tmp_path / "missing")


def test_files_of_another_format_are_refused(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(saved.read_bytes().replace(b"compiled game 8", b"compiled game 7", 1))
    with pytest.raises(secateur.FileError, match="in another format; compile the game again"):
        secateur.open_compiled(other)


def test_an_unwritable_path_leaves_nothing_behind(tmp_path: Path) -> None:
    game = secateur.compile(secateur.load("kuhn"))
    with pytest.raises(secateur.FileError, match="cannot write"):
        secateur.save_compiled(game, tmp_path / "nowhere" / "kuhn.game")
    target = tmp_path / "directory"
    target.mkdir()
    with pytest.raises(secateur.FileError, match="cannot write"):
        secateur.save_compiled(game, target)
    assert list(tmp_path.iterdir()) == [target]
