"""What a cluster costs and survives: ``python -m benchmarks.cluster --out cluster.md --kills 20``.

A small cluster of Ray is started on this machine. The parts of the cost of an iteration are
measured one by one: what a sweep takes for its work in one process, what the trunk takes, what a
round of letters takes without work, by the number of actors and by bytes. A model that adds them up
is then compared with whole iterations of 1, 2 and 4 actors, and says what more machines would do
with larger games. With ``--kills``, actors and drivers are killed (-9) at random moments, and the
strategies that are written in the end are compared with those of undisturbed runs in one process.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console

from benchmarks.table import MISSING, Table, seconds

ACTORS = (1, 2, 4)
SIZES = (1e8, 1e9, 1e10, 1e11)
WORKERS = (10, 100, 1000)

WIRE = 2e-4
BANDWIDTH = 1e9
"""Seconds and bytes a second of a network between machines, which this one does not have."""


def _sizes(count: int) -> str:
    """Return so many bet sizes for each round of Leduc."""
    rounds = ([f"{factor * k}" for k in range(1, count + 1)] for factor in (1, 2))
    return "/".join(",".join(each) for each in rounds)


GAMES = {f"{count} bet sizes": _sizes(count) for count in (6, 10, 18)}
"""About 1, 10 and 100 milliseconds of sweeps an iteration."""

RUNS = {"cfr+": ["cfr+"], "dcfr": ["dcfr"], "pcfr+": ["pcfr+"], "hedge": ["hedge"]}


class Costs(NamedTuple):
    """What parts of an iteration take, in seconds."""

    per_work: float
    """Of a sweep, for a unit of the cut's work."""

    per_trunk_piece: float
    """Of the trunk, for each piece: down, up, and to pack letters."""

    per_round: float
    per_actor: float
    """Of a round of letters: in any case, and for each actor."""

    per_byte: float
    bytes_per_piece: float
    """In a round, there and back."""

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


def measure(console: Console) -> tuple[list[Table], Costs]:
    """Measure parts and wholes; return tables, and the costs."""
    import secateur
    from secateur.cluster.engine import Cluster
    from secateur.cluster.letters import Errand
    from secateur.cluster.shards import Shards
    from secateur.cluster.sources import Slices, scattered_game
    from secateur.cluster.state import ClusterState
    from secateur.crew import cores

    solver = secateur.recipes.cfr_plus()
    rounds = rounds_of(Cluster("auto"))
    wholes = Table(
        "An iteration of CFR+ on actors of this machine, predicted and measured",
        (
            *("game", "actors", "one process", "predicted", "measured", "beyond sweeps"),
            *("arrays", "resident"),
        ),
    )
    found: list[Costs] = []
    base = 0.0
    for title, sizes in GAMES.items():
        console.log(title)
        game = secateur.compile(secateur.load("leduc", bet_sizes=sizes), cache=True)
        source = Slices(game)
        pieces, work = len(source.work), float(source.work.sum())
        alone = solver.start(game)
        with secateur.threads(1):
            alone.step(5)
            one = usual(lambda alone=alone: alone.step(2)) / 2
        for count in ACTORS:
            with tempfile.TemporaryDirectory() as place:
                Path(place, "lock").touch()
                shards = Shards(Cluster("auto"), source, solver, count, Path(place))
                summaries = shards.tell("summary")
                trunk = source.trunk(summaries)
                whole = scattered_game(trunk, summaries, shards.holdings)
                state = ClusterState(solver, whole, trunk, shards, console.log)
                state.step(5)
                took = usual(lambda state=state: state.step(2)) / 2
                conditions = state.conditions()
                memory = [
                    each.bytes_resident + summary.nbytes
                    for each, summary in zip(conditions, summaries, strict=True)
                ]
                held = sum(memory)
                whole_run = alone.bytes_resident + game.nbytes
                shares = whole_run * np.array(
                    [source.work[holding].sum() / work for holding in shards.holdings]
                )
                resident = np.array([each.memory for each in conditions])
                # what an actor takes for the program itself, from the smallest parts there are
                base = base if found[len(ACTORS) - 1 :] else float((resident - shares).min())
                letters = [each.down(Errand.ITERATE, 1, 0, 0) for each in shards._letters]
                sent = sum(each.reach.nbytes + each.reached.nbytes for each in letters)
                state._sweeps._exchange = lambda *_: None
                alone_trunk = usual(lambda state=state: state.trunk.step(2)) / 4
                shards.dismiss()
            costs = Costs(
                per_work=one / (2.0 * work),
                per_trunk_piece=alone_trunk / pieces,
                per_round=rounds[0],
                per_actor=rounds[1],
                per_byte=rounds[2],
                bytes_per_piece=2.0 * sent / pieces,
                work_per_sequence=work / game.cells,
            )
            found.append(costs)
            used = min(cores(), count * Cluster("auto").threads_each(count))
            parts = costs.predicted(work, pieces, count, used)
            beyond = took - parts[1]
            share = held / whole_run
            most = float(((resident - base) / shares).max())
            wholes.rows.append(
                (
                    f"{title}, {game.cells:,} sequences",
                    f"{count}",
                    seconds(one),
                    seconds(sum(parts)),
                    seconds(took),
                    f"{seconds(beyond)} ({beyond / took:.0%})",
                    f"{share:.2f}",
                    f"{most:.2f}" if found[len(ACTORS) :] else MISSING,
                )
            )
    costs = Costs(*(float(np.median([each[k] for each in found])) for k in range(len(found[0]))))
    return [wholes, parts_table(costs), larger_table(costs)], costs


class Idle:
    """An actor that does nothing."""

    def nothing(self, letter: Any) -> Any:
        """Send back what came."""
        return letter


def rounds_of(cluster: Any) -> tuple[float, float, float]:
    """Return what a round takes in any case, for each actor, and for each byte."""
    from secateur.cluster.letters import Down, Errand

    times = []
    for count in ACTORS:
        actors = [cluster.hire(Idle, (), 4) for _ in range(count)]

        def ask(size: int, actors: list[Any] = actors) -> None:
            letter = Down(Errand.ITERATE, 1, 0, 0, np.zeros(size), np.ones(size, bool), _FLAG)
            cluster.ask(actors, "nothing", [(letter,)] * len(actors), 60.0)

        ask(1)
        times.append((usual(lambda ask=ask: ask(1), 200), usual(lambda ask=ask: ask(_MANY), 50)))
        cluster.dismiss(actors)
    small = np.array([each[0] for each in times])
    slope, start = np.polyfit(ACTORS, small, 1)
    per_byte = (times[0][1] - times[0][0]) / (2 * 9 * _MANY)
    return max(float(start), 0.0), max(float(slope), 0.0), max(per_byte, 0.0)


_MANY = 1 << 16
"""Slots in a large letter."""

_FLAG = np.ones(1, bool)


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


def kills(count: int, address: str, console: Console) -> tuple[Table, bool]:
    """Kill actors and drivers at random moments; return what became of their runs."""
    dice = random.Random(17)
    table = Table("Kills (-9)", ("run", "actors killed", "drivers killed", "in the end"))
    good = True
    with tempfile.TemporaryDirectory() as place:
        for number, (title, algorithm) in enumerate(RUNS.items()):
            share = count // len(RUNS) + (number < count % len(RUNS))
            run, alone = Path(place, f"{number}"), Path(place, f"{number}-alone")
            subprocess.run(command(algorithm, alone), check=True, capture_output=True)
            killed = {"actor": 0, "driver": 0}
            where = ["--cluster", address, "--shards", "2", "--checkpoint-every", "0.2"]
            begin = command(algorithm, run)
            while True:
                driver = subprocess.Popen([*begin, *where], stdout=subprocess.DEVNULL)
                ended = disturb(driver, run, killed, share, dice)
                if ended:
                    break
                if (run / "run.json").exists():
                    begin = [sys.executable, "-m", "secateur", "resume", str(run)]
                    where = [*where[:2], "--shards", f"{dice.randint(1, 3)}", *where[4:]]
            same = driver.returncode == 0 and all(
                (run / name).read_bytes() == (alone / name).read_bytes()
                for name in ("strategy.json",)
            )
            good &= same
            counts = f"{killed['actor']}", f"{killed['driver']}"
            table.rows.append((title, *counts, "the same bits" if same else "OTHER BITS"))
            console.log(*table.rows[-1])
    return table, good


def command(algorithm: list[str], run: Path) -> list[str]:
    """Return the command that begins a run."""
    game = ["leduc", "--set", f"bet_sizes={GAMES['6 bet sizes']}", "--iterations", "400"]
    solve = [sys.executable, "-m", "secateur", "solve", *game, "--algorithm", *algorithm]
    return [*solve, "--run", str(run), "--json"]


def disturb(
    driver: subprocess.Popen[bytes],
    run: Path,
    killed: dict[str, int],
    share: int,
    dice: random.Random,
) -> bool:
    """Kill something now and then; return whether the driver has come to its end by itself."""
    begin = time.time()
    while True:
        try:
            driver.wait(dice.uniform(0.2, 2.0))
        except subprocess.TimeoutExpired:
            pass
        else:
            return True
        reports = run / "shards.json"
        fresh = reports.exists() and reports.stat().st_mtime > begin
        if sum(killed.values()) >= share or not fresh:
            continue
        if dice.random() < 0.3:
            driver.kill()
            driver.wait()
            killed["driver"] += 1
            return False
        victim = dice.choice(json.loads(reports.read_text()))
        try:
            os.kill(victim["process"], signal.SIGKILL)
            killed["actor"] += 1
        except ProcessLookupError:
            continue


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the tables to this file")
    parser.add_argument("--kills", type=int, default=0, help="how often something is killed")
    parser.add_argument("--only-kills", action="store_true", help="measure nothing else")
    arguments = parser.parse_args()
    import ray

    from secateur.crew import cores

    ray.init(
        num_cpus=cores(),
        include_dashboard=False,
        object_store_memory=100 << 20,
        log_to_driver=False,
    )
    console, good = Console(), True
    tables = [] if arguments.only_kills else measure(console)[0]
    if arguments.kills:
        address = ray.get_runtime_context().gcs_address
        table, good = kills(arguments.kills, address, console)
        tables.append(table)
    for table in tables:
        console.print(table.for_terminal())
    if arguments.out is not None:
        arguments.out.write_text("\n".join(each.as_markdown() for each in tables))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
