"""Two friends finish a game of each kind, say that they play once more, and play the first round of
the next one, each from their own mails alone.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gm import store
from gm.cli.demo import Demo
from gm.service import tick
from gm.store.db import write
from rounds.engine.variant import names
from tests.browser.hands import (
    DESKTOP,
    PHONE,
    follow,
    order_like_the_stand_in,
    play_to_the_end,
)
from tests.faster import few_first
from tests.served import served_demo
from tests.steps import parsed, plain_text

pytestmark = pytest.mark.browser

BERT = "bert@example.org"


def link_in(played: Demo, address: str, kind: str, says: str = "") -> str:
    """The personal link in the newest mail of a kind to an address."""
    mails = [parsed(file.read_bytes()) for file in sorted(played.home.mail_folder.glob("*.eml"))]
    texts = [
        plain_text(mail)
        for mail in mails
        if mail["To"].addresses[0].addr_spec == address
        and mail["Message-ID"].startswith(f"<{kind}")
    ]
    text = next(text for text in reversed(texts) if says in text)
    found = re.search(r"http\S+/z/[\w-]+", text)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("variant", few_first([*names()][::-1], 1))
def test_two_friends_play_on_from_their_own_mails(
    variant: str, tmp_path: Path, page_of: Callable[..., Page]
) -> None:
    with served_demo(tmp_path / "demo", "en", variant=variant) as (played, _):
        with played.home.connection() as db, write(db):
            store.games.update(db, played.game, {"asks_again": 1})
            store.seats.update(db, played.game, 2, {"robot": 0, "address": BERT})
            (anna, *_) = store.seats.of_game(db, played.game)
        play_to_the_end(played)
        tick(played.home)
        friends = {anna.address or "": page_of(**PHONE), BERT: page_of(**DESKTOP)}
        for address, page in friends.items():
            page.goto(link_in(played, address, "final"))
            follow(page.get_by_role("button", name="Yes, once more"))
        for page in friends.values():
            page.reload()
            expect(page.locator("#again")).to_contain_text("It goes on with ")
        tick(played.home)
        for address, page in friends.items():
            page.goto(link_in(played, address, "start", "you play once more"))
            if page.locator("#orders").count():  # whose turn it is
                order_like_the_stand_in(page)
        with played.home.connection() as db:
            following = store.games.next_of(db, played.game)
            assert following is not None
            tick(played.home)
            assert store.games.existing(db, following.id).round > 1 or all(
                number in store.lists.newest(db, following.id, 1) for number in (1, 2)
            )
