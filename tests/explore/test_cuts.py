"""What a run has cut, compared with its books and with what was seen while it ran."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.behind_cuts import _structure

import secateur
from secateur.cut_actions import cuts, own_tree
from secateur.until import iterations
from support.small_games import compiled
from support.stored import unpacked

BRP = secateur.BestResponsePruning(check_every=20)
METHODS = {
    "cfr": secateur.recipes.cfr(pruning=BRP),
    "cfr+": secateur.recipes.cfr_plus(pruning=BRP),
    "fixed": secateur.recipes.cfr(
        pruning=secateur.BestResponsePruning(check_every=20, duration="fixed")
    ),
    "rbp": secateur.recipes.cfr(pruning=secateur.RegretBasedPruning()),
    "fp": secateur.FictitiousPlay(pruning=secateur.BestResponsePruning(check_every=20)),
}


def game():
    return compiled("leduc")


@pytest.mark.parametrize("name", METHODS)
def test_what_is_cut_could_not_have_earned_as_much(name: str) -> None:
    state = METHODS[name].start(game())
    state.step(1000)
    found = cuts(state)
    assert len(found.cell) > 10
    assert len(np.unique(found.cell)) == len(found.cell)
    assert (found.at_most <= found.earned + 1e-9).all()
    assert (found.again > state.iteration).all()
    # nothing behind a cut is listed
    tree = own_tree(state.game)
    assert not tree.behind(found.cell)[tree.infoset[found.cell]].any()
    # and nothing that is cut is played
    assert (state.current_strategy().probabilities[found.cell] == 0.0).all()


@pytest.mark.parametrize("name", ["cfr", "cfr+", "fixed"])
def test_bounds_are_those_of_the_store(name: str) -> None:
    state = METHODS[name].start(game())
    state.step(500)
    found, books = cuts(state), unpacked(state)
    order = np.argsort(found.cell)
    np.testing.assert_array_equal(found.cell[order], np.flatnonzero(books.pruned))
    bound = (found.at_most - found.earned) * state.weight
    np.testing.assert_allclose(bound, books.regret[found.cell], rtol=1e-9, atol=1e-9)


def test_since_is_the_iteration_after_which_it_was_first_seen() -> None:
    state = METHODS["cfr"].start(game())
    seen: dict[int, int] = {}
    for _ in range(300):
        state.step()
        found = cuts(state)
        now = dict(zip(found.cell.tolist(), found.since.tolist(), strict=True))
        seen = {cell: seen.get(cell, state.iteration) for cell in now}
        assert now == seen
    assert len(set(seen.values())) > 3


def test_since_survives_a_checkpoint(tmp_path) -> None:
    secateur.solve(game(), METHODS["cfr"], iterations(333), run=tmp_path / "run")
    run = secateur.open_run(tmp_path / "run")
    state = METHODS["cfr"].start(game())
    state.step(333)
    read = run.at_checkpoint()
    assert read.iteration == 333
    for mine, other in zip(cuts(state), cuts(read), strict=True):
        np.testing.assert_array_equal(mine, other)
    assert read.average_strategy().probabilities.tobytes() == run.strategy.probabilities.tobytes()


def test_late_dates_are_rounded_down_a_little() -> None:
    state = METHODS["cfr"].start(game())
    state.step(4000)
    early = cuts(state)
    state.step(40)
    late = cuts(state)
    fresh = late.since[~np.isin(late.cell, early.cell)]
    assert len(fresh)
    assert set(fresh.tolist()) <= set(range(4000, 4041, 2))


def test_a_run_that_prunes_nothing_has_no_cuts() -> None:
    for solver in (secateur.recipes.cfr(), secateur.recipes.cfr(pruning=BRP)):
        state = solver.start(game())
        state.step(3)
        assert len(cuts(state).cell) == 0


def test_the_own_tree_is_that_of_the_slow_way() -> None:
    found = own_tree(game())
    owner, parent = _structure(game())
    np.testing.assert_array_equal(found.infoset, owner)
    np.testing.assert_array_equal(found.parent, parent)
    # everything lies behind the first moves of a player, but for what comes before them
    arrays = game().arrays
    for player in range(2):
        first = [k for k, cell in enumerate(parent.tolist()) if cell < 0]
        mine = np.isin(owner, first) & (game().cell_player == player)
        total = found.histories[mine].sum() + game().root_histories[player]
        assert total == game().size.histories
    assert arrays.player[0] == 2
