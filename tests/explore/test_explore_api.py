"""What the page gets is what the Python API returns, node by node; damage and absence are told."""

from __future__ import annotations

import json
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import secateur
from secateur.cut_actions import cuts, own_tree
from secateur.errors import SecateurError
from secateur.explore import payloads, sources
from secateur.explore.opened import Opened
from secateur.explore.payloads import View
from secateur.explore.sources import FileSource, ResultSource, RunSource
from secateur.node_tables import largest_differences
from secateur.until import iterations
from support.explored import PRUNED, Page, Waiting, served

GAMBIT = Path(__file__).parents[1] / "data" / "gambit"
GAMES = ("kuhn", "leduc", "openspiel:kuhn_poker", str(GAMBIT / "inspection.efg"))


def same(number: Any, other: float) -> bool:
    """Tell whether a number of the page is one of the API; it has no NaN."""
    return (number is None and np.isnan(other)) or number == other


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name)
def test_every_node_shows_what_the_python_api_returns(name: str) -> None:
    game = secateur.compile(secateur.load(name), pruning=True)
    strategy = secateur.solve(game, "cfr+", iterations(50)).strategy
    values = secateur.action_values(game, strategy)
    seen = set()
    with served(FileSource("strategy", lambda: strategy)) as page:
        todo = [page.ask("strategies/0")["start"]]
        while todo:
            node = page.ask(f"nodes/0/{todo.pop()}")
            todo += [branch["node"] for branch in node["branches"]]
            for table in node["tables"]:
                assert table["player_name"] == game.players[table["player"]]
                for row in table["rows"]:
                    player, label = table["player"], row["label"]
                    played = strategy.at(player, label)
                    assert (
                        dict(zip(row.get("actions", table["actions"]), row["p"], strict=True))
                        == played
                    )
                    (infoset,) = (e for e in game.by_label[label] if e.player == player)
                    assert all(map(same, row["value"], values.value[infoset.cells]))
                    assert all(map(same, row["loss"], values.loss[infoset.cells]))
                    assert row["reach"] == values.reach[infoset.cells][0]
                    expected = float(
                        (strategy.probabilities[infoset.cells] * values.value[infoset.cells]).sum()
                    )
                    assert row["ev"] is None or row["ev"] == pytest.approx(expected)
                    seen.add((player, label))
    assert len(seen) == game.size.information_sets


def test_a_run_is_shown_as_open_run_tells_it(page: Page, runs: Path) -> None:
    run = secateur.open_run(runs / "pruned")
    shown = page.ask("runs/0")
    assert shown["history"] == json.loads(json.dumps(payloads.history_payload(run.history)))
    assert shown["total"] == len(run.history)
    assert shown["state"] == "done"
    assert shown["ended"] == "700 iterations were done"
    assert shown["asked"] == ["at most 700 iterations"]
    assert shown["method"] == "CFR, best-response pruning, check every 50"
    later = page.ask("runs/0?after=10")["history"]["iteration"]
    assert later == [each.iteration for each in run.history[10:]]


def test_the_strategy_of_a_run_is_that_of_its_last_checkpoint(page: Page, runs: Path) -> None:
    strategy = secateur.open_run(runs / "pruned").strategy
    (table,) = page.ask("nodes/0/1")["tables"]
    for row in table["rows"]:
        assert row["p"] == list(strategy[row["label"]].values())
    assert page.ask("strategies/0")["iteration"] == 700


def test_cuts_are_those_of_the_state(page: Page, runs: Path) -> None:
    state = secateur.open_run(runs / "pruned").at_checkpoint()
    found, histories = cuts(state), own_tree(state.game).histories
    shown = page.ask("cuts/0?limit=500")
    assert shown["total"] == len(found.cell) == len(shown["cuts"])
    assert shown["histories"] == histories[found.cell].sum()
    sizes = [each["histories"] for each in shown["cuts"]]
    assert sizes == sorted(sizes, reverse=True)
    cut = shown["cuts"][0]
    node = page.ask(f"nodes/0/{cut['node']}")
    rows = [row for table in node["tables"] for row in table["rows"]]
    (row,) = (each for each in rows if each["label"] == cut["label"])
    action = list(node["tables"][0]["actions"]).index(cut["action"])
    reason = row["cuts"][str(action)]
    assert reason == {name: cut[name] for name in reason}
    (infoset,) = (
        each for each in state.game.by_label[cut["label"]] if each.player == cut["player"]
    )
    cell = range(*infoset.cells.indices(state.game.cells))[action]
    place = found.cell.tolist().index(cell)
    assert reason["since"] == found.since[place]
    assert reason["earned"] == found.earned[place]
    assert reason["at_most"] == found.at_most[place]
    assert reason["at_most"] <= reason["earned"]
    assert page.ask("cuts/1") == {
        "total": 0,
        "offset": 0,
        "cuts": [],
        "histories": 0,
        "histories_all": 0,
        "dated": False,
    }


def test_what_lies_behind_a_cut_is_told(page: Page, runs: Path) -> None:
    state = secateur.open_run(runs / "pruned").at_checkpoint()
    behind = own_tree(state.game).behind(cuts(state).cell)
    todo, count = [1], 0
    while todo:
        node = page.ask(f"nodes/0/{todo.pop()}")
        todo += [branch["node"] for branch in node["branches"]]
        for row in (row for table in node["tables"] for row in table["rows"]):
            first = int(state.game.arrays.first_infoset[row["block"]])
            assert row["behind"] == behind[first + row["lane"]]
            count += row["behind"]
    assert count == behind.sum() > 0


def test_two_runs_are_compared_at_the_same_node(page: Page, runs: Path) -> None:
    one, other = (secateur.open_run(runs / name).strategy for name in ("pruned", "plus"))
    (table,) = page.ask("nodes/0/2?with=1")["tables"]
    for row in table["rows"]:
        assert row["p"] == list(one[row["label"]].values())
        assert row["other"]["p"] == list(other[row["label"]].values())
    game = secateur.compile(secateur.load("leduc"), pruning=True)
    expected = largest_differences(one, other, secateur.action_values(game, one), 5)
    shown = page.ask("differences/0?with=1&limit=5")["differences"]
    assert [each["amount"] for each in shown] == pytest.approx([each.amount for each in expected])
    assert [each["node"] for each in shown] == [each.block for each in expected]


def test_rows_are_searched_sorted_and_paged_by_the_server() -> None:
    game = secateur.compile(secateur.load("liars-dice"), pruning=True)
    strategy = secateur.Strategy.from_plan(game, np.random.default_rng(1).random(game.cells))
    opened = Opened(strategy).completed()

    def rows(**view: Any) -> list[dict[str, Any]]:
        return payloads.table_payload(opened, (1,), View(**view))["rows"]

    labels = [row["label"] for row in rows()]
    assert labels == ["1", "2", "3", "4", "5", "6"]
    assert [row["label"] for row in rows(offset=2, limit=3)] == ["3", "4", "5"]
    assert [row["label"] for row in rows(search="4")] == ["4"]
    played = [row["p"][3] for row in rows(sort="action3", descending=True)]
    assert played == sorted(played, reverse=True)
    for sort in ("label", "reach", "value", "lost"):
        assert sorted(row["label"] for row in rows(sort=sort)) == labels
    grouped = payloads.table_payload(opened, (1,), View(group="play"))["groups"]
    assert sum(group["count"] for group in grouped) == 6
    chosen = rows(group="play", only=grouped[0]["key"])
    assert len(chosen) == grouped[0]["count"]


def test_hands_of_hold_em_are_grouped_without_their_suits() -> None:
    rules = secateur.load("holdem", range_0="AK,99", range_1="QQ", merge_suits=False)
    game = secateur.compile(rules, pruning=True)
    opened = Opened(secateur.Strategy.from_plan(game, np.ones(game.cells))).completed()
    table = payloads.table_payload(opened, (1,), View(group="word"))
    groups = {group["key"]: group["count"] for group in table["groups"]}
    assert groups == {"AKs": 3, "AKo": 9, "99": 6}  # one king is on the board


def test_a_result_shows_its_values_even_if_it_was_compiled_without() -> None:
    result = secateur.solve("kuhn", "cfr+", iterations(20))
    assert result.game.pruning is None
    source = ResultSource(result)
    opened = source.wait()
    assert opened.values is not None
    np.testing.assert_array_equal(opened.strategy.probabilities, result.strategy.probabilities)
    assert source.facts()["ended"] == "20 iterations were done"


def shown_first(source: Waiting) -> dict[str, Any]:
    """Return the first table, as soon as there is one."""
    while (opened := source.opened()) is None:
        time.sleep(0.01)
    return payloads.node_payload(opened, 1, View(group="play"))["tables"][0]


def test_probabilities_are_there_before_values() -> None:
    result = secateur.solve("kuhn", "cfr+", iterations(20))
    source = Waiting(result)
    first = shown_first(source)
    assert not first["complete"]
    assert source.status == "opening"
    assert [row["p"] for row in first["rows"]] == [
        list(result.strategy[row["label"]].values()) for row in first["rows"]
    ]
    # how often states come about is not known, so nothing is said of all together
    assert first["all"]["p"] is first["groups"][0]["p"] is None
    source.go.set()
    then = payloads.node_payload(source.wait(), 1, View())["tables"][0]
    assert then["complete"]
    assert then["all"]["p"] is not None
    assert source.version == 2


def test_probabilities_stay_if_values_cannot_be_computed() -> None:
    source = Waiting(secateur.solve("kuhn", "cfr+", iterations(1)))
    shown_first(source)
    source.go.set()
    opened = source.wait()
    assert opened.note == "Values are missing: There is not enough memory."
    assert source.failure is None
    assert source.status == "ready"


class Unknown(secateur.Game):
    """Rules that no name stands for."""

    name = "unknown"

    def start(self):
        return ""

    def turn(self, state):
        return secateur.END if state else 0

    def actions(self, state):
        return ["<script>alert(1)</script>", "b"]

    def after(self, state, action):
        return action

    def information(self, state):
        return "<img src=x onerror=alert(2)>"

    def payoffs(self, state):
        return (1.0, -1.0) if state == "b" else (0.0, 0.0)


def test_a_result_of_unknown_rules_is_shown_without_values() -> None:
    result = secateur.solve(Unknown(), "cfr+", iterations(20))
    opened = ResultSource(result).wait()
    assert opened.values is None
    assert opened.note is not None
    (table,) = payloads.node_payload(opened, 1, View())["tables"]
    assert table["actions"][0] == "<script>alert(1)</script>"
    assert "ev" not in table["rows"][0]


def test_a_run_of_unknown_rules_is_shown_if_they_are_passed(tmp_path: Path) -> None:
    class Hidden(Unknown):
        """A class that cannot be imported again."""

    secateur.solve(Hidden(), "cfr+", iterations(20), run=tmp_path / "run")
    with pytest.raises(SecateurError, match="pass them"):
        RunSource(tmp_path / "run").wait()
    opened = RunSource(tmp_path / "run", Hidden()).wait()
    assert opened.values is not None
    assert opened.strategy["<img src=x onerror=alert(2)>"]["b"] > 0.9


def test_a_run_that_vanishes_is_told_and_the_others_stay(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "pruned", tmp_path / "gone")
    with served(RunSource(tmp_path / "gone"), RunSource(runs / "plus")) as page:
        assert page.ask("runs/0")["error"] is None
        shutil.rmtree(tmp_path / "gone")
        time.sleep(0.6)
        gone, there = page.ask("sources")
        assert "holds no run" in gone["error"]
        assert there["error"] is None
        assert page.ask("runs/0")["history"]["iteration"] == []
        assert page.ask("nodes/0/1")["node"] == 1  # what was read is still there


@pytest.mark.parametrize("name", ["run.json", "metrics.jsonl"])
def test_a_damaged_run_is_told(name: str, runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "pruned", tmp_path / "bad")
    content = (tmp_path / "bad" / name).read_bytes()
    with served(RunSource(tmp_path / "bad")) as page:
        (tmp_path / "bad" / name).write_bytes(content.replace(b"1", b"7"))
        time.sleep(0.6)
        assert "damaged" in page.ask("runs/0")["error"]


def test_a_damaged_checkpoint_gives_way_to_the_one_before(runs: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    shutil.copytree(runs / "pruned", bad)
    (checkpoint,) = bad.glob("checkpoint-700")
    content = bytearray(checkpoint.read_bytes())
    content[len(content) // 2] ^= 255
    checkpoint.write_bytes(bytes(content))
    opened = RunSource(bad).wait()
    assert opened.note is not None
    assert "damaged" in opened.note
    assert checkpoint.exists()  # nothing is set aside
    assert opened.iteration == 700  # from the strategy file
    (bad / "strategy.json").unlink()
    with pytest.raises(SecateurError, match="damaged"):
        RunSource(bad).wait()


def test_a_strategy_is_opened_again_when_the_run_has_gone_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_LEAST_REST", 0.1)
    monkeypatch.setattr(sources, "_REST", 0.1)
    path = tmp_path / "run"
    secateur.solve("leduc", PRUNED, iterations(100), run=path)
    source = RunSource(path)
    assert source.wait().iteration == 100
    secateur.resume(path, iterations(200))
    deadline = time.monotonic() + 15
    while source.opened().iteration != 200 and time.monotonic() < deadline:  # type: ignore[union-attr]
        time.sleep(0.05)
    assert source.version == 3  # probabilities and the rest at first, then all at once
    assert source.wait().iteration == 200


def test_many_may_ask_at_once(page: Page) -> None:
    answers: list[Any] = []

    def ask() -> None:
        answers.extend(page.ask(f"nodes/0/{node}") for node in (1, 2, 3))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 24
