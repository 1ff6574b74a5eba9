"""The tables of the CFR family: games, times to a NashConv, and what best-response pruning does."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

from benchmarks.family_games import GAMES
from benchmarks.table import MISSING, Table, seconds

Key = tuple[str, str, str]
"""A game, an algorithm, and how it prunes."""

Runs = dict[Key, dict[str, Any]]

REFERENCE = "cfr+"
ROUNDING = 1e-12
"""Values of NashConv below that, in ranges of payoffs, are none."""


@dataclass(frozen=True)
class Amount:
    """What it took to reach a target; what was used in vain if it was not reached."""

    value: float
    reached: bool

    @classmethod
    def of(cls, run: dict[str, Any], what: str, target: float) -> Amount:
        """Return the ``seconds`` or ``iterations`` of a run."""
        when = run["reached"].get(f"{target:g}")
        return cls(run[what], reached=False) if when is None else cls(when[what], reached=True)


@dataclass(frozen=True)
class Ratio:
    """How many times as much; above or below that if one of them did not reach the target."""

    value: float
    above: bool = False
    below: bool = False

    @classmethod
    def of(cls, amount: Amount, reference: Amount) -> Ratio:
        """Divide; what was not reached counts as what was used."""
        return cls(amount.value / reference.value, not amount.reached, not reference.reached)

    def __str__(self) -> str:
        if self.above and self.below:
            return MISSING
        sign = "> " * self.above + "< " * self.below
        return f"{sign}{self.value:.2f}"


def tables(
    runs: Runs,
    algorithms: list[str],
    targets: tuple[float, ...],
    watched_algorithms: list[str],
    watched: tuple[int, ...],
) -> list[Table]:
    """Return all tables of some runs."""
    found = [_games(runs)]
    for target in targets:
        found.append(_times(runs, algorithms, target))
    for target in targets:
        found.append(_pruning(runs, algorithms, target))
    for algorithm in watched_algorithms:
        found.append(_equal_iterations(runs, algorithm, watched))
    return [table for table in found if table.rows]


def _games(runs: Runs) -> Table:
    columns = ("game", "kind", "source", "information sets", "sequences", "payoffs")
    table = Table("Games", columns)
    for name in _names(runs):
        run = next(run for (game, _, _), run in runs.items() if game == name)
        sizes = (f"{run[what]:,}" for what in ("information_sets", "sequences"))
        payoffs = " to ".join(f"{payoff:g}" for payoff in run["payoffs"])
        table.rows.append((name, GAMES[name].kind, GAMES[name].source, *sizes, payoffs))
    return table


def _times(runs: Runs, algorithms: list[str], target: float) -> Table:
    """Return the times with partial pruning; the last rows leave out what nobody reached."""
    title = (
        f"Seconds to NashConv {target:g} with partial pruning (times those of {REFERENCE}); what "
        "was not reached counts as the time used, and games that nobody solved do not count"
    )
    table = Table(title, ("game", *algorithms))
    solved: dict[str, dict[str, Amount]] = {}
    for game in _names(runs):
        amounts = {
            algorithm: Amount.of(run, "seconds", target)
            for algorithm in algorithms
            if (run := runs.get((game, algorithm, "partial")))
        }
        reached = [amount.value for amount in amounts.values() if amount.reached]
        if reached:
            solved[game] = amounts
        best = min(reached, default=math.inf)
        reference = amounts.get(REFERENCE)
        cells = (_time(amounts.get(algorithm), best, reference) for algorithm in algorithms)
        if amounts:
            table.rows.append((game, *cells))
    if table.rows:
        columns = [
            [amounts[algorithm] for amounts in solved.values() if algorithm in amounts]
            for algorithm in algorithms
        ]
        means = (_mean(_to_reference(solved, algorithm)) for algorithm in algorithms)
        table.rows.append(("**geometric mean**", *means))
        table.rows.append(("of the game's best, worst", *_worst_of_best(solved, algorithms)))
        counts = (f"{sum(each.reached for each in c)} of {len(c)}" for c in columns)
        table.rows.append(("reached", *counts))
    return table


def _time(amount: Amount | None, best: float, reference: Amount | None) -> str:
    if amount is None:
        return MISSING
    if not amount.reached:
        text = f"> {seconds(amount.value)}"
    elif amount.value == best:
        text = f"**{seconds(amount.value)}**"
    else:
        text = seconds(amount.value)
    return text if reference is None else f"{text} ({Ratio.of(amount, reference)})"


def _to_reference(solved: dict[str, dict[str, Amount]], algorithm: str) -> list[Ratio]:
    return [
        Ratio.of(amounts[algorithm], amounts[REFERENCE])
        for amounts in solved.values()
        if algorithm in amounts and REFERENCE in amounts
    ]


def _worst_of_best(solved: dict[str, dict[str, Amount]], algorithms: list[str]) -> Iterable[str]:
    """Yield how many times the time of the best algorithm each takes in the worst game."""
    for algorithm in algorithms:
        ratios = [
            Ratio.of(amounts[algorithm], min(amounts.values(), key=_unreached_last))
            for amounts in solved.values()
            if algorithm in amounts
        ]
        yield _worst(ratios)


def _unreached_last(amount: Amount) -> tuple[bool, float]:
    return not amount.reached, amount.value


def _mean(ratios: list[Ratio]) -> str:
    """Return the geometric mean; those of two that did not reach their target count as well."""
    if not ratios:
        return MISSING
    above, below = (any(getattr(each, sign) for each in ratios) for sign in ("above", "below"))
    mean = geometric_mean([each.value for each in ratios])
    return f"about {mean:.2f}" if above and below else str(Ratio(mean, above, below))


def _worst(ratios: list[Ratio]) -> str:
    known = [each for each in ratios if not (each.above and each.below)]
    return str(max(known, key=lambda each: each.value)) if known else MISSING


def _pruning(runs: Runs, algorithms: list[str], target: float) -> Table:
    title = (
        f"Best-response pruning over partial pruning to NashConv {target:g}: seconds / iterations"
    )
    table = Table(title, ("game", *algorithms))
    columns: dict[str, list[tuple[Ratio, Ratio]]] = {algorithm: [] for algorithm in algorithms}
    for game in _names(runs):
        cells = []
        for algorithm in algorithms:
            pruned, plain = (runs.get((game, algorithm, mode)) for mode in ("brp", "partial"))
            if pruned is None or plain is None:
                cells.append(MISSING)
                continue
            time, iterations = (
                Ratio.of(Amount.of(pruned, what, target), Amount.of(plain, what, target))
                for what in ("seconds", "iterations")
            )
            columns[algorithm].append((time, iterations))
            cells.append(_pair(str(time), str(iterations)))
        if any(cell != MISSING for cell in cells):
            table.rows.append((game, *cells))
    if table.rows:
        known = [
            [pair for pair in columns[algorithm] if str(pair[0]) != MISSING]
            for algorithm in algorithms
        ]
        for name, summary in (("**geometric mean**", _mean), ("**worst**", _worst)):
            sides = ((summary([p[side] for p in pairs]) for side in (0, 1)) for pairs in known)
            table.rows.append((name, *(_pair(*side) for side in sides)))
    return table


def _pair(time: str, iterations: str) -> str:
    return MISSING if time == iterations == MISSING else f"{time} / {iterations}"


def _equal_iterations(runs: Runs, algorithm: str, watched: tuple[int, ...]) -> Table:
    title = f"NashConv of {algorithm} with best-response pruning over that without"
    table = Table(title, ("game", *(f"{iterations:,} iterations" for iterations in watched)))
    for game in _names(runs):
        pruned, plain = (runs.get((game, algorithm, mode)) for mode in ("brp", "partial"))
        if pruned is None or plain is None:
            continue
        low, high = plain["payoffs"]
        cells = []
        for iterations in map(str, watched):
            ours, theirs = pruned["at"].get(iterations), plain["at"].get(iterations)
            known = ours is not None and theirs is not None
            there = known and min(ours, theirs) > ROUNDING * (high - low)
            cells.append(f"{ours / theirs:.3g}" if there else MISSING)
        table.rows.append((game, *cells))
    return table


def _names(runs: Runs) -> list[str]:
    """Return the games of some runs, in their order."""
    return list(dict.fromkeys(game for game, _, _ in runs))
