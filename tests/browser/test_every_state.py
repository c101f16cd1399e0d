"""Every page and state: no violation axe knows, no fault in HTML or policy, nothing scrolls
sideways, the focus is never hidden.

`make shots` takes a picture of each on the way.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import html5lib
import pytest
from playwright.sync_api import Page

from tests.browser.states import states
from tests.browser.test_every_page import NO_PAGES, OF_A_GAME
from tests.faster import few_first
from tests.web.routes import PERMITTED

pytestmark = pytest.mark.browser

CORNERS: tuple[tuple[tuple[Any, int], ...], ...] = (
    (("light", 390), ("dark", 1280)),
    (("dark", 390), ("light", 1280)),
)
"""Colours and widths. A state is seen in two corners and the next one in the other two, so every
kind of page in all four.
"""
LOOKED_AT = {"en": 390, "de": 1280}
"""The width at which axe looks at a state, in each language at another; at colours in German."""
NARROW = 320


def keep(page: Page, served: list[str], folder: Path | None, name: str) -> None:
    """A picture, and the HTML that was sent for it, for other checkers."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        if served:
            (folder / f"{name}.html").write_text(served[-1], encoding="utf-8")


@pytest.mark.usefixtures("faults")
@pytest.mark.parametrize("language", few_first([*LOOKED_AT], 1))
def test_every_state_is_sound(
    page: Page,
    demo_in: Any,
    axe: Callable[..., list[Any]],
    served: list[str],
    visited: set[str],
    shots: Path | None,
    language: str,
) -> None:
    played, link = demo_in(language)
    seen = []
    for number, state in enumerate(states(page, played, link, language)):
        seen.append(state)
        assert page.locator("html").get_attribute("lang") == language, state
        for html in served:
            html5lib.HTMLParser(strict=True).parse(html)
        page.set_viewport_size({"width": NARROW, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, state
        assert page.evaluate(BROKEN) == [], state
        for scheme, width in CORNERS[number % 2]:
            # else colours are on their way
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": 800})
            keep(page, served, shots, f"{number:02} {state} {language} {width} {scheme}")
            if width == LOOKED_AT[language]:
                assert axe(contrast=language == "de") == [], state
            assert hidden_by_the_bar(page) == [], state
        served.clear()
    assert len(set(seen)) == len(seen) >= 45
    pages = {route.removeprefix("GET ") for route in PERMITTED if route.startswith("GET ")}
    assert pages - NO_PAGES.keys() - OF_A_GAME - visited == set()


BROKEN = r"""() => { const found = [], range = document.createRange();
  const all = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let text; (text = all.nextNode());) {
    if (!text.parentElement.checkVisibility() || text.parentElement.closest('code, .hash, pre')) continue;
    for (const word of text.data.matchAll(/(?<!\S)[\p{L}.]{2,12}(?!\S)/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (range.getClientRects().length > 1) found.push(`${word[0]} in ${text.parentElement.outerHTML.slice(0, 80)}`);
    }
  }
  return found; }"""
"""Short words that are broken over two lines."""
HIDDEN = """() => { const bar = document.querySelector('.submitbar'), hidden = [];
  if (!bar || getComputedStyle(bar).position !== 'fixed') return hidden;
  for (const e of document.querySelectorAll('main a, main button, main input, main textarea, main summary')) {
    if (!e.offsetParent || bar.contains(e)) continue;
    e.focus({ focusVisible: true });
    const r = e.getBoundingClientRect(), b = bar.getBoundingClientRect();
    if (document.activeElement === e && r.bottom > b.top && r.right > b.left && r.left < b.right)
      hidden.push(e.outerHTML.slice(0, 80));
  }
  document.activeElement.blur(); scrollTo(0, 0);
  return hidden; }"""


def hidden_by_the_bar(page: Page) -> list[str]:
    """What would have the focus and lie, if only in part, under the fixed bar with the button."""
    found: list[str] = page.evaluate(HIDDEN)
    return found
