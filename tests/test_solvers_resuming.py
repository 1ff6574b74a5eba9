"""Every algorithm goes on from a file to the same bits, as if it had never stopped."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur.algorithms import ALGORITHMS
from secateur.compiled.game import CompiledGame
from secateur.conditions import Snapshot
from secateur.games import Game
from secateur.runs.checkpoints import Checkpoint, Identity, read_checkpoint, write_checkpoint
from secateur.solvers.protocols import Solver, State
from secateur.solvers.resumable import Resumable
from support.small_games import examples, random_games
from support.solvers import SOLVERS, ready

HISTORY = [Snapshot(1, 0.1, 0.3, 0.15, None, 1000, 1.0, 0.7)]


def counting(title: str) -> Solver:
    return replace(SOLVERS[title], count_nodes=True)


def through_a_file(state: State, path: Path) -> State:
    """Return another state that a checkpoint was read into."""
    identity = Identity.of(state.game, state.solver)
    write_checkpoint(path, identity, Checkpoint(state.saved(), HISTORY, 1.5))
    checkpoint = read_checkpoint(path, identity)
    assert (checkpoint.history, checkpoint.seconds) == (HISTORY, 1.5)
    restored = state.solver.start(state.game)
    restored.restore(checkpoint.saved)
    return restored


def assert_same_bits(first: State, second: State) -> None:
    """Compare all that the next iteration depends on, and all that a run reports."""
    mine, theirs = first.saved(), second.saved()
    assert mine.numbers == theirs.numbers
    assert mine.arrays.keys() == theirs.arrays.keys()
    for name, part in mine.arrays.items():
        assert part.tobytes() == theirs.arrays[name].tobytes(), name
    for strategy in ("average_strategy", "current_strategy"):
        probabilities = (getattr(each, strategy)().probabilities for each in (first, second))
        assert np.array_equal(*probabilities)
    for fact in ("iteration", "nodes_touched", "nodes_touched_overhead", "bytes_resident"):
        assert getattr(first, fact) == getattr(second, fact), fact
    assert first.nash_conv() == second.nash_conv()
    assert first.regret_entries_live == second.regret_entries_live


def assert_resumes(solver: Solver, game: CompiledGame, before: list[int], path: Path) -> None:
    """Compare a run without interruption with one that is read from files again and again."""
    alone, stopped = solver.start(game), solver.start(game)
    for part in before:
        alone.step(part)
    stopped.step(sum(before))
    stopped.nash_conv()
    restored = through_a_file(stopped, path)
    assert_same_bits(alone, restored)
    for part in (1, 40, 70):
        restored.step(part)
        restored.nash_conv()
        restored = through_a_file(restored, path)
    alone.step(111)
    stopped.step(111)
    assert_same_bits(alone, restored)
    assert_same_bits(alone, stopped)


@pytest.mark.parametrize("title", SOLVERS)
def test_runs_go_on_from_a_file_to_the_same_bits(title: str, tmp_path: Path):
    assert_resumes(counting(title), ready("leduc"), [1, 3, 46, 23, 2], tmp_path / "checkpoint")


@examples(60)
@given(
    game=random_games(),
    title=st.sampled_from(list(SOLVERS)),
    before=st.lists(st.integers(1, 40), min_size=1, max_size=3),
)
def test_runs_on_random_games_go_on_from_a_file_to_the_same_bits(
    tmp_path_factory, game: Game, title: str, before: list[int]
):
    compact = secateur.compile(game, pruning=True, thresholds=True)
    path = tmp_path_factory.mktemp("checkpoints") / "checkpoint"
    assert_resumes(counting(title), compact, before, path)


@pytest.mark.parametrize(
    "title", ["dcfr", "cfr+, odd weights", "hedge", "sapcfr+, int16", "cfr+, rbp"]
)
def test_long_steps_are_made_of_short_ones(title: str, monkeypatch):
    game = ready("kuhn")
    whole, parts = (SOLVERS[title].start(game) for _ in range(2))
    whole.step(50)
    monkeypatch.setattr("secateur.solvers.scheduled.MOST_AT_ONCE", 7)
    parts.step(50)
    assert (parts.iteration, parts.saved().numbers) == (50, whole.saved().numbers)
    for name, part in parts.saved().arrays.items():
        assert np.array_equal(part, whole.saved().arrays[name])


@pytest.mark.parametrize("title", ["cfr", "cfr+", "dcfr"])
def test_runs_that_were_saved_with_their_strategies_go_on(title: str):
    alone, resumed = (SOLVERS[title].start(ready("leduc")) for _ in range(2))
    alone.step(40)
    saved = alone.saved()
    assert "strategy" not in saved.arrays
    resumed.restore(saved._replace(arrays={**saved.arrays, "strategy": alone.strategy}))
    for state in (alone, resumed):
        state.step(40)
    assert_same_bits(alone, resumed)


def test_a_run_that_prunes_is_saved_with_a_store_and_without():
    dense, stored = (counting(title).start(ready("leduc")) for title in ("cfr, brp, late", "cfr"))
    for state in (dense, stored):
        state.step(99)
    assert dense.saved().arrays.keys() == stored.saved().arrays.keys()
    dense.step(1)
    assert dense.saved().arrays.keys() > {"ids", "numbers", "live_frames"}
    # not the reserve, but what is used of it
    saved = sum(part.nbytes for part in dense.saved().arrays.values())
    assert saved < dense.bytes_resident + 1000


def test_no_algorithm_and_no_state_is_left_out():
    assert {title.partition(" with")[0].partition(",")[0] for title in SOLVERS} == (
        set(ALGORITHMS) - {"exact"}
    )
    tested = {type(solver.start(ready("kuhn"))) for solver in SOLVERS.values()}
    assert tested == {each for each in below(Resumable) if not inspect.isabstract(each)}


def below(kind: type) -> set[type]:
    """Return all classes that are derived from one."""
    found = set(kind.__subclasses__())
    return found.union(*map(below, found))


@pytest.mark.parametrize("title", SOLVERS)
def test_solvers_and_states_are_what_their_protocols_say(title: str):
    solver = SOLVERS[title]
    assert isinstance(solver, Solver)
    assert isinstance(solver.start(ready("kuhn")), State)
    assert solver.kernel_seconds > 0
    assert all(words and words == words.strip() for words in solver.in_words())


@pytest.mark.parametrize(
    "other", ["cfr", "cfr, simultaneous", "cfr, float32", "cfr+, int16", "cfr, brp", "fp"]
)
def test_what_another_algorithm_has_saved_is_refused(other: str):
    state = SOLVERS["egt"].start(ready("leduc"))
    saved = SOLVERS[other].start(ready("leduc"))
    saved.step(30)
    with pytest.raises(secateur.ParameterError, match="restore: "):
        state.restore(saved.saved())


@pytest.mark.parametrize("title", ["cfr", "cfr, brp", "cfr, rbp", "egt", "fp"])
def test_what_was_saved_in_another_game_is_refused(title: str):
    saved = SOLVERS[title].start(ready("leduc"))
    saved.step(30)
    with pytest.raises(secateur.ParameterError, match=r"on leduc\(.*but this is.*on kuhn\("):
        SOLVERS[title].start(ready("kuhn")).restore(saved.saved())


def test_double_precision_is_not_read_into_single():
    saved = SOLVERS["cfr"].start(ready("kuhn"))
    with pytest.raises(secateur.ParameterError, match=r"float64.*but this is.*float32"):
        SOLVERS["cfr, float32"].start(ready("kuhn")).restore(saved.saved())
