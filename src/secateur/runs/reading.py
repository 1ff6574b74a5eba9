"""Reads how far a run is, without disturbing it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.metrics_log import read_metrics
from secateur.stopping import Snapshot


class RunReading(NamedTuple):
    """What a run directory says."""

    configuration: Configuration
    history: list[Snapshot]
    running: bool
    checkpoint: int | None
    """The iteration that the run can go on from."""


def read_run(path: str | Path) -> RunReading:
    """Read a run directory.

    Raises
    ------
    FileError
        If there is none, or its configuration or metrics are damaged.
    """
    directory = RunDirectory(path)
    configuration = directory.configuration()
    running = directory.is_running
    history: list[Snapshot] = []
    if directory.metrics_path.exists():
        history = read_metrics(directory.metrics_path, configuration.fingerprint)
    checkpoints = directory.checkpoints.iterations()
    return RunReading(configuration, history, running, checkpoints[0] if checkpoints else None)
