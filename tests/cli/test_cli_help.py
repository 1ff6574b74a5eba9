import pytest

import secateur as package


def test_no_command_prints_help_that_teaches(secateur):
    code, out, err = secateur()
    assert (code, err) == (0, "")
    assert out == secateur("--help").out
    for words in ("games", "solve", "evaluate", "examples:", "secateur solve kuhn"):
        assert words in out


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["games"],
        ["solve"],
        ["resume"],
        ["status"],
        ["plot"],
        ["evaluate"],
        ["show"],
        ["export"],
        ["reproduce"],
    ],
)
def test_help_fits_80_columns_and_has_examples(secateur, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = secateur(*command, "--help")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "examples:\n  secateur " in out


@pytest.mark.parametrize("command", ["solve", "evaluate"])
def test_help_says_what_the_numbers_mean(secateur, command):
    out = secateur(command, "--help").out
    assert "exploitability  half of NashConv" in out


def test_version(secateur):
    assert secateur("--version") == (0, f"secateur {package.__version__}\n", "")
