"""The pages as people use them: a phone without JavaScript, dark and light, wide and narrow."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from gm import store
from gm.cli.demo import Demo
from tests.browser.hands import follow

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone on which no script runs."""
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, java_script_enabled=False, locale="en-GB"
    )
    yield context.new_page()
    context.close()


def test_two_rounds_are_played_without_javascript_and_stored_as_tapped(
    phone: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    phone.goto(link)
    follow(phone.get_by_role("button", name="Submit orders"))
    assert phone.title().startswith("Error: ")
    for position, field in ((1, "A"), (2, "B")):
        phone.check(f"input[name=to_{position}_1][value={field}]")
    phone.fill("#press", "Hello from the train")
    follow(phone.get_by_role("button", name="Check only"))
    assert "Checked: these orders work" in phone.inner_text("main")
    follow(phone.get_by_role("button", name="Submit like this"))
    text = phone.inner_text("main")
    assert "Version 1, submitted on" in text or "were not accepted" in text
    if "were not accepted" in text:  # positions 1 and 2 hold one variety: it grows on A already
        phone.check("input[name=to_2_1][value=A]")
        follow(phone.locator(".submitbar").get_by_role("button", name="Submit orders"))
    with played.home.connection() as db:
        (first,) = store.lists.revisions(db, "ackerwinde", 1, 1)
    assert first.orders in ("1>A 2>B", "1>A 2>A")
    follow(phone.get_by_role("link", name="Change the orders again"))
    follow(phone.locator(".demo").get_by_role("button", name="Close the round"))
    assert (
        "Hello from the train" in phone.inner_text("pre.mailtext")
        or phone.locator("iframe").count() == 1
    )
    phone.goto(link)
    phone.check("input[name=pass]")
    follow(phone.get_by_role("button", name="Submit orders"))
    with played.home.connection() as db:
        (second,) = store.lists.revisions(db, "ackerwinde", 2, 1)
    assert second.orders == "pass"


def test_the_rules_open_beside_the_orders_and_fold_out_without_javascript(
    phone: Page, demo: tuple[Demo, str]
) -> None:
    _, link = demo
    phone.goto(link)
    with phone.context.expect_page() as opened:
        phone.get_by_role("link", name="What may I do here?").click()
    rules = opened.value
    assert rules.locator("h1").inner_text() == "Growing beans by mail"
    never = rules.get_by_text("It never plows, and never harvests a field that is not full.")
    assert not never.is_visible()
    rules.get_by_text("NMR: what the stand-in does").click()
    assert never.is_visible()
    follow(rules.get_by_role("link", name="The rules in full"))
    rules.get_by_text("Contents").click()
    rules.get_by_role("link", name="Part 3. Rulings").click()
    assert rules.get_by_role("heading", name="Part 3. Rulings").bounding_box()["y"] < 200  # type: ignore[index]
    assert phone.url == link


def test_a_report_shows_itself_in_a_mail_program_that_loads_nothing(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    asked: list[str] = []
    played.close()
    (mail,) = played.home.mail_folder.glob("*-report-*.eml")
    base = link.partition("/z/")[0]
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{base}/demo/mail/{mail.name}")
    assert asked == [f"{base}/demo/mail/{mail.name}"]
    assert "What the others did" in page.inner_text("body")
    assert page.locator("img, script, link").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_a_mail_in_the_mailbox_is_no_box_that_scrolls_and_its_button_leads_to_the_orders(
    page: Page, demo: tuple[Demo, str], width: int
) -> None:
    _, link = demo
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(link)
    follow(page.locator(".demo button"))
    mail = page.frame_locator("iframe.mail").locator("html")
    mail.locator("text=What the others did").wait_for()
    page.wait_for_load_state("load")
    assert mail.evaluate(
        "(page) => page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth"
    )
    page.set_viewport_size({"width": 600, "height": 800})
    page.wait_for_timeout(50)
    assert mail.evaluate(
        "(page) => page.scrollHeight <= innerHeight && page.scrollHeight > innerHeight - 30"
    )
    mail.get_by_role("link", name="Submit orders").first.click()
    page.wait_for_url(link)
