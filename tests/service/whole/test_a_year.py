"""A year of fifty games in simulated time: outages, extensions, pauses, early closings, clock
changes, forgetful players.
"""

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gm import clock, store
from gm.calendar import Rule
from gm.games import create, lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.service import tick_rounds
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.mails import Leased
from gm.store.rounds import ClosedRound
from tests import invariants
from tests.postbox import send_due
from tests.steps import file_of

TICK, DAY, HOUR = 3 * 3600, 86400, 3600
PLAYERS = ("Anna", "Bert")
BEGIN = int(datetime(2026, 11, 20, tzinfo=UTC).timestamp())
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Europe/London",
    "Pacific/Auckland",
)


class Year:
    """Players, game masters, mail and weather of one year; every mail that goes out is judged at
    that moment.
    """

    def __init__(self, installation: Installation, db: Database, frozen_time: Any) -> None:
        self.house, self.db, self.hour, self.rng = installation, db, frozen_time, Random(2026)
        self.now, self.down_until = BEGIN, 0
        self.up: list[int] = []
        self.reminded: Counter[tuple[Any, ...]] = Counter()
        self.kinds: Counter[str] = Counter()

    def open_games(self) -> None:
        for number in range(50):
            zone = ZONES[number % len(ZONES)]
            rule = Rule(
                (number % 7,),
                time(20 - number % 5, 30),
                zone,
                1 + number % 4,
                date(2026, 11, 16),
                shortest=24 * (number % 3),
            )
            name = f"game-{number}"
            create.new_game(
                self.db,
                game=name,
                name=name.capitalize(),
                variant="postal",
                house_rules={"rounds": 12},
                gm=("Uli", "uli@example.org"),
                rule=rule,
                now=self.now,
                early_after=6 * HOUR if number % 5 == 0 else None,
            )
            create.open_game(self.db, name)
            for player in PLAYERS:
                address = f"{player}-{number}@example.org"
                create.add_seat(
                    self.db,
                    self.house.link_key,
                    game=name,
                    name=player,
                    address=address,
                    language="de",
                )
            create.start_game(self.db, name, self.now)

    def tick(self) -> None:
        self.now += TICK
        self.hour.move_to(self.now)
        if self.now < self.down_until:
            return
        if self.rng.random() < 0.004:
            self.down_until = self.now + self.rng.choice([2, 9, 30, 80]) * HOUR
            self.kinds["outage"] += 1
            return
        self._beat(since=max(self.now - TICK, self.down_until))
        self.up.append(self.now)
        for game in store.games.all_games(self.db):
            self._people(game)
        tick_rounds(self.house, self.now)
        with write(self.db):
            self.db.execute(
                "INSERT INTO mail_bytes SELECT id, x'00' FROM mail WHERE written_at IS NULL"
            )
            self.db.execute(
                "UPDATE mail SET written_at = ?, digest = '0' WHERE written_at IS NULL", [self.now]
            )
        while send_due(self.db, self, self.now):
            pass

    def send(self, mail: Leased) -> None:
        """A transport that looks at every reminder as its player would."""
        self.kinds[mail.kind] += 1
        if mail.kind != "reminder":
            return
        assert mail.game is not None
        assert mail.deadline is not None
        game = store.games.existing(self.db, mail.game)
        assert (game.status, game.round, game.deadline) == ("running", mail.round, mail.deadline)
        assert self.now < mail.deadline
        assert mail.seat not in store.lists.newest(self.db, mail.game, mail.round)
        self.reminded[mail.game, mail.seat, mail.deadline, mail.lead] += 1

    def _people(self, game: Game) -> None:
        if game.status == "paused" and self.rng.random() < 0.05:
            lead.resume(self.db, game.id, "", self.now)
        if not game.is_open or game.deadline is None or self.now >= game.deadline:
            return
        if self.rng.random() < 0.002:
            lead.extend(
                self.db, game.id, game.deadline + self.rng.randint(1, 3) * DAY, "", self.now
            )
            self.kinds["extension"] += 1
        elif self.rng.random() < 0.001:
            lead.pause(self.db, game.id, "", self.now)
            self.kinds["pause"] += 1
            return
        for number in range(len(PLAYERS)):
            # drawn first: most send nothing, and their seats need not be read
            if self.rng.random() < 0.015:
                save_orders(
                    self.db,
                    store.games.existing(self.db, game.id),
                    store.seats.of_game(self.db, game.id)[number],
                    "pass",
                )

    def _beat(self, since: int) -> None:
        with write(self.db):
            beats = [{"at": at} for at in range(since, self.now + 1, 60)]
            store.db.insert(self.db, "beat", beats, unless="at")
            self.db.execute("DELETE FROM beat WHERE at < ?", [self.now - 2 * DAY])

    def check(self) -> None:
        """Each round closed exactly once, at the first tick after the instant that was announced
        last.
        """
        rounds = 0
        for game in store.games.all_games(self.db):
            assert game.error is None
            closed = store.rounds.closed(self.db, game.id)
            assert [c.number for c in closed] == list(range(game.round))
            began = BEGIN
            for this in closed[1:]:
                rounds += 1
                notes = store.notes.of_round(self.db, game.id, this.number)
                moved = [
                    note.new
                    for note in notes
                    if note.kind in ("deadline", "outage", "early", "resumed") and note.new
                ]
                assert this.deadline is not None
                assert not moved or this.deadline == moved[-1]
                if not moved:
                    wall = datetime.fromtimestamp(this.deadline, ZoneInfo(game.schedule.zone))
                    assert (wall.time(), wall.weekday()) == (
                        game.schedule.at,
                        game.schedule.weekdays[0],
                    )
                    assert this.deadline - began >= game.schedule.shortest * HOUR
                assert this.closed_at == next(at for at in self.up if at >= this.deadline)
                self._check_reminders(game, this, began, moved)
                began = this.closed_at
        assert rounds > 400
        assert set(self.reminded.values()) == {1}

    def _check_reminders(self, game: Game, this: ClosedRound, began: int, moved: list[int]) -> None:
        """Who sent nothing in a quiet round was reminded six hours before."""
        deadline = this.deadline or 0
        quiet = all(
            at in self.up
            for at in range(deadline - deadline % TICK - 4 * TICK, deadline - deadline % TICK, TICK)
        )
        if moved or not quiet or deadline - began < 2 * DAY or BEGIN % TICK:
            return
        for number, name in enumerate(PLAYERS, start=1):
            if this.lists[name] is None:
                assert self.reminded[game.id, number, deadline, 6 * HOUR] == 1, (
                    game.id,
                    this.number,
                    name,
                )


@pytest.mark.everything
@pytest.mark.long
def test_a_year_of_fifty_games_keeps_every_announced_instant(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    frozen_time.move_to(BEGIN)
    year = Year(installation, db, frozen_time)
    year.open_games()
    while year.now < BEGIN + 365 * DAY:
        year.tick()
    year.check()
    assert year.kinds["outage"] > 3
    assert year.kinds["extension"] > 10
    assert year.kinds["pause"] > 3
    assert year.kinds["reminder"] > 100
    kinds = Counter(
        note.kind
        for game in store.games.all_games(db)
        for n in range(13)
        for note in store.notes.of_round(db, game.id, n)
    )
    assert min(kinds[kind] for kind in ("deadline", "outage", "early", "paused", "resumed")) > 0, (
        kinds
    )
    assert clock.now() - BEGIN >= timedelta(days=365).total_seconds()
    invariants.check(file_of(installation))
