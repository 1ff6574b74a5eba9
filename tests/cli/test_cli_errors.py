import os
import tempfile

import pytest

from secateur.cli import solving
from secateur.cli.main import main
from secateur.errors import SecateurError


def one_line(outcome):
    code, out, err = outcome
    assert (code, out) == (2, "")
    assert err.startswith("secateur: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("slove kuhn", "invalid choice: 'slove' (did you mean 'solve'?"),
        ("solve kuhn_poker", "did you mean 'kuhn'?"),
        ("solve kuhn --algorithm cfrp", "did you mean"),
        ("solve kuhn --prune brb", "did you mean"),
        ("reproduce brp_fig1 --out x", "did you mean 'brp-fig1'?"),
        ("solve kuhn --iteration 5", "did you mean --iterations?"),
        ("solve", "required: GAME"),
        ("solve kunh", "did you mean 'kuhn'?"),
        ("solve kuhn --algorithm magic", "pcfr+, hedge"),
        ("solve kuhn --prune all", "'partial'"),
        ("solve kuhn --updates never", "'simultaneous'"),
        ("solve kuhn --precision float16", "'float32'"),
        ("solve kuhn --fast", "unrecognized arguments: --fast"),
        ("solve kuhn --iter 5", "unrecognized arguments: --iter"),
        ("solve kuhn cards=4", "write --set before each name=value"),
        ("solve kuhn --set cards", "name=value"),
        ("solve kuhn --set =4", "name=value"),
        ("solve kuhn --set cards=4 --set cards=5", "given twice"),
        ("solve kuhn --set cards=", "give a whole number"),
        ("solve kuhn --set cards=four", "give a whole number"),
        ("solve kuhn --set cards=1", "choose 2 to 13"),
        ("solve kuhn --set card=4", "did you mean 'cards'?"),
        ("solve leduc --set ranks=0", "ranks=0"),
        ("solve leduc --set bet_sizes=nan/1", "nan"),
        ("solve matrix --set matrix=nan,1/1,0", "give finite payoffs"),
        ("solve matrix --set matrix=1,2/3", "rows of different length"),
        ("solve kuhn --target 0", "above 0"),
        ("solve kuhn --target -1", "above 0"),
        ("solve kuhn --target nan", "above 0"),
        ("solve kuhn --target inf", "above 0"),
        ("solve kuhn --target low", "above 0"),
        ("solve kuhn --iterations 0", "1 or more"),
        ("solve kuhn --iterations -5", "1 or more"),
        ("solve kuhn --iterations 1.5", "1 or more"),
        ("solve kuhn --iterations 1e30", "up to 1e18"),
        ("solve kuhn --algorithm exact --count-nodes", "--count-nodes does not go with"),
        ("solve openspiel:kuhn_poker --set game=leduc_poker", "has no parameter 'game'"),
        ("solve kuhn --seconds 0", "above 0"),
        ("solve kuhn --seconds -1", "above 0"),
        ("solve kuhn --seconds nan", "above 0"),
        ("solve kuhn --out", "expected one argument"),
        ("evaluate kuhn", "required: STRATEGY_FILE"),
    ],
)
def test_wrong_input_is_one_line(secateur, arguments, words):
    assert words in one_line(secateur(*arguments.split()))


@pytest.mark.parametrize(
    "option",
    [
        "--prune none",
        "--prune partial",
        "--updates alternating",
        "--precision float64",
        "--iterations 5",
        "--target 1e-3",
        "--seconds 5",
    ],
)
def test_exact_takes_no_options_of_iterative_algorithms(secateur, option):
    err = one_line(secateur("solve", "kuhn", "--algorithm", "exact", *option.split()))
    assert option.split()[0] in err


def test_usage_errors_name_the_help_of_the_command(secateur):
    assert "see 'secateur solve --help'" in one_line(secateur("solve", "kuhn", "--target", "0"))
    assert "see 'secateur solve --help'" in one_line(secateur("solve", "kuhn", "--fast"))
    assert "see 'secateur --help'" in one_line(secateur("--fast"))


@pytest.fixture
def never_solves(monkeypatch):
    def fail(*_, **__):
        pytest.fail("solved before the path was checked")

    monkeypatch.setattr(solving, "compile_game", fail)


@pytest.mark.usefixtures("never_solves")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing/kuhn.json", "no directory"),
        ("", "is a directory"),
        ("file/kuhn.json", "cannot write"),
        ("loop/kuhn.json", "cannot write"),
        ("x" * 300, "File name too long"),
    ],
)
def test_bad_output_path_is_found_before_solving(secateur, tmp_path, name, words):
    (tmp_path / "file").write_text("content")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = sorted(tmp_path.iterdir())
    assert words in one_line(secateur("solve", "kuhn", "--out", f"{tmp_path}/{name}"))
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.usefixtures("never_solves")
def test_directory_without_permission_is_found_before_solving(secateur, tmp_path, monkeypatch):
    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    assert "Permission denied" in one_line(secateur("solve", "kuhn", "--out", tmp_path / "k.json"))


@pytest.mark.usefixtures("never_solves")
def test_read_only_file_is_found_before_solving(secateur, tmp_path, monkeypatch):
    path = tmp_path / "kuhn.json"
    path.write_text("precious")
    path.chmod(0o444)
    # The superuser may write anything, so ask as somebody else would.
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "Permission denied" in one_line(secateur("solve", "kuhn", "--out", path))
    assert path.read_text() == "precious"


@pytest.mark.usefixtures("never_solves")
def test_pipes_and_devices_are_not_replaced(secateur, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "not an ordinary file" in one_line(secateur("solve", "kuhn", "--out", pipe))
    assert pipe.is_fifo()


def test_own_output_is_not_replaced(start, tmp_path):
    path = tmp_path / "report.txt"
    with path.open("w") as report:
        process = start("solve", "kuhn", "--out", path, stdout=report)
        _, err = process.communicate(timeout=300)
    assert process.returncode == 2
    assert "not an ordinary file" in err
    assert path.read_text() == ""


def test_good_file_survives_bad_input(secateur, tmp_path):
    path = tmp_path / "kuhn.json"
    path.write_text("precious")
    one_line(secateur("solve", "kuhn", "--target", "0", "--out", path))
    one_line(secateur("solve", "kuhn", "--set", "cards=99", "--out", path))
    assert path.read_text() == "precious"


def test_messages_stay_on_one_line_without_control_characters(secateur, monkeypatch):
    def fail(*_, **__):
        raise SecateurError("bad\nfile \x1b[31mred")

    monkeypatch.setattr(solving, "compile_game", fail)
    assert secateur("solve", "kuhn").err == "secateur: bad file \\x1b[31mred\n"


def test_lack_of_memory_is_one_line(secateur, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(solving, "compile_game", fail)
    assert "not enough memory" in one_line(secateur("solve", "kuhn"))


@pytest.mark.parametrize("place", ["compile_game", "prepare_kernels"])
def test_interrupted_preparation_is_one_line(capsys, monkeypatch, place):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, place, interrupt)
    assert main(["solve", "kuhn"]) == 130
    assert capsys.readouterr() == ("", "secateur: interrupted\n")


def test_games_that_forget_are_told_the_option(secateur, tmp_path):
    path = tmp_path / "forgetful.efg"
    path.write_text(
        'EFG 2 R "forgetful" { "Ann" "Bob" } p "" 1 1 "" { "l" "r" } 0'
        ' p "" 1 2 "" { "x" } 0 t "" 1 "" { 1 -1 } p "" 1 2 "" { "x" } 0 t "" 2 "" { 2 -2 }'
    )
    err = one_line(secateur("solve", path))
    assert err.endswith("or use --set perfect_recall=true.\n")
    assert secateur("solve", path, "--set", "perfect_recall=true", "--iterations", 2).code == 0
    err = one_line(secateur("solve", "openspiel:dark_hex_ir(board_size=2)"))
    assert err.endswith("or use --set perfect_recall=true.\n")
