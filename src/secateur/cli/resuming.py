"""``secateur resume``: goes on with a run that is kept in a directory."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.algorithms import option_names
from secateur.cli.choices import chosen_limits
from secateur.cli.solving import Plan, carry_out, requested
from secateur.methods import options_of
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.limits import limits_of
from secateur.runs.sessions import continued


def run(arguments: argparse.Namespace) -> int:
    """Go on from the last checkpoint, and report as ``solve`` does."""
    directory = RunDirectory(arguments.directory)
    until = chosen_limits(arguments)
    resources = arguments.checkpoint_every, arguments.memory_limit
    with continued(directory, until, *resources, cache=arguments.cache) as configuration:
        plan = Plan(
            rules=configuration.game.load(directory),
            solver=configuration.solver,
            until=configuration.until,
            memory_limit=configuration.memory_limit,
            cache=configuration.cache,
            directory=directory,
            goes_on_warm=configuration.warm_weight is not None,
            cluster=requested(arguments, configuration.solver),
        )
        told = {"json": arguments.json, "curve": arguments.curve, "run": str(directory)}
        return carry_out(argparse.Namespace(**told, **_as_options(configuration)), plan)


def _as_options(configuration: Configuration) -> dict[str, Any]:
    """Return the options of ``solve`` that say the same, for reports."""
    return {
        "game": configuration.game.name,
        "settings": list(configuration.game.settings.items()),
        "out": None,
        "memory_limit": configuration.memory_limit,
        **(options_of(configuration.solver) or dict.fromkeys(option_names())),
        **limits_of(configuration.until),
    }
