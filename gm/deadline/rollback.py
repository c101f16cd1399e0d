"""Taking back the last closed round, and what changed when it was played again. Nothing is
deleted.
"""

import msgspec

from gm import store
from gm.errors import Refusal
from gm.games import notes
from gm.open_round import standing
from gm.store.db import Database, write
from gm.timetable import promises


def rollback(
    db: Database, game_id: str, number: int, reason: str, now: int, *, deadline: int | None = None
) -> bool:
    """Take back the last closed round, which is named as a guard. False if it was taken back just
    before.

    The round is open again with the orders it had, the same cards come, and it lasts a day or more,
    until the deadline that is asked for. The next round keeps its deadline if it still can, unless
    rounds have a fixed length; orders for it are void, because its row may change. What was taken
    back moves to a table of its own. Raises Refusal for another round, without a reason, or once
    the game is over and its secret published.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        if not game.is_going:
            raise Refusal("not_running", game=game_id, status=game.status)
        if not reason.strip():
            raise Refusal("no_reason")
        closed = store.rounds.get(db, game_id, number)
        if number == game.round and store.rounds.withdrawn(db, game_id, number):
            return False
        if closed is None or number != game.round - 1 or number < 1:
            raise Refusal("other_last", game=game_id, last=game.round - 1, asked=number)
        store.rounds.withdraw(db, closed)
        store.lists.void_later_rounds(db, game_id, number, now)
        store.mails.bring_back_receipts(db, game_id, number, closed.closed_at)
        store.mails.withdraw_from_round(db, game_id, number, now)
        promised = standing(db, game).before
        regular = promises.of_reopened(game.schedule, promised, now)
        deadline = promises.wished_or_first(
            game.schedule, deadline, regular, now, promises.REOPENED, promised or 0
        )
        back = {
            "status": "running",
            "round": number,
            "round_at": now,
            "deadline": deadline,
            "scheduled_deadline": regular,
        }
        fresh = {
            "paused_at": None,
            "next_deadline": promises.after_replay(game),
            "failures": 0,
            "retry_at": None,
            "error": None,
            "sequence": game.sequence + 1,
        }
        before, seats = (
            store.rounds.table_after(db, game, number - 1),
            [seat.name for seat in store.seats.of_game(db, game_id)],
        )
        store.games.update(
            db, game_id, back | fresh | store.rounds.whose_turn(game.engine, before, seats)
        )
        changed = msgspec.json.encode({"withdrawn": _taken_back(db, game_id, number)}).decode()
        change = notes.work_out(
            store.games.existing(db, game_id),
            {},
            "rollback",
            reason,
            now,
            old=closed.version,
            new=deadline,
            changed=changed,
        )
        notes.keep_and_mail(db, change, now)
    return True


def _taken_back(db: Database, game: str, number: int) -> list[str]:
    """The chain values that go with a round that was taken back: its own, and those that notes of
    later rounds took back before, since the game may end before it comes to these rounds again.
    """
    own = store.rounds.withdrawn(db, game, number)[-1].chain
    later = [note for note in store.notes.of_game(db, game) if note.round > number]
    return [
        value
        for value in (own, *(value for note in later for value in note.withdrawn or ()))
        if value
    ]
