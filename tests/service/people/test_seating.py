"""Seats that change hands: who left opens and sends nothing any more, who steps in finds the
farm as it is.
"""

import re
from typing import Any

import pytest

from gm import clock, service, store
from gm.config import Config
from gm.deadline.closing import make_complete_due
from gm.deadline.reminders import remind
from gm.errors import Refusal
from gm.games import create
from gm.games.orders import Replaced, save_orders
from gm.games.reminding import remind_now
from gm.installation import Installation
from gm.people import joining, seating
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web.desk import summary
from gm.web.forms import read_form
from gm.web.player import settings
from rounds.engine.notation import Refused
from tests.dates import SUNDAY
from tests.steps import (
    dump_of,
    form,
    order,
    seat,
    seat_game,
    send,
    sent_mails,
    sign_in,
    start,
    words,
)


def replace(
    installation: Installation,
    db: Database,
    *,
    keep: bool,
    name: str = "Bert",
    address: str = "doerte@example.org",
) -> bool:
    return seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        name,
        player="Dörte",
        address=address,
        language="de",
        keep_orders=keep,
        reason="Bert moves house",
        now=clock.now(),
    )


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (
            "mail",
            {"html": "yes", "language": "en", "away_from": "2026-12-01", "away_to": "2026-12-24"},
        ),
        ("mail", {"html": "yes", "language": "en"}),
        ("data", {"confirm": "Bert"}),
    ],
)
def test_a_form_that_waited_while_the_seat_changed_hands_changes_nothing(
    installation: Installation,
    web: Any,
    link: dict[str, str],
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    fields: dict[str, str],
) -> None:
    """The link opened the seat when the form came; before it could be stored, somebody else
    played it.
    """

    def meanwhile(**more: Any) -> Any:
        monkeypatch.undo()
        replace(installation, db, keep=False)
        return read_form(**more)

    monkeypatch.setattr(settings, "read_form", meanwhile)
    answer = send(web, f"{link['Bert']}/{path}", [*fields.items(), ("whole", "yes")])
    assert answer.status_code == 404
    now = seat(db, "Bert")
    assert (now.player, now.address, now.away_from, now.lead_times) == (
        "Dörte",
        "doerte@example.org",
        None,
        (172800, 21600),
    )


def test_one_click_that_waited_while_the_seat_changed_hands_changes_nothing(
    installation: Installation,
    web: Any,
    link: dict[str, str],
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def meanwhile(*args: Any, **more: Any) -> Any:
        monkeypatch.undo()
        replace(installation, db, keep=False)
        return settings._unsubscribe_page(*args, **more)

    monkeypatch.setattr(settings, "_unsubscribe_page", meanwhile)
    stop = installation.path("unsubscribe", "ackerwinde", "Bert", seat(db, "Bert").link_number)
    assert send(web, f"{stop}/receipts", []).status_code == 404
    assert seat(db, "Bert").receipts == 1


def counting(db: Database) -> dict[int, str]:
    return {
        number: revision.orders
        for number, revision in store.lists.newest(db, "ackerwinde", 1).items()
    }


@pytest.mark.parametrize("keep", [True, False])
def test_a_successor_gets_farm_and_link_and_the_old_link_dies_at_once(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    keep: bool,
) -> None:
    order(db, "Bert", "1>A")
    assert replace(installation, db, keep=keep)
    assert web.get(link["Bert"]).status_code == 404
    assert send(web, link["Bert"], form(to_1_1="C")).status_code == 404
    assert counting(db) == ({2: "1>A"} if keep else {})
    new = seat(db, "Bert")
    assert (new.called, new.name, new.address) == ("Dörte", "Bert", "doerte@example.org")
    path = installation.path("seat", "ackerwinde", "Bert", new.link_number)
    assert web.get(path).status_code == 200
    (takeover,) = [text for kind, _, text in sent_mails(installation, db) if kind == "takeover"]
    assert path in takeover
    assert "Hallo Dörte" in takeover
    assert ("Fassung 1" in takeover) is keep
    public = words(web.get("/p/ackerwinde?lang=en"))
    assert "Dörte plays for Bert from now on. Reason: Bert moves house" in public
    assert not replace(installation, db, keep=keep)  # the same again changes nothing
    assert len(store.notes.of_round(db, "ackerwinde", 1)) == 1


def test_a_list_dropped_and_sent_again_counts(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    order(db, "Bert", "1>A")
    replace(installation, db, keep=False)
    order(db, "Bert", "1>A")
    assert counting(db) == {2: "1>A"}
    assert [r.number for r in store.lists.revisions(db, "ackerwinde", 1, 2)] == [2, 1]


def test_a_list_on_its_way_from_the_old_link_is_not_stored(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    before = seat(db, "Bert")
    replace(installation, db, keep=False)
    with pytest.raises(Replaced):
        save_orders(db, ackerwinde, before, "1>A")
    assert counting(db) == {}


def test_mails_that_wait_for_who_left_are_withdrawn(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    replace(installation, db, keep=False)
    sent = [
        (kind, to)
        for kind, to in db.execute(
            "SELECT kind, address FROM mail WHERE seat = 2 AND withdrawn_at IS NULL"
        )
    ]
    assert sent == [("takeover", "doerte@example.org")]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"address": "anna@ackerwinde.example.org"}, "address_taken"),
        ({"address": "nobody"}, "bad_address"),
        ({"name": "Dörte"}, "no_seat"),
    ],
)
def test_a_replacement_that_makes_no_sense_changes_nothing(
    installation: Installation, ackerwinde: Game, db: Database, changed: dict[str, str], code: str
) -> None:
    with pytest.raises(Refusal, match=code):
        replace(installation, db, keep=True, **changed)
    assert seat(db, "Bert").player is None


@pytest.mark.file
def test_a_seat_taken_away_is_played_by_the_stand_in_and_awaited_no_more(
    web: Any, installation: Installation, link: dict[str, str], db: Database
) -> None:
    order(db, "Bert", "1>A")
    order(db, "Anna", "1>A")
    order(db, "Cem", "pass")
    assert seating.remove_seat(db, "ackerwinde", "Bert", "no word since summer", clock.now())
    assert not seating.remove_seat(db, "ackerwinde", "Bert", "", clock.now())
    assert web.get(link["Bert"]).status_code == 404
    with db.conn:
        db.conn.execute("PRAGMA query_only=0")
        db.execute("UPDATE game SET early_after = 0")
    assert make_complete_due(db, clock.now())
    assert close_due(db, Config(), clock.now())
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.lists == {"Anna": "1>A", "Bert": None, "Cem": "pass"}
    assert {to for kind, to, _ in sent_mails(installation, db) if kind == "report"} == {
        "anna@ackerwinde.example.org",
        "cem@ackerwinde.example.org",
    }


def test_before_the_start_a_seat_taken_away_is_free_again(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    seating.remove_seat(db, "ackerwinde", "Anna", "", clock.now())
    create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Anna",
        address="a@example.org",
        language="de",
    )
    start(installation)
    assert [s.name for s in store.seats.of_game(db, "ackerwinde")] == ["Bert", "Cem", "Anna"]
    assert store.rounds.open_table(db, store.games.existing(db, "ackerwinde")).seats == (
        "Bert",
        "Cem",
        "Anna",
    )


def test_the_link_of_a_seat_that_was_given_up_stays_dead(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation)
    path = installation.path("seat", "ackerwinde", "Anna", 1)
    seating.remove_seat(db, "ackerwinde", "Anna", "", clock.now())
    again = create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Anna",
        address="other@example.org",
        language="de",
    )
    assert web.get(path).status_code == 404
    assert again.link_number == 2
    assert web.get(installation.path("seat", "ackerwinde", "Anna", 2)).status_code == 200


def test_mails_of_seats_given_up_are_nameless_and_their_numbers_never_used_again(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    joining.ask_who_is_there(db, "ackerwinde", clock.now())
    highest = db.execute("SELECT max(id) FROM mail").fetchone()[0]
    for name in ("Bert", "Cem"):
        seating.remove_seat(db, "ackerwinde", name, "", clock.now())
    rows = db.execute(
        "SELECT seat, address, withdrawn_at IS NOT NULL FROM mail WHERE kind = 'ready' ORDER BY id"
    ).fetchall()
    assert rows == [(1, "anna@ackerwinde.example.org", 0), (None, "", 1), (None, "", 1)]
    joining.say_ready(db, seat(db, "Anna"), clock.now())
    start(installation)
    # two were told
    assert db.execute("SELECT min(id) FROM mail WHERE kind = 'start'").fetchone()[0] == highest + 3


def test_a_successor_does_not_read_the_words_of_who_played_before(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    frozen_time: Any,
) -> None:
    send(web, link["Bert"], form(to_1_1="A", press="Goodbye all", note="My phone is 0211 555"))
    with write(db):
        db.execute("UPDATE seat SET reminder_leads = '[]' WHERE number = 2")
        db.execute("UPDATE mail SET failed_at = 1, error = '550' WHERE seat = 2 AND kind = 'start'")
    frozen_time.shift(60)
    replace(installation, db, keep=False)
    path = installation.path("seat", "ackerwinde", "Bert", 2)
    for page in (path, path + "/data"):
        text = web.get(page).get_data(as_text=True)
        for word in ("0211 555", "Goodbye all", "1&gt;A"):
            assert word not in text, page
    assert "My phone is 0211 555" in [word.to_gm for word in store.lists.press(db, "ackerwinde", 1)]
    assert seat(db, "Bert").lead_times == (172800, 21600)
    seating.change_address(
        db, installation.link_key, "ackerwinde", "Bert", "d@new.example.org", clock.now()
    )
    assert [kind for kind, to, _ in sent_mails(installation, db) if to == "d@new.example.org"] == [
        "takeover",
        "moved_here",
    ]


def test_mails_that_wait_when_a_link_is_renewed_carry_the_new_one(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    first = next(
        text
        for kind, to, text in sent_mails(installation, db)
        if kind == "start" and to.startswith("anna")
    )
    assert installation.url("seat", "ackerwinde", "Anna", 2) in first


def test_the_link_is_mailed_again_when_the_address_was_mended(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    assert seating.resend_link(db, "ackerwinde", "Anna", clock.now())
    sent_mails(installation, db)
    seating.change_address(
        db, installation.link_key, "ackerwinde", "Anna", "anna@new.example.org", clock.now()
    )
    assert seating.resend_link(db, "ackerwinde", "Anna", clock.now() + 1)
    assert not seating.resend_link(db, "ackerwinde", "Anna", clock.now() + 2)
    assert [to for kind, to, _ in sent_mails(installation, db) if kind == "link_again"][
        -1
    ] == "anna@new.example.org"


def test_a_window_of_an_hour_is_an_hour(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    frozen_time.shift(3600 - 30)
    assert seating.resend_link(db, "ackerwinde", "Anna", clock.now())
    frozen_time.shift(60)
    assert not seating.resend_link(db, "ackerwinde", "Anna", clock.now())


def test_the_same_list_typed_in_again_is_noted_once(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    for _ in range(3):
        service.enter_orders(db, "ackerwinde", "Bert", "1>A")
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] == ["by_gm"]


def test_who_wants_no_reminders_is_not_reminded_by_hand_either(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    with write(db):
        db.execute("UPDATE seat SET reminder_leads = '[]' WHERE number = 1")
    assert remind_now(db, "ackerwinde", clock.now()) == ["Bert", "Cem"]


def test_a_new_link_kills_the_old_one_and_the_same_link_comes_again(
    web: Any, installation: Installation, link: dict[str, str], db: Database
) -> None:
    seating.resend_link(db, "ackerwinde", "anna", clock.now())
    seating.resend_link(db, "ackerwinde", "anna", clock.now())
    assert web.get(link["Anna"]).status_code == 200
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    assert web.get(link["Anna"]).status_code == 404
    texts = [text for kind, _, text in sent_mails(installation, db) if kind in seating.LINKS]
    assert len(texts) == 2
    fresh = installation.url("seat", "ackerwinde", "Anna", 2)
    assert fresh in texts[1]
    assert web.get(fresh.removeprefix(installation.config.base_url)).status_code == 200


@pytest.mark.file
def test_another_address_gets_the_mails_that_were_refused(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    with db.conn:
        db.conn.execute("PRAGMA query_only=0")
        db.execute(
            "UPDATE mail SET written_at = 1, failed_at = 1, error = '550 unknown' WHERE seat = 1"
        )
    assert seating.change_address(
        db, installation.link_key, "ackerwinde", "Anna", "anna@new.example.org", clock.now()
    )
    assert not seating.change_address(
        db, installation.link_key, "ackerwinde", "Anna", "anna@new.example.org", clock.now()
    )
    assert ("start", "anna@new.example.org") in [
        (kind, to) for kind, to, _ in sent_mails(installation, db)
    ]
    with pytest.raises(Refusal, match="address_taken"):
        seating.change_address(
            db,
            installation.link_key,
            "ackerwinde",
            "Anna",
            "BERT@ackerwinde.example.org",
            clock.now(),
        )


def test_orders_that_came_by_letter_are_marked_in_receipt_and_report(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    send(web, link["Bert"], form(to_1_1="C", press="From the train"))
    service.enter_orders(db, "ackerwinde", "Bert", "1 A, 2")
    assert counting(db)[2].startswith("1>A 2>")
    receipts = [text for kind, _, text in sent_mails(installation, db) if kind == "receipt"]
    assert "The GM typed them in for you" not in receipts[0]
    assert "The GM typed them in for you" in receipts[1].replace("\n", " ")
    close_due(db, Config(), SUNDAY)
    report = next(
        text
        for kind, to, text in sent_mails(installation, db)
        if kind == "report" and to.startswith("bert")
    )
    assert "The GM typed in orders for Bert." in report
    assert "From the train" in report
    with pytest.raises(Refused):
        service.enter_orders(db, "ackerwinde", "Bert", "9>A")


def test_who_is_there_is_asked_and_the_game_begins_with_whom_its_master_likes(
    web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation)
    assert joining.ask_who_is_there(db, "ackerwinde", clock.now()) == ["Anna", "Bert", "Cem"]
    path = installation.path("seat", "ackerwinde", "Anna", 1)
    assert "Bist du da?" in words(web.get(path))
    # a scanner that presses every button
    assert send(web, path + "/ready", [("whole", "yes")]).status_code == 422
    assert seat(db, "Anna").ready_at is None
    send(web, path + "/ready", [("ready", "yes"), ("whole", "yes")])
    assert "Du hast gesagt, dass du da bist." in words(web.get(path))
    joining.ask_who_is_there(db, "ackerwinde", clock.now())
    frozen_time.shift(13 * 3600)
    assert joining.ask_who_is_there(db, "ackerwinde", clock.now()) == ["Bert", "Cem"]
    assert sorted(to[:4] for kind, to, _ in sent_mails(installation, db) if kind == "ready") == [
        "anna",
        "bert",
        "bert",
        "cem@",
        "cem@",
    ]
    page = words(sign_in(installation, db).get("/desk/game/ackerwinde"))
    assert "No answer yet: Bert, Cem. They play unless you take their seats away before." in page
    seating.remove_seat(db, "ackerwinde", "Bert", "no answer", clock.now())
    create.start_game(db, "ackerwinde", clock.now())
    assert [s.name for s in store.seats.of_game(db, "ackerwinde")] == ["Anna", "Cem"]
    assert [
        "no answer" in text for kind, to, text in sent_mails(installation, db) if kind == "lost"
    ] == [True]


def test_a_game_is_not_started_without_people(installation: Installation, db: Database) -> None:
    seat_game(installation, players=())
    create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Rosa",
        address=None,
        language="de",
        robot=True,
    )
    with pytest.raises(Refusal, match="too_few"):
        create.start_game(db, "ackerwinde", clock.now())


def test_reminding_by_hand_reaches_the_missing_once_and_takes_no_other_reminder_away(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    order(db, "Anna", "pass")
    mailed = [remind_now(db, "ackerwinde", clock.now()) for _ in range(6)]
    assert mailed == [["Bert", "Cem"], *[[]] * 5]
    assert [to[:4] for (to,) in db.execute("SELECT address FROM mail WHERE kind = 'reminder'")] == [
        "bert",
        "cem@",
    ]
    frozen_time.move_to(SUNDAY - 6 * 3600)
    assert remind(db, clock.now())
    frozen_time.move_to(SUNDAY - 2 * 3600 - 300)
    with write(db):
        db.execute("UPDATE seat SET reminder_leads = '[7200]'")
    assert remind_now(db, "ackerwinde", clock.now()) == ["Bert", "Cem"]
    frozen_time.shift(300)
    assert not remind(db, clock.now())  # five minutes after one by hand


@pytest.mark.parametrize(
    "days",
    [
        ("2026-12-24", ""),
        ("", "2026-12-24"),
        ("2026-12-24", "2026-12-23"),
        ("soon", "later"),
        ("2026-13-01", "2026-13-02"),
    ],
)
def test_an_absence_that_is_none_is_refused(
    ackerwinde: Game, db: Database, days: tuple[str, str]
) -> None:
    with pytest.raises(Refusal, match="bad_absence"):
        seating.set_absence(db, seat(db, "Anna"), *days)
    seating.set_absence(db, seat(db, "Anna"), "2026-12-24", "2026-12-24")
    seating.set_absence(db, seat(db, "Anna"), "", "")
    assert seat(db, "Anna").away_from is None


def test_a_player_sees_what_is_stored_and_leaves(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"], form(to_1_1="A", press="Moin", note="My phone is 0211 555"))
    page = words(web.get(link["Anna"] + "/data?lang=en"))
    for stored in ("anna@ackerwinde.example.org", "1&gt;A", "Moin", "My phone is 0211 555"):
        assert stored in page
    assert (
        send(web, link["Anna"] + "/data", [("confirm", "Bert"), ("whole", "yes")]).status_code
        == 422
    )
    assert seat(db, "Anna").address
    assert (
        send(web, link["Anna"] + "/data", [("confirm", "anna"), ("whole", "yes")]).status_code
        == 200
    )
    assert web.get(link["Anna"]).status_code == 404
    sent_mails(installation, db)
    everything = "\n".join(dump_of(db))
    assert "anna@ackerwinde.example.org" not in everything
    assert "My phone" not in everything
    close_due(db, Config(), SUNDAY)
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.lists["Anna"] is None


@pytest.mark.parametrize("begun", [True, False])
def test_who_leaves_is_told_by_a_last_mail_for_it_may_have_been_somebody_else(
    web: Any, installation: Installation, db: Database, *, begun: bool
) -> None:
    seat_game(installation)
    if begun:
        start(installation)
        sent_mails(installation, db)
    path = installation.path("seat", "ackerwinde", "Anna", seat(db, "Anna").link_number)
    send(web, f"{path}/data", [("confirm", "Anna"), ("whole", "yes")])
    ((address, text),) = [
        (address, text) for kind, address, text in sent_mails(installation, db) if kind == "left"
    ]
    assert "Warst du das nicht" in " ".join(text.split())
    (file,) = installation.mail_folder.glob("*-left-*.eml")
    assert b"To: anna@ackerwinde.example.org" in file.read_bytes()
    assert address == ""
    assert "anna@ackerwinde.example.org" not in "\n".join(dump_of(db))


def test_a_successor_inherits_no_rounds_and_no_nmrs(
    web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation, rounds=3)
    start(installation)
    joining.stand_by(db, "doerte@example.org", "Dörte", "de", clock.now())
    joining.stand_by(db, "doerte@example.org", "Dörte", "de", clock.now(), "uli@example.org")
    joining.stand_by(db, "doerte@example.org", "Dörte", "de", clock.now(), "ola@example.org")
    while (game := store.games.existing(db, "ackerwinde")).is_open:
        if game.round == 2:
            replace(installation, db, keep=False)
        if game.round >= 2:
            order(db, "Bert", "pass")
        frozen_time.move_to(game.deadline)
        close_due(db, Config(), clock.now())
    (line,) = [line for line in summary.seat_lines(db, game) if line.seat.name == "Bert"]
    assert (line.nmrs, line.row, line.record) == (0, 0, summary.Reliability(2, 0))
    table = words(web.get("/table?lang=en"))
    assert re.search(r"Dörte 1 \d [\d.]+ 0 of 2", table)
    assert not re.search(r"Bert 1 \d [\d.]+ \d of", table)
    assert "1 missed" in table  # what the seat itself went through
    # of no master of this game
    assert [row["gm"] for row in db.query("SELECT gm FROM standby")] == ["ola@example.org"]


# ---- two people at a table have two names ----


def by(
    installation: Installation,
    db: Database,
    seat_name: str,
    player: str,
    address: str,
    reason: str = "",
) -> bool:
    return seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        seat_name,
        player=player,
        address=address,
        language="en",
        keep_orders=True,
        reason=reason,
        now=clock.now(),
    )


@pytest.mark.parametrize("player", ["Bert", "bert", "BERT", "Zoe", "zoë", "Bєrt"])
def test_nobody_steps_in_under_the_name_of_another_seat_or_its_player(
    installation: Installation, db: Database, ackerwinde: Game, player: str
) -> None:
    by(installation, db, "Bert", "Zoe", "zoe@example.org")
    with pytest.raises(Refusal, match="name_"):
        by(installation, db, "Cem", player, "b@example.org")
    assert seat(db, "Cem").called == "Cem"


def test_who_steps_in_may_bear_the_name_of_the_seat_itself(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    assert by(installation, db, "Bert", "Bert", "other-bert@example.org")
    assert by(installation, db, "Bert", "Zoe", "zoe@example.org")
    assert by(installation, db, "Bert", "Zoe", "another-zoe@example.org")


def test_a_seat_before_the_start_is_refused_to_the_name_of_who_stepped_in(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    by(installation, db, "Bert", "Zoe", "zoe@example.org")
    with pytest.raises(Refusal, match="name_taken"):
        create.add_seat(
            db,
            installation.link_key,
            game="ackerwinde",
            name="Zoe",
            address="z@example.org",
            language="en",
        )


def test_people_keep_their_names_in_a_return_match(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, rounds=1)
    start(installation)
    by(installation, db, "Bert", "Zoe", "zoe@example.org")
    close_due(db, Config(), SUNDAY)
    create.play_again(
        db, installation.link_key, "ackerwinde", "ackerwinde-2", "Ackerwinde 2", SUNDAY
    )
    assert [(one.name, one.called) for one in store.seats.of_game(db, "ackerwinde-2")] == [
        ("Anna", "Anna"),
        ("Zoe", "Zoe"),
        ("Cem", "Cem"),
    ]
    assert [
        text[:10]
        for kind, to, text in sent_mails(installation, db)
        if (kind, to) == ("welcome", "zoe@example.org")
    ] == ["Hello Zoe,"]


# ---- a mail that is written after its round was closed ----


def test_who_steps_in_just_before_the_deadline_is_told_the_round_that_is_open_now(
    installation: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY - 120)
    replace(installation, db, keep=True)
    close_due(db, Config(), SUNDAY)
    (told,) = [
        " ".join(text.split())
        for kind, _, text in sent_mails(installation, db)
        if kind == "takeover"
    ]
    assert "in der Partie Ackerwinde." in told
    assert "So., 29. November 2026, 20:00" in told
    assert "Es gibt noch keinen Zug." in told


def test_who_steps_in_just_before_the_end_is_told_that_the_game_is_over(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation, rounds=1)
    start(installation)
    frozen_time.move_to(SUNDAY - 120)
    replace(installation, db, keep=True)
    close_due(db, Config(), SUNDAY)
    (told,) = [
        " ".join(text.split())
        for kind, _, text in sent_mails(installation, db)
        if kind == "takeover"
    ]
    assert "keinen Abgabetermin" not in told
    assert "Die Partie ist inzwischen zu Ende." in told


def test_a_receipt_that_is_written_after_the_close_promises_no_change(
    installation: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    save_orders(db, ackerwinde, seat(db, "Bert"), "1>A")
    save_orders(db, ackerwinde, seat(db, "Bert"), "pass")  # the report tells of this one
    frozen_time.move_to(SUNDAY)
    close_due(db, Config(), SUNDAY)
    (told,) = [
        " ".join(text.split())
        for kind, _, text in sent_mails(installation, db)
        if kind == "receipt"
    ]
    assert "your orders are in (Ackerwinde, round 1)" in told
    assert "You can change them" not in told
