"""Iterations of fictitious play."""

from __future__ import annotations

from secateur.kernels.decorator import kernel
from secateur.kernels.respond import follow, respond


@kernel
def iterate_fictitious_play(g, b, first, last, tie, total, response, how, books, room):
    """Run iterations ``first`` to ``last``; return histories touched.

    Both players' strategies are added to ``total``; then both respond to all that they have faced.
    What a gradient gains in an iteration is against the opponent's current strategy alone.
    """
    nodes = 0
    for t in range(first, last + 1):
        for player in range(2):
            follow(g, player, books.behaviour, 1.0, 1.0, total, total, response, room)
        for me in range(2):
            _, touched = respond(g, b, me, response, 1.0, 1.0, 0.0, t * tie, 0.0, how, books, room)
            nodes += touched
    return nodes
