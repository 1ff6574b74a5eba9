"""Games of Gambit and OpenSpiel, and strategies that go back to them."""

import tempfile
from importlib.util import find_spec
from pathlib import Path

import secateur

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "kuhn.efg")
    secateur.write_efg(secateur.load("kuhn"), file)  # any game becomes a file for Gambit ...
    rules = secateur.load(str(file))  # ... and any such file of two players a game
    result = secateur.solve(rules, secateur.Exact())
    profile = Path(folder, "kuhn.csv")
    secateur.write_gambit_profile(result.strategy, rules, profile)
    print(f"Gambit: value {result.value:.4f}; the profile begins {profile.read_text()[:40]}...")

if find_spec("pyspiel") is None:
    print("OpenSpiel is not installed: pip install 'secateur-solver[openspiel]'")
else:
    import pyspiel

    result = secateur.solve("openspiel:kuhn_poker", secateur.Exact())
    policy = secateur.to_open_spiel_policy(result.strategy)
    theirs = pyspiel.nash_conv(pyspiel.load_game("kuhn_poker"), policy)
    print(f"OpenSpiel: value {result.value:.4f}; NashConv by its own account {theirs:.1e}")
