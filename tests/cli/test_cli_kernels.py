import os
import threading

import pytest
from numba.core import event

import secateur as package
from secateur.cli.background import in_background
from secateur.cli.decisions import first_decisions
from secateur.cli.kernels import prepare_kernels
from secateur.errors import SecateurError
from secateur.kernels.best_response_pruning import average, compact, dense, value_sums
from secateur.kernels.best_response_pruning import iterate as pruned
from secateur.kernels.core import evaluate
from secateur.kernels.fictitious_play import iterate as fictitious_play
from secateur.kernels.fictitious_play import pruning as fictitious_pruning
from secateur.kernels.gradients import dilation, programs
from secateur.kernels.regret_minimizers import quantized_sweep, sweep
from secateur.preparing import tiny_game
from secateur.solvers.stores import widths

KERNELS = [
    evaluate.behavior,
    evaluate.expected_value,
    evaluate.best_response_values,
    evaluate.nash_conv_of_sums,
    evaluate.realization_plan,
    sweep.iterate,
    quantized_sweep.iterate_quantized,
    dilation.fold_own_tree,
    fictitious_play.iterate_fictitious_play,
    fictitious_pruning.settle_everything,
    programs.run,
    average.average_sums,
    average.best_responses_to_average,
    average.count_entries,
    compact.compact,
    dense.blocks_alive,
    dense.find_losing,
    pruned.iterate_pruned,
    pruned.search,
    value_sums.recover_value_sums,
]


def signatures():
    return [list(kernel.signatures) for kernel in KERNELS]


@pytest.mark.parametrize("precision", ["float64", "float32", "int16"])
@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
@pytest.mark.parametrize("game", ["leduc", "goofspiel"])
def test_prepared_kernels_are_all_that_a_run_needs(precision, updates, game):
    compiled = package.compile(package.load(game))
    solver = package.recipes.cfr_plus(updates=updates, storage=package.Storage(precision))
    prepare_kernels(lambda _: None, solver)
    before = signatures()
    package.solve(compiled, solver, package.until.iterations(30))
    assert signatures() == before


def test_prepared_kernels_are_all_that_a_game_from_a_file_needs(tmp_path):
    package.save_compiled(package.compile(package.load("goofspiel")), tmp_path / "game")
    compiled = package.open_compiled(tmp_path / "game")
    solver = package.recipes.cfr_plus()
    prepare_kernels(lambda _: None, solver)
    before = signatures()
    package.solve(compiled, solver, package.until.iterations(30))
    assert signatures() == before


@pytest.mark.parametrize(
    "solver",
    [
        package.EGT(),
        package.EGT(threshold=0.01),
        package.FictitiousPlay(),
        package.FictitiousPlay(pruning=package.BestResponsePruning(check_every=10)),
        package.OptimisticMirrorDescent(),
        package.CFR(pruning=package.BestResponsePruning(check_every=10)),
        package.CFR(package.RegretMatchingPlus(), pruning=package.BestResponsePruning()),
    ],
)
def test_prepared_kernels_are_all_that_other_methods_need(solver):
    rules = package.load("goofspiel")
    compiled = package.compile(rules, pruning=solver.needs_bounds, thresholds=solver.needs_branches)
    prepare_kernels(lambda _: None, solver)
    before = signatures()
    package.solve(compiled, solver, package.until.iterations(30))
    assert signatures() == before


@pytest.mark.parametrize("actions", [3, 40, 9000])
@pytest.mark.parametrize("payoffs", [3, 40_000])
def test_kernels_are_prepared_for_the_numbers_of_a_game(actions, payoffs):
    """Other widths of ids and other numbers are other kernels, which a run would wait for."""
    columns = max(1, payoffs // actions)
    matrix = tuple(
        tuple(float(k) for k in range(row * columns, (row + 1) * columns)) for row in range(actions)
    )
    game = package.compile(package.load("matrix", matrix=matrix), pruning=True)
    assert game.narrow == (actions < 9000 and payoffs == 3)
    tiny = tiny_game(widths(game), pruning=True)
    assert widths(tiny) == widths(game)
    kinds = [
        {name: part.dtype for name, part in each.all_arrays().items()} for each in (tiny, game)
    ]
    assert kinds[0] == kinds[1]


def test_kernels_that_must_be_compiled_are_announced_once_and_shown_each(monkeypatch):
    heard, seen = [], []

    def compile_two(*_):
        for kernel in (evaluate.behavior, pruned.iterate_pruned):
            data = {"dispatcher": kernel}
            with event.trigger_event("numba:compile", data):  # noqa: SIM117 - as they are nested
                with event.trigger_event("numba:compile", data):  # a piece of it
                    pass

    solver = package.CFR(pruning=package.BestResponsePruning())
    monkeypatch.setattr("secateur.cli.kernels.in_background", compile_two)
    prepare_kernels(heard.append, solver, show=seen.append)
    task = "compiling kernels for CFR with best-response pruning"
    assert heard == [f"{task}: about 25 s, this once"]
    assert seen == [
        f"{task}: kernel 1 (behavior), about 25 s, this once",
        f"{task}: kernel 2 (iterate pruned), about 25 s, this once",
    ]


@pytest.mark.parametrize(
    ("solver", "task"),
    [
        (None, "evaluations: about 4 s"),
        (package.recipes.cfr_plus(), "CFR: about 7 s"),
        (package.CFR(pruning=package.RegretBasedPruning()), "CFR with regret-based pruning: "),
        (package.EGT(), "EGT: "),
        (package.FictitiousPlay(), "FictitiousPlay: about 13 s"),
        (
            package.FictitiousPlay(pruning=package.BestResponsePruning()),
            "FictitiousPlay with best-response pruning: ",
        ),
    ],
)
def test_announcements_say_for_what_and_how_long(monkeypatch, solver, task):
    heard = []

    def compile_one(*_):
        with event.trigger_event("numba:compile", {"dispatcher": evaluate.behavior}):
            pass

    monkeypatch.setattr("secateur.cli.kernels.in_background", compile_one)
    prepare_kernels(heard.append, solver)
    assert len(heard) == 1
    assert heard[0].startswith(f"compiling kernels for {task}")


def test_ready_kernels_are_not_announced(monkeypatch):
    prepare_kernels(lambda _: None)
    monkeypatch.setattr("secateur.preparing._ready", set())
    heard = []
    prepare_kernels(heard.append)
    assert heard == []


def test_background_work_returns_and_raises_like_any_other():
    assert in_background(lambda: 42) == 42

    def fail():
        raise SecateurError("no solution")

    with pytest.raises(SecateurError, match="no solution"):
        in_background(fail)


def test_background_work_can_be_abandoned():
    release = threading.Event()
    # A shell sends 2, which Python turns into KeyboardInterrupt in the main thread.
    threading.Timer(0.2, lambda: os.kill(os.getpid(), 2)).start()
    with pytest.raises(KeyboardInterrupt):
        in_background(lambda: release.wait(30))
    release.set()


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel", "battleship", "random"])
def test_first_decisions_are_all_information_sets_in_another_order(name):
    game = package.compile(package.load(name))
    found = list(first_decisions(game))
    assert sorted(map(repr, found)) == sorted(map(repr, game.information_sets()))


def test_first_decisions_come_first():
    found = [each.label for each in first_decisions(package.compile(package.load("leduc")))]
    assert found[:3] == ["J", "Q", "K"]
    assert {label.split()[-1] for label in found[3:9]} == {"check", "bet2"}
