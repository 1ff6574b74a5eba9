"""Games that somebody has written are named on the command line like all others."""

import itertools
import json
import os
import sys
from pathlib import Path

import pytest

import secateur as package

COIN = '''
from dataclasses import dataclass

import secateur
from {beside} import STAKE


@dataclass(frozen=True)
class Coin(secateur.Game):
    """Player 0 sees a coin.

    Parameters
    ----------
    bet : float
        What is won and lost.
    """

    bet: float = 2.0
    name = "coin"

    def start(self):
        return ""

    def turn(self, state):
        if state[1:] == "p":
            return secateur.END
        return (secateur.CHANCE, 0, 1, secateur.END)[len(state)]

    def chance(self, state):
        return [("H", 0.5), ("T", 0.5)]

    def actions(self, state):
        return ["b", "p"] if len(state) == 1 else ["c", "f"]

    def after(self, state, action):
        return state + action

    def information(self, state):
        return state if len(state) == 1 else "facing a bet"

    def payoffs(self, state):
        win = {{"p": -1, "bf": STAKE, "bc": self.bet if state[0] == "H" else -self.bet}}[state[1:]]
        return win, -win


class Dear(Coin):
    def __init__(self, bet, *, words=()):
        object.__setattr__(self, "bet", bet)


class Broken(Coin):
    def payoffs(self, state):
        return {{}}[state], 0


class Unfinished(secateur.Game):
    pass


class Refusing(Coin):
    def __init__(self):
        raise ValueError("not today")


def doubled(times: int = 2):
    return Coin(bet=2.0 * times)


def nothing():
    return 5


OTHER = 5
'''


NUMBERS = itertools.count()


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Write a file with games, and another one beside it that it imports; go there."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    beside = f"beside{next(NUMBERS)}"  # modules stay imported from test to test
    (tmp_path / f"{beside}.py").write_text("STAKE = 1\n")
    path = tmp_path / f"own_{beside}.py"
    path.write_text(COIN.format(beside=beside))
    monkeypatch.chdir(tmp_path)
    return path


def one_line(outcome):
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("secateur: ")
    assert outcome.err.count("\n") == 1
    return outcome.err


def record(outcome):
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


@pytest.mark.parametrize("place", ["{name}:Coin", "./{name}:Coin", "{path}:Coin", "{module}:Coin"])
def test_a_class_in_a_file_or_module_is_solved(secateur, own, place):
    game = place.format(name=own.name, path=own, module=own.stem)
    facts = record(secateur("solve", game, "--target", 1e-3, "--json"))
    assert facts["game"] == game
    assert facts["value"] == pytest.approx(1 / 3, abs=1e-3)
    assert facts["parameters"] == {"bet": 2.0}


def test_functions_and_settings(secateur, own):
    exact = ("--algorithm", "exact", "--json")
    dear = record(secateur("solve", f"{own.name}:Coin", "--set", "bet=4", *exact))
    made = record(secateur("solve", f"{own.name}:doubled", *exact))
    untyped = record(secateur("solve", f"{own.name}:Dear", "--set", "bet=4", *exact))
    assert dear["parameters"] == made["parameters"] == {"bet": 4.0}
    assert dear["value"] == made["value"] == untyped["value"] == pytest.approx(0.6)


def test_every_command_takes_it(secateur, own, tmp_path):
    game = f"{own.name}:Coin"
    assert secateur("solve", game, "--out", "coin.json").code == 0
    assert record(secateur("evaluate", game, "coin.json", "--json"))["exploitability"] < 1e-2
    assert "facing a bet" in secateur("show", game, "coin.json", "--at", "b").out
    assert secateur("export", game, "--to", "csv", "coin.csv", "--strategy", "coin.json").code == 0
    assert secateur("export", game, "--to", "gambit", "coin.efg").code == 0
    assert record(secateur("solve", "coin.efg", "--json"))["value"] == pytest.approx(
        1 / 3, abs=0.01
    )
    assert "What is won and lost." in secateur("games", game).out
    foreign = secateur("evaluate", game, "coin.json", "--set", "bet=3")
    assert f"name that game: {game}" in one_line(foreign)


@pytest.mark.parametrize("place", ["{file}", "{module}"])
def test_a_run_finds_its_game_again_from_another_directory(secateur, own, place, monkeypatch):
    game = f"{place.format(file=own.name, module=own.stem)}:Coin"
    assert secateur("solve", game, "--run", "run", "--iterations", 20).code == 0
    elsewhere = own.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(own.parent)])
    monkeypatch.delitem(sys.modules, own.stem, raising=False)
    assert record(secateur("resume", "../run", "--iterations", 30, "--json"))["iterations"] == 30
    assert record(secateur("status", "../run", "--json"))[0]["source"]["file"] == str(own)
    assert "own_" in secateur("status", "../run").out  # the rest may be folded


def test_a_file_that_is_gone_or_has_changed_is_named(secateur, own):
    assert secateur("solve", f"{own.name}:Coin", "--run", "run", "--iterations", 20).code == 0
    rules = own.read_text()
    own.unlink()
    gone = one_line(secateur("resume", "run"))
    assert f"run was begun with the game in {own}, which is gone; put it back" in gone
    own.write_text(rules.replace("-1, ", "-2, "))
    changed = one_line(secateur("resume", "run", "--iterations", 30))
    assert f"{own} has changed since the run began and describes another game now" in changed
    own.write_text(f"# another word, the same game\n{rules}")
    assert secateur("resume", "run", "--iterations", 30).code == 0


def test_a_file_that_changed_within_a_second_is_read_anew(own, monkeypatch):
    """Python's bytecode would be that of the file as it was: as old, and as long."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    before = own.stat()
    assert package.load(f"{own}:Coin").bet == 2.0
    own.write_text(own.read_text().replace("bet: float = 2.0", "bet: float = 3.0"))
    os.utime(own, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert own.stat().st_size == before.st_size
    assert package.load(f"{own}:Coin").bet == 3.0
    assert not list(own.parent.glob(f"__pycache__/{own.stem}*"))


def test_what_a_file_imports_may_change_the_game_too(secateur, own, monkeypatch):
    assert secateur("solve", f"{own.name}:Coin", "--run", "run", "--iterations", 20).code == 0
    beside = next(iter(own.parent.glob("beside*.py")))
    module = sys.modules[beside.stem]
    monkeypatch.setattr(module, "STAKE", 3)
    for name in [name for name in sys.modules if name.startswith(f"{own.stem}_")]:
        monkeypatch.delitem(sys.modules, name)
    assert "or something that it imports, has changed" in one_line(secateur("resume", "run"))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("missing.py:Coin", "cannot read missing.py: no such file; check the path"),
        ("missing.module:Coin", "there is no module 'missing' here or among installed packages"),
        ("FILE:Con", "did you mean 'Coin'?"),
        ("FILE:OTHER", "is an object of type int, not a game; name a class that is derived from"),
        ("FILE:dataclass", "returns"),
        ("FILE:nothing", "returns an object of type int, not a game; let it return"),
        ("FILE", "has several games; name one: "),
        ("FILE:Dear", "needs the parameter 'bet', a number; set bet=VALUE"),
        ("FILE:Unfinished", "lacks actions, after, information, payoffs, start, turn; write them"),
        ("FILE:Refusing", "fails: ValueError: not today ("),
        ("FILE:Broken", "payoffs(state) raised KeyError"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_the_remedy(secateur, own, game, words):
    err = one_line(secateur("solve", game.replace("FILE", own.name)))
    assert words in err


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import no_such_module", "fails: ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0", "fails: ZeroDivisionError: division by zero"),
        ("def (", "bad.py, line 1); mend that code"),
        ("raise SystemExit(3)", "ends the program when it is imported"),
        ("x = 1", "has no class that is derived from secateur.Game"),
    ],
)
def test_files_that_cannot_be_imported(secateur, tmp_path, code, words):
    (tmp_path / "bad.py").write_text(code)
    assert words in one_line(secateur("solve", tmp_path / "bad.py"))


def offer(folder: Path, games: str) -> None:
    """Write what pip leaves of a package that offers games."""
    about = folder / "offering-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[secateur.games]\n{games}\n")


def test_packages_offer_games(secateur, own, monkeypatch):
    monkeypatch.syspath_prepend(str(own.parent))
    offer(own.parent, f"lucky-coin = {own.stem}:Coin\nlost = no_such_module:Coin")
    facts = record(
        secateur("solve", "lucky_coin", "--set", "bet=4", "--algorithm", "exact", "--json")
    )
    assert facts["game"] == "lucky-coin"
    assert facts["value"] == pytest.approx(0.6)
    listed = {entry["name"]: entry for entry in record(secateur("games", "--json"))}
    assert listed["lucky-coin"]["description"] == "Player 0 sees a coin."
    assert "comes from the package offering, which fails" in listed["lost"]["description"]
    assert "comes from the package offering, which fails" in one_line(secateur("solve", "lost"))
    assert "did you mean 'lucky-coin'?" in one_line(secateur("solve", "lucky-coins"))


def test_a_cached_game_is_compiled_once(secateur, own, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(own.parent / "kept"))
    solve = ("solve", f"{own.name}:Coin", "--iterations", 20, "--cache", "--json")
    first = record(secateur(*solve))
    (file,) = (own.parent / "kept" / "secateur").iterdir()
    written = file.stat().st_mtime_ns
    again = record(secateur(*solve))
    assert file.stat().st_mtime_ns == written
    assert (again["nash_conv"], again["value"]) == (first["nash_conv"], first["value"])
    own.write_text(own.read_text().replace('"p": -1', '"p": -0.5'))
    assert record(secateur(*solve))["value"] != first["value"]
    assert len(list(file.parent.iterdir())) == 2


def test_what_cannot_be_cached_is_told_and_solved(secateur, own, monkeypatch):
    (own.parent / "taken").write_text("a file, not a directory")
    monkeypatch.setenv("XDG_CACHE_HOME", str(own.parent / "taken"))
    outcome = secateur("solve", f"{own.name}:Coin", "--iterations", 20, "--cache", "--json")
    assert record(outcome)["iterations"] == 20
    assert "secateur: the compiled game is not cached: " in outcome.err
