"""What best-response pruning needs with CFR+ and DCFR: ``python -m benchmarks.two_rules``.

Rule 1: what is tested has the weights of the average that is the result. Rule 2: an action that the
minimizer plays is not cut. Each algorithm runs with partial pruning, with both rules, with one of
them and with neither, for the same iterations. Where rule 1 is off, the run tests (and averages)
with equal weights, and the weighted average is put together outside, from how the sums grow.

The first table has NashConv of the weighted average, nodes touched and the share of regrets in use.
The second asks what is wrong with the runs: how much of NashConv can be won only by actions that
are cut, how old these cuts are, NashConv of the average that is tested and of the last tenth of the
iterations, and how many actions were cut although they were played in the very iteration. The third
names, for each run, the cut behind which most can be won.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from benchmarks.behind_cuts import Responses, cut_actions
from benchmarks.table import MISSING, Table, small, wide_console

if TYPE_CHECKING:
    from secateur import CFR, CompiledGame, Strategy
    from secateur.solvers.cfr import CFRState

Floats = npt.NDArray[np.float64]
Iterations = npt.NDArray[np.int64]

ALGORITHMS = {"CFR+": ("cfr_plus", 1.0), "DCFR": ("dcfr", 2.0)}
"""Recipes, and the powers of their averages."""

RULES = {
    "partial pruning": (True, None),
    "both rules": (True, False),
    "rule 1 only": (True, True),
    "rule 2 only": (False, False),
    "neither": (False, True),
}
"""Whether tests have the weights of the average; whether actions that are played may be cut."""

ROUNDING = 1e-12
"""Payoffs below that are none."""

PLAYED = 1e-9
"""The least probability that is no rounding error of sums."""


@dataclass(frozen=True)
class Schedule:
    """When to look for actions to cut, and for how long they must be skipped at the least."""

    check_every: int = 10
    minimum_skip: float = 5.0


@dataclass(frozen=True)
class Snapshot:
    """What was found after so many iterations."""

    iteration: int
    nash_conv: float
    nodes: int
    alive: float
    tested: float
    """NashConv of the average that is tested."""

    late: float
    """NashConv of the average over the last tenth of the iterations."""

    behind: float | None
    """What of NashConv can be won only by actions that are cut."""

    age: float | None
    """How long ago these were cut, as a share of the iterations run."""

    largest: tuple[int, int, float] | None
    """The cut by which an information set loses most: the action, when it was cut, the loss."""

    average: Strategy
    cuts: int
    """Actions cut by searches so far."""

    cuts_played: int
    """Those of them that were played in the iteration before the search."""


def solver_of(algorithm: str, rules: str, schedule: Schedule) -> CFR:
    """Return a solver that keeps these rules."""
    import secateur

    recipe, power = ALGORITHMS[algorithm]
    weighted, cut_played = RULES[rules]
    pruning: secateur.Pruning = secateur.PartialPruning()
    if cut_played is not None:
        pruning = secateur.BestResponsePruning(
            minimum_skip=schedule.minimum_skip,
            check_every=schedule.check_every,
            discard=0.0,
            cut_played=cut_played,
        )
    solver: CFR = getattr(secateur.recipes, recipe)(
        averaging=secateur.Averaging(power if weighted else 0.0), pruning=pruning, count_nodes=True
    )
    return solver


def run(
    game: CompiledGame, algorithm: str, rules: str, looks: list[int], schedule: Schedule
) -> list[Snapshot]:
    """Return what is found at some iterations of a run."""
    import secateur
    from secateur.papers.reweighted import WeightedAverage
    from secateur.solvers.cfr import CFRState
    from secateur.solvers.pruned import PrunedState

    solver = solver_of(algorithm, rules, schedule)
    state = solver.start(game)
    if isinstance(state, CFRState):
        return [_plain(state, look) for look in looks]
    assert isinstance(state, PrunedState)
    _, power = ALGORITHMS[algorithm]
    average = WeightedAverage(power, solver.averaging.power, np.zeros(game.cells))
    responses = Responses(game)
    since = np.zeros(game.cells, np.int64)
    cut = np.zeros(game.cells, np.bool_)
    cuts = cuts_played = 0
    found = []
    earlier = {_begin(look): np.zeros(0) for look in looks}
    while state.iteration < max(looks):
        state.step()
        iteration = state.iteration
        average.add(iteration, state.strategy_sums())
        now = cut_actions(state)
        new = now & ~cut
        since[new] = iteration
        if state.last_search == iteration:
            cuts += int(np.count_nonzero(new))
            cuts_played += int(np.count_nonzero(new & (average.last > PLAYED)))
        cut = now
        if iteration in earlier:
            earlier[iteration] = average.before
        if iteration in looks:
            strategy = secateur.Strategy.from_plan(game, average.sums)
            lost, contributions = responses.behind(strategy, cut)
            total = contributions.sum()
            age = (iteration - since) @ contributions / total / iteration if total > 0.0 else None
            found.append(
                Snapshot(
                    iteration=iteration,
                    nash_conv=secateur.nash_conv(game, strategy),
                    nodes=state.nodes_touched or 0,
                    alive=state.regret_entries_live / game.cells,
                    tested=state.nash_conv(),
                    late=_nash_conv(game, average.before - earlier[_begin(iteration)]),
                    behind=lost,
                    age=age,
                    largest=_largest(contributions, since),
                    average=strategy,
                    cuts=cuts,
                    cuts_played=cuts_played,
                )
            )
    return found


def _plain(state: CFRState, look: int) -> Snapshot:
    """Run up to an iteration with nothing cut."""
    state.step(_begin(look) - state.iteration)
    before = state.strategy_sum.copy()
    state.step(look - state.iteration)
    nash_conv, late = state.nash_conv(), _nash_conv(state.game, state.strategy_sum - before)
    nodes = state.nodes_touched or 0
    return Snapshot(
        *(look, nash_conv, nodes, 1.0, nash_conv, late, None, None, None),
        *(state.average_strategy(), 0, 0),
    )


def _largest(contributions: Floats, since: Iterations) -> tuple[int, int, float] | None:
    cell = int(np.argmax(contributions))
    gain = float(contributions[cell])
    return (cell, int(since[cell]), gain) if gain > ROUNDING else None


def _begin(look: int) -> int:
    """Return the iteration after which the last tenth begins."""
    return look - max(1, look // 10)


def _nash_conv(game: CompiledGame, sums: Floats) -> float:
    import secateur

    rounded = np.maximum(sums, 0.0)  # where nothing was added, sums may differ by rounding
    return secateur.nash_conv(game, secateur.Strategy.from_plan(game, rounded))


def measure(name: str, algorithms: list[str], looks: list[int], schedule: Schedule) -> list[Table]:
    """Return the tables of a game."""
    import secateur

    game = secateur.compile(secateur.load(name), pruning=True)
    at = tuple(f"{look:,}" for look in looks)
    results = Table(f"{name}: NashConv / nodes / regrets in use", ("algorithm", "pruning", *at))
    causes = Table(f"{name}: what is cut", CAUSES)
    examples = Table(f"{name}: the cut behind which most can be won", EXAMPLES)
    for algorithm in algorithms:
        unpruned: list[Snapshot] = []
        for rules in RULES:
            found = run(game, algorithm, rules, looks, schedule)
            texts = (f"{x.nash_conv:.2e} / {x.nodes:.2e} / {x.alive:.2f}" for x in found)
            results.rows.append((algorithm, rules, *texts))
            causes.rows += [_cause(algorithm, rules, each) for each in found]
            unpruned = unpruned or found
            examples.rows += [
                _example(algorithm, rules, each, plain.average)
                for each, plain in zip(found, unpruned, strict=True)
                if each.largest
            ]
    return [results, causes, examples]


CAUSES = (
    "algorithm",
    "pruning",
    "iterations",
    "NashConv",
    "of it behind cuts",
    "their age",
    "of the tested average",
    "of the last tenth",
    "actions cut",
    "of them played",
)


def _cause(algorithm: str, rules: str, found: Snapshot) -> tuple[str, ...]:
    return (
        algorithm,
        rules,
        f"{found.iteration:,}",
        small(found.nash_conv),
        _gain(found.behind),
        MISSING if found.age is None else f"{found.age:.0%}",
        small(found.tested),
        small(found.late),
        f"{found.cuts:,}" if found.cuts else MISSING,
        f"{found.cuts_played / found.cuts:.1%}" if found.cuts else MISSING,
    )


EXAMPLES = (
    "algorithm",
    "pruning",
    "iterations",
    "information set",
    "action",
    "cut after",
    "lost there",
    "NashConv",
    "played unpruned",
)


def _example(algorithm: str, rules: str, found: Snapshot, plain: Strategy) -> tuple[str, ...]:
    """Say which cut costs most, and how the average of the unpruned run plays there."""
    assert found.largest is not None
    cell, since, gain = found.largest
    game = plain.game
    for infoset in game.information_sets():
        cells = range(*infoset.cells.indices(game.cells))
        if cell in cells:
            where = f"{game.players[infoset.player]}: {infoset.label}".replace("|", "/")
            action = infoset.actions[cells.index(cell)]
    return (
        algorithm,
        rules,
        f"{found.iteration:,}",
        where,
        action,
        f"{since:,}",
        f"{gain:.2g}",
        small(found.nash_conv),
        f"{plain.probabilities[cell]:.1%}",
    )


def _gain(value: float | None) -> str:
    """Return what can be won, without rounding errors."""
    if value is None:
        return MISSING
    return f"{value:.2g}" if value > ROUNDING else "0"


def main() -> None:
    """Measure a game and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="leduc5")
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS), choices=ALGORITHMS)
    parser.add_argument("--iterations", nargs="+", type=int, default=[1000, 3000, 10000])
    parser.add_argument("--check-every", type=int, default=Schedule.check_every)
    parser.add_argument("--minimum-skip", type=float, default=Schedule.minimum_skip)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    schedule = Schedule(options.check_every, options.minimum_skip)
    tables = measure(options.game, options.algorithms, sorted(options.iterations), schedule)
    console = wide_console(160)
    for table in tables:
        console.print(table.for_terminal())
    if options.out:
        options.out.write_text("\n".join(table.as_markdown() for table in tables))


if __name__ == "__main__":
    main()
