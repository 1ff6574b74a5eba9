"""What the site has beyond the files of ``docs``: pages of the clone, and the reference.

MkDocs calls the functions whose names begin with ``on_``. Documents link to each other as files of
the clone do, so that they can be read there; here links that leave ``docs`` are turned to pages.
"""

from __future__ import annotations

import ast
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]

FROM_THE_CLONE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "RELEASING.md": "releasing.md",
    "benchmarks/README.md": "running-benchmarks.md",
    "examples/README.md": "examples.md",
}
"""Documents outside ``docs``, and the pages that they become."""

LINKED = {
    "CITATION.cff",
    *(f"examples/{path.name}" for path in (ROOT / "examples").glob("*.[pi]*")),
}
"""Other files that documents link to; they are there as they are."""

REFERENCE = {
    "Solving": (
        *("solve", "Result", "results.Ending", "conditions.Snapshot", "until", "recipes"),
        "threads",
    ),
    "Runs in directories": ("resume", "open_run", "Run"),
    "Solvers": (
        *("CFR", "EGT", "OptimisticMirrorDescent", "FictitiousPlay", "Exact"),
        *("solvers.protocols.Solver", "solvers.protocols.State"),
    ),
    "Parts of CFR": (
        "RegretMatching",
        "RegretMatchingPlus",
        "DiscountedRegretMatching",
        "DiscountedRegretMatchingPlus",
        "PredictiveRegretMatchingPlus",
        "PredictiveDiscountedRegretMatchingPlus",
        "AsymmetricPredictiveRegretMatchingPlus",
        "Hedge",
        "Averaging",
        "NoPruning",
        "PartialPruning",
        "RegretBasedPruning",
        "BestResponsePruning",
        "DynamicThresholding",
        "Storage",
        "minimizers.Minimizer",
        "pruning.Pruning",
    ),
    "Games": ("load", "available", "Game", "PublicGame", "CHANCE", "END", "with_perfect_recall"),
    "Compiled games": ("compile", "CompiledGame", "save_compiled", "open_compiled"),
    "Strategies": ("Strategy", "load_strategy", "translate_strategy", "sample_play"),
    "Looking at strategies": (
        "open_explorer",
        "explore.serving.Explorer",
        "PublicTree",
        "public_tree.PublicNode",
        "public_tree.Branch",
        "node_table",
        "NodeTable",
        "largest_differences",
        "node_tables.Difference",
        "cuts",
        "Cuts",
        "cut_actions.own_tree",
        "cut_actions.OwnTree",
    ),
    "Metrics": (
        "metrics",
        "nash_conv",
        "exploitability",
        "expected_value",
        "best_response",
        "best_response_value",
        "counterfactual_best_response_values",
        "action_values",
        "worth.ActionValues",
    ),
    "Memory": ("memory_ledger", "ledger.LedgerEntry"),
    "Other programs": (
        "read_efg",
        "write_efg",
        "read_gambit_profile",
        "write_gambit_profile",
        "to_open_spiel_policy",
        "export_open_spiel",
        "export_csv",
    ),
    "Errors": ("SecateurError", "GameError", "ParameterError", "FileError"),
}
"""Pages of the reference: all public names, and with dots what these return or derive from."""

ONLY_ITS_DOCSTRING = {"metrics"}
"""Modules whose members have entries of their own."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in ``docs``."""
    _check_that_nothing_public_is_missing()
    for source, target in FROM_THE_CLONE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=_turned(text, source)))
    for source in sorted(LINKED):
        files.append(File.generated(config, source, abs_src_path=str(ROOT / source)))
    for title, names in REFERENCE.items():
        target = f"reference/{title.lower().replace(' ', '-')}.md"
        content = "\n".join([f"# {title}", "", *map(_entry, names)])
        files.append(File.generated(config, target, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - MkDocs names them
    """Turn links of a document that leave ``docs``."""
    if page.file.generated_by is not None:
        return markdown
    return _turned(markdown, f"docs/{page.file.src_uri}")


def _turned(text: str, source: str) -> str:
    """Return a document with its links to other files of the clone as links between pages."""
    page = FROM_THE_CLONE.get(source, source.removeprefix("docs/"))

    def turned(link: re.Match[str]) -> str:
        path, mark, anchor = link[1].partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if target in FROM_THE_CLONE:
            target = FROM_THE_CLONE[target]
        elif target.startswith("docs/"):
            target = target.removeprefix("docs/")
        elif target not in LINKED:
            return link[0]  # MkDocs complains
        return f"]({posixpath.relpath(target, posixpath.dirname(page) or '.')}{mark}{anchor})"

    return re.sub(r"\]\((?!\w+:|#)([^)\s]+)\)", turned, text)


def _entry(name: str) -> str:
    """Return the place of a name, to be filled by mkdocstrings."""
    options = "    options:\n      members: false\n" if name in ONLY_ITS_DOCSTRING else ""
    return f"::: secateur.{name}\n{options}"


def _check_that_nothing_public_is_missing() -> None:
    entries = {name for names in REFERENCE.values() for name in names if "." not in name}
    missing = public_names() ^ entries
    if missing:
        raise PluginError(
            f"the reference and secateur.__all__ differ in {', '.join(sorted(missing))}: "
            "change REFERENCE in tools/pages.py"
        )


def public_names() -> set[str]:
    """Return ``secateur.__all__``, read without importing the package."""
    module = ast.parse((ROOT / "src/secateur/__init__.py").read_text(encoding="utf-8"))
    for statement in module.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return set(ast.literal_eval(statement.value))
    raise PluginError("src/secateur/__init__.py has no __all__: the reference is made from it")
