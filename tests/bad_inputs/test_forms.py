"""Form, link, state and transport: what a browser, a broken line or a stranger may send."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlencode

import pytest
from waitress.server import create_server

from gm import clock, store
from gm.installation import Installation
from gm.people import seating
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app, guard
from gm.web.forms import MAX_FIELDS
from gm.web.guard import MAX_BODY
from gm.web.limits import Limit
from tests.dates import SUNDAY
from tests.steps import fingerprint, form, seat_game, send, sign_in, start, stored_lists, words
from tests.steps import press as post_at_desk

FORM = "application/x-www-form-urlencoded"
PART = b'--x\r\nContent-Disposition: form-data; name="round"\r\n\r\n1\r\n'


@pytest.fixture
def untouched(installation: Installation, ackerwinde: Game) -> Iterator[None]:
    """Whatever the test sends, no byte of the database changes."""
    before = fingerprint(installation)
    yield
    assert fingerprint(installation) == before


def post(web: Any, path: str, body: bytes, content_type: str = FORM, **headers: str) -> Any:
    return web.post(path, data=body, content_type=content_type, headers=headers)


def whole(**controls: Any) -> bytes:
    return urlencode(form(1, **controls)).encode()


@pytest.mark.parametrize("field", ["press", "note", "to_1_1", "round", "whole"])
@pytest.mark.parametrize("bad", [b"\xff", "ü".encode("latin-1")])
def test_one_damaged_byte_empties_nothing(
    untouched: None, web: Any, link: dict[str, str], field: str, bad: bytes
) -> None:
    answer = post(web, link["Anna"], whole(to_1_1="A") + b"&" + field.encode() + b"=" + bad)
    assert answer.status_code == 400
    assert "kam beschädigt an" in words(answer)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (
            b'--x\r\nContent-Disposition: form-data; name="round"\r\n\r\n1\r\n--x\r\nContent-Dis',
            "multipart/form-data; boundary=x",
        ),
        (
            b'--x\r\nContent-Disposition: form-data; name="round"\r\n\r\n1\r\n--x--\r\n',
            "multipart/form-data",
        ),
        (whole(to_1_1="A").decode().encode("utf-16"), FORM),
    ],
    ids=["cut off", "no boundary", "UTF-16"],
)
def test_a_body_that_is_not_whole_is_refused(
    untouched: None, web: Any, link: dict[str, str], body: bytes, kind: str
) -> None:
    assert post(web, link["Anna"], body, kind).status_code == 400


@pytest.mark.parametrize("sentinel", [b"", b"&whole=no", b"&whole=yes&whole=yes", b"&WHOLE=yes"])
def test_without_its_last_field_a_form_did_not_arrive(
    untouched: None, web: Any, link: dict[str, str], sentinel: bytes
) -> None:
    assert (
        post(
            web, link["Anna"], whole(to_1_1="A").removesuffix(b"&whole=yes") + sentinel
        ).status_code
        == 400
    )


@pytest.mark.parametrize(
    "controls",
    [
        {"to_9_1": "A"},
        {"to_2_4": "A"},
        {"to_3_1": "D"},
        {"pre_2_1": ["HA"] * 7},
        {"to_1_1": "A B"},
        {"to_0_1": "A"},
    ],
)
def test_controls_that_the_page_does_not_have(
    untouched: None, web: Any, link: dict[str, str], controls: Any
) -> None:
    assert send(web, link["Anna"], form(1, **controls)).status_code == 400


@pytest.mark.parametrize("field", ["seat", "game", "link", "player", "token"])
def test_a_form_does_not_say_whose_it_is(
    untouched: None, web: Any, link: dict[str, str], field: str
) -> None:
    assert send(web, link["Anna"], [(field, "Bert"), *form(1, to_1_1="A")]).status_code == 400


def test_a_link_opens_its_own_seat_and_no_other_path(
    installation: Installation, ackerwinde: Game, web: Any, link: dict[str, str], db: Database
) -> None:
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    token = link["Anna"].rpartition("/")[2]
    unknown = web.get("/z/" + "A" * 43).get_data()
    for path in (f"/u/{token}", f"/c/{token}.ics", f"/j/1/{token}", f"/z/{token}x"):
        assert web.get(path).status_code == 404
    assert web.get(f"/z/{token}x").get_data() == unknown
    assert web.get(f"/p/beinwell/join/{token}").status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Referer": "https://evil.example/form"},
        {"Referer": "https://[x"},
    ],
)
def test_the_desk_does_nothing_for_other_sites(
    installation: Installation, ackerwinde: Game, db: Database, headers: dict[str, str]
) -> None:
    uli = sign_in(installation, db)
    before = fingerprint(installation)
    for path in (
        "/desk/game/ackerwinde/pause",
        "/desk/new",
        "/desk/game/ackerwinde/run",
        "/desk/standby",
        "/desk/sign-out",
    ):
        answer = uli.post(path, data="whole=yes&round=1", content_type=FORM, headers=headers)
        assert answer.status_code == 403
        assert "came from another site" in words(answer) or "von einer anderen Seite" in words(
            answer
        )
    assert fingerprint(installation) == before


def test_a_session_that_ended_gives_back_what_was_typed(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    uli = sign_in(installation, db)
    post_at_desk(uli, "/desk/sign-out")
    before = fingerprint(installation)
    answer = post_at_desk(
        uli, "/desk/game/ackerwinde/announce", ("text", "Ein langer Text an alle")
    )
    assert answer.status_code == 403
    assert "Ein langer Text an alle" in words(answer)
    assert fingerprint(installation) == before


@pytest.mark.parametrize(
    "fields",
    [
        [("to_1_1", "A"), ("to_1_1", "B")],
        [("pre_1_1", "HA"), ("pre_1_1", "HA")],
        [("is_gm", "1")],
        [("talers", "99")],
        [("round", "1")],
        [("press", "a"), ("press", "b")],
    ],
)
def test_a_field_twice_or_one_too_many(
    untouched: None, web: Any, link: dict[str, str], fields: Any
) -> None:
    assert send(web, link["Anna"], [*fields, *form(1)]).status_code == 400


def test_more_than_any_form_has(untouched: None, web: Any, link: dict[str, str]) -> None:
    bodies = [
        urlencode([*form(1), *[("x", "1")] * MAX_FIELDS]).encode(),
        b"press=" + b"x" * (MAX_BODY + 1),
    ]
    for body in bodies:
        answer = post(web, link["Anna"], body)
        assert answer.status_code == 413
        assert "Das ist zu viel" in words(answer)
    assert (
        post(
            web, link["Anna"], PART * 1001 + b"--x--\r\n", "multipart/form-data; boundary=x"
        ).status_code
        == 413
    )


LONG = 60
"""Seconds after which an answer that does not come is none: only a test that fails waits for
them.
"""


@pytest.fixture
def served(installation: Installation, ackerwinde: Game) -> Iterator[tuple[str, int]]:
    """The pages behind a real socket."""
    server = create_server(
        create_app(installation), host="127.0.0.1", port=0, threads=2, channel_timeout=10 * LONG
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield "127.0.0.1", server.effective_port
    server.close()


def talk(where: tuple[str, int], data: bytes) -> bytes:
    """Send this, and read until the other side is done."""
    with socket.create_connection(where, timeout=LONG) as line:
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        heard = b""
        while chunk := line.recv(65536):
            heard += chunk
    return heard


def head(path: str, *lines: str) -> bytes:
    return "\r\n".join(
        [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {FORM}", *lines, "", ""]
    ).encode()


def test_a_wrong_length_chunks_and_a_slow_line_hurt_nobody(
    served: tuple[str, int], installation: Installation, link: dict[str, str], db: Database
) -> None:
    body = whole(to_1_1="A")
    short = talk(
        served, head(link["Anna"], f"Content-Length: {len(body) + 50}", "Connection: close") + body
    )
    assert not short.startswith(b"HTTP/1.1 5")
    for odd in ("Content-Length: -1", "Content-Length: x", f"Content-Length: {len(body)}, 3"):
        assert talk(served, head(link["Anna"], odd, "Connection: close") + body).startswith(
            b"HTTP/1.1 400"
        ), odd
    assert stored_lists(db) == []
    chunks = (
        head(link["Anna"], "Transfer-Encoding: chunked", "Connection: close")
        + f"{len(body):x}\r\n".encode()
        + body
    )
    assert talk(served, chunks + b"\r\n0\r\n\r\n").startswith(b"HTTP/1.1 303")
    assert stored_lists(db) == [(1, 1, "1>A")]
    assert not talk(
        served, head(link["Anna"], "Transfer-Encoding: chunked", "Connection: close") + b"zz\r\nx"
    ).startswith(b"HTTP/1.1 5")
    # three times as many as there are threads, none of which ever goes on
    with ExitStack() as waiting:
        for _ in range(6):
            sluggard = waiting.enter_context(socket.create_connection(served, timeout=LONG))
            sluggard.sendall(head(link["Bert"], "Content-Length: 400", "Connection: close") + b"a")
        quick = talk(served, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert quick.startswith(b"HTTP/1.1 200")
    assert stored_lists(db) == [(1, 1, "1>A")]


def test_files_and_packed_bodies_are_not_read(
    untouched: None, web: Any, link: dict[str, str]
) -> None:
    for name in ("orders.docx", "orders.pdf"):
        part = f'--x\r\nContent-Disposition: form-data; name="orders"; filename="{name}"\r\n\r\nPK\r\n--x--\r\n'.encode()
        answer = post(web, link["Anna"], part, "multipart/form-data; boundary=x")
        assert answer.status_code == 415
        assert "wird hier nicht gelesen" in words(answer)
    assert (
        post(web, link["Anna"], whole(to_1_1="A"), **{"Content-Encoding": "gzip"}).status_code
        == 415
    )
    assert post(web, link["Anna"], b"{}", "application/json").status_code == 415


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("open", "hat noch nicht begonnen"),
        ("paused", "Die Partie macht Pause"),
        ("held", "angehalten"),
        ("finished", "Die Partie ist zu Ende"),
        ("aborted", "Die Partie ist zu Ende"),
    ],
)
def test_a_game_that_takes_no_orders_gives_them_back(
    web: Any, link: dict[str, str], installation: Installation, db: Database, status: str, said: str
) -> None:
    with write(db):
        stored, aborted = ("finished", 1) if status == "aborted" else (status, 0)
        paused, deadline = (
            (1 if status == "paused" else None),
            (None if stored in ("open", "finished") else SUNDAY),
        )
        db.execute(
            "UPDATE game SET status = ?, aborted = ?, paused_at = ?, deadline = ?",
            [stored, aborted, paused, deadline],
        )
    before = fingerprint(installation)
    answer = send(web, link["Anna"], form(1, to_1_1="A", press="Mein Text"))
    assert answer.status_code == 409
    assert said in words(answer)
    assert "Mein Text" in words(answer)
    assert "1&gt;A" in answer.get_data(as_text=True)
    assert fingerprint(installation) == before


@pytest.mark.parametrize("typed", ["", "yes", "Bert", "ann"])
def test_leaving_asks_for_the_typed_name(
    untouched: None, web: Any, link: dict[str, str], typed: str
) -> None:
    answer = send(web, f"{link['Anna']}/data", [("confirm", typed), ("whole", "yes")])
    assert answer.status_code == 422
    assert "tippe" in words(answer).lower() or "Anna" in words(answer)


def test_a_receipt_read_a_hundred_times_is_one_receipt(
    web: Any, link: dict[str, str], installation: Installation, db: Database
) -> None:
    send(web, link["Anna"], form(1, to_1_1="A"))
    before, first = fingerprint(installation), web.get(f"{link['Anna']}/receipt").get_data()
    assert all(web.get(f"{link['Anna']}/receipt").get_data() == first for _ in range(100))
    assert fingerprint(installation) == before


def test_press_is_kept_as_it_is_without_links_of_ours(
    web: Any, link: dict[str, str], db: Database, installation: Installation
) -> None:
    family = "👨\u200d👩\u200d👧 🫘"
    send(web, link["Anna"], form(1, to_1_1="A", press=family))
    assert db.execute("SELECT text FROM press").fetchone() == (family,)
    many = " ".join(["http://x.example"] * 100)
    send(web, link["Anna"], form(1, to_1_1="A", press=many))
    page = web.get(link["Anna"]).get_data(as_text=True)
    assert 'href="http://x.example' not in page
    assert many in page


PRESS = ".\n..\nFrom me to you\nSubject: hello\n--=_boundary\nContent-Type: text/html\n===== Runde 2 =====\n-- \nx=3D"


def test_press_that_looks_like_mail_or_like_ours_is_delivered_as_typed(
    web: Any, link: dict[str, str], installation: Installation, db: Database, frozen_time: Any
) -> None:
    from email import policy
    from email.parser import BytesParser

    from gm.service import tick

    send(web, link["Anna"], form(1, to_1_1="A", press=PRESS))
    frozen_time.move_to(SUNDAY)
    tick(installation)
    reports = [file for file in installation.mail_folder.iterdir() if "-report-" in file.name]
    assert len(reports) == 3
    for file in reports:
        mail = BytesParser(policy=policy.default).parsebytes(file.read_bytes())
        text = mail.get_body(("plain",))
        assert text is not None
        told = re.sub(r"(?m)^ *[>|] ?", "", text.get_content())
        for line in PRESS.splitlines():
            assert line in told, line
        assert "Ackerwinde, " in mail["Subject"]
        assert [part.get_content_type() for part in mail.walk()].count("text/html") == 1


@pytest.mark.parametrize("field", ["press", "note"])
def test_a_personal_link_in_press_is_refused_as_a_key(
    untouched: None, web: Any, link: dict[str, str], installation: Installation, field: str
) -> None:
    token = f"mein Schlüssel: ackerwinde.1.{'x' * 43}"
    for text in (
        f"Seht mal: {installation.config.base_url}{link['Anna']}",
        link["Bert"].rpartition("/")[2],
        f"({link['Cem']})",
        token,
    ):
        answer = send(web, link["Anna"], form(1, to_1_1="A", **{field: text}))
        assert answer.status_code == 422
        assert "Das ist ein Schlüssel" in words(answer)
    harmless = send(web, link["Anna"], form(1, pass_="x", **{field: "A" * 43}))
    # `pass_` is no control: nothing was stored, and not because of 43 letters
    assert harmless.status_code == 400


def test_links_opened_a_hundred_times_show_the_same_page(
    untouched: None, web: Any, link: dict[str, str]
) -> None:
    first = web.get(link["Anna"]).get_data()
    for _ in range(50):
        assert web.get(link["Anna"]).get_data() == first
        assert web.head(link["Anna"]).status_code == 200


def test_a_robot_that_sends_every_form_as_it_is_changes_nothing(
    web: Any, link: dict[str, str], installation: Installation, ackerwinde: Game, db: Database
) -> None:
    """Of all pages behind a seat's links. Exceptions: the one click of RFC 8058, and a new link,
    mailed to the stored address.
    """
    import html5lib

    paths = [
        link["Anna"],
        f"{link['Anna']}/mail",
        f"{link['Anna']}/data",
        "/",
        "/p/ackerwinde",
        f"{link['Anna']}?fill=nmr",
    ]
    seats = db.execute("SELECT * FROM seat").fetchall()
    sent = 0
    for path in paths:
        page = html5lib.parse(web.get(path).get_data(), namespaceHTMLElements=False)
        for found in page.iter("form"):
            if found.get("method", "get").lower() != "post" or found.get("id") == "new-link":
                continue
            fields = [
                (one.get("name"), one.get("value", "on"))
                for one in found.iter("input")
                if is_sent(one)
            ]
            fields += [
                (one.get("name"), "".join(one.itertext()))
                for one in found.iter("textarea")
                if one.get("name")
            ]
            for button in [*found.iter("button")] or [None]:
                extra = (
                    [(button.get("name"), button.get("value"))]
                    if button is not None and button.get("name")
                    else []
                )
                action = found.get("action") or path
                action = path.partition("?")[0] + action if action.startswith("?") else action
                assert send(web, action, [*fields, *extra]).status_code in (200, 303, 400, 422), (
                    path,
                    action,
                )
                sent += 1
    assert sent >= 4
    assert stored_lists(db) == []
    assert db.execute("SELECT * FROM seat").fetchall() == seats


def is_sent(one: Any) -> bool:
    """Whether a browser sends this input as the page was rendered."""
    if not one.get("name"):
        return False
    return one.get("type") not in ("radio", "checkbox") or one.get("checked") is not None


@pytest.mark.parametrize("tail", ["", "=3D", "x"])
def test_a_link_that_was_cut_or_got_a_tail_offers_a_new_one(
    untouched: None, web: Any, link: dict[str, str], tail: str
) -> None:
    path = link["Anna"] + tail if tail else link["Anna"][:-7]
    answer = web.get(path)
    assert answer.status_code == 404
    assert "Perhaps it was cut" in words(answer)
    assert 'action="/links' in answer.get_data(as_text=True)


@pytest.mark.parametrize("cookie", ["x", "A" * 43, "A" * 8192, "A" * 43 + "; desk=" + "B" * 43])
def test_a_cookie_that_is_none_opens_nothing_and_signing_in_gives_a_new_one(
    installation: Installation, ackerwinde: Game, db: Database, cookie: str
) -> None:
    stranger = create_app(installation).test_client()
    answer = stranger.get("/desk", headers={"Cookie": f"desk={cookie}"})
    assert (answer.status_code, answer.headers["Location"].partition("?")[0]) == (
        303,
        "/desk/sign-in",
    )
    planted = sign_in(installation, db)
    sent = [
        value for name, value in planted.get("/desk").request.headers.items() if name == "Cookie"
    ]
    assert sent
    assert sent[0] != f"desk={cookie}"


def test_nobody_is_sent_elsewhere_after_signing_in(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    from tests.steps import PASSWORD

    sign_in(installation, db)
    web = create_app(installation).test_client()
    fields = (("address", "uli@example.org"), ("password", PASSWORD))
    answer = post_at_desk(web, "/desk/sign-in?next=//evil.example/", *fields)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/desk")


def test_an_invented_proxy_is_not_believed(
    installation: Installation, ackerwinde: Game, web: Any
) -> None:
    for host in ("evil.example", "localhost.evil.example", "", "localhost:8080@evil"):
        assert web.get("/", headers={"Host": host}).status_code == 400
    answer = web.get(
        "/p/ackerwinde", headers={"X-Forwarded-Host": "evil.example", "X-Forwarded-For": "6.6.6.6"}
    )
    assert "evil.example" not in answer.get_data(as_text=True)


@pytest.mark.parametrize("number", ["%D9%A3", "-1", "0", "11", "9" * 5000, "1%0a"])
def test_a_round_that_is_none_is_not_found(untouched: None, web: Any, number: str) -> None:
    for path in (
        f"/p/ackerwinde/r{number}",
        f"/p/ackerwinde/r{number}.txt",
        f"/p/ackerwinde/r{number}/versions",
    ):
        assert web.get(path).status_code == 404


# ---- limits ----


def test_a_slow_request_is_logged(
    untouched: None, web: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert web.get("/").status_code == 200
    assert "seconds" not in caplog.text
    monkeypatch.setattr(guard, "SLOW_SECONDS", 0)
    assert web.get("/").status_code == 200
    assert re.search(r"GET lobby\.index took \d+\.\d seconds", caplog.text)


def from_afar(web: Any, method: str, path: str, address: str = "203.0.113.7", **more: Any) -> Any:
    return web.open(path, method=method, environ_base={"REMOTE_ADDR": address}, **more)


def test_guesses_open_nothing_and_reach_a_limit_that_no_player_feels(
    installation: Installation, ackerwinde: Game, link: dict[str, str], web: Any
) -> None:
    import secrets

    statuses = {
        from_afar(web, "GET", f"/z/{secrets.token_urlsafe(32)}").status_code for _ in range(700)
    }
    assert statuses == {404, 429}
    tokens = [
        {"Authorization": f"Bearer ackerwinde.1.{secrets.token_urlsafe(32)}"} for _ in range(200)
    ]
    path = "/api/v1/games/ackerwinde/seat"
    assert {from_afar(web, "GET", path, headers=token).status_code for token in tokens} == {429}
    assert from_afar(web, "GET", link["Anna"]).status_code == 200
    assert from_afar(web, "GET", "/z/" + "A" * 43, "198.51.100.2").status_code == 404


def test_a_seat_changes_its_list_thirty_times_in_ten_minutes_and_the_same_list_does_not_count(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    for number in range(30):
        assert (
            send(
                web, link["Anna"], form(1, to_1_1="A") if number % 2 else form(1, to_2_1="A")
            ).status_code
            == 303
        )
    assert send(web, link["Anna"], form(1, to_1_1="A")).status_code == 303
    answer = send(web, link["Anna"], form(1, to_2_1="A", press="Bleibt"))
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "600"
    assert re.search("2(x1)?&gt;A", answer.get_data(as_text=True))
    assert "Bleibt" in words(answer)
    assert len(stored_lists(db)) == 30
    assert send(web, link["Bert"], form(1, to_1_1="A")).status_code == 303
    frozen_time.shift(601)
    assert send(web, link["Anna"], form(1, to_2_1="A")).status_code == 303


def test_forms_and_programs_from_one_machine_have_a_limit_and_a_network_counts_as_one(
    installation: Installation, ackerwinde: Game, web: Any
) -> None:
    addresses = [f"2001:db8:1:2::{number:x}" for number in range(1, 50)]
    found = [
        from_afar(web, "GET", "/api/v1/games", addresses[n % 49]).status_code for n in range(650)
    ]
    assert found.count(429) == 50
    forms = [
        from_afar(web, "POST", "/desk/sign-out", "203.0.113.9", data="whole=yes", content_type=FORM)
        for _ in range(301)
    ]
    assert forms[-1].status_code == 429
    assert forms[299].status_code == 303
    mapped = [
        from_afar(web, "GET", "/api/v1/games", f"::ffff:198.51.100.{number % 250}").status_code
        for number in range(620)
    ]
    assert set(mapped) == {200}
    late = from_afar(
        web,
        "POST",
        "/desk/sign-out",
        "203.0.113.9",
        data="press=Mein Text&whole=yes",
        content_type=FORM,
    )
    assert "Mein Text" in late.get_data(as_text=True)


def test_pages_that_anybody_may_read_have_a_limit_and_those_behind_a_link_have_none(
    installation: Installation, ackerwinde: Game, link: dict[str, str], web: Any
) -> None:
    web.application.extensions["limits"]["page"] = Limit(4, 600, now=lambda: 0.0)
    found = [
        from_afar(web, "GET", path).status_code
        for path in ("/zine", "/table", "/", "/zine.txt", "/p/ackerwinde", "/")
    ]
    assert found == [200] * 4 + [429] * 2
    for path in (link["Anna"], "/desk/sign-in", "/healthz", "/static/app.css"):
        with from_afar(web, "GET", path) as answer:
            assert answer.status_code != 429
    assert from_afar(web, "GET", "/zine", "203.0.113.8").status_code == 200


def test_mails_asked_for_by_one_machine_have_a_limit(
    installation: Installation, ackerwinde: Game, web: Any
) -> None:
    def ask(number: int) -> int:
        body = urlencode({"address": f"a{number}@example.org", "whole": "yes"})
        status: int = from_afar(web, "POST", "/links", data=body, content_type=FORM).status_code
        return status

    assert [ask(number) for number in range(21)] == [303] * 20 + [429]


def test_behind_named_proxies_the_address_of_who_asks_is_counted(
    installation: Installation, ackerwinde: Game
) -> None:
    from dataclasses import replace

    behind = create_app(
        replace(installation, config=replace(installation.config, proxies=1))
    ).test_client()
    for forwarded, status in (("203.0.113.5", 429), ("203.0.113.6", 404)):
        for _ in range(101 if status == 429 else 1):
            answer = behind.get(
                "/z/" + "A" * 43, headers={"X-Forwarded-For": f"6.6.6.6, {forwarded}"}
            )
        assert answer.status_code == status


def test_every_answer_carries_headers_that_close_doors(
    installation: Installation, ackerwinde: Game, link: dict[str, str]
) -> None:
    from dataclasses import replace

    secure = replace(
        installation, config=replace(installation.config, base_url="https://localhost")
    )
    web = create_app(secure).test_client()
    for path in (
        "/",
        link["Anna"],
        "/nowhere",
        "/api/v1/games",
        "/api/v1/nowhere",
        "/desk",
        "/static/app.css",
        "/healthz",
    ):
        with web.get(path, headers={"Host": "localhost"}) as answer:
            found = answer.headers
        assert found["Strict-Transport-Security"].startswith("max-age=")
        assert "frame-ancestors 'none'" in found["Content-Security-Policy"]
        assert found["Cross-Origin-Opener-Policy"] == "same-origin"
        assert found["X-Content-Type-Options"] == "nosniff"
    for path in (link["Anna"], "/api/v1/games", "/desk"):
        assert web.get(path).headers["Cache-Control"] == "no-store"


def test_a_moved_link_number_is_the_end_of_a_link(
    installation: Installation, ackerwinde: Game, web: Any, link: dict[str, str], db: Database
) -> None:
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    assert web.get(link["Anna"]).status_code == 404
    assert store.seats.of_game(db, "ackerwinde")[0].link_number == 2
