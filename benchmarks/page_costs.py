"""What it costs a run that its page is asked very often.

The run keeps to one core and one thread, as in the other benchmarks, and goes on by equally many
iterations in each turn. Turns come in pairs, one with many requests and one without any, in an
order that is drawn: what the machine does for longer than that is the same for both. The server and
the client are on the same machine, on whatever core the system gives them.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.flood import CLIENTS, Flood
from benchmarks.launch import on_one_core, one_thread
from benchmarks.page import Client, page_of
from benchmarks.table import Table, seconds

COLUMNS = ("", "time", "processor time", "asked a second", "answered a second")
RESAMPLES = 10_000

_BEFORE_FLOOD = 0.5
"""Seconds after which all is over that is let through at once."""


class Turn(NamedTuple):
    """What a turn of the run took, in seconds, and how often the page was asked meanwhile."""

    time: float
    processor: float
    asked: float = 0.0
    answered: float = 0.0


def measure_flood(
    folder: Path, name: str, iterations: int, pairs: int, rate: float, clients: Sequence[str]
) -> Table:
    """Return what turns of a run take with and without many requests."""
    run = folder / "flooded"
    draw = random.Random(1)
    title = f"{pairs} pairs of turns of {iterations:,} iterations of CFR+ on {name}"
    table = Table(title, COLUMNS)
    with _solving(run, name, iterations) as turn, page_of(run) as url:
        _complete(Client(url))
        turn()  # the first one loads what the others find
        for client in clients:
            found: dict[bool, list[Turn]] = {False: [], True: []}
            for _ in range(pairs):
                for loud in draw.sample((False, True), 2):
                    flood = Flood(url, rate if loud else 0.0, CLIENTS[client])
                    found[loud].append(_under(flood, turn))
            table.rows += [
                (f"{client} connections, nobody asks", *_medians(found[False])),
                (f"{client} connections, {rate:,.0f} requests a second", *_medians(found[True])),
                ("in proportion, pair by pair", *_proportions(found[False], found[True]), "", ""),
            ]
    return table


def _complete(client: Client) -> None:
    while not client.asked("api/strategies/0")["complete"]:
        time.sleep(0.05)


_RUN = """
import json, sys, time, secateur
path, name, iterations = sys.argv[1], sys.argv[2], int(sys.argv[3])
game = secateur.compile(secateur.load(name))
done = 10
secateur.solve(game, "cfr+", secateur.until.iterations(done), run=path, threads=1)
print("ready", flush=True)
for _ in sys.stdin:
    done += iterations
    begin, before = time.perf_counter(), time.process_time()
    secateur.resume(path, secateur.until.iterations(done), game=game, threads=1)
    print(json.dumps([time.perf_counter() - begin, time.process_time() - before]), flush=True)
"""


@contextmanager
def _solving(run: Path, name: str, iterations: int) -> Iterator[Any]:
    """Begin a run; yield what lets it go on for a turn."""
    command = on_one_core([sys.executable, "-c", _RUN, str(run), name, str(iterations)])
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, env=one_thread()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told, heard = process.stdin, process.stdout

        def turn() -> Turn:
            told.write("\n")
            told.flush()
            return Turn(*json.loads(heard.readline()))

        try:
            assert heard.readline() == "ready\n"
            yield turn
        finally:
            process.kill()


def _under(flood: Flood, turn: Any) -> Turn:
    flood.start()
    time.sleep(_BEFORE_FLOOD)
    took = turn()
    flood.stop()
    asked, answered = (count / flood.seconds for count in (flood.asked, flood.answered))
    return took._replace(asked=asked, answered=answered)


def _medians(turns: list[Turn]) -> tuple[str, ...]:
    took, processor, asked, answered = (median(column) for column in zip(*turns, strict=True))
    return seconds(took), seconds(processor), f"{asked:.0f}", f"{answered:.0f}"


def _proportions(quiet: list[Turn], loud: list[Turn]) -> Iterator[str]:
    """Yield the median of proportions for both times, and where it lies with 95 % confidence."""
    draw = np.random.default_rng(1)
    for one, other in list(zip(zip(*quiet, strict=True), zip(*loud, strict=True), strict=True))[:2]:
        ratios = np.array(other) / np.array(one)
        again = np.median(draw.choice(ratios, (RESAMPLES, len(ratios))), axis=1)
        low, high = np.quantile(again, (0.025, 0.975))
        yield f"{np.median(ratios):.3f}× ({low:.3f} to {high:.3f})"


def measure_requests(run: Path, count: int, rate: float) -> Table:
    """Return the processor time that requests take (Linux only)."""
    with page_of(run) as url:
        client = Client(url)
        _complete(client)
        (process,) = (
            each for each in Path("/proc").glob("[0-9]*/cmdline") if _is_page_of(each, run)
        )
        before = _processor_time(process.parent)
        for number in range(count):
            client.ask(f"api/nodes/0/1?offset={number}")  # no answer is known yet
            time.sleep(0.02)
        each_takes = (_processor_time(process.parent) - before) / count
        rows = [("a request", seconds(each_takes))]
        for client_of, connections in CLIENTS.items():
            flood = Flood(url, rate, connections)
            flood.start()
            time.sleep(_BEFORE_FLOOD)
            before, begin = _processor_time(process.parent), time.perf_counter()
            time.sleep(count / 40)
            share = (_processor_time(process.parent) - before) / (time.perf_counter() - begin)
            flood.stop()
            rows.append((f"{rate:,.0f} a second, {client_of} connections", f"{share:.1%}"))
    return Table("What requests cost", ("", "processor time"), rows)


def _is_page_of(command: Path, run: Path) -> bool:
    try:
        words = command.read_bytes().split(b"\0")
    except OSError:
        return False
    return b"explore" in words and str(run).encode() in words


def _processor_time(process: Path) -> float:
    """Return the seconds that a process has used, in user and system mode."""
    numbers = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
