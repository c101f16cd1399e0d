"""Mail to game masters: what a player said, who joined, each report, and what went wrong."""

from collections.abc import Callable
from typing import Any

from gm import store
from gm.mail.draft import Draft, RenderOnce
from gm.mail.to_followers import told_round
from gm.store.db import Database


def _words(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """A player's words for a game master, as they stand now; an answer goes to the player."""
    mail = draft.mail
    seat = store.seats.numbered(db, draft.game.id, mail.about or 0)
    words = next(
        (
            w
            for w in store.lists.press(db, draft.game.id, mail.round)
            if w.seat == seat.number and w.to_gm
        ),
        None,
    )
    headers = {"Reply-To": seat.address} if seat.address else None
    return draft.compose("words", headers=headers, who=seat, said=words, desk=draft.desk)


def _joined(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """Who took a seat, and how many are taken now."""
    seats = store.seats.of_game(db, draft.game.id)
    who = next((seat for seat in seats if seat.number == draft.mail.about or 0), None)
    headers = {"Reply-To": who.address} if who and who.address else None
    return draft.compose("joined", headers=headers, who=who, taken=len(seats), desk=draft.desk)


def _gm_report(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """The public report."""
    words = {**told_round(db, draft), "desk": draft.desk}
    html = draft.render("round.html", **words, once=RenderOnce())
    return draft.compose("gm_report", html=html, **words)


def _alarm(_: Database, draft: Draft, __: dict[str, Any]) -> bytes:
    return draft.compose("alarm", desk=draft.desk)


def _gone(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """Who has left a running game, and who would take over."""
    dead = store.seats.dead_link(db, draft.mail.about or 0)
    standby = store.accounts.standby_of(db, draft.mail.address)
    return draft.compose("gone", dead=dead, standby=standby, desk=draft.desk)


def _refused(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """Whose address refuses mail, with the server's words."""
    about = store.mails.by_id(db, draft.mail.about or 0)
    seat = store.seats.numbered(db, about.game, about.seat) if about.game and about.seat else None
    return draft.compose("refused", about=about, who=seat, desk=draft.desk)


def _sign_in(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """The one-time link of a game master, as it is now."""
    master = store.accounts.get(db, draft.mail.address)
    if master is None:
        raise LookupError(f"mail {draft.mail.id} goes to nobody who signs in")
    button = draft.installation.url("password", who=master.address, number=master.link_number)
    newest = store.games.newest_id_led_by(db, master.address)
    zone = store.games.existing(db, newest).schedule.zone if newest else "UTC"
    return draft.compose("sign_in", button=button, until=master.link_ends, zone=zone)


WRITERS: dict[str, Callable[[Database, Draft, dict[str, Any]], bytes]] = {
    "alarm": _alarm,
    "words": _words,
    "joined": _joined,
    "gm_report": _gm_report,
    "gone": _gone,
    "refused": _refused,
    "sign_in": _sign_in,
}
"""How each kind of mail to a game master is written."""
