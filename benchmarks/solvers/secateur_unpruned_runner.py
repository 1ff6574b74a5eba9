"""secateur's CFR+ when it must visit the whole game, as the peers do."""

from __future__ import annotations

import secateur
from benchmarks.games import GameFiles
from benchmarks.solvers import secateur_runner


class Runner(secateur_runner.Runner):
    """``secateur.recipes.cfr_plus`` without pruning."""

    def __init__(self, files: GameFiles) -> None:
        super().__init__(files)
        solver = secateur.recipes.cfr_plus(pruning=secateur.NoPruning())
        self.state = solver.start(self.game)
