"""Real Chromium on pages that are really served. Where there is no Chromium the tests are
skipped visibly; in CI they fail.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask import request
from flask.wrappers import Response
from playwright.sync_api import Browser, ConsoleMessage, Page

from gm.cli.demo import Demo
from tests.served import AXE, AXE_FILE, served_demo

FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--js-flags=--no-opt,--no-maglev",
]
"""Nothing is drawn by a graphics card, nor by a process of its own; no process is started for a
page that may never be asked for; and no script of a page runs so long that compiling it well
would pay.
"""
NO_CHROMIUM = "no chromium: apt-get install chromium-headless-shell"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    # without a window: half the computing
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    return browser_type_launch_args | {"executable_path": chromium, "args": FLAGS}


@pytest.fixture
def served() -> list[str]:
    """The HTML of every page served, as it was sent."""
    return []


@pytest.fixture
def visited() -> set[str]:
    """The route of every page served."""
    return set()


@pytest.fixture
def demo_in(
    tmp_path: Path, served: list[str], visited: set[str]
) -> Iterator[Callable[[str], tuple[Demo, str]]]:
    """A demo in a language, its pages served, and your personal link."""

    def keep(answer: Response) -> Response:
        if answer.mimetype == "text/html":
            served.append(answer.get_data(as_text=True))
            visited.add(str(request.url_rule))
        return answer

    with ExitStack() as stack:
        yield lambda language: stack.enter_context(served_demo(tmp_path / "demo", language, keep))


@pytest.fixture
def demo(demo_in: Callable[[str], tuple[Demo, str]]) -> tuple[Demo, str]:
    """A demo in English."""
    return demo_in("en")


@pytest.fixture
def faults(page: Page) -> Iterator[list[str]]:
    """What the browser calls an error: in scripts, styles, the content security policy. Answers
    of 4xx are none.
    """
    seen: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            seen.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: seen.append(str(error)))
    yield seen
    assert seen == []


@pytest.fixture
def page_of(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A page of one's own with these settings; no script may fail."""
    contexts, faults = [], list[str]()

    def make(**settings: Any) -> Page:
        contexts.append(browser.new_context(**settings))
        page: Page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == []


LOAD_AXE = """(source) => 'axe' in window || new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement('script'), { src: source, onload: resolve, onerror: reject });
  document.head.append(script);
  script.remove();
})"""
VIOLATIONS = """async (contrast) => (await axe.run(document, { resultTypes: ['violations'], selectors: false,
  rules: { 'color-contrast': { enabled: contrast } } }))
  .violations.map((found) => [found.id, found.nodes.map((node) => node.html.slice(0, 120))])"""
"""Of what axe finds sound, many thousand nodes on a page, nothing is told, and no selector is
made up for any.
"""


@pytest.fixture
def axe(page: Page) -> Callable[..., list[Any]]:
    """The violations axe finds on the page, or another one, as it stands; `contrast`: also of
    colours, which takes longer than all the rest.
    """

    def violations(*, contrast: bool = True, of: Page = page) -> list[Any]:
        if of is not page:  # served by the command itself, which knows no axe
            of.route(f"**{AXE}", lambda route: route.fulfill(path=AXE_FILE))
        of.evaluate(LOAD_AXE, AXE)
        found: list[Any] = of.evaluate(VIOLATIONS, contrast)
        return found

    return violations


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--shots FOLDER`: a picture of every page and state."""
    parser.addoption("--shots", type=Path, help="Folder for pictures of every page and state.")


@pytest.fixture
def shots(request: pytest.FixtureRequest) -> Path | None:
    """Where pictures go, if anybody wants them."""
    folder: Path | None = request.config.getoption("--shots")
    return folder
