from itertools import pairwise

import pytest

from secateur.cli.progress import PlainProgress
from secateur.compiled.progress import Reading
from secateur.conditions import Snapshot
from secateur.until import seconds


def snapshots(times):
    return [
        Snapshot(int(100 * time), time, 2.0 / time, 1.0 / time, None, 0, 0.5, 0.5) for time in times
    ]


def lines_of_a_run(capsys, times, until=None):
    history = snapshots(times)
    with PlainProgress() as display:
        if until is not None:
            display.expect(until)
        for count in range(1, len(history) + 1):
            display.observe(history[:count])
    return capsys.readouterr().err.splitlines()


def test_short_runs_print_no_lines(capsys):
    assert lines_of_a_run(capsys, [0.01, 0.1, 0.5, 0.9]) == []


def test_lines_become_rarer_down_to_one_a_minute(capsys):
    lines = lines_of_a_run(capsys, [0.1 * step for step in range(1, 6000)])
    times = [float(line.split()[2].strip(",").replace(",", "")) / 100 for line in lines]
    gaps = [after - before for before, after in pairwise(times)]
    assert times[0] == pytest.approx(1.0)
    assert all(small <= large + 0.11 for small, large in pairwise(gaps))
    assert max(gaps) == pytest.approx(60.0, abs=0.2)
    assert len(lines) < 20


def test_lines_have_all_numbers(capsys):
    (line,) = lines_of_a_run(capsys, [1.25], seconds(50.0))
    assert line == (
        "secateur: iteration 125, exploitability 0.8, 50% alive, 100 iterations/s, 1.25 s, "
        "about 49 s left"
    )


def test_unknown_time_left_is_not_told(capsys):
    (line,) = lines_of_a_run(capsys, [2.0])
    assert line.endswith(", 2.00 s")


def test_reading_rules_for_long_is_told(capsys, monkeypatch):
    monkeypatch.setattr(PlainProgress, "_FIRST_READING", 0.0)
    with PlainProgress() as display:
        display.read(Reading(30_000, 123_456.0))
        display.read(Reading(123_456, 123_456.0))  # the end is no news
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("secateur: compiling, 30,000 of about 120,000 histories (24%), ")


def test_estimates_that_mean_nothing_are_not_told(capsys, monkeypatch):
    monkeypatch.setattr(PlainProgress, "_FIRST_READING", 0.0)
    with PlainProgress() as display:
        display.read(Reading(30_000, 1e40))
    assert "compiling, 30,000 histories, " in capsys.readouterr().err
