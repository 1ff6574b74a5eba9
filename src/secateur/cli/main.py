"""Entry point: runs one command, and turns every way to fail into a line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from secateur.cli.complaints import complain
from secateur.cli.exits import BAD_INPUT, INTERRUPTED, OK, OUTPUT_LOST
from secateur.cli.parser import build_parser, parse
from secateur.errors import RecordError, SecateurError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str
        Arguments without the program's name; those of the process if not given.

    Returns
    -------
    int
        The exit code.
    """
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except RecordError as error:
        complain(str(error))
        return OUTPUT_LOST
    except SecateurError as error:
        complain(str(error))
        return BAD_INPUT
    except MemoryError:
        complain("not enough memory; choose a smaller game")
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough ("| head"): that deserves no message.
        _discard_output()
        return OUTPUT_LOST
    except OSError as error:
        _discard_output()
        complain(f"cannot go on: {error.strerror or error}")
        return OUTPUT_LOST
    return status


def _run(argv: Sequence[str] | None) -> int:
    parser = build_parser()
    try:
        arguments = parse(parser, argv)
        if arguments.command is None:
            parser.print_help()
            return OK
        status: int = arguments.do(arguments)
    except SystemExit as done:  # from --help and --version, or a pipe that rich found broken
        return int(done.code or OK)
    return status


def _discard_output() -> None:
    """Point standard output to nowhere, or the interpreter would fail again when it flushes."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
