"""With a font of 32 pixels, as people set it who see little, nothing scrolls sideways on a phone."""

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import BrowserType

from rounds.engine.variant import names
from tests.browser.states import states

pytestmark = [pytest.mark.browser, pytest.mark.everything]

LARGE = "--blink-settings=defaultFontSize=32"
NARROW = 320
TOO_WIDE = """() => [...document.querySelectorAll('body *')]
  .filter((e) => (e.getBoundingClientRect().right > innerWidth + 1 || (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow === 'visible' && e.clientWidth)) && !e.closest('.scroll, .code'))
  .filter((e) => ![...e.children].some((c) => c.getBoundingClientRect().right > innerWidth + 1)).slice(-4)
  .map((e) => `${e.parentElement.tagName}.${e.parentElement.className} > ${e.tagName}.${e.className} ${Math.round(e.getBoundingClientRect().right)}: ${e.textContent.trim().slice(0, 30)}`)"""


def test_nothing_scrolls_sideways_with_a_large_font(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    demo_in: Any,
) -> None:
    played, link = demo_in("de")  # longer words
    asked = dict(browser_type_launch_args)
    asked["args"] = [*asked.get("args", []), LARGE]
    browser = browser_type.launch(**asked)
    try:
        page = browser.new_page()
        wide = {}
        for state in states(page, played, link, "de"):
            assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
            page.set_viewport_size({"width": NARROW, "height": 700})
            if page.evaluate("document.documentElement.scrollWidth") > NARROW:
                wide[state] = page.evaluate(TOO_WIDE)
            page.set_viewport_size({"width": 1280, "height": 720})
        page.set_viewport_size({"width": NARROW, "height": 700})
        for variant, lang in product(names(), ("de", "en")):
            page.goto(f"{played.home.config.base_url}/rules/{variant}?lang={lang}")
            if page.evaluate("document.documentElement.scrollWidth") > NARROW:
                wide[f"rules of {variant}, {lang}"] = page.evaluate(TOO_WIDE)
        assert wide == {}
    finally:
        browser.close()
