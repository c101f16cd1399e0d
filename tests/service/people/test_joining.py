"""Taking a seat by oneself: the form, the mailed button, the way back to a lost link."""

import re
from datetime import date
from typing import Any

import msgspec
import pytest

from gm import clock, store
from gm.errors import Refusal
from gm.games import create, lead
from gm.installation import Installation
from gm.people import joining, seating
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.witness import read
from tests.dates import EVERY_SUNDAY, NOW, SUNDAY
from tests.steps import (
    JOIN,
    bohnenpost,
    button,
    dump_of,
    seat_game,
    send,
    sent_mails,
    start,
    take_seat,
    words,
)

DOERTE = [
    ("name", "Dörte"),
    ("address", "doerte@example.org"),
    ("language", "de"),
    ("whole", "yes"),
]


def form(**changed: str) -> list[tuple[str, str]]:
    return [(name, changed.get(name, value)) for name, value in DOERTE]


@pytest.fixture
def table(installation: Installation, db: Database) -> None:
    """A game that takes players, with Anna, Bert and Cem at the table."""
    seat_game(installation)


def names(db: Database) -> list[str]:
    return [seat.name for seat in store.seats.of_game(db, "ackerwinde")]


def test_a_seat_is_taken_by_form_mail_and_button(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    page = web.get(JOIN)
    assert str(store.games.existing(db, "ackerwinde").commitment) in page.get_data(as_text=True)
    assert "every week on Sunday, 20:00 (Europe/Berlin)" in words(page)
    answer = send(web, JOIN, DOERTE)
    assert answer.status_code == 303
    assert "Look into your mailbox" in words(web.get(answer.headers["Location"]))
    assert names(db) == ["Anna", "Bert", "Cem"]
    ((kind, address, text),) = sent_mails(installation, db)
    assert (kind, address) == ("confirm", "doerte@example.org")
    assert str(store.games.existing(db, "ackerwinde").commitment) in text
    path = button(text)
    for _ in range(2):  # scanners open every link
        assert "Sitz nehmen" in words(web.get(path))
    assert names(db) == ["Anna", "Bert", "Cem"]
    taken = take_seat(web, path)
    assert taken.status_code == 303
    assert "Du hast einen Sitz" in words(web.get(taken.headers["Location"]))
    assert names(db) == ["Anna", "Bert", "Cem", "Dörte"]
    again = take_seat(web, path)
    assert again.headers["Location"] == taken.headers["Location"]
    assert names(db) == ["Anna", "Bert", "Cem", "Dörte"]
    kinds = sent_mails(installation, db)
    assert [kind for kind, _, _ in kinds] == ["confirm", "welcome"]
    link = taken.headers["Location"].partition("?")[0]
    assert link in kinds[1][2]


@pytest.mark.parametrize(
    ("changed", "sentence", "control"),
    [
        ({"name": "anna"}, "sits at this table already", "name"),
        ({"name": ""}, "is not a name here", "name"),
        ({"name": "D" * 41}, "is not a name here", "name"),
        ({"name": "D\u202e"}, "is not a name here", "name"),
        ({"address": "doerte"}, "is not one plain mail address", "address"),
        ({"address": "a@b.org, c@d.org"}, "is not one plain mail address", "address"),
    ],
)
def test_what_is_odd_is_said_at_its_control_and_kept(
    table: None, web: Any, db: Database, changed: dict[str, str], sentence: str, control: str
) -> None:
    answer = send(web, JOIN, form(**changed))
    text = words(answer)
    assert answer.status_code == 422
    assert sentence in text
    html = answer.get_data(as_text=True)
    assert f'href="#{control}"' in html
    assert re.search(rf'id="{control}"[^>]*aria-invalid="true"', html)
    kept = form(**changed)[1][1] if control == "name" else form(**changed)[0][1]
    assert f'value="{kept}"' in html
    assert (
        db.execute(
            "SELECT (SELECT count(*) FROM mail) + (SELECT count(*) FROM joining)"
        ).fetchone()[0]
        == 0
    )


def test_the_answer_does_not_tell_whether_an_address_is_known(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    known = send(web, JOIN, form(address="Anna@ackerwinde.example.org"))
    unknown = send(web, JOIN, DOERTE)
    assert (known.status_code, known.headers["Location"], known.data) == (
        303,
        unknown.headers["Location"],
        unknown.data,
    )
    for address in ("anna@ackerwinde.example.org", "nobody@example.org"):
        answer = send(web, "/links", [("address", address), ("whole", "yes")])
        assert (answer.status_code, answer.headers["Location"]) == (303, "/sent/links?lang=en")
    assert [(kind, to) for kind, to, _ in sent_mails(installation, db)] == [
        ("link", "anna@ackerwinde.example.org"),
        ("confirm", "doerte@example.org"),
    ]


def test_a_lost_link_comes_once_an_hour_for_every_game_that_is_not_over(
    table: None,
    web: Any,
    installation: Installation,
    db: Database,
    frozen_time: Any,
    ackerwinde_link: str,
) -> None:
    seat_game(installation, "beinwell")
    with write(db):
        db.execute("UPDATE seat SET address = 'anna@ackerwinde.example.org' WHERE name = 'Anna'")
    lost = [("address", "ANNA@ackerwinde.example.org"), ("whole", "yes")]
    for _ in range(3):
        send(web, "/links", lost)
    found = sent_mails(installation, db)
    assert [(kind, to) for kind, to, _ in found] == [("link", "anna@ackerwinde.example.org")] * 2
    assert ackerwinde_link in found[0][2]
    frozen_time.shift(3600)
    with write(db):
        db.execute("UPDATE game SET status = 'finished' WHERE id = 'beinwell'")
    send(web, "/links", lost)
    assert len(sent_mails(installation, db)) == 3


@pytest.fixture
def ackerwinde_link(installation: Installation) -> str:
    return installation.url("seat", "ackerwinde", "Anna", 1)


def test_an_address_is_not_flooded_through_the_form(
    table: None, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    for number in range(10):
        send(web, JOIN, form(name=f"Dörte {number}"))
    assert len(sent_mails(installation, db)) == 3
    frozen_time.shift(3601)
    send(web, JOIN, DOERTE)
    assert len(sent_mails(installation, db)) == 4


def test_spellings_of_one_mailbox_are_counted_as_one(table: None, db: Database) -> None:
    for number in range(6):
        joining.request_seat(
            db, "ackerwinde", f"Dörte {number}", f"Doer.te+{number}@example.org", "de", SUNDAY
        )
    joining.request_seat(db, "ackerwinde", "Dörte", "dorle@example.org", "de", SUNDAY)
    sent = [
        address
        for (address,) in db.execute("SELECT address FROM mail WHERE kind = 'confirm' ORDER BY id")
    ]
    assert sent == [*(f"Doer.te+{number}@example.org" for number in range(3)), "dorle@example.org"]


def test_mails_to_addresses_not_yet_confirmed_have_a_ceiling_for_the_whole_installation(
    table: None,
    web: Any,
    installation: Installation,
    db: Database,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(joining.MOST_UNCONFIRMED, "seats", 2)

    def ask(number: int, address: str = "") -> Any:
        return send(
            web,
            JOIN,
            form(name=f"Dörte {number}", address=address or f"doerte{number}@example.org"),
        )

    assert [ask(number).status_code for number in range(2)] == [303, 303]
    refused, known = ask(2), ask(2, "anna@ackerwinde.example.org")
    assert "Too many mails were asked for within the hour" in words(refused)
    assert [refused.status_code, known.status_code] == [409, 409]
    assert len(sent_mails(installation, db)) == 2
    take_seat(
        web, button(sent_mails(installation, db)[0][2])
    )  # whoever confirms is not counted any more
    assert ask(3).status_code == 303
    assert ask(4).status_code == 409
    frozen_time.shift(3601)
    assert ask(4).status_code == 303


def test_a_button_expires_after_seven_days_and_a_request_is_forgotten(
    table: None, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    send(web, JOIN, DOERTE)
    path = button(sent_mails(installation, db)[0][2])
    frozen_time.shift(7 * 24 * 3600 + 1)
    answer = take_seat(web, path)
    assert answer.status_code == 409
    assert "gilt nicht mehr" in words(answer)
    assert names(db) == ["Anna", "Bert", "Cem"]
    send(web, JOIN, form(address="other@example.org"))
    assert web.get(path).status_code == 404


def test_a_button_pressed_when_the_seat_is_gone_says_so(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    send(web, JOIN, DOERTE)
    path = button(sent_mails(installation, db)[0][2])
    create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Dörte",
        address="d@example.org",
        language="de",
    )
    assert "sitzt schon an diesem Tisch" in words(take_seat(web, path))
    with write(db):
        db.execute("UPDATE game SET seats = 4")
    assert "Alle Sitze sind vergeben" in words(take_seat(web, path))
    start(installation)
    assert "ist im Gang" in words(take_seat(web, path))
    assert len(names(db)) == 4


def test_a_scanner_that_presses_every_button_takes_no_seat(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    send(web, JOIN, DOERTE)
    path = button(sent_mails(installation, db)[0][2])
    assert send(web, path, [("whole", "yes")]).status_code == 422
    assert web.post(path).status_code == 415
    assert names(db) == ["Anna", "Bert", "Cem"]


def test_full_and_started_games_show_no_form(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    with write(db):
        db.execute("UPDATE game SET seats = 3")
    assert "All seats are taken." in words(web.get(JOIN))
    assert send(web, JOIN, DOERTE).status_code == 409
    start(installation)
    assert "The game has begun" in words(web.get(JOIN))
    assert "<form" not in web.get(JOIN).get_data(as_text=True)
    assert db.execute("SELECT count(*) FROM joining").fetchone()[0] == 0


def test_the_button_does_not_open_a_seat_whose_link_was_renewed(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    send(web, JOIN, DOERTE)
    path = button(sent_mails(installation, db)[0][2])
    assert take_seat(web, path).status_code == 303
    seating.renew_link(db, installation.link_key, "ackerwinde", "Dörte", clock.now())
    assert take_seat(web, path).status_code == 409


def test_who_joined_by_form_and_leaves_is_forgotten_wholly(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    send(web, JOIN, DOERTE)
    taken = (
        take_seat(web, button(sent_mails(installation, db)[0][2]))
        .headers["Location"]
        .partition("?")[0]
    )
    send(web, taken + "/data", [("confirm", "Dörte"), ("whole", "yes")])
    sent_mails(installation, db)
    assert "doerte@example.org" not in "\n".join(dump_of(db))


def test_a_private_game_is_hidden_and_opens_by_its_invitation(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    with write(db):
        db.execute("UPDATE game SET listed = 0")
    assert "Ackerwinde" not in words(web.get("/"))
    assert web.get(JOIN).status_code == 404
    assert send(web, JOIN, DOERTE).status_code == 404
    assert web.get(JOIN + "/" + "A" * 43).status_code == 404
    invitation = installation.path("invitation", "ackerwinde")
    assert "take a seat" in words(web.get(invitation))
    assert send(web, invitation, DOERTE).status_code == 303
    seat_game(installation, "beinwell")
    other = installation.url("invitation", "beinwell").rpartition("/")[2]
    assert web.get(f"{JOIN}/{other}").status_code == 404


def test_a_button_of_another_request_opens_nothing(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    send(web, JOIN, DOERTE)
    send(web, JOIN, form(name="Emil", address="emil@example.org"))
    _, first, second = (
        button(sent_mails(installation, db)[0][2]).split("/"),
        *(button(m[2]) for m in sent_mails(installation, db)),
    )
    swapped = first.rpartition("/")[0] + "/" + second.rpartition("/")[2]
    for path in (swapped, "/j/1/" + "A" * 43, "/j/99/" + "A" * 43, f"/j/{2**70}/" + "A" * 43):
        assert web.get(path).status_code == 404
        assert take_seat(web, path).status_code == 404
    assert names(db) == ["Anna", "Bert", "Cem"]


def test_a_dead_link_offers_the_form_for_lost_ones(table: None, web: Any) -> None:
    answer = web.get("/z/" + "A" * 43)
    assert answer.status_code == 404
    assert 'action="/links?lang=en"' in answer.get_data(as_text=True)
    refused = send(web, "/links", [("address", "anna"), ("whole", "yes")])
    assert refused.status_code == 422
    assert "is not one plain mail address" in words(refused)


@pytest.mark.parametrize(
    "fields",
    [
        DOERTE[:-1],
        [*DOERTE, ("extra", "1")],
        form(language="fr"),
        form(name="D" * 500),
        [DOERTE[0], *DOERTE],
    ],
)
def test_a_damaged_form_is_not_read(
    table: None, web: Any, db: Database, fields: list[tuple[str, str]]
) -> None:
    assert send(web, JOIN, fields).status_code == 400
    assert db.execute("SELECT count(*) FROM joining").fetchone()[0] == 0


def test_who_is_seated_by_the_game_master_gets_the_promise_at_once(
    table: None, web: Any, installation: Installation, db: Database
) -> None:
    bohnenpost(
        "game",
        "seat",
        "ackerwinde",
        "--name",
        "Emil",
        "--address",
        "emil@example.org",
        "--language",
        "en",
        home=installation.home,
    )
    (text,) = [
        text
        for kind, to, text in sent_mails(installation, db)
        if (kind, to) == ("welcome", "emil@example.org")
    ]
    commitment = str(store.games.existing(db, "ackerwinde").commitment)
    assert [(line.kind, line.round, line.value) for line in read(text)] == [
        ("commitment", 0, commitment)
    ]


@pytest.mark.parametrize("address", ["anna@ackerwinde.example.org", "nobody@example.org"])
def test_an_answer_waits_for_the_disk_whether_or_not_an_address_is_known(
    web: Any, db: Database, ackerwinde: Game, address: str
) -> None:
    """Otherwise how long it takes would tell."""
    for path in ("/my-games", "/links", "/opens", "/p/ackerwinde/follow"):
        before = db.version
        data = {"whole": "yes", "address": address}
        assert web.post(path, data=data).status_code == 303, path
        assert db.version != before, path
        before = db.version
        web.post(path, data=data)  # again within the hour
        assert db.version != before, path
    before = db.version
    assert web.post("/desk/link", data={"whole": "yes", "address": address}).status_code == 303
    assert db.version != before


def test_requests_in_one_game_take_no_seat_in_others(
    installation: Installation, db: Database
) -> None:
    for game in ("rainy", "sunny"):
        seat_game(installation, game, players=())
    for number in range(joining.MOST_OF_A_GAME):
        joining.request_seat(db, "rainy", f"Name {number}", f"x{number}@example.org", "en", NOW)
    with pytest.raises(Refusal, match="many_asked"):
        joining.request_seat(db, "rainy", "Dörte", "doerte@example.org", "en", NOW)
    joining.request_seat(db, "sunny", "Dörte", "doerte@example.org", "en", NOW)


def test_one_player_moves_a_few_times_an_hour_and_takes_no_move_from_others(
    db: Database, ackerwinde: Game
) -> None:
    anna, bert, _ = store.seats.of_game(db, "ackerwinde")
    for number in range(joining.MOST_MOVES):
        joining.request_address(db, anna, f"x{number}@example.org", NOW)
    with pytest.raises(Refusal, match="many_asked"):
        joining.request_address(db, anna, "last@example.org", NOW)
    joining.request_address(db, bert, "bert@example.net", NOW)


def test_the_button_of_an_earlier_move_does_nothing_once_another_was_asked_for(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    anna = store.seats.numbered(db, "ackerwinde", 1)
    for address in ("typo@example.net", "right@example.net"):
        joining.request_address(db, anna, address, NOW)
    first, second = (store.requests.joining(db, number) for number in (1, 2))
    assert first is not None
    assert second is not None
    with pytest.raises(Refusal, match="expired_move"):
        joining.confirm_seat(db, installation.link_key, first, NOW)
    moved = joining.confirm_seat(db, installation.link_key, second, NOW)
    assert moved.address == "right@example.net"


def test_the_page_says_when_rounds_close_early_and_which_days_are_left_out(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, "rainy", players=())
    rule = EVERY_SUNDAY.__class__(
        (6,), EVERY_SUNDAY.at, "Europe/Berlin", 1, EVERY_SUNDAY.since, (date(2026, 12, 27),)
    )
    with write(db):
        kept = {"early_after": 7200, "rule": msgspec.json.encode(rule).decode()}
        store.games.update(db, "rainy", kept)
    page = words(web.get("/p/rainy/join?lang=en"))
    assert "No deadline on Sun 27 December 2026." in page
    assert "the round is closed early, 2 hours after the last one" in page


@pytest.fixture
def invited(table: None, web: Any, installation: Installation, db: Database) -> str:
    """The path that an invitation to doerte@example.org leads to."""
    joining.invite(db, "ackerwinde", ["doerte@example.org"], "de", NOW)
    ((_, _, text),) = sent_mails(installation, db)
    found = re.search(r"https?://\S+(/i/\S+)", text)
    assert found
    return found[1]


def accept(web: Any, path: str, name: str = "Dörte") -> Any:
    return send(web, path, [("name", name), ("whole", "yes")])


def test_an_invitation_is_two_taps_and_one_mail_from_the_own_page(
    invited: str, web: Any, installation: Installation, db: Database
) -> None:
    page = web.get(invited)  # the first tap, in the mail
    text = words(page)
    for said in ("Anna, Bert, Cem", "doerte@example.org", "Uli"):
        assert said in text
    assert 'value="Doerte"' in page.text  # proposed
    for _ in range(2):  # scanners open every link
        web.get(invited)
        web.head(invited)
    assert names(db) == ["Anna", "Bert", "Cem"]
    taken = accept(web, invited, "Doerte")  # the second
    assert taken.status_code == 303
    assert "Du hast einen Sitz" in words(web.get(taken.headers["Location"]))
    seat = store.seats.of_game(db, "ackerwinde")[-1]
    assert (seat.name, seat.address, seat.language) == ("Doerte", "doerte@example.org", "de")
    mails = sent_mails(installation, db)
    assert [kind for kind, _, _ in mails] == ["invite", "welcome"]
    assert taken.headers["Location"].partition("?")[0] in mails[1][2]


def test_an_invitation_that_was_passed_on_opens_no_seat_that_is_taken(
    invited: str, web: Any, installation: Installation, db: Database
) -> None:
    link = accept(web, invited).headers["Location"].partition("?")[0]
    page = web.get(invited)
    assert link not in page.text
    again = accept(web, invited, "Emil")
    assert again.headers["Location"].startswith("/sent/links")
    assert names(db) == ["Anna", "Bert", "Cem", "Dörte"]
    assert [kind for kind, _, _ in sent_mails(installation, db)] == ["invite", "welcome"]


@pytest.mark.parametrize(
    ("name", "status"),
    [("Anna", 422), ("", 422), ("x" * 41, 422), ("Uli", 422), ("x" * 10_000, 400)],
)
def test_an_odd_name_behind_an_invitation_is_said_and_kept(
    invited: str, web: Any, db: Database, name: str, status: int
) -> None:
    answer = accept(web, invited, name)
    assert answer.status_code == status
    assert status == 400 or f'value="{name}"' in answer.text
    assert names(db) == ["Anna", "Bert", "Cem"]


def test_an_invitation_seats_nobody_once_the_game_has_begun(
    invited: str, web: Any, installation: Installation, db: Database
) -> None:
    start(installation)
    assert "seats are given any more" in words(web.get(f"{invited}?lang=en"))
    assert accept(web, invited).status_code == 409
    assert names(db) == ["Anna", "Bert", "Cem"]


def test_who_was_taken_away_does_not_come_back_by_the_invitation(
    invited: str, web: Any, db: Database
) -> None:
    accept(web, invited)
    seating.remove_seat(db, "ackerwinde", "Dörte", "", NOW)
    assert accept(web, invited).status_code == 404
    assert names(db) == ["Anna", "Bert", "Cem"]


def test_an_invitation_to_a_game_that_is_called_off_says_so(
    invited: str, web: Any, db: Database
) -> None:
    lead.abort(db, "ackerwinde", "no time", NOW)
    assert "called off" in words(web.get(f"{invited}?lang=en"))


@pytest.mark.parametrize("listed", [0, 1])
def test_behind_an_invitation_another_address_is_asked_for_as_ever(
    invited: str, web: Any, db: Database, listed: int
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"listed": listed})
    form_of_old = re.findall(r'href="(/p/ackerwinde/join[^"]*)"', web.get(invited).text)[-1]
    assert send(web, form_of_old, DOERTE).headers["Location"].startswith("/sent/seat")
    assert names(db) == ["Anna", "Bert", "Cem"]


def test_only_the_invitation_itself_opens_its_page(invited: str, web: Any, db: Database) -> None:
    joining.invite(db, "ackerwinde", ["emil@example.org"], "de", NOW)
    number, token = invited.split("/")[2:]
    for path in (f"/i/{int(number) + 1}/{token}", f"/i/{2**70}/{token}", f"/i/{number}/{'A' * 43}"):
        assert web.get(path).status_code == 404
        assert accept(web, path).status_code == 404
    assert names(db) == ["Anna", "Bert", "Cem"]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("doerte.muller@example.org", "Doerte"),
        ("emil+beans@example.org", "Emil"),
        ("7@example.org", ""),
        ("admin@example.org", ""),
        ("anna2@example.org", ""),  # sits there already
        ("uli@elsewhere.example.org", ""),  # the game master's name
    ],
)
def test_a_name_is_proposed_that_may_be_taken(
    table: None, db: Database, address: str, name: str
) -> None:
    assert joining.proposed_name(db, "ackerwinde", address) == name
