"""A page that is open notices that its game has moved on, and disturbs nobody."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, Route, expect

from gm import clock, store
from gm.cli.demo import Demo
from gm.clock import DAY
from gm.games import lead
from gm.store.db import write
from tests.browser.hands import DESKTOP, PHONE, follow, shown

pytestmark = pytest.mark.browser

PLACES = """() => [...document.querySelectorAll('h1, h2, form, .panel, button.primary')]
  .filter((thing) => !thing.closest('.watch'))
  .map((thing) => { const at = thing.getBoundingClientRect(); return [at.x, at.y, at.width, at.height]; })"""


def later(page: Page, seconds: int = 21) -> None:
    """Let time pass for the page alone."""
    page.clock.run_for(seconds * 1000)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_a_plan_that_was_begun_stays_when_the_round_is_closed_and_nothing_moves(
    page_of: Callable[..., Page], demo: tuple[Demo, str], size: dict[str, object]
) -> None:
    played, link = demo
    page = page_of(**size)
    page.clock.install()
    page.goto(link)
    page.locator("#f-A .plant").click()
    page.fill("#press", "Seven beans")
    later(page, 2)
    planned, places = shown(page), page.evaluate(PLACES)
    title, scrolled = page.title(), page.evaluate("scrollY")
    expect(page.locator("#watch")).to_be_hidden()
    played.close()
    later(page)
    expect(page.locator("#watch")).to_contain_text("The round has been closed.")
    expect(page.locator(".submitbar .late")).to_have_text("Too late")
    expect(page.locator("#clock")).to_have_text("closed")
    assert page.evaluate("document.activeElement.id") == "press"
    assert (shown(page), page.input_value("#press")) == (planned, "Seven beans")
    assert (page.evaluate(PLACES), page.evaluate("scrollY")) == (places, scrolled)
    assert page.title() == f"● The round has been closed. – {title}"
    expect(page.locator("#news-said")).to_contain_text("At the end of the page: See what happened.")
    page.locator("#news-off").click()
    later(page)
    expect(page.locator("#watch")).to_be_hidden()
    assert page.title() == title


def test_the_buttons_lead_to_what_happened_and_to_the_next_round(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    page.clock.install()
    for button, heading in (("See what happened", "Round"), ("To your orders", "Your orders")):
        page.goto(link)
        later(page, 2)
        played.close()
        later(page)
        follow(page.locator("#watch a", has_text=button))
        expect(page.locator("h1")).to_contain_text(heading)


def test_the_time_left_is_counted_down_by_the_clock_of_the_server(
    page_of: Callable[..., Page], demo: tuple[Demo, str]
) -> None:
    played, link = demo
    with played.home.connection() as db, write(db):
        store.games.update(db, played.game, {"deadline": clock.now() + 7830})
    page = page_of()
    page.clock.install(time=clock.now() + 5000)  # its own goes wrong
    page.goto(link)
    later(page, 2)
    expect(page.locator("#clock")).to_have_text("2 hours 10 minutes left")
    page.route("**/state?*", lambda route: route.abort())  # the clock of the server stands still
    page.clock.run_for(7320 * 1000)
    expect(page.locator("#clock")).to_have_text(re.compile(r"8:\d\d minutes left"))
    page.clock.run_for(600 * 1000)
    expect(page.locator("#clock")).to_have_text("closing …")


def test_a_deadline_that_was_moved_is_counted_down_to_and_stands_at_the_top(
    page_of: Callable[..., Page], demo: tuple[Demo, str]
) -> None:
    played, link = demo
    with played.home.connection() as db, write(db):
        store.games.update(db, played.game, {"deadline": clock.now() + 7830})
    page = page_of()
    page.clock.install(time=clock.now())
    page.goto(link)
    later(page, 2)
    with played.home.connection() as db:
        lead.extend(db, played.game, clock.now() + 2 * DAY + 7830, "", clock.now())
    later(page)
    expect(page.locator("#watch")).to_contain_text("New deadline:")
    expect(page.locator("#clock")).to_contain_text("2 days 2 hours left")
    when = page.inner_text("#watch .wt").removeprefix("New deadline: ")
    expect(page.locator(".due time")).to_have_text(when)


def test_the_page_of_a_round_notices_too(page: Page, demo: tuple[Demo, str]) -> None:
    played, link = demo
    page.clock.install()
    played.close()
    page.goto(f"{link.split('?')[0]}/r1?lang=en")
    later(page, 2)
    expect(page.locator("#watch")).to_be_hidden()
    played.close()
    later(page)
    expect(page.locator("#watch")).to_contain_text("The round has been closed.")
    expect(page.locator("#watch")).not_to_contain_text("What was not submitted")


def test_a_page_whose_link_is_dead_or_that_asked_too_often_says_so_and_asks_no_more(
    page_of: Callable[..., Page], demo: tuple[Demo, str]
) -> None:
    for status, words in ((404, "This link does not work any more."), (429, "has stopped asking")):
        page, asked = page_of(), list[int]()
        page.clock.install()
        page.route("**/state?*", partial(answer, asked, status))
        page.goto(demo[1])
        later(page, 2)
        expect(page.locator("#watch")).to_contain_text(words)
        later(page, 100)
        assert asked == [status]
        assert not page.locator("#news-off").is_visible()


def answer(asked: list[int], status: int, route: Route) -> None:
    asked.append(status)
    route.fulfill(status=status)


def test_without_javascript_there_is_no_notice_and_the_time_left_is_in_words(
    page_of: Callable[..., Page], demo: tuple[Demo, str]
) -> None:
    page = page_of(java_script_enabled=False)
    page.goto(demo[1])
    expect(page.locator("#watch")).to_be_hidden()
    expect(page.locator("#clock")).to_contain_text("left")
