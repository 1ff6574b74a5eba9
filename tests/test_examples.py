"""The examples run, and print what they promise."""

import json
import re
import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))

PRINTED = {
    "compare_pruning.py": r"none .*\n +partial .*\n +regret-based .*\n +best-response ",
    "other_programs.py": r"Gambit: value -0\.0556; .*\nOpenSpiel: value -0\.0556; ",
    "solve_a_game.py": r"player 0 wins -0\.08\d\d a hand",
    "your_own_game.py": r"the smuggler wins [+-]\d\.\d{3}\n",
}


def test_every_example_is_listed_and_has_something_to_show() -> None:
    listed = set(re.findall(r"\]\((\S+)\)", (EXAMPLES / "README.md").read_text("utf-8")))
    assert listed == {path.name for path in SCRIPTS + NOTEBOOKS}
    assert set(PRINTED) == {path.name for path in SCRIPTS}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_runs(
    script: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if script.name == "other_programs.py":
        pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    assert re.search(PRINTED[script.name], capsys.readouterr().out)
    assert not list(tmp_path.iterdir()), "examples leave nothing behind"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_runs_and_is_kept_without_outputs(
    notebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the picture is not what this is about, and takes longer than all else
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    names: dict = {}
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
            exec(compile("".join(cell["source"]), f"{notebook.name}:{cell['id']}", "exec"), names)
    assert names["result"].exploitability <= 1e-3
    assert names["curve"][-1][0] == names["result"].iterations
