"""The server answers its own page and nobody else, whatever it is asked."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from secateur.explore.page_files import FILES
from secateur.explore.server import App
from secateur.explore.serving import Explorer
from secateur.explore.turns import Turns
from support.explored import Page

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


def test_the_page_and_its_files_come_with_strict_headers(page: Page) -> None:
    for name in ("", *FILES):
        status, headers, body = page.raw(page.path + name)
        assert status == 200
        assert body
        assert headers.items() >= ALWAYS.items()
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy


def test_all_files_of_the_page_are_served_and_nothing_comes_from_outside() -> None:
    folder = Path(__file__).parents[2] / "src/secateur/explore/static"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files - set(FILES) == {"vendor/README.md", "vendor/uPlot.LICENSE"}
    for name in set(FILES) - {"icon.svg", "vendor/uPlot.iife.min.js"}:
        assert "http" not in (folder / name).read_text("utf-8").replace("http-equiv", "")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost:80", "[::1]:8000", ""]
)
def test_other_hosts_are_turned_away(page: Page, host: str) -> None:
    status, _, body = page.raw(page.path, Host=host)
    assert status in (400, 421)
    assert b"<html" not in body


def test_localhost_is_the_same_host(page: Page) -> None:
    assert page.raw(page.path, Host=f"localhost:{page.port}")[0] == 200


@pytest.mark.parametrize(
    "path", ["/", "/api/sources", "/index.html", "/x/", "//api/sources", "/%00/"]
)
def test_nothing_is_served_without_the_token(page: Page, path: str) -> None:
    assert page.raw(path)[0] == 403
    token = page.path.strip("/")
    assert page.raw(f"/{token[:-1]}/api/sources")[0] == 403
    assert page.raw(f"/{token}x/api/sources")[0] == 403


def test_tokens_differ_from_server_to_server() -> None:
    assert len({App([], []).token for _ in range(5)}) == 5
    assert len(App([], []).token) >= 32


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "..%2f..%2fetc/passwd",
        "vendor/../server.py",
        "vendor/README.md",
        "static/main.js",
        "api",
        "api/",
        "api/sources/0",
        "api/runs",
        "api/runs/0/metrics.jsonl",
        "api/strategies/0/x",
        "api/nodes/0",
        "api/nodes/0/1/2",
        "api/eval/0",
    ],
)
def test_nothing_else_is_served(page: Page, path: str) -> None:
    status, _, body = page.raw(page.path + path)
    assert status == 404
    assert "nothing at this address" in json.loads(body)["error"]


@pytest.mark.parametrize(
    "path",
    [
        "runs/2",
        "runs/-1",
        "runs/x",
        "runs/99999999999999999999",
        "runs/%D9%A1",
        "runs/0?after=-1",
        "runs/0?after=1e3",
        "runs/0?before=1",
        "nodes/0/1?limit=0",
        "nodes/0/1?limit=100000",
        "nodes/0/1?offset=",
        "nodes/0/1?sort=__class__",
        "nodes/0/1?sort=actionx",
        "nodes/0/1?reached=yes",
        "nodes/0/1?group=all",
        "nodes/0/1?limit=1&limit=2",
        "nodes/0/1?with=7",
        "nodes/0/1?%ff=1",
        "nodes/0/1?search=%ff",
        "nodes/0/1?&&&",
        "nodes/0/x",
        "nodes/0/%31%00",
        "cuts/0?sort=x",
        "differences/0",
        "nodes/0/1?search=" + "a" * 201,
    ],
)
def test_malformed_requests_are_a_sentence(page: Page, path: str) -> None:
    status, sentence = page.refused(path)
    assert status == 400
    assert "Traceback" not in sentence


@pytest.mark.parametrize("path", ["nodes/0/0", "nodes/0/97", "nodes/0/999999999", "tables/0/0"])
def test_nodes_that_are_not_there_are_a_sentence(page: Page, path: str) -> None:
    if path == "nodes/0/0":  # stands for the start
        assert page.ask(path)["node"] == 1
        return
    assert page.refused(path)[0] == 404


def test_long_requests_are_refused(page: Page) -> None:
    assert page.raw(f"{page.path}api/sources?x={'y' * 3000}")[0] == 414
    status, _, _ = page.raw(f"{page.path}api/sources", x="y" * 20_000)
    assert status in (400, 431)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"])
def test_nothing_can_be_changed(page: Page, method: str) -> None:
    assert page.raw(f"{page.path}api/sources", method)[0] == 405


def test_other_pages_may_not_ask_even_with_the_token(page: Page) -> None:
    status, _, _ = page.raw(
        f"{page.path}api/sources", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors"
    )
    assert status == 403


@pytest.mark.parametrize(
    "nonsense",
    [b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01" + b"x" * 50],
)
def test_what_is_no_request_does_no_harm(page: Page, nonsense: bytes) -> None:
    with socket.create_connection(("127.0.0.1", page.port), timeout=10) as end:
        end.sendall(nonsense)
        end.shutdown(socket.SHUT_WR)
        while end.recv(4096):
            pass
    assert page.ask("sources")


def test_a_flood_waits_and_is_soon_forgotten() -> None:
    app = App([], ["127.0.0.1:80"], "token")
    app.turns = Turns(rate=50.0, burst=3.0, longest=0.1)

    async def flood(count: int, host: str = "127.0.0.1:80") -> list[int]:
        return await asyncio.gather(*(status_of(app, host) for _ in range(count)))

    begin = time.monotonic()
    assert asyncio.run(flood(12)) == [200] * 8 + [429] * 4  # 3 at once, 5 in a tenth of a second
    assert time.monotonic() - begin >= 0.1  # those that were refused had to wait as well
    assert asyncio.run(flood(30, "evil.example")) == [421] * 30  # they take no turns of the page
    time.sleep(0.1)
    assert asyncio.run(flood(2)) == [200] * 2


def test_connections_wait_for_their_turns_as_well() -> None:
    with Explorer([]) as explorer:
        explorer.server.turns = Turns(rate=20.0, burst=3.0)
        parts = urlsplit(explorer.url)
        request = f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
        begin = time.monotonic()
        ends = [socket.create_connection((parts.hostname, parts.port)) for _ in range(12)]
        for end in ends:
            end.sendall(request)
        answers = [end.recv(20) for end in ends]
        assert {answer[:12] for answer in answers} == {b"HTTP/1.1 200"}
        assert time.monotonic() - begin >= 8 / 20  # three at once, one waited before
        for end in ends:
            end.close()


async def status_of(app: App, host: str) -> int:
    """Return the status of an answer."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        **{"type": "http", "method": "GET", "path": "/token/", "query_string": b""},
        **{"headers": [(b"host", host.encode())], "server": ("127.0.0.1", 80), "scheme": "http"},
    }
    await app(scope, receive, send)  # type: ignore[arg-type]
    return int(sent[0]["status"])


def test_only_this_machine_is_listened_to(page: Page) -> None:
    bound = page.explorer._socket.getsockname()[0]
    assert bound == "127.0.0.1"
