"""What can be done to a game at the desk: each act reads its form and does what a command would
do, with the same checks.
"""

from collections.abc import Callable
from typing import Any

from gm import clock, service, store
from gm.calendar import read_moment
from gm.deadline import rollback
from gm.errors import Refusal
from gm.games import create, inbox, lead, reminding
from gm.games.names import checked_address
from gm.mail import refused
from gm.people import joining, masters, once_more, seating
from gm.store.db import Database, write
from gm.store.games import Game
from gm.timetable import extending
from gm.web.desk import todo
from gm.web.desk.frame import DIGITS_OF_ID, DIGITS_OF_READING, instant, master, whole_number
from gm.web.forms import Form, Unusable
from gm.web.page import installation

OF_A_SEAT = ("replace", "hand_over", "remove", "link", "address", "again", "orders")
"""Acts on whoever plays a seat."""


def seen(db: Database, game: Game, act: str, seat: str = "") -> str:
    """What the page shows that an act relies on, as its form carries it: who plays the seat, its
    newest list, whether the game has begun, the chain value of the last round, the deadlines, who
    has a seat. Empty if it relies on nothing that can change.
    """
    if act in OF_A_SEAT and seat:
        played = seating.seat_named(db, game.id, seat)
        newest = store.lists.newest(db, game.id, game.round).get(played.number)
        counts = newest is not None and act in ("orders", "replace", "hand_over", "remove")
        begun = int(game.round > 0)
        return f"{played.link_number} {newest.number if newest and counts else 0} {begun}"
    if act == "abort":
        return "begun" if game.round else "open"
    if act == "rollback":
        closed = store.rounds.get(db, game.id, game.round - 1)
        return closed.chain or "" if closed else ""
    if act == "extend":
        return f"{game.deadline} {game.scheduled_deadline}"
    if act == "release":
        return f"{game.status} {game.error}"
    if act == "start":
        seats = store.seats.of_game(db, game.id)
        return " ".join(f"{found.number}.{found.link_number}" for found in seats)
    return ""


def is_to_be_done(db: Database, game: Game, act: str, form: Form) -> bool:
    """Whether what a form asks for is still to be done; False if it is so by now, because the
    button was pressed twice.

    Raises Refusal, with what has changed, if the form was made when the game stood otherwise. Its
    page is shown anew with what was typed, so that the same button goes on.
    """
    name = form.get("seat", "")
    if _was_done(db, game, act, form):
        return False
    now = seen(db, game, act, name) if "seen" in form else ""
    shown_round = game.round - 1 if act == "rollback" else game.round
    is_other_round = form.get("round", str(shown_round)) != str(shown_round)
    if form.get("seen", "") == now or is_other_round:  # the act itself refuses another round
        return True
    if _is_so(db, game, act, form):
        return False
    if act == "abort":
        raise Refusal("begun_since")
    if act == "rollback":
        raise Refusal("played_since", round=game.round - 1)
    if act == "extend":
        raise Refusal("deadline_since", deadline=game.deadline, zone=game.schedule.zone)
    if act == "start":
        raise Refusal("seats_since")
    if act == "release":
        raise Refusal("held_since")
    seat = seating.seat_named(db, game.id, name)
    before, after = form["seen"].split(" "), now.split(" ")
    if before[:2] == after[:2]:
        raise Refusal("begun_since")
    if before[:1] == after[:1]:
        raise Refusal("list_since", name=seat.called, version=after[1])
    raise Refusal("seat_since", name=name, player=seat.called if seat.address else None)


def _was_done(db: Database, game: Game, act: str, form: Form) -> bool:
    """Whether a seat of a game that has not begun was given, or taken back, by the same form."""
    if game.status != "open" or act not in ("seat", "remove"):
        return False
    seats = {seat.name: seat.address for seat in store.seats.of_game(db, game.id)}
    if act == "remove":
        return form.get("seat") == form.get("confirm") and form.get("seat") not in seats
    name, address = form.get("name", "").strip(), form.get("address", "").strip() or None
    return name in seats and seats[name] == address


def _is_so(db: Database, game: Game, act: str, form: Form) -> bool:
    """Whether a seat, its list or the deadline is what a form asks for."""
    if act == "extend":
        return game.deadline == _new_deadline(game, form)
    if act == "release":
        return game.status != "held"
    if act not in ("orders", "address", "replace", "hand_over", "remove"):
        return False
    seat = seating.seat_named(db, game.id, form.get("seat", ""))
    if act == "orders":
        newest = store.lists.newest(db, game.id, game.round).get(seat.number)
        # of a player's own list nothing is told, not even that it is the same
        typed = form.get("orders", "").strip()
        return newest is not None and newest.by_gm and newest.orders == typed
    if act == "remove":
        return seat.removed_at is not None
    if act == "hand_over":
        return seat.address == form.get("to")
    return seat.address == checked_address(form.get("address", "").strip()) and (
        act == "address" or seat.called == form.get("player", "").strip()
    )


def _extend(db: Database, game: Game, form: Form) -> bool:
    """With `longer` a next round that would be short ends one deadline later."""
    deadline = _new_deadline(game, form)
    return lead.extend(
        db, game.id, deadline, form.get("reason", ""), clock.now(), longer="longer" in form
    )


def _new_deadline(game: Game, form: Form) -> int:
    """By days or minutes from the regular deadline, so that the same button pressed six times
    moves it once; or to a moment.
    """
    if whole_number(form, "round") != game.round:
        raise Refusal(
            "other_round", game=game.id, round=game.round, asked=whole_number(form, "round")
        )
    if moment := form.get("to", "").strip():
        return read_moment(moment, game.schedule.zone)
    if game.scheduled_deadline is not None and "minutes" in form:
        return game.scheduled_deadline + whole_number(form, "minutes") * 60
    if "days" not in form:
        raise Refusal("no_choice")
    return extending.wished(game, days=whole_number(form, "days"))


def _rollback(db: Database, game: Game, form: Form) -> bool:
    number, wish = whole_number(form, "round"), instant(form, "deadline")
    return rollback.rollback(
        db, game.id, number, form.get("reason", ""), clock.now(), deadline=wish
    )


def _replace(db: Database, game: Game, form: Form) -> bool:
    with write(db):  # no orders arrive between the look and the act
        seat = seating.seat_named(db, game.id, form.get("seat", ""))
        newest = store.lists.newest(db, game.id, game.round)
        if form.get("orders") not in ("keep", "drop") and seat.number in newest:
            raise Refusal("keep_or_drop")
        return seating.replace_player(
            db,
            installation().link_key,
            game.id,
            form.get("seat", ""),
            player=form.get("player", "").strip(),
            address=form.get("address", "").strip(),
            language=form.get("language", ""),
            keep_orders=form.get("orders") == "keep",
            reason=form.get("reason", ""),
            now=clock.now(),
        )


def _hand_over(db: Database, game: Game, form: Form) -> bool:
    """Give a seat to somebody on the standby list of whoever is signed in; stored orders do not
    count any more.
    """
    for one in store.accounts.standby_of(db, master().address):
        if one["address"] == form.get("to"):
            return seating.replace_player(
                db,
                installation().link_key,
                game.id,
                form.get("seat", ""),
                player=str(one["name"]),
                address=str(one["address"]),
                language=str(one["language"]),
                keep_orders=False,
                reason="",
                now=clock.now(),
            )
    raise Refusal("not_on_standby")


def _add_seat(db: Database, game: Game, form: Form) -> bool:
    address = form.get("address", "").strip()
    create.add_seat(
        db,
        installation().link_key,
        game=game.id,
        name=form.get("name", "").strip(),
        address=address or None,
        language=form.get("language", ""),
        robot="robot" in form,
        strength=form.get("strength", ""),
        welcome=True,
    )
    return True


def _remove(db: Database, game: Game, form: Form) -> bool:
    seat = form.get("seat", "")
    if form.get("confirm", "").strip().casefold() != seat.casefold():
        raise Refusal("not_confirmed", name=seat)
    return seating.remove_seat(db, game.id, seat, form.get("reason", ""), clock.now())


def _abort(db: Database, game: Game, form: Form) -> bool:
    if form.get("confirm", "").strip().casefold() not in (game.name.casefold(), game.id):
        raise Refusal("not_confirmed", name=game.name)
    if not form.get("reason", "").strip():
        raise Refusal("no_reason")
    return lead.abort(db, game.id, form["reason"], clock.now())


def _invite(db: Database, game: Game, form: Form) -> bool:
    typed, language = [form.get("addresses", "")], form.get("language", "")
    return joining.invite(db, game.id, typed, language, clock.now()) > 0


def _link(db: Database, game: Game, form: Form) -> bool:
    if "renew" not in form:
        return seating.resend_link(db, game.id, form.get("seat", ""), clock.now())
    seating.renew_link(db, installation().link_key, game.id, form.get("seat", ""), clock.now())
    return True


def _again(db: Database, game: Game, form: Form) -> bool:
    """Send refused mails again, or forget them: those to a seat, or a single one."""
    with write(db):
        if form.get("mail"):
            mails = refused.named(
                db, [whole_number(form, "mail", DIGITS_OF_ID)], game.id, refused=True
            )
        else:
            mails = refused.of_seat(
                db, game.id, seating.seat_named(db, game.id, form.get("seat", "")).number
            )
        act = refused.forget if "forget" in form else refused.retry
        return act(db, mails, clock.now()) > 0


def _start(db: Database, game: Game, _: Form) -> bool:
    if game.status == "running":
        return False
    create.start_game(db, game.id, clock.now())
    return True


def _read(db: Database, game: Game, form: Form) -> bool:
    """Mark the words of a seat in a round as read, or all; words that came after the page was made
    stay unread.
    """
    until = whole_number(form, "until", DIGITS_OF_READING)
    if "seat" not in form:
        return inbox.read(db, game.id, until, clock.now())
    seat = seating.seat_named(db, game.id, form["seat"])
    return inbox.read_word(db, seat, whole_number(form, "round"), until, clock.now())


def _put_away(db: Database, game: Game, form: Form) -> bool:
    if form.get("kind") not in ("left", "silent"):
        raise Unusable("damaged")
    until = whole_number(form, "until", DIGITS_OF_READING)
    return todo.put_away(db, game.id, form["kind"], form.get("seat", ""), until)


def _comment(db: Database, game: Game, form: Form) -> bool:
    return create.comment(db, game.id, form.get("text", ""), clock.now())


ACTS: dict[str, Callable[[Database, Game, Form], Any]] = {
    "open": lambda db, game, _: create.open_game(db, game.id),
    "invite": _invite,
    "seat": _add_seat,
    "ask": lambda db, game, _: joining.ask_who_is_there(db, game.id, clock.now()),
    "start": _start,
    "extend": _extend,
    "pause": lambda db, game, form: lead.pause(db, game.id, form.get("reason", ""), clock.now()),
    "resume": lambda db, game, form: lead.resume(
        db, game.id, form.get("reason", ""), clock.now(), deadline=instant(form, "deadline")
    ),
    "release": lambda db, game, form: lead.release(
        db, game.id, form.get("reason", ""), clock.now()
    ),
    "remind": lambda db, game, _: reminding.remind_now(db, game.id, clock.now()),
    "comment": _comment,
    "read": _read,
    "put_away": _put_away,
    "announce": lambda db, game, form: lead.announce(
        db, game.id, form.get("text", ""), clock.now(), master().name
    ),
    "rollback": _rollback,
    "replace": _replace,
    "hand_over": _hand_over,
    "remove": _remove,
    "link": _link,
    "address": lambda db, game, form: seating.change_address(
        db,
        installation().link_key,
        game.id,
        form.get("seat", ""),
        form.get("address", "").strip(),
        clock.now(),
    ),
    "orders": lambda db, game, form: service.enter_orders(
        db, game.id, form.get("seat", ""), form.get("orders", ""), form.get("round", "")
    ),
    "master": lambda db, game, form: masters.add_master(
        db, game.id, form.get("address", "").strip()
    ),
    "again": _again,
    "abort": _abort,
    "archive": lambda db, game, _: lead.archive(db, game.id, clock.now()),
    "play_again": lambda db, game, _: once_more.play_again(
        db, installation().link_key, game, clock.now()
    ),
}
"""The acts by their name in the address."""
