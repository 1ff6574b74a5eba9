"""A cluster in this process: what Ray does without other processes, and accidents on demand."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from secateur.cluster.engine import LostError


def sent(thing: Any) -> Any:
    """Return a copy as it would arrive in another process: its arrays can only be read."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(each.raw()) for each in buffers])


class LocalCluster:
    """Has actors do at once what they are asked to do.

    Parameters
    ----------
    accident : callable
        Is given the number of a call and its method; returns the actors that are lost with it.
    """

    def __init__(self, accident: Callable[[int, str], Sequence[int]] = lambda *_: ()) -> None:
        self._accident = accident
        self._calls = 0
        self.hired = 0

    def send_whole(self, game: object) -> None:
        pass

    def usual_count(self) -> int:
        return 2

    def threads_each(self, count: int) -> int:
        return 1

    def hire(self, kind: type, arguments: Sequence[Any], count: int) -> Any:
        self.hired += 1
        return kind(*arguments)

    def wait_for(self, actors: Sequence[Any], method: str, *arguments: Any) -> list[Any]:
        return [getattr(actor, method)(*arguments) for actor in actors]

    def ask(
        self,
        actors: Sequence[Any],
        method: str,
        arguments: Sequence[Sequence[Any]],
        patience: float,
    ) -> list[Any]:
        self._calls += 1
        lost = [each for each in self._accident(self._calls, method) if each < len(actors)]
        found = [
            sent(getattr(actor, method)(*sent(tuple(each))))
            for number, (actor, each) in enumerate(zip(actors, arguments, strict=True))
            if number not in lost
        ]
        if lost:
            raise LostError(lost, f"shard {lost[0]} is lost: by accident")
        return found

    def stream(self, actor: Any, number: int, method: str, *arguments: Any) -> Iterator[Any]:
        yield from getattr(actor, method)(*arguments)

    def dismiss(self, actors: Sequence[Any]) -> None:
        pass
