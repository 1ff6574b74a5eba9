"""The tables in which parts are named, so that a test may add to them and leave no trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from secateur.algorithms import ALGORITHMS
from secateur.cli.commands import COMMANDS
from secateur.games.registry import GAMES
from secateur.interop.formats import FORMATS
from secateur.pruning import POLICIES

TABLES: tuple[dict, ...] = (ALGORITHMS, POLICIES, GAMES, FORMATS, COMMANDS)


@contextmanager
def restored_tables() -> Iterator[None]:
    """Leave all tables as they were before."""
    before = [dict(table) for table in TABLES]
    try:
        yield
    finally:
        for table, rows in zip(TABLES, before, strict=True):
            table.clear()
            table.update(rows)
