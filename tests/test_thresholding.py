"""Dynamic thresholding: its two theorems on adversarial sequences, and what it leaves alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest

import secateur
from reference.hedge import softmax
from reference.thresholding import threshold_of_hedge, thresholded
from secateur import DynamicThresholding, Hedge, RegretMatching
from secateur.games import MatrixGame
from secateur.kernels.core.pieces import Turn
from secateur.kernels.regret_minimizers.sweep import Numbers, Visits, iterate
from secateur.kernels.regret_minimizers.thresholding import cut_small
from secateur.minimizers import Minimizer
from support.small_games import compiled

FACTORS = (1.0, 1.5, 2.0, 5.0, 30.0)
Adversary = Callable[[int, np.ndarray, np.ndarray, np.ndarray], int]
"""From iteration, payoff vectors, the player's strategy and regrets to the vector to face."""


def greedy_for_hedge(t, vectors, strategy, regrets):
    """Raise the sum of exponentials as much as possible."""
    after = regrets + vectors - (vectors @ strategy)[:, None]
    return int(np.exp((after - regrets.max()) / math.sqrt(t)).sum(axis=1).argmax())


def greedy_for_matching(t, vectors, strategy, regrets):
    """Raise the sum of squares of positive regrets as much as possible."""
    after = regrets + vectors - (vectors @ strategy)[:, None]
    return int((np.maximum(after, 0.0) ** 2).sum(axis=1).argmax())


def greedy_for_the_largest(t, vectors, strategy, regrets):
    """Raise the largest regret as much as possible."""
    return int((regrets + vectors - (vectors @ strategy)[:, None]).max(axis=1).argmax())


def punish_what_is_played(t, vectors, strategy, regrets):
    """Pay only what is played least."""
    return int((vectors @ strategy - 1e-3 * vectors.sum(axis=1)).argmin())


def revive_what_was_cut(t, vectors, strategy, regrets):
    """Pay the first action for a while, then only what is not played any more, and so on."""
    if math.isqrt(t) % 2:
        return int(vectors[:, 0].argmax())
    return int((vectors @ (strategy == 0.0) - vectors @ strategy).argmax())


def random(t, vectors, strategy, regrets):
    """Pay anything."""
    return int(np.random.default_rng(t).integers(len(vectors)))


ADVERSARIES: list[Adversary] = [
    greedy_for_hedge,
    greedy_for_matching,
    greedy_for_the_largest,
    punish_what_is_played,
    revive_what_was_cut,
    random,
]


class Player:
    """Player 0 of a matrix game, updated by the engine against columns that a test chooses.

    Every vector of zeros and ones is a column: the range of payoffs is 1.
    """

    def __init__(self, actions: int, minimizer: Minimizer, factor: float) -> None:
        self.vectors = np.array(list(product((0.0, 1.0), repeat=actions)))
        self.game = secateur.compile(MatrixGame(tuple(map(tuple, self.vectors.T))), pruning=True)
        solver = secateur.CFR(minimizer, thresholding=DynamicThresholding(factor))
        self.state = solver.start(self.game)
        self.rows = np.flatnonzero(self.game.cell_player == 0)
        self.columns = np.flatnonzero(self.game.cell_player == 1)

    @property
    def strategy(self) -> np.ndarray:
        return self.state.strategy[self.rows]

    @property
    def regrets(self) -> np.ndarray:
        return self.state.regret[self.rows]

    def face(self, column: int, t: int) -> None:
        """Run one update of player 0 against a column."""
        state = self.state
        state.strategy[self.columns] = 0.0
        state.strategy[self.columns[column]] = 1.0
        schedule = np.append(state.solver.minimizer.schedule(np.array([float(t)])), [[1.0]], axis=1)
        numbers = Numbers(
            regret=state.regret,
            strategy=state.strategy,
            chosen=state.strategy,
            scale=state._scale,
            total=state.strategy_sum,
            seen=np.zeros(0, np.int32),
        )
        how = Visits(simultaneous=False, skip=False, idle=False, counted=False)
        more = state._hedge, state._thresholds, how, state._sweeps.pieces
        turn = Turn(0, 1, last_player=1)
        stacks = state._sweeps.first_room
        iterate(self.game.arrays, numbers, schedule, t, *more, turn, stacks)


def largest_excess(player: Player, adversary: Adversary, bound: Callable[[int], float]) -> float:
    """Return how far the largest regret ever was above its bound, as a ratio."""
    worst = 0.0
    for t in range(1, 1001):
        column = adversary(t, player.vectors, player.strategy, player.regrets)
        player.face(column, t)
        worst = max(worst, player.regrets.max() / bound(t))
    return worst


@pytest.mark.parametrize("adversary", ADVERSARIES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("actions", [2, 3, 5])
def test_regret_of_thresholded_hedge_is_within_the_bound_of_theorem_1(actions, factor, adversary):
    player = Player(actions, Hedge("theory"), factor)
    scale = factor * math.sqrt(2 * math.log(actions))
    assert largest_excess(player, adversary, lambda t: scale * math.sqrt(t)) <= 1.0


@pytest.mark.parametrize("adversary", ADVERSARIES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("actions", [2, 3, 5])
def test_regret_of_thresholded_matching_is_within_the_bound_of_theorem_2(
    actions, factor, adversary
):
    player = Player(actions, RegretMatching(), factor)
    scale = factor * math.sqrt(actions)
    assert largest_excess(player, adversary, lambda t: scale * math.sqrt(t)) <= 1.0


@pytest.mark.parametrize("adversary", ADVERSARIES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("actions", [2, 4])
def test_theorem_1_holds_for_the_learning_rate_of_its_proof(actions, factor, adversary):
    """sqrt(2 ln |A|) / (Delta sqrt(T)), the same in all of the T iterations."""
    horizon = 400
    vectors = np.array(list(product((0.0, 1.0), repeat=actions)))
    rate = math.sqrt(2 * math.log(actions) / horizon)
    threshold = threshold_of_hedge(factor)
    regrets = np.zeros(actions)
    for t in range(1, horizon + 1):
        strategy = np.full(actions, 1 / actions)
        if t > 1:
            strategy = np.array(thresholded(softmax(regrets.tolist(), rate), threshold(actions, t)))
        vector = vectors[adversary(t, vectors, strategy, regrets)]
        regrets = regrets + vector - strategy @ vector
    assert regrets.max() <= factor * math.sqrt(2 * math.log(actions) * horizon)


@pytest.mark.parametrize("minimizer", [Hedge("theory"), RegretMatching()])
@pytest.mark.parametrize("adversary", [greedy_for_matching, revive_what_was_cut, random])
def test_adversaries_meet_thresholds(minimizer, adversary):
    """The sequences are not harmless: actions are cut, and come back."""
    player = Player(3, minimizer, 30.0)
    patterns = []
    for t in range(1, 1001):
        player.face(adversary(t, player.vectors, player.strategy, player.regrets), t)
        patterns.append(tuple(player.strategy == 0.0))
    assert sum(before != after for before, after in pairwise(patterns)) > 20


def test_the_rest_is_rescaled_and_the_most_probable_action_kept():
    game = secateur.compile(MatrixGame(((1, 0),) * 4), pruning=True)
    rows = np.flatnonzero(game.cell_player == 0)
    probabilities = np.full(game.cells, 0.5)

    def cut(*numbers: float, threshold: float) -> list[float]:
        probabilities[rows] = numbers
        cut_small(game.arrays, 0, np.full(5, threshold), 1, probabilities)
        return probabilities[rows].tolist()

    assert cut(0.5, 0.3, 0.15, 0.05, threshold=0.01) == [0.5, 0.3, 0.15, 0.05]
    assert cut(0.5, 0.25, 0.2, 0.05, threshold=0.2) == pytest.approx([2 / 3, 1 / 3, 0.0, 0.0])
    assert cut(0.5, 0.3, 0.15, 0.05, threshold=3.0) == [1.0, 0.0, 0.0, 0.0]
    assert cut(0.25, 0.25, 0.25, 0.25, threshold=3.0) == [0.25] * 4
    assert probabilities[game.cell_player == 1].tolist() == [0.5, 0.5]


def test_thresholds_hardly_matter_to_regret_matching():
    """Regret matching seldom plays anything with a small probability."""
    plain = secateur.recipes.cfr().start(compiled("leduc"))
    cut = secateur.recipes.cfr(thresholding=DynamicThresholding(2.0)).start(compiled("leduc"))
    plain.step(3000)
    cut.step(3000)
    assert cut.nash_conv() == pytest.approx(plain.nash_conv(), rel=0.25)


def test_what_is_cut_need_not_be_visited():
    nodes = []
    for factor in (1.0, 2.0):
        solver = secateur.recipes.hedge(
            thresholding=DynamicThresholding(factor), count_nodes=True, updates="simultaneous"
        )
        state = solver.start(compiled("leduc"))
        state.step(2000)
        nodes.append(state.nodes_touched)
    # products of very small probabilities may vanish even without thresholds
    assert nodes[0] == pytest.approx(2000 * 2 * 1936, rel=1e-3)
    assert nodes[1] < 0.75 * nodes[0]


@pytest.mark.parametrize("factor", [0.99, 0.0, -2.0, math.nan, math.inf])
def test_impossible_factors_are_refused(factor):
    with pytest.raises(secateur.ParameterError, match="use 1"):
        DynamicThresholding(factor)
