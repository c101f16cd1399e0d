"""One code and one status for each thing that cannot be done."""

from http import HTTPStatus

import pytest

from gm.paths import TEMPLATES
from gm.web.error_codes import BY_STATUS, STATUS


@pytest.mark.parametrize(("code", "status"), STATUS.items())
def test_every_status_says_that_something_is_wrong(code: str, status: int) -> None:
    assert 400 <= HTTPStatus(status) < 600
    assert code.replace("_", "").isalpha()


@pytest.mark.parametrize("code", ["broken", "busy"])
def test_what_is_our_fault_is_said_to_be_ours(code: str) -> None:
    assert STATUS[code] >= 500
    assert all(status < 500 for other, status in STATUS.items() if other not in ("broken", "busy"))


@pytest.mark.parametrize(("status", "code"), BY_STATUS.items())
def test_a_status_of_the_server_is_answered_with_the_same_status(status: int, code: str) -> None:
    assert STATUS[code] == status


def test_every_code_has_its_words() -> None:
    words = (TEMPLATES / "pages" / "errors.html").read_text(encoding="utf-8")
    assert [code for code in STATUS if code not in words] == []
