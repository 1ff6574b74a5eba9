"""How little a response may win at one information set and still count as nearly best."""

from __future__ import annotations

from math import sqrt


def near_maximum(values: list[float], allowance: float) -> float:
    """Return the smallest x >= min(values) with sum_a max(0, values[a] - x)^2 <= allowance.

    With allowance 0 this is the maximum. Write x = max(values) - y and let d_1 <= d_2 <= ... be
    the distances of the values from their maximum. If exactly the k best values exceed x, then y
    is the larger root of

        k y^2 - 2 y (d_1 + ... + d_k) + (d_1^2 + ... + d_k^2) - allowance = 0,

    and k is right as soon as y <= d_{k+1}. No response can win less than its worst action.
    """
    best = max(values)
    distances = sorted(best - value for value in values)
    linear = square = 0.0
    for count, distance in enumerate(distances, start=1):
        linear += distance
        square += distance * distance
        discriminant = linear * linear - count * (square - allowance)
        # negative only by rounding: at y = d_k the left side is below zero, so there is a root
        discriminant = max(0.0, discriminant)
        y = (linear + sqrt(discriminant)) / count
        if count == len(distances) or y <= distances[count]:
            return max(min(values), best - y)
    raise ValueError("no values")
