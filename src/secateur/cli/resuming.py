"""``secateur resume``: goes on with a run that is kept in a directory."""

from __future__ import annotations

import argparse

from secateur.cli.kept import options_of, with_limits
from secateur.cli.solving import carry_out
from secateur.errors import RecordError, SecateurError
from secateur.runs.directory import RunDirectory


def run(arguments: argparse.Namespace) -> int:
    """Go on from the last checkpoint, and report as ``solve`` does."""
    directory = RunDirectory(arguments.directory)
    directory.configuration()  # there must be one before the directory is touched
    with directory.held():
        before = directory.configuration()
        configuration = with_limits(before, arguments)
        if configuration != before:
            configuration.write(directory.configuration_path)
        options = options_of(configuration, directory)
        options.json = arguments.json
        try:
            return carry_out(options, directory)
        except RecordError:
            raise
        except SecateurError:  # limits that cannot be met are not kept
            before.write(directory.configuration_path)
            raise
