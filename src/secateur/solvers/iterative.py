"""All algorithms that go step by step, and what they step."""

from __future__ import annotations

from secateur.solvers.cfr import CFR
from secateur.solvers.cfr import State as CFRStates
from secateur.solvers.egt import EGT, EGTState
from secateur.solvers.fictitious_play import FictitiousPlay, FictitiousPlayState
from secateur.solvers.mirror_descent import OptimisticMirrorDescent, OptimisticMirrorDescentState

Iterative = CFR | EGT | FictitiousPlay | OptimisticMirrorDescent
"""Frozen descriptions, each with a ``start``."""

State = CFRStates | EGTState | FictitiousPlayState | OptimisticMirrorDescentState
"""What ``start`` returns."""
