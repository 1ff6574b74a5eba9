"""Numbers of histories are stored once for rows that share them, lists of actions for blocks."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import secateur
from secateur.compiled.arrays import Arrays, number_types
from secateur.compiled.counts import count_arrays, histories_of_blocks, histories_of_cells

ACTIONS = np.array([0, 2, 3, 2, 2])
LANES = np.array([0, 3, 3, 3, 1])
ROWS = [[4, 6, 2], [2, 3, 1], [6, 9, 3], [0, 0, 0], [5, 1, 1], [4, 6, 2], [2, 3, 1], [7], [1]]
"""Two blocks are the same, and four rows differ from another by a factor."""


def told(parts: dict[str, np.ndarray]) -> Arrays:
    nothing = {name: np.zeros(0, each) for name, each in number_types(Arrays, narrow=True).items()}
    return Arrays(**nothing | parts | {"actions": ACTIONS, "lanes": LANES})


def test_rows_that_differ_by_a_factor_share_a_list_and_equal_blocks_their_rows():
    found = count_arrays(np.concatenate(ROWS), ACTIONS, LANES)
    assert found["counts"].tolist() == [2, 3, 1, 0, 0, 0, 5, 1, 1, 1]
    assert found["block_counts"].tolist() == [0, 0, 2, 0, 5]
    assert found["count_first"].tolist() == [0, 0, 0, 3, 6, 9, 9]
    assert found["count_factor"].tolist() == [2, 1, 3, 1, 1, 7, 1]
    arrays = told(found)
    assert histories_of_cells(arrays).tolist() == np.concatenate(ROWS).tolist()
    assert histories_of_blocks(arrays).tolist() == [0, 18, 25, 18, 8]


@pytest.fixture(scope="module")
def turn() -> secateur.CompiledGame:
    ranges = {"range_0": "AsAh,KsKh,JhTh", "range_1": "QdQc,9s9h,AdKd"}
    rules = secateur.load("holdem", board="7s8h2d3c", pot=10, stack=20, bets="50%", **ranges)
    return secateur.compile(rules)


def test_what_repeats_behind_every_card_is_stored_once(turn):
    assert len(turn.arrays.counts) < turn.cells / 30
    assert len(turn.arrays.count_first) < turn.size.blocks / 5
    assert len(turn.labels.lane_actions) < turn.size.information_sets / 20


@pytest.mark.parametrize("name", ["block_counts", "count_first"])
@pytest.mark.parametrize("place", [-1, 10_000])
def test_files_whose_lists_lie_elsewhere_are_refused(turn, tmp_path: Path, name, place):
    part = np.array(getattr(turn.arrays, name))
    part[-1] = place
    crafted = replace(turn, arrays=turn.arrays._replace(**{name: part}))
    secateur.save_compiled(crafted, tmp_path / "turn.game")
    with pytest.raises(secateur.FileError, match=f"its {name} cannot belong to a game"):
        secateur.open_compiled(tmp_path / "turn.game")


def test_small_files_do_not_tell_of_more_lanes_than_they_name(turn, tmp_path: Path):
    lanes = np.array(turn.arrays.lanes)
    lanes[1:] = 30_000
    crafted = replace(turn, arrays=turn.arrays._replace(lanes=lanes))
    crafted.know_fingerprint(turn.fingerprint)  # it has none that could be computed
    secateur.save_compiled(crafted, tmp_path / "turn.game")
    with pytest.raises(secateur.FileError, match="cannot belong to a game"):
        secateur.open_compiled(tmp_path / "turn.game")
