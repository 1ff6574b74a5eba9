"""Files that are well-formed, with checksums that fit, and hold something else than they should."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

NASTY: dict[str, bytes] = {
    "null": b"null",
    "true": b"true",
    "minus one": b"-1",
    "zero": b"0",
    "a fraction": b"0.5",
    "many": b"9007199254740993",
    "65 bits": b"18446744073709551616",
    "400 digits": b"1" + b"0" * 400,
    "5000 digits": b"1" + b"0" * 5000,
    "huge": b"1e308",
    "too huge": b"1e999",
    "NaN": b"NaN",
    "minus infinity": b"-Infinity",
    "no text": b'""',
    "text": b'"text"',
    "a number as text": b'"0.5"',
    "NUL": b'"\\u0000"',
    "half a pair": b'"\\ud800"',
    "a type with fields": b'"f8,("',
    "objects": b'"|O"',
    "other byte order": b'">f8"',
    "long text": b'"' + b"x" * 100_000 + b'"',
    "no list": b"[]",
    "a list": b"[1]",
    "a list of lists": b"[[[]]]",
    "no object": b"{}",
    "an object": b'{"a": 1}',
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "quite deep": b"[" * 500 + b"]" * 500,
    "deep objects": b'{"a":' * 2_000 + b"1" + b"}" * 2_000,
}
"""JSON that may stand where something else is expected."""

_HERE = "put it here"
_DELETED = object()


def documents(
    document: dict[str, Any], spared: tuple[str, ...] = ()
) -> Iterator[tuple[str, bytes]]:
    """Yield JSON in which one field is something else, or is missing, with a description.

    Of long lists and of objects with many entries only some are changed; names in ``spared`` never.
    """
    for path in _paths(document):
        if path[0] in spared:
            continue
        where = "/".join(map(str, path))
        for title, nasty in NASTY.items():
            text = json.dumps(_replaced(document, path, _HERE)).encode()
            yield f"{where} is {title}", text.replace(json.dumps(_HERE).encode(), nasty, 1)
        yield f"{where} is missing", json.dumps(_replaced(document, path, _DELETED)).encode()


def arrays(parts: dict[str, np.ndarray]) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield arrays with a wrong number, or with more or fewer: what is wrong, name, array."""
    for name, part in parts.items():
        yield f"{name} is empty", name, part[:0]
        yield (
            f"{name} is longer",
            name,
            np.append(part, part[-1:] if len(part) else part.dtype.type(0)),
        )
        for place in sorted({0, len(part) - 1} if len(part) else ()):
            for number in _numbers(part.dtype):
                wrong = part.copy()
                wrong[place] = number
                yield f"{name}[{place}] is {number}", name, wrong


def _numbers(dtype: np.dtype) -> list[Any]:
    if dtype.kind == "f":
        return [np.nan, np.inf]
    most = np.iinfo(dtype)
    return [most.max, most.min, *([-1] if most.min < 0 else [])]


def archive(magic: bytes, header: bytes, parts: list[np.ndarray]) -> bytes:
    """Return a file of arrays with that header."""
    top = magic + b"%08x %s\n" % (zlib.crc32(header), header)
    return _aligned(top) + b"".join(_aligned(part.tobytes()) for part in parts)


def described(parts: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return what a header says about arrays."""
    found, offset = {}, 0
    for name, part in parts.items():
        found[name] = {
            "dtype": part.dtype.str,
            "length": len(part),
            "offset": offset,
            "checksum": zlib.crc32(part.tobytes()),
        }
        offset += len(_aligned(part.tobytes()))
    return {"arrays": found, "bytes": offset}


def with_checksum(document: bytes) -> bytes:
    """Return a JSON object with its checksum as the last entry."""
    above = document[:-1] + b", "
    return above + b'"checksum": "%08x"}\n' % zlib.crc32(above)


def _aligned(content: bytes) -> bytes:
    return content + bytes(-len(content) % 64)


def _paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if above:
        yield above
    if isinstance(value, dict):
        names = list(value)
        few = names if len(names) <= 12 else [names[0], names[len(names) // 2], names[-1]]
        for name in few:
            yield from _paths(value[name], (*above, name))
    elif isinstance(value, list | tuple):
        for place in sorted({0, len(value) - 1} if value else ()):
            yield from _paths(value[place], (*above, place))


def _replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    if not path:
        return by
    copy = dict(value) if isinstance(value, dict) else dict(enumerate(value))
    copy[path[0]] = _replaced(value[path[0]], path[1:], by)
    if copy[path[0]] is _DELETED:
        del copy[path[0]]
    return copy if isinstance(value, dict) else list(copy.values())
