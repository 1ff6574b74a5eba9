"""A client that asks a page so many times a second, whether it is answered or not."""

from __future__ import annotations

import itertools
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from urllib.parse import urlsplit

CONNECTIONS = 4
MOST_CONNECTIONS = 500


class Kept:
    """Connections that are kept: what the server does not take waits in them."""

    def __init__(self, to: tuple[str, int]) -> None:
        self._open = [socket.create_connection(to) for _ in range(CONNECTIONS)]
        for each in self._open:
            each.setblocking(False)
        self._next = itertools.cycle(self._open)

    def ask(self, request: bytes) -> bool:
        """Send a request; return whether there was room for it."""
        connection = next(self._next)
        try:
            sent = connection.send(request)
        except BlockingIOError:
            return False
        while sent < len(request):  # a connection became full in the middle
            select.select([], [connection], [])
            sent += connection.send(request[sent:])
        return True

    def answered(self) -> int:
        """Return how many answers have come."""
        return sum(_heard(each).count(b"HTTP/1.1 200") for each in self._open)

    def close(self) -> None:
        """Close all."""
        for each in self._open:
            each.close()


class New:
    """A connection for each request; the oldest is given up when too many are open."""

    def __init__(self, to: tuple[str, int]) -> None:
        self._to = to
        self._open: deque[tuple[socket.socket, bytes]] = deque()

    def ask(self, request: bytes) -> bool:
        """Begin to connect; return that there was room for it."""
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(self._to)
        self._open.append((connection, request))
        if len(self._open) > MOST_CONNECTIONS:
            self._open.popleft()[0].close()
        return True

    def answered(self) -> int:
        """Send what could not be sent yet; return how many answers have come."""
        found = 0
        for _ in range(len(self._open)):
            connection, request = self._open.popleft()
            try:
                if request:
                    connection.send(request)
                found += (heard := _heard(connection)).startswith(b"HTTP/1.1 200")
            except BlockingIOError:  # it is not connected
                heard = b""
            except OSError:  # it was closed by the server
                heard = b"no"
            else:
                request = b""
            if heard:
                connection.close()
            else:
                self._open.append((connection, request))
        return found

    def close(self) -> None:
        """Close all."""
        for each, _ in self._open:
            each.close()


def _heard(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 20)
    except BlockingIOError:
        return b""


class Flood(threading.Thread):
    """Asks for nodes and news so many times a second, whether it is answered or not."""

    def __init__(self, url: str, rate: float, connections: Callable[..., Kept | New]) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._connections = connections((parts.hostname, parts.port))
        self._requests = itertools.cycle(
            f"GET {parts.path}{path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
            for path in ("api/nodes/0/1", "api/runs/0", "api/sources", "")
        )
        self._rate = rate
        self._over = threading.Event()
        self.asked = self.answered = 0
        self.seconds = 0.0

    def run(self) -> None:
        """Ask until it is over."""
        begin = time.perf_counter()
        due = 0
        while not self._over.is_set():
            self.seconds = time.perf_counter() - begin
            while due < self._rate * self.seconds:
                self.asked += self._connections.ask(next(self._requests))
                due += 1
            self.answered += self._connections.answered()
            time.sleep(0.005)
        self._connections.close()

    def stop(self) -> None:
        """Let it be over."""
        self._over.set()
        self.join()


CLIENTS: dict[str, Callable[..., Kept | New]] = {"kept": Kept, "new": New}
"""By what they do with connections."""
