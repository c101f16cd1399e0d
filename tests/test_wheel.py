"""The wheel holds every file, and finds them: installed in a fresh environment with the source
out of reach it plays games.
"""

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
FILES_ARE_FOUND = (
    # every command's help, seeds with their cases and records, an installation that is made
    "service/cli/test_commands.py",
    "store/test_db.py",  # the schema
    "web/test_site_files.py",
    "web/test_offline.py",  # styles, icons, the service worker and what it is made of
    "web/test_rules.py",  # the rules in full, the recorded round
    "service/games/test_awaited.py",  # the zine
    "rules/test_record.py",  # the record that is verified
    # a process of its own
    "web/test_serve.py::test_the_demo_is_played_to_its_final_ranking_by_links_alone[de]",
    "service/whole/test_whole_game.py",  # every page and mail of a game
    # every template
    "service/rendering/test_sentences.py::test_the_german_catalogue_has_every_sentence_and_no_other",
)
"""What is tried on the wheel. Its code is the checkout's, byte by byte; what may differ is where
its files are looked for.
"""

pytestmark = [
    pytest.mark.everything,
    pytest.mark.wheel,
    pytest.mark.skipif(
        not (ROOT / "gm").is_dir(),
        reason="the source is out of reach: this is the wheel under test",
    ),
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
    run(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        folder,
        cwd=ROOT,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_as_it_is_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {
            name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name
        }
    expected = {}
    for source, place in (
        ("gm", "gm"),
        ("rounds", "rounds"),
        ("templates", "gm/templates"),
        ("seeds", "gm/seeds"),
    ):
        for file in (ROOT / source).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                expected[f"{place}/{file.relative_to(ROOT / source).as_posix()}"] = (
                    file.read_bytes()
                )
    for file in (ROOT / "docs" / "rules").iterdir():
        expected[f"gm/docs/rules/{file.name}"] = file.read_bytes()
    assert packed.keys() == expected.keys()
    assert [name for name in packed if packed[name] != expected[name]] == []


def test_the_installed_wheel_finds_its_files(wheel: Path, tmp_path: Path) -> None:
    """Its libraries are those of this environment, so that nothing is downloaded; its code is
    the wheel's alone.
    """
    home = tmp_path / "fresh"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    packages = Path(
        run(
            python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path
        ).strip()
    )
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=tmp_path,
    )
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    inside = tmp_path / "inside"
    shutil.copytree(
        ROOT / "tests",
        inside / "tests",
        ignore=shutil.ignore_patterns("*.pyc.*", "browser", "crash"),
    )
    shutil.copy(ROOT / "pyproject.toml", inside)
    where = run(python, "-c", "import gm, rounds; print(gm.__file__, rounds.__file__)", cwd=inside)
    assert str(ROOT) not in where
    assert where.count(str(packages)) == 2
    tests = [f"tests/{name}" for name in FILES_ARE_FOUND]
    own = tmp_path / "pytest"
    quietly = ("-q", "-p", "no:cacheprovider", f"--basetemp={own}")
    # none needs a plugin
    out = run(
        python, "-m", "pytest", *quietly, *tests, cwd=inside, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"
    )
    assert int(re.findall(r"(\d+) passed", out)[0]) > 150
    assert "bohnenpost" in run(home / "bin" / "bohnenpost", "--version", cwd=inside)
