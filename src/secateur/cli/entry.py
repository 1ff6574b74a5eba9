"""Where the program starts: Ctrl-C is taken care of before anything is loaded that takes time."""

from __future__ import annotations

import os
import signal
import sys

from secateur.cli.exits import INTERRUPTED

TYPE_CHECKING = False  # that of the standard library takes longer to load than all else here
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> NoReturn:
    """Run the command line, and end with its exit code."""
    patient = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if patient:  # else the shell ignores it, for a program in the background
        signal.signal(signal.SIGINT, _end)
        from secateur.interruptions import Patience  # noqa: PLC0415

        Patience(INTERRUPTED).begin()
    from secateur.cli.main import main  # noqa: PLC0415

    status = main()
    if patient:  # nothing shall come between the program and its exit code any more
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def _end(*_: object) -> None:
    os.write(2, b"secateur: interrupted\n")
    os._exit(INTERRUPTED)
