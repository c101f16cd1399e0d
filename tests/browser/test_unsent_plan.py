"""What was typed and not submitted: kept on the device, offered again, forgotten with the
receipt.
"""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from gm import store
from gm.cli.demo import Demo
from gm.games.orders import save_orders
from tests.browser.hands import follow, shown, stored

pytestmark = pytest.mark.browser

PRESS = "Seven beans\nand a <song>"
SUBMIT = "#orders .submitbar .primary"


def plan(page: Page, link: str) -> dict[str, list[str]]:
    """A bean on field A, and some press; nothing is submitted."""
    page.goto(link)
    page.locator("#f-A .plant").click()
    page.fill("#press", PRESS)
    page.fill("#note", "Late tomorrow")
    return shown(page)


def typed(page: Page) -> tuple[dict[str, list[str]], str, str]:
    return shown(page), page.input_value("#press"), page.input_value("#note")


def left(page: Page) -> list[str]:
    """What the device still keeps."""
    kept: list[str] = page.evaluate("Object.keys(localStorage)")
    return kept


@pytest.mark.parametrize("how", ["reload", "away and back", "another tab"])
def test_an_unsent_plan_is_offered_again_and_goes_on(
    page: Page, demo: tuple[Demo, str], how: str
) -> None:
    played, link = demo
    planned = plan(page, link)
    if how == "reload":
        page.reload()
    elif how == "away and back":
        page.goto(f"{link}/mail")
        page.go_back()
    else:
        page = page.context.new_page()
        page.goto(link)
    expect(page.locator("#plan-text")).to_contain_text("Your unsent plan of ")
    assert page.input_value("#press") == "", "nothing is filled in unasked"
    page.locator("#plan-on").click()
    assert typed(page) == (planned, PRESS, "Late tomorrow")
    expect(page.locator("#plan")).to_be_hidden()
    expect(page.locator("#oplist li")).to_have_count(1)
    follow(page.locator(SUBMIT))
    assert len(stored(played, 1)) == 1
    assert left(page) == [], "the receipt forgets it"
    page.goto(link)
    expect(page.locator("#plan")).to_be_hidden()


def test_a_dropped_plan_is_gone(page: Page, demo: tuple[Demo, str]) -> None:
    plan(page, demo[1])
    page.reload()
    page.locator("#plan-off").click()
    expect(page.locator("#plan")).to_be_hidden()
    assert left(page) == []
    page.reload()
    expect(page.locator("#plan")).to_be_hidden()


def test_who_goes_on_with_it_gets_back_what_was_planned_meanwhile(
    page: Page, demo: tuple[Demo, str]
) -> None:
    first = plan(page, demo[1])
    page.reload()
    page.locator("#f-B .plant").click()
    second = shown(page)
    assert second != first
    page.locator("#plan-on").click()
    assert shown(page) == first
    page.locator("#plan-on").click()
    assert shown(page) == second


def test_a_plan_from_before_another_version_says_so(page: Page, demo: tuple[Demo, str]) -> None:
    played, link = demo
    plan(page, link)
    with played.home.connection() as db:
        game = store.games.get(db, played.game)
        assert game is not None
        save_orders(db, game, store.seats.numbered(db, played.game, 1), "pass")
    page.reload()
    expect(page.locator("#plan-older")).to_be_visible()
    expect(page.locator("#bar-s")).to_have_text("Submitted as version 1")


def test_a_plan_for_another_round_or_another_link_is_not_offered(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    plan(page, link)
    with played.home.connection() as db:
        other = store.seats.numbered(db, played.game, 2)
    page.goto(played.home.url("seat", played.game, other.name, other.link_number))
    expect(page.locator("#plan")).to_be_hidden()
    played.close()
    page.goto(link)
    expect(page.locator("h1")).to_contain_text("round 2")
    expect(page.locator("#plan")).to_be_hidden()
    assert left(page) == []


def test_the_link_itself_is_not_what_the_plan_is_kept_under(
    page: Page, demo: tuple[Demo, str]
) -> None:
    plan(page, demo[1])
    kept = page.evaluate("JSON.stringify(localStorage)")
    assert demo[1].rpartition("/")[2] not in kept


def test_without_a_connection_nothing_is_sent_and_nothing_is_lost(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    planned = plan(page, link)
    page.context.set_offline(True)
    page.locator(SUBMIT).click()
    expect(page.locator("#offline")).to_contain_text("No connection: nothing was sent.")
    assert page.url == link
    assert typed(page) == (planned, PRESS, "Late tomorrow")
    expect(page.locator("#bar-s")).to_have_text("Changed, not submitted yet")
    page.context.set_offline(False)
    follow(page.locator(SUBMIT))
    assert len(stored(played, 1)) == 1


def test_an_answer_that_never_came_leaves_the_plan_on_the_device(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    planned = plan(page, link)
    page.route(
        "**/z/*",
        lambda route: route.abort() if route.request.method == "POST" else route.continue_(),
    )
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.locator(SUBMIT).click()
    page = page.context.new_page()
    page.goto(link)
    assert stored(played, 1) == []
    page.locator("#plan-on").click()
    assert typed(page) == (planned, PRESS, "Late tomorrow")


def test_what_was_refused_stays_as_it_was_typed_and_is_not_offered_twice(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    planned = plan(page, link)
    key = link.rpartition("/")[2]
    page.fill("#press", f"Look: {link}")
    follow(page.locator(SUBMIT))
    expect(page.locator("#err")).to_be_visible()
    expect(page.locator("#plan")).to_be_hidden()
    page.fill("#press", PRESS)
    page.goto(link)
    page.locator("#plan-on").click()
    assert typed(page) == (planned, PRESS, "Late tomorrow")
    assert key not in page.evaluate("JSON.stringify(localStorage)")
    assert stored(played, 1) == []


def test_the_receipt_forgets_only_what_was_sent(page: Page, demo: tuple[Demo, str]) -> None:
    played, link = demo
    plan(page, link)
    follow(page.locator(SUBMIT))
    page.goto(link)
    page.fill("#press", "Eight beans")
    page.goto(f"{link}/receipt")
    page.goto(link)
    expect(page.locator("#plan")).to_be_visible()
    assert stored(played, 1) == stored(played, 1)[:1]


def test_where_the_device_keeps_nothing_orders_are_sent_all_the_same(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })"
    )
    plan(page, link)
    follow(page.locator(SUBMIT))
    assert len(stored(played, 1)) == 1


def test_a_form_without_the_planner_keeps_its_plan_too(page: Page, demo: tuple[Demo, str]) -> None:
    page.route("**/static/postal/rules.js", lambda route: route.abort())
    page.goto(demo[1])
    page.locator("input[name=to_1_1][value=A]").check()
    page.locator("#plain details.pre").nth(1).locator("summary").click()
    page.locator("input[name=pre_2_1][value=HA]").check()
    planned = shown(page)
    page.reload()
    page.locator("#plan-on").click()
    assert shown(page) == planned
    assert page.locator("input[name=pre_2_1][value=HA]").is_visible()


def test_press_is_counted_and_nothing_of_it_is_cut(page: Page, demo: tuple[Demo, str]) -> None:
    page.goto(demo[1])
    expect(page.locator("#press-left")).to_have_text("0 of 2000 characters")
    page.focus("#press")
    page.keyboard.insert_text("🫘" * 2001)
    expect(page.locator("#press-left")).to_have_text("2001 of 2000 characters")
    expect(page.locator("#press-left")).to_have_class("hint errtext")
    page.locator("input[name=pass]").check()
    follow(page.locator(SUBMIT))
    expect(page.locator("#err")).to_contain_text(
        "Press: This text has 2001 characters; at most 2000 fit."
    )
    assert page.input_value("#press") == "🫘" * 2001


def test_a_page_that_was_kept_whole_and_is_shown_again_is_loaded_anew(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    page.goto(link)
    with played.home.connection() as db:
        seat, game = store.seats.of_game(db, played.game)[0], store.games.existing(db, played.game)
        save_orders(db, game, seat, "pass")
    with page.expect_navigation():
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("#bar-s")).to_have_text("Submitted as version 1")


@pytest.fixture
def page(browser: Browser) -> Any:
    """A page of its own, that never asks whether to stay."""
    context = browser.new_context(locale="en-GB")
    made = context.new_page()
    made.on("dialog", lambda dialog: dialog.accept())
    yield made
    context.close()
