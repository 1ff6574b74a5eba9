"""Finds kernels that depend on code which their cache does not watch."""

from __future__ import annotations

import ast

PACKAGE = "secateur"
WATCHED = "secateur.kernels"


def foreign_names(source: str) -> list[str]:
    """Return what decorated functions of a file use from outside the kernels' own package.

    Machine code is cached, and made anew when a file of that package changes. Whatever a kernel
    takes from elsewhere (a function or a constant) is frozen into it; changes go unnoticed.
    """
    tree = ast.parse(source)
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
        if _is_foreign(node, alias)
    }
    found = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.decorator_list:
            found += [
                f"{function.name} uses {node.id}"
                for statement in function.body
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and node.id in imported
            ]
    return found


def _is_foreign(node: ast.ImportFrom | ast.Import, alias: ast.alias) -> bool:
    if isinstance(node, ast.Import):
        return alias.name.partition(".")[0] == PACKAGE
    module = node.module or ""
    if node.level:
        return node.level > 1
    watched = module == WATCHED or module.startswith(f"{WATCHED}.")
    return module.partition(".")[0] == PACKAGE and not watched
