"""What a player writes for themselves: kept and given back as it was typed, seen by nobody else,
handed on to nobody.
"""

import re
from typing import Any

import pytest

from gm import clock, restore, store
from gm.config import Config
from gm.games import lead
from gm.games.orders import Replaced
from gm.installation import Installation
from gm.people import joining, seating
from gm.service import close_due
from gm.store.db import Database
from gm.store.file import backup
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.doors import doors
from tests.steps import button, form, seat_game, send, sent_mails, sign_in, take_seat, words

PLAN = "Bert hortet <Feuerbohnen>"


def write_down(web: Any, path: str, text: str = PLAN, seen: int = 0) -> Any:
    return send(web, f"{path}/notes", [("notes", text), ("seen", str(seen)), ("whole", "yes")])


def kept(db: Database, name: str = "Anna") -> str | None:
    found = store.notes.own_notes(db, seating.seat_named(db, "ackerwinde", name))
    return found.text if found else None


def seen(db: Database) -> int:
    found = store.notes.own_notes(db, seating.seat_named(db, "ackerwinde", "Anna"))
    return found.at if found else 0


def path_of(installation: Installation, db: Database, name: str = "Anna") -> str:
    number = seating.seat_named(db, "ackerwinde", name).link_number
    return installation.path("seat", "ackerwinde", name, number)


def test_notes_are_kept_shown_changed_and_emptied(
    web: Any, link: dict[str, str], db: Database
) -> None:
    page = link["Anna"]
    assert "Eigene Notizen" in words(web.get(f"{page}/notes"))
    assert "Welche schreiben, nur für dich" in words(web.get(page))
    answer = write_down(web, page, PLAN + "\r\nCem pflügt nie.  ")
    assert answer.status_code == 303
    assert "✓ Gespeichert." in words(web.get(answer.headers["Location"]))
    assert kept(db) == PLAN + "\nCem pflügt nie."
    for shown in (page, f"{page}/notes", f"{page}/data"):
        html = web.get(shown).get_data(as_text=True)
        assert "Bert hortet &lt;Feuerbohnen&gt;\nCem pflügt nie." in html, shown
    assert write_down(web, page, " \r\n ", seen(db)).status_code == 303
    assert kept(db) is None
    assert db.execute("SELECT count(*) FROM own_notes").fetchone() == (0,)


def test_too_long_ones_come_back_as_they_were_typed_and_the_former_stay(
    web: Any, link: dict[str, str], db: Database
) -> None:
    write_down(web, link["Anna"])
    long = "ä" * 4001
    answer = write_down(web, link["Anna"], long, seen(db))
    assert answer.status_code == 422
    assert "Dieser Text hat 4001 Zeichen; höchstens 4000 passen." in words(answer)
    assert long in answer.get_data(as_text=True)
    assert kept(db) == PLAN
    assert write_down(web, link["Anna"], "ä" * 4000, seen(db)).status_code == 303


def test_what_cannot_be_read_is_left_out(web: Any, link: dict[str, str], db: Database) -> None:
    write_down(web, link["Anna"], "a\0b\u202ec\x1b[2J 🫘")
    assert kept(db) == "abc[2J 🫘"


@pytest.mark.parametrize(
    "fields",
    [
        [("notes", "x"), ("seen", "0")],  # no sentinel
        [("notes", "x"), ("whole", "yes")],
        [("seen", "0"), ("whole", "yes")],
        [("notes", "x"), ("seen", "-1"), ("whole", "yes")],
        [("notes", "x"), ("seen", "9" * 30), ("whole", "yes")],
        [("notes", "x"), ("notes", "y"), ("seen", "0"), ("whole", "yes")],
        [("notes", "x"), ("seen", "0"), ("more", "z"), ("whole", "yes")],
    ],
)
def test_a_damaged_form_empties_nothing(
    web: Any, link: dict[str, str], db: Database, fields: list[tuple[str, str]]
) -> None:
    write_down(web, link["Anna"])
    assert send(web, link["Anna"] + "/notes", fields).status_code == 400
    assert kept(db) == PLAN


@pytest.mark.parametrize("fields", [[("seen", "0")], [("seen", "-1"), ("whole", "yes")]])
def test_what_was_typed_into_a_damaged_form_comes_back(
    web: Any, link: dict[str, str], fields: list[tuple[str, str]]
) -> None:
    answer = send(web, link["Anna"] + "/notes?lang=en", [("notes", PLAN), *fields])
    assert answer.status_code == 400
    assert "What you just sent Bert hortet &lt;Feuerbohnen&gt;" in words(answer)


def test_what_was_typed_comes_back_when_the_link_opens_nothing_any_more(
    web: Any, installation: Installation, link: dict[str, str], db: Database
) -> None:
    replace(installation, db)
    answer = write_down(web, link["Anna"])
    assert answer.status_code == 404
    assert "Bert hortet" in words(answer)


def test_what_was_typed_comes_back_when_the_seat_changes_hands_meanwhile(
    web: Any, link: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def replaced(*_: Any) -> None:
        raise Replaced("Anna")

    monkeypatch.setattr(seating, "save_own_notes", replaced)
    answer = write_down(web, link["Anna"])
    assert answer.status_code == 404
    assert "Bert hortet" in words(answer)


def test_the_field_takes_no_more_than_can_be_kept(web: Any, link: dict[str, str]) -> None:
    assert re.search(
        r'<textarea id="notes" [^>]*maxlength="4000"',
        web.get(link["Anna"] + "/notes").get_data(as_text=True),
    )
    longest = "\U0001fad8" * 2000 + "ä" * 2000  # the bytes of what a browser lets through fit
    assert write_down(web, link["Anna"], longest).status_code == 303


def test_an_older_window_overwrites_nothing(web: Any, link: dict[str, str], db: Database) -> None:
    write_down(web, link["Anna"])
    for old in ("Written in the other window", ""):
        answer = write_down(web, link["Anna"], old, 0)
        assert answer.status_code == 409
        text = words(answer)
        assert "vielleicht in einem anderen Fenster" in text
        assert "Bert hortet" in text
        assert old in text
        assert f'name="seen" value="{seen(db)}"' in answer.get_data(as_text=True)
    assert kept(db) == PLAN
    assert write_down(web, link["Anna"], PLAN, 0).status_code == 303  # the same text is no conflict
    assert write_down(web, link["Anna"], "Both", seen(db)).status_code == 303
    assert kept(db) == "Both"


def test_orders_with_a_list_leave_the_notes_alone(
    web: Any, link: dict[str, str], db: Database
) -> None:
    write_down(web, link["Anna"])
    assert send(web, link["Anna"], form(**{"pass": "yes"})).status_code == 303
    assert kept(db) == PLAN


def test_they_can_be_read_while_nothing_can_be_ordered(
    web: Any, link: dict[str, str], db: Database
) -> None:
    write_down(web, link["Anna"])
    lead.pause(db, "ackerwinde", "", clock.now())
    assert "Bert hortet" in words(web.get(link["Anna"]))
    lead.resume(db, "ackerwinde", "", clock.now())
    lead.abort(db, "ackerwinde", "", clock.now())
    assert "Bert hortet" in words(web.get(link["Anna"] + "/notes"))


# ---- for nobody else ----


def test_no_other_door_shows_them(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    write_down(web, link["Anna"])
    send(web, link["Anna"], form(**{"pass": "yes"}))
    close_due(db, Config(), SUNDAY)
    uli = sign_in(installation, db)
    for name in ("Anna", "Bert"):
        shown = {
            door
            for door, data in doors(installation, db, uli, "ackerwinde", name, (), ())
            if b"Feuerbohnen" in data
        }
        own = {link["Anna"] + end for end in ("", "?fill=nmr", "/data", "/notes")}
        assert shown == (own if name == "Anna" else set())


def test_another_seat_has_its_own(web: Any, link: dict[str, str], db: Database) -> None:
    write_down(web, link["Anna"])
    write_down(web, link["Bert"], "Anna never plows")
    assert (kept(db), kept(db, "Bert")) == (PLAN, "Anna never plows")


# ---- handed on to nobody ----


def replace(installation: Installation, db: Database) -> None:
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Anna",
        player="Dörte",
        address="doerte@example.org",
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )


def remove(installation: Installation, db: Database) -> None:
    seating.remove_seat(db, "ackerwinde", "Anna", "", clock.now())


def leave(installation: Installation, db: Database) -> None:
    seating.forget(db, seating.seat_named(db, "ackerwinde", "Anna"), clock.now())


def another_address(installation: Installation, db: Database) -> None:
    seating.change_address(
        db, installation.link_key, "ackerwinde", "Anna", "uli@example.org", clock.now()
    )


@pytest.mark.parametrize("act", [replace, remove, leave, another_address])
def test_who_has_the_seat_next_finds_none(
    web: Any, installation: Installation, link: dict[str, str], db: Database, act: Any
) -> None:
    write_down(web, link["Anna"])
    write_down(web, link["Bert"])
    act(installation, db)
    assert (kept(db), kept(db, "Bert")) == (None, PLAN)
    if act in (replace, another_address):
        assert "Bert hortet" not in words(web.get(path_of(installation, db) + "/notes"))


@pytest.mark.parametrize("act", [remove, leave])
def test_a_seat_that_is_gone_before_the_start_takes_them_along(
    web: Any, installation: Installation, db: Database, act: Any
) -> None:
    seat_game(installation)
    write_down(web, path_of(installation, db))
    act(installation, db)
    assert db.execute("SELECT count(*) FROM own_notes").fetchone() == (0,)


def test_a_player_who_moves_keeps_them_and_so_does_a_renewed_link(
    web: Any, installation: Installation, link: dict[str, str], db: Database
) -> None:
    write_down(web, link["Anna"])
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    assert web.get(link["Anna"] + "/notes").status_code == 404
    assert "Bert hortet" in words(web.get(path_of(installation, db) + "/notes"))
    joining.request_address(
        db, seating.seat_named(db, "ackerwinde", "Anna"), "anna@new.example.org", clock.now()
    )
    assert (
        take_seat(
            web,
            button(
                [text for kind, _, text in sent_mails(installation, db) if kind == "confirm"][-1]
            ),
        ).status_code
        == 303
    )
    assert "Bert hortet" in words(web.get(path_of(installation, db) + "/notes"))


def test_who_waited_while_the_seat_changed_hands_stores_nothing(
    web: Any, installation: Installation, link: dict[str, str], db: Database
) -> None:
    before = seating.seat_named(db, "ackerwinde", "Anna")
    replace(installation, db)
    with pytest.raises(Replaced):
        seating.save_own_notes(db, before, PLAN, 0, clock.now())
    assert kept(db) is None


def test_a_copy_has_them_and_a_restore_brings_them_back(
    web: Any, installation: Installation, link: dict[str, str], db: Database, tmp_path: Any
) -> None:
    write_down(web, link["Anna"])
    backup.make(db, tmp_path / "copy.db", clock.now())
    write_down(web, link["Anna"], "", seen(db))
    db.close()
    restore.restore(installation.database, installation.link_key, tmp_path / "copy.db", clock.now())
    with installation.connection() as restored:
        assert kept(restored) == PLAN
