"""A player's sequence-form strategies with dilated entropy, straight from the definitions.

A plan maps each sequence to the product of the player's own probabilities up to it, and None, the
empty sequence, to 1. With p_j the sequence before information set j, b_ja = x_ja / x_{p_j} and n_j
actions,

    d(x) = sum_j beta_j x_{p_j} (sum_a b_ja ln b_ja + ln n_j)

is zero at the uniform strategy and positive elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

from reference.tree import Infoset, InfosetKey, Node, Sequence, Strategy, Tree
from secateur.games.rules import CHANCE, END

Plan = dict[Sequence | None, float]
Gradient = Mapping[Sequence | None, float]
Weights = dict[InfosetKey, float]
Logs = dict[Sequence, float]


def followers(tree: Tree, player: int) -> dict[Sequence | None, list[Infoset]]:
    """Return C(s): the player's information sets that come right after each sequence."""
    found: dict[Sequence | None, list[Infoset]] = {None: []}
    for infoset in tree.of_player(player):
        found[infoset.parent].append(infoset)
        found.update({(infoset.key, action): [] for action in infoset.actions})
    return found


def dilation(tree: Tree, player: int, rule: str) -> Weights:
    """Return the weights beta by which the entropy is strongly convex.

    M_j = 1 + max_a sum_{k in C(j, a)} M_k, and M of the whole is the sum of the first ones.
    Kroer et al. (2015): beta_j = 2^(d_j) M_j times the number of information sets, where d_j is the
    number of own decisions from j to the last. Kroer et al. (2017):
    beta_j = 2 + 2 max_a sum_{k in C(j, a)} beta_k, times M of the whole.
    """
    after = followers(tree, player)
    most: Weights = {}
    depth: Weights = {}
    newer: Weights = {}
    for infoset in reversed(tree.of_player(player)):
        key = infoset.key
        behind = [[each.key for each in after[key, action]] for action in infoset.actions]
        most[key] = 1 + max(sum(most[k] for k in keys) for keys in behind)
        depth[key] = 1 + max((depth[k] for keys in behind for k in keys), default=0)
        newer[key] = 2 + 2 * max(sum(newer[k] for k in keys) for keys in behind)
    if rule == "kroer15":
        return {key: len(most) * 2 ** depth[key] * most[key] for key in most}
    if rule == "kroer17":
        whole = sum(most[infoset.key] for infoset in after[None])
        return {key: whole * newer[key] for key in newer}
    raise ValueError(f"weights: {rule!r}")


def distance(tree: Tree, player: int, beta: Weights, plan: Plan) -> float:
    """Return d(x)."""
    total = 0.0
    for infoset in tree.of_player(player):
        before = plan[infoset.parent]
        if before > 0.0:
            shares = [plan[infoset.key, action] / before for action in infoset.actions]
            entropy = sum(b * log(b) for b in shares if b > 0.0)
            total += beta[infoset.key] * before * (entropy + log(len(shares)))
    return total


def slope(tree: Tree, player: int, beta: Weights, logs: Logs) -> dict[Sequence | None, float]:
    """Return the gradient of d at a plan, given ln b_ja.

    dd/dx_ja = beta_j (1 + ln b_ja) + sum_{k in C(j, a)} beta_k (ln n_k - 1)
    """
    after = followers(tree, player)
    found: dict[Sequence | None, float] = {}
    for infoset in tree.of_player(player):
        for action in infoset.actions:
            here = beta[infoset.key] * (1 + logs[infoset.key, action])
            found[infoset.key, action] = here + sum(
                beta[k.key] * (log(len(k.actions)) - 1) for k in after[infoset.key, action]
            )
    return found


def response(
    tree: Tree, player: int, gradient: Gradient, mu: float, beta: Weights
) -> tuple[Plan, float, Logs]:
    """Return the plan that maximizes <gradient, x> - mu d(x), the maximum, and all ln b_ja.

    From the last decisions up: b_ja ~ exp(g_ja / (mu beta_j)) with
    g_ja = gradient_ja + sum_{k in C(j, a)} V_k and
    V_j = mu beta_j (ln sum_a exp(g_ja / (mu beta_j)) - ln n_j).
    """
    value = {s: gradient.get(s, 0.0) for s in followers(tree, player)}
    logs: Logs = {}
    for infoset in reversed(tree.of_player(player)):
        scale = mu * beta[infoset.key]
        values = [value[infoset.key, action] for action in infoset.actions]
        best = max(values)
        total = log(sum(exp((v - best) / scale) for v in values))
        for action, v in zip(infoset.actions, values, strict=True):
            logs[infoset.key, action] = (v - best) / scale - total
        value[infoset.parent] += best + scale * (total - log(len(values)))
    plan: Plan = {None: 1.0}
    for infoset in tree.of_player(player):
        for action in infoset.actions:
            plan[infoset.key, action] = plan[infoset.parent] * exp(logs[infoset.key, action])
    return plan, value[None], logs


def prox(
    tree: Tree, player: int, gradient: Gradient, mu: float, beta: Weights, center: Logs
) -> tuple[Plan, Logs]:
    """Return the plan that maximizes <gradient, x> - mu D(x, center), and its ln b_ja.

    D(x, y) = d(x) - d(y) - <grad d(y), x - y> is the Bregman divergence. The center is given by the
    logarithms of its behavior, which may be too small for a number without.
    """
    tilt = slope(tree, player, beta, center)
    shifted = {s: gradient.get(s, 0.0) + mu * tilt[s] for s in tilt}
    plan, _, logs = response(tree, player, shifted, mu, beta)
    return plan, logs


def uniform_logs(tree: Tree, player: int) -> Logs:
    """Return ln b_ja of the uniform strategy."""
    return {
        (infoset.key, action): -log(len(infoset.actions))
        for infoset in tree.of_player(player)
        for action in infoset.actions
    }


def mixed(plan: Plan, other: Plan, share: float) -> Plan:
    """Return (1 - share) plan + share other."""
    return {s: (1 - share) * plan[s] + share * other[s] for s in plan}


def uniform_plan(tree: Tree, player: int) -> Plan:
    """Return the plan of the uniform strategy."""
    plan: Plan = {None: 1.0}
    for infoset in tree.of_player(player):
        for action in infoset.actions:
            plan[infoset.key, action] = plan[infoset.parent] / len(infoset.actions)
    return plan


def behavior(tree: Tree, plans: tuple[Plan, Plan]) -> Strategy:
    """Return the probabilities at each information set; uniform where the player never comes."""
    strategy: Strategy = {}
    for key, infoset in tree.infosets.items():
        plan = plans[infoset.player]
        values = [plan[key, action] for action in infoset.actions]
        count, total = len(values), sum(values)
        strategy[key] = [v / total if total > 0.0 else 1 / count for v in values]
    return strategy


def gradient(
    tree: Tree, player: int, plan: Plan, threshold: float = 0.0
) -> tuple[dict[Sequence | None, float], int]:
    """Return what each sequence of a player earns against the other's plan, and nodes touched.

    A branch is not entered if the probability that chance and the other player take it is zero or
    below the threshold.
    """
    earned: dict[Sequence | None, float] = {}
    nodes = 0

    def visit(node: Node, chance: float, last: tuple[Sequence | None, Sequence | None]) -> None:
        nonlocal nodes
        probability = chance * plan[last[1 - player]]
        if probability == 0.0 or (probability < threshold and node is not tree.root):
            return
        nodes += 1
        if node.turn == END:
            own = last[player]
            earned[own] = earned.get(own, 0.0) + probability * node.payoffs[player]
        elif node.turn == CHANCE:
            for p, child in zip(node.probabilities, node.children, strict=True):
                visit(child, chance * p, last)
        else:
            for own, child in zip(node.cells, node.children, strict=True):
                visit(child, chance, (own, last[1]) if node.turn == 0 else (last[0], own))

    visit(tree.root, 1.0, (None, None))
    return earned, nodes
