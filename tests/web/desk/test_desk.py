"""The desk of a game master: who may enter, what is shown and what never is, every act once."""

import re
import socket
from contextlib import nullcontext
from datetime import UTC, date, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from werkzeug.security import check_password_hash

from gm import clock, store
from gm.config import Config
from gm.errors import Refusal
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail import queue
from gm.mail.queue import Recipient
from gm.people import accounts, following, joining, masters, seating
from gm.rendering.zine import zine
from gm.service import close_due, tick
from gm.store import connections
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app
from gm.web.desk import summary
from gm.web.desk.acts import ACTS
from gm.web.desk.signin import KNOWN
from gm.web.limits import new_limits
from rounds.engine.variant import find, installed
from tests.dates import SUNDAY
from tests.faster import without_disk
from tests.steps import (
    JOIN,
    PASSWORD,
    desk_act,
    dump_of,
    press,
    seat_game,
    sent_mails,
    sign_in,
    start,
    trace,
    words,
)
from tests.web.routes import GM, OTHER_GM, OTHER_SEAT, PERMITTED, SEAT

DAY = 24 * 3600
KINDS_OF_LINKS = ("link", "calendar", "unsubscribe")


def test_a_sign_in_that_is_overtaken_by_another_password_opens_nothing(
    installation: Installation, db: Database, web: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison is slow: meanwhile the owner may have changed the password because somebody
    else knew it.
    """
    sign_in(installation, db)

    def slow(hashed: str, password: str) -> bool:
        monkeypatch.undo()
        master = accounts.add_gm(db, "uli@example.org", None, None, clock.now())
        accounts.set_password(db, master, "another horse battery", clock.now())
        return check_password_hash(hashed, password)

    monkeypatch.setattr(accounts, "check_password_hash", slow)
    with pytest.raises(Refusal, match="no_entry"):
        accounts.sign_in(db, "uli@example.org", PASSWORD, "::1", clock.now())
    assert db.execute("SELECT count(*) FROM session").fetchone() == (1,)  # that of who set it


def test_a_one_time_link_sets_a_password_and_a_password_opens_the_desk(
    installation: Installation, db: Database, web: Any
) -> None:
    made = accounts.add_gm(db, "Uli@Example.org", "Uli", "en", clock.now())
    path = installation.path("password", who=made.address, number=made.link_number)
    for _ in range(3):  # mail scanners open every link
        assert "Choose a password" in words(web.get(path))
    assert press(web, path, ("password", "short")).status_code == 422
    answer = press(web, path, ("password", PASSWORD))
    cookie = answer.headers["Set-Cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Lax", "Path=/desk"))
    assert "Hello Uli" in words(web.get("/desk"))
    assert web.get(path).status_code == 404  # used up
    stored = db.execute("SELECT password FROM gm").fetchone()[0]
    assert stored.startswith("scrypt:")
    assert "Secure" not in cookie
    secure = create_app(
        type(installation)(
            installation.home, Config(base_url="https://beans.example.org"), installation.link_key
        )
    ).test_client()
    entered = press(
        secure,
        "/desk/sign-in",
        ("address", "uli@example.org"),
        ("password", PASSWORD),
        base_url="https://beans.example.org",
    )
    session = entered.headers["Set-Cookie"]
    assert session.startswith("__Host-desk=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(session.split("; "))
    assert "Domain" not in session
    assert "Hello Uli" in words(secure.get("/desk", base_url="https://beans.example.org"))
    left = press(secure, "/desk/sign-out", base_url="https://beans.example.org")
    assert left.headers["Set-Cookie"].startswith("__Host-desk=;")
    assert secure.get("/desk", base_url="https://beans.example.org").status_code == 303


def test_a_new_password_and_signing_out_end_sessions(
    installation: Installation, db: Database, uli: Any
) -> None:
    other = create_app(installation).test_client()
    assert (
        press(
            other, "/desk/sign-in", ("address", "ULI@example.org"), ("password", PASSWORD)
        ).status_code
        == 303
    )
    assert other.get("/desk").status_code == 200
    fresh = sign_in(installation, db)
    assert (uli.get("/desk").status_code, other.get("/desk").status_code) == (303, 303)
    assert fresh.get("/desk").status_code == 200
    press(fresh, "/desk/sign-out")
    assert fresh.get("/desk").status_code == 303
    assert db.execute("SELECT count(*) FROM session").fetchone()[0] == 0


def test_whoever_signs_in_or_out_goes_on_in_the_language_of_the_page(
    installation: Installation, db: Database, uli: Any
) -> None:
    who = (("address", "uli@example.org"), ("password", PASSWORD))
    other = create_app(installation).test_client()
    for language in ("de", "en"):
        entered = press(other, f"/desk/sign-in?lang={language}", *who)
        assert entered.headers["Location"] == f"/desk?lang={language}"
        assert f"/desk/sign-out?lang={language}" in other.get(entered.headers["Location"]).get_data(
            as_text=True
        )
        left = press(other, f"/desk/sign-out?lang={language}")
        assert left.headers["Location"].endswith(f"/desk/sign-in?lang={language}")


def test_a_session_ends_after_thirty_days_and_a_link_after_seven(
    installation: Installation, db: Database, uli: Any, frozen_time: Any
) -> None:
    made = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    frozen_time.shift(7 * DAY + 1)
    with pytest.raises(Refusal, match="link_used"):
        accounts.set_password(db, made, PASSWORD, clock.now())
    assert uli.get("/desk").status_code == 200
    frozen_time.shift(23 * DAY)
    assert uli.get("/desk").status_code == 303


def test_wrong_address_and_wrong_password_look_alike_and_are_limited(
    installation: Installation, db: Database, uli: Any, web: Any, frozen_time: Any
) -> None:
    wrong = press(
        web, "/desk/sign-in", ("address", "uli@example.org"), ("password", "not this one here")
    )
    nobody = press(
        web, "/desk/sign-in", ("address", "nobody@example.org"), ("password", "not this one here")
    )
    assert wrong.status_code == nobody.status_code == 403
    assert wrong.data.replace(b"uli@", b"nobody@") == nobody.data
    for _ in range(4):
        assert try_at(web, NEAR) == 403
    blocked = press(web, "/desk/sign-in", ("address", "uli@example.org"), ("password", PASSWORD))
    assert blocked.status_code == 429
    assert "Too many tries; please wait 15 minutes, or have a link mailed to you below." in words(
        blocked
    )
    frozen_time.shift(15 * 60)
    assert (
        press(
            web, "/desk/sign-in", ("address", "uli@example.org"), ("password", PASSWORD)
        ).status_code
        == 303
    )


NEAR = "127.0.0.1"


def try_at(web: Any, machine: str, password: str = "x", address: str = "uli@example.org") -> int:
    """The answer to a sign-in from another machine."""
    fields = (("address", address), ("password", password))
    return int(
        press(web, "/desk/sign-in", *fields, environ_base={"REMOTE_ADDR": machine}).status_code
    )


def test_strangers_who_try_passwords_do_not_keep_a_game_master_out(
    installation: Installation, db: Database, uli: Any, web: Any
) -> None:
    assert [try_at(create_app(installation).test_client(), "203.0.113.7") for _ in range(6)] == [
        403
    ] * 5 + [429]
    assert try_at(web, "198.51.100.1", PASSWORD) == 303


def test_a_network_of_the_sixth_version_counts_as_one_machine(
    installation: Installation, db: Database, uli: Any
) -> None:
    tries = [
        try_at(create_app(installation).test_client(), f"2001:db8:1:2::{number}")
        for number in range(1, 7)
    ]
    assert tries == [403] * 5 + [429]
    assert try_at(create_app(installation).test_client(), "2001:db8:1:3::1", PASSWORD) == 303


@pytest.mark.long
def test_tries_from_everywhere_end_and_pass_a_browser_that_has_signed_in(
    installation: Installation, db: Database, uli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MOST_BY_ADDRESS", 7)
    stranger = create_app(installation).test_client()
    assert [try_at(stranger, f"203.0.{number}.7") for number in range(8)] == [403] * 7 + [429]
    assert try_at(stranger, "198.51.100.1", PASSWORD) == 429
    enter_again = try_at(uli, "198.51.100.1", PASSWORD)
    assert enter_again == 303
    # its own failures count
    assert [try_at(uli, "198.51.100.1") for _ in range(6)] == [403] * 5 + [429]


def test_a_browser_is_known_for_one_account_and_one_password(
    installation: Installation, db: Database, uli: Any
) -> None:
    cookie = uli.get_cookie(KNOWN, path="/desk/sign-in").value
    (password,) = db.execute("SELECT password FROM gm").fetchone()
    assert cookie == installation.token("browser", who=f"uli@example.org {password}")
    sign_in(installation, db, "vera@example.org", "Vera")
    strangers = {f"gm {name}@example.org": 100 for name in ("uli", "vera")}
    with write(db):
        for key, count in strangers.items():
            store.accounts.add_attempts(db, [key] * count, clock.now())
    assert try_at(uli, "198.51.100.1", PASSWORD, "vera@example.org") == 429
    sign_in(installation, db)  # another password, which is spelled the same
    assert try_at(uli, "198.51.100.1", PASSWORD) == 429


def link_in_mail(installation: Installation, db: Database) -> list[str]:
    """The paths of the links to the desk that were mailed."""
    found = [text for kind, _, text in sent_mails(installation, db) if kind == "sign_in"]
    return [
        re.findall(r"\S+/desk/password/\S+", text)[0].removeprefix(installation.config.base_url)
        for text in found
    ]


def test_a_link_by_mail_signs_in_once_and_the_password_stays(
    installation: Installation, ackerwinde: Game, db: Database, uli: Any, web: Any
) -> None:
    said = [
        words(press(web, "/desk/link", ("address", who), follow_redirects=True))
        for who in ("uli@example.org", "x@y.example")
    ]
    assert said[0] == said[1]
    assert "a link is on its way" in said[0]
    (path,) = link_in_mail(installation, db)
    for _ in range(3):  # mail scanners open every link
        assert "Your password stays as it is" in words(web.get(path))
    assert press(web, f"{path}/enter").status_code == 303
    assert "Hello Uli" in words(web.get("/desk"))
    assert (
        press(create_app(installation).test_client(), f"{path}/enter").status_code == 404
    )  # used up
    assert uli.get("/desk").status_code == 200  # other sessions stay
    assert try_at(create_app(installation).test_client(), NEAR, PASSWORD) == 303


def test_asking_for_links_again_makes_none_useless_and_sends_three_an_hour(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    made = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    for _ in range(5):
        accounts.request_link(db, "uli@example.org", clock.now())
        frozen_time.shift(1)
    paths = link_in_mail(installation, db)
    assert len(paths) == 3
    assert set(paths) == {installation.path("password", who=made.address, number=made.link_number)}
    frozen_time.shift(8 * DAY)
    accounts.request_link(db, "uli@example.org", clock.now())
    assert store.accounts.get(db, "uli@example.org").link_number == made.link_number + 1  # type: ignore[union-attr]
    web = create_app(installation).test_client()
    assert (
        web.get(paths[0]).status_code,
        web.get(link_in_mail(installation, db)[-1]).status_code,
    ) == (
        404,
        200,
    )


# ---- who may open what ----


def routes(app: Any) -> list[str]:
    found = []
    for rule in app.url_map.iter_rules():
        found += [f"{method} {rule.rule}" for method in sorted(rule.methods - {"HEAD", "OPTIONS"})]
    return found


def test_every_route_has_a_line_in_the_table(installation: Installation) -> None:
    of_others = {f"GET /static/{game}/<path:path>" for game in installed()}
    assert set(routes(create_app(installation))) - of_others == set(PERMITTED)


@pytest.mark.long
def test_every_route_answers_everybody_as_the_table_says(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    """And those that only show something do so while somebody else writes."""
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    with write(db):
        db.execute("UPDATE game_gm SET address = 'other@example.org' WHERE game = 'beinwell'")
    close_due(db, Config(), SUNDAY)
    while close_due(db, Config(), SUNDAY):
        pass
    with write(db):  # round 2 is open
        db.execute("UPDATE game SET deadline = ?", [SUNDAY + 7 * DAY])
    tokens = {
        SEAT: installation.url("seat", "ackerwinde", "Anna", 1),
        OTHER_SEAT: installation.url("seat", "ackerwinde", "Dörte", 1),  # of nobody
    }
    with installation.connection() as other:
        signed = {
            SEAT: installation.api_token(store.seats.of_game(other, "ackerwinde")[0]),
            OTHER_SEAT: installation.api_token(store.seats.of_game(other, "beinwell")[0]),
        }
    masters = {
        GM: sign_in(installation, db),
        OTHER_GM: sign_in(installation, db, "other@example.org", "Ola"),
    }
    with write(db):
        db.execute("UPDATE gm SET host = 1 WHERE address = 'uli@example.org'")
    wrong, app = [], create_app(installation)
    for route, expected in PERMITTED.items():
        method, _, rule = route.partition(" ")
        for who, status in expected.items():
            app.extensions["limits"] = new_limits(lambda: 0.0)
            web = masters[who] if who in masters and rule != "/desk/sign-out" else app.test_client()
            token = tokens.get(who, tokens[OTHER_SEAT]).rpartition("/")[2]
            values = {
                "<game_id>": "ackerwinde",
                "<place>": "ackerwinde",
                "<number>": "1",
                "<int:number>": "1",
                "<int:turn>": "1",
                "<int:act>": "1",
                "<token>": token,
                "<proof>": token,
                "<kind>": "receipts",
                "<address>": "uli@example.org",
                "<act>": "rollback",
                "<shown>": "nothing",
                "<path:filename>": "app.css",
                "<any(seat, links, games, follow):what>": "seat",
                "<variant>": "postal",
            }
            path = rule
            for name in re.findall(r"<[^>]+>", rule):
                path = path.replace(name, values[name])
            fields = [("round", "1")] if rule.startswith("/desk/game/") else []
            headers = (
                {"Authorization": f"Bearer {signed[who]}"}
                if who in signed and rule.startswith("/api")
                else {}
            )
            with (
                write(db) if method == "GET" else nullcontext(),
                web.get(path, headers=headers)
                if method == "GET"
                else press(web, path, *fields, headers=headers) as answer,
            ):
                if answer.status_code != status:
                    wrong.append((route, who, answer.status_code, status))
    assert wrong == []


def test_another_games_master_can_do_nothing_to_it(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    other = sign_in(installation, db, "other@example.org", "Ola")
    before = list(dump_of(db))
    for act in ACTS:
        fields = (
            ("round", "1"),
            ("days", "1"),
            ("seat", "Anna"),
            ("confirm", "Anna"),
            ("text", "x"),
            ("reason", "x"),
        )
        assert press(other, f"/desk/game/ackerwinde/{act}", *fields).status_code == 404
    assert list(dump_of(db)) == before


# ---- what the desk shows ----


def test_the_desk_shows_who_has_ordered_and_never_what(
    uli: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    save_orders(db, ackerwinde, anna, "1>A 2>B", press="A marker of Anna", to_gm="A word for Uli")
    text = words(uli.get("/desk"))
    assert "1 of 3" in text
    assert "Bert , Cem" in text
    game = words(uli.get("/desk/game/ackerwinde"))
    assert "✓ orders in" in game
    for secret in ("1&gt;A", "A marker of Anna"):
        assert secret not in text
        assert secret not in game


def test_a_refused_mail_about_no_game_is_for_the_host(
    uli: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    with write(db):
        ida = Recipient("ida@example.org", "en")
        queue.put(db, None, 0, queue.Event(kind="my_games"), [ida], clock.now())
        db.execute("UPDATE mail SET failed_at = 1, error = '550 no Ida' WHERE kind = 'my_games'")
    assert "ida@example.org" not in words(uli.get("/desk?lang=en"))
    with write(db):
        db.execute("UPDATE gm SET host = 1")
    assert "ida@example.org, 550 no Ida" in words(uli.get("/desk?lang=en"))


def test_to_do_comes_first(
    uli: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    assert "✓ All is well." in words(uli.get("/desk"))
    tick(installation)
    assert "Deadlines were last looked after on Fri 20 November 2026, 13:00 CET." in words(
        uli.get("/desk")
    )
    frozen_time.move_to(SUNDAY - 3600)
    assert "no orders yet from Anna, Bert, Cem." in words(uli.get("/desk"))
    with write(db):
        db.execute("UPDATE mail SET failed_at = 1, error = '550 mailbox full' WHERE seat = 2")
    assert "mail to Bert was refused: 550 mailbox full" in words(uli.get("/desk"))
    for number in (1, 2):
        frozen_time.move_to(SUNDAY + (number - 1) * 7 * DAY)
        close_due(db, Config(), clock.now())
    text = words(uli.get("/desk"))
    assert text.count("twice in a row or more nothing from Anna, Bert, Cem.") == 1
    assert text.count("Give the seat to somebody …") == 3
    game = store.games.existing(db, "ackerwinde")
    save_orders(db, game, store.seats.numbered(db, "ackerwinde", 2), "pass")
    assert "twice in a row or more nothing from Anna, Cem." in words(uli.get("/desk"))
    with write(db):
        db.execute("UPDATE game SET status = 'held', error = 'fault 00c0ffee'")
    text = words(uli.get("/desk"))
    assert "The round could not be closed three times (fault 00c0ffee)" in text
    assert text.index("The round could not be closed") < text.index("twice in a row")
    assert "nobody looks after deadlines" in text  # the last pass was weeks ago


def test_what_is_left_as_it_is_stands_there_again_if_it_happens_anew(
    uli: Any, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    def close(number: int) -> str:
        frozen_time.move_to(SUNDAY + (number - 1) * 7 * DAY)
        close_due(db, Config(), clock.now())
        return str(uli.get("/desk?lang=en").text)

    close(1)
    page, silent = close(2), "twice in a row or more nothing"
    (until,) = re.findall(r'name="kind" value="silent"><input[^>]*value="(\d+)"', page)
    sent = [("kind", "silent"), ("until", until), ("desk", "yes")]
    left = press(uli, "/desk/game/ackerwinde/put_away?lang=en", *sent)
    after = words(uli.get(left.headers["Location"]))
    assert "✓ Ackerwinde : it is left; it stands here again if it happens anew." in after
    assert silent not in after
    assert silent in close(3)
    seating.forget(db, store.seats.numbered(db, "ackerwinde", 2), clock.now())
    assert "Bert has left" in words(uli.get("/desk?lang=en"))
    gone = store.seats.numbered(db, "ackerwinde", 2).removed_at
    sent = [("kind", "left"), ("seat", "Bert"), ("until", str(gone)), ("desk", "yes")]
    press(uli, "/desk/game/ackerwinde/put_away", *sent)
    after = words(uli.get("/desk?lang=en"))
    assert "Bert has left" not in after
    assert silent in after


def test_nmrs_and_reliability_are_counted_from_the_rounds(
    ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    for number in (1, 2, 3):
        game = store.games.existing(db, "ackerwinde")
        if number == 2:
            save_orders(db, game, anna, "pass")
        frozen_time.move_to(game.deadline)
        close_due(db, Config(), clock.now())
    lines = {
        line.seat.name: line
        for line in summary.seat_lines(db, store.games.existing(db, "ackerwinde"))
    }
    assert (lines["Anna"].nmrs, lines["Anna"].row) == (2, 1)
    assert (lines["Bert"].nmrs, lines["Bert"].row) == (3, 3)
    assert lines["Anna"].record == summary.Reliability(3, 2)


def test_an_absence_is_seen_when_the_deadline_falls_into_it(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    seating.set_absence(db, anna, "2026-11-21", "2026-11-30")
    assert "away until 2026-11-30" in words(uli.get("/desk/game/ackerwinde"))
    seating.set_absence(db, anna, "2026-11-23", "2026-11-30")
    text = words(uli.get("/desk/game/ackerwinde"))
    assert "away until" not in text
    assert "away from 2026-11-23 to 2026-11-30" in text


# ---- acts ----


def test_six_quick_clicks_on_extend_are_one_extension(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    for _ in range(6):
        assert (
            desk_act(
                uli, "extend", ("round", "1"), ("days", "3"), ("reason", "a holiday")
            ).status_code
            == 303
        )
    assert store.games.existing(db, "ackerwinde").deadline == SUNDAY + 3 * DAY
    assert [(note.kind, note.text) for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        ("deadline", "a holiday")
    ]
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'news'").fetchone()[0] == 3


def test_a_repeated_run_now_closes_one_round_and_is_noted_once(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    fields = (("round", "1"), ("confirm", "ackerwinde"), ("reason", "all agree"))
    assert "3 lists are missing:" in words(uli.get("/desk/game/ackerwinde/run"))
    assert desk_act(uli, "run", ("round", "1")).status_code == 422
    assert store.rounds.get(db, "ackerwinde", 1) is None
    answers = [desk_act(uli, "run", *fields).status_code for _ in range(6)]
    assert answers == [303] + [422] * 5
    assert store.games.existing(db, "ackerwinde").round == 2
    assert [
        note.kind for number in (1, 2) for note in store.notes.of_round(db, "ackerwinde", number)
    ] == ["early"]


def test_closing_a_round_at_the_desk_calls_no_mail_server_and_closes_no_other_game(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    for game in ("ackerwinde", "brache"):
        seat_game(installation, game)
        start(installation, game)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        config = Config(smtp_host="127.0.0.1", smtp_port=server.getsockname()[1], smtp_tls="none")
        uli = sign_in(Installation(installation.home, config, installation.link_key), db)
        frozen_time.move_to(datetime.fromtimestamp(SUNDAY, UTC))  # both are due now
        with write(db):
            db.execute("UPDATE game SET deadline = deadline + 60 WHERE id = 'ackerwinde'")
        assert desk_act(uli, "run", ("round", "1"), ("confirm", "ackerwinde")).status_code == 303
        with pytest.raises(BlockingIOError):
            server.accept()
    assert (
        store.games.existing(db, "ackerwinde").round,
        store.games.existing(db, "brache").round,
    ) == (2, 1)
    assert (
        db.execute(
            "SELECT count(*) FROM mail WHERE kind = 'report' AND written_at IS NULL"
        ).fetchone()[0]
        == 3
    )


def test_what_is_refused_comes_back_as_it_was_typed(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    answer = desk_act(uli, "extend", ("round", "1"), ("to", "tomorrow"))
    assert answer.status_code == 422
    assert 'value="tomorrow"' in answer.get_data(as_text=True)
    answer = desk_act(uli, "orders", ("seat", "Bert"), ("orders", "9>A"))
    assert "There is no position 9" in words(answer)
    assert 'value="9&gt;A"' in answer.get_data(as_text=True)
    save_orders(db, ackerwinde, seating.seat_named(db, "ackerwinde", "Bert"), "1>A")
    answer = desk_act(
        uli,
        "replace",
        ("seat", "Bert"),
        ("player", "Dörte"),
        ("address", "d@example.org"),
        ("language", "de"),
    )
    assert "Say whether the stored orders are kept or dropped." in words(answer)
    assert 'value="Dörte"' in answer.get_data(as_text=True)
    assert desk_act(uli, "remove", ("seat", "Bert"), ("confirm", "Anna")).status_code == 422
    assert desk_act(uli, "abort", ("confirm", "ackerwinde"), ("reason", "")).status_code == 422
    assert store.notes.of_round(db, "ackerwinde", 1) == []


def test_what_was_typed_into_a_page_whose_session_is_over_is_given_back(
    web: Any, ackerwinde: Game
) -> None:
    answer = desk_act(web, "comment", ("text", "A long and thoughtful comment"))
    assert answer.status_code == 403
    assert "A long and thoughtful comment" in words(answer)


def test_a_form_from_another_site_changes_nothing_at_the_desk(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example.org"}):
        answer = press(uli, "/desk/game/ackerwinde/pause", headers=headers)
        assert answer.status_code == 403
    assert store.games.existing(db, "ackerwinde").status == "running"


def test_the_form_is_that_of_the_default_game_and_leads_to_the_others(
    duo: None, uli: Any, db: Database
) -> None:
    page = uli.get("/desk/new").text
    assert '<input type="hidden" name="variant" value="postal">' in page
    assert "rule_nmr_empty" in page
    assert '<button name="kind" value="duo"' in page
    typed = [("name", "Freitag"), ("people", "Anna <anna@example.org>"), ("tempo", "club")]
    form = [("variant", "postal"), ("language", "en"), ("kind", "duo"), *typed]
    other = press(uli, "/desk/new", *form).text
    assert 'value="Freitag"' in other
    assert "Anna &lt;anna@example.org&gt;</textarea>" in other
    assert '<input type="hidden" name="variant" value="duo">' in other
    assert "rule_nmr_empty" not in other


def test_the_desk_makes_a_game_for_two_with_two_seats_and_no_others(
    duo: None, uli: Any, db: Database
) -> None:
    fields = {
        "variant": "duo",
        "language": "en",
        "name": "Erbse",
        "day": "sun",
        "at": "20:00",
        "zone": "UTC",
        "weeks": "1",
        "shortest": "0",
    }
    sentence = "This game is for exactly 2 players."
    assert sentence in words(uli.get("/desk/new?variant=duo&lang=en"))
    refused = press(uli, "/desk/new?lang=en", *fields.items(), ("seats", "3"), ("action", "create"))
    assert refused.status_code == 422
    assert f"{sentence} A limit of 3 seats does not fit it." in words(refused)
    assert press(uli, "/desk/new", *fields.items(), ("action", "create")).status_code == 303
    assert store.games.existing(db, "erbse").seats == 2
    press(uli, "/desk/game/erbse/open")
    assert sentence in words(uli.get("/desk/game/erbse?lang=en"))
    assert f"{sentence} There are 0 now." in words(press(uli, "/desk/game/erbse/start?lang=en"))


def test_a_game_is_made_with_a_look_at_its_deadlines_first(
    uli: Any, db: Database, frozen_time: Any
) -> None:
    fields = [
        ("name", "Über & Unter"),
        ("variant", "postal"),
        ("language", "de"),
        ("seats", "4"),
        ("private", "yes"),
        ("rule_rounds", "5"),
        ("rule_nmr_empty", "true"),
        ("rule_discard_order", "descending"),
        ("rule_nmr_harvest", "lazy"),
        ("day", "wed"),
        ("day", "sat"),
        ("at", "19:30"),
        ("zone", "Europe/Vienna"),
        ("weeks", "1"),
        ("shortest", "48"),
        ("left_out", "2026-12-26"),
        ("early_after", "6"),
        ("silence_guard", "yes"),
    ]
    preview = words(press(uli, "/desk/new", *fields, ("action", "preview")))
    assert preview.count("19:30 CET") == 10
    assert "Sat 26 December" not in preview
    assert store.games.all_games(db) == []
    answer = press(uli, "/desk/new", *fields, ("action", "create"))
    assert answer.status_code == 303
    made = store.games.existing(db, "ueber-unter")
    assert (
        made.house_rules
        == '{"rounds":5,"discard_order":"descending","nmr_empty":true,"nmr_harvest":"lazy"}'
    )
    assert (made.name, made.seats, made.listed, made.early_after, made.silence_guard) == (
        "Über & Unter",
        4,
        0,
        21600,
        1,
    )
    assert (made.gm_name, made.gm_address, store.games.masters(db, made.id)) == (
        "Uli",
        "uli@example.org",
        ["uli@example.org"],
    )
    assert made.schedule.left_out == (date(2026, 12, 26),)
    for changed, sentence in (
        (("at", "8 pm"), "is not a time of day"),
        (("zone", "Berlin"), "is not a time zone"),
        (("left_out", "Christmas"), "is not a day"),
        (("name", ""), "is not a name here"),
    ):
        again = [changed if name == changed[0] else (name, value) for name, value in fields]
        refused = press(uli, "/desk/new", *again, ("action", "create"))
        assert refused.status_code == 422
        assert sentence in words(refused)
        assert f'value="{changed[1]}"'.replace("&", "&amp;") in refused.get_data(as_text=True)
    pressed_again = press(uli, "/desk/new", *fields, ("action", "create"))
    assert pressed_again.headers["Location"].startswith("/desk/game/ueber-unter?said=same")
    other = [*fields, ("people", "Anna <anna@example.org>"), ("action", "create")]
    assert press(uli, "/desk/new", *other).status_code == 422
    frozen_time.shift(DAY)
    much_later = press(uli, "/desk/new", *fields, ("action", "create"))
    assert "ids are never used again" in words(much_later)
    assert len(store.games.all_games(db)) == 1


def test_the_second_press_finds_a_seat_given_and_taken_back(
    uli: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, players=("Anna",))
    given = [("name", "Bert"), ("address", "bert@example.org"), ("language", "de")]
    taken = [("seat", "Bert"), ("confirm", "Bert")]
    for act, fields in (("seat", given), ("remove", taken)):
        said = [desk_act(uli, act, *fields).headers["Location"] for _ in range(2)]
        assert ["said=done" in said[0], "said=same" in said[1]] == [True, True], said
    assert desk_act(uli, "seat", ("name", "Anna"), *given[1:]).status_code == 422


def test_an_odd_language_spoils_nobodys_invitation(
    uli: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation)
    ask = [("addresses", "good@example.org"), ("language", "de")]
    assert desk_act(uli, "invite", *ask).status_code == 303
    assert (
        desk_act(uli, "invite", ("addresses", "bad@example.org"), ("language", "xx")).status_code
        == 422
    )
    assert [to for kind, to, _ in sent_mails(installation, db) if kind == "invite"] == [
        "good@example.org"
    ]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("seats", "ten"),
        ("weeks", ""),
        ("weeks", "60"),
        ("shortest", "9999"),
        ("early_after", "1,5"),
    ],
)
def test_an_odd_number_comes_back_with_the_whole_form(
    uli: Any, db: Database, field: str, text: str
) -> None:
    good = {
        "variant": "postal",
        "language": "de",
        "day": "sun",
        "at": "20:00",
        "zone": "Europe/Berlin",
        "weeks": "2",
        "shortest": "0",
    }
    answer = press(
        uli, "/desk/new", *(good | {"name": "Kept", field: text}).items(), ("action", "create")
    )
    assert answer.status_code == 422
    assert "a whole number from" in words(answer)
    assert 'value="Kept"' in answer.get_data(as_text=True)


def test_a_seat_without_stored_orders_is_handed_over_without_a_word_about_them(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    page = uli.get("/desk/game/ackerwinde?lang=en").text
    assert "the stored orders still count" not in page
    save_orders(db, ackerwinde, seating.seat_named(db, "ackerwinde", "Anna"), "1>A")
    page = uli.get("/desk/game/ackerwinde?lang=en").text
    assert page.count("the stored orders still count") == 1
    who = [("player", "Dörte"), ("address", "d@example.org"), ("language", "de")]
    assert desk_act(uli, "replace", ("seat", "Bert"), *who).status_code == 303
    assert seating.seat_named(db, "ackerwinde", "Bert").player == "Dörte"


def test_every_word_typed_at_the_desk_comes_back(uli: Any, ackerwinde: Game, db: Database) -> None:
    save_orders(db, ackerwinde, seating.seat_named(db, "ackerwinde", "Bert"), "1>A")
    for name, fields in (
        ("extend", [("round", "1"), ("to", "soon"), ("reason", "Because")]),
        ("abort", [("confirm", "Because"), ("reason", "Because")]),
        (
            "replace",
            [
                ("seat", "Bert"),
                ("player", "X"),
                ("address", "x"),
                ("language", "de"),
                ("orders", "drop"),
                ("reason", "Because"),
            ],
        ),
        ("remove", [("seat", "Bert"), ("confirm", "Because"), ("reason", "Because")]),
        ("address", [("seat", "Bert"), ("address", "Because")]),
        ("run", [("round", "1"), ("confirm", "Because"), ("reason", "Because")]),
    ):
        answer = desk_act(uli, name, *fields)
        assert answer.status_code == 422, name
        html = answer.get_data(as_text=True)
        assert html.count('value="Because"') == sum(value == "Because" for _, value in fields), name
        assert ('value="drop" checked' in html) is (name == "replace")


@pytest.mark.parametrize(
    "address", ["o/b@example.org", "a#b@example.org", "a?b@example.org", "a%41b@example.org"]
)
def test_every_address_can_set_a_password(
    installation: Installation, db: Database, address: str
) -> None:
    assert sign_in(installation, db, address, "Odd").get("/desk").status_code == 200


def test_a_desk_invites_a_few_hundred_an_hour_and_no_more(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    """A session in wrong hands must not become a sender of mails to the whole world."""
    seat_game(installation, "beinwell", [])
    web, path = sign_in(installation, db), "/desk/game/beinwell/invite"

    def invite(first: int, number: int) -> int:
        addresses = " ".join(f"a{first + one}@b.org" for one in range(number))
        status: int = press(web, path, ("addresses", addresses), ("language", "en")).status_code
        return status

    def queued() -> int:
        return int(db.execute("SELECT count(*) FROM mail WHERE kind = 'invite'").fetchone()[0])

    assert (invite(0, 199), queued()) == (303, 199)
    assert (invite(199, 2), queued()) == (422, 199)  # all or none
    assert (invite(0, 199), invite(199, 1), invite(200, 1), queued()) == (303, 303, 422, 200)
    frozen_time.shift(3601)
    assert (invite(200, 1), queued()) == (303, 201)


def test_a_fresh_link_keeps_name_and_language(db: Database) -> None:
    made = accounts.add_gm(db, "uli@example.org", "Ulrich", "en", clock.now())
    again = accounts.add_gm(db, "uli@example.org", None, None, clock.now())
    assert (again.name, again.language, again.link_number) == ("Ulrich", "en", made.link_number + 1)


@pytest.mark.long
def test_strangers_do_not_lock_out_a_game_master_behind_a_proxy(
    installation: Installation, db: Database, uli: Any, web: Any
) -> None:
    for number in range(40):
        press(web, "/desk/sign-in", ("address", f"nobody{number}@example.org"), ("password", "x"))
    assert (
        press(
            web, "/desk/sign-in", ("address", "uli@example.org"), ("password", PASSWORD)
        ).status_code
        == 303
    )
    web.delete_cookie(KNOWN, path="/desk/sign-in")
    far = {"environ_base": {"REMOTE_ADDR": "203.0.113.7"}}
    for number in range(30):
        press(
            web,
            "/desk/sign-in",
            ("address", f"other{number}@example.org"),
            ("password", "x"),
            **far,
        )
    assert (
        press(
            web, "/desk/sign-in", ("address", "uli@example.org"), ("password", PASSWORD), **far
        ).status_code
        == 429
    )


def test_robots_are_not_awaited_and_days_are_those_of_the_games_zone(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    with write(db):
        db.execute("UPDATE seat SET robot = 1 WHERE number = 3")
        # Monday, 00:30 in Berlin
        db.execute("UPDATE game SET deadline = ?", [SUNDAY + 4 * 3600 + 1800])
    game = store.games.existing(db, "ackerwinde")
    assert summary.lines(db, [game], clock.now())[0].missing == ("Anna", "Bert")
    seating.set_absence(db, store.seats.of_game(db, "ackerwinde")[0], "2026-11-23", "2026-11-23")
    assert summary.away_during(store.seats.of_game(db, "ackerwinde")[0], game)


def test_the_standby_list_is_kept_at_the_desk(uli: Any, db: Database) -> None:
    fields = (("name", "Dörte"), ("address", "doerte@example.org"), ("language", "de"))
    assert press(uli, "/desk/standby", *fields).status_code == 303
    assert "doerte@example.org" in words(uli.get("/desk"))
    refused = press(
        uli, "/desk/standby", ("name", "Emil"), ("address", "emil@"), ("language", "de")
    )
    assert "is not one plain mail address" in words(refused)
    assert 'value="Emil"' in refused.get_data(as_text=True)
    press(uli, "/desk/standby", ("remove", "doerte@example.org"))
    assert "doerte@example.org" not in words(uli.get("/desk"))


def test_two_masters_lead_a_game_together(
    installation: Installation, ackerwinde: Game, uli: Any, db: Database
) -> None:
    ola = sign_in(installation, db, "ola@example.org", "Ola")
    assert ola.get("/desk/game/ackerwinde").status_code == 404
    desk_act(uli, "master", ("address", "Ola@example.org"))
    assert ola.get("/desk/game/ackerwinde").status_code == 200
    assert masters.remove_master(db, "ackerwinde", "uli@example.org")
    with pytest.raises(Refusal, match="last_master"):
        masters.remove_master(db, "ackerwinde", "ola@example.org")


# ---- zine and table ----


def test_the_zine_holds_the_rounds_since_a_day_and_no_personal_link(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    frozen_time: Any,
) -> None:
    for number in range(3):
        frozen_time.move_to(SUNDAY + number * 7 * DAY)
        close_due(db, Config(), clock.now())
    assert [item.report.number for item in zine(db, date(2026, 11, 23))] == [2, 3]
    assert [item.report.number for item in zine(db, date(2026, 1, 1))] == [1, 2, 3]
    text = web.get("/zine.txt?since=2026-11-23&lang=de").get_data(as_text=True)
    assert "Bericht über Runde 2" in text or "Runde 2" in text
    assert all(len(line) <= 72 or line.startswith("http") for line in text.splitlines())
    assert not any(path in text for path in link.values())
    page = words(web.get("/zine?since=2026-11-23&lang=en"))
    assert "Ackerwinde, round 2" in page
    assert "Ackerwinde, round 1" not in page
    assert web.get("/zine?since=yesterday").status_code == 422


def test_the_zine_has_every_round_closed_since_a_day(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    for number in range(3):
        frozen_time.move_to(SUNDAY + number * 7 * DAY)
        close_due(db, Config(), clock.now())
    assert words(web.get("/zine?since=2020-01-01&lang=en")).count("Ackerwinde, round") == 3
    assert words(web.get("/zine?since=2026-11-26&lang=en")).count("Ackerwinde, round") == 2
    assert "No round was closed since then." in words(web.get("/zine?since=9999-12-30&lang=en"))


def test_the_zine_writes_a_closed_round_once(
    web: Any, ackerwinde: Game, db: Database, frozen_time: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen_time.move_to(SUNDAY)
    close_due(db, Config(), clock.now())
    path = "/zine.txt?since=2026-11-01&lang=en"
    first = web.get(path).get_data(as_text=True)
    monkeypatch.setattr("gm.rendering.zine.round_text", lambda *_: "written anew")
    assert web.get(path).get_data(as_text=True) == first
    with write(db):
        db.execute("UPDATE game SET name = 'Zaunwinde'")
    assert web.get(path).get_data(as_text=True) == "written anew"


def test_the_table_counts_what_the_records_say(
    web: Any, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    assert "No game was played to its end yet." in words(web.get("/table"))
    while store.games.existing(db, "ackerwinde").is_open:
        game = store.games.existing(db, "ackerwinde")
        anna = store.seats.of_game(db, "ackerwinde")[0]
        save_orders(db, game, anna, "1>A" if game.round == 1 else "pass")
        frozen_time.move_to(game.deadline)
        close_due(db, Config(), clock.now())
    text = words(web.get("/table"))
    assert "Anna 1 1 0.0 0 of 10" in text
    assert "Bert 1 1 0.0 10 of 10" in text
    assert "10 missed" in text
    lead.archive(db, "ackerwinde", clock.now())
    assert "Ackerwinde" in words(web.get("/table"))


def test_the_desk_says_where_a_game_stands_and_opens_without_its_table(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    assert "Ackerwinde, round 1 of 10" in words(uli.get("/desk/game/ackerwinde"))
    with write(db):
        db.execute("UPDATE round SET state = '{}'")
    page = uli.get("/desk/game/ackerwinde")
    assert page.status_code == 200
    assert "round 1" in words(page)
    assert "round 1 of 10" not in words(page)


def test_strangers_take_no_mail_from_those_with_a_seat_or_an_invitation(
    web: Any, installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_game(installation)
    for what in joining.MOST_UNCONFIRMED:
        monkeypatch.setitem(joining.MOST_UNCONFIRMED, what, 2)
    uli = sign_in(installation, db)
    line = "Too many people asked for a seat within the hour"
    assert line not in words(uli.get("/desk?lang=en"))
    asked = [
        press(
            web, JOIN, ("name", f"Dörte {n}"), ("address", f"d{n}@example.org"), ("language", "de")
        ).status_code
        for n in range(3)
    ]
    assert asked == [303, 303, 409]
    assert line in words(uli.get("/desk?lang=en"))
    joining.request_address(
        db, store.seats.of_game(db, "ackerwinde")[0], "anna@elsewhere.example.org", clock.now()
    )
    following.ask(
        db, store.games.existing(db, "ackerwinde"), "reader@example.org", "de", clock.now()
    )
    seat_game(installation, "hidden")
    with write(db):
        store.games.update(db, "hidden", {"listed": 0})
    joining.request_seat(db, "hidden", "Emil", "emil@example.org", "de", clock.now())
    asked_now = [kind for kind, _, _ in sent_mails(installation, db)]
    assert (asked_now.count("confirm"), asked_now.count("follow")) == (4, 1)


def test_twenty_games_take_no_more_statements_than_one(
    installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def connect(path: Path, connect: Any = connections.connect) -> Database:
        found: Database = connect(path)
        trace(found, asked.append)
        return found

    uli, counted = sign_in(installation, db), []
    with without_disk(db):
        for number in range(20):
            seat_game(installation, f"game-{number}")
            start(installation, f"game-{number}")
            masters.add_master(db, f"game-{number}", "uli@example.org")
            if number in (0, 19):
                with monkeypatch.context() as patch:
                    patch.setattr(connections, "connect", connect)
                    assert uli.get("/desk").text.count('name="game"') == number + 1
                counted.append(sum(not one.startswith("PRAGMA") for one in asked))
                asked.clear()
    assert counted[0] == counted[1] <= 40


@pytest.mark.parametrize(
    ("variant", "tempo", "calendar", "early"),
    [
        ("postal", "tonight", ((), 1, 1), 0),
        ("classic", "daily", ((0, 1, 2, 3, 4, 5, 6), None, 1), None),
        ("mutabohn", "club", ((6,), None, 2), None),
        ("duel", "daily", ((), 24, 1), 0),
        ("duel", "own", ((6,), None, 2), 0),
    ],
)
def test_a_tempo_stands_for_a_calendar(
    uli: Any, db: Database, variant: str, tempo: str, calendar: tuple[Any, ...], early: int | None
) -> None:
    page = uli.get(f"/desk/new?variant={variant}&lang=en").text
    offered = re.findall(r'name="tempo" value="(\w+)"', page)
    assert offered == [*find(variant).tempi, "own"]
    own = {"at": "20:00", "zone": "Europe/Berlin", "weeks": "2", "shortest": "24", "day": "sun"}
    fields = own | {"name": "Fresh", "variant": variant, "language": "en", "tempo": tempo}
    assert press(uli, "/desk/new", *fields.items(), ("action", "create")).status_code == 303
    game = store.games.existing(db, "fresh")
    assert (game.schedule.weekdays, game.schedule.hours or None, game.schedule.weeks) == calendar
    assert game.early_after == early


def test_of_the_postal_game_a_tempo_says_when_it_ends(uli: Any) -> None:
    page = words(uli.get("/desk/new?variant=postal&lang=en"))
    for words_of_tempo in (
        "10 rounds, at most 10 hours. At the latest it ends on Fri 20 November 2026.",
        "10 rounds, about 10 days. At the latest it ends on ",
        "10 rounds, about 4 months. At the latest it ends on ",
    ):
        assert words_of_tempo in page
    assert "At the latest" not in words(uli.get("/desk/new?variant=classic&lang=en"))


def test_what_the_desk_asks_for_is_done_there(
    uli: Any, installation: Installation, db: Database, ackerwinde: Game
) -> None:
    """Words are answered and read, a seat is handed over, and each time one is back at the
    desk.
    """
    masters.add_master(db, "ackerwinde", "uli@example.org")
    seat_game(installation, "saubohne")
    start(installation, "saubohne")
    masters.add_master(db, "saubohne", "uli@example.org")
    for game in ("ackerwinde", "saubohne"):
        found = store.games.existing(db, game)
        save_orders(db, found, store.seats.numbered(db, game, 1), "pass", to_gm="May I?")
    page = uli.get("/desk?lang=en").text
    assert 'href="mailto:anna@saubohne.example.org?subject=Saubohne"' in page
    (until,) = set(
        re.findall(r'action="/desk/read[^>]*>.*?name="until" value="(\d+)"', page, re.DOTALL)
    )
    one = [("seat", "Anna"), ("round", "1"), ("until", until), ("desk", "yes")]
    read = press(uli, "/desk/game/saubohne/read?lang=en", *one)
    after = words(uli.get(read.headers["Location"]))
    assert "✓ Saubohne : the message of Anna is marked as read." in after
    assert after.count("May I?") == 1
    read = press(uli, "/desk/read?lang=en", ("until", until))
    assert "✓ All messages are marked as read." in words(uli.get(read.headers["Location"]))
    assert "May I?" not in words(uli.get("/desk?lang=en"))

    joining.stand_by(db, "dora@example.org", "Dora", "en", clock.now(), "uli@example.org")
    seating.forget(db, store.seats.numbered(db, "saubohne", 2), clock.now())
    page = uli.get("/desk?lang=en").text
    form = page[page.index("/desk/game/saubohne/hand_over") :]
    (seen,) = re.findall(r'name="seen" value="([^"]*)"', form[: form.index("</form>")])
    sent = [("seat", "Bert"), ("seen", seen), ("desk", "yes")]
    wrong = press(uli, "/desk/game/saubohne/hand_over?lang=en", *sent, ("to", "x@example.org"))
    assert wrong.status_code == 422
    assert "Saubohne : Nobody on your standby list is chosen." in words(wrong)
    done = press(uli, "/desk/game/saubohne/hand_over?lang=en", *sent, ("to", "dora@example.org"))
    after = words(uli.get(done.headers["Location"]))
    assert "✓ Saubohne : Dora plays for Bert from now on." in after
    bert = store.seats.numbered(db, "saubohne", 2)
    assert (bert.player, bert.address) == ("Dora", "dora@example.org")
    again = press(uli, "/desk/game/saubohne/hand_over?lang=en", *sent, ("to", "dora@example.org"))
    assert "it was so already" in words(uli.get(again.headers["Location"]))


def test_whatever_there_is_to_do_is_done_at_the_desk(
    uli: Any, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    """A mended address, a held game that goes on, players who joined, an archived game: each act
    says what it did, and its line is gone.
    """

    def act(what: str, *fields: tuple[str, str]) -> str:
        """Press the button with this act, as the desk shows it; returns the desk after it."""
        page = uli.get("/desk?lang=en").text
        form = page[page.index(f"/desk/game/ackerwinde/{what}?") :]
        hidden = re.findall(
            r'hidden" name="([a-z]+)" value="([^"]*)', form[: form.index("</form>")]
        )
        shown = [field for field in hidden if field[0] != "whole"]
        done = press(uli, f"/desk/game/ackerwinde/{what}?lang=en", *shown, *fields)
        return words(uli.get(done.headers["Location"]) if done.status_code == 303 else done)

    with write(db):
        db.execute("UPDATE mail SET failed_at = queued_at, error = '550 no' WHERE seat = 2")
    wrong = act("address", ("address", "bert@"))
    assert "Ackerwinde : “bert@” is not one plain mail address" in wrong
    after = act("address", ("address", "bert@new.example.org"))
    assert "✓ Ackerwinde : mails to Bert go to bert@new.example.org from now on." in after
    assert "550 no" not in after

    frozen_time.move_to(SUNDAY)
    close_due(db, Config(), clock.now())
    with write(db):
        db.execute("UPDATE game SET status = 'held', error = 'silence'")
    after = act("extend")
    assert "✓ Ackerwinde : the deadline is Sun 6 December 2026, 20:00 CET now." in after

    frozen_time.move_to(SUNDAY + 14 * DAY - 3600)
    assert "Anna, Bert, Cem reminded." in act("remind")
    with write(db):
        db.execute("UPDATE game SET status = 'finished', deadline = NULL")
    assert "the game is over." in words(uli.get("/desk?lang=en"))
    after = act("archive")
    assert "✓ Ackerwinde : it is in the archive." in after
    assert "the game is over." not in after


def test_an_open_game_says_at_the_desk_who_joined_and_is_started_there(
    uli: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, "saubohne")
    masters.add_master(db, "saubohne", "uli@example.org")
    desk = "/desk?lang=en"
    assert "took" not in words(uli.get(desk))
    with write(db):
        row = {"game": "saubohne", "name": "Dora", "address": "d@example.org", "language": "en"}
        asked = store.requests.add_joining(db, row | {"at": clock.now()})
    request = store.requests.joining(db, asked)
    assert request is not None
    joining.confirm_seat(db, installation.link_key, request, clock.now())
    assert "Saubohne : Dora took a seat." in words(uli.get(desk))
    done = press(uli, "/desk/game/saubohne/ask?lang=en", ("desk", "yes"))
    assert "Saubohne : Anna, Bert, Cem, Dora asked." in words(uli.get(done.headers["Location"]))
    assert "no answer yet from Anna, Bert, Cem, Dora." in words(uli.get(desk))
    for seat in store.seats.of_game(db, "saubohne"):
        joining.say_ready(db, seat, clock.now())
    page = uli.get(desk).text
    assert "all have said that they are there." in page
    form = page[page.index("/desk/game/saubohne/start") :]
    (seen,) = re.findall(r'name="seen" value="([^"]*)"', form[: form.index("</form>")])
    done = press(uli, "/desk/game/saubohne/start?lang=en", ("desk", "yes"), ("seen", seen))
    assert "Saubohne : it has begun." in words(uli.get(done.headers["Location"]))


def test_reading_all_messages_reads_only_those_that_are_shown(
    uli: Any, installation: Installation, db: Database, ackerwinde: Game
) -> None:
    seat_game(installation, "saubohne")
    start(installation, "saubohne")
    masters.add_master(db, "saubohne", "uli@example.org")
    for name in ("saubohne", "ackerwinde"):
        game = store.games.existing(db, name)
        save_orders(db, game, store.seats.numbered(db, name, 1), "pass", to_gm="May I?")
    lead.abort(db, "saubohne", "Rain.", clock.now())
    lead.archive(db, "saubohne", clock.now())
    press(uli, "/desk/read?lang=en", ("until", str(clock.now())))
    read = dict(db.execute("SELECT game, read_at FROM press").fetchall())
    assert (read["saubohne"], read["ackerwinde"]) == (None, clock.now())


def test_an_act_of_an_old_list_and_what_it_says_afterwards(
    uli: Any, installation: Installation, db: Database, ackerwinde: Game
) -> None:
    with write(db):
        db.execute("UPDATE game SET status = 'held', error = 'silence'")
    seen = ("seen", "held fault 00c0ffee")
    other = press(uli, "/desk/game/ackerwinde/release?lang=en", ("desk", "yes"), seen)
    assert "held for another reason by now" in words(other)
    assert store.games.existing(db, "ackerwinde").status == "held"
    with write(db):
        db.execute("UPDATE mail SET failed_at = 1, error = '550' WHERE seat = 1")
    forget = [("seat", "Anna"), ("forget", "yes"), ("desk", "yes")]
    done = press(uli, "/desk/game/ackerwinde/again?lang=en", *forget)
    assert "the mails are forgotten." in words(uli.get(done.headers["Location"]))
    for did in ("address", "hand_over", "read", "extend", "remind", "nothing"):
        assert uli.get(f"/desk?did={did}&of=ackerwinde&said=done").status_code == 200


def test_refused_mail_before_the_start_is_to_do(
    uli: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, "saubohne")
    masters.add_master(db, "saubohne", "uli@example.org")
    joining.ask_who_is_there(db, "saubohne", clock.now())
    with write(db):
        db.execute(
            "UPDATE mail SET failed_at = 1, error = '550 no' WHERE game = 'saubohne' AND seat = 1"
        )
    assert "mail to Anna was refused: 550 no" in words(uli.get("/desk?lang=en"))


def test_the_page_of_a_large_game_opens_one_seat_at_a_time(
    uli: Any, ackerwinde: Game, db: Database
) -> None:
    with write(db):
        for number in range(4, 31):
            row = {"game": "ackerwinde", "number": number, "name": f"Seat{number}", "robot": 0}
            hashes = {f"{kind}_hash": f"{kind}{number}" for kind in KINDS_OF_LINKS}
            store.seats.add(db, {**row, **hashes, "language": "en", "address": f"s{number}@x.org"})
    page = uli.get("/desk/game/ackerwinde?lang=en").text
    assert 'name="player"' not in page
    assert 'href="/desk/game/ackerwinde?seat=Seat7&amp;lang=en#seat-7">More' in page
    opened = uli.get("/desk/game/ackerwinde?seat=Seat7&lang=en").text
    assert opened.count('name="player"') == 1
    # what is done there stays on this page; by the name of a missing player one goes back
    assert 'name="desk"' not in opened
    by_name = re.search(r'href="(/desk/game/ackerwinde\?[^"]*Anna[^"]*)"', uli.get("/desk").text)
    assert by_name
    assert 'name="desk"' in uli.get(unescape(by_name[1])).text


def test_of_many_things_to_do_the_first_are_shown_and_the_rest_on_request(
    uli: Any, installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.web.desk.pages.MOST_SHOWN", 2)
    for name in ("erbse", "linse", "wicke"):
        seat_game(installation, name)
        start(installation, name)
        masters.add_master(db, name, "uli@example.org")
        lead.abort(db, name, "Rain.", clock.now())
    page = uli.get("/desk?lang=en").text
    assert page.count("the game is over.") == 2
    assert "1 thing more" in page
    assert uli.get("/desk?all=1&lang=en").text.count("the game is over.") == 3
