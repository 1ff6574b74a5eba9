"""The excessive gap technique (Nesterov, 2005), one step at a time.

Player i's smoothed best response to a plan maximizes <u_i, x> - mu_i d_i(x) and has the value V_i.
A pair of plans (x_0, x_1) is kept such that V_0 + V_1 <= 0; then what best responses could gain
together is at most mu_0 max d_0 + mu_1 max d_1. A step makes one of the mu smaller.
"""

from __future__ import annotations

from reference.tree import Strategy, grown
from reference.treeplex import (
    Logs,
    Plan,
    behavior,
    dilation,
    gradient,
    mixed,
    prox,
    response,
    uniform_plan,
)
from secateur.games.rules import Game


class ReferenceEGT:
    """The oracle; both smoothing parameters begin at ``mu``."""

    def __init__(
        self,
        game: Game,
        mu: float,
        weights: str = "kroer17",
        steps: str = "fixed",
        balanced: bool = False,
        threshold: float = 0.0,
    ) -> None:
        self.tree = grown(game)
        self.beta = tuple(dilation(self.tree, player, weights) for player in range(2))
        self.steps, self.balanced, self.threshold = steps, balanced, threshold
        self.mu = [mu, mu]
        self.share = 0.5
        self.known: dict[int, dict] = {}
        """Gradients against the plans as they are, which need not be computed again."""
        self.least = 1.0
        """The smallest probability of any sequence in any response."""

        self.iteration = 0
        self.nodes_touched = 0
        self.plans: list[Plan] = [uniform_plan(self.tree, player) for player in range(2)]
        self.plans[1] = self._response(1, self.plans[0])[0]
        self.known[0] = self._gradient(0, self.plans[1])
        self.plans[0] = self._best(0, self.known[0])[0]

    def excess(self) -> float:
        """Return -(V_0 + V_1), which must not be negative."""
        total = 0.0
        for player in range(2):
            if player not in self.known:
                self.known[player] = self._gradient(player, self.plans[1 - player])
            total += self._best(player, self.known[player])[1]
        return -total

    def step(self, n: int = 1) -> None:
        """Run n iterations."""
        for _ in range(n):
            self.iteration += 1
            player = (self.iteration - 1) % 2
            if self.balanced:
                player = 0 if self.mu[0] >= self.mu[1] else 1
            if self.steps == "fixed":
                self.known = {}
                self._shrink(player, 2 / (self.iteration + 2))
                continue
            while True:
                before = list(self.plans), list(self.mu), self.known
                self._shrink(player, self.share)
                if self.excess() >= 0.0:
                    break
                self.plans, self.mu, self.known = before
                self.share /= 2
            if self.share < 0.5:
                self.share *= 1.11

    def strategy(self) -> Strategy:
        """Return how the current pair of plans plays."""
        return behavior(self.tree, (self.plans[0], self.plans[1]))

    def _shrink(self, i: int, tau: float) -> None:
        """Multiply mu_i by 1 - tau."""
        j = 1 - i
        first = self.known.get(i) or self._gradient(i, self.plans[j])
        best, _, logs = self._best(i, first)
        between = mixed(self.plans[i], best, tau)
        answer, _, _ = self._response(j, between)
        self.plans[j] = mixed(self.plans[j], answer, tau)
        second = {s: tau * g for s, g in self._gradient(i, answer).items()}
        self.known = {i: second.copy()}  # and the rest of it, because gradients are linear
        for sequence, earned in first.items():
            self.known[i][sequence] = second.get(sequence, 0.0) + (1 - tau) * earned
        smaller = (1 - tau) * self.mu[i]
        target, _ = prox(self.tree, i, second, smaller, self.beta[i], logs)
        self.plans[i] = mixed(self.plans[i], target, tau)
        self.mu[i] = smaller

    def _response(self, player: int, faced: Plan) -> tuple[Plan, float, Logs]:
        return self._best(player, self._gradient(player, faced))

    def _best(self, player: int, found: dict) -> tuple[Plan, float, Logs]:
        best = response(self.tree, player, found, self.mu[player], self.beta[player])
        self.least = min(self.least, *best[0].values())
        return best

    def _gradient(self, player: int, faced: Plan) -> dict:
        limit = self.threshold / self.iteration if self.iteration else 0.0
        found, nodes = gradient(self.tree, player, faced, limit)
        self.nodes_touched += nodes
        return found
