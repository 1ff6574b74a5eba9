"""Best-response pruning: what is skipped is forgotten."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from secateur import checks
from secateur.errors import ParameterError
from secateur.options import Option, as_they_are
from secateur.pruning.policy import EVERY, SKIP, Pruning
from secateur.pruning.visits import PartialPruning

if TYPE_CHECKING:
    from secateur.averaging import Averaging
    from secateur.compiled.game import CompiledGame
    from secateur.solvers.cfr import CFR
    from secateur.solvers.protocols import Solver
    from secateur.solvers.pruned import PrunedState
    from secateur.solvers.rounds import RoundsState

_DISCARDS = {"sqrt": 0.5, "linear": 1.0, "quadratic": 2.0}
"""Rules by which strategy sums are discarded, and the powers of the iteration."""

_FIRST_CHECK = 2000
"""Before that, so much is alive that pruning takes longer than it saves."""


@final
@dataclass(frozen=True)
class BestResponsePruning(Pruning):
    r"""Skip actions whose best response loses, and forget them (Brown and Sandholm, 2017).

    With :math:`\psi^T(I, a)` the counterfactual value of a best response behind (I, a) to the
    opponent's average of T iterations, an action may be pruned when
    :math:`T \psi^T(I, a) \le \sum_{t \le T} v^t(I)`, equation (5) of the paper. Pruned after
    iteration :math:`t_0`, it is skipped in all iterations for which

    .. math:: t_0\, \psi^{t_0}(I, a) + \sum_{t = t_0 + 1}^{t_1} \pi_{-i}^t(I)\, U(I, a)
        \le \sum_{t = 1}^{t_1} v^t(I),

    equation (9). Regrets behind it are forgotten. When that bound no longer holds, the branch is
    evaluated and either skipped again or brought back as if its best response had been played all
    along, equations (7) and (8).

    The paper has iterations of equal weight. Here all of these sums have the weights of the average
    strategy, whatever they are, and the minimizer keeps its own regrets by its own rule: so it goes
    with all algorithms of the family of CFR but Hedge.

    Parameters
    ----------
    minimum_skip : float or None
        Prune an action only if it can be skipped for that many iterations at the average pace.
        None begins with 15 and follows the work: more while there are too many ``evaluations``,
        less again, down to 5, while there are less than two fifths of that. In rounds, which have
        no evaluations, it is the least that a skip may be; what it must be follows from harm.
    evaluations : float
        How many blocks of information sets may be evaluated for each that is updated. To evaluate
        one takes five to eight times as long as to update it, but touches about as many nodes: for
        few nodes instead of little time, allow more.
    restart : float
        Skip again after an evaluation if that share of ``minimum_skip`` is in sight.
    duration : {"reach", "fixed"}
        How fast the bound on a skipped action is taken to grow: with what it may win more than its
        information set does, times how often the opponent came there; or, "fixed", as if the
        opponent always came, so that the end of a skip is known when it begins. The latter is
        equation (6), with the factor T that theorem 1 has; it ends skips much too early.
    check_every : int or None
        Iterations between two searches for actions to prune, which are also when memory is given
        back. None is for little time. Games of few hands are then pruned in rounds, which takes
        several times the memory: after some hundred iterations, and then so often that searches
        take a quarter of the time. On others, on the largest, and with plain regret matching,
        simultaneous updates or counted nodes, a run begins when at most three quarters of the
        public states would be left to visit, and searches take a tenth of the time, and less while
        they find little. Until the first
        search a run is one with partial pruning. For few nodes and little memory, search every 100
        iterations.
    discard : float or None
        The constant C of ``discard_rule``; 0 keeps all strategy sums. None is 0.03 with averages
        that weigh all iterations alike, and 10 with others.
    discard_rule : {"linear", "sqrt", "quadratic"} or None
        Forget the strategy sums of a skipped action too, and of all behind it, once the average
        strategy plays it with a probability of at most ``C / t``, ``C / sqrt(t)`` or ``C / t**2``
        after t iterations. None is "linear" with averages that weigh all iterations alike, and
        "quadratic" with others: these have no visible cost. That of the paper's section 3.1 is
        "sqrt", which forgets more.
    softness : float
        Branches come back as if a response that is only *nearly* best had been played: with 1 its
        regrets may be as large as those of t iterations of regret matching, equation (4); 0 is a
        best response.
    cut_played : bool
        Whether an action may be pruned although its regret is positive, so that the minimizer plays
        it. The paper has no such exception, and regret matching hardly needs it; CFR+ does.
    """

    name = "brp"
    title = "best-response pruning"
    about = "brp, best-response pruning, those that cannot catch up (not with hedge, egt or omd)"
    options = (
        Option(
            "min_skip",
            "pruning.minimum_skip",
            "brp: prune an action only if it can be skipped for N iterations, in rounds at the "
            "least (default: 5 to any, by the time that evaluations take, with fp 400)",
            kind="positive",
            metavar="N",
        ),
        Option(
            "check_every",
            "pruning.check_every",
            "brp: look for actions to prune every N iterations (default: when and as often as it "
            "saves time; 100 for few nodes and little memory)",
            kind="count",
            metavar="N",
        ),
        Option(
            "discard",
            "pruning.discard",
            "brp: also forget the average strategy of a pruned action once it is played with "
            "probability C/t^k or less after t iterations (default 0.03 with uniform averages, "
            "else 10; 0: never)",
            kind="not_negative",
            metavar="C",
        ),
        Option(
            "discard_rule",
            "pruning.discard_rule",
            "brp: linear discards at C/t (default with uniform averages), quadratic at C/t^2 "
            "(default with others), sqrt at C/sqrt(t), which costs convergence",
            metavar="RULE",
            words=as_they_are("linear", "sqrt", "quadratic"),
        ),
    )
    needs_bounds = True
    forgets = True
    kernel_seconds = 25

    minimum_skip: float | None = None
    evaluations: float = 0.02
    restart: float = 0.5
    duration: str = "reach"
    check_every: int | None = None
    discard: float | None = None
    discard_rule: str | None = None
    softness: float = 0.0
    cut_played: bool = False

    def __post_init__(self) -> None:
        share = checks.number("use a share from 0 to 1", least=0.0, most=1.0)
        checks.check_fields(
            self,
            minimum_skip=checks.optional(SKIP),
            evaluations=checks.number("use more than 0", above=0.0),
            restart=share,
            duration=checks.one_of("reach", "fixed"),
            check_every=checks.optional(EVERY),
            discard=checks.optional(checks.number("use 0 (never) or more", least=0.0)),
            discard_rule=checks.optional(checks.one_of(*_DISCARDS)),
            softness=share,
            cut_played=checks.flag,
        )

    def next_check(self, iteration: int) -> int:
        """Return the next iteration after which to search, if that is not for a state to decide."""
        if self.check_every is not None:
            return (iteration // self.check_every + 1) * self.check_every
        check = _FIRST_CHECK
        while check <= iteration:
            check += 8 * math.isqrt(check)
        return check

    def discards_up_to(self, iteration: int, averaging: Averaging) -> float:
        """Return the average probability up to which strategy sums are forgotten."""
        constant, rule = (0.03, "linear") if averaging.power == 0.0 else (10.0, "quadratic")
        rule = self.discard_rule or rule
        constant = constant if self.discard is None else self.discard
        return constant / math.pow(iteration, _DISCARDS[rule])

    def check(self, solver: CFR) -> None:
        """Raise ParameterError if it cannot serve these parts."""
        minimizer = solver.minimizer
        if minimizer.pruned_as == "hedge":
            raise ParameterError(
                "best-response pruning with Hedge: a best response that loses does not make its "
                "probabilities zero; use RegretBasedPruning() with "
                "thresholding=DynamicThresholding(2)."
            )
        if solver.thresholding is not None:
            raise ParameterError(
                "best-response pruning with thresholding: pruned branches come back as regret "
                "matching alone would play them; leave thresholding out or use "
                "RegretBasedPruning()."
            )
        if solver.storage.precision != "float64":
            raise ParameterError(
                f"best-response pruning with {solver.storage.precision} storage: use float64."
            )

    @staticmethod
    def regrets_are_sums(solver: CFR) -> bool:
        """Whether regrets are sums of what was observed, with the weights of the average."""
        power = solver.averaging.power if solver.averaging.delay == 0 else None
        return solver.minimizer.pruned_as == "matching" and solver.minimizer.regret_power == power

    def start(self, solver: CFR, game: CompiledGame) -> PrunedState | RoundsState:
        """Return a state that begins with partial pruning, until the first search."""
        from secateur.solvers.cfr import CFRState  # noqa: PLC0415

        dense = CFRState(replace(solver, pruning=PartialPruning()), game)
        return self._state(solver, game)(solver, self, game, dense)

    def _state(self, solver: CFR, game: CompiledGame) -> type[PrunedState | RoundsState]:
        """Return what runs it: in rounds, or with a store."""
        from secateur.solvers.pruned import PrunedState  # noqa: PLC0415
        from secateur.solvers.rounds import RoundsState, runs_in_rounds  # noqa: PLC0415

        return RoundsState if runs_in_rounds(solver, self, game) else PrunedState

    def memory_estimate(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that such a state will take at the most, but for small stacks."""
        return self._state(solver, game).memory_estimate(solver, game)

    def memory_beside(self, solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run takes for a while beside that: to compact, and at its end."""
        more = self._state(solver, game).memory_to_compact(solver, game)
        return super().memory_beside(solver, game) + more

    def first_look(self, solver: Solver, game: CompiledGame) -> int:
        """Return after how many iterations a run first looks whether it pays; 0 if never."""
        from secateur.solvers.cfr import CFR  # noqa: PLC0415

        if self.check_every is not None or not isinstance(solver, CFR):
            return 0  # it searches then, whether that pays or not
        return self._state(solver, game).first_look(game)

    def at_once(self, solver: Solver, game: CompiledGame) -> BestResponsePruning:
        """Return a policy that searches in every iteration, unless it is to prune in rounds."""
        from secateur.solvers.cfr import CFR  # noqa: PLC0415
        from secateur.solvers.rounds import RoundsState  # noqa: PLC0415

        in_rounds = isinstance(solver, CFR) and self._state(solver, game) is RoundsState
        return self if in_rounds else replace(self, check_every=1)
