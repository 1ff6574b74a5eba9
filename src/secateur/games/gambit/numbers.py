"""Numbers of ``.efg`` files: exact, and never so large that they could stall the reader."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

_LONGEST = 1_000
_LARGEST_EXPONENT = 400
_DENOMINATOR_BITS = 4_096
_CHANCE_DECIMALS = 30
_SIMPLE_DENOMINATOR = 10**6

Number = float | Fraction


@lru_cache(maxsize=4096)
def parsed(text: str) -> Fraction:
    """Return the number that a token spells; a ValueError says why there is none."""
    if len(text) > _LONGEST:
        raise ValueError(f"a number of {len(text):,} characters; write at most {_LONGEST:,}")
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > _LARGEST_EXPONENT:
        raise ValueError(
            f"the exponent of {text[:40]} is out of range; "
            f"write exponents from -{_LARGEST_EXPONENT} to {_LARGEST_EXPONENT}"
        )
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{text[:40]} divides by zero; write another denominator") from None


def added(first: Fraction, second: Fraction) -> Fraction:
    """Return the exact sum; a ValueError tells that its denominator is absurd."""
    total = first + second
    if total.denominator.bit_length() > _DENOMINATOR_BITS:
        raise ValueError(
            "the common denominator of the numbers that add up here has more than 1,200 digits; "
            "write them with fewer digits"
        )
    return total


def fits(number: Fraction) -> bool:
    """Tell whether a number is in the range of double precision."""
    try:
        float(number)
    except OverflowError:
        return False
    return True


def shown(number: Fraction) -> str:
    """Return a number for messages: exactly if that is short."""
    if abs(number.numerator) < _SIMPLE_DENOMINATOR and number.denominator < _SIMPLE_DENOMINATOR:
        return str(number)
    return f"{float(number):.15g}" if fits(number) else "a number too large for double precision"


def written(number: Number) -> str:
    """Return a number as Gambit reads it: a decimal without exponent if there is one."""
    exact = _exact(number)
    return _terminating(exact) or str(exact)


def chances(probabilities: Sequence[Number]) -> list[str]:
    """Return probabilities that sum to exactly one, as Gambit demands.

    Fractions stay what they are. For floating-point numbers the simple fractions that are meant
    are found (0.1666... is 1/6), or else decimals are rounded so that the sum is right.
    """
    exact = [p for p in probabilities if isinstance(p, Fraction)]
    if len(exact) < len(probabilities):
        exact = [Fraction(p).limit_denominator(_SIMPLE_DENOMINATOR) for p in probabilities]
    same = all(float(e) == float(p) for e, p in zip(exact, probabilities, strict=True))
    if not same or sum(exact) != 1:
        return decimals(probabilities, _CHANCE_DECIMALS)
    return [
        str(p) if p.denominator <= _SIMPLE_DENOMINATOR else _terminating(p) or str(p) for p in exact
    ]


def decimals(probabilities: Sequence[Number], places: int) -> list[str]:
    """Return probabilities as decimals that sum to exactly one; the largest is adjusted."""
    unit = 10**places
    parts = [round(Fraction(p) * unit) for p in probabilities]
    parts[parts.index(max(parts))] += unit - sum(parts)
    return [_decimal(part, places) for part in parts]


def _exact(number: Number) -> Fraction:
    """Return a number, or what is meant by the shortest decimal of a floating-point number."""
    return number if isinstance(number, Fraction) else Fraction(Decimal(repr(float(number))))


def _terminating(number: Fraction) -> str | None:
    """Return a number as a decimal, unless it has none or a very long one."""
    rest = number.denominator
    twos = (rest & -rest).bit_length() - 1
    rest >>= twos
    fives = 0
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    places = max(twos, fives)
    if rest != 1 or places > _LARGEST_EXPONENT:
        return None
    return _decimal(int(number * 10**places), places)


def _decimal(part: int, places: int) -> str:
    whole, rest = divmod(abs(part), 10**places)
    sign = "-" if part < 0 else ""
    return f"{sign}{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")
