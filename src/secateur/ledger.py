"""The ledger of memory: every array of a compiled game, or of a run, and what it takes."""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

from secateur.checks import refuse, shown
from secateur.compiled.game import CompiledGame
from secateur.solvers.holdings import Array, arrays_in
from secateur.solvers.protocols import State


class LedgerEntry(NamedTuple):
    """One array in memory."""

    group: str
    """What it belongs to: a field of the compiled game, or a run with some kind of pruning."""

    name: str
    items: int
    bytes: int


def memory_ledger(holder: CompiledGame | State) -> list[LedgerEntry]:
    """Return every array that a compiled game or a run holds.

    Parameters
    ----------
    holder : CompiledGame or State
        The entries of a game add up to its ``nbytes``, those of a state, which come without those
        of its game, to its ``bytes_resident``.

    Returns
    -------
    list of LedgerEntry
        Groups of a game are called as its fields: ``arrays`` are what every solver reads,
        ``labels`` the names of information sets and actions, ``pruning`` and ``branches`` what was
        compiled besides.
    """
    if isinstance(holder, CompiledGame):
        return [
            entry
            for field in fields(holder)
            for entry in _entries(field.name, arrays_in("", getattr(holder, field.name)))
        ]
    if isinstance(holder, type) or not isinstance(holder, State):
        refuse(
            f"memory_ledger({shown(holder)})",
            "pass secateur.compile(game), or a state, which solver.start(game) returns",
        )
    return _entries(f"run with {holder.solver.pruning.title}", holder.held())


def _entries(group: str, arrays: dict[str, Array]) -> list[LedgerEntry]:
    return [LedgerEntry(group, name, part.size, part.nbytes) for name, part in arrays.items()]
