"""Games that somebody has written: classes in files (``game.py:Coin``) and modules (``a.b:Coin``).

What they name is a class of rules, or a function that returns some. Errors in that code are told
in a sentence, with the place.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from secateur.errors import FileError, GameError, ParameterError, SecateurError
from secateur.games.rules import Game
from secateur.names import choices
from secateur.regular_files import read_regular

Rules = Callable[..., Game]

_LARGEST = 1 << 28
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class Source(NamedTuple):
    """The code that a game comes from."""

    file: str
    sha256: str
    search: str | None
    """The directory in which its module was found, if that was the current one."""

    @staticmethod
    def of(path: Path, search: str | None = None) -> Source:
        """Return a file as it is now."""
        return Source(str(path), _digest(path), search)

    @property
    def state(self) -> str:
        """Whether it is there as it was: ``same``, ``changed`` or ``gone``."""
        try:
            return "same" if _digest(Path(self.file)) == self.sha256 else "changed"
        except FileError:
            return "gone"


def is_own(name: str) -> bool:
    """Tell whether a name of a game is a place in somebody's code."""
    place, colon, _ = _divided(name)
    return place.lower().endswith(".py") or bool(colon and _MODULE.fullmatch(place))


def absolute(name: str) -> str:
    """Return a name that means the same file from everywhere."""
    place, colon, rest = _divided(name)
    if not place.lower().endswith(".py"):
        return name
    return f"{Path(place).expanduser().resolve()}{colon}{rest}"


def source_of(name: str) -> Source:
    """Return where the code of a game is; it must have been found before."""
    place, _, _ = _divided(name)
    if place.lower().endswith(".py"):
        return Source.of(Path(place).expanduser().resolve())
    path = Path(inspect.getsourcefile(sys.modules[place]) or sys.executable).resolve()
    here = Path.cwd()
    return Source.of(path, str(here) if here in path.parents else None)


def find_rules(name: str) -> Rules:
    """Return the class or function that a name stands for; import its file or module.

    Raises
    ------
    FileError
        If there is no such file.
    ParameterError
        If there is no such module or name, or it is no game.
    GameError
        If the code fails.
    """
    place, _, wanted = _divided(name)
    module = _from_file(place) if place.lower().endswith(".py") else _from_module(place, name)
    if not wanted:
        return _only_rules(module, place)
    found: Any = module
    for part in wanted.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise ParameterError(f"{place} has no {wanted!r}; {choices(wanted, _rules_in(module))}")
    check_rules(name, found)
    return found  # type: ignore[no-any-return]


def check_rules(name: str, found: Any) -> None:
    """Raise ParameterError unless something makes games."""
    if inspect.isclass(found):
        fits = issubclass(found, Game)
    else:
        fits = inspect.isfunction(found) or inspect.ismethod(found)
    if not fits:
        raise ParameterError(
            f"{name} is {_in_words(found)}; name a class that is derived from secateur.Game, or a "
            "function that returns a game"
        )


def made(name: str, rules: Rules, values: dict[str, Any]) -> Game:
    """Return the game that somebody's class or function makes of parameters."""
    if inspect.isabstract(rules):
        missing = ", ".join(sorted(getattr(rules, "__abstractmethods__", ())))
        raise ParameterError(f"{name} lacks {missing}; write them, every game has them")
    with errors_in_words(name, rules):
        game = rules(**values)
    if not isinstance(game, Game):
        raise ParameterError(f"{name} returns {_in_words(game)}; let it return a secateur.Game")
    return game


@contextmanager
def errors_in_words(name: str, rules: Any) -> Iterator[None]:
    """Turn what goes wrong inside somebody's code into one sentence with the place.

    Errors that secateur raises on purpose, and those that do not come from that code, pass.
    """
    try:
        yield
    except SecateurError:
        raise
    except Exception as error:
        file = getattr(sys.modules.get(getattr(rules, "__module__", "")), "__file__", None)
        frames = traceback.extract_tb(error.__traceback__)
        mine = [each for each in frames if each.filename == file]
        if not mine:
            raise
        raise _failed(name, error, f"{mine[-1].filename}, line {mine[-1].lineno}") from error


def _divided(name: str) -> tuple[str, str, str]:
    """Return place, colon, and what to take from there."""
    if name.lower().endswith(".py"):
        return name, "", ""
    place, colon, wanted = name.rpartition(":")
    return (place, colon, wanted) if colon else (name, "", "")


class _Reader(SourceFileLoader):
    """Reads a file as it is, and leaves no bytecode beside it.

    Python's own takes bytecode for the file's as long as their times agree to the second.
    """

    def get_code(self, fullname: str) -> CodeType:
        """Return the compiled file."""
        del fullname
        found: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return found


def _from_file(place: str) -> ModuleType:
    path = Path(place).expanduser().resolve()
    if not path.exists():
        raise FileError(f"cannot read {place}: no such file; check the path.")
    source = _digest(path)  # before Python reads it, whatever it is
    digest = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    name = f"{path.stem}_{digest}"
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__secateur_source__", "") == source:
        return known
    spec = importlib.util.spec_from_file_location(name, path, loader=_Reader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__secateur_source__ = source  # type: ignore[attr-defined]
    search(str(path.parent))  # what stands beside a file can be imported, as if it were run
    sys.modules[name] = module  # dataclasses look there
    try:
        with _importing(place):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _from_module(place: str, name: str) -> ModuleType:
    search(str(Path.cwd()))
    try:
        with _importing(place):
            return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            raise ParameterError(
                f"{name}: there is no module {error.name!r} here or among installed packages; "
                "check the name, go to its directory, or give a file, such as path/to/game.py:Coin"
            ) from error
        raise _failed(place, error, "on import") from error


def search(directory: str) -> None:
    """Let modules be found in a directory, after all others."""
    if directory not in sys.path:
        sys.path.append(directory)
        importlib.invalidate_caches()


@contextmanager
def _importing(place: str) -> Iterator[None]:
    try:
        yield
    except (ModuleNotFoundError, SecateurError) as error:
        if isinstance(error, ModuleNotFoundError) and place.lower().endswith(".py"):
            raise _failed(place, error, "on import") from error
        raise
    except SyntaxError as error:
        raise _failed(place, error, f"{error.filename}, line {error.lineno}") from error
    except SystemExit as error:
        raise GameError(
            f"{place} ends the program when it is imported; put what it does behind "
            "if __name__ == '__main__'"
        ) from error
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise _failed(place, error, f"{last.filename}, line {last.lineno}") from error


def _failed(name: str, error: BaseException, where: str) -> GameError:
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return GameError(f"{name} fails: {type(error).__name__}: {words} ({where}); mend that code")


def _only_rules(module: ModuleType, place: str) -> Rules:
    found = _rules_in(module)
    if len(found) == 1:
        return getattr(module, found[0])  # type: ignore[no-any-return]
    if not found:
        raise ParameterError(
            f"{place} has no class that is derived from secateur.Game; write one, or name what "
            f"makes a game: {place}:NAME"
        )
    raise ParameterError(
        f"{place} has several games; name one: {', '.join(f'{place}:{each}' for each in found)}"
    )


def _rules_in(module: ModuleType) -> list[str]:
    """Return the names of classes of rules that a module defines itself."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, Game)
        and not inspect.isabstract(value)
        and value.__module__ == module.__name__
    ]


def _in_words(found: Any) -> str:
    if isinstance(found, Game):
        return "an object, not a class"
    if inspect.isclass(found):
        return "a class that is not derived from secateur.Game"
    return f"an object of type {type(found).__name__}, not a game"


def _digest(path: Path) -> str:
    return hashlib.sha256(read_regular(path, _LARGEST, "the code of a game")).hexdigest()
