"""A game master's year: a weekly, a fortnightly and a by-hand game, pauses, holidays,
corrections, early closings, two days with no mail server. No deadline moves by more than the act
needed, nobody is without the mail that concerns them.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from email import message_from_bytes
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gm import store
from gm.calendar import Rule
from gm.deadline.rollback import rollback
from gm.games import changes, create, lead
from gm.games.changes import Wish
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.service import tick
from gm.store.db import Database, select
from gm.store.games import Game
from gm.store.mails import Mail
from gm.store.notes import Note
from tests import invariants
from tests.postbox import Postbox
from tests.steps import file_of, with_server

HOUR, DAY = 3600, 86400
BERLIN = ZoneInfo("Europe/Berlin")
DEAD = ("2027-02-06", "2027-02-08")
"""Without a mail server, over a deadline."""
NEWS = ("deadline", "paused", "resumed", "rollback", "again", "outage", "restored")
"""The notes everybody is mailed about; a change where it moves something."""


def at(day: str, clock: str = "12:00") -> int:
    """An instant on the wall in Berlin."""
    return int(datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=BERLIN).timestamp())


def is_dead(now: int) -> bool:
    """Whether the mail server does not answer."""
    return at(DEAD[0]) <= now < at(DEAD[1])


def rule(weeks: int, *days: int) -> Rule:
    return Rule(days, time(20), "Europe/Berlin", weeks, date(2026, 11, 16), shortest=24)


class Year:
    """The games, their people, and what the game master does on which day. Anna orders, Bert
    passes, Cem is absent at times.
    """

    def __init__(
        self, installation: Installation, dead: Installation, db: Database, frozen_time: Any
    ) -> None:
        self.house, self.dead, self.db, self.hour = installation, dead, db, frozen_time
        self.now = at("2026-11-20")
        self.all_in: set[tuple[str, int]] = set()

    def begin(self, name: str, calendar: Rule, **more: Any) -> None:
        create.new_game(
            self.db,
            game=name,
            name=name.capitalize(),
            variant="postal",
            house_rules={"rounds": 12},
            gm=("Uli", "uli@example.org"),
            rule=calendar,
            now=self.now,
            **more,
        )
        create.open_game(self.db, name)
        for player in ("Anna", "Bert", "Cem"):
            address = f"{player.lower()}@{name}.example.org"
            create.add_seat(
                self.db, self.house.link_key, game=name, name=player, address=address, language="en"
            )
        create.start_game(self.db, name, self.now)

    def go(self, until: int) -> None:
        """Day after day, with a look at every deadline on the second."""
        while self.now < until:
            due = [
                game.deadline
                for game in store.games.all_games(self.db)
                if game.is_open and game.deadline and game.deadline > self.now
            ]
            self.now = min([until, self.now + DAY, *due])
            self.hour.move_to(self.now)
            self.people()
            self.tick()

    def tick(self) -> None:
        tick(self.dead if is_dead(self.now) else self.house, self.now)

    def people(self) -> None:
        for game in store.games.all_games(self.db):
            for seat in store.seats.of_game(self.db, game.id):
                awaited = game.is_open and (game.deadline is None or self.now < game.deadline)
                comes = seat.name != "Cem" or (game.id, game.round) in self.all_in
                if (
                    awaited
                    and comes
                    and seat.number not in store.lists.newest(self.db, game.id, game.round)
                ):
                    save_orders(self.db, game, seat, "pass")

    def deadlines(self) -> dict[str, int | None]:
        return {game.id: game.deadline for game in store.games.all_games(self.db)}

    def game(self, name: str) -> Game:
        return store.games.existing(self.db, name)


@pytest.fixture
def year(
    installation: Installation, postbox: tuple[Postbox, int], frozen_time: Any
) -> Iterator[Year]:
    """The three games on their first day."""
    mailing, dead = with_server(installation, postbox[1]), with_server(installation, 1)
    with mailing.connection() as db:
        found = Year(mailing, dead, db, frozen_time)
        frozen_time.move_to(found.now)
        found.begin("weekly", rule(1, 6))
        found.begin("fortnightly", rule(2, 6), early_after=6 * HOUR)
        found.begin("byhand", rule(1))
        yield found


def play(year: Year) -> None:
    """What is done in which week, with the deadline each act needs and no more."""
    year.go(at("2026-11-20", "12:30"))
    assert year.deadlines() == {
        "weekly": at("2026-11-22", "20:00"),
        "fortnightly": at("2026-11-22", "20:00"),
        "byhand": None,
    }

    # a pause of an hour, and one over a weekend: the one keeps the deadline, the other moves it by
    # one week
    year.go(at("2026-11-24"))
    before = year.deadlines()
    for name in before:
        lead.pause(year.db, name, "a slip", year.now)
        lead.resume(year.db, name, "a slip", year.now + 60)
    assert year.deadlines() == before
    lead.pause(year.db, "weekly", "moving house", at("2026-11-27"))
    year.go(at("2026-11-30"))
    lead.resume(year.db, "weekly", "moved", year.now)
    assert year.deadlines() == before | {"weekly": at("2026-12-06", "20:00")}

    # a correction of both calendars' last round the evening after: the next deadlines stay
    year.go(at("2026-12-07"))
    before = year.deadlines()
    for name in ("weekly", "fortnightly"):
        assert rollback(
            year.db, name, year.game(name).round - 1, "a letter lay in the wrong box", year.now
        )
        assert year.game(name).deadline == at("2026-12-08", "20:00")
    year.go(at("2026-12-09"))
    assert (
        year.deadlines()
        == before
        == {
            "weekly": at("2026-12-13", "20:00"),
            "fortnightly": at("2026-12-20", "20:00"),
            "byhand": None,
        }
    )

    # holidays: only deadlines on these days move, by one of their calendar
    wish = Wish(more_left_out=(date(2026, 12, 20), date(2026, 12, 27)))
    assert changes.change(year.db, ["weekly", "fortnightly"], wish, "Christmas", year.now) == [
        "weekly",
        "fortnightly",
    ]
    assert year.deadlines() == before | {"fortnightly": at("2027-01-03", "20:00")}
    year.go(at("2026-12-14"))
    assert year.game("weekly").deadline == at("2027-01-03", "20:00")

    # an extension, and its undoing
    year.go(at("2027-01-05"))
    before = year.deadlines()
    lead.extend(year.db, "weekly", at("2027-01-16", "20:00"), "flu", year.now)
    lead.extend(year.db, "weekly", at("2027-01-10", "20:00"), "well again", year.now)
    assert year.deadlines() == before

    # early closings, by itself and by hand: the next round ends where this one would have
    year.all_in = {("fortnightly", year.game("fortnightly").round)}
    number, promised = year.game("fortnightly").round, year.game("fortnightly").deadline
    year.go(at("2027-01-08"))
    assert (year.game("fortnightly").round, year.game("fortnightly").deadline) == (
        number + 1,
        promised,
    )
    number, promised = year.game("weekly").round, year.game("weekly").deadline
    lead.run_now(year.db, "weekly", number, "all agree", year.now)
    year.tick()
    assert (year.game("weekly").round, year.game("weekly").deadline) == (number + 1, promised)

    # by hand a round is closed every four weeks, and is never given a deadline
    for _ in range(12):
        year.go(year.now + 28 * DAY)
        if year.game("byhand").status == "running":
            lead.run_now(year.db, "byhand", year.game("byhand").round, "", year.now)
            year.tick()
            assert year.game("byhand").deadline is None
    year.go(at("2027-11-20"))


def check_deadlines(db: Database) -> None:
    """Every round ended at a deadline of its calendar, or at one that an act gave it and told."""
    for game in store.games.all_games(db):
        assert (game.status, game.error) == (
            "finished" if game.id != "byhand" or game.round > 12 else game.status,
            None,
        )
        for closed in store.rounds.closed(db, game.id)[1:]:
            notes = store.notes.of_this_play(db, game.id, closed.number)
            told = {
                note.new for note in store.notes.of_round(db, game.id, closed.number) if note.new
            } | {note.new for note in notes}
            assert closed.deadline is not None
            wall = datetime.fromtimestamp(closed.deadline, UTC).astimezone(BERLIN)
            of_calendar = game.id != "byhand" and (wall.weekday(), wall.time()) == (6, time(20))
            assert closed.deadline in told or (
                of_calendar and wall.date() not in game.schedule.left_out
            )


def check_mail(db: Database, box: Postbox) -> None:
    """Each player had each report and each piece of news once, and a reminder of each round that
    came without their list.
    """
    got = Counter(message_from_bytes(data)["Message-ID"] for _, data in box.mails)
    assert set(got.values()) == {1}
    mails = select(db, Mail, "SELECT * FROM mail")
    lost = [mail for mail in mails if mail.message_id not in got]
    assert all(mail.withdrawn_at for mail in lost)
    late = [mail for mail in lost if mail.kind == "reminder" and is_dead(mail.deadline or 0)]
    assert late  # it could not go out before its deadline, and is not sent after it
    had = {(mail.game, mail.kind, mail.round, mail.seat) for mail in mails if mail.sent_at} | {
        (mail.game, mail.kind, mail.round, mail.seat) for mail in late
    }
    for game in store.games.all_games(db):
        for closed in store.rounds.closed(db, game.id):
            for seat in store.seats.of_game(db, game.id):
                assert any(
                    (game.id, kind, closed.number, seat.number) in had
                    for kind in ("start", "report", "final")
                )
                notes = store.notes.of_round(db, game.id, closed.number)
                if (
                    closed.number
                    and closed.lists[seat.name] is None
                    and game.id != "byhand"
                    and not notes
                ):
                    assert (game.id, "reminder", closed.number, seat.number) in had
            for note in store.notes.of_round(db, game.id, closed.number):
                check_news(note, mails)


def check_news(note: Note, mails: list[Mail]) -> None:
    """Everybody heard of what concerns them; of a round played again by its new report, or by a
    word that it is the same.
    """
    told = {
        mail.seat
        for mail in mails
        if mail.kind == "news" and mail.about == note.id and mail.sent_at
    }
    if note.kind == "again":
        mine = [
            mail
            for mail in mails
            if (mail.game, mail.kind, mail.round) == (note.game, "report", note.old)
        ]
        told |= {mail.seat for mail in mine if mail.about != 1 and mail.sent_at}
    moves = note.kind in NEWS or (note.kind == "changed" and "rule" in note.changes)
    assert told == ({1, 2, 3} if moves else set()), (note.game, note.kind, told)


@pytest.mark.long
def test_a_game_masters_year(year: Year, postbox: tuple[Postbox, int]) -> None:
    play(year)
    check_deadlines(year.db)
    check_mail(year.db, postbox[0])
    kinds = Counter(
        note.kind
        for game in store.games.all_games(year.db)
        for n in range(14)
        for note in store.notes.of_round(year.db, game.id, n)
    )
    assert (
        min(
            kinds[kind]
            for kind in ("paused", "resumed", "rollback", "again", "changed", "deadline", "early")
        )
        > 0
    ), kinds
    invariants.check(file_of(year.house))
