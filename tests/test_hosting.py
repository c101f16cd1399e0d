"""The files for hosts name what there is: commands, settings, every door that a personal link
opens.
"""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from gm.cli import main
from gm.config import PREFIX, Config
from gm.web.guard import MAILED_PATHS, MAX_BODY

HOSTING = Path(__file__).parent.parent / "docs" / "hosting"
FILES = sorted(HOSTING.glob("*"))

pytestmark = pytest.mark.skipif(not HOSTING.exists(), reason="the documents lie in the checkout")


def text_of(name: str) -> str:
    return (HOSTING / name).read_text(encoding="utf-8")


def test_every_file_is_told_of() -> None:
    told = (HOSTING.parent / "hosting.md").read_text(encoding="utf-8")
    assert FILES
    for file in FILES:
        assert f"(hosting/{file.name})" in told, file.name


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.name))
def test_commands_and_settings_exist(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    known = {setting.name for setting in fields(Config)} | {"home"}
    for command in re.findall(r"/bin/bohnenpost ([a-z]+)", text):
        assert command in main.commands
    for setting in re.findall(rf"{PREFIX}([A-Z_]+)=", text):
        assert setting.lower().removesuffix("_file") in known


def test_no_log_of_nginx_holds_a_link_that_was_mailed() -> None:
    """Not the doors of mailed links, nor those of a private game, nor a password's."""
    text = text_of("nginx.conf")
    masks = [
        re.compile(mask.replace("(?<", "(?P<"))
        for mask in re.findall(r'^ +"~(\S+)" ', text, re.MULTILINE)
    ]
    secrets = [f"{door}SECRET" for door in MAILED_PATHS] + [
        "/p/ackerwinde/join/SECRET",
        "/desk/password/dXNlcg/SECRET",
    ]
    secrets += [
        "/p/ackerwinde.SECRET",
        "/p/ackerwinde.SECRET/r1.txt",
        "/api/v1/games/ackerwinde.SECRET/rounds/1",
    ]
    for path in secrets:
        assert any(mask.search(path) for mask in masks), path
    for path in (
        "/",
        "/p/ackerwinde",
        "/p/ackerwinde/r1",
        "/p/ackerwinde/r1.txt",
        "/zine",
        "/desk",
    ):
        assert not any(mask.search(path) for mask in masks), path
    assert "$request " not in text
    assert "$http_referer" not in text


def test_a_stranger_cannot_say_whence_a_request_comes() -> None:
    assert "X-Forwarded-For $remote_addr;" in text_of("nginx.conf")
    assert "header_up X-Forwarded-For {remote_host}" in text_of("Caddyfile")


def test_a_proxy_lets_every_body_through_that_is_read() -> None:
    for name, limit in (
        ("nginx.conf", r"client_max_body_size (\d+)k"),
        ("Caddyfile", r"max_size (\d+)KB"),
    ):
        found = re.search(limit, text_of(name))
        assert found
        assert MAX_BODY < int(found[1]) * 1000 < 2 * MAX_BODY
