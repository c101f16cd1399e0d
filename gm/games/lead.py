"""What a game master does to a running game besides its calendar: extend, pause, resume, run
now, announce, release, end.

Each is a note. A moved deadline is told to everybody once. A deadline can only be moved before
it has passed. The same request again changes nothing and tells nobody. Which deadline follows is
said in `gm/timetable/`.
"""

import msgspec

from gm import store
from gm.errors import Refusal
from gm.games.notes import Change, keep_and_mail, moved, work_out
from gm.mail import queue, refused
from gm.open_round import standing
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.games import Game
from gm.store.notes import plain_words
from gm.timetable import extending, promises


def extend(
    db: Database,
    game_id: str,
    deadline: int,
    reason: str,
    now: int,
    *,
    next_deadline: int | None = None,
    longer: bool = False,
) -> bool:
    """Move the deadline of the open round, as `extended` says, and tell everybody. False if it
    stands there already.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        change = extended(
            db, game, deadline, reason, now, next_deadline=next_deadline, longer=longer
        )
        return keep_and_mail(db, change, now)


def extended(
    db: Database,
    game: Game,
    deadline: int,
    reason: str,
    now: int,
    *,
    next_deadline: int | None = None,
    longer: bool = False,
) -> Change | None:
    """The change that moves the deadline of the open round: later, or forward as far as
    `Standing.earliest` says.

    The next round's deadline moves to `next_deadline`, or, if `longer` and the round would be
    short, to the calendar's one after. None if both stand there already. Raises Refusal if the
    deadline has passed, or beyond either end.
    """
    _check_before_its_deadline(game, now, or_asked=True)
    stands = standing(db, game)
    if game.deadline != deadline:
        extending.check(stands, deadline, now)
    promised = extending.promised_to_next(stands, deadline, next_deadline, longer=longer)
    if (game.deadline, game.next_deadline) == (deadline, promised):
        return None
    if game.deadline == deadline and not game.is_open:
        raise Refusal("passed", round=game.round)
    going: dict[str, object] = {"next_deadline": promised}
    if game.status == "held":
        going |= {"status": "running", "error": None}
    promise = {"next_deadline": (game.next_deadline, promised)}
    changed = msgspec.json.encode(promise if promised != game.next_deadline else {}).decode()
    if game.deadline == deadline:
        return work_out(
            game, going, "deadline", reason, now, old=deadline, new=deadline, changed=changed
        )
    undone = any(note.kind == "changed" and note.old == deadline for note in stands.of_this_play)
    if undone and game.scheduled_deadline == game.deadline:
        going["scheduled_deadline"] = deadline  # the calendar gave it this one
    return moved(game, deadline, "deadline", reason, now, changed=changed, going=going)


def pause(db: Database, game_id: str, reason: str, now: int) -> bool:
    """Stop the clock of a game: no orders and no deadline until it is resumed. False if it is
    paused already.
    """
    with write(db):
        return keep_and_mail(db, paused(store.games.existing(db, game_id), reason, now), now)


def paused(game: Game, reason: str, now: int) -> Change | None:
    """The change that stops the clock of a game; None if it is paused already. Raises Refusal if
    its deadline has passed.
    """
    if game.status == "paused":
        return None
    _check_before_its_deadline(game, now)
    stopped = {"status": "paused", "paused_at": now, "sequence": game.sequence + 1}
    until = promises.keeps_until(game, now)
    return work_out(game, stopped, "paused", reason, now, old=game.deadline, new=until)


def resume(
    db: Database, game_id: str, reason: str, now: int, *, deadline: int | None = None
) -> bool:
    """Let a paused game go on, as `resumed` says, and tell everybody. False if it runs already."""
    with write(db):
        game = store.games.existing(db, game_id)
        return keep_and_mail(db, resumed(db, game, reason, now, deadline=deadline), now)


def resumed(
    db: Database, game: Game, reason: str, now: int, *, deadline: int | None = None
) -> Change | None:
    """The change with which a game goes on: with the promised deadline if it can still be kept,
    else the calendar's, or with the one asked for.

    None if it runs already. Raises Refusal for a deadline further forward than
    `Standing.earliest` says, and while the whole service waits after a restore.
    """
    if game.status == "running":
        return None
    if game.status != "paused" or game.paused_at is None:
        raise Refusal("not_paused", game=game.id, status=game.status)
    if backup.held(db) is not None:
        raise Refusal("restored")
    promised = standing(db, game).earliest(now) or game.deadline or 0
    first, ahead = promises.after_pause(game, now), promises.least(game.schedule)
    deadline = promises.wished_or_first(game.schedule, deadline, first, now, ahead, promised)
    going = {
        "status": "running",
        "paused_at": None,
        "deadline": deadline,
        "scheduled_deadline": game.scheduled_deadline if deadline == game.deadline else deadline,
        "sequence": game.sequence + 1,
    }
    return work_out(game, going, "resumed", reason, now, old=game.deadline, new=deadline)


def run_now(
    db: Database,
    game_id: str,
    round_number: int,
    reason: str,
    now: int,
    *,
    next_deadline: int | None = None,
) -> bool:
    """Make the open round due at once, also one that is held or closed by hand. The round is
    named as a guard.

    The next round gets the deadline that follows from its promise or the calendar, or the one
    asked for. False if it is due anyway. Raises Refusal for a round that was taken back within a
    day, unless everybody has ordered anew.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        if game.status not in ("running", "held"):
            raise Refusal("no_round", game=game_id, status=game.status)
        if game.round != round_number:
            raise Refusal("other_round", game=game_id, round=game.round, asked=round_number)
        promised = game.next_deadline
        if next_deadline is not None and promises.is_last(game):
            raise Refusal("no_next", round=game.round)
        if next_deadline is not None:
            ahead = promises.shortest(game.schedule)
            first = promises.after_close(game, now)
            promised = promises.wished_or_first(
                game.schedule, next_deadline, first, now, ahead, game.next_deadline or 0
            )
        if game.is_open and game.deadline is not None and game.deadline <= now:
            return False
        if (until := standing(db, game).stays_open or 0) > now:
            raise Refusal("taken_back", variant=game.variant, until=until, zone=game.schedule.zone)
        due = {
            "status": "running",
            "deadline": min(game.deadline or now, now),
            "failures": 0,
            "retry_at": None,
            "error": None,
        }
        store.games.update(db, game_id, due | {"next_deadline": promised})
        by, old = game.gm_name, game.deadline
        store.notes.add(db, game.id, game.round, "early", reason, now, old=old, new=now, who=by)
    return True


def announce(db: Database, game_id: str, text: str, now: int, by: str | None = None) -> bool:
    """Tell everybody the GM's words at once, and in the next report, as `announced` says. False if
    these were the last words anyway.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        return keep_and_mail(db, announced(db, game, text, now, by), now)


def announced(
    db: Database, game: Game, text: str, now: int, by: str | None = None
) -> Change | None:
    """The note with the GM's words, under their name; if none is given, that of the game's GM.

    None if these were the last words anyway. Raises Refusal without words, and for a game that is
    not going on.
    """
    if not game.is_going:
        raise Refusal("not_running", game=game.id, status=game.status)
    if not text.strip():
        raise Refusal("no_comment")
    last = store.notes.of_round(db, game.id, game.round)[-1:]
    if last and (last[0].kind, last[0].text) == ("announced", plain_words(text)):
        return None
    return work_out(game, {}, "announced", text, now, who=by or game.gm_name)


def release(db: Database, game_id: str, reason: str, now: int) -> bool:
    """Let a held game go on; its round is tried again. False if it is not held."""
    with write(db):
        game = store.games.existing(db, game_id)
        if game.status != "held":
            return False
        store.games.update(
            db, game_id, {"status": "running", "failures": 0, "retry_at": None, "error": None}
        )
        store.notes.add(db, game.id, game.round, "released", reason, now)
    return True


def abort(db: Database, game_id: str, reason: str, now: int) -> bool:
    """End a game before its last round: the standing counts, without final harvest. False if it
    is over already.

    A game that still takes players is called off: all who are in it, were invited or asked for a
    seat are mailed the reason. Raises Refusal for a draft, and to call off without a reason.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        if game.status == "finished":
            return False
        if game.status == "draft":
            raise Refusal("not_running", game=game_id, status=game.status)
        if game.status == "open":
            _call_off(db, game, reason, now)
            return True
        over: dict[str, object] = {
            "status": "finished",
            "aborted": 1,
            "deadline": None,
            "paused_at": None,
            "sequence": game.sequence + 1,
        }
        over |= {"retry_at": None, "error": None}
        refused.withdraw_offers(db, game_id, now)
        return keep_and_mail(db, work_out(game, over, "aborted", reason, now), now)


def _call_off(db: Database, game: Game, reason: str, now: int) -> None:
    """Call the game off before it begins. Inside `write`."""
    if not reason.strip():
        raise Refusal("no_reason")
    store.games.update(db, game.id, {"status": "finished", "aborted": 1})
    refused.withdraw_offers(db, game.id, now)
    number = store.notes.add(db, game.id, 0, "called_off", reason, now)
    seats = [
        (seat.address, seat.language) for seat in store.seats.of_game(db, game.id) if seat.address
    ]
    recipients = {
        address.casefold(): queue.Recipient(address, spoken)
        for address, spoken in store.requests.invited_or_asking(db, game.id)
    }
    recipients |= {
        address.casefold(): queue.Recipient(address, language) for address, language in seats
    }
    called_off = queue.Event(kind="called_off", about=number)
    queue.put(db, game.id, 0, called_off, recipients.values(), now)


def archive(db: Database, game_id: str, now: int) -> bool:
    """Take a game that is over, or was never opened, from the lists; its page and record stay.
    False if it is archived.

    A game that was ended early leaves only the lists of the desk.
    """
    with write(db):
        game = store.games.existing(db, game_id)
        if game.archived_at is not None:
            return False
        if game.status not in ("finished", "draft"):
            raise Refusal("not_over", game=game_id, status=game.status)
        store.games.update(db, game_id, {"archived_at": now})
        refused.withdraw_offers(db, game_id, now)
        refused.withdraw_refused(db, game_id, now)
    return True


def _check_before_its_deadline(game: Game, now: int, *, or_asked: bool = False) -> None:
    """Raises Refusal if the deadline cannot be moved; with `or_asked` it can also where the
    silence guard holds the game past it.
    """
    if or_asked and game.status == "held" and game.error == "silence":
        return
    if not game.is_open:
        raise Refusal("not_running", game=game.id, status=game.status)
    if game.deadline is not None and now >= game.deadline:
        raise Refusal("passed", round=game.round)
