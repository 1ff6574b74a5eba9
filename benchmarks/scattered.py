"""Games for benchmarks of clusters, and runs of them on actors of this machine."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ACTORS = (1, 2, 4)

REST = 4.0
"""Seconds after which Ray has started other processes in the place of those it has given away."""


def _sizes(count: int) -> str:
    """Return so many bet sizes for each round of Leduc."""
    rounds = ([f"{factor * k}" for k in range(1, count + 1)] for factor in (1, 2))
    return "/".join(",".join(each) for each in rounds)


GAMES = {f"{count} bet sizes": _sizes(count) for count in (6, 12, 18)}
"""About 2, 20 and 100 milliseconds of sweeps an iteration, by one thread."""


def compiled(title: str) -> Any:
    """Return a game, from the cache if it has been compiled before."""
    import secateur

    return secateur.compile(rules_of(title), cache=True)


def rules_of(title: str) -> Any:
    """Return the rules of a game."""
    import secateur

    return secateur.load("leduc", bet_sizes=GAMES[title])


class Scattered(NamedTuple):
    """A run on actors of this machine."""

    state: Any
    shards: Any
    nbytes: list[int]
    """Of the arrays of each shard."""

    @staticmethod
    @contextmanager
    def of(source: Any, count: int, solver: Any) -> Iterator[Scattered]:
        """Begin a run on so many actors, and wait until Ray is at rest."""
        from secateur.cluster.engine import Cluster
        from secateur.cluster.shards import Shards
        from secateur.cluster.sources import scattered_game
        from secateur.cluster.state import ClusterState

        with tempfile.TemporaryDirectory() as place:
            Path(place, "lock").touch()
            shards = Shards(Cluster("auto"), source, solver, count, Path(place))
            summaries = shards.tell("summary")
            trunk = source.trunk(summaries)
            whole = scattered_game(trunk, summaries, shards.holdings)
            state = ClusterState(solver, whole, trunk, shards, print)
            state.step(5)
            state.nash_conv()
            time.sleep(REST)
            pairs = zip(state.conditions(), summaries, strict=True)
            yield Scattered(state, shards, [a.bytes_resident + b.nbytes for a, b in pairs])
            shards.dismiss()

    @property
    def resident(self) -> list[int]:
        """What the process of each shard takes."""
        return [each.memory for each in self.shards.tell("condition")]


def begin_ray() -> None:
    """Start a small cluster on this machine."""
    import ray

    from secateur.crew import cores

    ray.init(
        num_cpus=cores(),
        include_dashboard=False,
        object_store_memory=512 << 20,
        log_to_driver=False,
    )
