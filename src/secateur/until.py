"""When a run ends; conditions combine with ``|`` (either) and ``&`` (both).

::

    secateur.until.exploitability(1e-3) | secateur.until.seconds(60)
"""

from __future__ import annotations

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.conditions import (
    Condition,
    Exploitability,
    Iterations,
    NodesTouched,
    Seconds,
)

__all__ = ["enough", "exploitability", "iterations", "nodes_touched", "seconds"]


def iterations(limit: int) -> Condition:
    """Stop after that many iterations."""
    return Iterations(checks.ITERATIONS(f"iterations({checks.shown(limit)})", limit))


def seconds(limit: float) -> Condition:
    """Stop after that much time, at the end of an iteration."""
    rule = checks.number("give the run some time, a finite number above 0 seconds", above=0.0)
    return Seconds(rule(f"seconds({checks.shown(limit)})", limit))


def exploitability(target: float) -> Condition:
    """Stop when exploitability, half of NashConv, is at most ``target``."""
    rule = checks.number(
        "use a finite target above 0; iterations only approach an exact equilibrium (the exact "
        "solver finds one)",
        above=0.0,
    )
    return Exploitability(rule(f"exploitability({checks.shown(target)})", target))


def nodes_touched(limit: int) -> Condition:
    """Stop when that many histories have been visited."""
    rule = checks.whole("visit a whole number of histories, at least one", least=1)
    return NodesTouched(rule(f"nodes_touched({checks.shown(limit)})", limit))


_DEFAULT_SHARE = 1e-4
_ROUNDING = 1e-12


def enough(game: CompiledGame) -> Exploitability:
    """Return where runs end for which nobody has said when.

    That is an exploitability of a ten-thousandth of half the range of payoffs: 0.0013 in Leduc
    poker, where 13 can be won or lost.
    """
    game = checked_game("enough", game)
    # where all payoffs are the same there is nothing to gain but rounding
    rounding = _ROUNDING * max(map(abs, game.payoffs))
    target = max(_DEFAULT_SHARE * game.payoff_scale, rounding)
    return Exploitability(target, f"{_DEFAULT_SHARE:g} of half the range of payoffs")
