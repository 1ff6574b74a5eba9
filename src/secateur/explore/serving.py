"""Runs the server: in the foreground for the command line, beside a program for Python."""

from __future__ import annotations

import html
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence

import uvicorn

from secateur.errors import SecateurError
from secateur.explore.admission import Admission
from secateur.explore.server import LARGEST_HEAD, App
from secateur.explore.sources import Source

ADDRESS = "127.0.0.1"
_AT_ONCE = 64
"""Connections."""


class Explorer:
    """A page that shows runs and strategies of this program, until it is closed.

    In a notebook it shows itself. ``url`` is its address, which holds a secret: whoever knows it,
    on this machine, can read what the page shows.
    """

    def __init__(self, sources: Sequence[Source], port: int = 0, *, framed: bool = False) -> None:
        self._socket = _bound(port)
        port = self._socket.getsockname()[1]
        hosts = [f"{name}:{port}" for name in (ADDRESS, "localhost")]
        self.app = App(sources, hosts, framed=framed)
        self.url = f"http://{ADDRESS}:{port}/{self.app.token}/"
        self.server = Admission(
            uvicorn.Config(
                self.app,
                log_level="critical",
                access_log=False,
                server_header=False,
                date_header=False,
                h11_max_incomplete_event_size=LARGEST_HEAD,
                http="h11",
                ws="none",
                limit_concurrency=_AT_ONCE,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=1,
            )
        )
        self._thread: threading.Thread | None = None

    def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Serve until Ctrl-C; ``begun`` is called when the page can be opened."""
        self._socket.listen()
        begun()  # connections wait until they are taken
        self.server.run(sockets=[self._socket])

    def start(self) -> Explorer:
        """Serve beside the program; return this."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=self.server.run, kwargs={"sockets": [self._socket]}, daemon=True
            )
            self._thread.start()
            while not self.server.started and self._thread.is_alive():
                time.sleep(0.01)
        return self

    def open(self) -> Explorer:
        """Show the page in the browser; return this."""
        webbrowser.open(self.url)
        return self

    def close(self) -> None:
        """End it."""
        self.server.should_exit = True
        if self._thread is not None:
            self._thread.join(5.0)
        self._socket.close()

    def __enter__(self) -> Explorer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Explorer at {self.url}>"

    def _repr_html_(self) -> str:
        """Show the page in a frame of a notebook, and where else it is: some refuse frames."""
        address = html.escape(self.url, quote=True)
        return (
            f'<iframe src="{address}" width="100%" height="640" title="secateur" style="display:'
            'block;box-sizing:border-box;border:1px solid #8884;border-radius:8px"></iframe>'
            f'<a href="{address}" target="_blank" rel="noreferrer">Open it in a tab</a> '
            "(of the machine on which this notebook runs, as long as it does)"
        )


def _bound(port: int) -> socket.socket:
    # unless it says that it speaks TCP, asyncio lets answers wait for acknowledgements
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((ADDRESS, port))
    except OSError as error:
        found.close()
        raise SecateurError(
            f"port {port} cannot be used: {error.strerror or error}; choose another, or leave it "
            "out for a free one."
        ) from error
    return found
