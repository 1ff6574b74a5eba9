r"""Exact equilibria by linear programming over the sequence form.

Player 0's realization plan :math:`x` maximizes what player 1's best response leaves
(Koller, Megiddo and von Stengel, 1996):

.. math:: \max_{x \ge 0,\, v} v_0 \quad\text{s.t.}\quad
    v_{I(t)} - \sum_{J \in C(t)} v_J \le \sum_s A_{st} x_s \;\; \text{for each sequence } t,
    \qquad E x = e

Player 1's plan is the dual solution of the inequalities, so that one program gives both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.compiled.sequence_form import SequenceForm, sequence_form
from secateur.errors import SecateurError
from secateur.strategy import Strategy

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@final
@dataclass(frozen=True)
class Exact:
    """Solve by HiGHS: exact up to its tolerances, for games of up to some 100,000 sequences.

    Parameters
    ----------
    method : {"highs", "highs-ipm", "highs-ds"}
        Interior points with crossover are much faster on all but the smallest games.
    """

    method: str = "highs-ipm"
    needs_bounds: ClassVar[bool] = False
    needs_branches: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checks.check_fields(self, method=checks.one_of("highs", "highs-ipm", "highs-ds"))

    def solve(self, game: CompiledGame) -> Strategy:
        """Return an equilibrium."""
        from scipy.optimize import linprog  # noqa: PLC0415 - takes a third of a second to load
        from scipy.sparse import csr_array, hstack  # noqa: PLC0415

        game = checked_game("Exact.solve", game)
        form = sequence_form(game)
        of_cell = [np.flatnonzero(game.cell_player == player) + 1 for player in range(2)]
        mine, theirs = (np.concatenate([[0], cells]) for cells in of_cell)
        flow = _flow(form, 0, mine)
        their_flow = _flow(form, 1, theirs)
        payoff = _of_moderate_size(form.payoff[mine][:, theirs])
        unknowns = len(mine) + their_flow.shape[0]
        objective = np.zeros(unknowns)
        objective[len(mine)] = -1.0
        start = np.zeros(flow.shape[0])
        start[0] = 1.0
        solution = linprog(
            objective,
            A_ub=hstack([-payoff.T, their_flow.T], format="csr"),
            b_ub=np.zeros(len(theirs)),
            A_eq=hstack([flow, csr_array((flow.shape[0], their_flow.shape[0]))], format="csr"),
            b_eq=start,
            bounds=[(0.0, None)] * len(mine) + [(None, None)] * their_flow.shape[0],
            method=self.method,
        )
        if solution.status != 0:
            raise SecateurError(
                f"exact solver on {game}: HiGHS stopped without a solution ({solution.message}); "
                "use an iterative algorithm such as CFR+."
            )
        plan = np.zeros(game.cells + 1)
        plan[mine] = solution.x[: len(mine)]
        plan[theirs[1:]] = -solution.ineqlin.marginals[1:]
        return Strategy.from_plan(game, np.maximum(plan[1:], 0.0))


def _of_moderate_size(payoff: csr_array) -> csr_array:
    """Return the matrix times a power of two, so that its largest entry is about 1.

    HiGHS compares with absolute tolerances. The plans are the same.
    """
    _, exponent = np.frexp(np.abs(payoff.data).max(initial=0.0))
    scaled = payoff.copy()
    scaled.data = np.ldexp(payoff.data, -exponent)
    return scaled


def _flow(form: SequenceForm, player: int, sequences: np.ndarray) -> csr_array:
    """Return the matrix whose rows say that probability is neither lost nor made.

    Row 0 is the empty sequence; each information set of the player has one more row: its
    actions minus its parent.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415

    infosets = np.flatnonzero(form.infoset_player == player)
    row_of = np.zeros(len(form.infoset_player), np.int64)
    row_of[infosets] = 1 + np.arange(len(infosets))
    column_of = np.zeros(len(form.cell_infoset) + 1, np.int64)
    column_of[sequences] = np.arange(len(sequences))
    actions = row_of[form.cell_infoset[sequences[1:] - 1]]
    parents = column_of[form.infoset_parent[infosets]]
    rows = np.concatenate([[0], actions, row_of[infosets]])
    columns = np.concatenate([[0], np.arange(1, len(sequences)), parents])
    values = np.concatenate([np.ones(len(sequences)), -np.ones(len(infosets))])
    shape = (len(infosets) + 1, len(sequences))
    return coo_array((values, (rows, columns)), shape=shape).tocsr()
