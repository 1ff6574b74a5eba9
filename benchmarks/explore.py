"""How quickly the page answers, and what it costs a run: ``python -m benchmarks.explore``.

Pages are timed in Chromium, if it is there: from the command to the first table of the strategy and
to the values in it, from the address to the first table, and from a click to the next. Answers are
timed without a browser, over one connection. A run is timed in turns: with a page that nobody
asks, and with one that is asked a thousand times a second.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from benchmarks.flood import CLIENTS
from benchmarks.page import Client, page_of
from benchmarks.page_costs import measure_flood, measure_requests
from benchmarks.table import MISSING, Table, seconds

OPENING = ("game", "information sets", "kernels and game", "command to table", "to values")
PAGES = ("game", "first page", "next page", "a node", "slowest node")
LINES = 40
TRIES = 7
CLICKS = 3

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


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="leduc5", help="the game that is not large")
    parser.add_argument("--bets", type=int, default=13, help="bet sizes of the large game; 0: none")
    parser.add_argument("--tries", type=int, default=TRIES, help="of opening with caches; 0: none")
    parser.add_argument("--cold", action="store_true", help="also open without caches")
    parser.add_argument("--iterations", type=int, default=1000, help="of a turn of a run")
    parser.add_argument(
        "--pairs", type=int, default=60, help="of turns with and without many requests; 0: none"
    )
    parser.add_argument("--rate", type=float, default=1000.0, help="requests a second")
    parser.add_argument(
        "--clients", nargs="+", choices=CLIENTS, default=list(CLIENTS), help="their connections"
    )
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
        if options.pairs:
            how = (options.iterations, options.pairs, options.rate, options.clients)
            tables.append(measure_flood(Path(temporary), options.game, *how))
    console = Console()
    console.width = max(console.width, 120)
    for table in tables:
        console.print(table.for_terminal())
    if options.out:
        options.out.write_text("\n".join(table.as_markdown() for table in tables))


if __name__ == "__main__":
    main()
