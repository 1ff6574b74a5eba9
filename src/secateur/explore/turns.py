"""Lets requests come one after the other: a run beside the server is not to notice a flood."""

from __future__ import annotations

import asyncio
import time


class Turns:
    """So many requests a second, after some at once; others wait, and refusals take their time.

    Whoever asks faster than it is answered only waits longer. That costs next to nothing; refusing
    at once would cost as much as many an answer, and invite the next request.

    Parameters
    ----------
    rate : float
        Requests a second.
    burst : float
        Requests that nobody waits for, after a while without any.
    longest : float
        Seconds that one waits at the most.
    """

    def __init__(self, rate: float, burst: float, longest: float = 2.0) -> None:
        self.rate, self.burst, self.longest = rate, burst, longest
        self._left, self._counted = burst, time.monotonic()

    async def come(self) -> bool:
        """Wait for the next turn; return whether there is one."""
        now = time.monotonic()
        self._left = min(self.burst, self._left + self.rate * (now - self._counted))
        self._counted = now
        wait = (1.0 - self._left) / self.rate
        if wait > self.longest:
            await asyncio.sleep(self.longest)
            return False
        self._left -= 1.0
        if wait > 0.0:
            await asyncio.sleep(wait)
        return True
