from argparse import ArgumentTypeError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.cli import values
from secateur.games import available, load

finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("entry", available(), ids=lambda entry: entry.name)
def test_written_defaults_give_the_default_game(entry):
    settings = {each.name: values.written(each.default) for each in entry.parameters}
    assert load(entry.name, **settings) == load(entry.name)


@given(st.lists(st.lists(finite, min_size=2, max_size=2), min_size=1, max_size=3))
def test_written_numbers_keep_all_digits(rows):
    matrix = tuple(map(tuple, rows))
    assert load("matrix", matrix=values.written(matrix)).matrix == matrix


@pytest.mark.parametrize(
    ("text", "number"), [("1", 1), ("1_000", 1000), ("1e6", 10**6), ("9" * 18, int("9" * 18))]
)
def test_counts(text, number):
    assert values.count(text) == number


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "inf", "nan", "many", "", "-1e3", "9" * 30])
def test_what_is_not_a_count(text):
    with pytest.raises(ArgumentTypeError, match="whole number"):
        values.count(text)


@pytest.mark.parametrize("text", ["0", "-1", "inf", "nan", "soon", "", "-0.0"])
def test_what_is_not_positive(text):
    with pytest.raises(ArgumentTypeError, match="above 0"):
        values.positive(text)


def test_options_are_quoted_for_the_shell():
    assert values.as_options({"a": "x y", "b": (1.0, 2.5)}) == "--set 'a=x y' --set b=1,2.5"
