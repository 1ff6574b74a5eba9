"""What several commands have in common.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from secateur.cli import values
from secateur.errors import ParameterError
from secateur.names import closest


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others."""

    def error(self, message: str) -> NoReturn:
        """Raise what the command line prints as one line."""
        raise ParameterError(f"{message}; see '{self.prog} --help'")

    @property
    def option_names(self) -> list[str]:
        """All options, as they are typed."""
        return [name for name in self._option_string_actions if name.startswith("--")]

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Propose the choice that was probably meant."""
        if action.choices is not None and value not in action.choices:
            known = list(action.choices)
            close = closest(str(value), known)
            hint = f"did you mean {close!r}? " if close is not None else ""
            listed = ", ".join(map(repr, known))
            raise argparse.ArgumentError(
                action, f"invalid choice: {value!r} ({hint}choose from {listed})"
            )


def command_parser(make: Any, name: str, about: str, examples: str, **options: Any) -> Any:
    """Return a parser, made by ``make``, whose help ends with examples."""
    parser = make(
        name,
        description=about,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        **options,
    )
    parser.set_defaults(parser=parser)
    return parser


def add_game(parser: Any) -> None:
    """Let a command take a game and its parameters."""
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a name from 'secateur games'; a game of your own, such as path/to/game.py:Coin or "
        "package.module:Coin; a .toml file with a name and parameters; a Gambit .efg file; or "
        "openspiel:GAME, such as openspiel:leduc_poker",
    )
    add_settings(parser)
    add_cache(parser)


def add_settings(parser: Any) -> None:
    """Let a command take parameters of a game."""
    parser.add_argument(
        "--set",
        dest="settings",
        type=values.setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the game; repeat for more",
    )


def add_cache(parser: Any) -> None:
    """Let a command keep compiled games."""
    parser.add_argument(
        "--cache",
        action="store_true",
        help="keep the compiled game in the user's cache ($XDG_CACHE_HOME/secateur, or where the "
        "system has caches) and read it from there the next time",
    )


def add_threads(parser: Any) -> None:
    """Let a command be told how many threads may work on a large game."""
    parser.add_argument(
        "--threads",
        type=values.threads,
        metavar="N",
        help="how many threads work on a large game (default: as many as there are cores); the "
        "result is the same to the bit",
    )


def add_cluster(parser: Any) -> None:
    """Let a command be told to run on a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on a cluster of Ray: the one at this address, such as 10.0.0.1:6379, or with "
        "'auto' the one on this machine, or else one that is started for the run (cfr and its kin, "
        "with partial pruning or none); the result is the same to the bit",
    )
    parser.add_argument(
        "--shards",
        type=values.count,
        metavar="N",
        help="how many parts of the game there are on the cluster (default: one on each machine)",
    )


def add_limits(parser: Any) -> None:
    """Let a command be told when a run ends."""
    parser.add_argument(
        "--iterations", type=values.count, metavar="N", help="stop after N iterations"
    )
    parser.add_argument(
        "--target",
        type=values.target,
        metavar="EXPLOITABILITY",
        help="stop when exploitability (half of NashConv) is at most this; in games with a pot "
        "also a share of it, such as 0.3%%",
    )
    parser.add_argument("--seconds", type=values.positive, metavar="S", help="stop after S seconds")


def add_curve(parser: Any) -> None:
    """Let a command put all snapshots of a run into its JSON."""
    parser.add_argument(
        "--curve", action="store_true", help="with --json: also all snapshots of the run"
    )


def add_json(parser: Any) -> None:
    """Let a command print JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
