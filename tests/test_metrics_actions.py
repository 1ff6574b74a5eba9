"""What actions are worth, and strategies against each other, compared with a walk of the rules."""

from __future__ import annotations

import sys
from collections import defaultdict

import numpy as np
import pytest

import secateur
from secateur.games import CHANCE, END
from support.oracle import random_strategy
from support.small_games import built_in

GAMES = ("kuhn", "leduc of 2 ranks, 3 suits", "goofspiel of 3 cards, random prizes", "random")


class Walk:
    """Sums over all histories, by the book."""

    def __init__(self, rules: secateur.Game, players: tuple) -> None:
        self.rules = rules
        self.players = players
        self.reach: dict = defaultdict(float)
        self.weighted: dict = defaultdict(float)
        self.value = self._visit(rules.start(), (1.0, 1.0))

    def _visit(self, state, reach: tuple[float, float]) -> float:
        """Return the value to player 0; ``reach[i]`` is all but player i's doing."""
        rules = self.rules
        turn = rules.turn(state)
        if turn == END:
            return float(rules.payoffs(state)[0])
        if turn == CHANCE:
            return sum(
                float(p) * self._visit(rules.after(state, o), (reach[0] * p, reach[1] * p))
                for o, p in rules.chance(state)
                if p > 0
            )
        label = str(rules.information(state))
        played = self.players[turn].at(turn, label)
        self.reach[turn, label] += reach[turn]
        total = 0.0
        for action in rules.actions(state):
            p = played[str(action)]
            after = (reach[0] * p, reach[1]) if turn == 1 else (reach[0], reach[1] * p)
            value = self._visit(rules.after(state, action), after)
            sign = 1.0 if turn == 0 else -1.0
            self.weighted[turn, label, str(action)] += reach[turn] * sign * value
            total += p * value
        return total


@pytest.mark.parametrize("title", GAMES)
def test_action_values_are_those_of_a_walk_through_all_histories(title: str):
    rules = built_in(title)
    game = secateur.compile(rules, pruning=True)
    strategy = random_strategy(game, 1, zeros=0.0)
    walk = Walk(rules, (strategy, strategy))
    found = secateur.action_values(game, strategy)
    for infoset in game.information_sets():
        reach = walk.reach[infoset.player, infoset.label]
        values = [
            walk.weighted[infoset.player, infoset.label, action] / reach
            for action in infoset.actions
        ]
        assert found.reach[infoset.cells] == pytest.approx(reach)
        assert found.value[infoset.cells] == pytest.approx(values)
        assert found.loss[infoset.cells] == pytest.approx(max(values) - np.array(values))


def test_values_are_unknown_where_nobody_comes():
    game = secateur.compile(secateur.load("kuhn"), pruning=True)
    probabilities = secateur.Strategy.uniform(game).probabilities.copy()
    for infoset in game.information_sets():
        if infoset.player == 0:  # never bets, never calls
            probabilities[infoset.cells] = [1.0, 0.0]
    values = secateur.action_values(game, secateur.Strategy(game, probabilities))
    (behind_a_bet,) = game.by_label["Q bet"]
    assert np.isnan(values.value[behind_a_bet.cells]).all()
    assert (values.reach[behind_a_bet.cells] == 0.0).all()


def test_losses_at_an_equilibrium_are_zero_where_actions_are_played():
    game = secateur.compile(secateur.load("leduc"), pruning=True)
    strategy = secateur.solve(game, "exact").strategy
    values = secateur.action_values(game, strategy)
    played = (strategy.plan > 1e-6) & (values.reach > 1e-9)
    assert values.loss[played].max() < 1e-6
    assert np.nanmax(values.loss) > 1.0


def test_action_values_need_the_probabilities_of_chance():
    game = secateur.compile(secateur.load("kuhn"))
    with pytest.raises(secateur.ParameterError, match="pruning=True"):
        secateur.action_values(game, secateur.Strategy.uniform(game))


@pytest.mark.parametrize("title", GAMES)
def test_one_strategy_against_another(title: str):
    rules = built_in(title)
    game = secateur.compile(rules)
    mine, yours = (random_strategy(game, seed) for seed in (2, 3))
    assert secateur.expected_value(game, mine, yours) == pytest.approx(
        Walk(rules, (mine, yours)).value
    )
    assert secateur.expected_value(game, mine) == secateur.expected_value(game, mine, mine)


@pytest.mark.parametrize("title", GAMES)
def test_frame_has_a_row_for_each_action(title: str):
    game = secateur.compile(built_in(title), pruning=True)
    strategy = random_strategy(game, 4)
    frame = strategy.to_frame()
    values = secateur.action_values(game, strategy)
    assert len(frame) == game.cells
    for infoset in game.information_sets():
        rows = frame[(frame.player == infoset.player) & (frame.information_set == infoset.label)]
        assert tuple(rows.action) == infoset.actions
        for column, numbers in {
            "probability": strategy.probabilities,
            "own_reach": strategy.plan,
            "value": values.value,
            "loss": values.loss,
            "reach": values.reach,
        }.items():
            assert np.array_equal(rows[column], numbers[infoset.cells], equal_nan=True)


def test_frame_without_the_probabilities_of_chance_has_no_values():
    frame = secateur.Strategy.uniform(secateur.compile(secateur.load("kuhn"))).to_frame()
    columns = ["player", "information_set", "action", "probability", "own_reach"]
    assert list(frame.columns) == columns


def test_frame_without_pandas_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(secateur.SecateurError, match=r"pip install 'secateur-solver\[pandas\]'"):
        secateur.Strategy.uniform(secateur.compile(secateur.load("kuhn"))).to_frame()


@pytest.mark.parametrize("title", GAMES)
def test_plays_win_on_average_what_they_should(title: str):
    rules = built_in(title)
    game = secateur.compile(rules)
    mine, yours = random_strategy(game, 5), random_strategy(game, 6)
    plays = secateur.sample_play(rules, mine, 4000, seed=1, opponent=yours)
    wins = np.array([play.payoffs[0] for play in plays])
    expected = secateur.expected_value(game, mine, yours)
    assert abs(wins.mean() - expected) < 4.0 * wins.std() / np.sqrt(len(wins)) + 1e-12
    for play in plays[:200]:
        assert play.payoffs[0] == -play.payoffs[1]
        for move in play.moves:
            assert move.probability > 0.0
            if move.player != CHANCE:
                played = (mine, yours)[move.player].at(move.player, move.information_set)
                assert played[move.action] == move.probability


def test_plays_of_a_seed_are_always_the_same():
    uniform = secateur.Strategy.uniform(secateur.compile(secateur.load("leduc")))
    plays = secateur.sample_play("leduc", uniform, 20, seed=7)
    assert plays == secateur.sample_play("leduc", uniform, 20, seed=7)
    assert plays != secateur.sample_play("leduc", uniform, 20, seed=8)
    assert secateur.sample_play("leduc", uniform, 0) == []


def test_plays_are_told_in_words():
    uniform = secateur.Strategy.uniform(secateur.compile(secateur.load("leduc")))
    for play in secateur.sample_play("leduc", uniform, 50, seed=3):
        deal, *moves = play.moves
        cards = deal.action.split()
        assert (deal.player, len(cards)) == (CHANCE, 2)
        assert set(cards) <= {"J", "Q", "K"}
        for move in moves:
            if move.player != CHANCE:
                assert move.information_set.split()[0] == cards[move.player]
        assert play.history.startswith(deal.action)
