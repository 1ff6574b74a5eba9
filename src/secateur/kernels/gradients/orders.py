"""What a thread asks of others that help it: one sweep after the other, as it decides."""

from __future__ import annotations

from typing import NamedTuple

from secateur.kernels.compilation.decorator import part
from secateur.kernels.gradients.books import ORDER

RESPOND, RESPOND_TO_MIXTURE, FOLLOW = range(3)


class Order(NamedTuple):
    """A sweep. Plans, books and behaviors are those of a desk, by their places there."""

    task: int
    me: int
    """Who responds, or whose behavior is followed."""

    plan: int = 0
    before: int = 0
    """The books of the gradient so far."""

    books: int = 0
    """Where the response goes, or what is followed."""

    old: float = 0.0
    new: float = 1.0
    smoothing: float = 0.0
    threshold: float = 0.0
    behavior: int = 0
    """The books of the behavior that is mixed with the plan."""

    keep: float = 0.0
    share: float = 0.0
    """How much of the plan, and of the behavior, is faced."""

    target: int = 0
    """The plan where another such mixture goes; may be the plan itself."""

    target_keep: float = 0.0
    target_share: float = 0.0


assert len(Order._fields) == ORDER


@part
def write_order(
    numbers,
    task,
    me,
    plan,
    before,
    books,
    old,
    new,
    smoothing,
    threshold,
    behavior,
    keep,
    share,
    target,
    target_keep,
    target_share,
):
    """Write an order to where others read it; see :class:`Order`."""
    numbers[0] = task
    numbers[1] = me
    numbers[2] = plan
    numbers[3] = before
    numbers[4] = books
    numbers[5] = old
    numbers[6] = new
    numbers[7] = smoothing
    numbers[8] = threshold
    numbers[9] = behavior
    numbers[10] = keep
    numbers[11] = share
    numbers[12] = target
    numbers[13] = target_keep
    numbers[14] = target_share


@part
def order_response(numbers, me, plan, smoothing, threshold, books):
    """Write the order to respond to a plan."""
    write_order(
        numbers,
        RESPOND,
        me,
        plan,
        books,
        books,
        0.0,
        1.0,
        smoothing,
        threshold,
        0,
        0.0,
        0.0,
        plan,
        0.0,
        0.0,
    )


@part
def order_to_follow(numbers, player, books, plan, added, target, keep, share):
    """Write the order that ``target`` be ``keep`` times a plan plus ``share`` times a behavior's.

    ``added`` times the latter is added to the plan, unless that is the target itself.
    """
    write_order(
        numbers,
        FOLLOW,
        player,
        plan,
        books,
        books,
        0.0,
        added,
        0.0,
        0.0,
        books,
        0.0,
        0.0,
        target,
        keep,
        share,
    )


@part
def read_order(numbers):
    """Return the order that was written."""
    return Order(
        int(numbers[0]),
        int(numbers[1]),
        int(numbers[2]),
        int(numbers[3]),
        int(numbers[4]),
        numbers[5],
        numbers[6],
        numbers[7],
        numbers[8],
        int(numbers[9]),
        numbers[10],
        numbers[11],
        int(numbers[12]),
        numbers[13],
        numbers[14],
    )
