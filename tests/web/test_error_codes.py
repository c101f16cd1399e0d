"""One code and one status for each thing that cannot be done."""

import re
from http import HTTPStatus
from typing import Any

import pytest

from gm.paths import TEMPLATES
from gm.store.games import Game
from gm.web.error_codes import BY_STATUS, STATUS


@pytest.mark.parametrize(("code", "status"), STATUS.items())
def test_every_status_says_that_something_is_wrong(code: str, status: int) -> None:
    assert 400 <= HTTPStatus(status) < 600
    assert code.replace("_", "").isalpha()


@pytest.mark.parametrize("code", (OURS := ["broken", "busy", "much_practice"]))
def test_what_is_our_fault_is_said_to_be_ours(code: str) -> None:
    assert STATUS[code] >= 500
    assert all(status < 500 for other, status in STATUS.items() if other not in OURS)


@pytest.mark.parametrize(("status", "code"), BY_STATUS.items())
def test_a_status_of_the_server_is_answered_with_the_same_status(status: int, code: str) -> None:
    assert STATUS[code] == status


def test_every_code_has_its_words() -> None:
    words = (TEMPLATES / "pages" / "errors.html").read_text(encoding="utf-8")
    assert [code for code in STATUS if code not in words] == []


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/zine?since=x", None),
        ("/my-games", {"whole": "yes", "address": "x"}),
        ("/links", {"whole": "yes", "address": "x"}),
        ("/opens", {"whole": "yes", "address": "x"}),
        ("/p/ackerwinde/follow", {"whole": "yes", "address": "x"}),
    ],
)
def test_a_refused_page_says_so_first_and_has_a_place_for_the_focus(
    web: Any, ackerwinde: Game, path: str, fields: dict[str, str] | None
) -> None:
    answer = web.get(path) if fields is None else web.post(path, data=fields)
    assert answer.status_code == 422
    assert re.search(r"<title>(Error|Fehler): ", answer.text)
    assert 'id="err" tabindex="-1" role="alert"' in answer.text


def test_every_refusal_on_a_page_can_have_the_focus() -> None:
    for file in (TEMPLATES / "pages").rglob("*.html"):
        for tag in re.findall(
            r'<[^>]*role="alert"[^>]*>(?=[^<]*\|sentence)', file.read_text("utf-8")
        ):
            assert 'tabindex="-1"' in tag, file
