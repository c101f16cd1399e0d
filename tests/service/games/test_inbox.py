"""What players write to their game masters stays at the desk until it was read, and comes by
mail to who wants it so.
"""

import json
from email import message_from_bytes, policy
from typing import Any

from gm import clock, store
from gm.deadline import rollback
from gm.games import create, inbox
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import accounts, joining, seating
from gm.service import close_due
from gm.store.db import Database
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import bohnenpost, desk_act, dump_of, seat_game, sent_mails, words
from tests.steps import press as send_desk


def write(db: Database, name: str, text: str) -> None:
    save_orders(
        db,
        store.games.existing(db, "ackerwinde"),
        seating.seat_named(db, "ackerwinde", name),
        "pass",
        to_gm=text,
    )


def test_words_stay_at_the_desk_until_they_were_read(
    uli: Any, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    write(db, "Anna", "I am late")
    write(db, "Bert", "<b>So am I</b>")
    desk = words(uli.get("/desk"))
    assert "I am late" in desk
    assert "&lt;b>So am I" in desk.replace("&gt;", ">")
    assert words(uli.get("/desk/game/ackerwinde")).count("unread") == 2
    frozen_time.shift(1)
    write(db, "Cem", "Came while you read")
    shown = str(clock.now() - 1)
    assert desk_act(uli, "read", ("until", shown)).status_code == 303
    assert [word.player for word in inbox.unread(db, ackerwinde)] == ["Cem"]
    assert "I am late" not in words(uli.get("/desk"))
    assert "I am late" in words(uli.get("/desk/game/ackerwinde"))  # it stays with the game
    assert desk_act(uli, "read", ("until", "1x")).status_code == 400


def test_changed_words_are_unread_again_and_the_same_words_are_not(
    ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    write(db, "Anna", "I am late")
    assert inbox.read(db, "ackerwinde", clock.now(), clock.now())
    assert not inbox.read(db, "ackerwinde", clock.now(), clock.now())
    frozen_time.shift(60)
    write(db, "Anna", "I am late")
    assert inbox.unread(db, ackerwinde) == []
    write(db, "Anna", "I am very late")
    assert [word.text for word in inbox.unread(db, ackerwinde)] == ["I am very late"]
    write(db, "Anna", "")
    assert inbox.words(db, ackerwinde) == []


def test_a_shell_shows_unread_words_and_marks_them_read(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    write(db, "Anna", "I am late\nbut I come")
    assert (
        "round 1, Anna: I am late"
        in bohnenpost("game", "show", "ackerwinde", home=installation.home).output
    )
    shown = json.loads(
        bohnenpost("game", "show", "ackerwinde", "--json", home=installation.home).output
    )
    assert [(word["seat"], word["text"]) for word in shown["words"]] == [
        ("Anna", "I am late\nbut I come")
    ]
    assert "but I come" in bohnenpost("game", "read", "ackerwinde", home=installation.home).output
    assert (
        bohnenpost("game", "read", "ackerwinde", home=installation.home).output
        == "no unread words\n"
    )
    assert (
        "I am late" not in bohnenpost("game", "show", "ackerwinde", home=installation.home).output
    )


def test_who_changes_words_without_end_fills_no_masters_mailbox(
    installation: Installation, ackerwinde: Game, db: Database, uli: Any, frozen_time: Any
) -> None:
    inbox.choose(db, "uli@example.org", ("words",))
    for number in range(30):
        write(db, "Anna", f"hello {number}")
        frozen_time.shift(10)
        assert len([1 for kind, *_ in sent_mails(installation, db) if kind == "words"]) == min(
            number + 1, 10
        )
    write(db, "Bert", "and I am late")
    assert len([1 for kind, *_ in sent_mails(installation, db) if kind == "words"]) == 11
    assert "hello 29" in words(uli.get("/desk"))
    frozen_time.shift(3600)
    write(db, "Anna", "once more")
    assert len([1 for kind, *_ in sent_mails(installation, db) if kind == "words"]) == 12


def test_words_of_a_predecessor_are_not_the_successors(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    inbox.choose(db, "uli@example.org", ("words",))
    write(db, "Bert", "I leave you")
    frozen_time.shift(60)
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Bert",
        player="Dörte",
        address="doerte@example.org",
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )
    assert [(word.player, word.text) for word in inbox.words(db, ackerwinde)] == [
        ("Bert", "I leave you")
    ]
    # a reply would go to Dörte
    assert not [to for kind, to, _ in sent_mails(installation, db) if kind == "words"]


def headers(installation: Installation, name: str) -> list[str]:
    found = [
        message_from_bytes(f.read_bytes(), policy=policy.default)
        for f in sorted(installation.mail_folder.glob("*.eml"))
    ]
    return [str(mail[name]) for mail in found if "uli@example.org" in mail["To"]]


def test_a_game_master_has_what_was_chosen_by_mail(
    uli: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation, players=("Anna", "Bert"))
    assert (
        send_desk(
            uli, "/desk/settings", ("words", "yes"), ("joined", "yes"), ("gm_report", "yes")
        ).status_code
        == 303
    )
    assert words(uli.get("/desk/settings?said=done")).count("✓ Saved.") == 1
    joining.request_seat(db, "ackerwinde", "Cem", "cem@example.org", "de", clock.now())
    asked = store.requests.joining(db, 1)
    assert asked is not None
    for _ in range(2):  # a button pressed twice
        joining.confirm_seat(db, installation.link_key, asked, clock.now())
    create.start_game(db, "ackerwinde", clock.now())
    write(db, "Anna", "I am late")
    write(db, "Anna", "I am very late")  # before the mail was written
    frozen_time.move_to(SUNDAY)
    close_due(db, installation.config, SUNDAY)
    told = [
        (kind, text) for kind, to, text in sent_mails(installation, db) if to == "uli@example.org"
    ]
    assert sorted(kind for kind, _ in told) == ["gm_report", "joined", "words"]
    texts = dict(told)
    assert "Cem (cem@example.org) has taken a seat in Ackerwinde." in texts["joined"]
    assert "I am very late" in texts["words"]
    assert "Report on round 1" in texts["gm_report"]
    assert "/z/" not in texts["gm_report"]
    assert all(f"{installation.config.base_url}/desk/settings" in text for text in texts.values())
    assert sorted(headers(installation, "Reply-To")) == [
        "Uli <uli@example.org>",
        "anna@ackerwinde.example.org",
        "cem@example.org",
    ]
    assert send_desk(uli, "/desk/settings").status_code == 303
    write(db, "Anna", "And again")
    assert len([to for _, to, _ in sent_mails(installation, db) if to == "uli@example.org"]) == 3


def test_a_round_that_is_taken_back_takes_its_waiting_report_along(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    inbox.choose(db, "uli@example.org", ("gm_report",))
    close_due(db, installation.config, SUNDAY)
    rollback.rollback(db, "ackerwinde", 1, "a letter", SUNDAY)
    reports = "SELECT count(*) FROM mail WHERE kind = 'gm_report' AND withdrawn_at IS NULL"
    assert db.execute(reports).fetchone() == (0,)


def test_a_shell_chooses_mails_too(installation: Installation, db: Database) -> None:
    bohnenpost("gm", "add", "uli@example.org", home=installation.home)
    assert (
        bohnenpost("gm", "mails", "uli@example.org", home=installation.home).output
        == "none of words, joined, reports\n"
    )
    assert (
        bohnenpost(
            "gm", "mails", "Uli@example.org", "--words", "--reports", home=installation.home
        ).output
        == "words, reports\n"
    )
    assert (
        bohnenpost("gm", "mails", "uli@example.org", "--no-words", home=installation.home).output
        == "reports\n"
    )
    assert (
        "No game master signs in with ola@example.org."
        in bohnenpost(
            "gm", "mails", "ola@example.org", "--words", home=installation.home, status=2
        ).output
    )


def test_who_is_forgotten_is_not_told_of_any_more(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    inbox.choose(db, "uli@example.org", ("words",))
    write(db, "Anna", "My phone is 0123")
    seating.forget(db, seating.seat_named(db, "ackerwinde", "Anna"), clock.now())
    assert not [to for kind, to, _ in sent_mails(installation, db) if kind == "words"]
    assert "My phone" not in "\n".join(dump_of(db))
