"""How fast an order page opens and answers a tap in Chromium, by the number of cards in the row."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measure import Figure
from tests.served import served_demo
from tests.steps import lay_row

ROWS = {
    8: "bush magic climbing mung snap snake broad princess",
    12: "bush*3 magic climbing*3 mung snap snake broad princess",
    40: "bush*20 magic*5 climbing*9 mung snap snake*2 broad princess",
}
REPEATED = 15
OPENED = "() => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
TAPPED = """() => new Promise((done) => {
  const button = [...document.querySelectorAll('.fld .plant')].find((b) => b.getAttribute('aria-disabled') !== 'true');
  const began = performance.now();
  button.click();
  requestAnimationFrame(() => setTimeout(() => { document.getElementById('undo').click(); done(performance.now() - began); }));
})"""


def measure(browser: Browser, row: str) -> tuple[float, float, int]:
    """Median milliseconds until the planner stands, and until a tap is drawn; bytes of the page."""
    with tempfile.TemporaryDirectory() as folder, served_demo(Path(folder), "en") as (played, link):
        with played.home.connection() as db:
            lay_row(db, played.game, row)
        page = browser.new_page(viewport={"width": 390, "height": 800})
        opened = [open_page(page, link) for _ in range(REPEATED)]
        tapped = [float(page.evaluate(TAPPED)) for _ in range(REPEATED)]
        size = len(page.request.get(link).body())
        page.close()
    return median(opened), median(tapped), size


def open_page(page: Page, link: str) -> float:
    """Milliseconds from the request until the planner stands."""
    page.goto(link)
    assert page.locator("html.js").count() == 1
    return float(page.evaluate(OPENED))


def rows() -> Iterator[Figure]:
    """Each row of `ROWS`."""
    with sync_playwright() as play:
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = play.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        for cards, row in ROWS.items():
            opened, tapped, size = measure(browser, row)
            yield Figure(f"order page in Chromium, {cards} cards, opened", opened, "ms")
            yield Figure(f"order page in Chromium, {cards} cards, a tap drawn", tapped, "ms")
            yield Figure(f"order page, {cards} cards", size / 1000, "kB")
        browser.close()
