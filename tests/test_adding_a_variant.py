"""Adding a variant adds folders and edits no line: a copy of the house with the toy's folders plays the toy."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import gm
import rounds
from gm.paths import SEEDS, TEMPLATES

TESTS = Path(__file__).parent


def test_a_variant_is_added_by_folders_alone(tmp_path: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__")
    for folder, name in ((gm.__path__[0], "gm"), (rounds.__path__[0], "rounds")):
        shutil.copytree(folder, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "templates", "seeds"))
    shutil.copytree(TEMPLATES, tmp_path / "templates", ignore=ignore)
    shutil.copytree(SEEDS, tmp_path / "seeds", ignore=ignore)
    shutil.copytree(TESTS / "toy" / "rounds", tmp_path / "rounds", dirs_exist_ok=True, ignore=ignore)
    shutil.copytree(TESTS / "toy" / "seeds", tmp_path / "seeds", dirs_exist_ok=True, ignore=ignore)
    (tmp_path / "tests").mkdir()
    shutil.copy(TESTS / "rounds" / "test_contract.py", tmp_path / "tests")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8")
    environment = {**os.environ, "BOHNENPOST_HOME": str(tmp_path / "home"), "PYTHONPATH": str(tmp_path)}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    contract = run("-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'pytest'}", "tests/test_contract.py")
    assert "14 passed" in contract  # seven promises, two variants
    run(
        "-m",
        "gm",
        "game",
        "new",
        "erbsen",
        "--variant",
        "toy",
        "--gm",
        "Uli",
        "--gm-address",
        "u@example.org",
        "--rule",
        "rounds=1",
    )
    run("-m", "gm", "game", "open", "erbsen")
    run("-m", "gm", "game", "seat", "erbsen", "--name", "Anna", "--address", "anna@example.org")
    run("-m", "gm", "game", "seat", "erbsen", "--name", "Rosa", "--robot")
    run("-m", "gm", "game", "start", "erbsen")
    run("-m", "gm", "run")
    pages = run("-c", PAGES)
    assert "'200 OK', '303 SEE OTHER', '200 OK', '200 OK'" in pages
    end = """import sqlite3, os; c = sqlite3.connect(os.environ['BOHNENPOST_HOME'] + '/bohnenpost.db')
c.execute("UPDATE game SET deadline = 1"); c.commit()"""
    run("-c", end)
    assert "erbsen" in run("-m", "gm", "run")
    record = json.loads(run("-m", "gm", "export", "erbsen"))
    assert record["variant"] == "toy"
    assert record["rounds"] == [{"orders": {"Anna": "1", "Rosa": "1"}}]
    (tmp_path / "erbsen.json").write_text(json.dumps(record), encoding="utf-8")
    told = json.loads(run("-m", "gm", "replay", "erbsen.json", "--json"))
    assert told["result"] == {"talers": {"Anna": 1, "Rosa": 1}, "ranks": {"Anna": 1, "Rosa": 1}}
    assert len(list((tmp_path / "home" / "mail").glob("*.eml"))) == 4  # promise, start, receipt, final


PAGES = """
import os, re
from pathlib import Path
from gm.installation import open_installation
from gm.web import create_app
home = open_installation(Path(os.environ["BOHNENPOST_HOME"]), {})
web = create_app(home).test_client()
link = home.seat_url("erbsen", "Anna", 1).removeprefix(home.config.base_url)
page = web.get(link)
fields = {"round": "1", "rev": "0", "text": "1", "action": "submit", "whole": "yes"}
sent = web.post(link, data=fields)
print([page.status, sent.status, web.get(sent.location).status, web.get("/p/erbsen").status])
"""
