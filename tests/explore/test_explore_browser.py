"""The page in a real browser: what people click, press and see."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from subprocess import DEVNULL, Popen
from threading import Thread

import numpy as np
import pytest

import secateur
from secateur.explore.saved_page import save_page
from secateur.explore.serving import Explorer
from secateur.explore.sources import FileSource, ResultSource, RunSource
from secateur.until import iterations
from support.browser import Browser, started
from support.explored import Page, Waiting, served

NAMELESS = """
return [...document.querySelectorAll("button, a, select, input")].filter(
  (each) => !each.textContent.trim() && !each.getAttribute("aria-label") && !each.labels?.length
).length
"""
"""What can be used, but says nothing to those who do not see it."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    driver = started(tmp_path_factory.mktemp("chromium"))
    yield Browser(driver)
    driver.quit()


@pytest.fixture(autouse=True)
def nothing_to_complain_about(browser: Browser) -> Iterator[None]:
    browser.complaints()
    yield
    assert browser.complaints() == []


def crumbs(browser: Browser) -> list[str]:
    return browser.texts(".crumbs a")


def test_the_first_page_shows_runs_and_their_curves(browser: Browser, page: Page) -> None:
    browser.open(page.explorer.url)
    browser.wait_for_text(".figures", "700")
    cards = browser.texts(".card header strong")
    assert cards == ["pruned", "plus"]
    assert "700 iterations were done" in browser.text(".card .facts")
    assert len(browser.all(".chart canvas")) == 4
    browser.wait(lambda: under_the_pointer(browser, 0.3)[1], "a value")
    browser.picture("runs")
    browser.click(".card input[type=checkbox]")
    browser.wait(lambda: len(browser.all("#chart-exploitability .u-series")) == 2, "one curve")


def under_the_pointer(browser: Browser, place: float) -> list[str]:
    """Return the values in a chart when the pointer is there, as a share of its width."""
    from selenium.webdriver import ActionChains

    def values() -> list[str]:
        plot = browser.one("#chart-exploitability .u-over")
        right = int((place - 0.5) * plot.size["width"])
        ActionChains(browser.driver).move_to_element_with_offset(plot, right, 0).perform()
        return browser.texts("#chart-exploitability .u-value")

    return list(browser.wait(values, "a chart"))  # once more, if it was just drawn anew


def test_all_runs_have_values_under_the_pointer_though_measured_at_other_moments(
    browser: Browser, page: Page
) -> None:
    browser.open(page.explorer.url)
    browser.wait(lambda: len(browser.all("#chart-speed .u-series")) == 3, "both curves")
    browser.one("#axis option[value=seconds]").click()
    browser.wait_for_text("#chart-exploitability .u-legend", "seconds")
    seen = [under_the_pointer(browser, place / 8) for place in range(2, 7)]
    assert sum(all(values) for values in seen) > 1


def test_a_node_is_reached_by_clicks_by_keys_and_by_its_link(browser: Browser, page: Page) -> None:
    browser.open(page.explorer.url)
    browser.click("#tabs a[data-view=strategy]")
    browser.wait_for_text(".tablebox", "3 private states")
    browser.click(".ways .chip")
    browser.wait(lambda: crumbs(browser) == ["start", "check"], "check")
    browser.wait_for_text(".ways .chip", "bet2")
    next(chip for chip in browser.all(".ways .chip") if "bet2" in chip.text).click()
    browser.wait(lambda: crumbs(browser) == ["start", "check", "bet2"], "bet2")
    link = browser.driver.current_url

    browser.press("u")
    browser.wait(lambda: crumbs(browser) == ["start", "check"], "back")
    browser.press("u")
    browser.wait(lambda: crumbs(browser) == ["start"], "the start")
    browser.press("1")
    browser.wait(lambda: crumbs(browser) == ["start", "check"], "check by key")
    browser.wait(lambda: len(browser.all(".ways .chip")) == 4, "four ways")
    browser.press("4")
    browser.wait(lambda: crumbs(browser) == ["start", "check", "bet2"], "bet2 by key")
    browser.press("j")
    assert browser.run("return document.activeElement.dataset.row") is not None

    browser.open(link)
    browser.wait(lambda: crumbs(browser) == ["start", "check", "bet2"], "by link")
    strategy = page.sources[0].wait().strategy
    played = strategy["Q check bet2"]
    row = next(row for row in browser.all("tbody tr") if row.text.startswith("Q"))
    shown = [cell.text.split(" ")[0] for cell in row.find_elements("css selector", ".num")]
    for text, probability in zip(shown, played.values(), strict=True):
        number = float(text.lstrip("<>"))
        assert number == pytest.approx(100 * probability, abs=0.1)
    browser.picture("strategy")
    browser.driver.back()


def test_rows_are_sorted_by_a_click(browser: Browser, page: Page) -> None:
    browser.open(f"{page.explorer.url}#/strategy/0/1")
    browser.one(".strategy thead .sort")

    def numbers() -> list[float]:
        texts = browser.texts("tbody .act:nth-of-type(2) .num")
        return [float(text.split(" ")[0].lstrip("<>")) for text in texts]

    before = browser.wait(numbers, "numbers")
    browser.all(".strategy thead .sort")[1].click()
    browser.wait(lambda: browser.all("th[aria-sort=ascending]"), "the order")
    assert numbers() == sorted(before)


def test_the_reason_of_a_cut_is_shown(browser: Browser, page: Page) -> None:
    browser.open(f"{page.explorer.url}#/pruning/0")
    browser.wait_for_text(".cuts", "check")
    first = page.ask("cuts/0")["cuts"][0]
    assert f"{first['since']:,}" in browser.text(".cuts tbody tr")
    browser.picture("pruning")
    browser.click(".cuts tbody a")
    button = browser.one("button.badge")
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    reason = browser.text(".reason")
    assert "cut since iteration" in reason
    assert "with it, at most" in reason
    assert "Looked at again" in reason or "Not looked at again" in reason
    assert browser.all("td.cut")
    browser.picture("cut", height=640)
    browser.one("button.badge[aria-expanded=true]").click()
    browser.wait(lambda: not browser.all(".reason"), "the reason to go")


def test_what_was_chosen_stays_when_the_strategy_goes_on(browser: Browser, page: Page) -> None:
    browser.open(f"{page.explorer.url}#/strategy/0/{page.ask('cuts/0')['cuts'][0]['node']}")
    browser.one("td.cut")
    browser.all(".strategy thead .sort")[1].click()
    browser.wait(lambda: browser.all("th[aria-sort=ascending]"), "the order")
    browser.click("button.badge")
    told = browser.text(".reason")
    focus = browser.run("return document.activeElement.dataset.focus")
    browser.run("before = document.querySelector('.strategy')")
    page.sources[0]._show(page.sources[0].wait())  # as if there were a newer one
    browser.wait(lambda: not browser.run("return before.isConnected"), "the newer one")
    assert browser.text(".reason") == told
    assert browser.all("th[aria-sort=ascending]")
    assert browser.run("return document.activeElement.dataset.focus") == focus


def test_two_runs_are_compared(browser: Browser, page: Page) -> None:
    browser.open(f"{page.explorer.url}#/compare/0/1")
    browser.wait_for_text(".where", "%")
    first = page.ask("differences/0?with=1")["differences"][0]
    assert (" ".join(first["words"]) or "start") in browser.text(".where li")
    browser.click(".where li:nth-child(2) a")
    browser.wait(lambda: len(crumbs(browser)) > 1, "another node")
    browser.wait(lambda: browser.all("td.apart"), "differences")
    assert browser.all("td .mix + .mix")
    browser.picture("compare")


def test_the_page_grows_while_a_run_goes_on(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "live"
    command = f"solve leduc --algorithm cfr --prune brp --check-every 50 --run {path}"
    more = "--seconds 60 --checkpoint-every 0.2"
    with Popen(
        [sys.executable, "-m", "secateur", *command.split(), *more.split()],
        stdout=DEVNULL,
        stderr=DEVNULL,
    ) as process:
        try:
            browser.wait((path / "metrics.jsonl").exists, "a run")
            browser.wait(lambda: list(path.glob("checkpoint-*")), "a checkpoint")
            with served(RunSource(path)) as page:
                browser.open(page.explorer.url)
                browser.wait_for_text(".state", "running")
                count = "return document.querySelectorAll('.figures dd')[1]?.textContent"
                before = browser.wait(lambda: browser.run(count), "iterations")
                browser.click("summary")
                browser.run("axis.focus(); kept = document.querySelector('.chart canvas')")
                browser.wait(lambda: browser.run(count) not in (None, before), "more iterations")
                assert browser.run("return kept.isConnected && document.activeElement === axis")
                row = "return document.querySelector('details[open] tbody tr')?.textContent"
                latest = browser.wait(lambda: browser.run(row), "numbers")
                browser.wait(lambda: browser.run(row) not in (None, latest), "more numbers")
                process.terminate()
                process.wait(20)
                browser.wait(lambda: browser.text(".state") == "stopped", "the end")
        finally:
            process.kill()


def test_probabilities_are_shown_before_values(browser: Browser) -> None:
    source = Waiting(secateur.solve("kuhn", "cfr+", iterations(20)))
    with Explorer([source]) as explorer:
        browser.open(f"{explorer.url}#/strategy/0")
        browser.wait_for_text(".pending", "are being computed")
        first = browser.all("tbody tr")[0].text
        assert "%" in first
        assert first.endswith("…")
        source.go.set()
        browser.wait(lambda: not browser.all(".pending"), "values")
        assert "…" not in browser.all("tbody tr")[0].text


def test_a_comparison_shows_the_values_of_both_when_they_are_there(browser: Browser) -> None:
    first, second = (Waiting(secateur.solve("kuhn", "cfr+", iterations(n))) for n in (20, 30))
    first.go.set()
    first.wait()
    with Explorer([first, second]) as explorer:
        browser.open(f"{explorer.url}#/compare/0/1/1")
        browser.wait_for_text("tbody tr", "…")
        second.go.set()
        browser.wait(lambda: "…" not in browser.text("tbody tr"), "values")
        assert "–" not in browser.text("tbody tr")


class Nasty(secateur.Game):
    """What it calls things is meant to do harm."""

    name = "<b>nasty</b>"
    actions_of_it = ("<script>document.title = 'harm'</script>", "\"'><img src=x onerror=alert(1)>")

    def start(self):
        return ""

    def turn(self, state):
        return (0, 1, secateur.END)[len(state)]

    def actions(self, state):
        return self.actions_of_it if not state else ("l", "r")

    def after(self, state, action):
        return state + ("l" if action == self.actions_of_it[0] else str(action)[0])

    def information(self, state):
        return "<i>one</i>" if not state else f"</script><svg onload=alert(2)> {state}"

    def payoffs(self, state):
        win = 1.0 if state in ("ll", '"r') else -1.0
        return win, -win


def test_names_are_shown_and_never_understood(browser: Browser, tmp_path: Path) -> None:
    result = secateur.solve(Nasty(), "cfr+", iterations(30))
    with served(ResultSource(result, "<u>title</u>")) as page:
        save_page(page.sources, tmp_path / "nasty.html")
        for address in (page.explorer.url, (tmp_path / "nasty.html").as_uri()):
            browser.open(f"{address}#/strategy/0")
            browser.wait_for_text(".strategy", "<script>")
            assert "<i>one</i>" in browser.text(".strategy")
            assert "<u>title</u>" in browser.text("h2")
            browser.click(".ways .chip")
            browser.wait_for_text(".strategy", "</script><svg onload=alert(2)>")
            assert "harm" not in browser.driver.title
            assert not browser.all("main img, main script, main svg, main i, main u")


def test_a_page_that_was_saved_needs_no_server(
    browser: Browser, page: Page, tmp_path: Path
) -> None:
    save_page(page.sources, tmp_path / "saved.html")
    browser.open((tmp_path / "saved.html").as_uri())
    browser.wait_for_text(".figures", "700")
    browser.click("#tabs a[data-view=strategy]")
    browser.click(".ways .chip")
    browser.wait(lambda: crumbs(browser) == ["start", "check"], "a click")
    browser.all(".strategy thead .sort")[1].click()
    browser.wait(lambda: browser.all("th[aria-sort=ascending]"), "an order")
    browser.click("#tabs a[data-view=pruning]")
    browser.wait_for_text(".cuts", "check")
    browser.click("#tabs a[data-view=compare]")
    browser.wait_for_text(".where", "%")
    text = (tmp_path / "saved.html").read_text("utf-8")
    assert "src=" not in text.replace('src="data:', "")


def test_a_notebook_shows_the_page_in_a_frame(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    with secateur.solve("kuhn", "cfr+", iterations(30)).explore() as explorer:
        notebook = f"<!doctype html><title>notebook</title>{explorer._repr_html_()}".encode()

        class Notebook(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(notebook if self.path == "/" else b"")

            def log_message(self, *_: object) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), Notebook) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            browser.open(f"http://localhost:{server.server_port}/")
            browser.driver.switch_to.frame(browser.one("iframe"))
            browser.wait_for_text(".card", "result 1")
            browser.driver.switch_to.default_content()
            server.shutdown()


class Crowded(secateur.Game):
    """One decision with very many private states."""

    name = "crowded"
    hands = 1500

    def start(self):
        return None

    def turn(self, state):
        return secateur.CHANCE if state is None else secateur.END if len(state) > 1 else 0

    def chance(self, state):
        return [((hand,), 1 / self.hands) for hand in range(self.hands)]

    def actions(self, state):
        return ["left", "right"]

    def after(self, state, action):
        return action if state is None else (*state, action)

    def information(self, state):
        return f"hand {state[0]}"

    def payoffs(self, state):
        win = float((state[0] % 7 > 3) == (state[1] == "left"))
        return win, -win


def test_thousands_of_private_states_stay_readable(browser: Browser) -> None:
    game = secateur.compile(Crowded(), pruning=True)
    strategy = secateur.Strategy.from_plan(game, np.random.default_rng(1).random(game.cells))
    with served(FileSource("crowded.json", lambda: strategy)) as page:
        browser.open(page.explorer.url)
        browser.wait_for_text(".tablebox h3", "1,500 private states")
        rows = "return document.querySelectorAll('tbody tr').length"
        browser.wait(lambda: browser.run(rows) == 50, "a page of rows")
        assert browser.text("tbody .label") == "hand 0"
        assert browser.text("tbody .label .public") == "hand"  # which all have in common
        browser.press("/")
        browser.press("hand 123")
        browser.wait(lambda: browser.run(rows) == 11, "what was searched")
        assert browser.run("return document.activeElement.type") == "search"
        browser.run("document.querySelector('.search').value = ''")
        browser.press(" ")
        browser.wait(lambda: browser.run(rows) == 50, "all again")
        next(each for each in browser.all(".pager button") if each.text == "Next").click()
        browser.wait_for_text(".pager", "51–100 of 1,500")
        group = browser.all(".tablebox select")[0]
        group.send_keys("by what")
        browser.wait(lambda: len(browser.all(".groups tbody tr")) == 2, "two groups")


def test_one_public_state_with_many_actions_stays_readable(browser: Browser) -> None:
    draw = np.random.default_rng(1)
    payoffs = draw.integers(-9, 10, size=(60, 60))
    cells = "/".join(",".join(map(str, row)) for row in payoffs.tolist())
    game = secateur.compile(secateur.load("matrix", matrix=cells), pruning=True)
    first, second = (secateur.solve(game, "cfr+", iterations(n)).strategy for n in (50, 200))
    sources = (FileSource("first", lambda: first), FileSource("second", lambda: second))
    with served(*sources) as page:
        browser.open(page.explorer.url)
        browser.wait_for_text(".tablebox h3", "60 actions")
        box = ".tablebox:first-child"
        rows = f"return document.querySelectorAll('{box} tbody tr').length"
        assert browser.run(rows) == 50
        browser.click(f"{box} [data-focus^=next]")
        browser.wait_for_text(f"{box} .pager", "51–60 of 60")
        browser.run(f"document.querySelector('{box} [data-focus$=action]').click()")
        browser.wait(lambda: browser.run(rows) == 50, "the first page")
        actions = page.ask("nodes/0/1")["tables"][0]["actions"]
        assert browser.texts(f"{box} tbody th") == actions[:50]
        colors = [each.get_attribute("style") for each in browser.all(f"{box} .bar span")]
        looks = {each[each.index("background") :] for each in colors}
        assert len(looks) >= 32  # what comes after eight colors is striped
        browser.press("/")
        browser.press("9")
        browser.wait(lambda: 0 < browser.run(rows) < 10, "what was searched")
        browser.open(f"{page.explorer.url}#/compare/0/1")
        browser.wait_for_text(f"{box} thead", "Differs")
        assert browser.run(rows) == 50


@pytest.mark.parametrize(("width", "theme"), [(360, "light"), (1280, "dark")])
def test_everyone_can_read_it(browser: Browser, page: Page, width: int, theme: str) -> None:
    browser.driver.set_window_size(width, 900)
    try:
        browser.open(page.explorer.url)
        browser.run(f"localStorage.setItem('secateur-theme', '{theme}')")
        for view in ("#/runs", "#/strategy/0/28", "#/pruning/0", "#/compare/0/1/2"):
            browser.open(page.explorer.url + view)
            browser.one("main .panel table, main .chart canvas")
            assert browser.run("return document.documentElement.dataset.theme") == theme
            wide = "return document.documentElement.scrollWidth - window.innerWidth"
            assert browser.run(wide) <= 0
            for table in browser.all("main table:not(.u-legend)"):
                assert table.find_elements("css selector", "caption")
                assert table.find_elements("css selector", "th[scope=col]")
            assert browser.run(NAMELESS) == 0
        browser.open(f"{page.explorer.url}#/strategy/0/{page.ask('cuts/0')['cuts'][0]['node']}")
        browser.one("td.cut")
        if theme == "dark":
            browser.picture("dark", height=640)
        else:
            browser.picture("narrow", 500, 800)
    finally:
        browser.run("localStorage.clear()")
        browser.driver.set_window_size(1280, 900)


def test_keys_are_told_and_the_theme_changes(browser: Browser, page: Page) -> None:
    browser.open(page.explorer.url)
    browser.one(".card")
    browser.press("?")
    browser.wait_for_text("dialog[open]", "search private states")
    browser.click("dialog button")
    themes = []
    for _ in range(3):
        browser.press("t")
        themes.append(browser.run("return document.documentElement.dataset.theme"))
    assert sorted(themes) == ["dark", "light", "system"]
    for key, view in {"s": "strategy", "p": "pruning", "c": "compare", "r": "runs"}.items():
        browser.press(key)
        browser.one(f"#tabs a[data-view={view}][aria-current]")
