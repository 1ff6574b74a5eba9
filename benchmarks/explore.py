"""How quickly the page answers, and what it costs a run: ``python -m benchmarks.explore``.

Pages are timed in Chromium, if it is there: from the address to the first table, and from a click
to the next. Answers are timed without a browser, over one connection. A run is timed in turns:
with a page that nobody looks at, and with one that is asked a thousand times a second.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
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

PAGES = ("game", "information sets", "to open", "first page", "next page", "a node", "slowest node")
FLOOD = ("", "time", "processor time", "requests a second", "answered")
LINES = 40
CONNECTIONS = 4

FIRST = """
const done = arguments[0];
const look = () => {
  const row = document.querySelector(".tablebox tbody tr");
  return row ? done(performance.now()) : setTimeout(look, 2);
};
look();
"""
NEXT = """
const done = arguments[0];
const before = document.querySelector(".tablebox"), begin = performance.now();
document.querySelector(".ways .chip").click();
const look = () => {
  const now = document.querySelector(".tablebox");
  return now && now !== before ? done(performance.now() - begin) : setTimeout(look, 1);
};
look();
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
def page_of(run: Path) -> Iterator[str]:
    """Serve a run as people do; yield the address."""
    command = [sys.executable, "-m", "secateur", "explore", str(run), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
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


def measure_pages(run: Path) -> tuple[str, ...]:
    """Return a row of times."""
    begin = time.perf_counter()
    with page_of(run) as url:
        client = Client(url)
        facts = client.asked("api/strategies/0")
        opened = time.perf_counter() - begin
        blocks = _some_nodes(client, facts["start"])
        times = []
        for node in blocks:
            start = time.perf_counter()
            client.asked(f"api/nodes/0/{node}?limit=50")
            times.append(time.perf_counter() - start)
        first, following = _in_browser(f"{url}#/strategy/0")
    return (
        run.name,
        f"{facts['information_sets']:,}",
        seconds(opened),
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
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        return None, None
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    with tempfile.TemporaryDirectory() as profile:
        for flag in (
            *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *("--disable-background-networking", "--disable-sync", f"--user-data-dir={profile}"),
        ):
            options.add_argument(flag)
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        try:
            first, following = [], []
            for _ in range(5):
                browser.get("about:blank")
                browser.get(url)
                first.append(browser.execute_async_script(FIRST) / 1000)
                following.append(browser.execute_async_script(NEXT) / 1000)
        finally:
            browser.quit()
    return median(first), median(following)


def measure_requests(run: Path, count: int) -> Table:
    """Return the processor time that the server takes for a request (Linux only)."""
    rows = []
    with page_of(run) as url:
        client = Client(url)
        client.asked("api/strategies/0")
        (process,) = (
            each for each in Path("/proc").glob("[0-9]*/cmdline") if _is_page_of(each, run)
        )
        for title, pause in (("answered", 0.01), ("many more than are answered", 0.0)):
            before, refused = _processor_time(process.parent), 0
            for number in range(count if pause == 0.0 else count // 10):
                status, _ = client.ask(f"api/nodes/0/1?offset={number}")  # no answer is known yet
                refused += status == 429
                time.sleep(pause)
            taken = _processor_time(process.parent) - before
            rows.append((title, seconds(taken / (number + 1)), f"{refused / (number + 1):.0%}"))
    return Table("What a request costs", ("requests", "processor time", "refused"), rows)


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
    """Asks for nodes and news, as often as it is told."""

    def __init__(self, url: str, rate: float) -> None:
        super().__init__(daemon=True)
        self._client, self._rate = Client(url), rate
        self._over = threading.Event()
        self.asked = self.answered = 0
        self.seconds = 0.0

    def run(self) -> None:
        """Ask until it is over."""
        begin = time.perf_counter()
        while not self._over.is_set():
            path = ("api/nodes/0/1", "api/runs/0", "api/sources", "")[self.asked % 4]
            status, _ = self._client.ask(path)
            self.asked += 1
            self.answered += status == 200
            self.seconds = time.perf_counter() - begin
            ahead = self.asked / self._rate - self.seconds
            if ahead > 0:
                time.sleep(ahead)

    def stop(self) -> None:
        """Let it be over."""
        self._over.set()
        self.join()


def measure_flood(folder: Path, name: str, iterations: int, rounds: int, rate: float) -> Table:
    """Return what a run takes with and without many requests."""
    quiet: list[tuple[float, float]] = []
    flooded: list[tuple[float, float]] = []
    asked: list[float] = []
    answered: list[float] = []
    for number in range(rounds):
        for loud in (False, True) if number % 2 == 0 else (True, False):
            run = folder / f"flood-{number}-{loud}"
            with _solving(run, name, iterations) as process:
                while not list(run.glob("checkpoint-*")):
                    time.sleep(0.02)
                with page_of(run) as url:
                    Client(url).asked("api/strategies/0")
                    share = (rate if loud else 1.0) / CONNECTIONS
                    floods = [Flood(url, share) for _ in range(CONNECTIONS)]
                    for flood in floods:
                        flood.start()
                    (run / "go").touch()  # the page is open, and asked: now the run is timed
                    process.wait()
                    for flood in floods:
                        flood.stop()
            times = _times_of(run)
            (flooded if loud else quiet).append(times)
            if loud:
                asked.append(sum(each.asked / max(each.seconds, 1e-3) for each in floods))
                total = sum(each.asked for each in floods)
                answered.append(sum(each.answered for each in floods) / max(total, 1))
    rows = [
        ("a page that nobody looks at", *_medians(quiet), "1", "100 %"),
        ("many requests", *_medians(flooded), f"{median(asked):.0f}", f"{median(answered):.0%}"),
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
secateur.solve(game, "cfr+", secateur.until.iterations(10), run=path, checkpoint_every=1.0)
while not pathlib.Path(path, "go").exists():
    time.sleep(0.01)
begin, before = time.perf_counter(), time.process_time()
secateur.resume(path, secateur.until.iterations(iterations), game=game)
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
    parser.add_argument("--iterations", type=int, default=8000, help="of runs under many requests")
    parser.add_argument("--rounds", type=int, default=5, help="of these; 0: none")
    parser.add_argument("--rate", type=float, default=1000.0, help="requests a second")
    parser.add_argument("--requests", type=int, default=3000, help="of which each is timed")
    parser.add_argument("--folder", type=Path, help="where runs and games are kept for later")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        rows = [measure_pages(prepared(folder, options.game))]
        if options.bets:
            rows.append(measure_pages(prepared(folder, f"{options.bets}-bets", options.bets)))
        tables = [Table("How quickly the page answers", PAGES, rows)]
        if sys.platform == "linux":
            tables.append(measure_requests(prepared(folder, options.game), options.requests))
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
