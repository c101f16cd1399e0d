"""What the order pages of the trading games offer before anything is chosen, on a phone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.hands import PHONE
from tests.served import served_demo

pytestmark = pytest.mark.browser

LENGTHS = {
    "classic": {0: (850, 2600), 1: (700, 2600), 4: (1300, 3400)},
    "mutabohn": {0: (1400, 3500), 1: (800, 3200), 4: (1900, 4300)},
}
"""How far down the first deal begins and the page ends, at most, after so many rounds: in turn 1,
its second call, turn 3.
"""
CHIPS = """() => [...document.querySelectorAll('.deal[data-label]:not([hidden], .self) [role=toolbar]')].map((bar) => {
  const seen = [...bar.querySelectorAll('button')].filter((one) => one.offsetParent);
  return [seen.findIndex((one) => one.tabIndex === 0), seen.findIndex((one) => one.classList.contains('give')), seen.length];
})"""
"""For each card that may be traded: which of its chips Tab reaches, which one gives it away, and how
many there are.
"""


@pytest.mark.parametrize("variant", LENGTHS)
def test_what_is_useful_stands_first_and_the_page_is_short(
    variant: str, tmp_path: Path, page_of: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.games.create.secrets.token_bytes", lambda n: bytes(range(n)))
    with served_demo(tmp_path / "demo", "en", variant=variant) as (played, link):
        page, found = page_of(**PHONE), {}
        for closed in range(5):
            if closed in LENGTHS[variant]:
                page.goto(link)
                page.evaluate("document.querySelector('.demo').remove()")
                found[closed] = (
                    page.locator(".dealgrid").bounding_box()["y"],  # type: ignore[index]
                    page.evaluate("document.documentElement.scrollHeight"),
                )
                chips = page.evaluate(CHIPS)
                assert chips
                for first, give, number in chips:
                    assert (first, give) == (0, number - 1)
                    assert number > 2  # others, for nothing, and at least one that is useful
            played.close()
    for closed, most in LENGTHS[variant].items():
        assert all(one <= other for one, other in zip(found[closed], most, strict=True)), found
