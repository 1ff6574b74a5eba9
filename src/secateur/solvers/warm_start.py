"""Lets a run of CFR begin with a strategy, as if it had come to it by iterations of its own.

What regrets are then, and why, is derived in ``docs/warm-start.md``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.core.workspace import Workspace
from secateur.kernels.warm_start.regrets import (
    follow,
    substituted_value,
    write_lengths,
    write_scales,
)
from secateur.metrics import nash_conv
from secateur.minimizers import Hedge, Minimizer, RegretMatching
from secateur.pruning import BestResponsePruning, NoPruning, PartialPruning
from secateur.storage import Storage
from secateur.strategy import Strategy, checked_strategy

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR, CFRState
    from secateur.solvers.exact import Exact
    from secateur.solvers.protocols import Solver, State

Float = npt.NDArray[np.float64]

_MOST = 1e6
"""Iterations that a strategy stands for at the most."""

WEIGHT = checks.whole("use a whole number of iterations, 1 to 1e6", least=1, most=_MOST)
"""The rule of iterations that a strategy may stand for."""

_EXACT = 1e-9
"""NashConv of equilibria, for half the range of payoffs: what rounding explains."""

_COLD = 32
"""Iterations after which regrets with floors or discounts are about as long as they stay."""

_SHORTEST = 1e-9
"""Length of regrets in half the range of payoffs where these iterations have seen nothing."""

_FIRST_SOFTNESS, _LEAST_SOFTNESS = 2.0**-10, 2.0**-50
_HALVINGS = 5
"""The least softness is looked for from the first one on, and found to a thirtieth."""


class WarmStart(NamedTuple):
    """What a run begins with."""

    strategy: Strategy
    weight: int
    """The iterations that it stands for."""


def check_warm_start(solver: Solver | Exact) -> None:
    """Raise ParameterError if runs of a solver cannot begin with a strategy."""
    minimizer = getattr(solver, "minimizer", None)
    if minimizer is None:
        raise ParameterError(
            f"warm start with {type(solver).__name__}: only regrets are known to lead back to a "
            "strategy; use CFR and its kin."
        )
    if isinstance(minimizer, Hedge):
        raise ParameterError(
            "warm start with Hedge: its learning rates depend on values of earlier iterations, "
            "which a strategy does not tell; use regret matching."
        )
    if getattr(solver, "thresholding", None) is not None:
        raise ParameterError(
            "warm start with thresholding: what was cut before is not known; leave thresholding "
            "out."
        )
    pruning = getattr(solver, "pruning", None)
    if not isinstance(pruning, NoPruning | PartialPruning | BestResponsePruning):
        raise ParameterError(
            f"warm start with {getattr(pruning, 'title', 'this pruning')}: what it remembers "
            "besides regrets is not known; use PartialPruning() or BestResponsePruning()."
        )


def needs_bounds(solver: Solver | Exact) -> bool:
    """Return whether games must be compiled with ``pruning=True`` for a warm start.

    That is so if regrets are sums of what was observed, without floors and discounts.
    """
    return isinstance(getattr(solver, "minimizer", None), RegretMatching)


def usual_weight(solver: Solver | Exact, game: CompiledGame, strategy: Strategy) -> int:
    """Return how many iterations a strategy stands for if nobody says.

    It goes by how many times closer to an equilibrium it is than uniform play, which is where all
    runs begin. That, or with floors and discounts the root of it, is less than a run needs.
    """
    uniform, gap = nash_conv(game, Strategy.uniform(game)), nash_conv(game, strategy)
    if gap <= _EXACT * game.payoff_scale:
        return int(_MOST)
    closer = (uniform / gap) ** (1.0 if needs_bounds(solver) else 0.5)
    return int(min(_MOST, max(1.0, closer)))


def warm_start_of(
    solver: Solver | Exact, game: CompiledGame, strategy: Strategy, weight: int | None
) -> WarmStart:
    """Return what a run begins with, if it can."""
    asked = f"warm_start={checks.shown(strategy)}"
    check_warm_start(solver)
    checked_strategy(asked, strategy, game)
    if game.pruning is None and needs_bounds(solver):
        checks.refuse(
            asked, f"{game} must tell the range of payoffs; use compile(game, pruning=True)"
        )
    return WarmStart(strategy, weight or usual_weight(solver, game, strategy))


def begun(state: State, solver: CFR, strategy: Strategy | None, weight: int | None) -> State:
    """Return a new state, which begins with a strategy if there is one."""
    asked = f"start(game, warm_weight={checks.shown(weight)})"
    weight = checks.optional(WEIGHT)(asked, weight)
    if strategy is not None:
        begin_warm(state, warm_start_of(solver, state.game, strategy, weight))
    elif weight is not None:
        checks.refuse(asked, "it goes with a strategy; pass warm_start, too")
    return state


def begin_warm(state: State, warm: WarmStart) -> None:
    """Let a new state begin with a strategy; one that has begun so stays as it is."""
    # with best-response pruning: it begins later, with what there is then
    dense: Any = getattr(state, "dense", state)
    if dense.earlier:
        return
    if dense.solver.storage.precision != "int16":
        _begin(dense, warm.strategy, warm.weight)
        return
    # 16 bits are enough for what is known at the end, but not on the way there
    exact: Any = in_float64(dense.solver).start(dense.game)
    _begin(exact, warm.strategy, warm.weight)
    dense.round_from(exact)


def in_float64(solver: CFR) -> CFR:
    """Return the same solver with numbers in double precision."""
    return replace(solver, storage=Storage("float64"))


def _begin(state: CFRState, strategy: Strategy, weight: int) -> None:
    """Bring a new state to where it is as if ``weight`` iterations had led to a strategy."""
    averaging = state.solver.averaging
    iterations = np.arange(1.0, weight + 1.0)
    times = _times(state.solver.minimizer, iterations)
    if needs_bounds(state.solver):
        _sum(state, strategy, times)
    else:
        _follow(state, strategy, times)
    state.iteration, state.earlier = 0, weight
    state.weight = averaging.total(0.0, averaging.weights(iterations))
    np.multiply(strategy.own_plan, state.weight, out=state.strategy_sum)
    state.match_regrets()


def _sum(state: CFRState, strategy: Strategy, times: _Times) -> None:
    """Let regrets be those of nearly best responses, seen in all iterations."""
    scales = scales_of(state.game, strategy.own_plan)
    softness = least_softness(state.game, strategy, scales)
    _substitute(state.game, strategy, softness, scales, times, state.regret)


def _follow(state: CFRState, strategy: Strategy, times: _Times) -> None:
    """Let regrets lead to the strategy, and be as long as after some iterations of a cold run."""
    game = state.game
    state.step(_COLD)
    lengths = np.zeros(game.size.information_sets)
    write_lengths(game.arrays, state.regret, lengths)
    np.maximum(lengths, _SHORTEST * game.payoff_scale, out=lengths)
    state.regret[:] = 0.0
    if times.floor < 0.0:  # else nothing is left of what is negative
        _substitute(game, strategy, 0.0, np.zeros_like(lengths), times, state.regret)
    follow(game.arrays, strategy.own_probabilities, lengths, state.regret)


class _Times(NamedTuple):
    """What iterations make of regrets that all of them see: they multiply them."""

    positive: float
    negative: float
    floor: float


def _times(minimizer: Minimizer, iterations: Float) -> _Times:
    positive, negative, weight, floor, _ = minimizer.schedule(iterations).T
    kept = (np.append(np.cumprod(each[:0:-1])[::-1], 1.0) for each in (positive, negative))
    gains, losses = (float((weight * each).sum()) for each in kept)
    return _Times(gains, losses, float(floor[-1]))


def scales_of(game: CompiledGame, plan: Float) -> Float:
    """Return the scales of all information sets that a plan reaches."""
    scales, room = np.zeros(game.size.information_sets), np.zeros(game.stack.slots)
    workspace = Workspace.of(game)
    for player in range(2):
        write_scales(game.arrays, game.pruning, player, plan, scales, room, workspace)
    return scales


def least_softness(game: CompiledGame, strategy: Strategy, scales: Float) -> float:
    """Return about the least softness with which both players together win nothing.

    It is never less than that. With softness 1 each wins what its worst response does.
    """

    def is_enough(softness: float) -> bool:
        values = _substitute(game, strategy, softness, scales, _Times(1.0, 1.0, 0.0), np.zeros(0))
        return values <= 0.0

    if is_enough(0.0):
        return 0.0
    high = _FIRST_SOFTNESS
    if is_enough(high):
        while high > _LEAST_SOFTNESS and is_enough(0.5 * high):
            high *= 0.5
    else:
        while high < 1.0 and not is_enough(2.0 * high):
            high *= 2.0
        high = min(1.0, 2.0 * high)
    low = 0.5 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _substitute(
    game: CompiledGame,
    strategy: Strategy,
    softness: float,
    scales: Float,
    times: _Times,
    regret: Float,
) -> float:
    """Return what nearly best responses of both players win; write regrets if there is room."""
    workspace = Workspace.of(game)
    values = (
        substituted_value(
            game.arrays,
            player,
            strategy.own_plan,
            softness,
            scales,
            times.positive,
            times.negative,
            regret,
            workspace,
        )
        for player in range(2)
    )
    return float(sum(values))
