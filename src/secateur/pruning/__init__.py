"""What a solver may skip: the policies there are, in one table."""

from __future__ import annotations

from typing import Any

from secateur import checks
from secateur.pruning.best_response import BestResponsePruning
from secateur.pruning.policy import Pruning
from secateur.pruning.regret_based import RegretBasedPruning
from secateur.pruning.visits import NoPruning, PartialPruning

__all__ = [
    "POLICIES",
    "BestResponsePruning",
    "NoPruning",
    "PartialPruning",
    "Pruning",
    "RegretBasedPruning",
    "a_pruning",
]

POLICIES: dict[str, type[Pruning]] = {
    each.name: each for each in (NoPruning, PartialPruning, RegretBasedPruning, BestResponsePruning)
}
"""By the names that are typed; the command line and files of runs know these."""


def a_pruning(asked: str, value: Any) -> Pruning:
    """Accept a policy: the rule of options that take one."""
    *most, last = (f"{each.__name__}()" for each in POLICIES.values())
    remedy = f"pass a policy: secateur.{', '.join(most)} or {last}"
    policy: Pruning = checks.instance_of(Pruning, remedy)(asked, value)
    return policy
