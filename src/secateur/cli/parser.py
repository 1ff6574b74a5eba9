"""What can be typed: commands, options, and the help that teaches them.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from secateur import __version__
from secateur.cli.commands import COMMANDS
from secateur.cli.options import Parser, command_parser
from secateur.errors import ParameterError
from secateur.names import closest

ABOUT = """\
Solve two-player zero-sum games with hidden information, such as poker: find
a strategy for both players that no opponent can beat by much."""

EXAMPLES = """\
examples:
  secateur games                          what games there are
  secateur games leduc                    one game and its parameters
  secateur solve kuhn                     solve a game, see the strategy
  secateur solve leduc --target 1e-5 --out leduc.json
  secateur compare leduc --algorithms cfr+,dcfr --target 1e-4
  secateur solve leduc5 --run five        keep a long run in a directory
  secateur resume five                    go on with it; or --target 1e-5
  secateur status five                    how far it is
  secateur explore five                   look at it in the browser
  secateur solve path/to/game.py:Coin     a game of your own
  secateur solve path/to/game.efg         a game in a Gambit file
  secateur evaluate leduc leduc.json      measure the strategy in a file
  secateur show leduc leduc.json --at "check bet2"
  secateur export leduc --to gambit leduc.efg
  secateur reproduce brp-fig1 --quick --out figures

'secateur COMMAND --help' says more about a command."""


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser: Parser = command_parser(Parser, "secateur", ABOUT, EXAMPLES)
    parser.add_argument("--version", action="version", version=f"secateur {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for command in COMMANDS.values():
        command.add(commands)
    return parser


def parse(parser: Parser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments; those that nobody knows are an error with a hint."""
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        command = f"secateur {arguments.command}" if arguments.command else "secateur"
        hint = f"see '{command} --help'"
        close = (
            closest(unknown[0], arguments.parser.option_names) if unknown[0][:1] == "-" else None
        )
        if close is not None:
            hint = f"did you mean {close}? {hint}"
        if all("=" in each and not each.startswith("-") for each in unknown):
            hint = "write --set before each name=value"
        raise ParameterError(f"unrecognized arguments: {' '.join(unknown)}; {hint}")
    return arguments
