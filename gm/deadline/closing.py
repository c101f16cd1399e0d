"""Closing one due round, exactly once, however many processes try.

The result is computed without a lock and stored in one short transaction, which checks that nothing
has changed meanwhile. There is no state in between, so whatever crashes, the next call goes on from
the database.
"""

from typing import Any

import msgspec
from msgspec import Struct

from gm import store
from gm.config import Config
from gm.deadline.outage import put_off_until
from gm.deadline.retry import RETRY_SECONDS, guarded
from gm.games import notes
from gm.mail import queue, refused
from gm.open_round import standing
from gm.proof import fairness
from gm.store.db import Database, one_of, reading, write
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.seats import Seat
from gm.timetable.promises import after_close
from rounds.engine.record import ReceiptProof
from rounds.engine.variant import find
from rounds.engine.variant import names as variants

MANY_SILENT = 3


class RoundResult(Struct, frozen=True):
    """The result of a round before it is stored.

    `used` and `lists` are the orders it used, `people` the seats of people that had to order,
    `receipts` what they were answered, `played` what the chain fixes of the round, `row` what will
    be stored, but for what is only known then.
    """

    game: Game
    used: dict[int, Revision]
    lists: dict[str, str | None]
    people: frozenset[str]
    receipts: dict[str, ReceiptProof | None]
    played: dict[str, Any]
    row: dict[str, object]
    state: str
    next_round: int
    next_turn: dict[str, str | None]
    readers: frozenset[str]
    over: bool

    @property
    def absent(self) -> int:
        """How many people had sent nothing."""
        return sum(self.lists[name] is None for name in self.people)


def most_overdue_game(db: Database, now: int) -> str | None:
    """The most overdue game; of many, a random one of the oldest, so that workers rarely
    collide.
    """
    waiting = store.due.rounds(db, now)
    return one_of(waiting) if waiting else None


def batch_due(db: Database, now: int) -> str:
    """A text that names what a pass will try to close: the same while nothing changes, empty if
    nothing is due.
    """
    number, last, newest = store.due.due_batch(db, now)
    return f"{number} {last} {newest}" if number else ""


def is_due(game: Game, now: int) -> bool:
    """True if the deadline of the open round has come."""
    return game.is_open and game.deadline is not None and game.deadline <= now


def put_off(db: Database, config: Config, game: Game, now: int) -> bool:
    """Put the round of a due game off if the outage rule says so. Its deadline moves once, or,
    while pages still stand still, it is looked at again a minute later.
    """
    deadline = put_off_until(db, config, game, now)
    if deadline is None:
        return False
    with write(db, game.id):
        if store.games.get(db, game.id) != game:
            return True
        if deadline > now:
            notes.keep_and_mail(db, notes.moved(game, deadline, "outage", "", now), now)
        else:
            store.games.update(db, game.id, {"retry_at": now + RETRY_SECONDS})
    return True


def compute_result(db: Database, game: Game) -> RoundResult:
    """Play the round with the orders as they are stored now. Changes nothing and holds no lock."""
    with reading(db):
        variant, table = game.engine, store.rounds.open_table(db, game)
        used = store.lists.newest(db, game.id, game.round)
        seats, chance = store.seats.of_game(db, game.id), store.rounds.chance(db, game)
    numbers = {seat.name: seat.number for seat in seats}
    lists = {
        name: used[numbers[name]].orders if numbers[name] in used else None
        for name in variant.may_order(table)
    }
    orders = {
        name: None if text is None else variant.read_orders(table, name, text)
        for name, text in lists.items()
    }
    after, events = variant.adjudicate(table, orders, chance)
    must = [name for name in variant.must_order(table) if game.awaits(name)]
    newest = {name: used.get(numbers[name]) for name in lists}
    receipts = {
        name: fairness.receipt_of(name, revision) if revision else None
        for name, revision in newest.items()
    }
    state = variant.storage.pack(after).decode()
    row: dict[str, object] = {
        "game": game.id,
        "number": game.round,
        "deadline": game.deadline,
        "orders": msgspec.json.encode(lists).decode(),
        "events": msgspec.json.encode(events).decode(),
        "state": state,
        "receipts": msgspec.json.encode(receipts).decode(),
        "awaited": store.rounds.seats_as_stored(must, numbers),
    }
    played = variant.tell(table, events, after)
    readers = variant.readers(table, after) if variant.readers else numbers
    by_people = frozenset(seat.name for seat in store.seats.people(seats) if seat.name in must)
    return RoundResult(
        game,
        used,
        lists,
        by_people,
        receipts,
        played,
        row,
        state,
        after.round,
        store.rounds.whose_turn(variant, after, list(numbers)),
        frozenset(readers),
        over=variant.is_over(after),
    )


def commit_result(db: Database, result: RoundResult, now: int) -> bool:
    """Store a result if the game still stands where it was computed: same round, same deadline,
    same orders. False if not.
    """
    game = result.game
    with write(db, game.id):
        current = store.games.get(db, game.id)
        stands = (
            current is not None
            and current.is_open
            and (current.round, current.deadline) == (game.round, game.deadline)
        )
        if not stands or store.lists.newest(db, game.id, game.round) != result.used:
            return False
        version, seats = (
            store.rounds.next_version(db, game.id, game.round),
            store.seats.of_game(db, game.id),
        )
        chain = fairness.next_chain(db, game, result.played, result.receipts, now)
        store.rounds.add(db, {**result.row, "closed_at": now, "version": version, "chain": chain})
        following: dict[str, object] = {"status": "finished", "deadline": None}
        if not result.over:
            deadline = after_close(game, now)
            following = {"deadline": deadline, "scheduled_deadline": deadline, "round_at": now}
        following |= {
            "next_deadline": None,
            "sequence": game.sequence + 1,
            "failures": 0,
            "retry_at": None,
            "error": None,
        }
        changed = {"round": result.next_round, **following, **result.next_turn}
        store.games.update(db, game.id, changed)
        if result.over:
            refused.withdraw_offers(db, game.id, now)
        _queue_reports(db, result, version, seats, now)
    return True


def _queue_reports(
    db: Database, result: RoundResult, version: int, seats: list[Seat], now: int
) -> None:
    """Queue a report for every seat that is to be told. If the round was played again, only seats
    for which something changed get one.

    The others are told the new deadline that follows.
    """
    game, kind = result.game, "final" if result.over else "report"
    everybody = seats
    seats = [seat for seat in seats if result.over or seat.name in result.readers]
    if version > 1 and not result.over:
        same = [
            seat for seat in seats if not _changed_for(db, game, game.round, result.state, seat)
        ]
        seats = [seat for seat in seats if seat not in same]
        current = store.games.get(db, game.id)
        assert current is not None
        number = store.notes.add(
            db, current.id, current.round, "again", "", now, old=game.round, new=current.deadline
        )
        queue.put(db, game.id, current.round, queue.Event(kind="news", about=number), same, now)
    told = queue.Event(kind=kind, about=version)
    queue.put(db, game.id, game.round, told, seats, now)
    # whoever did not send the list with this link is told of it in any case; where the list closed
    # the round, the page that follows it says what the report would
    own = [
        (seat.number, used.number)
        for seat in (everybody if game.closes_at_once else seats)
        if seat.address
        and (used := result.used.get(seat.number))
        and used.is_of(seat)
        and not used.by_gm
    ]
    store.mails.withdraw_receipts(db, game.id, game.round, own, now)
    _queue_waiting(db, result, version, everybody, now)
    told = queue.Event(kind="gm_report", about=version)
    queue.put_for_masters(db, game.id, game.round, told, now)
    queue.put_for_followers(db, game, "follow_report", now, version=version)


def _queue_waiting(
    db: Database, result: RoundResult, version: int, seats: list[Seat], now: int
) -> None:
    """Queue what tells seats that their turn goes on, though no report said so: for later, when
    most have long gone on with it. Not for players who want no reminders.
    """
    game, after = store.games.existing(db, result.game.id), result.game.engine.waits_told
    if not after or result.over:
        return
    if game.deadline is not None:
        after = min(after, (game.deadline - now) // 2)
    waiting = [
        seat
        for seat in seats
        if game.awaits(seat.name) and seat.name not in result.readers and seat.lead_times
    ]
    event = queue.Event(kind="row", deadline=game.deadline, mark=version)
    queue.put(db, game.id, game.round, event, waiting, now, not_before=now + after)


def _changed_for(db: Database, game: Game, number: int, state: str, seat: Seat) -> bool:
    """True if a round that was played again brings this seat something new.

    Also true if the seat was never told, because the round was taken back before its mail went out.
    """
    old = store.rounds.withdrawn(db, game.id, number)
    if not old or not store.told.was_reported(db, game.id, number, seat.number, old[-1].version):
        return True
    return bool(
        _what_matters(db, game, old[-1].state, seat.name)
        != _what_matters(db, game, state, seat.name)
    )


def _what_matters(db: Database, game: Game, state: str, seat: str) -> Any:
    return game.engine.concerns(game.engine.view(store.rounds.table_of(db, game, state), seat))


def hold_if_silent(db: Database, result: RoundResult, now: int) -> bool:
    """Hold the game if many more people are silent than last time, because mail or pages may have
    been out of reach; not if the game master has decided already.
    """
    game = result.game
    if not game.silence_guard or _is_settled(db, game) or not _is_silent(db, game, result):
        return False
    with write(db, game.id):
        if store.games.get(db, game.id) == game:
            store.games.update(db, game.id, {"status": "held", "error": "silence"})
            queue.put_alarm(db, game.id, game.round, now)
    return True


def _is_settled(db: Database, game: Game) -> bool:
    """True if the round was closed early, or the game master moved its deadline after being
    asked.
    """
    asked = store.told.alarmed_at(db, game.id, game.round)
    made = store.notes.of_this_play(db, game.id, game.round)
    kinds = {
        note.kind
        for note in made
        if note.kind in store.notes.CLOSED_EARLY or note.at >= (asked or note.at + 1)
    }
    return bool(kinds & {*store.notes.CLOSED_EARLY, "deadline", "released"})


def _is_silent(db: Database, game: Game, result: RoundResult) -> bool:
    """The silence guard: far more silent seats than last time, or the server took no mail since the
    last report.
    """
    silent, last = result.absent, store.rounds.silent_before(db, game)
    before = sum(last.get(name, False) for name in result.people)
    queued, taken = store.told.round_mails(db, game.id, game.round - 1)
    return (silent >= MANY_SILENT and silent > 2 * before) or (queued > 0 and taken == 0)


def make_complete_due(db: Database, now: int) -> bool:
    """Make one game due that has all orders of people and whose change-of-mind delay and shortest
    length have passed. False if there is none.
    """
    return any(make_due(db, game_id, now) for game_id in _to_close_early(db, now, now))


def next_early_closing(db: Database, now: int, until: int) -> int | None:
    """The nearest instant until then at which a round is to be closed early; None if there is
    none.
    """
    instants = []
    for game_id in _to_close_early(db, now, until):
        with guarded(db, game_id, now):
            instant = standing(db, store.games.existing(db, game_id)).closes_early_at
            if instant is not None and instant <= until:
                instants.append(instant)
    return min(instants, default=None)


def _to_close_early(db: Database, now: int, until: int) -> list[str]:
    at_once = [name for name in variants() if find(name).closes_at_once]
    return store.due.games_to_close_early(db, now, until, at_once)


def make_due(db: Database, game_id: str, now: int) -> bool:
    """Make the open round of a game due if it is to be closed early by now. False also if that
    was done before.
    """
    with guarded(db, game_id, now), write(db, game_id):
        game = store.games.existing(db, game_id)
        made = store.notes.of_this_play(db, game.id, game.round)
        if any(note.kind in store.notes.CLOSED_EARLY for note in made):
            return False  # another process was first, perhaps by a later clock
        instant = standing(db, game).closes_early_at
        if instant is None or now < instant:
            return False
        kind = "at_once" if game.engine.closes_at_once else "early"
        store.games.update(db, game.id, {"deadline": now, "sequence": game.sequence + 1})
        store.notes.add(db, game.id, game.round, kind, "", now, old=game.deadline, new=now)
        return True
    return False
