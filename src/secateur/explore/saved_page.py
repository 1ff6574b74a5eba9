"""One page with everything in it, which needs no server and can be mailed."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec

from secateur.atomic import new_file
from secateur.errors import ParameterError
from secateur.explore import payloads
from secateur.explore.opened import Opened
from secateur.explore.page_files import MODULES
from secateur.explore.payloads import View
from secateur.explore.sources import Source

MOST_INFORMATION_SETS = 10_000
"""Of all strategies together; every pair of strategies counts once more."""

_IMPORT = re.compile(r'^import (\{.*\}) from "\./(.*)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def save_page(sources: Sequence[Source], path: Path) -> None:
    """Write a page that shows what the sources are now.

    Raises
    ------
    ParameterError
        If that would be too much for a page.
    """
    opened = [source.wait() for source in sources]
    pairs = [
        (one, other)
        for one, other in permutations(range(len(opened)), 2)
        if _fingerprint(opened[one]) == _fingerprint(opened[other])
    ]
    shown = [opened[one] for one, _ in pairs] + opened
    total = sum(each.strategy.game.size.information_sets for each in shown)
    if total > MOST_INFORMATION_SETS:
        raise ParameterError(
            f"a page cannot hold {total:,} information sets, only {MOST_INFORMATION_SETS:,}; leave "
            "out --save, or show less."
        )
    content = page(_content(sources, opened, pairs))
    with new_file(path) as file:
        file.write(content.encode())


def _fingerprint(opened: Opened) -> str:
    return opened.strategy.game.strategy_fingerprint


def _content(
    sources: Sequence[Source], opened: Sequence[Opened], pairs: Iterable[tuple[int, int]]
) -> dict[str, Any]:
    """Return all answers, by what the page asks."""
    listed = [payloads.source_payload(k, each) for k, each in enumerate(sources)]
    answers: dict[str, Any] = {"sources": listed}
    tables: dict[str, Any] = {}
    for k, (source, found) in enumerate(zip(sources, opened, strict=True)):
        history = source.history()
        answers[f"runs/{k}"] = listed[k] | {
            "total": len(history),
            "after": 0,
            "history": payloads.history_payload(history),
        }
        answers[f"strategies/{k}"] = payloads.strategy_payload(found)
        cuts = 0 if found.cuts is None else len(found.cuts.cell)
        answers[f"cuts/{k}"] = payloads.cuts_payload(found, 0, cuts, "histories")
        _add_nodes(answers, tables, k, found)
    for one, other in pairs:
        answers[f"differences/{one}?with={other}"] = payloads.differences_payload(
            opened[one], opened[other], 12
        )
        _add_nodes(answers, tables, one, opened[one], other, opened[other])
    return {"answers": answers, "tables": tables}


def _add_nodes(
    answers: dict[str, Any],
    tables: dict[str, Any],
    number: int,
    opened: Opened,
    other_number: int = 0,
    other: Opened | None = None,
) -> None:
    """Add all nodes of a strategy, or of one beside another."""
    more = "" if other is None else f"?with={other_number}"
    todo = [opened.tree.start]
    while todo:
        line = opened.tree.line(todo.pop())
        node = line[-1]
        answers[f"nodes/{number}/{node.number}{more}"] = {
            "node": node.number,
            "line": [step._asdict() for step in opened.tree.steps(line)],
            "blocks": [blocks[0] for blocks in node.tables],
            "more_tables": [],
            **payloads.branches_payload(node, limit=len(node.branches)),
        }
        for blocks in node.tables:
            view = View(limit=MOST_INFORMATION_SETS)
            tables[f"tables/{number}/{blocks[0]}{more}"] = payloads.table_payload(
                opened, blocks, view, other
            )
        todo += [branch.node for branch in node.branches]


def page(content: dict[str, Any]) -> str:
    """Return the page with its data, styles and scripts inside."""
    folder = files("secateur.explore") / "static"

    def text(name: str) -> str:
        return (folder / name).read_text("utf-8")

    chart = _script(text("vendor/uPlot.iife.min.js"))
    program = _script(joined({name: text(name) for name in MODULES}), "module")
    style = f"{text('vendor/uPlot.min.css')}\n{text('style.css')}"
    allowed = " ".join(_hashed(each) for each in (chart.content, program.content))
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src {_hashed(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    )
    data = msgspec.json.encode(content).decode().replace("<", "\\u003c")
    found = text("index.html")
    found = re.sub(r"<link .*>\n|<script .*</script>\n", "", found)
    head = (
        f'<meta http-equiv="content-security-policy" content="{policy}">\n'
        f"<style>{style}</style>\n</head>"
    )
    end = f'<script id="saved" type="application/json">{data}</script>\n{chart}\n{program}\n</body>'
    return found.replace("</head>", head).replace("</body>", end)


class _Script:
    def __init__(self, content: str, kind: str) -> None:
        self.content = content
        self._kind = f' type="{kind}"' if kind else ""

    def __str__(self) -> str:
        return f"<script{self._kind}>{self.content}</script>"


def _script(content: str, kind: str = "") -> _Script:
    assert "</script" not in content
    return _Script(content, kind)


def _hashed(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def joined(modules: dict[str, str]) -> str:
    """Return modules as one: each becomes a function that returns what it exports."""
    parts = ["const modules = {};"]
    for name, text in modules.items():
        exported = ", ".join(_EXPORT.findall(text))
        body = _EXPORT.sub("", _IMPORT.sub(r'const \1 = modules["\2"];', text))
        parts.append(f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();')
    return "\n".join(parts)
