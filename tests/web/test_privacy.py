"""What the host says: the imprint and about stored data, at the foot of every page and mail."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gm import clock, store
from gm.config import BadConfig
from gm.installation import Installation
from gm.mail import writing
from gm.store.db import Database
from gm.store.games import Game
from gm.web import create_app

TEXT = "# Who we are\n\nThe [bean club](https://club.example) <script>\n"


@pytest.fixture
def named(installation: Installation, tmp_path: Path) -> Installation:
    """The installation with both texts."""
    file = tmp_path / "text.md"
    file.write_text(TEXT, encoding="utf-8")
    return replace(
        installation, config=replace(installation.config, imprint=str(file), privacy=str(file))
    )


@pytest.mark.parametrize("path", ["/imprint", "/privacy"])
def test_the_texts_of_the_host_stand_on_their_pages(path: str, named: Installation) -> None:
    told = create_app(named).test_client().get(f"{path}?lang=en").text
    assert '<a href="https://club.example">bean club</a> &lt;script&gt;' in told
    assert ("What the program stores" in told) == (path == "/privacy")


def test_every_page_leads_there(named: Installation, web: Any, link: dict[str, str]) -> None:
    told = create_app(named).test_client()
    for path in ("/", "/rules/duel", "/p/ackerwinde", link["Anna"], "/desk/sign-in", "/nothing"):
        foot = told.get(f"{path}?lang=en").text.partition("<footer>")[2]
        assert "/imprint?lang=en" in foot
        assert "/privacy?lang=en" in foot
        assert "/imprint" not in web.get(path).text


def test_every_mail_leads_there(
    installation: Installation, named: Installation, db: Database, ackerwinde: Game
) -> None:
    for home, is_named in ((installation, False), (named, True)):
        (first,) = db.execute("SELECT min(id) FROM mail").fetchone()
        written = list(
            writing.rendered(db, home, store.mails.unwritten_in_batch_of(db, first), clock.now())
        )
        assert written
        for _, data in written:
            assert isinstance(data, bytes)
            assert (data.count(b"/imprint?lang=") >= 2) == is_named


def test_periods_are_those_that_the_program_keeps(web: Any) -> None:
    assert "at most 30 days after its end" in web.get("/privacy?lang=en").text
    assert "höchstens 30 Tage lang" in web.get("/privacy?lang=de").text


def test_a_file_that_cannot_be_read_is_named_when_pages_start(named: Installation) -> None:
    Path(named.config.imprint).unlink()
    with pytest.raises(BadConfig, match=r"imprint: .*No such file"):
        create_app(named)
