"""What people do, in words that a test can be read aloud with."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import html5lib
from click.testing import CliRunner, Result

from gm.cli import main


def bohnenpost(*args: object, home: Path | None = None, status: int = 0, **env: str) -> Result:
    """Type a command in the folder `home`; it must end with this status and without a traceback."""
    where = ["--home", str(home)] if home else []
    result = CliRunner().invoke(main, [*where, *map(str, args)], env=env)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def form(round_number: int = 1, /, **controls: str | list[str]) -> list[tuple[str, str]]:
    """A whole form, as the page sends it."""
    fields: list[tuple[str, str]] = [("round", str(round_number)), ("rev", "0")]
    for name, value in controls.items():
        fields += [(name, one) for one in (value if isinstance(value, list) else [value])]
    if "action" not in controls:
        fields.append(("action", "submit"))
    return [*fields, ("whole", "yes")]


def send(web: Any, path: str, fields: list[tuple[str, str]], **more: Any) -> Any:
    """Submit a form."""
    return web.post(path, data=urlencode(fields), content_type="application/x-www-form-urlencoded", **more)


def words(answer: Any) -> str:
    """The text of a page, and proof that it is well-formed HTML."""
    html = answer.get_data(as_text=True)
    document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    ids = [element.get("id") for element in document.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.partition("</svg>")[2]))


@contextmanager
def process(*args: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    """The program as a process of its own, killed at the end of the block."""
    command = [sys.executable, "-u", "-m", "gm", *args]
    with subprocess.Popen(
        command, env={**os.environ, **env}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
