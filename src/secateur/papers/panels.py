"""What a panel of a figure shows of each curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from secateur.papers.runs import Measurement

Reading = Callable[[Measurement], float]


@dataclass(frozen=True)
class Panel:
    """One number over another."""

    across: Reading
    across_label: str
    up: Reading
    up_label: str
    unsteady: Reading | None = None
    """What the lowest so far hides: how much a curve goes up and down."""

    is_share: bool = False
    """Whether the vertical axis goes from 0 to 1; else it is logarithmic."""


def _nodes(now: Measurement) -> float:
    return now.nodes_touched


def _share(now: Measurement) -> float:
    return now.entries_live / now.entries_total


def _lowest_nash_conv(now: Measurement) -> float:
    return 2.0 * now.lowest_exploitability


SPACE = Panel(_nodes, "nodes touched", _share, "share of entries live", is_share=True)
CONVERGENCE = Panel(
    _nodes,
    "nodes touched",
    lambda now: now.lowest_exploitability,
    "exploitability",
    lambda now: now.exploitability,
)
NASH_CONV = Panel(_nodes, "nodes touched", _lowest_nash_conv, "NashConv", lambda now: now.nash_conv)
NASH_CONV_IN_TIME = Panel(
    lambda now: now.seconds,
    "seconds of the processor",
    _lowest_nash_conv,
    "NashConv",
    lambda now: now.nash_conv,
)
