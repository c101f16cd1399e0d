"""Under which names the service answers, and what its log says of the others."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from gm.installation import Installation
from gm.web import create_app
from tests.steps import file_of


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


def test_healthz_says_the_same_way_that_the_database_cannot_be_reached(
    beans: Any, installation: Installation
) -> None:
    file_of(installation).unlink()
    answer = beans.get("/healthz")
    assert (answer.status_code, answer.json) == (503, {"ok": False, "late": ["database"]})


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


@pytest.mark.parametrize(
    "name",
    ["Beans.Example.org", "beans.example.org.", "BEANS.EXAMPLE.ORG:443", "beans.example.org.:443"],
)
def test_a_host_is_known_in_any_spelling(beans: Any, name: str) -> None:
    assert beans.get("/", headers={"Host": name}).status_code == 200
    assert beans.get("/", headers={"Host": f"x{name}"}).status_code == 400


@pytest.mark.parametrize("base", ["http://[::1]:8000", "http://localhost:8000", "http://127.0.0.1"])
def test_this_machine_is_known_by_each_of_its_names(installation: Installation, base: str) -> None:
    config = replace(installation.config, base_url=base)
    web = create_app(replace(installation, config=config)).test_client()
    for name in ("[::1]:8000", "localhost:8000", "127.0.0.1:8000", "[::1]"):
        assert web.get("/", headers={"Host": name}).status_code == 200
        sent = web.post("/links", data={"whole": "yes", "address": "x"}, headers={"Origin": base})
        assert sent.status_code == 422
    assert web.get("/", headers={"Host": "[::2]:8000"}).status_code == 400


def test_a_path_with_slashes_too_many_is_the_page_itself(beans: Any, link: dict[str, str]) -> None:
    """A redirect would name http:// where a proxy speaks https, and carry the key unencrypted."""
    headers = {"Host": "beans.example.org"}
    token = link["Anna"].removeprefix("/z/")
    for path in (
        f"/z//{token}",
        f"/z///{token}",
        "/p//ackerwinde",
    ):
        assert beans.get(path, headers=headers).status_code == 200


def test_no_route_ends_with_a_slash_that_would_be_redirected_to(installation: Installation) -> None:
    rules = [rule.rule for rule in create_app(installation).url_map.iter_rules()]
    assert [rule for rule in rules if rule.endswith("/") and rule != "/"] == []


@pytest.mark.parametrize("asked", ["bytes=5-2", "bytes=999999-", "bytes=x"])
def test_a_part_of_a_file_that_is_not_there_is_no_fault_of_ours(web: Any, asked: str) -> None:
    answer = web.get("/static/app.css", headers={"Range": asked})
    assert answer.status_code in (200, 416)


def test_too_many_mails_say_how_long_to_wait(web: Any) -> None:
    data, other = {"whole": "yes", "address": "x@example.org"}, {"REMOTE_ADDR": "192.0.2.7"}
    for _ in range(20):
        assert web.post("/links", data=data, environ_overrides=other).status_code == 303
    answer = web.post("/links?lang=en", data=data, environ_overrides=other)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
    assert "in an hour" in answer.text


OWN_NAME = {"Host": "beans.example.org"}


@pytest.mark.parametrize("path", ["/rules/", "/table/", "/zine/", "/my-games/", "/desk/"])
def test_a_slash_at_the_end_is_nothing(beans: Any, path: str) -> None:
    with_slash, without = (beans.get(of, headers=OWN_NAME) for of in (path, path[:-1]))
    assert with_slash.status_code == without.status_code
    assert without.status_code in (200, 303)


def test_pictures_are_shown_by_other_sites(beans: Any) -> None:
    for path in ("/static/icon-192.png", "/static/postal/og.png"):
        with beans.get(path, headers=OWN_NAME) as answer:
            assert answer.status_code == 200
            assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
