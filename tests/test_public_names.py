"""What users may rely on; which names these are is also checked when the site is built."""

import ast
from pathlib import Path

import secateur


def test_every_public_name_exists_and_is_documented() -> None:
    for name in secateur.__all__:
        value = getattr(secateur, name)
        if not isinstance(value, int):
            assert value.__doc__, name


def test_type_checkers_find_public_names_where_python_does() -> None:
    module = ast.parse(Path(secateur.__file__).read_text(encoding="utf-8"))
    (checked,) = (each for each in module.body if isinstance(each, ast.If))
    seen = {
        name.name: each.module
        for each in checked.body
        if isinstance(each, ast.ImportFrom) and each.module != "typing"
        for name in each.names
    }
    modules = {name for name, home in seen.items() if home == "secateur"}
    homes = {name: f"secateur.{home}" for name, home in secateur._HOME.items()}
    assert seen == homes | dict.fromkeys(modules, "secateur")
    assert set(seen) == set(secateur.__all__)
