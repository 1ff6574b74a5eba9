"""Numbers collected while a game is compiled: what they take, and that none is lost."""

import subprocess
import sys
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur.compiled.columns import Column, NumberTable
from secateur.compiled.joints import _in_order, _moved
from secateur.games.public import END, Hands, Payoff, PublicGame

LONG = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(LONG | st.integers(-300, 300)), st.lists(LONG), st.data())
def test_columns_hold_what_was_put_into_them(numbers, more, data):
    column, expected = Column(), []
    for number in numbers:
        column.append(number)
        expected.append(number)
    column.extend(more)
    expected += more
    if expected:
        first = data.draw(st.integers(0, len(expected) - 1))
        new = data.draw(st.lists(LONG, max_size=len(expected) - first))
        column.put(first, new)
        expected[first : first + len(new)] = new
    assert column.array().tolist() == expected


def test_columns_take_as_few_bytes_as_the_largest_number_needs():
    column = Column()
    for largest, size in ((2**15 - 1, 2), (2**15, 4), (2**31, 8)):
        column.append(largest)
        assert column.array().itemsize == size
        column = _copied(column)


def _copied(column):
    """Return a column that can be added to: arrays pin the memory of theirs."""
    again = Column()
    again.extend(column.array().tolist())
    return again


@given(st.lists(st.floats(allow_nan=False)), st.lists(st.integers(-5, 5)))
def test_tables_are_in_order_and_hold_only_what_is_used(numbers, unused):
    table = NumberTable()
    table.places(unused)
    places = np.array(table.places(numbers), np.int64)
    found, columns = table.in_order({"numbers": places})
    assert found.tolist() == sorted(set(numbers))
    assert found[columns["numbers"]].tolist() == numbers


def test_blocks_get_back_what_they_own_up_to_the_largest_number_of_two_bytes():
    last = 2**15 - 1
    closed = np.arange(last, 0, -1, dtype=np.int16)  # the last block first, and then the root
    first, begin = _in_order(np.ones(last + 1, np.int16), closed)
    assert first.tolist() == list(range(last + 2))
    owners = np.append(closed, 0)
    assert _moved(owners, first, begin).tolist() == list(range(last + 1))


class Twins(PublicGame):
    """Two public states of player 0 have one name, far apart."""

    name = "twins"
    parameters: ClassVar = {}

    def public_start(self):
        return ()

    def public_turn(self, state):
        return END if len(state) == 12 else 0

    def public_label(self, state):
        return "twin" if state in ((0,) * 11, (1,) * 11) else "".join(map(str, state))

    def public_actions(self, state):
        return ("0", "1")

    def public_after(self, state, action):
        return (*state, int(action))

    def deals(self, state):
        return []

    def hands(self, state):
        return Hands((("",), ("",)), np.ones((1, 1)))

    def payoff(self, state):
        return Payoff(np.ones((1, 1)), float(sum(state)))


def test_the_same_name_is_found_however_far_away():
    with pytest.raises(secateur.GameError, match="two public states of player 0 are called 'twin'"):
        secateur.compile(Twins())


_PEAK = r"""
import re, secateur
from pathlib import Path
from secateur.memory import resident_memory
sizes = tuple(range(1, 6))
rules = secateur.load("leduc", bet_sizes=(sizes, tuple(2 * size for size in sizes)))
secateur.compile(secateur.load("leduc"), pruning=True)
before = resident_memory()
game = secateur.compile(rules, pruning=True)
peak = 1024 * int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
print((peak - before) / game.cells)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads what the process takes from Linux")
def test_compiling_takes_little_more_than_the_compiled_game():
    """Of 21 bytes a sequence, and some megabytes of Python's own objects."""
    done = subprocess.run([sys.executable, "-c", _PEAK], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 44.0
