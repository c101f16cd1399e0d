"""What is queued, once for each reader, and nothing of where its letter will be written."""

import re

from gm import store
from gm.games import inbox
from gm.installation import Installation
from gm.mail import queue, to_followers, to_masters, to_players
from gm.mail.kinds import FOLLOWER, KINDS, MASTER, PLAYER
from gm.mail.queue import Recipient
from gm.people import accounts
from gm.service import tick_mail
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import stored_mails, write_all

HOUR = 3600


def queued(db: Database, kind: str) -> list[str]:
    """The addresses that mails of a kind were queued for."""
    return [mail.address for mail in stored_mails(db) if mail.kind == kind]


def test_a_mail_is_queued_once_for_each_reader_who_has_an_address(
    db: Database, ackerwinde: Game
) -> None:
    anna, nobody = store.seats.of_game(db, ackerwinde.id)[0], Recipient("", "en")
    for _ in range(2):
        with write(db):
            queue.put(db, ackerwinde.id, 1, queue.Event(kind="ready"), [anna, nobody], SUNDAY)
    assert queued(db, "ready") == [anna.address]


def test_what_is_queued_ends_before_the_domain_and_no_two_are_alike(
    db: Database, ackerwinde: Game
) -> None:
    found = [mail.message_id for mail in stored_mails(db)]
    assert all(re.fullmatch(r"start\.0\.ackerwinde\.[0-9a-f]{16}", left) for left in found)
    assert len(set(found)) == len(found) == 3


def test_who_leads_a_game_has_an_alarm_once_an_hour(db: Database, ackerwinde: Game) -> None:
    on_the_hour = SUNDAY - SUNDAY % HOUR
    for at in (on_the_hour, on_the_hour + HOUR - 1, on_the_hour + HOUR):
        with write(db):
            queue.put_alarm(db, ackerwinde.id, 1, at)
    assert queued(db, "alarm") == ["uli@example.org"] * 2


def test_words_that_wait_to_be_written_are_not_queued_again(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    def say(seat: int, at: int) -> None:
        with write(db):
            said = queue.Event(kind="words", about=seat, mark=at)
            queue.put_for_masters(db, ackerwinde.id, 1, said, at)

    accounts.add_gm(db, "uli@example.org", "Uli", "en", SUNDAY)
    inbox.choose(db, "uli@example.org", ("words",))
    for at in range(SUNDAY, SUNDAY + 3):
        say(1, at)
    say(2, SUNDAY)
    assert len(queued(db, "words")) == 2
    write_all(db, installation)
    say(1, SUNDAY + 3)
    assert len(queued(db, "words")) == 3


def test_a_mail_counts_as_sent_lately_for_the_seat_as_it_is_now(
    db: Database, ackerwinde: Game
) -> None:
    anna = store.seats.of_game(db, ackerwinde.id)[0]
    with write(db):
        queue.put(db, ackerwinde.id, 0, queue.Event(kind="link"), [anna], SUNDAY)
    assert queue.was_sent_lately(db, anna, SUNDAY - 1, "link", "link_new")
    assert not queue.was_sent_lately(db, anna, SUNDAY - 1, "ready")
    assert not queue.was_sent_lately(db, anna, SUNDAY, "link")
    with write(db):
        store.seats.update(db, ackerwinde.id, anna.number, {"link_number": anna.link_number + 1})
    assert not queue.was_sent_lately(
        db, store.seats.numbered(db, ackerwinde.id, anna.number), SUNDAY - 1, "link"
    )


def test_a_kind_of_mail_is_for_players_or_for_game_masters(db: Database, ackerwinde: Game) -> None:
    for writers, to in (
        (to_players.WRITERS, PLAYER),
        (to_masters.WRITERS, MASTER),
        (to_followers.WRITERS, FOLLOWER),
    ):
        assert writers.keys() == {
            name for name, kind in KINDS.items() if kind.to == to and name != "several"
        }
    assert {mail.kind for mail in stored_mails(db)} <= KINDS.keys()


def test_mails_about_no_game_go_out_where_there_is_none(
    db: Database, installation: Installation
) -> None:
    accounts.add_gm(db, "uli@example.org", "Uli", "en", SUNDAY)
    ida = Recipient("ida@example.org", "en")
    with write(db):
        row = {"game": None, "address": ida.address, "language": "en", "at": SUNDAY}
        number = store.requests.add_follower(db, row)
        queue.put(db, None, 0, queue.Event(kind="follow", about=number), [ida], SUNDAY)
        uli = Recipient("uli@example.org", "en")
        queue.put(db, None, 0, queue.Event(kind="sign_in"), [uli], SUNDAY)
        queue.put(db, None, 0, queue.Event(kind="my_games"), [ida], SUNDAY)
    tick_mail(installation, SUNDAY)
    assert [bool(mail.sent_at) for mail in stored_mails(db)] == [True] * 3
    assert sorted(file.name for file in installation.mail_folder.iterdir()) == [
        "000001-follow-seatNone.eml",
        "000002-sign_in-seatNone.eml",
        "000003-my_games-seatNone.eml",
    ]


def test_a_mail_is_not_written_before_its_time(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    tick_mail(installation, SUNDAY)
    anna = store.seats.of_game(db, ackerwinde.id)[0]
    with write(db):
        queue.put(db, ackerwinde.id, 1, queue.Event(kind="ready"), [anna], SUNDAY)
        db.execute("UPDATE mail SET not_before = ? WHERE kind = 'ready'", [SUNDAY + HOUR])
    tick_mail(installation, SUNDAY + HOUR - 1)
    assert store.mails.due(db, SUNDAY + HOUR - 1) == 0
    assert store.mails.next_due_at(db) == SUNDAY + HOUR
    assert [mail.written_at for mail in stored_mails(db, "kind = 'ready'")] == [None]
    tick_mail(installation, SUNDAY + HOUR)
    assert [mail.sent_at for mail in stored_mails(db, "kind = 'ready'")] == [SUNDAY + HOUR]


def test_a_written_mail_without_its_bytes_is_written_again(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    write_all(db, installation)
    with write(db):
        db.execute("DELETE FROM mail_bytes WHERE mail = 1")
    for _ in range(2):
        tick_mail(installation, SUNDAY)
    assert [bool(mail.sent_at) for mail in stored_mails(db)] == [True] * 3
    assert all(file.read_bytes() for file in installation.mail_folder.iterdir())
