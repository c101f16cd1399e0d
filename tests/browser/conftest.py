"""Real Chromium on pages that are really served. Where there is no Chromium the tests are skipped visibly; in CI they fail."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page
from waitress.server import create_server

from gm.demo import Demo, pages, set_up
from gm.web import create_app


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium: apt-get install chromium")
        pytest.skip("no chromium: apt-get install chromium")
    return browser_type_launch_args | {"executable_path": chromium, "args": ["--no-sandbox", "--disable-dev-shm-usage"]}


@pytest.fixture
def demo_in(tmp_path: Path) -> Iterator[Callable[[str], tuple[Demo, str]]]:
    """A demo in a language, its pages served, and your personal link."""
    servers = []

    def make(language: str) -> tuple[Demo, str]:
        probe = create_server(lambda *_: [], host="127.0.0.1", port=0)
        port = probe.effective_port
        probe.close()
        found, link = set_up(tmp_path / "demo", f"http://localhost:{port}", language)
        app = create_app(found.home)
        app.extensions["demo"] = found
        app.register_blueprint(pages)
        server = create_server(app, host="127.0.0.1", port=port)
        threading.Thread(target=server.run, daemon=True).start()
        servers.append(server)
        return found, link

    yield make
    for server in servers:
        server.close()


@pytest.fixture
def demo(demo_in: Callable[[str], tuple[Demo, str]]) -> tuple[Demo, str]:
    """A demo in English."""
    return demo_in("en")


@pytest.fixture
def faults(page: Page) -> Iterator[list[str]]:
    """What the browser calls an error: in scripts, styles, the content security policy. Answers of 4xx are none."""
    seen: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            seen.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: seen.append(str(error)))
    yield seen
    assert seen == []


@pytest.fixture
def axe(page: Page) -> Callable[[], list[Any]]:
    """The violations axe finds on the page as it stands."""
    script = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

    def violations() -> list[Any]:
        page.evaluate(script)  # our policy stops a <script> tag, not this
        found = page.evaluate("axe.run(document)")["violations"]
        return [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in found]

    return violations
