"""Under which names the service answers, and what its log says of the others."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from gm.installation import Installation
from gm.web import create_app


@pytest.fixture
def beans(installation: Installation) -> Any:
    """The pages of a club behind one proxy, on this machine."""
    return create_app(
        replace(
            installation,
            config=replace(installation.config, base_url="https://beans.example.org", proxies=1),
        )
    ).test_client()


@pytest.mark.parametrize(
    "name", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "container-7", "beans.example.org"]
)
@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
def test_healthz_answers_this_machine_under_any_name(beans: Any, name: str, address: str) -> None:
    answer = beans.get(
        "/healthz", headers={"Host": name}, environ_overrides={"REMOTE_ADDR": address}
    )
    assert (answer.status_code, answer.json["ok"]) == (200, True)


@pytest.mark.parametrize("address", ["192.0.2.7", "::ffff:192.0.2.7", "", "nonsense"])
def test_anybody_else_is_answered_under_its_own_name_only_whatever_a_header_says(
    beans: Any, address: str
) -> None:
    def status(name: str) -> int:
        headers = {"Host": name, "X-Forwarded-For": "127.0.0.1"}
        found: int = beans.get(
            "/healthz", headers=headers, environ_overrides={"REMOTE_ADDR": address}
        ).status_code
        return found

    assert (status("beans.example.org"), status("localhost:8080")) == (200, 400)


def test_no_other_page_is_answered_under_a_name_that_is_not_ours(beans: Any) -> None:
    assert beans.get("/", headers={"Host": "localhost:8080"}).status_code == 400
    assert beans.get("/healthz/", headers={"Host": "localhost:8080"}).status_code == 400


def test_a_refused_name_is_logged_once_with_the_name_that_would_do(
    beans: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "gm.web.guard"):
        for name in ("127.0.0.1:8080", "127.0.0.1:8080", "other.example"):
            assert beans.get("/", headers={"Host": name}).status_code == 400
    first, second = caplog.messages
    assert "'127.0.0.1:8080'" in first
    assert "base_url names 'beans.example.org'" in first
    assert "'other.example'" in second


def test_strangers_who_try_names_do_not_fill_the_log(
    beans: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "gm.web.guard"):
        for number in range(150):
            beans.get("/", headers={"Host": f"{'x' * 5000}{number}.example"[::-1]})
    assert 0 < len(caplog.messages) <= 100
    assert max(map(len, caplog.messages)) < 300
