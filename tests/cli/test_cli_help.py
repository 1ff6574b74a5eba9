from pkgutil import resolve_name

import pytest

import secateur as package
from secateur.cli.commands import COMMANDS


def test_no_command_prints_help_that_teaches(secateur):
    code, out, err = secateur()
    assert (code, err) == (0, "")
    assert out == secateur("--help").out
    for words in ("games", "solve", "evaluate", "examples:", "secateur solve kuhn"):
        assert words in out


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_fits_80_columns_and_has_examples(secateur, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = secateur(*command, "--help")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "examples:\n  secateur " in out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_does_something(name):
    assert callable(resolve_name(COMMANDS[name].does))


@pytest.mark.parametrize("command", ["solve", "evaluate"])
def test_help_says_what_the_numbers_mean(secateur, command):
    out = secateur(command, "--help").out
    assert "exploitability  half of NashConv" in out


def test_version(secateur):
    assert secateur("--version") == (0, f"secateur {package.__version__}\n", "")
