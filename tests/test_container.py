"""Two ways in, carried out in a Debian tree: the lines of the Dockerfile, and pipx. A round is played
with what they start. As root, with debootstrap.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.box import ENVIRONMENT, make_tree, mounted, run

ROOT = Path(__file__).parent.parent
WHOLE = "whole=yes"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

pytestmark = [
    pytest.mark.everything,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a tree"),
    pytest.mark.skipif(not shutil.which("debootstrap"), reason="debootstrap is not installed"),
]


def lines() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile and what stands behind them."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    return [(name, words) for name, _, words in (line.partition(" ") for line in text.splitlines())]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What the image would hold."""
    tree = tmp_path_factory.mktemp("container") / "tree"
    make_tree(tree)
    with mounted(tree):
        yield tree


def test_a_round_is_played_with_what_it_starts(tree: Path) -> None:
    environment, user, checked = dict(ENVIRONMENT), "", ""
    for name, words in lines():
        match name:
            case "RUN":
                run("chroot", tree, "bash", "-c", words, env=environment)
            case "COPY":
                assert words == ". /src"
                shutil.copytree(tree / "root/bohnenpost", tree / "src")
            case "ENV":
                environment |= dict(word.split("=", 1) for word in shlex.split(words))
            case "USER":
                user = words
            case "HEALTHCHECK":
                checked = words.removeprefix("CMD ")
            case "CMD":
                command = json.loads(words)
            case _:
                assert name in ("FROM", "VOLUME", "EXPOSE")
    variables = (f"{key}={value}" for key, value in environment.items())
    as_user = ("chroot", str(tree), "runuser", "-u", user, "--", "env", "-i", *variables)
    assert run(*as_user, "bohnenpost", "--version").startswith("bohnenpost")
    with subprocess.Popen([*as_user, *command]) as serving:
        try:
            for _ in range(100):
                time.sleep(0.2)
                said = subprocess.run([*as_user, *json.loads(checked)], check=False)
                if said.returncode == 0:
                    break
            assert said.returncode == 0
            play_a_round(8080)
        finally:
            serving.terminate()
    assert {"bohnenpost.db", "link.key", "practice"} <= {
        file.name for file in (tree / "data").iterdir()
    }


def test_pipx_installs_it_and_the_demo_is_played(tree: Path) -> None:
    command = "apt-get update && apt-get install --yes --no-install-recommends pipx ca-certificates"
    chroot = ("chroot", str(tree))
    run(*chroot, "bash", "-c", command, env=ENVIRONMENT)
    run(*chroot, "bash", "-c", "cd /root/bohnenpost && pipx install .", env=ENVIRONMENT)
    assert not (tree / "usr/bin/make").exists()
    demo = ("/root/.local/bin/bohnenpost", "demo", "--port", "8123")
    with subprocess.Popen(
        [*chroot, *demo], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as serving:
        try:
            assert serving.stdout is not None
            assert "http://localhost:8123/z/" in serving.stdout.readline()
            play_a_round(8123)
        finally:
            serving.terminate()


def play_a_round(port: int) -> None:
    """A practice game, and the page of its first round."""
    line = HTTPConnection("localhost", port, timeout=30)

    def asked(method: str, path: str) -> tuple[str, str]:
        line.request(method, path, WHOLE if method == "POST" else None, FORM)
        answer = line.getresponse()
        text = answer.read().decode()
        assert answer.status in (200, 303), text
        return answer.headers["Location"] or "", text

    link, _ = asked("POST", "/practice/postal?lang=en")
    round_1, _ = asked("POST", re.sub(r"\?.*", "/close?lang=en&round=1", link))
    assert "Round 1 of 10" in asked("GET", round_1)[1]
    line.close()
