"""Answers the page, and nobody else.

Every address begins with a secret token, the Host must be this very server (a page elsewhere that
lets its name point here is turned away), requests are small, short and not too many, and nothing is
served but the page and the given sources.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from secateur.errors import SecateurError
from secateur.explore import payloads
from secateur.explore.opened import Opened
from secateur.explore.page_files import FILES
from secateur.explore.payloads import GROUPS, MOST_BRANCHES, MOST_ROWS, SORTS, View
from secateur.explore.sources import Source
from secateur.explore.turns import Turns

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

_LONGEST_QUERY = 2000
_LONGEST_SEARCH = 200
LARGEST_HEAD = 16 << 10
"""Bytes of the head of a request."""

_RATE, _BURST = 50.0, 300.0
"""Requests of the page that are answered: so many a second, and so many at once. A look at a node
is one or two, and a page that follows a run asks three times a second."""

_STRANGERS, _STRANGERS_AT_ONCE = 20.0, 100.0
"""Requests of others that are turned away, which take nothing from those of the page."""

_REMEMBERED = 256
"""Answers that are kept in case that somebody asks again."""

_WORKERS = 2

NOTEBOOKS = "'self' http://localhost:* http://127.0.0.1:* http://[::1]:* https://localhost:*"
"""Who may show the page in a frame, if it is for a notebook."""


class _Refusal(Exception):  # noqa: N818 - it is an answer
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class App:
    """The server as an ASGI application.

    Parameters
    ----------
    sources : sequence of Source
        What can be looked at; nothing else can.
    hosts : sequence of str
        What the header Host may be, such as ``127.0.0.1:8000``.
    token : str
        What every path begins with.
    framed : bool
        Whether a notebook on this machine may show the page in a frame.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        hosts: Sequence[str],
        token: str | None = None,
        *,
        framed: bool = False,
    ) -> None:
        self.sources = list(sources)
        self.hosts = set(hosts)
        self.token = token or secrets.token_urlsafe(24)
        self._workers = ThreadPoolExecutor(_WORKERS, "secateur-explore")
        self._kept: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self.turns = Turns(_RATE, _BURST)
        self._strangers = Turns(_STRANGERS, _STRANGERS_AT_ONCE)
        folder = files("secateur.explore") / "static"
        self._static = {name: (folder / name).read_bytes() for name in FILES}
        frames = NOTEBOOKS if framed else "'none'"
        self._headers = {
            **_HEADERS,
            "content-security-policy": f"{POLICY}; frame-ancestors {frames}",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            return
        response = await self._answered(Request(scope, receive))
        response.headers.update(self._headers)
        await response(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        try:
            await self._check(request)
            path = request.url.path.removeprefix(f"/{self.token}/")
            if path in ("", *FILES):
                name = path or "index.html"
                return Response(self._static[name], media_type=FILES[name])
            if not path.startswith("api/"):
                raise _Refusal(404, "There is nothing at this address.")
            query = _query(request)
            loop = asyncio.get_running_loop()
            body = await loop.run_in_executor(self._workers, self._body, path[4:], query)
        except _Refusal as refusal:
            return _refused(refusal.status, str(refusal))
        except SecateurError as error:
            return _refused(404, str(error))
        except Exception as error:
            print(f"secateur: {request.url.path}: {error!r}", file=sys.stderr)
            return _refused(500, "Something went wrong here; the terminal says what.")
        return Response(body, media_type="application/json")

    async def _check(self, request: Request) -> None:
        """Turn away all but the page itself, and let that wait for its turn."""
        try:
            self._check_origin(request)
        except _Refusal:
            await self._strangers.come()
            raise
        if not await self.turns.come():
            raise _Refusal(429, "Too many requests; wait a moment.")

    def _check_origin(self, request: Request) -> None:
        if request.headers.get("host", "") not in self.hosts:
            raise _Refusal(421, "This server answers to its own address only.")
        parts = request.url.path.split("/", 2)
        if len(parts) < 3 or not secrets.compare_digest(
            parts[1].encode(errors="replace"), self.token.encode()
        ):
            raise _Refusal(403, "The address lacks its secret part; use the one that was printed.")
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and (
            request.headers.get("sec-fetch-mode") != "navigate"
        ):
            raise _Refusal(403, "Other pages may not ask.")
        if request.method not in ("GET", "HEAD"):
            raise _Refusal(405, "There is nothing to change here; use GET.")
        if len(request.url.query) > _LONGEST_QUERY:
            raise _Refusal(414, "The request is too long.")
        if sum(map(len, (part for each in request.headers.raw for part in each))) > LARGEST_HEAD:
            raise _Refusal(431, "The request says too much.")

    def _body(self, path: str, query: Mapping[str, str]) -> bytes:
        """Return the answer to a question, which may have been asked before."""
        parts = path.split("/")
        if parts == ["sources"]:
            _only(query)
            listed = [payloads.source_payload(k, each) for k, each in enumerate(self.sources)]
            return msgspec.json.encode(listed)
        if len(parts) < 2 or parts[0] not in _QUESTIONS:
            raise _Refusal(404, "There is nothing at this address.")
        source = self._source(parts[1])
        answer, known = _QUESTIONS[parts[0]]
        _only(query, *known)
        if parts[0] == "runs":
            return msgspec.json.encode(answer(self, source, parts[2:], query))
        versions = [each.version for each in self.sources]  # before anything newer is there
        opened = _open(source)
        key = (path, *sorted(query.items()), *versions)
        found = self._kept.get(key)
        if found is None:
            found = msgspec.json.encode(answer(self, opened, parts[2:], query))
            self._kept[key] = found
            while len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
        return found

    def _source(self, text: str) -> Source:
        number = _whole(text, "the number of a source", 0, len(self.sources) - 1)
        return self.sources[number]

    def other(self, query: Mapping[str, str], opened: Opened) -> Opened | None:
        """Return the strategy to compare with, if there is one."""
        if not query.get("with"):
            return None
        other = _open(self._source(query["with"]))
        payloads.check_comparable(opened, other)
        return other


async def _live(receive: Receive, send: Send) -> None:
    while (await receive())["type"] != "lifespan.shutdown":
        await send({"type": "lifespan.startup.complete"})
    await send({"type": "lifespan.shutdown.complete"})


def _refused(status: int, sentence: str) -> Response:
    body = msgspec.json.encode({"error": sentence})
    return Response(body, status_code=status, media_type="application/json")


def _open(source: Source) -> Opened:
    opened = source.opened()
    if opened is not None:
        return opened
    if source.failure is not None:
        raise _Refusal(409, source.failure)
    raise _Refusal(202, "Compiling the game and opening the strategy")


def _check_complete(opened: Opened) -> None:
    if not opened.complete:
        raise _Refusal(202, "Computing what was cut, and what actions are worth")


def _query(request: Request) -> dict[str, str]:
    try:
        pairs = (
            parse_qsl(
                request.url.query,
                keep_blank_values=True,
                strict_parsing=True,
                errors="strict",
                max_num_fields=12,
            )
            if request.url.query
            else []
        )
    except ValueError:
        raise _Refusal(400, "The request is malformed.") from None
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Refusal(400, "The request says something twice.")
    return found


def _only(query: Mapping[str, str], *known: str) -> None:
    for name in query:
        if name not in known:
            raise _Refusal(400, f"Nobody knows {name[:40]!r} here.")


def _whole(text: str, what: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 12 or not least <= int(text) <= most:
        raise _Refusal(400, f"{text[:40]!r} is not {what}.")
    return int(text)


def _one_of(text: str, *words: str) -> str:
    if text not in words:
        raise _Refusal(400, f"{text[:40]!r} is none of {', '.join(filter(None, words))}.")
    return text


def _search(query: Mapping[str, str]) -> str:
    text = query.get("search", "")
    if len(text) > _LONGEST_SEARCH:
        raise _Refusal(400, "That is too long to search for.")
    return text


_VIEW = ("offset", "limit", "sort", "descending", "search", "reached", "group", "only", "with")
_MOST = 10**9


def _view(query: Mapping[str, str]) -> View:
    sort = query.get("sort", "")
    if sort.startswith("action"):
        _whole(sort.removeprefix("action"), "the number of an action", 0, _MOST)
    else:
        _one_of(sort, *SORTS)
    return View(
        offset=_whole(query.get("offset", "0"), "a number of rows", 0, _MOST),
        limit=_whole(query.get("limit", "50"), "a number of rows", 1, MOST_ROWS),
        sort=sort,
        descending=_one_of(query.get("descending", "0"), "0", "1") == "1",
        search=_search(query),
        reached=_one_of(query.get("reached", "0"), "0", "1") == "1",
        group=_one_of(query.get("group", ""), *GROUPS),
        only=query.get("only", ""),
    )


def _run(app: App, source: Source, rest: list[str], query: Mapping[str, str]) -> Any:
    _no_more(rest)
    after = _whole(query.get("after", "0"), "a number of snapshots", 0, _MOST)
    found = payloads.source_payload(app.sources.index(source), source)
    history = [] if found["error"] else source.history()
    return found | {
        "total": len(history),
        "after": after,
        "history": payloads.history_payload(history[after:]),
    }


def _strategy(app: App, opened: Opened, rest: list[str], query: Mapping[str, str]) -> Any:  # noqa: ARG001
    _no_more(rest)
    return payloads.strategy_payload(opened)


def _node(app: App, opened: Opened, rest: list[str], query: Mapping[str, str]) -> Any:
    number = _last(rest)
    return payloads.node_payload(opened, number, _view(query), app.other(query, opened))


def _branches(app: App, opened: Opened, rest: list[str], query: Mapping[str, str]) -> Any:  # noqa: ARG001
    return payloads.branches_payload(
        opened.tree.node(_last(rest)),
        _whole(query.get("offset", "0"), "a number of branches", 0, _MOST),
        _whole(query.get("limit", "60"), "a number of branches", 1, MOST_BRANCHES),
        _search(query),
    )


def _table(app: App, opened: Opened, rest: list[str], query: Mapping[str, str]) -> Any:
    blocks = payloads.table_of_block(opened, _last(rest))
    return payloads.table_payload(opened, blocks, _view(query), app.other(query, opened))


def _cuts(app: App, opened: Opened, rest: list[str], query: Mapping[str, str]) -> Any:  # noqa: ARG001
    _no_more(rest)
    _check_complete(opened)
    return payloads.cuts_payload(
        opened,
        _whole(query.get("offset", "0"), "a number of cuts", 0, _MOST),
        _whole(query.get("limit", "20"), "a number of cuts", 1, MOST_ROWS),
        _one_of(query.get("sort", "histories"), "histories", "since", "again", "margin"),
    )


def _differences(app: App, opened: Opened, rest: list[str], query: Mapping[str, str]) -> Any:
    _no_more(rest)
    other = app.other(query, opened)
    if other is None:
        raise _Refusal(400, "There is nothing to compare with.")
    _check_complete(opened)
    most = _whole(query.get("limit", "20"), "a number of nodes", 1, MOST_ROWS)
    return payloads.differences_payload(opened, other, most)


def _no_more(rest: list[str]) -> None:
    if rest:
        raise _Refusal(404, "There is nothing at this address.")


def _last(rest: list[str]) -> int:
    if len(rest) != 1:
        raise _Refusal(404, "There is nothing at this address.")
    return _whole(rest[0], "the number of a node", 0, _MOST)


_QUESTIONS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "runs": (_run, ("after",)),
    "strategies": (_strategy, ()),
    "nodes": (_node, _VIEW),
    "branches": (_branches, ("offset", "limit", "search")),
    "tables": (_table, _VIEW),
    "cuts": (_cuts, ("offset", "limit", "sort")),
    "differences": (_differences, ("with", "limit")),
}
"""What can be asked of a source, and how."""
