"""A game from another package in the browser: its planner, its turns in one sitting."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.added import TESTS, TOY, environment_with, surroundings
from tests.browser.hands import follow

pytestmark = pytest.mark.browser


@pytest.fixture
def order_page(tmp_path: Path) -> Iterator[str]:
    """The personal link of a demo of the game."""
    command = [
        str(environment_with(tmp_path / "fresh", TOY)),
        "-u",
        "-m",
        "gm",
        "demo",
        "--variant",
        "minibohn",
        "--lang",
        "en",
        "--port",
        "0",
    ]
    with subprocess.Popen(
        command, cwd=TESTS.parent, env=surroundings(), stdout=subprocess.PIPE, text=True
    ) as served:
        assert served.stdout is not None
        link = re.search(r"http\S+", served.stdout.readline())
        assert link is not None
        yield link[0]
        served.terminate()


def test_a_turn_is_played_in_one_sitting(page: Page, order_page: str) -> None:
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(order_page)
    says = page.locator("#plan-says")
    expect(says).to_have_text("A –, B –")
    page.get_by_label(re.compile("^1 ")).check()
    expect(says).to_have_text(re.compile(r"^A 1 \w+, B –$"))
    page.get_by_label(re.compile("I know that my orders")).check()
    follow(page.get_by_role("button", name="Submit orders"))
    page.get_by_label("leave it").check()
    expect(says).to_have_text(re.compile(r"^A 1 \w+, B –$"))
    page.get_by_label(re.compile("I know that my orders")).check()
    follow(page.get_by_role("button", name="Submit orders"))
    # the robot has played its turn
    expect(page.get_by_role("heading", name="Your orders for round 5")).to_be_visible()
    expect(page.get_by_text("Plant one or two cards of your hand")).to_be_visible()
    assert complaints == []
