"""A page that shows runs and strategies, and whoever asks it."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import secateur
from secateur.explore.opened import Opened
from secateur.explore.serving import Explorer
from secateur.explore.sources import ResultSource, Source

PRUNED = secateur.recipes.cfr(pruning=secateur.BestResponsePruning(check_every=50))
"""A method that cuts much, and soon."""


@dataclass
class Page:
    """A page, and whoever asks it."""

    explorer: Explorer
    sources: list[Source]

    @property
    def port(self) -> int:
        return int(urlsplit(self.explorer.url).port or 0)

    @property
    def path(self) -> str:
        return urlsplit(self.explorer.url).path

    def raw(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, headers=given)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, found, answer.read()
        finally:
            connection.close()

    def ask(self, path: str) -> Any:
        status, _, body = self.raw(f"{self.path}api/{path}")
        assert status == 200, body
        return json.loads(body)

    def refused(self, path: str) -> tuple[int, str]:
        status, _, body = self.raw(f"{self.path}api/{path}")
        return status, json.loads(body)["error"]


class Waiting(ResultSource):
    """A result that is completed when it is told."""

    def __init__(self, result: secateur.Result) -> None:
        super().__init__(result)
        self.go = threading.Event()

    def complete(self, opened: Opened) -> Opened:
        self.go.wait(20)
        if opened.iteration == 1:
            raise MemoryError
        return super().complete(opened)


class served:
    """Serve sources, opened, for as long as a block lasts."""

    def __init__(self, *sources: Source) -> None:
        self._sources = list(sources)

    def __enter__(self) -> Page:
        for source in self._sources:
            source.wait()
        self._explorer = Explorer(self._sources)
        for turns in (self._explorer.app.turns, self._explorer.server.turns):
            turns.rate = 1e6  # tests are not a flood
        self._explorer.start()
        return Page(self._explorer, self._sources)

    def __exit__(self, *_: object) -> None:
        self._explorer.close()
