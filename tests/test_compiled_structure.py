"""Compiled games against the tree of histories: same information sets, sequences, histories."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

import secateur
from reference import Tree
from reference.metrics import counterfactual_best_response_values, nash_conv
from reference.tree import Node, Sequence
from secateur.compiled.counts import histories_of_cells
from secateur.compiled.from_histories import compile_histories
from secateur.compiled.game import CompiledGame
from secateur.compiled.matrices import padded
from secateur.games import CHANCE, END, Game
from support.oracle import Bridge, cells_of, random_profile
from support.public import RandomPublicGame
from support.small_games import (
    BUILT_IN,
    built_in,
    compiled,
    examples,
    loaded,
    random_games,
    ready_to_prune,
)
from support.written import (
    Deal,
    Move,
    Over,
    Written,
    at_start,
    crossed_orders,
    diagonal,
    drawn,
    rare_hand,
)

PUBLIC_SEEDS = range(12)


def last_sequences(tree: Tree) -> list[Counter[Sequence | None]]:
    """Return for each player how many histories have each sequence as that player's last."""
    counts: list[Counter[Sequence | None]] = [Counter(), Counter()]

    def visit(node: Node, last: tuple[Sequence | None, Sequence | None]) -> None:
        for player in range(2):
            counts[player][last[player]] += 1
        for action, child in zip(node.actions, node.children, strict=True):
            own = (node.infoset, action)
            if node.turn in (CHANCE, END):
                visit(child, last)
            else:
                visit(child, (own, last[1]) if node.turn == 0 else (last[0], own))

    visit(tree.root, (None, None))
    return counts


def assert_same_as_oracle(game: Game, compiled_game: CompiledGame | None = None) -> None:
    bridge = Bridge(game, compiled_game)
    tree, compact = bridge.tree, bridge.compiled

    expected = Counter(
        (key[0], str(key[1]), tuple(map(str, infoset.actions)))
        for key, infoset in tree.infosets.items()
    )
    found = Counter((each.player, each.label, each.actions) for each in compact.information_sets())
    assert found == expected
    assert set(expected.values()) <= {1}

    assert compact.size.histories == tree.size
    assert compact.size.information_sets == len(tree.infosets)
    by_player = tuple(
        sum(len(infoset.actions) for infoset in tree.of_player(player)) for player in range(2)
    )
    assert compact.size.sequences_by_player == by_player
    assert compact.size.sequences == compact.cells == sum(by_player)

    cells = [cell for each in compact.information_sets() for cell in cells_of(each, compact)]
    assert sorted(cells) == list(range(compact.cells))

    for player, counts in enumerate(last_sequences(tree)):
        assert compact.root_histories[player] == counts.pop(None)
        mine = compact.cell_player == player
        found = histories_of_cells(compact.arrays)[mine]
        np.testing.assert_array_equal(found, bridge.array(counts)[mine])
    assert_well_nested(bridge)


def assert_well_nested(bridge: Bridge) -> None:
    """Walk the blocks in preorder; whatever a block or leaf points to must stand on the path."""
    game, arrays = bridge.compiled, bridge.compiled.arrays
    sequence_of = {cell: sequence for sequence, cell in bridge.cell.items()}
    blocks = len(arrays.player)
    assert arrays.subtree_end[0] == blocks
    assert list(arrays.first_leaf) == sorted(arrays.first_leaf)
    assert arrays.first_leaf[blocks] == len(arrays.leaf_matrix)

    standing: list[dict[int, int]] = [{0: -1}, {0: -1}]
    """For each player: the cell at each slot in use."""
    rows: list[set[int]] = [{0}, {0}]
    open_blocks: list[int] = []
    deepest = 0
    for block in range(blocks):
        while open_blocks and arrays.subtree_end[open_blocks[-1]] <= block:
            done = open_blocks.pop()
            owner = arrays.player[done]
            for slot in slots_of(arrays, done):
                del standing[owner][slot]
            rows[owner] -= set(rows_of(arrays, done))
        for above in open_blocks:
            assert block < arrays.subtree_end[block] <= arrays.subtree_end[above]
        for player in range(2):
            assert arrays.gate[2 * block + player] in rows[player]
        if block:
            owner, lanes = int(arrays.player[block]), int(arrays.lanes[block])
            for lane, slot in enumerate(parent_slots(arrays, block)):
                parent = standing[owner][slot]
                infoset, _ = sequence_of[int(arrays.first_cell[block]) + lane]
                expected = bridge.tree.infosets[infoset].parent
                assert parent == (-1 if expected is None else bridge.cell[expected])
            mine = slots_of(arrays, block)
            assert max(mine) < game.stack.slots
            assert standing[owner].keys().isdisjoint(mine)
            assert rows[owner].isdisjoint(rows_of(arrays, block))
            for slot, (action, lane) in mine.items():
                standing[owner][slot] = int(arrays.first_cell[block]) + action * lanes + lane
            rows[owner] |= set(rows_of(arrays, block))
            assert max(rows[owner]) < game.stack.rows
            open_blocks.append(block)
            deepest = max(deepest, len(open_blocks))
        for leaf in range(arrays.first_leaf[block], arrays.first_leaf[block + 1]):
            for player in range(2):
                place = 2 * int(arrays.leaf_pair[leaf]) + player
                first = arrays.pair_slot[place]
                lanes = arrays.matrix_lanes[2 * arrays.leaf_matrix[leaf] + player]
                assert all(first + lane in standing[player] for lane in range(lanes))
                assert arrays.pair_row[place] in rows[player]
    assert deepest == game.stack.blocks


def slots_of(arrays, block: int) -> dict[int, tuple[int, int]]:
    """Return the slots of a block with the action and lane that each belongs to."""
    lanes, first = int(arrays.lanes[block]), int(arrays.first_slot[block])
    return {
        first + action * padded(lanes) + lane: (action, lane)
        for action in range(arrays.actions[block])
        for lane in range(lanes)
    }


def rows_of(arrays, block: int) -> range:
    first = int(arrays.first_row[block])
    return range(first, first + int(arrays.actions[block]))


def parent_slots(arrays, block: int) -> list[int]:
    parent, lanes = int(arrays.parent_slot[block]), int(arrays.lanes[block])
    if parent >= 0:
        return list(range(parent, parent + lanes))
    return arrays.lane_parent_slot[-1 - parent :][:lanes].tolist()


def assert_same_values_as_oracle(game: Game) -> None:
    bridge = Bridge(game)
    for seed in range(3):
        profile = random_profile(bridge.tree, seed)
        strategy = bridge.strategy(profile)
        assert secateur.nash_conv(bridge.compiled, strategy) == pytest.approx(
            nash_conv(bridge.tree, profile), rel=1e-12, abs=1e-14
        )


@examples(150)
@given(game=random_games())
def test_random_game_has_the_histories_and_information_sets_of_its_tree(game: Game):
    assert_same_as_oracle(game)


@pytest.mark.parametrize("title", BUILT_IN)
def test_built_in_game_has_the_histories_and_information_sets_of_its_tree(title: str):
    assert_same_as_oracle(built_in(title), compiled(title))


@pytest.mark.parametrize("seed", PUBLIC_SEEDS)
def test_public_game_has_the_histories_and_information_sets_of_its_tree(seed: int):
    assert_same_as_oracle(RandomPublicGame(seed))


@pytest.mark.parametrize(
    ("name", "parameters", "histories", "information_sets", "sequences_of_each"),
    [
        ("kuhn", {}, 55, 12, 12),
        ("leduc", {}, 1_936, 288, 336),
        ("leduc", {"merge_suits": False}, 9_451, 936, None),
        ("leduc5", {}, 269_560, 34_224, 50_232),
        ("leduc5-dt", {}, 269_560, 34_224, 50_232),
    ],
)
def test_published_sizes(name, parameters, histories, information_sets, sequences_of_each):
    size = ready_to_prune(loaded(name, **parameters)).size
    assert size.histories == histories
    assert size.information_sets == information_sets
    if sequences_of_each is not None:
        assert size.sequences_by_player == (sequences_of_each, sequences_of_each)


def test_game_without_a_common_clock_is_one_public_state_and_has_the_right_values():
    game = crossed_orders()
    assert_same_as_oracle(game)
    assert_same_values_as_oracle(game)
    arrays = secateur.compile(game).arrays
    assert set(arrays.subtree_end) == {len(arrays.player)}


def test_information_set_at_different_depths_is_one():
    def rules(state):
        if not state:
            return Deal((("short", 0.4), ("long", 0.6)))
        if state == ("long",):
            return Move(1, "long", ("l", "r"))
        if len(state) == (1 if state[0] == "short" else 2):
            return Move(0, "when?", ("u", "d"))
        win = drawn("depths", state)
        return Over((win, -win))

    game = Written(rules)
    assert_same_as_oracle(game)
    assert_same_values_as_oracle(game)
    assert secateur.compile(game).size.information_sets == 2


def test_one_player_may_have_no_move_at_all():
    game = at_start(Move(1, "alone", ("a", "b")), Over((1.0, -1.0)))
    compact = secateur.compile(game)
    assert compact.size.sequences_by_player == (0, 2)
    assert secateur.expected_value(compact, secateur.Strategy.uniform(compact)) == 1.0
    assert_same_as_oracle(game)


def test_chance_alone_may_decide():
    game = at_start(Deal((("a", 0.25), ("b", 0.75))), Over((2.0, -2.0)))
    compact = secateur.compile(game)
    assert compact.size[:3] == (3, 0, 0)
    assert secateur.expected_value(compact, secateur.Strategy.uniform(compact)) == 2.0


def test_game_may_be_over_at_the_start():
    compact = secateur.compile(Written(lambda state: Over((3.0, -3.0))))
    assert compact.size[:3] == (1, 0, 0)
    assert secateur.expected_value(compact, secateur.Strategy.uniform(compact)) == 3.0
    assert secateur.nash_conv(compact, secateur.Strategy.uniform(compact)) == 0.0


def test_outcomes_of_probability_zero_do_not_exist():
    game = at_start(Deal((("never", 0.0), ("always", 1.0))))
    assert secateur.compile(game).size.histories == 2


def test_leaves_of_leduc5_share_their_matrices():
    game = ready_to_prune(loaded("leduc5"))
    assert game.size.leaves == 22_203
    assert len(np.unique(game.arrays.leaf_matrix)) <= 10


def test_mostly_empty_matrices_are_stored_sparsely_and_give_the_right_values():
    game = diagonal(6)
    arrays = secateur.compile(game).arrays
    assert not arrays.matrix_kind[arrays.leaf_matrix].any()
    assert_same_as_oracle(game)
    assert_same_values_as_oracle(game)


def test_dense_and_sparse_matrices_in_one_game():
    games = [secateur.compile(RandomPublicGame(seed)).arrays for seed in PUBLIC_SEEDS]
    densities = [set(each.matrix_kind[each.leaf_matrix].tolist()) for each in games]
    assert {0, 1} in densities


@pytest.mark.parametrize("chance", [1e-3, 1e-9, 1e-15])
def test_rare_hands_keep_their_own_payoffs(chance: float):
    bridge = Bridge(rare_hand(chance))
    profile = bridge.tree.uniform_strategy()
    found = secateur.counterfactual_best_response_values(
        bridge.compiled, bridge.strategy(profile), player=0
    )
    expected = counterfactual_best_response_values(bridge.tree, 0, profile)
    np.testing.assert_allclose(found, bridge.array(expected), rtol=1e-10)
    assert secateur.best_response(bridge.compiled, bridge.strategy(profile), 0)["rare"]["b"] == 1.0


def test_both_ways_to_compile_give_the_same_bits_every_time():
    for game in (secateur.load("leduc"), secateur.load("random", structured=True)):
        for way in (secateur.compile, compile_histories):
            first, second = way(game).arrays, way(game).arrays
            assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
