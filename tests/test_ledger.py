"""What the ledger of memory lists is all that there is, each array once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from secateur.compiled.game import CompiledGame
from secateur.solvers.protocols import State
from support.solvers import SOLVERS, ready

UNLISTED = {
    "_known_discounts": "one number per iteration",
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
    if type(holder).__module__.startswith("secateur."):
        named = getattr(holder, "__dict__", {}).items()
        parts += [part for name, part in named if name not in UNLISTED]
    for part in parts:
        yield from found_arrays(part, seen)


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("iterations", [0, 25])
@pytest.mark.parametrize("title", SOLVERS)
def test_a_state_lists_every_array_that_it_holds(title: str, iterations: int) -> None:
    game = ready("leduc")
    state: State = SOLVERS[title].start(game)
    if iterations:
        state.step(iterations)
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
    state.step(25)
    listed = [part for part in state.held().values() if part.nbytes]
    for place, part in enumerate(listed):
        assert not any(np.may_share_memory(part, other) for other in listed[:place])
