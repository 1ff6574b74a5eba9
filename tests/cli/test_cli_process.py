import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ENDLESS = ["solve", "leduc", "--iterations", "1000000000"]
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]")


def read_until(stream, words):
    for line in stream:
        if words in line:
            return line
    pytest.fail(f"ended without {words!r}")
    return None


def test_json_is_all_there_is_on_standard_output(start):
    process = start("solve", "leduc", "--seconds", "1.2", "--json")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0
    assert json.loads(out)["stopped_because"] == "time is up"
    assert out.count("\n") == 1
    assert "iteration " in err
    assert "\x1b" not in out + err


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory):
    """Interrupt a run; return its exit code, outputs, and the path of its strategy."""
    path = tmp_path_factory.mktemp("interrupted") / "leduc.json"
    command = [sys.executable, "-m", "secateur", *ENDLESS, "--json", "--out", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        read_until(process.stderr, "iteration ")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    return process.returncode, out, err, path


def test_interrupted_run_gives_the_result_so_far(interrupted):
    code, out, err, path = interrupted
    assert code == 130
    facts = json.loads(out)
    assert facts["interrupted"] is True
    assert facts["stopped_because"] == "interrupted"
    assert facts["iterations"] > 0
    assert re.fullmatch(
        r"secateur: interrupted after [\d,]+ iterations; this is the result so far",
        err.splitlines()[-1],
    )
    assert "Traceback" not in err
    assert [each.name for each in path.parent.iterdir()] == ["leduc.json"]


def test_interrupted_run_reports_the_strategy_that_it_writes(interrupted, secateur):
    _, out, _, path = interrupted
    found = json.loads(out)
    facts = json.loads(secateur("evaluate", "leduc", path, "--json").out)
    assert facts["exploitability"] == pytest.approx(found["exploitability"], rel=0, abs=1e-12)


def test_interrupted_compilation_of_kernels_is_one_line(start, tmp_path):
    # An empty cache makes Numba compile.
    process = start("solve", "kuhn", env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})
    line = read_until(process.stderr, "compiling kernels")
    assert re.fullmatch(r"secateur: compiling kernels for CFR: about \d+ s, this once\n", line)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (130, "", "secateur: interrupted\n")


@pytest.mark.parametrize("seed", range(2))
def test_ctrl_c_again_and_again_changes_nothing(start, tmp_path, seed):
    """The first ends the run with its result; quick ones that follow do no harm."""
    chance = random.Random(seed)
    run = tmp_path / "run"
    process = start("solve", "leduc", "--iterations", "1000000000", "--run", run, "--json")
    read_until(process.stderr, "iteration ")
    for _ in range(chance.randint(2, 6)):
        process.send_signal(signal.SIGINT)
        time.sleep(chance.uniform(0.0, 0.15))
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert json.loads(out)["stopped_because"] == "interrupted"
    assert err.splitlines()[-1].endswith(f"go on with: secateur resume {run}")
    assert sorted(each.name.partition("-")[0] for each in run.iterdir()) == [
        *("checkpoint", "lock", "metrics.jsonl", "run.json", "strategy.json")
    ]


@pytest.mark.parametrize("seed", range(3))
def test_bursts_of_ctrl_c_at_any_moment_show_no_traceback(start, tmp_path, seed):
    chance = random.Random(seed)
    out = tmp_path / "kuhn.json"
    process = start("solve", "kuhn", "--iterations", "20000", "--out", out)
    wait_for_handler(process)
    time.sleep(chance.uniform(0.0, 2.0))
    for _ in range(chance.randint(2, 4)):
        process.send_signal(signal.SIGINT)
        time.sleep(chance.choice([0.0, 0.001, 0.02]))
    _, err = process.communicate(timeout=300)
    assert "Traceback" not in err
    assert "Exception" not in err
    assert process.returncode in (0, 130)
    assert [each.name for each in tmp_path.iterdir()] in ([], ["kuhn.json"])


def test_a_program_in_the_background_is_not_interrupted(start):
    """A shell starts it with SIGINT ignored, and so it stays."""
    process = start(
        *("solve", "kuhn", "--iterations", "300000", "--json"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    wait_for_handler(process)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert json.loads(out)["stopped_because"] == "iterations done"


def wait_for_handler(process):
    """Wait until a process loads numerical libraries; Python itself has started by then.

    Before its first line, Ctrl-C is Python's own affair.
    """
    deadline = time.monotonic() + 60.0
    loaded = Path(f"/proc/{process.pid}/maps")
    while "numpy" not in loaded.read_text():
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)


def test_who_insists_ends_the_program_at_once(start, tmp_path):
    """A third Ctrl-C, some time after the first, does not wait for the end of an iteration."""
    program = (
        "import os, signal, sys, time; from secateur.interruptions import Patience, interruptions; "
        "from secateur.atomic import new_file; patience = Patience(130); patience.begin()\n"
        "with interruptions(signal.SIGINT), new_file(sys.argv[1]) as file:\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60.0)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "file")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        for pause in (0.0, 0.2, 0.1, 1.2):
            time.sleep(pause)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == (b"", b"")
    assert process.returncode == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["games"], ["games", "--json"], ["--help"], ["solve", "kuhn"]])
def test_reader_that_has_seen_enough_gets_no_traceback(start, command):
    reading, writing = os.pipe()
    os.close(reading)
    process = start(*command, stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=300)
    assert err == ""
    assert process.returncode in (0, 1)


@pytest.mark.parametrize("command", [["--help"], ["games"], ["solve", "--fast"]])
def test_what_computes_nothing_loads_no_numerical_libraries(command):
    program = (
        "import sys; from secateur.cli.main import main; main(sys.argv[1:]); "
        "sys.exit(bool({'numba', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command], capture_output=True, check=False
    )
    assert done.returncode == 0


@pytest.fixture
def terminal():
    """Return both ends of a terminal of 100 columns."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    yield ours, theirs
    os.close(ours)
    os.close(theirs)


def shown(ours, process, until=None):
    """Return what a process shows on a terminal, up to some words or its end."""
    text = ""
    deadline = time.monotonic() + 300.0
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            text += os.read(ours, 65536).decode()
            if until is not None and until in text:
                return text
        elif process.poll() is not None:
            return text
    pytest.fail("nothing more is shown, and no end")
    return text


TERMINAL = {**os.environ, "TERM": "xterm-256color"}


def test_terminal_shows_progress_and_is_clean_afterwards(start, terminal):
    ours, theirs = terminal
    process = start("solve", "leduc", "--seconds", "1", "--json", stderr=theirs, env=TERMINAL)
    text = shown(ours, process)
    assert process.returncode == 0
    assert re.search(
        r"iteration [\d,]+  exploitability [\d.e-]+  [\d,]+/s  0:00:0\d  left 0:00:0\d", text
    )
    # The last line is erased, and the cursor is there again.
    erased = text.rpartition("\x1b[2K")[2]
    assert CONTROL.sub("", erased) == ""
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")
    assert json.loads(process.stdout.read())["game"] == "leduc"


def test_interrupt_leaves_the_terminal_clean(start, terminal):
    ours, theirs = terminal
    process = start(*ENDLESS, stderr=theirs, env=TERMINAL)
    shown(ours, process, until="exploitability")
    process.send_signal(signal.SIGINT)
    text = shown(ours, process)
    assert process.returncode == 130
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")
    last = CONTROL.sub("", text.rpartition("\x1b[2K")[2])
    assert re.fullmatch(
        r"secateur: interrupted after [\d,]+ iterations; this is the result so far", last
    )
    assert "interrupted" in process.stdout.read()


def test_dumb_terminal_gets_plain_lines(start, terminal):
    ours, theirs = terminal
    process = start(
        "solve", "leduc", "--seconds", "1.2", stderr=theirs, env={**TERMINAL, "TERM": "dumb"}
    )
    text = shown(ours, process)
    assert process.returncode == 0
    assert "\x1b" not in text
    assert text.startswith("secateur: iteration ")
