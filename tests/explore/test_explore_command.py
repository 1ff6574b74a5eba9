"""``secateur explore`` and ``result.explore()``: what people type, and what they are told."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import secateur
from secateur.cli.main import main
from secateur.errors import ParameterError, SecateurError
from secateur.explore import extra, saved_page
from secateur.explore.notebook import save
from secateur.explore.serving import Explorer
from secateur.until import iterations

GAMBIT = Path(__file__).parents[1] / "data" / "gambit"


def complaint(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["explore", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


@pytest.fixture(scope="module")
def kuhn() -> secateur.Result:
    return secateur.solve("kuhn", "cfr+", iterations(50))


def answered(url: str, path: str = "") -> bytes:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    connection.request("GET", parts.path + path)
    answer = connection.getresponse()
    assert answer.status == 200
    return answer.read()


def test_the_command_serves_until_ctrl_c(runs: Path) -> None:
    command = [sys.executable, "-m", "secateur", "explore", str(runs / "plus"), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline()  # type: ignore[union-attr]
            url = line.removeprefix("Look at ").strip()
            assert urlsplit(url).hostname == "127.0.0.1"
            assert b"secateur" in answered(url)
            (source,) = json.loads(answered(url, "api/sources"))
            assert source["title"] == "plus"
            process.send_signal(signal.SIGINT)
            out, err = process.stdout.read(), process.stderr.read()  # type: ignore[union-attr]
            assert process.wait(20) == 0
        finally:
            process.kill()
    assert (out, err) == ("Ctrl-C ends it.\n", "")


def test_without_the_extra_one_line_says_what_to_install(runs, capsys, monkeypatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: None)
    assert complaint(capsys, runs / "plus").startswith(
        "secateur: explore needs starlette and uvicorn, which is not installed; run: "
    )


@pytest.mark.parametrize(
    ("shown", "sentence"),
    [
        ("nowhere", "there is no such run or file"),
        (".", "holds no run"),
        ("kuhn.json --port 99999", "give a number from 0 to 65535"),
        ("profile.nfg", "--game GAME"),
        ("kuhn.json --game leduc", "holds a strategy for kuhn"),
    ],
)
def test_what_cannot_be_shown_is_told_at_once(
    shown, sentence, kuhn, tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kuhn.save("kuhn.json")
    Path("profile.nfg").write_text("NE,1,0")
    if "leduc" in shown:
        shown += " --save page.html"
    assert sentence in complaint(capsys, *shown.split())


def test_a_port_that_is_taken_is_told(runs, capsys) -> None:
    with Explorer([]) as other:
        port = urlsplit(other.url).port
        assert f"port {port} cannot be used" in complaint(capsys, runs / "plus", "--port", port)


def test_files_of_named_games_say_themselves_what_they_are_for(kuhn, tmp_path, capsys) -> None:
    names = {
        "kuhn.bin": kuhn,
        "dice.json": secateur.solve("openspiel:kuhn_poker", "cfr+", iterations(9)),
    }
    for name, result in names.items():
        result.save(tmp_path / name)
        page = tmp_path / f"{name}.html"
        assert main(["explore", str(tmp_path / name), "--save", str(page)]) == 0
        assert "information sets" not in capsys.readouterr().err
        assert '"nodes/0/1"' in page.read_text("utf-8")


def test_a_gambit_file_is_named_with_its_strategy(tmp_path) -> None:
    game = str(GAMBIT / "inspection.efg")
    secateur.solve(game, "cfr+", iterations(9)).save(tmp_path / "inspection.json")
    arguments = [tmp_path / "inspection.json", "--game", game, "--save", tmp_path / "page.html"]
    assert main(["explore", *map(str, arguments)]) == 0
    assert "day 2, inspected" in (tmp_path / "page.html").read_text("utf-8")


def test_large_games_are_not_saved(kuhn, tmp_path, capsys, monkeypatch) -> None:
    kuhn.save(tmp_path / "kuhn.json")
    monkeypatch.setattr(saved_page, "MOST_INFORMATION_SETS", 11)
    sentence = complaint(capsys, tmp_path / "kuhn.json", "--save", tmp_path / "page.html")
    assert "a page cannot hold 12 information sets, only 11" in sentence
    assert not (tmp_path / "page.html").exists()


def test_a_result_shows_itself(kuhn: secateur.Result, runs: Path) -> None:
    with kuhn.explore(secateur.open_run(runs / "plus"), browser=False) as explorer:
        titles = [each["title"] for each in json.loads(answered(explorer.url, "api/sources"))]
        assert titles == ["result 1", "plus"]
        frame = explorer._repr_html_()
        assert explorer.url in frame
        assert frame.startswith("<iframe ")
    with pytest.raises(OSError, match="refused"):
        answered(explorer.url)


def test_a_notebook_may_show_the_page_in_a_frame(kuhn, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    with kuhn.explore() as explorer:  # and no browser opens
        parts = urlsplit(explorer.url)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        connection.request(
            "GET",
            parts.path,
            headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
        )
        answer = connection.getresponse()
        assert answer.status == 200
        assert (
            "frame-ancestors 'self' http://localhost:*"
            in (answer.headers["content-security-policy"])
        )


def test_a_page_is_saved_from_python(kuhn, tmp_path) -> None:
    save(kuhn, path=tmp_path / "kuhn.html")
    text = (tmp_path / "kuhn.html").read_text("utf-8")
    assert "uPlot" in text
    assert "<script src" not in text


def test_there_must_be_something_to_show() -> None:
    with pytest.raises(ParameterError, match="nothing to show"):
        secateur.open_explorer()
    with pytest.raises(SecateurError):
        secateur.open_explorer(17)  # type: ignore[arg-type]
