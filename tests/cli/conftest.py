import signal
import subprocess
import sys
from typing import NamedTuple

import pytest

from secateur.cli.main import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def kernels_in_the_cache():
    """Compile kernels before processes are timed that would else have to do it."""
    solve = [sys.executable, "-m", "secateur", "solve", "kuhn", "--iterations", "1", "--json"]
    subprocess.run(solve, capture_output=True, check=True)


@pytest.fixture(scope="session", autouse=True)
def interrupts_arrive():
    """Have Ctrl-C in processes that are started, even if a shell runs the tests without."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def secateur(capsys):
    """Run a command in this process."""

    def run(*arguments):
        code = main([str(each) for each in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def start():
    """Start a command in a process of its own, which does not survive the test."""
    processes = []

    def popen(*arguments, **options):
        command = [sys.executable, "-m", "secateur", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command, **{**pipes, **options})
        processes.append(process)
        return process

    yield popen
    for process in processes:
        process.kill()
        process.communicate()
