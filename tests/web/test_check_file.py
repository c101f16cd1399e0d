"""The check of a record as one file: it needs nothing else, and is the same everywhere."""

import re
from typing import Any

import pytest

from gm.paths import STATIC
from gm.web.check_file import check_file, programs


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_file_holds_its_programs_as_they_are_and_fetches_nothing(language: str) -> None:
    page = check_file(language)
    for name in programs():
        assert (STATIC / name).read_text(encoding="utf-8") in page
    assert not re.search(r"""<(?:script|link|img)[^>]+(?:src|href)=["'](?!data:)""", page)


def test_the_page_that_is_served_loads_the_same_programs(web: Any) -> None:
    loaded = re.findall(r'<script src="/static/([^"]+)"', web.get("/verify").get_data(as_text=True))
    assert tuple(loaded) == ("offline.js", *programs())  # the first is of every page
    assert "postal/verify.js" in loaded


def test_each_language_has_its_own_file_made_once() -> None:
    assert check_file("de") != check_file("en")
    assert check_file("de") is check_file("de")
    for language in ("de", "en"):
        assert f'<html lang="{language}"' in check_file(language)
