"""The restore drill passes as its script has it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.everything
def test_the_restore_drill_loses_nothing_but_what_came_after_the_copy(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.crash.drill", str(tmp_path)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("drill passed in ")
