"""What a solver may skip."""

from __future__ import annotations

import math
from dataclasses import dataclass

from secateur import checks

_FIRST_CHECK = 2000
"""Before that, so much is alive that pruning takes longer than it saves."""

_SKIP = checks.number("use 1 or more; infinity prunes nothing", least=1.0, finite=False)
_EVERY = checks.whole("use a whole number, 1 or more", least=1)


@dataclass(frozen=True)
class Pruning:
    """A pruning policy."""


@dataclass(frozen=True)
class NoPruning(Pruning):
    """Visit the whole game for each player in every iteration."""


@dataclass(frozen=True)
class PartialPruning(Pruning):
    r"""Skip what the opponent does not reach; the result is the same to the last bit.

    Where :math:`\pi_{-i}(h) = 0`, history h adds nothing to counterfactual values (Brown and
    Sandholm, 2017, section 2.2).
    """


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

    Parameters
    ----------
    minimum_skip : float or None
        Prune an action only if it can be skipped for that many iterations at the average pace.
        None begins with 15 and follows the work: more while there are too many ``evaluations``,
        less again, down to 5, while there are less than two fifths of that.
    evaluations : float
        How many blocks of information sets may be evaluated for each that is updated. To evaluate
        one takes about five times as long as to update it, but touches about as many nodes: for
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
        back. None searches first after 2,000 iterations, and then again after eight times the root
        of the iterations run so far: a search takes as long as about 40 iterations. Until the first
        search a run is one with partial pruning.
    discard : float
        The constant C of ``discard_rule``; 0 keeps all strategy sums.
    discard_rule : {"linear", "sqrt"}
        Forget the strategy sums of a skipped action too, and of all behind it, once the average
        strategy plays it with a probability of at most ``C / t`` or ``C / sqrt(t)`` after t
        iterations. The former has no visible cost; the latter, that of the paper's section 3.1,
        forgets more.
    softness : float
        Branches come back as if a response that is only *nearly* best had been played: with 1 its
        regrets may be as large as those of t iterations of regret matching, equation (4); 0 is a
        best response.
    """

    minimum_skip: float | None = None
    evaluations: float = 0.05
    restart: float = 0.5
    duration: str = "reach"
    check_every: int | None = None
    discard: float = 0.03
    discard_rule: str = "linear"
    softness: float = 0.0

    def __post_init__(self) -> None:
        share = checks.number("use a share from 0 to 1", least=0.0, most=1.0)
        checks.check_fields(
            self,
            minimum_skip=checks.optional(_SKIP),
            evaluations=checks.number("use more than 0", above=0.0),
            restart=share,
            duration=checks.one_of("reach", "fixed"),
            check_every=checks.optional(_EVERY),
            discard=checks.number("use 0 (never) or more", least=0.0),
            discard_rule=checks.one_of("linear", "sqrt"),
            softness=share,
        )

    def next_check(self, iteration: int) -> int:
        """Return the next iteration after which to search for actions to prune."""
        if self.check_every is not None:
            return (iteration // self.check_every + 1) * self.check_every
        check = _FIRST_CHECK
        while check <= iteration:
            check += 8 * math.isqrt(check)
        return check

    def discards_up_to(self, iteration: int) -> float:
        """Return the average probability up to which strategy sums are forgotten."""
        return self.discard / (iteration if self.discard_rule == "linear" else iteration**0.5)


@dataclass(frozen=True)
class RegretBasedPruning(Pruning):
    r"""Skip actions while their regret cannot have become positive (Brown and Sandholm, 2015).

    An action of negative regret is skipped until the most that it might have won meanwhile would
    make its regret positive: with its values until iteration :math:`t_0`, while

    .. math:: \sum_{t = 1}^{t_0} v^t(I, a) + \sum_{t = t_0 + 1}^{t_1} \pi_{-i}^t(I)\, U(I, a)
        \le \sum_{t = 1}^{t_1} v^t(I),

    equation (10) of Brown, Kroer and Sandholm (2017). For Hedge with thresholds their equation (11)
    is used, with repairs. Then the iterations that it missed are made up for at once, with a best
    response to the opponent's average over just these. Nothing is forgotten, so no memory is saved.

    Parameters
    ----------
    minimum_skip : float
        Prune an action only if it can be skipped for that many iterations at the average pace.
    check_every : int
        Iterations between two searches for actions to prune.
    """

    minimum_skip: float = 5.0
    check_every: int = 1

    def __post_init__(self) -> None:
        checks.check_fields(self, minimum_skip=_SKIP, check_every=_EVERY)


A_PRUNING = checks.instance_of(
    Pruning,
    "pass a policy: secateur.NoPruning(), PartialPruning(), RegretBasedPruning() or "
    "BestResponsePruning()",
)
"""The rule of options that take a pruning policy."""
