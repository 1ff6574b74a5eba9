import os
import threading

import pytest
from numba.core import event

import secateur as package
from secateur.cli.background import in_background
from secateur.cli.decisions import first_decisions
from secateur.cli.kernels import NOTICE, prepare_kernels
from secateur.errors import SecateurError
from secateur.kernels import (
    average,
    compact,
    egt,
    evaluate,
    fictitious_play,
    fictitious_pruning,
    mirror_descent,
    pruned,
    respond,
    sweep,
    value_sums,
)

KERNELS = [
    evaluate.behaviour,
    evaluate.expected_value,
    evaluate.nash_conv,
    evaluate.realization_plan,
    sweep.iterate,
    egt.excess,
    egt.iterate_adaptive,
    egt.iterate_fixed,
    fictitious_play.iterate_fictitious_play,
    fictitious_pruning.settle_everything,
    mirror_descent.iterate_mirror_descent,
    respond.follow,
    respond.respond,
    average.average_sums,
    average.best_response_to_average,
    average.count_entries,
    compact.compact,
    compact.fill,
    pruned.iterate_pruned,
    pruned.search,
    value_sums.recover_value_sums,
]


def signatures():
    return [list(kernel.signatures) for kernel in KERNELS]


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
@pytest.mark.parametrize("game", ["leduc", "goofspiel"])
def test_prepared_kernels_are_all_that_a_run_needs(precision, updates, game):
    compiled = package.compile(package.load(game))
    solver = package.recipes.cfr_plus(updates=updates, storage=package.Storage(precision))
    prepare_kernels(lambda _: None, solver)
    before = signatures()
    package.solve(compiled, solver, package.iterations(30))
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
    package.solve(compiled, solver, package.iterations(30))
    assert signatures() == before


def test_kernels_that_must_be_compiled_are_announced_once(monkeypatch):
    heard = []

    def compile_three(*_):
        for _ in range(3):
            with event.trigger_event("numba:compile"):
                pass

    monkeypatch.setattr("secateur.cli.kernels.nash_conv", compile_three)
    prepare_kernels(heard.append)
    assert heard == [NOTICE]


def test_ready_kernels_are_not_announced():
    prepare_kernels(lambda _: None)
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
