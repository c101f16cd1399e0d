"""The check of a record as one file: it needs nothing else, and is the same everywhere."""

import re

import pytest

from gm.web.alone import PROGRAMS, STATIC, alone


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_file_holds_its_programs_as_they_are_and_fetches_nothing(language: str) -> None:
    page = alone(language)
    for name in PROGRAMS:
        assert (STATIC / name).read_text(encoding="utf-8") in page
    assert not re.search(r"""<(?:script|link|img)[^>]+(?:src|href)=["'](?!data:)""", page)


def test_each_language_has_its_own_file_made_once() -> None:
    assert alone("de") != alone("en")
    assert alone("de") is alone("de")
    for language in ("de", "en"):
        assert f'<html lang="{language}"' in alone(language)
