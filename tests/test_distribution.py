"""What is built and given away is whole, and says which version it is."""

import re
import tarfile
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import secateur

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCES = ROOT / "src"


def test_the_version_is_said_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    assert version("secateur-solver") == secateur.__version__


def test_the_citation_names_the_version() -> None:
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited is not None
    assert cited[1] == secateur.__version__


def test_numba_is_bounded_on_both_sides() -> None:
    (numba,) = (each for each in PROJECT["dependencies"] if each.startswith("numba"))
    assert re.fullmatch(r"numba>=[\d.]+,<[\d.]+", numba), "kernels use its private interfaces"


def test_the_wheel_has_the_package_and_nothing_else(tmp_path: Path) -> None:
    wheel = pytest.importorskip("hatchling.builders.wheel")
    (built,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = set(zipfile.ZipFile(built).namelist())
    package = {
        path.relative_to(SOURCES).as_posix()
        for path in (SOURCES / "secateur").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "secateur/py.typed" in names
    assert {name for name in names if ".dist-info/" not in name} == package
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_source_distribution_can_be_checked(tmp_path: Path) -> None:
    sdist = pytest.importorskip("hatchling.builders.sdist")
    (built,) = sdist.SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(built) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers()}
    needed = {"pyproject.toml", "check", "mkdocs.yml", "LICENSE", "README.md", "CITATION.cff"}
    for folder in ("src", "tests", "benchmarks", "docs", "examples", "tools"):
        needed |= {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / folder).rglob("*")
            if path.suffix in {".py", ".md", ".ipynb", ".css", ".efg"}
        }
    assert needed <= names
    assert not any(".venv" in name or "__pycache__" in name for name in names)
