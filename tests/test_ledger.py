"""What the ledger of memory lists is all that there is, each array once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import secateur
from secateur.compiled.game import CompiledGame
from secateur.memory import Reserve, resident_parts
from secateur.solvers.protocols import State
from support.solvers import LATE, SOLVERS, ready

UNLISTED = {
    "_known_discounts": "one number per iteration",
    "_known_logs": "one number per iteration",
    "most": "three numbers, whatever the game",
    "fresh": "nothing of it is in use between iterations",
    "_lists": "the memory of the live and the fresh list",
}
"""Attributes whose arrays are not listed, and why."""


def found_arrays(holder: object, seen: set[int]) -> Iterator[np.ndarray]:
    """Go through all arrays that an object of this package holds, wherever they are."""
    if id(holder) in seen or isinstance(holder, CompiledGame):
        return
    seen.add(id(holder))
    if isinstance(holder, np.ndarray):
        yield holder
        return
    parts = list(holder) if isinstance(holder, tuple | list) else []
    if isinstance(holder, dict):
        parts += holder.values()
    if type(holder).__module__.startswith("secateur."):
        named = getattr(holder, "__dict__", {}).items()
        parts += [part for name, part in named if name not in UNLISTED]
    for part in parts:
        yield from found_arrays(part, seen)


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("title", SOLVERS)
def test_the_ledger_of_a_state_adds_up_to_what_it_says_it_takes(title: str) -> None:
    state = SOLVERS[title].start(ready("leduc"))
    state.step(LATE.get(title, 25))
    entries = secateur.memory_ledger(state)
    assert sum(entry.bytes for entry in entries) == state.bytes_resident
    assert {entry.group for entry in entries} == {f"run with {state.solver.pruning.title}"}
    for entry in entries:
        part = state.held()[entry.name]
        assert (entry.items, entry.bytes) == (part.size, part.nbytes)


@pytest.mark.parametrize("pruning", [False, True])
@pytest.mark.parametrize("thresholds", [False, True])
def test_the_ledger_of_a_game_has_all_of_its_arrays(pruning: bool, thresholds: bool) -> None:
    game = secateur.compile(secateur.load("leduc"), pruning=pruning, thresholds=thresholds)
    entries = secateur.memory_ledger(game)
    assert sum(entry.bytes for entry in entries) == game.nbytes
    expected = {name: part.size for name, part in game.all_arrays().items()}
    assert {entry.name: entry.items for entry in entries} == expected
    groups = {"arrays", "labels", *["pruning"] * pruning, *["branches"] * thresholds}
    assert {entry.group for entry in entries} == groups
    common = sum(entry.bytes for entry in entries if entry.group == "arrays")
    assert common == game.size.bytes


@pytest.mark.parametrize("iterations", [0, 25])
@pytest.mark.parametrize("title", SOLVERS)
def test_a_state_lists_every_array_that_it_holds(title: str, iterations: int) -> None:
    game = ready("leduc")
    state: State = SOLVERS[title].start(game)
    if iterations:
        state.step(LATE.get(title, iterations))
    listed = {address(part): name for name, part in state.held().items() if len(part)}
    theirs = {address(part) for part in game.all_arrays().values()}
    found = [each for each in found_arrays(state, set()) if each.nbytes]
    missing = [each.shape for each in found if address(each) not in {*listed, *theirs}]
    assert len(found) > 5
    assert not missing
    assert not theirs & set(listed)


@pytest.mark.parametrize("title", SOLVERS)
def test_no_array_of_a_state_is_listed_twice(title: str) -> None:
    state = SOLVERS[title].start(ready("leduc"))
    state.step(LATE.get(title, 25))
    listed = [part for part in state.held().values() if part.nbytes]
    for place, part in enumerate(listed):
        assert not any(np.may_share_memory(part, other) for other in listed[:place])


@pytest.mark.skipif(resident_parts() is None, reason="this system does not tell")
def test_memory_of_the_process_is_told_with_and_without_files(tmp_path: Path) -> None:
    size = 1 << 24
    path = tmp_path / "numbers"
    np.ones(size, np.uint8).tofile(path)
    before = resident_parts()
    written = Reserve(size, np.uint8)
    written.array[:] = 1
    with_array = resident_parts()
    assert 0.9 * size < with_array.without_files - before.without_files < 1.5 * size
    mapped = np.memmap(path, np.uint8, "r")
    assert mapped.sum(dtype=np.int64) == size
    with_file = resident_parts()
    assert with_file.without_files - with_array.without_files < 0.5 * size
    assert with_file.total - with_array.total > 0.9 * size
