"""What the package words in Python, as it is typed on the command line.

Nothing heavy is imported here: every error goes through it.
"""

from __future__ import annotations

import ast
import re
import shlex

_TYPED = {
    "Result.save()": "'secateur solve --out'",
    "memory_limit of ": "--memory-limit ",
    "load the game with perfect_recall=True (with_perfect_recall(game) for rules of your own)": (
        "use --set perfect_recall=true"
    ),
    "load the game with perfect_recall=True": "use --set perfect_recall=true",
}
_RESUME = re.compile(r"""secateur\.resume\(('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)""")


def as_typed(sentence: str) -> str:
    """Return a sentence whose remedies are commands and options, not calls of functions."""
    for words, typed in _TYPED.items():
        sentence = sentence.replace(words, typed)
    return _RESUME.sub(_resume, sentence)


def _resume(call: re.Match[str]) -> str:
    command = f"secateur resume {shlex.quote(ast.literal_eval(call[1]))}"
    ends = call.end() == len(call.string)  # there it can be copied as it is
    return command if ends else f"'{command}'"
