"""Shows how a run is going, on standard error: live on a terminal, else as occasional lines."""

from __future__ import annotations

import math
import os
import sys
import time
from typing import Any, Protocol, Self

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from secateur.cli.report import duration, number
from secateur.compiled.progress import Reading
from secateur.conditions import Condition, Snapshot
from secateur.sudden_end import at_sudden_end

_MOST_HISTORIES = 1e15
"""Estimates beyond mean nothing."""

_LONGEST_WAIT = 1e7
"""Seconds; nobody waits longer, and estimates beyond mean nothing."""


class Progress(Protocol):
    """What a command tells about itself while it runs."""

    def __enter__(self) -> Self:
        """Begin to show."""

    def __exit__(self, *raised: Any) -> None:
        """Leave nothing behind."""

    def stage(self, text: str) -> None:
        """Say what is done now; of interest only while it lasts."""

    def note(self, text: str) -> None:
        """Say what a reader of a log should know, too."""

    def warn(self, text: str) -> None:
        """Say what must not be missed."""

    def read(self, reading: Reading) -> None:
        """Take how far the rules of a game have been read."""

    def expect(self, until: Condition) -> None:
        """Take when the run will end, to tell the time left."""

    def observe(self, history: list[Snapshot]) -> None:
        """Take a new snapshot of the run."""


def progress() -> Progress:
    """Return the display that suits standard error."""
    screen = Console(stderr=True, markup=False, highlight=False, emoji=False)
    if sys.stderr is not None and sys.stderr.isatty() and not screen.is_dumb_terminal:
        return LiveProgress(screen)
    return PlainProgress()


class LiveProgress:
    """One line that keeps changing, and is gone at the end."""

    def __init__(self, screen: Console) -> None:
        self._until: Condition | None = None
        self._stage, self._read = "", ""
        self._stage_began = time.monotonic()
        self._latest: Snapshot | None = None
        self._seen_at = 0.0
        self._left = math.inf
        self._spinner = Spinner("dots")
        self._live = Live(
            console=screen,
            get_renderable=self._line,
            refresh_per_second=10,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._sudden_end = at_sudden_end(_leave_terminal)

    def __enter__(self) -> Self:
        self._sudden_end.__enter__()
        self._live.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._live.__exit__(*raised)
        self._sudden_end.__exit__(*raised)

    def stage(self, text: str) -> None:
        """Show the text and the time since then; it goes on if only what follows a colon is new."""
        if text.partition(":")[0] != self._stage.partition(":")[0]:
            self._stage_began = time.monotonic()
        self._stage, self._read = text, ""

    def note(self, text: str) -> None:
        """Show it like any stage: whoever looks at a terminal sees it."""
        self.stage(text)

    def warn(self, text: str) -> None:
        """Print it above the line; it stays there."""
        self._live.console.print(f"secateur: {text}", soft_wrap=True)

    def read(self, reading: Reading) -> None:
        """Show it behind the stage."""
        self._read = f", {_read_in_words(reading)}"

    def expect(self, until: Condition) -> None:
        """Tell the time left until then."""
        self._until = until

    def observe(self, history: list[Snapshot]) -> None:
        """Keep the newest numbers for the next time the line is drawn."""
        self._left = self._until.remaining(history) if self._until is not None else math.inf
        self._seen_at = time.monotonic()
        self._latest = history[-1]

    def _line(self) -> Spinner:
        """Draw the line; called by a thread of its own, so clocks go on between snapshots."""
        since = time.monotonic()
        if self._latest is None:
            text = f"{self._stage}{self._read}, {_clock(since - self._stage_began)}"
        else:
            waited = since - self._seen_at
            text = "  ".join(
                [
                    f"iteration {self._latest.iteration:,}",
                    f"exploitability {number(self._latest.exploitability)}",
                    *_alive(self._latest),
                    f"{_rate(self._latest)}/s",
                    _clock(self._latest.seconds + waited),
                    f"left {_clock(self._left - waited)}",
                ]
            )
        # A wrapped line would be erased badly when the terminal is resized: cut it instead.
        self._spinner.update(text=Text(text, no_wrap=True, overflow="ellipsis"))
        return self._spinner


def _leave_terminal() -> None:
    """Erase the line, and show the cursor again."""
    os.write(2, b"\r\x1b[2K\x1b[?25h")


class PlainProgress:
    """A line now and then: after one second, and ever more rarely down to one a minute."""

    _SHORTEST_PAUSE = 1.0
    _LONGEST_PAUSE = 60.0
    _FIRST_READING = 10.0

    def __init__(self) -> None:
        self._until: Condition | None = None
        self._next = self._SHORTEST_PAUSE
        self._began = time.monotonic()
        self._next_reading = self._FIRST_READING

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: Any) -> None:
        pass

    def stage(self, text: str) -> None:
        """Say nothing: stages are mostly short."""

    def note(self, text: str) -> None:
        """Print the text."""
        print(f"secateur: {text}", file=sys.stderr, flush=True)

    def warn(self, text: str) -> None:
        """Print the text."""
        self.note(text)

    def read(self, reading: Reading) -> None:
        """Print it if it is time for a line."""
        spent = time.monotonic() - self._began
        if spent >= self._next_reading and reading.histories < reading.estimate:
            self._next_reading = spent + min(spent, self._LONGEST_PAUSE)
            self.note(f"compiling, {_read_in_words(reading)}, {duration(spent)}")

    def expect(self, until: Condition) -> None:
        """Tell the time left until then."""
        self._until = until

    def observe(self, history: list[Snapshot]) -> None:
        """Print a line if it is time for one."""
        now = history[-1]
        if now.seconds < self._next:
            return
        self._next = now.seconds + min(max(now.seconds, self._SHORTEST_PAUSE), self._LONGEST_PAUSE)
        left = self._until.remaining(history) if self._until is not None else math.inf
        estimate = f", about {duration(left)} left" if left < _LONGEST_WAIT else ""
        facts = [
            f"iteration {now.iteration:,}",
            f"exploitability {number(now.exploitability)}",
            *_alive(now),
            f"{_rate(now)} iterations/s",
            f"{duration(now.seconds)}{estimate}",
        ]
        self.note(", ".join(facts))


def _read_in_words(reading: Reading) -> str:
    """Return how many histories have been read, and of how many as far as one can tell."""
    if reading.estimate > _MOST_HISTORIES:
        return f"{reading.histories:,} histories"
    share = reading.histories / max(reading.estimate, 1.0)
    rounded = float(f"{reading.estimate:.2g}")
    return f"{reading.histories:,} of about {rounded:,.0f} histories ({share:.0%})"


def _alive(now: Snapshot) -> list[str]:
    """Return how much of the game is alive, if some is not."""
    return [f"{now.alive:.0%} alive"] if now.alive < 1.0 else []


def _rate(now: Snapshot) -> str:
    rate = now.iteration / now.seconds if now.seconds > 0.0 else 0.0
    return f"{rate:,.0f}" if rate >= 10.0 else f"{rate:.2g}"


def _clock(seconds: float) -> str:
    """Return hours, minutes and seconds; ``?`` if unknown or longer than anybody waits."""
    if not seconds < _LONGEST_WAIT:
        return "?"
    minutes, rest = divmod(int(max(seconds, 0.0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
