r"""Weights of the dilated entropy, which make it strongly convex on a player's plans.

.. math:: d(x) = \sum_j \beta_j\, x_{p_j} \Bigl(\sum_a b_{ja} \ln b_{ja} + \ln n_j\Bigr)

over information sets j with :math:`n_j` actions, :math:`x_{p_j}` the probability of the player's
sequence before j, and :math:`b_j` the behavior there. Let :math:`M_j` be the most information sets
of the player that any of its strategies reaches from j on, j included, and :math:`d_j` the number
of own decisions from j to the last.

- kroer15: :math:`\beta_j = |J|\, 2^{d_j} M_j`, for all of the player's information sets J;
- kroer17: :math:`\beta_j = M \beta'_j` with :math:`\beta'_j = 2 + 2 \max_a \sum_k \beta'_k` over
  the k that follow (j, a), and the M of the whole game.

The first factors make the modulus of strong convexity one in the 1-norm.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.core.workspace import Workspace
from secateur.kernels.gradients.dilation import fold_own_tree

Float = npt.NDArray[np.float64]

WEIGHTS = ("kroer17", "kroer15")


def weights_in_words(weights: str) -> str:
    """Return whose weights these are."""
    return f"weights of 20{weights[-2:]}"


_LARGEST = 1e200
"""Above that, sums and quotients of weights would leave the range of floating-point numbers."""


def dilation(game: CompiledGame, weights: str) -> Float:
    """Return the weight of every information set.

    Raises
    ------
    ParameterError
        If the game is too deep: weights double with every move that a player makes.
    """
    infosets = game.size.information_sets
    ones, found = np.ones(infosets), np.zeros(infosets)
    player = np.repeat(game.arrays.player, game.arrays.lanes)
    workspace = Workspace.of(game)
    with np.errstate(over="ignore"):  # told below
        for me in range(2):
            mine = player == me
            most, depth = np.zeros(infosets), np.zeros(infosets)
            reached = fold_own_tree(game.arrays, me, ones, 1.0, False, most, workspace)
            if weights == "kroer15":
                fold_own_tree(game.arrays, me, ones, 1.0, True, depth, workspace)
                found[mine] = mine.sum() * (2.0**depth * most)[mine]
            else:
                fold_own_tree(game.arrays, me, 2.0 * ones, 2.0, False, most, workspace)
                found[mine] = reached * most[mine]
    if not found.max(initial=0.0) <= _LARGEST:
        raise ParameterError(
            f"entropy with weights {weights!r} on {game}: the game is too deep, because weights "
            "double with every move of a player; use CFR, for example recipes.cfr_plus()."
        )
    return found


def diameters(game: CompiledGame, weights: Float) -> tuple[float, float]:
    """Return the largest entropy that a plan of each player has."""
    actions = np.repeat(game.arrays.actions, game.arrays.lanes)
    base = weights * np.log(np.maximum(actions, 1).astype(np.float64))
    found, workspace = np.zeros(len(weights)), Workspace.of(game)
    first, second = (
        float(fold_own_tree(game.arrays, me, base, 1.0, False, found, workspace)) for me in range(2)
    )
    return first, second
