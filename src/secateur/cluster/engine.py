"""Ray: the only module that knows it."""

from __future__ import annotations

import math
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from secateur.checks import shown
from secateur.crew import cores
from secateur.errors import ParameterError, SecateurError
from secateur.extras import how_to_install
from secateur.schema import shortened

AUTO = "auto"

_ANSWER = 10.0
"""Seconds in which somebody must answer at an address."""

_ROOM = 120.0
"""Seconds in which actors must have begun."""

_STORE = 256 << 20
"""Bytes of the object store of a cluster that is started for a run: slices of games go there."""


class LostError(Exception):
    """Actors that are gone, or do not answer, by their numbers."""

    def __init__(self, numbers: Sequence[int], reason: str) -> None:
        super().__init__(reason)
        self.numbers = numbers
        self.reason = reason


def imported() -> Any:
    """Return the module of Ray, if it is installed."""
    try:
        import ray  # noqa: PLC0415 - it takes seconds, and not everybody has it
    except ImportError as error:
        raise SecateurError(
            f"a cluster needs Ray, which is not installed; run: {how_to_install('cluster')}"
        ) from error
    return ray


def check_address(address: str) -> None:
    """Raise ParameterError if nobody answers at an address, instead of waiting for long."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise ParameterError(
            f"cluster {shown(address)}: give 'auto', or an address such as '10.0.0.1:6379'."
        )
    try:
        socket.create_connection((host, int(port)), _ANSWER).close()
    except OSError as error:
        raise ParameterError(
            f"cluster {shown(address)}: nobody answers there ({error.strerror or error}); start "
            "one with 'ray start --head', or check the address."
        ) from error


class Cluster:
    """A cluster that this process is connected to.

    Parameters
    ----------
    address : str
        Where it is; "auto" is the one that runs on this machine, or else one for this process.
    """

    def __init__(self, address: str) -> None:
        self._ray = imported()
        if not self._ray.is_initialized():
            self._connect(address)
        self._actors: list[Any] = []

    def _connect(self, address: str) -> None:
        quiet = {"log_to_driver": False, "logging_level": "error"}
        if address != AUTO:
            check_address(address)
        try:
            self._ray.init(address=address, **quiet)
        except ConnectionError as error:
            if address != AUTO:
                raise ParameterError(
                    f"cluster {shown(address)}: no cluster of Ray answers there; start one with "
                    "'ray start --head', or check the address."
                ) from error
            self._ray.init(
                num_cpus=cores(), include_dashboard=False, object_store_memory=_STORE, **quiet
            )
        except (RuntimeError, ValueError) as error:  # such as another version of Ray or Python
            reason = " ".join(str(error).split())
            raise ParameterError(f"cluster {shown(address)}: {reason}") from error

    def send_whole(self, game: object) -> None:
        """Send rules with all of their module if it is a file that others cannot import."""
        module = sys.modules.get(type(game).__module__)
        if hasattr(module, "__secateur_source__"):
            self._ray.cloudpickle.register_pickle_by_value(module)

    def usual_count(self) -> int:
        """Return how many actors there should be: one on each machine."""
        return sum(1 for node in self._ray.nodes() if node["Alive"] and _cpus(node))

    def threads_each(self, count: int) -> int:
        """Return how many threads each of so many actors may use."""
        return max(1, math.floor(self._share(count)))

    def _share(self, count: int) -> float:
        """Return the processors that each of so many actors has, on average."""
        total = sum(_cpus(node) for node in self._ray.nodes() if node["Alive"])
        share: float = total / max(1, count)
        return float(math.floor(share)) if share >= 1.0 else share

    def hire(self, kind: type, arguments: Sequence[Any], count: int) -> Any:
        """Start one of so many actors; it may not have begun when this returns."""
        actor = self._ray.remote(kind)
        options = {"num_cpus": self._share(count), "max_restarts": 0}
        return actor.options(**options, scheduling_strategy="SPREAD").remote(*arguments)

    def wait_for(self, actors: Sequence[Any], method: str, *arguments: Any) -> list[Any]:
        """Ask new actors something; that there is no room for them is an error."""
        calls = [getattr(actor, method).remote(*arguments) for actor in actors]
        ready, waiting = self._ray.wait(calls, num_returns=len(calls), timeout=_ROOM)
        if waiting:
            raise SecateurError(
                f"the cluster has no room for {len(actors)} shards: {len(ready)} have begun after "
                f"{_ROOM:g} seconds; use fewer shards, or add machines."
            )
        try:
            return self._answers(calls, _ROOM)
        except LostError as error:
            raise SecateurError(
                f"a machine of the cluster could not start a shard ({error.reason}); install the "
                "same secateur on all of them."
            ) from error

    def ask(
        self,
        actors: Sequence[Any],
        method: str,
        arguments: Sequence[Sequence[Any]],
        patience: float,
    ) -> list[Any]:
        """Have all actors do something, each with its arguments; return their answers.

        Raises
        ------
        LostError
            If some are gone, or have not answered in so many seconds; these are ended.
        SecateurError
            If one raises it.
        """
        calls = [
            getattr(actor, method).remote(*each)
            for actor, each in zip(actors, arguments, strict=True)
        ]
        try:
            return self._answers(calls, patience)
        except LostError as error:
            for number in error.numbers:
                self._ray.kill(actors[number])
            raise

    def _answers(self, calls: list[Any], patience: float) -> list[Any]:
        errors = self._ray.exceptions
        end = time.monotonic() + patience
        try:
            found_at_once: list[Any] = self._ray.get(calls, timeout=patience)
        except errors.RayError:  # then each is asked: some may have answered
            pass
        else:
            return found_at_once
        found: list[Any] = []
        lost: dict[int, str] = {}
        for number, call in enumerate(calls):
            try:
                found.append(self._ray.get(call, timeout=max(0.0, end - time.monotonic())))
            except errors.GetTimeoutError:
                lost[number] = f"it has not answered for {patience:.0f} seconds"
            except errors.OutOfMemoryError:
                lost[number] = _OUT_OF_MEMORY
            except errors.RayTaskError as error:
                if isinstance(error.cause, MemoryError):
                    lost[number] = _OUT_OF_MEMORY
                else:
                    raise error.cause from None
            except errors.RayError as error:
                lost[number] = shortened(str(error).split("\n", maxsplit=1)[0].rstrip("."))
        if lost:
            number, reason = next(iter(lost.items()))
            raise LostError([*lost], f"shard {number} is lost: {reason}")
        return found

    def stream(self, actor: Any, number: int, method: str, *arguments: Any) -> Iterator[Any]:
        """Go through what a method of an actor yields."""
        calls = getattr(actor, method).options(num_returns="streaming").remote(*arguments)
        try:
            for call in calls:
                yield self._ray.get(call)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            raise LostError([number], f"shard {number} is lost: {error}") from error

    def dismiss(self, actors: Sequence[Any]) -> None:
        """End actors."""
        for actor in actors:
            self._ray.kill(actor)


_OUT_OF_MEMORY = "it ran out of memory; use more shards, or larger machines"


def _cpus(node: dict[str, Any]) -> float:
    return float(node["Resources"].get("CPU", 0.0))
