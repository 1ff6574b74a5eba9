"""Numbers that repeat stand in tables, and small ones in few bytes: the game is the same."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import secateur
from secateur.compiled.arrays import Arrays, number_types
from secateur.compiled.packing import TABLES, packed, widened, with_tables
from secateur.compiled.pairs import rows_of_leaves, slots_of_leaves, with_pairs
from secateur.solvers import stores
from support.solvers import SOLVERS


def wide(game: secateur.CompiledGame) -> secateur.CompiledGame:
    return replace(
        game,
        arrays=widened(game.arrays),
        pruning=widened(game.pruning),
        branches=widened(game.branches),
    )


@pytest.fixture(scope="module")
def leduc() -> secateur.CompiledGame:
    return secateur.compile(secateur.load("leduc"), pruning=True, thresholds=True)


def unpacked(game: secateur.CompiledGame) -> dict[str, np.ndarray]:
    found = game.all_arrays()
    for table, names in TABLES.items():
        found |= {name: found[table][found[name]] for name in names}
        del found[table]
    for name in ("leaf_pair", "pair_slot", "pair_row"):
        del found[name]
    found["leaf_slot"] = slots_of_leaves(game.arrays).ravel()
    found["leaf_row"] = rows_of_leaves(game.arrays).ravel()
    return found


def test_tables_hold_each_number_once_and_in_order(leduc):
    for name in TABLES:
        assert (np.diff(leduc.all_arrays()[name]) > 0.0).all()


def test_pairs_of_rows_stand_once_and_in_order(leduc):
    slot, row = leduc.arrays.pair_slot.reshape(-1, 2), leduc.arrays.pair_row.reshape(-1, 2)
    found = list(zip(slot[:, 0], row[:, 0], slot[:, 1], row[:, 1], strict=True))
    assert found == sorted(set(found))
    assert set(leduc.arrays.leaf_pair) == set(range(len(found)))
    assert len(found) < len(leduc.arrays.leaf_pair) / 4


def test_any_number_of_leaves_has_a_table_of_pairs():
    none = np.zeros(0, np.int32)
    assert not any(map(len, with_pairs(none, none).values()))
    pairs = np.random.default_rng(5).integers(0, 200, (40_000, 4))
    found = with_pairs(pairs[:, :2].ravel(), pairs[:, 2:].ravel())
    for name, part in (("pair_slot", pairs[:, :2]), ("pair_row", pairs[:, 2:])):
        assert np.array_equal(found[name].reshape(-1, 2)[found["leaf_pair"]], part)


def test_packing_again_what_was_unpacked_gives_the_same_arrays(leduc):
    for ours, theirs in zip(
        packed(with_tables(unpacked(leduc)), leduc.stack.slots),
        (leduc.arrays, leduc.pruning, leduc.branches),
        strict=True,
    ):
        for one, other in zip(ours, theirs, strict=True):
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)


@pytest.mark.parametrize("name", ["first_slot", "leaf_matrix", "lane_parent_slot", "link_row"])
def test_one_number_that_takes_more_than_two_bytes_makes_a_game_wide(leduc, name):
    plain = unpacked(leduc)
    plain[name] = plain[name].astype(np.int32)
    plain[name][-1] = 40_000
    found = packed(with_tables(plain), leduc.stack.slots).arrays
    assert found._asdict().keys() == number_types(Arrays, narrow=False).keys()
    assert {key: part.dtype for key, part in found._asdict().items()} == number_types(
        Arrays, narrow=False
    )


def test_many_slots_make_a_game_wide(leduc):
    plain = unpacked(leduc)
    assert packed(with_tables(plain), 16_000).arrays.first_slot.dtype == np.int16
    assert packed(with_tables(plain), 17_000).arrays.first_slot.dtype == np.int32


@pytest.mark.parametrize("title", ["cfr+", "cfr, brp"])
def test_wide_games_are_solved_to_the_same_bits(leduc, title, monkeypatch):
    found = []
    for game in (leduc, wide(leduc)):
        if game is not leduc:  # ids of two bytes, as large games have them
            monkeypatch.setattr(stores, "ids_type", lambda _: np.dtype(np.int16))
        state = SOLVERS[title].start(game)
        state.step(60)
        found.append((state.nash_conv(), state.average_strategy().probabilities.tobytes()))
    assert leduc.narrow
    assert not wide(leduc).narrow
    assert found[0] == found[1]


def test_narrow_and_wide_games_have_the_same_strategies(leduc):
    assert leduc.strategy_fingerprint == wide(leduc).strategy_fingerprint
    assert leduc.size._replace(bytes=0) == wide(leduc).size._replace(bytes=0)
    assert wide(leduc).size.bytes > leduc.size.bytes


def test_files_of_wide_games_are_read_and_those_of_neither_kind_refused(leduc, tmp_path: Path):
    path = tmp_path / "leduc.game"
    secateur.save_compiled(wide(leduc), path)
    assert not secateur.open_compiled(path).narrow
    mixed = replace(leduc, arrays=leduc.arrays._replace(pair_row=wide(leduc).arrays.pair_row))
    secateur.save_compiled(mixed, path)
    with pytest.raises(secateur.FileError, match="pair_row cannot belong"):
        secateur.open_compiled(path)


def test_narrow_games_may_have_any_number_of_labels(leduc, tmp_path: Path):
    ends = leduc.labels.prefix_end
    labels = leduc.labels._replace(prefix_end=np.append(ends, np.full(40_000, ends[-1])))
    secateur.save_compiled(replace(leduc, labels=labels), tmp_path / "leduc.game")
    assert secateur.open_compiled(tmp_path / "leduc.game").narrow


def test_blocks_with_many_leaves_are_pruned_like_others():
    """Each player has 200 actions: 40,000 ends, which are counted where two bytes would not do."""
    matrix = tuple(tuple(float((3 * i + 5 * k) % 7) for k in range(200)) for i in range(200))
    game = secateur.compile(secateur.load("matrix", matrix=matrix), pruning=True)
    assert not game.narrow
    plain = secateur.CFR().start(game)
    policy = secateur.BestResponsePruning(check_every=10)
    pruned = secateur.CFR(pruning=policy).start(game)
    for state in (plain, pruned):
        state.step(50)
    assert pruned.nash_conv() == pytest.approx(plain.nash_conv(), rel=0.2)
