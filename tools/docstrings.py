"""Docstrings as Markdown: what they say in reStructuredText is translated for the site."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import griffe
from latex2mathml.converter import convert


class Translated(griffe.Extension):
    """Translates formulas, references and blocks of code of every docstring."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Translate all docstrings of a package."""
        _translate(pkg, {str(name) for name in pkg.exports or ()})


def _translate(entry: griffe.Object, public: set[str]) -> None:
    if entry.docstring is not None:
        entry.docstring.value = translated(entry.docstring.value, public)
    for member in entry.members.values():
        if not member.is_alias:
            _translate(member, public)


def translated(text: str, public: set[str]) -> str:
    """Return a docstring in Markdown, with links to public names."""
    text = re.sub(
        r"^( *)\.\. math::((?: .*)?\n(?:\1 +.*(?:\n|$)|\s*\n(?=\1 ))*)",
        _displayed,
        text + "\n",
        flags=re.MULTILINE,
    )
    text = re.sub(r":math:`([^`]*)`", lambda role: _within(role[1]), text)
    text = re.sub(r":\w+:`~?\.?([^`]*)`", lambda role: _reference(role[1], public), text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    return re.sub(r"(?<=\w)::$", ":", re.sub(r"^ *::\n", "", text, flags=re.MULTILINE)).rstrip()


def _displayed(block: re.Match[str]) -> str:
    """Return a formula that stands alone; Markdown wants it in one line."""
    formula = " ".join(textwrap.dedent(block[2]).split())
    if "\\\\" in formula or "&" in formula:
        formula = rf"\begin{{align}} {formula} \end{{align}}"
    return f"{block[1]}{_formula(formula, 'block')}\n"


def _within(latex: str) -> str:
    """Return a formula within a line; Markdown would end the line at one that begins it."""
    return f"<span>{_formula(latex, 'inline')}</span>"


def _formula(latex: str, display: str) -> str:
    return convert(" ".join(latex.split()), display=display)


def _reference(target: str, public: set[str]) -> str:
    """Return a name as code, with a link if it is a public one."""
    full = target.removeprefix("secateur.")
    for name in (full, full.rpartition(".")[2]):  # by its public name, or where it is defined
        if name.split(".")[0] in public:
            return f"[`{name}`][secateur.{name}]"
    return f"`{target}`"
