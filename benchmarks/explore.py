"""How quickly the page answers, and what it costs a run: ``python -m benchmarks.explore``.

Pages are timed in Chromium, if it is there: from the command to the first table of the strategy and
to the values in it, from the address to the first table, and from a click to the next. Answers are
timed without a browser, over one connection. A run is timed in turns: with a page that nobody looks
at, and with one that is asked a thousand times a second.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console

from benchmarks.table import MISSING, Table, seconds

OPENING = ("game", "information sets", "kernels and game", "command to table", "to values")
PAGES = ("game", "first page", "next page", "a node", "slowest node")
FLOOD = ("", "time", "processor time", "asked a second", "answered a second")
LINES = 40
TRIES = 7
CLICKS = 3
CONNECTIONS = 4

_BEFORE_FLOOD = 1.0
"""Seconds after which all is over that is let through at once."""

FIRST = """
const done = arguments[0];
const look = () => {
  const row = document.querySelector(".tablebox tbody tr");
  return row ? done(performance.now()) : setTimeout(look, 2);
};
look();
"""
VALUES = """
const done = arguments[0];
const look = () => document.querySelector(".pending") ? setTimeout(look, 5) : done();
look();
"""
NEXT = """
const done = arguments[0];
const before = document.querySelector(".tablebox"), begin = performance.now();
const watch = new MutationObserver(() => {
  const now = document.querySelector(".tablebox");
  if (!now || now === before) return;
  watch.disconnect();
  now.getBoundingClientRect(); // its layout belongs to it
  done(performance.now() - begin);
});
watch.observe(document.getElementById("view"), { childList: true, subtree: true });
document.querySelector(".ways .chip").click();
"""


class Client:
    """One connection to a page."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._path = parts.path
        self._connection = HTTPConnection(parts.hostname or "", parts.port, timeout=600)

    def ask(self, path: str) -> tuple[int, bytes]:
        """Return the status and the content of an answer."""
        self._connection.request("GET", self._path + path)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def asked(self, path: str) -> Any:
        """Return an answer, as soon as there is one."""
        while True:
            status, body = self.ask(path)
            if status == 200:
                return json.loads(body)
            if status not in (202, 429):
                raise RuntimeError(body.decode())
            time.sleep(0.01)


@contextmanager
def page_of(run: Path, **more: str) -> Iterator[str]:
    """Serve a run as people do, with more in the environment; yield the address."""
    command = [sys.executable, "-m", "secateur", "explore", str(run), "--no-browser"]
    given = {"stdout": subprocess.PIPE, "text": True, "env": {**os.environ, **more}}
    with subprocess.Popen(command, **given) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().removeprefix("Look at ").strip()
        finally:
            process.terminate()


def prepared(folder: Path, name: str, bets: int = 0) -> Path:
    """Return a short run that prunes, of a game or, with many bet sizes, of a large one."""
    import secateur

    path = folder / name
    if not path.exists():
        pruning = secateur.BestResponsePruning(check_every=20)
        solver = secateur.recipes.cfr(pruning=pruning)
        sizes = tuple(range(1, bets + 1))
        doubled = tuple(2 * each for each in sizes)
        rules = secateur.load("leduc", bet_sizes=(sizes, doubled)) if bets else secateur.load(name)
        secateur.solve(rules, solver, secateur.until.iterations(60), run=path, cache=True)
    return path


def measure_opening(run: Path, tries: int, *, cold: bool) -> Iterator[tuple[str, ...]]:
    """Yield rows of times from the command until something is seen, without and with caches."""
    with browser() as chromium:
        if chromium is None:
            return
        with tempfile.TemporaryDirectory() as empty:
            if cold:
                nothing = {"NUMBA_CACHE_DIR": f"{empty}/kernels", "XDG_CACHE_HOME": empty}
                yield _row(run, "neither is there", [_opening(chromium, run, **nothing)])
        _opening(chromium, run)  # now all is there
        yield _row(run, "both are there", [_opening(chromium, run) for _ in range(tries)])


def _row(run: Path, what: str, times: list[tuple[float, float, str]]) -> tuple[str, ...]:
    table, values, size = zip(*times, strict=True)
    return run.name, size[0], what, seconds(median(table)), seconds(median(values))


def _opening(chromium: Any, run: Path, **more: str) -> tuple[float, float, str]:
    """Return the seconds until there is a table, and until it has values; and how large a game."""
    chromium.get("about:blank")
    begin = time.perf_counter()
    with page_of(run, **more) as url:
        chromium.get(f"{url}#/strategy/0")
        chromium.execute_async_script(FIRST)
        table = time.perf_counter() - begin
        chromium.execute_async_script(VALUES)
        values = time.perf_counter() - begin
        facts = Client(url).asked("api/strategies/0")
    return table, values, f"{facts['information_sets']:,}"


def measure_pages(run: Path) -> tuple[str, ...]:
    """Return a row of times."""
    with page_of(run) as url:
        client = Client(url)
        while not (facts := client.asked("api/strategies/0"))["complete"]:
            time.sleep(0.05)
        blocks = _some_nodes(client, facts["start"])
        times = []
        for node in blocks:
            start = time.perf_counter()
            client.asked(f"api/nodes/0/{node}?limit=50")
            times.append(time.perf_counter() - start)
        first, following = _in_browser(f"{url}#/strategy/0")
    return (
        run.name,
        MISSING if first is None else seconds(first),
        MISSING if following is None else seconds(following),
        seconds(median(times)),
        seconds(max(times)),
    )


def _some_nodes(client: Client, start: int) -> list[int]:
    """Return nodes on random lines; what the page asks first is left out."""
    draw = random.Random(1)
    found: dict[int, None] = {}
    for _ in range(LINES):
        node = start
        while branches := client.asked(f"api/branches/0/{node}?limit=200")["branches"]:
            node = draw.choice(branches)["node"]
            found[node] = None
    return list(found)


def _in_browser(url: str) -> tuple[float | None, float | None]:
    """Return the seconds to the first page, and to the next, in the middle of some tries."""
    with browser() as chromium:
        if chromium is None:
            return None, None
        first, following = [], []
        for _ in range(TRIES):
            chromium.get("about:blank")
            chromium.get(url)
            first.append(chromium.execute_async_script(FIRST) / 1000)
            for _ in range(CLICKS):
                time.sleep(0.2)  # people do not click while a page is still being made
                following.append(chromium.execute_async_script(NEXT) / 1000)
    return median(first), median(following)


@contextmanager
def browser() -> Iterator[Any]:
    """Start Chromium, if it is there."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        yield None
        return
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    with tempfile.TemporaryDirectory() as profile:
        for flag in (
            *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *("--disable-background-networking", "--disable-sync", f"--user-data-dir={profile}"),
        ):
            options.add_argument(flag)
        found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        found.set_script_timeout(600)
        try:
            yield found
        finally:
            found.quit()


def measure_requests(run: Path, count: int, rate: float) -> Table:
    """Return the processor time that requests take (Linux only)."""
    with page_of(run) as url:
        client = Client(url)
        while not client.asked("api/strategies/0")["complete"]:
            time.sleep(0.05)
        (process,) = (
            each for each in Path("/proc").glob("[0-9]*/cmdline") if _is_page_of(each, run)
        )
        before = _processor_time(process.parent)
        for number in range(count):
            client.ask(f"api/nodes/0/1?offset={number}")  # no answer is known yet
            time.sleep(0.02)
        each_takes = (_processor_time(process.parent) - before) / count
        flood = Flood(url, rate)
        flood.start()
        time.sleep(_BEFORE_FLOOD)
        before, begin = _processor_time(process.parent), time.perf_counter()
        time.sleep(count / 40)
        share = (_processor_time(process.parent) - before) / (time.perf_counter() - begin)
        flood.stop()
    rows = [("a request", seconds(each_takes)), (f"{rate:.0f} requests a second", f"{share:.1%}")]
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


class Flood(threading.Thread):
    """Asks for nodes and news so many times a second, whether it is answered or not.

    Requests that the server does not take wait in a connection; a full one is passed over.
    """

    def __init__(self, url: str, rate: float) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._to, self._rate = (parts.hostname, parts.port), rate
        self._requests = [
            f"GET {parts.path}{path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
            for path in ("api/nodes/0/1", "api/runs/0", "api/sources", "")
        ]
        self._over = threading.Event()
        self.asked = self.answered = 0
        self.seconds = 0.0

    def run(self) -> None:
        """Ask until it is over."""
        connections = [socket.create_connection(self._to) for _ in range(CONNECTIONS)]
        for each in connections:
            each.setblocking(False)
        begin = time.perf_counter()
        due = 0
        while not self._over.is_set():
            self.seconds = time.perf_counter() - begin
            while due < self._rate * self.seconds:
                self._ask(connections[due % CONNECTIONS], self._requests[due // CONNECTIONS % 4])
                due += 1
            for each in connections:
                self._listen(each)
            time.sleep(0.005)
        for each in connections:
            each.close()

    def _ask(self, connection: socket.socket, request: bytes) -> None:
        try:
            sent = connection.send(request)
        except BlockingIOError:
            return
        while sent < len(request):  # a connection became full in the middle
            select.select([], [connection], [])
            sent += connection.send(request[sent:])
        self.asked += 1

    def _listen(self, connection: socket.socket) -> None:
        try:
            self.answered += connection.recv(1 << 20).count(b"HTTP/1.1 200")
        except BlockingIOError:
            return

    def stop(self) -> None:
        """Let it be over."""
        self._over.set()
        self.join()


def measure_flood(folder: Path, name: str, iterations: int, rounds: int, rate: float) -> Table:
    """Return what a run takes with and without many requests."""
    quiet: list[tuple[float, float]] = []
    flooded: list[tuple[float, float]] = []
    floods: list[Flood] = []
    for number in range(rounds):
        for loud in (False, True) if number % 2 == 0 else (True, False):
            run = folder / f"flood-{number}-{loud}"
            with _solving(run, name, iterations) as process:
                while not list(run.glob("checkpoint-*")):
                    time.sleep(0.02)
                with page_of(run) as url:
                    while not Client(url).asked("api/strategies/0")["complete"]:
                        time.sleep(0.05)
                    flood = Flood(url, rate if loud else 1.0)
                    flood.start()
                    if loud:
                        time.sleep(_BEFORE_FLOOD)
                    (run / "go").touch()  # the page is open, and asked: now the run is timed
                    process.wait()
                    flood.stop()
            (flooded if loud else quiet).append(_times_of(run))
            if loud:
                floods.append(flood)
    each_second = [
        f"{median(count / max(flood.seconds, 1e-3) for flood, count in counted):.0f}"
        for counted in (
            [(flood, flood.asked) for flood in floods],
            [(flood, flood.answered) for flood in floods],
        )
    ]
    rows = [
        ("a page that nobody looks at", *_medians(quiet), "1", "1"),
        ("many requests", *_medians(flooded), *each_second),
    ]
    table = Table(f"{iterations:,} iterations of CFR+ on {name}", FLOOD, rows)
    ratios = [
        f"{median(b[k] / a[k] for a, b in zip(quiet, flooded, strict=True)):.3f}×" for k in (0, 1)
    ]
    table.rows.append(("in proportion, round by round", *ratios, "", ""))
    return table


_RUN = """
import json, pathlib, sys, time, secateur
path, name, iterations = sys.argv[1], sys.argv[2], int(sys.argv[3])
game = secateur.compile(secateur.load(name))
until = secateur.until.iterations
secateur.solve(game, "cfr+", until(10), run=path, threads=1, checkpoint_every=1.0)
while not pathlib.Path(path, "go").exists():
    time.sleep(0.01)
begin, before = time.perf_counter(), time.process_time()
secateur.resume(path, until(iterations), game=game, threads=1)
print(json.dumps([time.perf_counter() - begin, time.process_time() - before]), flush=True)
"""


@contextmanager
def _solving(run: Path, name: str, iterations: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", _RUN, str(run), name, str(iterations)]
    with (
        run.with_suffix(".times").open("w") as times,
        subprocess.Popen(command, stdout=times, text=True) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def _times_of(run: Path) -> tuple[float, float]:
    wall, processor = json.loads(run.with_suffix(".times").read_text())
    return wall, processor


def _medians(times: list[tuple[float, float]]) -> tuple[str, str]:
    return seconds(median(each[0] for each in times)), seconds(median(each[1] for each in times))


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="leduc5", help="the game that is not large")
    parser.add_argument("--bets", type=int, default=13, help="bet sizes of the large game; 0: none")
    parser.add_argument("--tries", type=int, default=TRIES, help="of opening with caches; 0: none")
    parser.add_argument("--cold", action="store_true", help="also open without caches")
    parser.add_argument("--iterations", type=int, default=8000, help="of runs under many requests")
    parser.add_argument("--rounds", type=int, default=5, help="of these; 0: none")
    parser.add_argument("--rate", type=float, default=1000.0, help="requests a second")
    parser.add_argument(
        "--requests", type=int, default=200, help="whose processor time is measured; 0: none"
    )
    parser.add_argument("--folder", type=Path, help="where runs and games are kept for later")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        runs = [prepared(folder, options.game)]
        if options.bets:
            runs.append(prepared(folder, f"{options.bets}-bets", options.bets))
        tables = []
        if options.tries:
            opening = [
                row
                for run in runs
                for row in measure_opening(run, options.tries, cold=options.cold)
            ]
            tables.append(Table("How long it takes to open", OPENING, opening))
            rows = [measure_pages(run) for run in runs]
            tables.append(Table("How quickly the page answers", PAGES, rows))
        if options.requests and sys.platform == "linux":
            tables.append(measure_requests(runs[0], options.requests, options.rate))
        if options.rounds:
            how = (options.iterations, options.rounds, options.rate)
            tables.append(measure_flood(Path(temporary), options.game, *how))
    console = Console()
    console.width = max(console.width, 120)
    for table in tables:
        console.print(table.for_terminal())
    if options.out:
        options.out.write_text("\n".join(table.as_markdown() for table in tables))


if __name__ == "__main__":
    main()
