"""The oracle's tree of a game."""

from __future__ import annotations

import pytest

from reference.small_games import Coin, Kuhn, Matrix
from reference.tree import Tree
from secateur.games.rules import CHANCE, END


def test_coin_is_written_out_completely():
    tree = Tree(Coin())
    # chance; H, T; Hb, Hp, Tb, Tp; Hbc, Hbf, Tbc, Tbf
    assert tree.size == 11
    assert tree.root.turn == CHANCE
    assert tree.root.probabilities == (0.5, 0.5)
    heads, tails = tree.root.children
    assert (heads.turn, heads.infoset, heads.actions) == (0, (0, "H"), ("b", "p"))
    assert heads.children[1].turn == END
    assert heads.children[1].payoffs == (-1, 1)
    assert heads.children[0].infoset == tails.children[0].infoset == (1, "bet")
    assert [end.payoffs for end in tails.children[0].children] == [(-2, 2), (1, -1)]


def test_coin_infosets():
    tree = Tree(Coin())
    assert set(tree.infosets) == {(0, "H"), (0, "T"), (1, "bet")}
    bet = tree.infosets[1, "bet"]
    assert bet.actions == ("c", "f")
    assert bet.parent is None
    assert len(bet.histories) == 2


def test_kuhn_counts_and_own_sequences():
    tree = Tree(Kuhn())
    # 1 chance, and for each of 6 deals: 4 decisions ("", p, b, pb) and 5 ends
    assert tree.size == 1 + 6 * (4 + 5)
    assert len(tree.of_player(0)) == len(tree.of_player(1)) == 6
    assert all(len(infoset.histories) == 2 for infoset in tree.infosets.values())
    assert tree.infosets[0, "2pb"].parent == ((0, "2"), "p")
    assert tree.infosets[1, "2p"].parent is None


def test_parents_come_before_their_children():
    tree = Tree(Kuhn())
    seen = set()
    for key, infoset in tree.infosets.items():
        assert infoset.parent is None or infoset.parent[0] in seen
        seen.add(key)


def test_uniform_strategy():
    tree = Tree(Matrix([[1, 2, 3], [4, 5, 6]]))
    assert tree.uniform_strategy() == {(0, "choose"): [0.5, 0.5], (1, "choose"): [1 / 3] * 3}


class MoodyCoin(Coin):
    """A bet can be called only on heads, but player 1 does not see heads."""

    def actions(self, state: str) -> list[str]:
        return ["f"] if state == "Tb" else super().actions(state)


class AbsentMindedKuhn(Kuhn):
    """Player 0 does not know whether it is the first decision or the second."""

    def information(self, state: str) -> str:
        return state[0] if self.turn(state) == 0 else super().information(state)


def test_absent_mindedness_is_refused():
    with pytest.raises(ValueError, match="imperfect recall"):
        Tree(AbsentMindedKuhn())


def test_different_actions_in_one_infoset_are_refused():
    with pytest.raises(ValueError, match="different actions"):
        Tree(MoodyCoin())
