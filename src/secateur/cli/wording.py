"""Remedies that the package words in Python, as they are typed on the command line."""

from __future__ import annotations

from secateur import recipes
from secateur.algorithms import ALGORITHMS
from secateur.pruning import POLICIES

_SETTINGS = {
    "thresholding=DynamicThresholding(2)": "--threshold 2",
    "leave thresholding out": "leave --threshold out",
    "steps='fixed'": "--steps fixed",
    "minimum_skip=": "--min-skip ",
}


def options_as_typed(sentence: str) -> str:
    """Return a sentence about parts of solvers in which they are options."""
    typed = dict(_SETTINGS)
    typed |= {f"{policy.__name__}()": f"--prune {name}" for name, policy in POLICIES.items()}
    for name, algorithm in ALGORITHMS.items():
        made = algorithm.solver()
        for recipe in recipes.__all__:
            if getattr(recipes, recipe)() == made:
                typed[f"recipes.{recipe}()"] = f"--algorithm {name}"
    for words, option in typed.items():
        sentence = sentence.replace(words, option)
    return sentence
