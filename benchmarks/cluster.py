"""What a cluster costs: ``python -m benchmarks.cluster --out cluster.md``.

A small cluster of Ray is started on this machine. The parts of the cost of an iteration are
measured one by one: what a sweep takes for its work in one process, what the trunk takes, what a
round of letters takes beyond work, by the number of actors and by bytes. A model that adds them up
is then compared with whole iterations of 1, 2 and 4 actors, and says what more machines would do
with larger games.
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console

from benchmarks.scattered import ACTORS, GAMES, REST, Scattered, begin_ray, compiled
from benchmarks.table import Table, seconds

SIZES = (1e8, 1e9, 1e10, 1e11)
WORKERS = (10, 100, 1000)

WIRE = 2e-4
BANDWIDTH = 1e9
"""Seconds and bytes a second of a network between machines, which this one does not have."""


BUSY = 5e-3
"""Seconds that actors are busy in a round."""


class Costs(NamedTuple):
    """What parts of an iteration take, in seconds."""

    per_work: float
    """Of a sweep, for a unit of the cut's work."""

    per_trunk_piece: float
    """Of the trunk, for each piece: down, up, and to pack letters."""

    bytes_per_piece: float
    """In a round, there and back."""

    per_round: float
    per_actor: float
    """Of a round of letters: in any case, and for each actor."""

    per_byte: float
    work_per_sequence: float

    def predicted(
        self, work: float, pieces: float, actors: int, cores: int, *, wire: bool = False
    ) -> tuple[float, float, float, float]:
        """Return what trunk, sweeps, latency and bytes of an iteration take, on so many cores."""
        sent = 2.0 * pieces * self.bytes_per_piece
        return (
            2.0 * pieces * self.per_trunk_piece,
            2.0 * work * self.per_work / cores,
            2.0 * (self.per_round + actors * self.per_actor + (WIRE if wire else 0.0)),
            sent * (self.per_byte + (1.0 / BANDWIDTH if wire else 0.0)),
        )


def usual(call: Callable[[], Any], turns: int = 40) -> float:
    """Return the median time of some turns: parts and wholes are disturbed alike."""
    found = []
    for _ in range(turns):
        begin = time.perf_counter()
        call()
        found.append(time.perf_counter() - begin)
    return float(np.median(found))


def measure(console: Console) -> list[Table]:
    """Measure parts and wholes; return tables."""
    import secateur
    from secateur.cluster.engine import Cluster
    from secateur.cluster.sources import Slices
    from secateur.crew import cores

    solver = secateur.recipes.cfr_plus()
    rounds = rounds_of(Cluster("auto"))
    console.log(rounds)
    wholes = Table(
        "An iteration of CFR+ on actors of this machine, predicted and measured",
        ("game", "actors", "one thread", "predicted", "measured", "ratio", "beyond sweeps"),
    )
    found: list[Costs] = []
    for title in GAMES:
        game = compiled(title)
        source = Slices(game)
        pieces, work = len(source.work), float(source.work.sum())
        for count in ACTORS:
            alone = solver.start(game)
            with Scattered.of(source, count, solver) as run:
                state = run.state
                with secateur.threads(1):
                    alone.step(5)
                    one = usual(lambda alone=alone: alone.step(2)) / 2
                took = usual(lambda state=state: state.step(2)) / 2
                costs = Costs(
                    one / (2.0 * work), *_of_trunk(run, pieces), *rounds, work / game.cells
                )
            found.append(costs)
            used = min(cores(), count * Cluster("auto").threads_each(count))
            parts = costs.predicted(work, pieces, count, used)
            beyond = took - parts[1]
            row = (
                f"{title}, {game.cells:,} sequences",
                f"{count}",
                seconds(one),
                seconds(sum(parts)),
                seconds(took),
                f"{took / sum(parts):.2f}",
                f"{seconds(beyond)} ({beyond / took:.0%})",
            )
            wholes.rows.append(row)
            console.log(*row)
    costs = Costs(*(float(np.median([each[k] for each in found])) for k in range(len(found[0]))))
    return [wholes, parts_table(costs), larger_table(costs)]


def _of_trunk(run: Scattered, pieces: int) -> tuple[float, float]:
    """Return what the trunk takes for a piece in a round, and how long letters of it are."""
    from secateur.cluster.letters import Errand, sealed

    letters = [each.down(Errand.ITERATE, 1, 0, 0) for each in run.shards._letters]
    sent = 2.0 * sum(len(sealed(each)) for each in letters)
    run.state._sweeps._exchange = lambda *_: [
        sealed(each.down(Errand.ITERATE, 1, 0, 0)) for each in run.shards._letters
    ]
    trunk = usual(lambda: run.state.trunk.step(2)) / 4
    return trunk / pieces, sent / pieces


class Busy:
    """An actor that does nothing but take time."""

    def work(self, sent: bytes, duration: float) -> bytes:
        """Work for so many seconds of processor time; send back what came."""
        end = time.thread_time() + duration
        while time.thread_time() < end:
            zlib.crc32(_WORK)  # which lets others have the interpreter, like a sweep
        return sent


_WORK = bytes(100_000)


def rounds_of(cluster: Any) -> tuple[float, float, float]:
    """Return what a round takes beyond work: in any case, for each actor, and for each byte.

    Actors are busy for a while, because Ray's own threads wait for those that sweep.
    """
    from secateur.crew import cores

    times = []
    for count in ACTORS:
        actors = [cluster.hire(Busy, (), 4) for _ in range(count)]
        duration = BUSY * min(1.0, cores() / count)

        def ask(size: int, actors: list[Any] = actors, duration: float = duration) -> None:
            cluster.ask(actors, "work", [(bytes(size), duration)] * len(actors), 60.0)

        ask(1)
        time.sleep(REST)
        times.append([usual(lambda ask=ask, size=size: ask(size), 100) for size in (1, _MANY)])
        cluster.dismiss(actors)
    small = np.array([each[0] for each in times]) - BUSY
    slope, start = np.polyfit(ACTORS, small, 1)
    per_byte = (times[0][1] - times[0][0]) / (2 * _MANY)
    return max(float(start), 0.0), max(float(slope), 0.0), max(per_byte, 0.0)


_MANY = 80_000
"""Bytes of a long letter; those of 100 kB go through Ray's object store."""


def parts_table(costs: Costs) -> Table:
    """Return what was fitted."""
    table = Table("What the parts of an iteration take", ("part", "measured"))
    table.rows += [
        ("a sweep, for each million units of work", seconds(1e6 * costs.per_work)),
        ("the trunk in a round, for each piece", seconds(costs.per_trunk_piece)),
        ("a round of letters, in any case", seconds(costs.per_round)),
        ("and for each actor", seconds(costs.per_actor)),
        ("and for each megabyte", seconds(1e6 * costs.per_byte)),
        ("letters in a round, for each piece", f"{costs.bytes_per_piece:,.0f} bytes"),
    ]
    return table


def larger_table(costs: Costs) -> Table:
    """Return what more workers would do to larger games, each a core like one of these."""
    from secateur.compiled.cut import most_work

    table = Table(
        "An iteration with more workers, predicted",
        ("sequences", *(f"{count:,} workers" for count in WORKERS)),
    )
    for size in SIZES:
        work = costs.work_per_sequence * size  # as in the games that were measured
        pieces = 2.0 * work / most_work(int(work))
        cells = []
        for count in WORKERS:
            if count > pieces:
                cells.append(f"{pieces:,.0f} pieces")
                continue
            parts = costs.predicted(work, pieces, count, count, wire=True)
            cells.append(f"{seconds(sum(parts))} ({parts[1] / sum(parts):.0%} sweeps)")
        table.rows.append((f"{size:.0e}", *cells))
    return table


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the tables to this file")
    arguments = parser.parse_args()
    begin_ray()
    console = Console()
    tables = measure(console)
    for table in tables:
        console.print(table.for_terminal())
    if arguments.out is not None:
        arguments.out.write_text("\n".join(each.as_markdown() for each in tables))


if __name__ == "__main__":
    main()
