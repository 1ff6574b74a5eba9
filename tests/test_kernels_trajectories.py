"""The CFR family against the oracle, iteration by iteration.

Fast and slow code add the same numbers in different orders, so regrets that are equal on paper
may differ by some 1e-17. That is harmless until such a regret should be exactly zero: then one
code plays the action with no probability and the other with a little, or one takes "no regret is
positive" for true and the other does not, and from there on both are right and differ. Payoffs
here are continuous to make this rare. On the listed games it does not happen, and all iterations
are compared; on other random games a run is compared up to the first such near-tie.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from reference import (
    AsymmetricPredictivePlus,
    Discounted,
    DiscountedPlus,
    PredictiveDiscountedPlus,
    ReferenceCFR,
    ReferenceHedge,
)
from reference import Averaging as SlowAveraging
from reference.thresholding import (
    Threshold,
    no_threshold,
    threshold_of_hedge,
    threshold_of_regret_matching,
)
from secateur.games import Game
from secateur.games.random_game import RandomGame
from support.oracle import Bridge
from support.public import RandomPublicGame
from support.runs import AVERAGINGS, MINIMIZERS, UPDATES, started
from support.small_games import examples, random_games
from support.written import crossed_orders, diagonal

ITERATIONS = 20
TOLERANCE = 1e-9
TIE = 1e-12
PRUNINGS = {"none": secateur.NoPruning(), "partial": secateur.PartialPruning()}
LATER = ("dcfr+", "pdcfr+", "sapcfr+")
"""Other numbers in the same update: a part of the combinations tells whether they are right."""

GAMES: list[Game] = [
    *(RandomGame(seed=seed, ties=0.0, skew=1.0) for seed in range(4)),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, late=0.5, observability=0.6) for seed in (4, 5)),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, chance_moves=0.0) for seed in (6, 7)),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, structured=True, depth=7) for seed in (8, 9, 10)),
    RandomPublicGame(0),
    RandomPublicGame(10),
    crossed_orders(),
    diagonal(3),
]


def oracle(
    game: Game, minimizer: str, averaging: str, updates: str, partial: bool, factor: float | None
) -> ReferenceCFR:
    """Return the slow code of a minimizer, thresholded if there is a factor."""
    threshold: Threshold = no_threshold
    if minimizer == "hedge":
        if factor is not None:
            threshold = threshold_of_hedge(factor)
        return ReferenceHedge(game, averaging, updates, partial, threshold)
    if factor is not None:
        threshold = threshold_of_regret_matching(factor)
    return ReferenceCFR(game, minimizer, averaging, updates, partial, threshold)


bridge_to = cache(Bridge)
"""Most tests run on the same games."""


def near_tie(first: np.ndarray, second: np.ndarray) -> bool:
    """Return whether two codes have almost zero somewhere, but not both exactly zero."""
    largest = np.maximum(np.abs(first), np.abs(second))
    return bool(((largest > 0.0) & (largest < TIE)).any())


def compared_iterations(
    game: Game,
    minimizer: str,
    updates: str,
    averaging: str,
    pruning: str,
    factor: float | None = None,
) -> int:
    """Run both codes side by side; return how many iterations were compared."""
    slow = oracle(game, minimizer, averaging, updates, pruning == "partial", factor)
    bridge = bridge_to(game)
    fast = started(
        bridge.compiled,
        minimizer,
        updates,
        averaging=AVERAGINGS[averaging],
        pruning=PRUNINGS[pruning],
        count_nodes=True,
        thresholding=None if factor is None else secateur.DynamicThresholding(factor),
    )
    positive = minimizer == "hedge"  # its probabilities may be tiny without being close to a tie
    for t in range(1, ITERATIONS + 1):
        slow.step()
        fast.step()
        regret = bridge.array(slow.regret)
        strategy = bridge.probabilities(slow.current_strategy())
        if not positive and (near_tie(fast.regret, regret) or near_tie(fast.strategy, strategy)):
            return t - 1
        assert fast.nodes_touched == slow.nodes_touched
        np.testing.assert_allclose(fast.regret, regret, rtol=TOLERANCE, atol=TOLERANCE)
        np.testing.assert_allclose(fast.strategy, strategy, rtol=0.0, atol=TOLERANCE)
        strategy_sum = bridge.array(slow.strategy_sum)
        np.testing.assert_allclose(fast.strategy_sum, strategy_sum, rtol=TOLERANCE, atol=TOLERANCE)
    return ITERATIONS


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize(
    ("minimizer", "pruning"),
    [
        (minimizer, pruning)
        for minimizer in MINIMIZERS
        for pruning in PRUNINGS
        if minimizer not in LATER or pruning == "partial"
    ],
)
def test_regrets_strategies_sums_and_nodes_are_those_of_the_oracle(
    minimizer: str, updates: str, pruning: str
):
    for game in GAMES:
        compared = compared_iterations(game, minimizer, updates, "linear", pruning)
        assert compared == ITERATIONS, game


THRESHOLDED = [
    (minimizer, UPDATES[(number + other) % 2], factor)
    for number, minimizer in enumerate(MINIMIZERS)
    for other, factor in enumerate([1.0, 1.3, 2.0, 10.0])
    if minimizer not in LATER or factor == 2.0
]
"""Each minimizer with each factor, later ones with one, and with updates of both kinds."""


@pytest.mark.parametrize(("minimizer", "updates", "factor"), THRESHOLDED)
def test_thresholded_strategies_are_those_of_the_oracle(
    minimizer: str, updates: str, factor: float
):
    for game in GAMES:
        compared = compared_iterations(game, minimizer, updates, "uniform", "partial", factor)
        assert compared == ITERATIONS, game


@pytest.mark.parametrize("averaging", ["uniform", "quadratic"])
@pytest.mark.parametrize("updates", UPDATES)
def test_other_averages_are_those_of_the_oracle(updates: str, averaging: str):
    for game in GAMES:
        compared = compared_iterations(game, "rm+", updates, averaging, "partial")
        assert compared == ITERATIONS, game


@examples(100)
@given(
    game=random_games(ties=0.0, skew=1.0),
    minimizer=st.sampled_from(list(MINIMIZERS)),
    updates=st.sampled_from(UPDATES),
    averaging=st.sampled_from(list(AVERAGINGS)),
    pruning=st.sampled_from(list(PRUNINGS)),
    factor=st.sampled_from([None, None, 1.5, 4.0]),
)
def test_other_games_are_iterated_as_by_the_oracle_up_to_the_first_near_tie(
    game: Game, minimizer: str, updates: str, averaging: str, pruning: str, factor: float | None
):
    compared_iterations(game, minimizer, updates, averaging, pruning, factor)


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize(
    ("rule", "minimizer"),
    [
        (
            Discounted(alpha=2.0, beta=-0.5),
            secateur.DiscountedRegretMatching(alpha=2.0, beta=-0.5),
        ),
        (DiscountedPlus(alpha=0.7), secateur.DiscountedRegretMatchingPlus(alpha=0.7)),
        (
            PredictiveDiscountedPlus(alpha=0.7),
            secateur.PredictiveDiscountedRegretMatchingPlus(alpha=0.7),
        ),
        (
            AsymmetricPredictivePlus(alpha=0.7),
            secateur.AsymmetricPredictiveRegretMatchingPlus(asymmetry=0.7),
        ),
    ],
    ids=lambda part: type(part).__name__,
)
def test_other_exponents_and_delays_are_those_of_the_oracle(rule, minimizer, updates: str):
    game = RandomGame(seed=3, ties=0.0, skew=1.0)
    bridge = Bridge(game)
    slow = ReferenceCFR(game, rule, SlowAveraging(3, delay=4), updates)
    fast = secateur.CFR(minimizer, secateur.Averaging(3, delay=4), updates=updates).start(
        bridge.compiled
    )
    slow.step(ITERATIONS)
    fast.step(ITERATIONS)
    np.testing.assert_allclose(fast.regret, bridge.array(slow.regret), rtol=0.0, atol=TOLERANCE)
    np.testing.assert_allclose(fast.strategy_sum, bridge.array(slow.strategy_sum), rtol=TOLERANCE)
