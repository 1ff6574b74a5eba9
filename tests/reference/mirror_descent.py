"""Optimistic mirror descent with dilated entropy, as two steps of the prox operator."""

from __future__ import annotations

from reference.tree import Strategy, grown
from reference.treeplex import (
    Logs,
    Plan,
    behavior,
    dilation,
    gradient,
    prox,
    uniform_logs,
    uniform_plan,
)
from secateur.games.rules import Game


class ReferenceMirrorDescent:
    """The oracle: with gradients u_t, step size eta, and both players moving at the same time,

        z_{t+1} = argmax  eta <u_t, z> - D(z, z_t)
        x_{t+1} = argmax  eta <u_t, x> - D(x, z_{t+1})

    where D is the divergence of the entropy d; z_1 and x_1 are uniform.
    """

    def __init__(self, game: Game, eta: float, weights: str = "kroer17") -> None:
        self.tree = grown(game)
        self.eta = eta
        self.beta = tuple(dilation(self.tree, player, weights) for player in range(2))
        self.iteration = 0
        self.plans: list[Plan] = [uniform_plan(self.tree, player) for player in range(2)]
        self.total: list[Plan] = [dict.fromkeys(plan, 0.0) for plan in self.plans]
        self.centers: list[Logs] = [uniform_logs(self.tree, player) for player in range(2)]

    def step(self, n: int = 1) -> None:
        """Run n iterations."""
        for _ in range(n):
            self.iteration += 1
            for player in range(2):
                for sequence, share in self.plans[player].items():
                    self.total[player][sequence] += share
            found = [gradient(self.tree, player, self.plans[1 - player])[0] for player in range(2)]
            for player, earned in enumerate(found):
                _, self.centers[player] = self._prox(player, earned)
                self.plans[player], _ = self._prox(player, earned)

    def average_strategy(self) -> Strategy:
        """Return the average over all iterations."""
        return behavior(self.tree, (self.total[0], self.total[1]))

    def _prox(self, player: int, earned: dict) -> tuple[Plan, Logs]:
        smoothing, beta = 1 / self.eta, self.beta[player]
        return prox(self.tree, player, earned, smoothing, beta, self.centers[player])
