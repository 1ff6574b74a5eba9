"""What a command of the command line consists of."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from secateur.cli.options import command_parser
from secateur.crew import threads


@dataclass(frozen=True)
class Command:
    """One word behind ``secateur``, with its options and what it does."""

    name: str
    help: str
    """A line for the list of commands."""

    about: str
    """What it does, above the options."""

    examples: str
    """Below the options; it begins with ``examples:``."""

    add_options: Callable[[Any], None]
    """Adds them to a parser, and imports nothing heavy: help and errors must come at once."""

    does: str | Callable[[argparse.Namespace], int]
    """Gets the arguments and returns an exit code of :mod:`secateur.cli.exits`; ``module:function``
    is imported only when the command runs, because numerical libraries take long to load."""

    def add(self, commands: Any) -> None:
        """Add it to the parsers of all commands."""
        parser = command_parser(
            commands.add_parser, self.name, self.about, self.examples, help=self.help
        )
        self.add_options(parser)
        parser.set_defaults(do=self.run)

    def run(self, arguments: argparse.Namespace) -> int:
        """Do what was typed; return the exit code."""
        do = resolve_name(self.does) if isinstance(self.does, str) else self.does
        with threads(getattr(arguments, "threads", None)):
            status: int = do(arguments)
        return status
