"""What it is worth to begin with a strategy: ``python -m benchmarks.warm_start``.

Leduc poker with many bet sizes is solved from uniform play, and from strategies:

- of the game with three of the sizes, translated;
- of the game with a somewhat larger ante;
- of the game itself.

Strategies of the last two are ten times as far from an equilibrium as the nearest target.

Seconds are of iterations and of what comes before them: to translate the strategy and to begin with
it. What it took to find the strategy is told apart, in time that passed, without compiling
its game. Looking at NashConv, whenever iterations have grown by a twentieth, is off the clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.table import MISSING, Table, megabytes, seconds, small, wide_console

if TYPE_CHECKING:
    from secateur import CFR, CompiledGame, Game, Strategy

COARSE = ((0.5, 2.0, 8.0), (1.0, 4.0, 16.0))
FIRST = (0.5, 2.0, 8.0, 1.0, 4.0, 3.0, 6.0, 1.5, 5.0, 0.75, 7.0, 2.5)
"""Sizes of the first round; in the second they are twice as large."""

ANTE = 1.1
ALGORITHMS = ("sapcfr+", "dcfr", "cfr")
TARGETS = (1e-1, 1e-2, 1e-3)
GROWTH = 1.05


class Beginning(NamedTuple):
    """A strategy to begin with."""

    name: str
    strategy: Strategy | None
    found: float
    """Seconds that passed until it was found, in a game that is compiled."""

    translated: float
    """Seconds that it took to translate it."""

    weight: int | None = None
    """The iterations that it stands for."""


class Reached(NamedTuple):
    """When a run was close enough to an equilibrium."""

    iterations: int
    seconds: float


class Measured(NamedTuple):
    """What came of a run."""

    began: float
    """NashConv of what it began with."""

    reached: dict[float, Reached]
    peak: int
    """Bytes of the game and of the run at the most."""


def rules_of(sizes: int, ante: float = 1.0) -> Game:
    """Return Leduc poker with so many bet sizes in each round."""
    import secateur

    bets = tuple(sorted(FIRST[:sizes]))
    return secateur.load("leduc", bet_sizes=(bets, tuple(2.0 * bet for bet in bets)), ante=ante)


def beginnings(
    rules: Game, game: CompiledGame, sizes: int, solver: CFR, targets: list[float]
) -> Iterator[Beginning]:
    """Find the strategies to begin with."""
    import secateur
    from secateur import until

    yield Beginning("uniform play", None, 0.0, 0.0)
    coarse = secateur.compile(secateur.load("leduc", bet_sizes=COARSE), pruning=True)
    solved = secateur.solve(coarse, solver, until.exploitability(0.5 * min(targets)))
    begin = time.process_time()
    translated = secateur.translate_strategy(solved.strategy, game, rules)
    spent = time.process_time() - begin
    yield Beginning("three sizes", translated, solved.seconds, spent)
    other = secateur.compile(rules_of(sizes, ANTE), pruning=game.pruning is not None)
    far = until.exploitability(5.0 * min(targets))
    for name, near in (("another ante", other), ("the same game", game)):
        found = secateur.solve(near, solver, far)
        strategy = secateur.Strategy(game, found.strategy.probabilities)
        yield Beginning(name, strategy, found.seconds, 0.0)


def measure(
    game: CompiledGame, solver: CFR, beginning: Beginning, targets: list[float], limit: float
) -> Measured:
    """Run until the nearest target is reached, or the time is up."""
    begin = time.process_time()
    state = solver.start(game, beginning.strategy, beginning.weight)
    spent = beginning.translated + time.process_time() - begin
    began = state.nash_conv()
    reached = {target: Reached(0, spent) for target in targets if began <= target}
    peak = state.bytes_resident
    look = 1
    while len(reached) < len(targets) and spent < limit:
        begin = time.process_time()
        state.step(look - state.iteration)
        spent += time.process_time() - begin
        peak = max(peak, state.bytes_resident)
        gap = state.nash_conv()
        for target in targets:
            if gap <= target:
                reached.setdefault(target, Reached(look, spent))
        look = max(look + 1, int(look * GROWTH))
    return Measured(began, reached, peak + game.nbytes)


def _text(reached: Reached | None) -> str:
    if reached is None:
        return MISSING
    return f"{seconds(reached.seconds)}, {reached.iterations:,}"


def main() -> None:
    """Measure all, print a table for each algorithm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, default=12, help="bet sizes per round, 3 to 12")
    parser.add_argument("--algorithms", nargs="+", default=ALGORITHMS)
    parser.add_argument("--targets", nargs="+", type=float, default=TARGETS, help="of NashConv")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds of one run")
    parser.add_argument("--prune", default="partial", help="as in 'secateur solve'")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    import secateur
    from secateur.methods import solver_of
    from secateur.preparing import prepare_kernels
    from secateur.solvers.cfr import CFR
    from secateur.solvers.warm_start import needs_bounds, usual_weight

    console = wide_console(160)
    targets = sorted(options.targets, reverse=True)
    rules = rules_of(options.sizes)
    tables = []
    for algorithm in options.algorithms:
        solver = solver_of({"algorithm": algorithm, "prune": options.prune})
        assert isinstance(solver, CFR)
        bounds = solver.needs_bounds or needs_bounds(solver)
        game = secateur.compile(rules, pruning=bounds)
        prepare_kernels(solver, game, warm=True)
        title = f"Leduc with {options.sizes} bet sizes, {algorithm}, {options.prune} pruning"
        table = Table(
            title,
            (
                *("begins with", "found in", "its NashConv", "stands for"),
                *(f"to {target:g}" for target in targets),
                "memory",
            ),
        )
        for each in beginnings(rules, game, options.sizes, solver, targets):
            beginning = each
            if each.strategy is not None:
                beginning = each._replace(weight=usual_weight(solver, game, each.strategy))
            found = measure(game, solver, beginning, targets, options.limit)
            table.rows.append(
                (
                    beginning.name,
                    seconds(beginning.found) if beginning.strategy is not None else MISSING,
                    small(found.began),
                    MISSING if beginning.weight is None else f"{beginning.weight:,}",
                    *(_text(found.reached.get(target)) for target in targets),
                    megabytes(found.peak),
                )
            )
            console.print("\t".join(table.rows[-1]))
        console.print(table.for_terminal())
        tables.append(table)
        if options.out:
            options.out.write_text("\n".join(done.as_markdown() for done in tables))


if __name__ == "__main__":
    main()
