"""How kernels are compiled: what may be cached, and what Python may call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numba import typeof

import secateur
from secateur import kernels
from secateur.kernels.core.block import padded
from secateur.kernels.core.lanes import take
from secateur.kernels.core.pruning_parts import sort_blocks
from support.kernel_guard import foreign_names

PACKAGE = Path(secateur.__file__).parent
KERNEL_FILES = sorted(Path(kernels.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", KERNEL_FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_kernels_use_nothing_from_outside_their_package(path: Path):
    assert foreign_names(path.read_text()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from secateur.games import f\n@kernel\ndef g(): return f()", ["g uses f"]),
        ("from secateur import games\n@part\ndef g(): return games.f()", ["g uses games"]),
        ("from ..games import SIZE as N\n@kernel\ndef g(x): return x + N", ["g uses N"]),
        ("import secateur.games as o\n@kernel\ndef g(): return o.f()", ["g uses o"]),
        ("import secateur.games\n@kernel\ndef g(): secateur.games.f()", ["g uses secateur"]),
        ("from secateur.kernels.core.parts import f\n@kernel\ndef g(): return f()", []),
        ("from .parts import f\n@kernel\ndef g(): return f()", []),
        ("import numpy as np\n@kernel\ndef g(): return np.uintp(0)", []),
        ("from secateur.games import f\ndef g(): return f()", []),
    ],
)
def test_guard_finds_what_is_taken_from_elsewhere(source: str, found: list[str]):
    assert foreign_names(source) == found


def test_functions_are_compiled_by_the_two_decorators_of_kernels_only():
    users = {
        path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if "jit(" in path.read_text()
    }
    assert users == {Path("kernels/compilation/decorator.py")}


@pytest.mark.parametrize(
    ("piece", "arguments"),
    [(padded, (5,)), (take, (np.zeros(3), 0, (0.0,))), (sort_blocks, (np.zeros(3, np.int32), 3))],
)
def test_pieces_of_kernels_cannot_be_called_from_python(piece, arguments):
    refused = rf"{piece.__name__}\(\) is a piece of kernels, .* NUMBA_DISABLE_JIT"
    with pytest.raises(TypeError, match=refused):
        piece(*arguments)
    piece.compile(tuple(map(typeof, arguments)))  # as kernels do
    with pytest.raises(TypeError, match=refused):
        piece(*arguments)
