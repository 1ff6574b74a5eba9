"""What ``solve`` and ``resume`` put into a run directory, and how options come out of it again."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from secateur.cli.choices import LIMITS
from secateur.cli.method_options import ALGORITHMS_OF
from secateur.cli.values import by_name
from secateur.errors import FileError, RecordError
from secateur.games.registry import is_file
from secateur.running import Result
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory

_OPTIONS = (
    *("algorithm", "prune", "min_skip", "check_every", "discard", "discard_rule"),
    *(option.replace("-", "_") for option in ALGORITHMS_OF),
    "count_nodes",
)
"""The options of ``solve`` that describe the algorithm."""

_RESOURCES = ("memory_limit", "checkpoint_every")


def configuration_of(arguments: argparse.Namespace) -> Configuration:
    """Return what the options of ``solve`` say."""
    return Configuration(
        game=str(Path(arguments.game).resolve()) if is_file(arguments.game) else arguments.game,
        settings=by_name(arguments.settings),
        options={name: getattr(arguments, name) for name in _OPTIONS},
        limits={name: getattr(arguments, name) for name in (*LIMITS, *_RESOURCES)},
    )


def options_of(configuration: Configuration, directory: RunDirectory) -> argparse.Namespace:
    """Return options of ``solve`` that say the same."""
    return argparse.Namespace(
        game=configuration.game,
        settings=list(configuration.settings.items()),
        run=str(directory),
        out=None,
        out_precision=None,
        json=False,
        **{name: configuration.options.get(name) for name in _OPTIONS},
        **{name: configuration.limits.get(name) for name in (*LIMITS, *_RESOURCES)},
    )


def with_limits(configuration: Configuration, arguments: argparse.Namespace) -> Configuration:
    """Return a configuration with the limits that ``resume`` was given.

    Limits that end a run replace all that it had; else a run would end at once that is to go on.
    """
    limits = dict(configuration.limits)
    if any(getattr(arguments, name) is not None for name in LIMITS):
        limits |= {name: getattr(arguments, name) for name in LIMITS}
    for name in _RESOURCES:
        if getattr(arguments, name) is not None:
            limits[name] = getattr(arguments, name)
    return configuration._replace(limits=limits)


def save_strategy(result: Result, directory: RunDirectory) -> None:
    """Write the strategy into the directory."""
    try:
        result.save(directory.strategy_path)
    except FileError as error:
        raise RecordError(f"{error} Then, {how_to_go_on(directory)}") from error


def how_to_go_on(directory: RunDirectory) -> str:
    """Return the command that goes on with a run, in words."""
    return f"go on with: secateur resume {shlex.quote(str(directory))}"
