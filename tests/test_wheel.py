"""The wheel, installed in a fresh environment with the source out of reach, plays the demo and passes the tests."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = [
    pytest.mark.wheel,
    pytest.mark.skipif(not (ROOT / "gm").is_dir(), reason="the source is out of reach: this is the wheel under test"),
]


def run(*command: object, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_what_it_needs_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {"gm", "rounds"}
    for needed in (
        "gm/templates/de.po",
        "gm/templates/postal/form.html",
        "gm/seeds/postal/deck.toml",
        "gm/docs/rules.md",
        "gm/web/static/app.css",
    ):
        assert needed in names


def test_the_installed_wheel_plays_the_demo_and_passes_the_tests(wheel: Path, tmp_path: Path) -> None:
    """Its libraries are those of this environment, so that nothing is downloaded; its code is the wheel's alone."""
    home = tmp_path / "fresh"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip())
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    inside = tmp_path / "inside"
    shutil.copytree(ROOT / "tests", inside / "tests", ignore=shutil.ignore_patterns("__pycache__", "browser", "crash"))
    shutil.copy(ROOT / "pyproject.toml", inside)
    where = run(python, "-c", "import gm, rounds; print(gm.__file__, rounds.__file__)", cwd=inside)
    assert str(ROOT) not in where
    assert where.count(str(packages)) == 2
    out = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not long", cwd=inside)
    assert int(re.findall(r"(\d+) passed", out)[0]) > 400
    assert "bohnenpost" in run(home / "bin" / "bohnenpost", "--version", cwd=inside)
