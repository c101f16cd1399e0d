"""A fresh environment in which the game of `toy/` is installed by pip, as anybody installs one."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import gm

TESTS = Path(__file__).parent
TOY = TESTS / "toy"
TOP = Path(gm.__path__[0]).parent


def environment_with(folder: Path, *games: Path) -> Path:
    """The Python of an environment with these games. Its libraries are those of this one, so that
    nothing is downloaded.
    """
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(
        f"{TOP}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8"
    )
    for game in games:
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
        alone = ["--no-deps", "--no-index", "--no-build-isolation"]
        subprocess.run([*pip, *alone, str(game)], check=True, timeout=300)
    return python


def surroundings() -> dict[str, str]:
    """The variables of the environment for a process of its own."""
    others = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "BOHNENPOST"))}
    return others | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def run(python: Path, *command: str, status: int = 0) -> str:
    """What a command of the environment says."""
    done = subprocess.run(
        [str(python), *command],
        cwd=TESTS.parent,
        env=surroundings(),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr
