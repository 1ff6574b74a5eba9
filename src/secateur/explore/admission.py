"""Takes connections one after the other; those for which there is no turn yet cost nothing."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from secateur.explore.turns import Turns

_RATE, _BURST = 50.0, 100.0
"""Connections that are taken: so many a second, and so many at once. A page needs six."""

_WAITING = 128
"""Connections that the system keeps until they are taken; it lets others ask again."""


class Admission(uvicorn.Server):
    """A server that leaves connections with the system until it is their turn.

    To take one and to read its request takes longer than many an answer, so that whoever opens a
    connection for each request could keep a core busy, whatever it is told.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.turns = Turns(_RATE, _BURST)
        self._doors: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections from listening sockets."""
        await super().startup(sockets=[])
        self._doors = [asyncio.create_task(self._let_in(each)) for each in sockets or ()]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more, and end."""
        for door in self._doors:
            door.cancel()
        await super().shutdown(sockets)

    async def _let_in(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        listening.setblocking(False)
        listening.listen(_WAITING)
        while True:
            await self.turns.come()
            try:
                connection, _ = await loop.sock_accept(listening)
            except OSError:  # it was given up, or there are too many open files
                continue
            await loop.connect_accepted_socket(self._protocol, connection)

    def _protocol(self) -> asyncio.Protocol:
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        return made
