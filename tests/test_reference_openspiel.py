"""The oracle against OpenSpiel, iteration by iteration on Kuhn poker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reference import Averaging, Discounted, ReferenceCFR, metrics
from reference.local_rules import RULES
from reference.small_games import Kuhn
from reference.tree import Strategy

pyspiel = pytest.importorskip("pyspiel")
cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
discounted_cfr = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
policy = pytest.importorskip("open_spiel.python.policy")

ITERATIONS = 60
TOLERANCE = 1e-10
"""Differences of rounding, 1e-16 at first, grow to about 1e-11 in this many iterations."""

NUMBER = {"p": 0, "b": 1}
"""OpenSpiel's names of the actions; information is written as in our Kuhn poker."""


def assert_same_probabilities(ours: Strategy, theirs: Any, player: int | None = None) -> None:
    for key, probabilities in ours.items():
        if player in (None, key[0]):
            np.testing.assert_allclose(
                probabilities, theirs.policy_for_key(key[1]), rtol=0, atol=TOLERANCE
            )


def assert_same_regrets(
    ours: ReferenceCFR, theirs: Any, as_theirs: Callable[[float, int], float]
) -> None:
    for (key, action), regret in ours.regret.items():
        node = theirs._info_state_nodes[key[1]]
        assert as_theirs(regret, ours.iteration) == pytest.approx(
            node.cumulative_regret[NUMBER[action]], abs=TOLERANCE
        )


def their_strategy_sum(ours: ReferenceCFR, theirs: Any) -> dict[Any, float]:
    """Return OpenSpiel's S(I, a), which it adds up once for each history of I."""
    return {
        (key, action): theirs._info_state_nodes[key[1]].cumulative_policy[NUMBER[action]]
        / len(ours.tree.infosets[key].histories)
        for key, action in ours.strategy_sum
    }


@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize("averaging", ["uniform", "linear"])
def test_simultaneous_updates(plus: bool, averaging: str):
    ours = ReferenceCFR(Kuhn(), "rm+" if plus else "rm", averaging, "simultaneous")
    theirs = cfr._CFRSolver(
        pyspiel.load_game("kuhn_poker"),
        alternating_updates=False,
        linear_averaging=averaging == "linear",
        regret_matching_plus=plus,
    )
    for _ in range(ITERATIONS):
        ours.step()
        theirs.evaluate_and_update_policy()
        assert_same_regrets(ours, theirs, lambda regret, t: regret)
        assert_same_probabilities(ours.current_strategy(), theirs.current_policy())
        assert_same_probabilities(ours.average_strategy(), theirs.average_policy())


def discounted_once_more(regret: float, t: int) -> float:
    return RULES["dcfr"].update([regret], [0.0], t + 1)[0]


ALTERNATING = {
    "CFR": ("rm", "uniform", cfr.CFRSolver, lambda regret, t: regret),
    "CFR+": ("rm+", "linear", cfr.CFRPlusSolver, lambda regret, t: regret),
    # OpenSpiel shrinks old regrets where linear weights let new ones grow, and it discounts after
    # an iteration what is here discounted before the next.
    "linear": (
        "linear",
        "linear",
        discounted_cfr.LCFRSolver,
        lambda regret, t: regret / (t + 1),
    ),
    "DCFR": ("dcfr", "quadratic", discounted_cfr.DCFRSolver, discounted_once_more),
}
"""Rule, averaging, OpenSpiel's solver, and OpenSpiel's regret after t iterations from ours."""


@pytest.mark.parametrize("name", ALTERNATING)
def test_alternating_updates(name: str):
    """Both agree, but for whose strategies are added when to player 0's average.

    OpenSpiel adds player 0's strategy before it changes, so at t + 1 it adds, with the weight
    of t + 1, what player 1 faced at t. Player 1's averages are the same.
    """
    rule, averaging, make, as_theirs = ALTERNATING[name]
    ours = ReferenceCFR(Kuhn(), rule, averaging, "alternating")
    theirs = make(pyspiel.load_game("kuhn_poker"))
    weight = ours.averaging.weight
    added_by_us: dict[Any, float] = {}
    for t in range(1, ITERATIONS + 1):
        our_sum, their_sum = dict(ours.strategy_sum), their_strategy_sum(ours, theirs)
        ours.step()
        theirs.evaluate_and_update_policy()
        assert_same_probabilities(ours.current_strategy(), theirs.current_policy())
        assert_same_regrets(ours, theirs, as_theirs)
        assert_same_probabilities(ours.average_strategy(), theirs.average_policy(), player=1)

        added_by_them = {
            cell: (total - their_sum[cell]) / weight(t)
            for cell, total in their_strategy_sum(ours, theirs).items()
            if cell[0][0] == 0
        }
        for cell, added in added_by_us.items():
            assert added_by_them[cell] == pytest.approx(added, abs=TOLERANCE)
        added_by_us = {
            cell: (ours.strategy_sum[cell] - our_sum[cell]) / weight(t) for cell in added_by_them
        }


def test_other_discounts():
    ours = ReferenceCFR(Kuhn(), Discounted(alpha=2.0, beta=0.5), Averaging(3), "alternating")
    theirs = discounted_cfr.DCFRSolver(
        pyspiel.load_game("kuhn_poker"), alpha=2.0, beta=0.5, gamma=3
    )
    for _ in range(ITERATIONS):
        ours.step()
        theirs.evaluate_and_update_policy()
        assert_same_probabilities(ours.current_strategy(), theirs.current_policy())
        assert_same_probabilities(ours.average_strategy(), theirs.average_policy(), player=1)


@pytest.mark.parametrize("iterations", [0, 1, 7, 40])
def test_exploitability(iterations: int):
    game = pyspiel.load_game("kuhn_poker")
    ours = ReferenceCFR(Kuhn(), "rm", "uniform", "alternating")
    ours.step(iterations)
    strategy = ours.average_strategy()
    table = policy.TabularPolicy(game)
    for key, probabilities in strategy.items():
        table.policy_for_key(key[1])[:] = probabilities
    assert metrics.nash_conv(ours.tree, strategy) == pytest.approx(
        exploitability.nash_conv(game, table), abs=1e-12
    )
    assert metrics.exploitability(ours.tree, strategy) == pytest.approx(
        exploitability.exploitability(game, table), abs=1e-12
    )
