"""An added game in the browser: its planner, its turns in one sitting, and the check of its
records.
"""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rounds.engine.verdict import NOT_PROVEN, PROVEN
from tests.added import copy_of_the_house, python, run
from tests.browser.hands import follow

pytestmark = pytest.mark.browser

RECORDS = """
import json
from rounds.engine.variant import find
from tests.rules.played import proven
games = [proven(find("minibohn"), absent) for absent in range(5)]
print(json.dumps([(record.decode(), kept.commitment, list(kept.chains.items())) for record, kept in games]))
"""
"""Games with and without missing lists, each with what somebody kept of it."""
CHECK = "import sys; from gm.web.alone import alone; sys.stdout.reconfigure(encoding='utf-8'); print(alone('en'))"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with one more game."""
    return copy_of_the_house(tmp_path_factory.mktemp("copy"))


def test_the_rules_in_its_folder_prove_its_records(page: Page, copied: Path) -> None:
    saved = copied / "verify.html"
    saved.write_text(run(copied, "-c", CHECK), encoding="utf-8")
    page.goto(saved.as_uri())
    games = json.loads(run(copied, "-c", RECORDS))
    for record, commitment, chains in games:
        given = {"commitment": commitment, "chains": chains}
        found = page.evaluate(
            "([record, given]) => BohnenVerify.verify(record, given)", [record, given]
        )
        assert (found["verdict"], found["place"], found["reason"]) == (PROVEN, [], [])
        assert any("deck/main/0" in what for name, what in found["checks"] if name == "deck")
    changed = re.sub('"Anna": "[^"]*"', '"Anna": "pass"', games[0][0], count=1)
    found = page.evaluate("(record) => BohnenVerify.verify(record)", changed)
    assert (found["verdict"], found["place"]) == (NOT_PROVEN, ["orders", 1, "Anna"])


@pytest.fixture
def order_page(copied: Path) -> Iterator[str]:
    """The personal link of a demo of the game."""
    start, environment = python(copied)
    command = [
        *start,
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
        command, cwd=copied, env=environment, stdout=subprocess.PIPE, text=True
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
