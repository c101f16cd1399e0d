"""Where a seat's mails go and which link opens it: nobody opens a seat, or reads a list, unseen."""

import re
from typing import Any

import pytest

from gm import clock, service, store
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.games import create, lead
from gm.installation import Installation
from gm.mail import writing
from gm.people import seating
from gm.service import close_due, order_robot
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import dump_of, form, seat, seat_game, send, sent_mails, words

OLD, NEW = "anna@ackerwinde.example.org", "anna@new.example.org"
ORDERS = "1&gt;C"


def path(installation: Installation, db: Database, name: str = "Anna") -> str:
    return installation.path("seat", "ackerwinde", name, seat(db, name).link_number)


def move(installation: Installation, db: Database, to: str = NEW) -> bool:
    return seating.change_address(db, installation.link_key, "ackerwinde", "Anna", to, clock.now())


def texts(installation: Installation, db: Database, kind: str) -> list[tuple[str, str]]:
    return [
        (to, re.sub(r"\s+", " ", text))
        for found, to, text in sent_mails(installation, db)
        if found == kind
    ]


def by_address(installation: Installation, db: Database) -> None:
    move(installation, db)


def by_new_link(installation: Installation, db: Database) -> None:
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())


def by_replacement(installation: Installation, db: Database) -> None:
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Anna",
        player="Dörte",
        address=NEW,
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )


def take_back_round_one(web: Any, link: dict[str, str], db: Database) -> None:
    """Anna has sent a list for round 2; it does not count any more."""
    close_due(db, Config(), SUNDAY)
    with write(db):
        db.execute("UPDATE game SET deadline = deadline + 604800")
    send(web, link["Anna"], form(2, **{"pass": "yes"}))
    rollback(db, "ackerwinde", 1, "a mistake", clock.now())


# ---- a game master changes an address ----


def test_a_changed_address_kills_the_link_is_noted_and_told_to_both(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    assert move(installation, db)
    assert not move(installation, db)  # it is so already
    assert web.get(link["Anna"]).status_code == 404
    assert web.get(path(installation, db)).status_code == 200
    assert [(note.kind, note.seat) for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        ("address", "Anna")
    ]
    assert "The GM changed the mail address of Anna" in words(web.get("/p/ackerwinde?lang=en"))
    ((to, away),) = texts(installation, db, "moved_away")
    assert to == OLD
    assert (
        "Mails für deinen Sitz in der Partie Ackerwinde gehen ab jetzt woandershin: Die Spielleitung, Uli"
        in away
    )
    assert NEW not in away
    assert path(installation, db) not in away
    ((to, here),) = texts(installation, db, "moved_here")
    assert (to, path(installation, db) in here) == (NEW, True)
    close_due(db, Config(), SUNDAY)
    report = next(text for to, text in texts(installation, db, "report") if to.startswith("bert"))
    assert "The GM changed the mail address of Anna; the old personal link is dead." in report
    record = web.get("/p/ackerwinde/record.json").get_data(as_text=True)
    assert '"kind":"address"' in record
    assert NEW not in record


@pytest.mark.parametrize("change", [by_address, by_new_link, by_replacement])
def test_a_list_sent_by_an_earlier_link_counts_and_is_read_by_nobody(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    change: Any,
) -> None:
    send(web, link["Anna"], form(to_1_1="C", press="A marker of Anna", note="My phone is 0211 555"))
    change(installation, db)
    (revision,) = store.lists.revisions(db, "ackerwinde", 1, 1)
    digest = revision.digest("Anna")
    assert digest
    new = path(installation, db)
    pages = [new, f"{new}?fill=1", f"{new}/receipt", f"{new}/data", f"{new}/mail"]
    for page in pages:
        html = web.get(page, follow_redirects=True).get_data(as_text=True)
        for secret in (ORDERS, "A marker of Anna", "0211 555", 'id="to_1_1-C" checked'):
            assert secret not in html, page
    text = words(web.get(f"{new}?lang=en"))
    assert "version 1 of Fri 20 November 2026" in text
    assert digest in text
    program = {"Authorization": f"Bearer {installation.api_token(seat(db))}"}
    told = web.get("/api/v1/games/ackerwinde/seat", headers=program).json
    assert told["list"] | {"at": ""} == {
        "round": 1,
        "revision": 1,
        "orders": None,
        "source": "seat",
        "at": "",
        "digest": digest,
    }
    assert (told["press"], told["note"]) == ("", "")
    lead.pause(db, "ackerwinde", "", clock.now())
    paused = words(web.get(f"{new}?lang=en"))
    assert digest in paused
    assert ORDERS not in paused
    lead.resume(db, "ackerwinde", "", clock.now())
    close_due(db, Config(), SUNDAY)
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.lists["Anna"] == "1>C"


def test_a_list_from_the_new_link_replaces_the_sealed_one_and_guessing_it_tells_nothing(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"], form(to_1_1="C"))
    move(installation, db)
    answer = send(web, path(installation, db), form(to_1_1="C"))
    assert [(r.number, r.link_number) for r in store.lists.revisions(db, "ackerwinde", 1, 1)] == [
        (2, 2),
        (1, 1),
    ]
    text = words(web.get(answer.headers["Location"]))
    assert "Fassung 2" in text
    assert "Fassung 1" in text  # which it replaces
    move(installation, db, OLD)
    service.enter_orders(db, "ackerwinde", "Anna", "1>C")  # nor does typing it in
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        "address",
        "address",
        "by_gm",
    ]


def test_a_receipt_that_waits_is_not_sent_to_another_address(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"], form(to_1_1="C"))
    move(installation, db)
    assert [to for to, _ in texts(installation, db, "receipt")] == [OLD]
    assert all("1>C" not in text for _, to, text in sent_mails(installation, db) if to == NEW)


def test_a_list_taken_back_with_its_round_is_not_told_to_another_address(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    take_back_round_one(web, link, db)
    move(installation, db)
    assert [
        text for to, text in texts(installation, db, "news") if to == NEW and "pass" in text
    ] == []


@pytest.mark.parametrize("then", ["back", "remove", "replace", "leave"])
def test_the_warning_goes_out_whatever_becomes_of_the_seat(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, then: str
) -> None:
    move(installation, db)
    if then == "back":
        move(installation, db, OLD)
    elif then == "remove":
        seating.remove_seat(db, "ackerwinde", "Anna", "", clock.now())
    elif then == "replace":
        seating.replace_player(
            db,
            installation.link_key,
            "ackerwinde",
            "Anna",
            player="X",
            address="x@example.org",
            language="de",
            keep_orders=True,
            reason="",
            now=clock.now(),
        )
    else:
        send(web, path(installation, db) + "/data", [("confirm", "Anna"), ("whole", "yes")])
    assert OLD in [to for to, _ in texts(installation, db, "moved_away")]


def test_a_mail_that_is_being_written_for_another_address_is_written_again(
    installation: Installation, ackerwinde: Game, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = writing.rendered

    def meanwhile(*given: Any) -> Any:
        written = list(real(*given))
        monkeypatch.undo()
        move(installation, db)
        return written

    monkeypatch.setattr(writing, "rendered", meanwhile)
    assert service.write_mails(db, installation, clock.now())
    assert (
        db.execute("SELECT written_at FROM mail WHERE kind = 'start' AND seat = 1").fetchone()[0]
        is None
    )


def test_before_the_start_a_changed_address_stands_in_the_first_report(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation)
    move(installation, db)
    assert "The GM changed the mail address of Anna" in words(web.get("/p/ackerwinde?lang=en"))
    create.start_game(db, "ackerwinde", clock.now())
    first = next(text for to, text in texts(installation, db, "start") if to.startswith("bert"))
    assert "The GM changed the mail address of Anna" in first


def test_who_leaves_leaves_no_earlier_address_behind(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    move(installation, db)
    sent_mails(installation, db)
    send(web, path(installation, db) + "/data", [("confirm", "Anna"), ("whole", "yes")])
    sent_mails(installation, db)
    everything = "\n".join(dump_of(db))
    assert OLD not in everything
    assert NEW not in everything


# ---- a player changes an address ----


def ask(web: Any, installation: Installation, db: Database, to: str = NEW) -> str:
    """Ask for it on the page; the path of the button in the mail."""
    answer = send(web, path(installation, db) + "/address", [("address", to), ("whole", "yes")])
    assert answer.status_code == 303
    assert "Eine Mail mit einem Knopf ist unterwegs" in words(web.get(answer.headers["Location"]))
    found = re.search(
        r"https?://\S+(/j/\S+)",
        [text for to_, text in texts(installation, db, "confirm") if to_ == to][-1],
    )
    assert found
    return found[1]


PRESS = [("mine", "yes"), ("whole", "yes")]


def test_a_player_moves_to_another_address_by_a_button_in_its_mail(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"], form(to_1_1="C", press="Moin"))
    button = ask(web, installation, db)
    assert "Mails kommen hierher" in words(web.get(button))
    # a scanner that presses every button
    assert send(web, button, [("whole", "yes")]).status_code == 422
    assert seat(db).address == OLD
    pressed = send(web, button, PRESS)
    assert pressed.headers["Location"].startswith(path(installation, db))
    assert (seat(db).address, web.get(link["Anna"]).status_code) == (NEW, 404)
    page = web.get(path(installation, db)).get_data(as_text=True)
    assert ORDERS in page  # they may read on what they sent themselves
    assert "Moin" in page
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] == ["own_address"]
    (to, away) = texts(installation, db, "moved_away")[0]
    assert (to, "Jemand mit deinem persönlichen Link" in away) == (OLD, True)
    assert [to for to, _ in texts(installation, db, "moved_here")] == [NEW]
    assert send(web, button, PRESS).headers["Location"] == pressed.headers["Location"]
    assert len(store.notes.of_round(db, "ackerwinde", 1)) == 1


@pytest.mark.parametrize("change", [by_new_link, by_replacement])
def test_the_button_of_a_link_that_died_opens_nothing(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, change: Any
) -> None:
    button = ask(web, installation, db, "anna@third.example.org")
    change(installation, db)
    assert send(web, button, PRESS).status_code == 409
    assert seat(db).address != "anna@third.example.org"
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] != ["own_address"]


def test_a_button_that_was_pressed_opens_no_later_link(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    button = ask(web, installation, db)
    send(web, button, PRESS)
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    assert send(web, button, PRESS).status_code == 409


def test_what_is_no_address_comes_back_and_another_players_is_not_told(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    for odd, why in (("anna@", "ist keine einfache Mailadresse"), (OLD, "schon an")):
        answer = send(
            web, path(installation, db) + "/address", [("address", odd), ("whole", "yes")]
        )
        assert answer.status_code == 422
        assert f'value="{odd}"' in answer.get_data(as_text=True)
        assert why in words(answer)
    button = ask(web, installation, db, "bert@ackerwinde.example.org")  # answered like any other
    assert send(web, button, PRESS).status_code == 409
    assert seat(db).address == OLD


def test_an_address_is_written_to_three_times_an_hour(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    for _ in range(5):
        assert (
            send(
                web, path(installation, db) + "/address", [("address", NEW), ("whole", "yes")]
            ).status_code
            == 303
        )
    assert len(texts(installation, db, "confirm")) == 3
    assert store.requests.asked_to_join(db, "ackerwinde") == 0


# ---- a link is sent again ----


def test_a_mailed_link_says_who_asked_for_it(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    send(web, "/links", [("address", OLD), ("whole", "yes")])
    frozen_time.shift(3601)
    assert seating.resend_link(db, "ackerwinde", "Anna", clock.now())
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    by_form, again, new = (
        texts(installation, db, kind)[0][1] for kind in ("link", "link_again", "link_new")
    )
    assert "Jemand hat deine Adresse" in by_form
    assert "Die Spielleitung, Uli, hat ihn dir noch einmal schicken lassen" in again
    assert "Die Spielleitung, Uli, hat einen neuen Link für dich machen lassen" in new
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] == ["renewed"]
    assert all("Jemand hat deine Adresse" not in text for text in (again, new))


# ---- a player has a new link made ----


def test_a_new_link_is_mailed_to_the_stored_address_and_ends_the_old_one(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    answer = send(web, link["Anna"] + "/renew?lang=en", [("whole", "yes"), ("address", NEW)])
    assert answer.status_code == 200
    assert "The link that you used until now no longer works" in words(answer)
    assert OLD not in words(answer)
    assert path(installation, db) not in answer.get_data(as_text=True)
    assert web.get(link["Anna"]).status_code == 404
    ((to, text),) = texts(installation, db, "link_own")
    assert (to, path(installation, db) in text) == (OLD, True)
    assert "um einen neuen gebeten" in text
    assert "Link zu all deinen Partien" in text
    assert [(note.kind, note.seat) for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        ("own_link", "Anna")
    ]
    assert "Anna had a new personal link mailed" in words(web.get("/p/ackerwinde?lang=en"))


def test_a_new_link_is_had_once_an_hour(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    frozen_time: Any,
) -> None:
    assert send(web, link["Anna"] + "/renew", [("whole", "yes")]).status_code == 200
    second = path(installation, db)
    frozen_time.shift(3599)
    again = send(web, second + "/renew?lang=en", [("whole", "yes")])
    assert again.status_code == 422
    assert "hour" in words(again)
    assert path(installation, db) == second
    frozen_time.shift(1)
    assert send(web, second + "/renew", [("whole", "yes")]).status_code == 200
    assert path(installation, db) != second


def test_a_seat_without_an_address_has_no_button_for_a_new_link(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    assert "/renew" in web.get(link["Anna"] + "/mail").get_data(as_text=True)
    with write(db):
        db.execute("UPDATE seat SET address = NULL, robot = 1 WHERE number = 1")
    assert "/renew" not in web.get(link["Anna"] + "/mail").get_data(as_text=True)
    assert send(web, link["Anna"] + "/renew", [("whole", "yes")]).status_code == 422
    assert web.get(link["Anna"]).status_code == 200


# ---- how lists came in ----


def test_receipts_and_report_say_how_each_list_came_in(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    with write(db):
        db.execute("UPDATE seat SET robot = 1, address = NULL WHERE number = 3")
    send(web, link["Anna"], form(to_1_1="C"))
    signed = {"Authorization": f"Bearer {installation.api_token(seat(db, 'Bert'))}"}
    sent = web.post(
        "/api/v1/games/ackerwinde/seat/orders", json={"round": 1, "orders": "pass"}, headers=signed
    )
    assert sent.json["source"] == "program"
    assert order_robot(db, clock.now())
    assert "Wie er ankam: über den persönlichen Link." in words(web.get(link["Anna"] + "/receipt"))
    receipts = dict(texts(installation, db, "receipt"))
    assert "Wie er ankam: über den persönlichen Link." in receipts[OLD]
    assert (
        "How it came in: from a program of the player." in receipts["bert@ackerwinde.example.org"]
    )
    close_due(db, Config(), SUNDAY)
    report = next(text for to, text in texts(installation, db, "report") if to.startswith("bert"))
    how = "How the lists came in: Anna by the personal link; Bert from a program of the player; Cem from a robot."
    assert how in report
    assert how in words(web.get("/p/ackerwinde/r1?lang=en"))
    sources = web.get("/api/v1/games/ackerwinde/rounds/1").json["sources"]
    assert sources == {"Anna": "seat", "Bert": "program", "Cem": "robot"}
    # its form is as it was
    assert '"source"' not in web.get("/p/ackerwinde/record.json").get_data(as_text=True)


# ---- too late ----


def late(web: Any, path: str, round_number: int = 1) -> str:
    answer = send(web, f"{path}?lang=en", form(round_number, to_1_1="A"))
    assert answer.status_code == 409
    return words(answer)


def test_the_late_page_does_not_show_a_dropped_list_as_the_one_that_counts(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    take_back_round_one(web, link, db)
    text = late(web, link["Anna"], 2)
    assert "There are no orders from you yet." in text
    assert "Your version 1" not in text


def test_the_late_page_shows_no_list_of_who_played_before(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    frozen_time: Any,
) -> None:
    send(web, link["Anna"], form(to_1_1="C"))
    by_replacement(installation, db)
    frozen_time.move_to(SUNDAY)
    text = late(web, path(installation, db))
    assert ORDERS not in text
    assert "A list counts that was sent before there was this link: version 1" in text
    with write(db):
        db.execute("UPDATE revision SET void_at = 1")
    assert "No list of yours counts, so the stand-in plays for you." in late(
        web, path(installation, db)
    )


# ---- who loses a seat ----


def take_away(
    installation: Installation, db: Database, reason: str = "no word since summer"
) -> None:
    seating.remove_seat(db, "ackerwinde", "Anna", reason, clock.now())


def test_who_is_replaced_or_removed_is_told_whatever_becomes_of_the_seat(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    by_replacement(installation, db)
    take_away(installation, db)
    (to, first), (second_to, second) = texts(installation, db, "lost")
    assert (to, second_to) == (OLD, NEW)
    assert "Hallo Anna, ab jetzt spielt jemand anders für Anna in der Partie Ackerwinde." in first
    assert "mailto:uli@example.org?subject=Ackerwinde" in first
    assert (
        "Hallo Dörte, die Spielleitung hat den Sitz Anna in der Partie Ackerwinde weggenommen"
        in second
    )
    assert "Grund: no word since summer" in second


def test_who_is_removed_before_the_start_is_told(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation)
    old = path(installation, db)
    take_away(installation, db, "")
    ((to, text),) = texts(installation, db, "lost")
    assert to == OLD
    assert "vor dem Start weggenommen" in text
    assert "On Fri 20 November 2026, 13:00 CET the GM took the seat away." in words(
        web.get(f"{old}?lang=en")
    )


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (by_new_link, "a new one was made and mailed"),
        (by_address, "the mail address was changed, and a new link went there. The GM did that."),
        (by_replacement, "Since Fri 20 November 2026, 13:00 CET somebody else plays for it."),
        (take_away, "the GM took the seat away. Reason: no word since summer"),
    ],
)
def test_a_dead_link_says_what_became_of_it(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    change: Any,
    what: str,
) -> None:
    change(installation, db)
    for page in ("", "/mail", "/data", "/programs", "/receipt"):
        answer = web.get(f"{link['Anna']}{page}?lang=en")
        assert answer.status_code == 404
        assert "This was the link of Anna in Ackerwinde." in words(answer)
        assert what in words(answer)
    posted = send(web, f"{link['Anna']}?lang=en", form(to_1_1="C"))
    assert (posted.status_code, what in words(posted)) == (404, True)
    assert "Perhaps it was cut" in words(web.get(f"/z/{'A' * 43}?lang=en"))


def test_who_left_finds_that_and_nothing_of_themselves(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"] + "/data", [("confirm", "Anna"), ("whole", "yes")])
    assert "You left on Fri 20 November 2026" in words(web.get(f"{link['Anna']}?lang=en"))
    assert texts(installation, db, "lost") == []
