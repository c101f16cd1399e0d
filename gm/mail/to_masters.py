"""Mail to game masters: what a player said, who joined, each report, and what went wrong."""

from collections.abc import Callable
from typing import Any

from sqlite_utils import Database

from gm import store
from gm.mail.letter import Letter
from gm.rendering.reports import report
from gm.rendering.zine import round_text


def _words(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """A player's words for a game master, as they stand now; an answer goes to the player."""
    mail = letter.mail
    seat = store.seats.numbered(db, letter.game.id, mail.of_seat)
    words = next(
        (
            w
            for w in store.lists.press(db, letter.game.id, mail.round)
            if w.seat == seat.number and w.to_gm
        ),
        None,
    )
    headers = {"Reply-To": seat.address} if seat.address else None
    return letter.compose("words", headers=headers, who=seat, said=words, desk=letter.desk)


def _joined(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """Who took a seat, and how many are taken now."""
    seats = store.seats.of_game(db, letter.game.id)
    who = next((seat for seat in seats if seat.number == letter.mail.of_seat), None)
    headers = {"Reply-To": who.address} if who and who.address else None
    return letter.compose("joined", headers=headers, who=who, taken=len(seats), desk=letter.desk)


def _gm_report(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """The public report."""
    told = report(db, letter.game, letter.mail.round)
    text = round_text(db, letter.installation, letter.game, told, letter.mail.language)
    return letter.compose("gm_report", round_text=text, desk=letter.desk)


def _alarm(_: Database, letter: Letter, __: dict[str, Any]) -> bytes:
    return letter.compose("alarm", desk=letter.desk)


def _gone(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """Who has left a running game, and who would take over."""
    dead = store.seats.dead_link(db, letter.mail.ref)
    standby = store.accounts.standby_of(db, letter.mail.address)
    return letter.compose("gone", dead=dead, standby=standby, desk=letter.desk)


def _refused(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """Whose address refuses mail, with the server's words."""
    about = store.mails.by_id(db, letter.mail.ref)
    seat = store.seats.numbered(db, about.game, about.seat) if about.seat else None
    return letter.compose("refused", about=about, who=seat, desk=letter.desk)


def _sign_in(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """The one-time link of a game master, as it is now."""
    master = store.accounts.get(db, letter.mail.address)
    if master is None:
        raise LookupError(f"mail {letter.mail.id} goes to nobody who signs in")
    button = letter.installation.url("password", who=master.address, number=master.link_number)
    return letter.compose("sign_in", button=button, until=master.link_ends)


KINDS: dict[str, Callable[[Database, Letter, dict[str, Any]], bytes]] = {
    "alarm": _alarm,
    "words": _words,
    "joined": _joined,
    "gm_report": _gm_report,
    "gone": _gone,
    "refused": _refused,
    "sign_in": _sign_in,
}
"""How each kind of mail to a game master is written."""
