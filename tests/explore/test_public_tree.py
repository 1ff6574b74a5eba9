"""Nodes of the public tree: all blocks, each once, found by numbers and by words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import secateur
from secateur import CompiledGame
from secateur.errors import ParameterError
from secateur.games.following import information_sets_after
from secateur.node_tables import largest_differences, node_table
from secateur.public_tree import PublicTree
from support.small_games import BUILT_IN, compiled

GAMBIT = Path(__file__).parents[1] / "data" / "gambit"
GAMES = (
    "battleship of 2 shots",
    *("kuhn", "leduc", "goofspiel", "matrix", "random"),
    "openspiel:kuhn_poker",
    *(str(GAMBIT / f"{name}.efg") for name in ("antes", "inspection", "names", "depths")),
)


@cache
def tree_of(name: str) -> PublicTree:
    if name in BUILT_IN:
        return PublicTree(compiled(name))
    return PublicTree(secateur.compile(secateur.load(name), pruning=True))


def all_nodes(tree: PublicTree):
    todo = [tree.start]
    while todo:
        node = tree.node(todo.pop())
        yield node
        todo += [branch.node for branch in node.branches]


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name)
def test_every_block_is_at_one_node_and_every_node_is_found_again(name: str) -> None:
    tree = tree_of(name)
    seen: list[int] = []
    for node in all_nodes(tree):
        assert len({branch.words for branch in node.branches}) == len(node.branches)
        for table in node.tables:
            kinds = {
                (int(tree.game.arrays.player[b]), int(tree.game.arrays.actions[b])) for b in table
            }
            assert len(kinds) == 1
            assert {tree.node_of(block) for block in table} == {node.number}
            seen += table
    assert sorted(seen) == list(range(1, len(tree.game.arrays.player)))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_words_lead_where_the_rules_do(name: str) -> None:
    tree, rules = tree_of(name), secateur.load(name)
    for node in all_nodes(tree):
        words = " ".join(step.words for step in tree.steps(tree.line(node.number))).strip()
        assert tree.follow(words) == node.number
        labels = {
            (infoset.player, infoset.label)
            for table in node.tables
            for block in table
            for infoset in tree.game.information_sets_of(block)
        }
        assert labels == set(information_sets_after(rules, words))


def test_moves_that_nobody_sees_leave_players_at_one_node() -> None:
    node = tree_of("matrix").node(1)
    assert node.tables == ((1,), (2,))
    assert node.branches == ()
    both = tree_of("goofspiel").node(1)
    assert len(both.branches) == 16
    assert {len(branch.moves) for branch in both.branches} == {2}


def test_labels_of_several_lines_are_told_line_by_line() -> None:
    tree = tree_of("openspiel:goofspiel(num_cards=4,imp_info=True,points_order=descending)")
    found = [each.words for each in tree.node(tree.start).branches if not each.moves]
    assert found == ["Win sequence: 1 Points: 0 4", "Win sequence: 0 Points: 4 0"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [("jump", "go on with check, bet2"), ("check jump", "'jump' does not follow 'check'")],
)
def test_words_that_lead_nowhere_are_a_sentence(words: str, complaint: str) -> None:
    with pytest.raises(ParameterError, match=complaint):
        tree_of("leduc").follow(words)


@pytest.mark.parametrize("number", [-1, 97, 10**6, "x", 1.5])
def test_numbers_of_no_node_are_a_sentence(number: object) -> None:
    with pytest.raises(ParameterError):
        tree_of("leduc").node(number)  # type: ignore[arg-type]


def test_a_block_that_is_not_the_first_of_its_node_is_told_apart() -> None:
    assert tree_of("kuhn").node(4).tables == ((4, 5, 6),)
    with pytest.raises(ParameterError, match="part of node 4"):
        tree_of("kuhn").node(5)


def random_strategy(game: CompiledGame, seed: int) -> secateur.Strategy:
    plan = np.random.default_rng(seed).exponential(size=game.cells)
    return secateur.Strategy.from_plan(game, plan)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name)
def test_tables_hold_what_strategies_and_values_say(name: str) -> None:
    tree = tree_of(name)
    strategy = random_strategy(tree.game, 1)
    values = secateur.action_values(tree.game, strategy)
    infosets = {
        block: list(tree.game.information_sets_of(block))
        for block in range(1, len(tree.game.arrays.player))
    }
    for node in all_nodes(tree):
        for blocks in node.tables:
            table = node_table(strategy, blocks, values)
            for place, (block, lane) in enumerate(table.places):
                infoset = infosets[block][lane]
                assert table.label(tree.game, place) == infoset.label
                assert table.actions(tree.game, place) == infoset.actions
                played = strategy.at(infoset.player, infoset.label)
                assert dict(zip(infoset.actions, table.probability[:, place], strict=True)) == (
                    played
                )
                assert table.player == infoset.player
                np.testing.assert_array_equal(table.value[:, place], values.value[infoset.cells])
                np.testing.assert_array_equal(table.loss[:, place], values.loss[infoset.cells])
                assert table.reach[place] == values.reach[infoset.cells][0]
                plan = strategy.plan[infoset.cells].sum()
                assert table.own_reach[place] == pytest.approx(plan, rel=1e-12)


def test_the_value_of_the_game_is_that_of_its_first_node() -> None:
    tree = tree_of("leduc")
    strategy = random_strategy(tree.game, 2)
    table = node_table(strategy, (1,), secateur.action_values(tree.game, strategy))
    value = float((table.reach * table.own_reach * table.expected).sum())
    assert value == pytest.approx(secateur.expected_value(tree.game, strategy))


def test_differences_are_largest_where_a_strategy_was_changed() -> None:
    game = tree_of("leduc").game
    first = random_strategy(game, 3)
    changed = first.probabilities.copy()
    (infoset,) = game.by_label["Q check bet2"]
    changed[infoset.cells] = [0.0, 0.0, 1.0]
    second = secateur.Strategy(game, changed)
    values = secateur.action_values(game, first)
    (found,) = largest_differences(first, second, values)
    block = int(np.searchsorted(game.arrays.first_cell[1:], infoset.cells.start, side="right"))
    apart = 1.0 - first.probabilities[infoset.cells][2]
    reach = values.reach[infoset.cells][0] * first.plan[infoset.cells].sum()
    assert found.block == block
    assert found.amount == pytest.approx(apart * reach)
    assert largest_differences(first, first) == []
