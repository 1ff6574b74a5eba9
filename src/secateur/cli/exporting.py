"""``secateur export``: a strategy in the form of another program."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path

from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.outfile import writable
from secateur.cli.progress import progress
from secateur.cli.report import console
from secateur.cli.strategies import read_strategy
from secateur.exports.csv_table import export_csv
from secateur.exports.open_spiel import export_open_spiel
from secateur.strategy import Strategy

WRITERS: dict[str, Callable[[Strategy, Path], None]] = {
    "csv": export_csv,
    "openspiel": export_open_spiel,
}


def run(arguments: argparse.Namespace) -> int:
    """Read a strategy and write it in another form."""
    out = writable(arguments.out)
    again = f"--to {arguments.to} --out {shlex.quote(arguments.out)}"
    with progress() as display:
        _, strategy = read_strategy(arguments, display, again)
        prepare_kernels(display.note)
        display.stage(f"writing {arguments.out}")
        WRITERS[arguments.to](strategy, out)
    console().print(f"The strategy is in {arguments.out}")
    return OK
