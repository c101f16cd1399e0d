"""Samples of mail: a whole game on a throw-away installation, and every kind of mail that goes
out around it, as it would be sent.
"""

import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from msgspec import Struct

from gm import clock, seeds, store
from gm.calendar import Rule
from gm.games import create
from gm.installation import Installation, open_installation
from gm.mail import queue
from gm.mail.queue import Event, Recipient
from gm.people import accounts
from gm.rendering.dates import LANGUAGES
from gm.service import close_due, submit, tick_mail
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.mails import Mail
from gm.store.seats import Seat
from rounds.engine.variant import find

GAME, OTHER = "sample", "another"
MIDDLE = 4
"""The round in which the mails of a running game are taken."""
TO_SEATS = (
    *("takeover", "receipts_off", "link_again", "link_new", "link_own", "link_restored"),
    *("moved_away", "moved_here", "gm_tried"),
)
NEWS = ("announced", "deadline", "paused", "resumed", "rollback")


class Sample(Struct, frozen=True):
    """A whole mail; its name is its kind, with what it tells if one kind tells several things,
    and its language: `news-paused.de`.
    """

    name: str
    data: bytes

    @property
    def html(self) -> str:
        """Its HTML part."""
        part = message_from_bytes(self.data, policy=policy.default).get_body(("html",))
        return str(part.get_content()) if part else ""


def samples(variant: str) -> Iterator[Sample]:
    """Every kind of mail around a game of this variant, in each language; of what comes every
    round the last.
    """
    with tempfile.TemporaryDirectory(prefix="bohnenpost-") as folder:
        home = open_installation(Path(folder) / "home", {}, create=True)
        with home.connection() as db:
            _play(home, db, variant)
            names = {mail.id: _name(db, mail) for mail in store.mails.after(db, 0)}
        files = sorted(home.mail_folder.glob("*.eml"))
        last = {names[int(file.name.partition("-")[0])]: file for file in files}
        for name, file in sorted(last.items()):
            yield Sample(name, file.read_bytes())


def _name(db: Database, mail: Mail) -> str:
    if mail.act is not None:
        return f"several.{mail.language}"
    note = store.notes.by_id(db, mail.about) if mail.about and mail.kind == "news" else None
    of = note.kind if note else "move" if mail.kind == "confirm" and mail.round else ""
    return f"{mail.kind}{'-' if of else ''}{of}.{mail.language}"


def _play(home: Installation, db: Database, variant: str) -> None:
    """Play a game to its end, and send all mails."""
    now = clock.now()
    seats = _open(home, db, variant, now)
    # to nobody at the table: they lead the game, follow it, or ask for a seat
    others = [Recipient(f"reader-{language}@example.org", language) for language in LANGUAGES]
    for one in others:
        accounts.add_gm(db, one.address, None, one.language, now)
    with write(db):
        _before_the_start(db, seats, others, now)
    tick_mail(home, now)
    create.start_game(db, GAME, now)
    while (game := store.games.existing(db, GAME)).status == "running":
        awaited = [seat for seat in seats if game.awaits(seat.name)]
        now = game.round_at or now
        deadline = game.deadline or now
        if MIDDLE <= game.round < 2 * MIDDLE:
            with write(db):
                reminder = queue.Event(kind="reminder", lead=clock.DAY, deadline=deadline)
                queue.put(db, GAME, game.round, reminder, awaited, now)
                waits = queue.Event(kind="row", deadline=deadline)
                queue.put(db, GAME, game.round, waits, awaited, now)
            tick_mail(home, now)
        for seat in awaited:
            view = game.engine.view(store.rounds.open_table(db, game), seat.name)
            submit(db, game, seat, game.round, game.engine.robot(view), "…", "…", by="seat")
        if game.round == MIDDLE:
            with write(db):
                _while_it_runs(db, game, seats, awaited[0], others, now)
        tick_mail(home, now)
        now = deadline
        close_due(db, home.config, now)
    with write(db):
        for kind, note_kind in (("news", "aborted"), ("called_off", "called_off")):
            note = store.notes.add(db, GAME, game.round, note_kind, "…", now)
            queue.put(db, GAME, game.round, queue.Event(kind=kind, about=note), seats, now)
    tick_mail(home, now)


def _plan() -> dict[str, Any]:
    return seeds.load(seeds.demo_file(seeds.default_variant()))


def _open(home: Installation, db: Database, variant: str, now: int) -> list[Seat]:
    plan = _plan()
    today = datetime.fromtimestamp(now, UTC).date()
    names, allowed = [plan["you"]["name"], *plan["robots"]], find(variant).seats
    for game, title in ((GAME, plan["name"]), (OTHER, OTHER.capitalize())):
        create.new_game(
            db,
            game=game,
            name=title,
            variant=variant,
            house_rules={},
            gm=tuple(plan["gm"]),
            rule=Rule((6,), time(20), "Europe/Berlin", 1, today),
            now=now,
        )
        create.open_game(db, game)
        for number, name in enumerate(names[: max(allowed[0], min(3, allowed[-1]))]):
            create.add_seat(
                db,
                home.link_key,
                game=game,
                name=name,
                address=f"seat{number + 1}@example.org",
                language=LANGUAGES[number % len(LANGUAGES)],
                welcome=game == GAME,
            )
    return store.seats.of_game(db, GAME)


def _before_the_start(
    db: Database, seats: Sequence[Seat], others: Sequence[Recipient], now: int
) -> None:
    for kind in ("ready", "link"):
        queue.put(db, GAME, 0, Event(kind=kind), seats, now)
    for seat in seats:
        person = Recipient(seat.address or "", seat.language)
        queue.put(db, None, 0, Event(kind="my_games", mark=seat.number), [person], now)
    for one in others:
        asked = store.requests.add_joining(db, _request(one, now))
        follows = {"game": GAME, "address": one.address, "language": one.language}
        number = store.requests.add_follower(db, follows | {"at": now, "confirmed_at": now})
        for game, event in (
            (GAME, Event(kind="invite")),
            (GAME, queue.Event(kind="confirm", about=asked)),
            (GAME, queue.Event(kind="follow", about=number)),
            (GAME, queue.Event(kind="opened", about=number)),
            (GAME, queue.Event(kind="joined", about=1)),
            (None, Event(kind="sign_in")),
        ):
            queue.put(db, game, 0, event, [one], now)


def _while_it_runs(
    db: Database,
    game: Game,
    seats: Sequence[Seat],
    who: Seat,
    others: Sequence[Recipient],
    now: int,
) -> None:
    of, deadline = game.round, game.deadline or now
    note = store.notes.add(db, GAME, of, "replaced", "…", now, seat=who.name)
    told = {"moved_away", "moved_here", "gm_tried"}
    for kind in TO_SEATS:
        event = queue.Event(kind=kind, about=note) if kind in told else Event(kind=kind)
        queue.put(db, GAME, of, event, seats, now)
    for kind in NEWS:
        later = deadline + (-clock.DAY if kind == "paused" else clock.DAY)
        old, new = (None, None) if kind == "announced" else (deadline, later)
        news = store.notes.add(db, GAME, of, kind, "…", now, old=old, new=new)
        queue.put(db, GAME, of, queue.Event(kind="news", about=news), seats, now)
    _in_both_games(db, of, seats, deadline, now)
    dead = store.seats.bury(db, who, "left", now)
    for kind in ("lost", "left"):
        queue.put(db, GAME, of, queue.Event(kind=kind, about=dead), seats, now)
    first = store.mails.after(db, 0)[0]
    store.mails.update(db, first.id, {"error": "550 no such mailbox", "failed_at": now})
    for one in others:
        moves = _request(one, now) | {"seat": 1, "link_number": 1}
        asked = store.requests.add_joining(db, moves)
        for event in (
            queue.Event(kind="confirm", about=asked),
            queue.Event(kind="gm_report", about=1),
            queue.Event(kind="words", about=who.number),
            queue.Event(kind="refused", about=first.id),
            queue.Event(kind="gone", about=dead),
            Event(kind="alarm"),
        ):
            number = of - 1 if event.kind == "gm_report" else of
            queue.put(db, GAME, number, event, [one], now)


def _in_both_games(db: Database, of: int, seats: Sequence[Seat], deadline: int, now: int) -> None:
    by = {"by_address": "gm@example.org", "by_name": "…"}
    asked = {"token": GAME, "asked": "{}", "at": now, **by}
    act = store.acts.add(db, asked, {GAME: "", OTHER: ""})
    store.acts.told(db, act, now)
    for game, number in ((GAME, of), (OTHER, 0)):
        old, new = deadline, deadline + clock.DAY
        note = store.notes.add(db, game, number, "deadline", "…", now, old=old, new=new)
        addresses = {seat.address for seat in seats}
        to = [seat for seat in store.seats.of_game(db, game) if seat.address in addresses]
        queue.put(db, game, number, queue.Event(kind="news", about=note, act=act), to, now)


def _request(one: Recipient, now: int) -> dict[str, str | int]:
    return {
        "game": GAME,
        "name": _plan()["robots"][-1],
        "address": one.address,
        "language": one.language,
        "at": now,
    }
