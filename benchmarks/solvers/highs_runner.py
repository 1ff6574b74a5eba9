"""The linear program of the sequence form, solved by HiGHS through scipy."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from benchmarks.games import GameFiles
from benchmarks.sequence_form import Decisions, Floats, SequenceForm
from benchmarks.solvers import DirectRunner


class Runner(DirectRunner):
    """Player 0's plan against the best response; player 1's plan is the dual solution.

    Maximize ``q[0]`` over plans ``x`` of player 0 and values ``q`` of player 1's decisions::

        E x = e,  F.T q <= A.T x,  x >= 0
    """

    method = "highs-ds"

    def __init__(self, files: GameFiles) -> None:
        form = SequenceForm.load(files.form)
        mine, other = (_constraints(decisions) for decisions in form.decisions)
        self.plan_length = mine.shape[1]
        values = other.shape[0]
        self.problem = {
            "c": np.concatenate([np.zeros(self.plan_length), [-1.0], np.zeros(values - 1)]),
            "A_ub": sparse.hstack([-form.payoffs.T, other.T], format="csc"),
            "b_ub": np.zeros(other.shape[1]),
            "A_eq": sparse.hstack([mine, sparse.csr_array((mine.shape[0], values))], format="csc"),
            "b_eq": np.concatenate([[1.0], np.zeros(mine.shape[0] - 1)]),
            "bounds": [(0, None)] * self.plan_length + [(None, None)] * values,
        }

    def solve(self, seconds: float) -> tuple[Floats, Floats] | None:
        """Solve the linear program."""
        result = linprog(**self.problem, method=self.method, options={"time_limit": seconds})
        if result.status != 0:
            return None
        return result.x[: self.plan_length], -result.ineqlin.marginals


def _constraints(decisions: Decisions) -> sparse.csr_array:
    """Return the matrix that says: actions share out the probability of their parent."""
    sets = len(decisions.sizes)
    rows = np.concatenate([[0], decisions.owners + 1, np.arange(sets) + 1])
    columns = np.concatenate([np.arange(decisions.sequences), decisions.parents])
    signs = np.concatenate([np.ones(decisions.sequences), -np.ones(sets)])
    return sparse.csr_array((signs, (rows, columns)), shape=(sets + 1, decisions.sequences))
