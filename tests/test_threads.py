"""Several threads: the same bits as one, whatever is cut where, and nobody in each other's way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur import crew
from secateur.compiled.cut import NO_PIECES, Cut, cut_for_links, find_cut
from secateur.compiled.game import CompiledGame
from secateur.games.random_game import RandomGame
from secateur.solvers.protocols import Solver, State
from support.small_games import compiled, examples, random_games

GAMES = {
    "leduc": {"ranks": 4, "bet_sizes": "1,2/2,4"},
    "liars_dice": {"sides": 4},
    "goofspiel": {},
    "battleship": {},
}


def in_pieces(game: CompiledGame, cut: Cut | None = None) -> CompiledGame:
    """Return a game that is cut although it is small."""
    found = replace(game)
    found.__dict__["cut"] = find_cut(game.arrays, least_work=0) if cut is None else cut
    return found


@pytest.fixture(scope="module", params=sorted(GAMES))
def game(request: pytest.FixtureRequest) -> CompiledGame:
    rules = secateur.load(request.param, **GAMES[request.param])
    return in_pieces(secateur.compile(rules, pruning=True))


def solvers() -> dict[str, Solver]:
    plus = secateur.RegretMatchingPlus()
    discounted = secateur.DiscountedRegretMatching(alpha=1.5, beta=0.0)
    predictive = secateur.PredictiveRegretMatchingPlus()
    brp = secateur.BestResponsePruning(check_every=7)
    squared = secateur.Averaging(power=2)
    return {
        "cfr+": secateur.CFR(plus, squared, count_nodes=True),
        "dcfr": secateur.CFR(discounted, squared),
        "pcfr+, simultaneous": secateur.CFR(predictive, squared, updates="simultaneous"),
        "int16": secateur.CFR(discounted, squared, storage=secateur.Storage("int16")),
        "hedge": secateur.CFR(secateur.Hedge()),
        "brp": secateur.CFR(pruning=brp, count_nodes=True),
        "dcfr, brp": secateur.CFR(discounted, squared, brp, count_nodes=True),
        "pcfr+, brp": secateur.CFR(predictive, squared, brp),
        "egt": secateur.EGT(),
        "egt, fixed, counted": secateur.EGT(steps="fixed", count_nodes=True),
        "mirror descent": secateur.OptimisticMirrorDescent(),
    }


def everything(state: State) -> list[object]:
    """Return all that a run knows, to be compared bit by bit."""
    saved = state.saved()
    arrays = {name: part.tobytes() for name, part in saved.arrays.items()}
    return [arrays, saved.numbers, state.nash_conv(), state.nodes_touched]


@pytest.mark.parametrize("name", sorted(solvers()))
def test_results_are_the_same_to_the_bit_for_every_number_of_threads(game: CompiledGame, name: str):
    found = []
    for count in (1, 2, 5, 8):
        with secateur.threads(count):
            state = solvers()[name].start(game)
            state.step(20)
            state.step(11)
            found.append(everything(state))
    assert len(game.cut.first) > 8
    assert all(each == found[0] for each in found)


def test_a_game_in_pieces_has_the_same_regrets_but_for_rounding(game: CompiledGame):
    whole = in_pieces(game, NO_PIECES)
    # later iterations of both may part: where regrets are zero, rounding decides what is played
    solver = secateur.CFR(updates="simultaneous")
    states = [solver.start(each) for each in (game, whole)]
    for state in states:
        state.step()
    assert np.abs(states[0].regret).max() > 0.01
    assert np.abs(states[0].regret - states[1].regret).max() < 1e-12
    assert (states[0].strategy_sum == states[1].strategy_sum).all()


@pytest.mark.parametrize("kind", ["partial", "brp"])
def test_pruned_runs_decide_the_same_in_pieces(kind: str):
    whole = compiled("leduc")
    pruning = (
        secateur.PartialPruning()
        if kind == "partial"
        else secateur.BestResponsePruning(check_every=10)
    )
    solver = secateur.CFR(pruning=pruning)
    states = [solver.start(each) for each in (whole, in_pieces(whole, _of_every_block(whole)))]
    for state in states:
        state.step(60)
    assert states[0].regret_entries_live == states[1].regret_entries_live
    assert states[0].nash_conv() == pytest.approx(states[1].nash_conv(), rel=1e-9)


def _of_every_block(game: CompiledGame) -> Cut:
    """Return the cut that makes pieces of what is below the first blocks."""
    return find_cut(game.arrays, 0, most=1 / 8, least=1 / 32)


@examples(30)
@given(
    rules=random_games(),
    most=st.floats(0.01, 0.9),
    least=st.floats(0.001, 0.5),
    threads=st.integers(2, 8),
    name=st.sampled_from(["cfr+", "dcfr", "dcfr, brp"]),
)
def test_any_cut_of_a_random_game_gives_the_same_bits_for_every_number_of_threads(
    rules: RandomGame, most: float, least: float, threads: int, name: str
):
    whole = secateur.compile(rules, pruning=True)
    game = in_pieces(whole, find_cut(whole.arrays, 0, most, min(most, least)))
    _check_cut(game)
    found = []
    for count in (1, threads):
        with secateur.threads(count):
            state = solvers()[name].start(game)
            state.step(15)
            found.append(everything(state))
    assert found[0] == found[1]
    for player in range(2):
        responses = [
            secateur.best_response_value(each, state.average_strategy(), player)
            for each in (game, whole)
        ]
        assert responses[0] == pytest.approx(responses[1], abs=1e-9)


def _check_cut(game: CompiledGame) -> None:
    """Check that pieces are whole subtrees of neighbors, in order and apart from each other."""
    cut, ends = game.cut, game.arrays.subtree_end
    assert (cut.first < cut.end).all()
    assert (cut.end[:-1] <= cut.first[1:]).all()
    assert sorted(cut.order) == list(range(len(cut.first)))
    for first, end in zip(cut.first, cut.end, strict=True):
        block = first
        while block < end:
            block = ends[block]
        assert block == end


def test_small_games_are_left_to_one_thread():
    assert len(compiled("leduc").cut.first) == 0
    assert len(compiled("goofspiel").cut.first) == 0


def test_a_game_whose_links_point_into_pieces_is_not_cut_for_those_who_follow_them():
    game = in_pieces(compiled("leduc"), _of_every_block(compiled("leduc")))
    assert game.pruning is not None
    assert len(game.cut.first) > 1
    assert cut_for_links(game.cut, game.arrays, game.pruning) is game.cut
    below = game.pruning._replace(link_slot=np.full_like(game.pruning.link_slot, 10_000))
    assert cut_for_links(game.cut, game.arrays, below) is NO_PIECES


def test_helpers_work_at_the_same_time_and_errors_reach_who_asked():
    meeting = threading.Barrier(3, timeout=30)
    crew.together(lambda _: meeting.wait(), 2)

    def fail(number: int) -> None:
        meeting.wait()
        if number == 1:
            raise ZeroDivisionError("in a helper")

    with pytest.raises(ZeroDivisionError, match="in a helper"):
        crew.together(fail, 2)
    crew.together(lambda _: meeting.wait(), 2)  # nobody was lost


def test_who_asks_does_not_wait_for_helpers_that_are_busy_elsewhere():
    let_go, busy = threading.Event(), threading.Event()

    def hold(number: int) -> None:
        busy.set()
        let_go.wait(30)

    other = threading.Thread(target=lambda: crew.together(hold, 1))
    other.start()
    assert busy.wait(30)
    done: list[int] = []
    for _ in range(20):
        crew.together(done.append, 1)
    assert done.count(0) == 20
    let_go.set()
    other.join(30)
    assert not other.is_alive()


def test_runs_side_by_side_do_not_disturb_each_other(game: CompiledGame):
    def run(found: list[object]) -> None:
        with secateur.threads(3):
            state = solvers()["dcfr"].start(game)
            state.step(40)
            found.append(everything(state))

    alone: list[object] = []
    run(alone)
    found: list[object] = []
    runs = [threading.Thread(target=run, args=(found,)) for _ in range(4)]
    for each in runs:
        each.start()
    for each in runs:
        each.join(60)
    assert found == alone * 4


def test_helpers_take_no_time_while_they_wait():
    crew.together(lambda _: None, 4)
    begin = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - begin < 0.15


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_has_helpers_of_its_own():
    crew.together(lambda _: None, 2)
    child = os.fork()
    if child == 0:
        meeting = threading.Barrier(2, timeout=20)
        try:
            crew.together(lambda _: meeting.wait(), 1)
        except threading.BrokenBarrierError:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_numbers_of_threads_are_checked():
    for wrong in (0, -1, 1.5, "two", 2000):
        with pytest.raises(secateur.ParameterError, match="whole number of threads"):
            secateur.solve("kuhn", until=secateur.until.iterations(1), threads=wrong)
    with secateur.threads(3), secateur.threads(None):
        assert crew.thread_count() == 3
    assert crew.thread_count() == crew.cores() >= 1


def test_cores_are_those_that_the_system_grants(monkeypatch: pytest.MonkeyPatch):
    if hasattr(os, "sched_getaffinity"):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
        assert 1 <= crew.cores() <= 3
    reads = {"/sys/fs/cgroup/cpu.max": "150000 100000\n"}
    monkeypatch.setattr(crew.Path, "read_text", lambda self: reads[str(self)])
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    assert crew.cores() == 2


PROGRAM = """
import secateur, sys
from secateur.compiled.cut import find_cut
game = secateur.compile(secateur.load("liars_dice"))
game.__dict__["cut"] = find_cut(game.arrays, 0)
told = []
def observe(history):
    if not told:
        print("it runs", flush=True)
    told.append(history)
result = secateur.solve(game, "cfr+", secateur.until.seconds(60), observe, threads=3)
print(result.ending.condition, result.iterations, flush=True)
"""


def test_ctrl_c_ends_a_run_with_several_threads_at_once():
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "it runs\n"
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait(30) == 0
    assert time.monotonic() - begin < 10
    assert rest.startswith("the run was interrupted")
