"""Whoever wants keeps the link to all games on a device: the installed app then begins with them."""

import pytest
from playwright.sync_api import Page, expect

from gm import store
from gm.cli.demo import Demo
from gm.store.db import write
from tests.browser.states import overview_of

pytestmark = pytest.mark.browser


def test_the_app_begins_with_all_games_where_their_link_is_kept(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, _ = demo
    base = played.home.config.base_url
    start = f"{base}{page.request.get(f'{base}/manifest.webmanifest').json()['start_url']}"
    with played.home.connection() as db:
        all_games = overview_of(played, db)
    page.goto(start)
    page.wait_for_url(f"{base}/")
    page.goto(f"{all_games}?lang=en")
    page.get_by_role("button", name="Keep the link on this device").click()
    expect(page.get_by_role("button", name="Forget the link on this device")).to_be_focused()
    page.goto(start)
    page.wait_for_url(all_games)
    page.goto(f"{all_games}?lang=en")
    page.get_by_role("button", name="Forget the link").click()
    page.goto(start)
    page.wait_for_url(f"{base}/")

    page.goto(f"{all_games}?lang=en")
    page.get_by_role("button", name="Keep the link").click()
    with played.home.connection() as db, write(db):  # another link was mailed meanwhile
        address = store.seats.of_game(db, played.game)[0].address
        db.execute("UPDATE my_games SET hash = 'x' WHERE address = ?", [address])
    page.goto(start)
    page.wait_for_url(all_games)
    expect(page.locator("#my-games")).to_be_visible()
    page.goto(start)
    page.wait_for_url(f"{base}/")
