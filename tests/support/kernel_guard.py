"""Finds kernels that depend on code which Numba's cache does not watch."""

from __future__ import annotations

import ast


def foreign_names(source: str, package: str = "secateur") -> list[str]:
    """Return what decorated functions of a file use from other files of the package.

    Numba caches machine code by the file that defines a kernel. Whatever a kernel takes from
    another file (a function or a constant) is frozen into it, and changes there go unnoticed.
    """
    tree = ast.parse(source)
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
        if _is_of_package(node, alias, package)
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


def _is_of_package(node: ast.ImportFrom | ast.Import, alias: ast.alias, package: str) -> bool:
    if isinstance(node, ast.Import):
        return alias.name.partition(".")[0] == package
    return node.level > 0 or (node.module or "").partition(".")[0] == package
