"""A page that is served as people do it, and whoever asks it over one connection."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


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
