"""Signing up: addresses, names, states. What is refused stores nothing and mails nobody."""

import threading
from typing import Any
from urllib.parse import urlencode

import pytest

from gm import clock, store
from gm.errors import Refusal
from gm.games import create
from gm.games.names import checked_address, checked_player, same_mailbox
from gm.installation import Installation
from gm.people import joining, seating
from gm.store.db import Database, write
from gm.web import create_app
from tests.steps import bohnenpost, seat_game, send, start, words

JOIN = "/p/ackerwinde/join?lang=en"


@pytest.fixture
def open_game(installation: Installation, frozen_time: Any) -> Installation:
    """A game that takes players; Anna, Bert and Cem have seats."""
    seat_game(installation)
    return installation


def form(**changed: str) -> list[tuple[str, str]]:
    fields = {"name": "Dörte", "address": "doerte@example.org", "language": "en"} | changed
    return [*fields.items(), ("whole", "yes")]


def stored(db: Database) -> list[Any]:
    return [
        db.execute(f"SELECT * FROM {table}").fetchall() for table in ("joining", "mail", "seat")
    ]


def asked_for(installation: Installation, web: Any, db: Database, **changed: str) -> str:
    """The path of the button that who asks for a seat is mailed."""
    assert send(web, JOIN, form(**changed)).status_code == 303
    number, address = db.execute("SELECT id, address FROM joining ORDER BY id DESC").fetchone()
    return installation.path("joining", "ackerwinde", address, number)


def refused(web: Any, db: Database, status: int = 422, **changed: str) -> str:
    before = stored(db)
    answer = send(web, JOIN, form(**changed))
    assert answer.status_code == status, changed
    assert stored(db) == before
    return words(answer)


@pytest.mark.parametrize(
    "address",
    [
        "a@b",
        "a@b@c.org",
        "",
        "a" * 309 + "@example.org",
        "a" * 65 + "@example.org",
        '"a b"@x.org',
        "@x.org",
        "a@",
        "a@.org",
        "a@b..c",
        "a@.b.c",
        "a@b.c.",
        "a..b@x.org",
        ".a@x.org",
        "a.@x.org",
        "=?utf-8?q?a?=@x.org",
    ],
)
def test_what_is_no_address(open_game: Installation, web: Any, db: Database, address: str) -> None:
    assert "is not one plain mail address" in refused(web, db, address=address)


@pytest.mark.parametrize(
    "address",
    [
        "alice@x.org, bob@evil.org",
        "alice@x.org)bob@evil.org",
        "Alice <alice@x.org>",
        "a@x.org;b@y.org",
    ],
)
def test_two_addresses_are_none(
    open_game: Installation, web: Any, db: Database, address: str
) -> None:
    assert "is not one plain mail address" in refused(web, db, address=address)


@pytest.mark.parametrize("odd", ["\r", "\n", "\x00", "\x1b", "\u2028"])
def test_nothing_that_breaks_a_header_in_address_or_name(
    open_game: Installation, web: Any, db: Database, odd: str
) -> None:
    assert "is not one plain mail address" in refused(web, db, address=f"a{odd}Bcc: x@y.org@x.org")
    assert "is not a name here" in refused(web, db, name=f"An{odd}na")


def test_other_letters_in_a_domain_are_spelled_plainly_and_elsewhere_refused(
    open_game: Installation, web: Any, db: Database
) -> None:
    assert send(web, JOIN, form(address="doerte@bücher.example")).status_code == 303
    assert db.execute("SELECT address FROM joining").fetchone() == ("doerte@xn--bcher-kva.example",)
    assert db.execute("SELECT address FROM mail").fetchone() == ("doerte@xn--bcher-kva.example",)
    refused(web, db, address="dörte@example.org")
    refused(web, db, address="a@" + "ü" * 70 + ".example")
    # the older rules would write to strasse.example
    refused(web, db, address="anna@straße.example")


def test_spellings_of_one_mailbox_are_told_to_the_gm_and_never_merged(
    open_game: Installation, db: Database
) -> None:
    key = open_game.link_key
    for name, address in (("Emil", "d.oerte+beans@example.org"), ("Fritz", "doerte@example.org")):
        create.add_seat(db, key, game="ackerwinde", name=name, address=address, language="de")
    with pytest.raises(Refusal, match="address_taken"):
        create.add_seat(
            db, key, game="ackerwinde", name="Greta", address="DOERTE@example.org", language="de"
        )
    assert same_mailbox("D.oerte+beans@Example.org") == same_mailbox("doerte@example.org")
    from tests.steps import sign_in

    assert "Emil, Fritz: perhaps one mailbox" in words(
        sign_in(open_game, db).get("/desk/game/ackerwinde")
    )


@pytest.mark.parametrize(
    "address",
    [
        "bohnenpost@localhost.example.org",
        "postmaster@x.org",
        "MAILER-DAEMON@x.org",
        "noreply@x.org",
    ],
)
def test_an_address_that_answers_by_itself(
    installation: Installation, open_game: Installation, db: Database, address: str
) -> None:
    from dataclasses import replace

    home = replace(
        installation,
        config=replace(installation.config, mail_from="bohnenpost@localhost.example.org"),
    )
    assert "No person reads mail" in refused(create_app(home).test_client(), db, address=address)


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "\u0301\u0302", "🫘🫘", "--", "\u200d"])
def test_a_name_that_nobody_can_read(
    open_game: Installation, web: Any, db: Database, name: str
) -> None:
    assert "is not a name here" in refused(web, db, name=name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("GM", "would be taken for the GM"),
        ("Spielleitung", "would be taken for the GM"),
        ("S-Y-S-T-E-M", "would be taken for the GM"),
        ("Аnna", "mixes letters"),
        ("anna", "or a name that looks like it"),
        ("ÁNNA", "or a name that looks like it"),
        ("A nna", "or a name that looks like it"),
        ("Bегt", "mixes letters"),
    ],
)
def test_names_of_ours_or_too_close_to_another(
    open_game: Installation, web: Any, db: Database, name: str, said: str
) -> None:
    assert said in refused(web, db, name=name)


def test_composed_and_decomposed_are_one_name(
    open_game: Installation, web: Any, db: Database
) -> None:
    create.add_seat(
        db, open_game.link_key, game="ackerwinde", name="Zoë", address="z@x.org", language="de"
    )
    assert "or a name that looks like it" in refused(web, db, name="Zoe\u0308")


FINE = (
    "Anna",
    "Zoë",
    "Jean-Luc",
    "O'Neil",
    "李雷",
    "Иван",
    "Ελένη",
    "محمد",
    "Bo 2",
    "Ørjan",
    "ß",
    "42",
    "佐々木",
    "田中さくら",
    "ユーリ",
    "Kaʻiulani",
    "Mª José",
)
ODD = (
    "Иvan",
    "Ελένa",
    "gm",
    "G.M.",
    "system",
    "Admin",
    "Bohnenpost",
    "🫘",
    "",
    " ",
    "\u202eAnna",
    "a\u200bb",
)
VERDICTS = [*((name, True) for name in FINE), *((name, False) for name in ODD)]


@pytest.mark.parametrize(("name", "fine"), VERDICTS)
def test_names_with_their_verdicts(name: str, fine: bool) -> None:
    if fine:
        assert checked_player(name)
        return
    with pytest.raises(Refusal):
        checked_player(name)


def test_a_name_with_quotes_and_brackets_is_quoted_right_in_the_mail(
    open_game: Installation, web: Any, db: Database
) -> None:
    from email import policy
    from email.parser import BytesParser

    from gm.service import tick_mail

    name = 'Eve, "the" \\ <x@y.org>'
    assert send(web, JOIN, form(name=name, address="eve@example.org")).status_code == 303
    tick_mail(open_game, clock.now())
    (file,) = open_game.mail_folder.iterdir()
    mail = BytesParser(policy=policy.default).parsebytes(file.read_bytes())
    assert [address.addr_spec for address in mail["To"].addresses] == ["eve@example.org"]


def test_decomposed_names_are_stored_composed(
    open_game: Installation, web: Any, db: Database
) -> None:
    button = asked_for(open_game, web, db, name="Zoe\u0308")
    assert send(web, button, [("mine", "yes"), ("whole", "yes")]).status_code == 303
    assert db.execute("SELECT name FROM seat ORDER BY number DESC").fetchone() == ("Zoë",)


def test_the_last_seat_goes_to_one_of_two(open_game: Installation, db: Database) -> None:
    with write(db):
        db.execute("UPDATE game SET seats = 4")
    for name in ("Dörte", "Emil"):
        joining.request_seat(db, "ackerwinde", name, f"{name[0]}@example.org", "en", clock.now())
    answers: list[str] = []

    def take(number: int) -> None:
        with open_game.connection() as own:
            asked = store.requests.joining(own, number)
            assert asked is not None
            try:
                joining.confirm_seat(own, open_game.link_key, asked, clock.now())
                answers.append("seat")
            except Refusal as refusal:
                answers.append(refusal.code)

    both = [threading.Thread(target=take, args=(number,)) for number in (1, 2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(answers) == ["full", "seat"]
    assert db.execute("SELECT count(*) FROM seat").fetchone() == (4,)


@pytest.mark.parametrize("state", ["full", "running", "paused", "aborted"])
def test_a_game_that_takes_nobody_says_why(
    open_game: Installation, web: Any, db: Database, state: str
) -> None:
    if state == "full":
        with write(db):
            db.execute("UPDATE game SET seats = 3")
    else:
        start(open_game)
        with write(db):
            stored_as = {"running": "running", "paused": "paused", "aborted": "finished"}[state]
            paused, aborted = (1 if state == "paused" else None), int(state == "aborted")
            deadline = "NULL" if state == "aborted" else "deadline"
            sql = f"UPDATE game SET status = ?, paused_at = ?, aborted = ?, deadline = {deadline}"
            db.execute(sql, [stored_as, paused, aborted])
    said = refused(web, db, status=409)
    assert "All seats are taken" in said or "seats are given between opening and start" in said


def test_one_address_twice_gets_its_link_and_no_second_seat(
    open_game: Installation, web: Any, db: Database
) -> None:
    assert (
        send(web, JOIN, form(name="Zweite", address="ANNA@ackerwinde.example.org")).status_code
        == 303
    )
    assert db.execute("SELECT kind, seat FROM mail").fetchall() == [("link", 1)]
    assert db.execute("SELECT count(*) FROM joining").fetchone() == (0,)


def test_lost_links_answer_alike_for_known_and_unknown(
    open_game: Installation, web: Any, db: Database
) -> None:
    def ask(address: str) -> Any:
        body = urlencode({"address": address, "whole": "yes"})
        return web.post(
            "/links?lang=en", data=body, content_type="application/x-www-form-urlencoded"
        )

    known, unknown = ask("anna@ackerwinde.example.org"), ask("nobody@example.org")
    assert (known.status_code, known.headers["Location"], known.data) == (
        unknown.status_code,
        unknown.headers["Location"],
        unknown.data,
    )


@pytest.mark.parametrize(
    "zone",
    ["Mars/Olympus", "../../etc/passwd", "", "Europe", "Europe/Berlin\x00", "/etc/localtime"],
)
def test_a_zone_that_is_none(open_game: Installation, db: Database, zone: str) -> None:
    from tests.steps import press, sign_in

    before = db.execute("SELECT count(*) FROM game").fetchone()
    fields = {
        "name": "Beinwell",
        "variant": "postal",
        "language": "en",
        "action": "create",
        "at": "20:00",
        "weeks": "1",
        "shortest": "0",
        "day": "sun",
        "zone": zone,
    }
    answer = press(sign_in(open_game, db), "/desk/new?lang=en", *fields.items())
    assert answer.status_code == 422
    assert "is not a time zone like Europe/Berlin" in words(answer)
    if "\x00" not in zone:
        said = bohnenpost(
            "game",
            "new",
            "x",
            "--gm",
            "Uli",
            "--gm-address",
            "u@x.org",
            "--zone",
            zone,
            "--at",
            "20:00",
            home=open_game.home,
            status=2,
        )
        assert "is not a time zone" in said.output
    assert db.execute("SELECT count(*) FROM game").fetchone() == before


def test_a_successor_is_somebody_new(open_game: Installation, db: Database, web: Any) -> None:
    start(open_game)
    old = open_game.path("seat", "ackerwinde", "Anna", 1)

    def replace(address: str) -> bool:
        return seating.replace_player(
            db,
            open_game.link_key,
            "ackerwinde",
            "Anna",
            player="Dörte",
            address=address,
            language="de",
            keep_orders=False,
            reason="x",
            now=clock.now(),
        )

    before = db.execute("SELECT * FROM seat").fetchall()
    with pytest.raises(Refusal, match="address_taken"):
        replace("bert@ackerwinde.example.org")
    assert replace("anna@ackerwinde.example.org") is False
    assert db.execute("SELECT * FROM seat").fetchall() == before
    assert web.get(old).status_code == 200
    assert replace("doerte@example.org") is True
    assert web.get(old).status_code == 404


def test_an_address_is_kept_as_mail_goes_there() -> None:
    assert checked_address("Anna.B+x@Example.ORG") == "Anna.B+x@Example.ORG"


def test_a_field_that_no_form_has_takes_no_seat(
    open_game: Installation, web: Any, db: Database
) -> None:
    button = asked_for(open_game, web, db)
    before = stored(db)
    assert (
        send(
            web, button, [("mine", "yes"), ("phrase", "three beans"), ("whole", "yes")]
        ).status_code
        == 422
    )
    assert stored(db) == before
