"""Without a network a page is shown as it was seen, and says so: never the desk, never another
person's page for long.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page
from waitress.server import create_server

from gm import clock
from gm.installation import Installation, open_installation
from gm.people import seating
from gm.web import create_app, offline
from tests.browser.hands import follow
from tests.steps import seat_game, start

pytestmark = pytest.mark.browser


KEPT = """async () => { const found = [];
  for (const name of await caches.keys()) if (name.includes('pages'))
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found.sort(); }"""
AGE = """async ([path, hours]) => {
  const kept = await caches.open((await caches.keys()).find((name) => name.includes('pages')));
  const request = (await kept.keys()).find((one) => new URL(one.url).pathname === path);
  const copy = await kept.match(request, {ignoreVary: true});
  const headers = new Headers(copy.headers);
  headers.set('Kept-At', Date.now() - hours * 3600 * 1000);
  await kept.put(request, new Response(await copy.text(), { headers })); }"""


class Served:
    """Pages on a port of this machine, without the demo around them, which keeps nothing."""

    def __init__(self, folder: Any) -> None:
        probe = create_server(lambda *_: [], host="127.0.0.1", port=0)
        self.port = probe.effective_port
        probe.close()
        self.base = f"http://localhost:{self.port}"
        self.house: Installation = open_installation(
            folder, {"BOHNENPOST_BASE_URL": self.base}, create=True
        )
        seat_game(self.house)
        start(self.house)

    def begin(self) -> None:
        self.server = create_server(create_app(self.house), host="127.0.0.1", port=self.port)

        def run() -> None:
            with suppress(OSError):  # its socket is closed under it at the end
                self.server.run()

        threading.Thread(target=run, daemon=True).start()

    def link(self, name: str, number: int = 1) -> str:
        return self.house.url("seat", "ackerwinde", name, number)


@pytest.fixture
def served_house(tmp_path: Any) -> Iterator[Served]:
    served = Served(tmp_path / "house")
    served.begin()
    yield served
    served.server.close()


@pytest.fixture
def visitor(context: BrowserContext, served_house: Served) -> Page:
    """A browser that has been there once, so that its worker is at work."""
    page = context.new_page()
    page.goto(f"{served_house.base}/?lang=en")
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.active.state)")
    until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"), page)
    until(lambda: kept(page) == ["/"], page)  # what was open while it came to work
    return page


def until(condition: Callable[[], bool], page: Page) -> None:
    """Wait for what the worker does by itself, a minute at most."""
    for _ in range(600):
        if condition():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it never came to that")


def visit(page: Page, *addresses: str) -> None:
    """Open pages, and wait until what may be kept of them is."""
    for address in addresses:
        page.goto(address)
        page.wait_for_timeout(150)


def kept(page: Page) -> list[str]:
    found: list[str] = page.evaluate(KEPT)
    return found


def test_a_page_seen_before_is_shown_as_it_was_and_says_so(
    visitor: Page, served_house: Served, context: BrowserContext
) -> None:
    link = served_house.link("Bert")
    visit(visitor, f"{served_house.base}/?lang=de", link)
    online = visitor.inner_text("main")
    assert visitor.locator(".stale").count() == 0
    context.set_offline(True)
    visitor.goto(link)
    said = visitor.inner_text(".stale")
    assert said.startswith("You are offline. This page is as it was on ")
    assert visitor.inner_text("main").replace(said, "").split() == online.split()
    assert visitor.locator("#row .bcard").count() == 8  # its script and its styles are there
    assert (
        visitor.evaluate("getComputedStyle(document.querySelector('.top .in')).display") == "flex"
    )
    visitor.goto(f"{served_house.base}/?lang=de")
    assert visitor.inner_text(".stale").startswith(
        "Du bist offline. Diese Seite ist, wie sie war: "
    )
    context.set_offline(False)
    visitor.goto(link)
    assert visitor.locator(".stale").count() == 0


def test_what_was_never_seen_is_not_there_and_no_other_page_is_shown_for_it(
    visitor: Page, served_house: Served, context: BrowserContext
) -> None:
    visit(visitor, served_house.link("Bert"))
    context.set_offline(True)
    visitor.goto(f"{served_house.link('Anna')}?lang=de")
    assert visitor.inner_text("h1") == "Du bist offline"
    assert "Anna" not in visitor.content()
    assert "Bert" not in visitor.content()


def test_of_personal_links_only_the_last_is_kept_and_for_a_day(
    visitor: Page, served_house: Served, context: BrowserContext
) -> None:
    anna, bert = served_house.link("Anna"), served_house.link("Bert")
    visit(visitor, anna, f"{anna}/mail", bert)
    path = bert.removeprefix(served_house.base)
    assert kept(visitor) == ["/", path]
    visitor.evaluate(AGE, [path, 23])
    context.set_offline(True)
    visitor.goto(bert)
    assert visitor.locator(".stale").count() == 1
    visitor.evaluate(AGE, [path, 25])
    visitor.goto(bert)
    assert visitor.inner_text("h1") == "You are offline"
    context.set_offline(False)
    visit(visitor, f"{served_house.base}/table")
    assert kept(visitor) == ["/", "/table"]


def test_a_link_that_is_dead_leaves_nothing_behind(visitor: Page, served_house: Served) -> None:
    bert = served_house.link("Bert")
    visit(visitor, bert, f"{bert}?lang=de", f"{bert}?lang=en")
    assert bert.removeprefix(served_house.base) in kept(visitor)
    with served_house.house.connection() as db:
        seating.renew_link(db, served_house.house.link_key, "ackerwinde", "Bert", clock.now())
    visit(visitor, bert)
    assert kept(visitor) == ["/"]


def test_neither_the_desk_nor_an_answer_to_a_form_is_kept(
    visitor: Page, served_house: Served, context: BrowserContext
) -> None:
    visit(visitor, f"{served_house.base}/desk/sign-in", served_house.link("Bert"))
    follow(visitor.locator(".submitbar .primary"))
    # what a form was answered, under the address of the page
    assert visitor.title().startswith("Error: ")
    visitor.wait_for_timeout(300)
    path = served_house.link("Bert").removeprefix(served_house.base)
    assert kept(visitor) == ["/", path]
    context.set_offline(True)
    visitor.goto(served_house.link("Bert"))
    assert not visitor.title().startswith("Error: ")


def test_another_version_of_the_program_forgets_what_the_last_one_kept(
    visitor: Page, served_house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit(visitor, f"{served_house.base}/table")
    assert "/table" in kept(visitor)
    offline.worker.cache_clear()
    monkeypatch.setattr(offline, "_version", lambda: "another")
    visitor.goto(f"{served_house.base}/accessibility")
    names = "async () => (await caches.keys()).map((name) => name.split(' ').pop())"
    until(lambda: set(visitor.evaluate(names)) == {"another"}, visitor)
    assert "/table" not in kept(visitor)
    offline.worker.cache_clear()
