"""The mails as finished bytes: each kind is a pair of templates, a subject and a text (reports have HTML beside it)."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime as mail_date
from typing import Any

from msgspec import Struct
from sqlite_utils import Database

from gm import errors, store
from gm.installation import Installation
from gm.mail.ics import calendar
from gm.mail.mime import serialise
from gm.proof.fairness import proof, taken_back
from gm.proof.hindsight import look_back
from gm.rendering.reports import Report, leading, near, report, rules_line
from gm.rendering.sentences import for_variant, render
from gm.rendering.zine import round_text
from gm.store import Game, Mail, Seat

log = logging.getLogger(__name__)


class RenderOnce:
    """What all mails of a round have in common in one language, made with the first: `{% call once('head') %} … {% endcall %}`.

    Nothing inside may be one reader's own.
    """

    def __init__(self) -> None:
        """Nothing is made yet."""
        self.pieces: dict[str, str] = {}

    def __call__(self, name: str, caller: Callable[[], str]) -> str:
        """The piece of this name."""
        if name not in self.pieces:
            self.pieces[name] = caller()
        return self.pieces[name]


class Letter(Struct, frozen=True):
    """What a mail is written from. `seat` None: it goes to the game master; `words`: what every template knows."""

    installation: Installation
    game: Game
    mail: Mail
    seat: Seat | None
    words: dict[str, Any]
    now: int

    def render(self, template: str, **more: Any) -> str:
        """A template of `templates/mail/` in the reader's language."""
        return render(self.mail.language, f"mail/{template}", **self.words | more)


def write_mails(
    db: Database, installation: Installation, batch: Sequence[Mail], now: int
) -> Iterator[tuple[Mail, bytes | Exception]]:
    """The finished bytes of mails of one kind for one round of one game, or why not even its fallback could be written.

    What all seats share is rendered once per language. A template that fails costs one mail its words, never the round its mails.
    """
    game = store.game(db, batch[0].game)
    if game is None:
        raise LookupError(f"mail {batch[0].id} belongs to no game")
    seats = {seat.number: seat for seat in store.seats(db, game.id)}
    shared: dict[str, Any] = {}
    for mail in batch:
        letter = _letter(installation, game, seats.get(mail.seat or 0), mail, now)
        try:
            yield mail, KINDS[mail.kind](db, letter, shared)
        except Exception as trouble:  # the fallback must not depend on what failed
            if errors.is_environment(trouble):
                raise
            log.exception("mail %s (%s of round %s of %s) could not be written", mail.id, mail.kind, mail.round, game.id)
            try:
                fallback: bytes | Exception = _serialise(letter, "fallback")
            except Exception as error:
                fallback = error
            yield mail, fallback


def _round_report(db: Database, letter: Letter, shared: dict[str, Any]) -> bytes:
    mail, seat = letter.mail, letter.words["seat"]
    if "report" not in shared:
        shared["report"] = _of_round(db, letter)
    if mail.language not in shared:
        shared[mail.language] = (RenderOnce(), RenderOnce())
    told: Report = shared["report"]["report"]
    once: tuple[RenderOnce, RenderOnce] = shared[mail.language]
    words = {
        **shared["report"],
        "rules_line": rules_line(letter.game, mail.language),
        "me": told.after.farm(seat.name) if hasattr(told.after, "farm") else None,
        "near": near(told, seat.name),
        "comparison": f"{letter.words['public']}/r{mail.round}/versions" if mail.ref and mail.kind != "start" else None,
    }
    html = letter.render("report.html", **words, once=once[1]) if seat.html else None
    invitation = _invitation(letter, shared) if mail.kind != "final" else None
    return _serialise(letter, "report", html=html, invitation=invitation, shared=once, **words, once=once[0])


def _of_round(db: Database, letter: Letter) -> dict[str, Any]:
    """What the reports of a round say to every reader."""
    game, mail = letter.game, letter.mail
    told = report(db, game, mail.round)
    return {
        "report": told,
        "leading": leading(told),
        "everybody": f"{letter.words['public']}/r{mail.round}" if mail.round else letter.words["public"],
        "deadline": _next_deadline(db, game, mail.round),
        "proof": proof(db, game, mail.round),
        "hindsight": look_back(db, game) if mail.kind == "final" else None,
    }


def _receipt(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    game, mail, seat = letter.game, letter.mail, letter.words["seat"]
    revision = next(r for r in store.revisions(db, game.id, mail.round, seat.number) if r.number == mail.ref)
    table = store.table_after(db, game, mail.round - 1)
    orders = game.engine.read_orders(table, seat.name, revision.orders)
    press, to_gm = store.own_press(db, game, seat, mail.round)
    return _serialise(
        letter,
        "receipt",
        headers=None if revision.by_gm else _one_click(_stop(letter, "receipts")),
        press=press,
        to_gm=to_gm,
        revision=revision,
        digest=revision.digest(seat.name),
        deadline=_next_deadline(db, game, mail.round - 1),
        steps=game.engine.preview(table, seat.name, orders),
        result_template=for_variant(game.variant, "result.txt"),
    )


def _reminder(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """With exactly what the stand-in would play."""
    game, seat = letter.game, letter.words["seat"]
    table = store.table_after(db, game, letter.mail.round - 1)
    steps = game.engine.preview(table, seat.name, game.engine.stand_in(table, seat.name))
    stop = _stop(letter)
    left = letter.mail.deadline - letter.now
    return _serialise(letter, "reminder", headers=_one_click(stop), steps=steps, stop=stop, left=left)


def _stop(letter: Letter, kind: str = "") -> str:
    """The page and the one click that switch off reminders, or mails of another kind."""
    url = letter.installation.unsubscribe_url(letter.game.id, letter.words["seat"].name, letter.mail.link_number)
    return f"{url}/{kind}" if kind else url


def _one_click(stop: str) -> dict[str, str]:
    """What mail programs make a button of (RFC 8058)."""
    return {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def _news(db: Database, letter: Letter, shared: dict[str, Any]) -> bytes:
    note = store.note_by_id(db, letter.mail.ref)
    newest = store.newest_revisions(db, letter.game.id, letter.mail.round).get(letter.mail.seat or 0)
    own = store.revisions(db, letter.game.id, letter.mail.round + 1, letter.mail.seat or 0)
    mine = [r for r in own if r.link_number == letter.mail.link_number]  # a list is for who sent it alone
    void = [r for r in mine if r.void_at == note.at][:1] if note is not None and note.kind == "rollback" else []
    ended = proof(db, letter.game, letter.mail.round) if note is not None and note.kind == "aborted" else None
    again = report(db, letter.game, note.old) if note is not None and note.kind == "again" and note.old else None
    words: dict[str, Any] = {
        "note": note,
        "withdrawn": taken_back(db, note) if note is not None and note.kind == "rollback" else [],
        "newest": newest,
        "void": void,
        "proof": ended,
        "report": again,
        "leading": again and {*leading(again), *near(again, letter.words["seat"].name)},
        "everybody": again and f"{letter.words['public']}/r{again.number}",
    }
    wanted = note is not None and note.kind not in store.ALWAYS_TOLD and note.kind != "again"
    headers = _one_click(_stop(letter, "news")) if wanted and letter.seat else None
    return _serialise(letter, "news", headers=headers, **words, invitation=_invitation(letter, shared))


def _confirm(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """The button for who asked for a seat, and the promise behind the deck."""
    asked = store.joining(db, letter.mail.ref)
    if asked is None:
        raise LookupError(f"request {letter.mail.ref} for a seat in {letter.game.id} is gone")
    button = letter.installation.joining_url(asked.game, asked.address, asked.id)
    return _serialise(letter, "confirm" if asked.seat is None else "confirm_move", asked=asked, button=button)


def _moved(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """That the mails of a seat go to another address: for the address before, and for the new one, with the new link."""
    note = store.note_by_id(db, letter.mail.ref)
    return _serialise(letter, letter.mail.kind, note=note)


def _dropped(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """For who was asked before the start and did not answer: the seat is gone, and what is left to do."""
    gone = store.given_up(db, letter.mail.ref)
    if gone is None:
        raise LookupError(f"nothing is known of the seat that mail {letter.mail.id} tells of")
    return _serialise(letter, "dropped", gone=gone, offer=letter.installation.standby_url(gone.game, gone.address, gone.id))


def _lost(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """For who held a seat that somebody else plays now, or nobody: why, and what is left to do."""
    dead = store.dead_link(db, letter.mail.ref)
    if dead is None:
        raise LookupError(f"nothing is known of the link that mail {letter.mail.id} tells of")
    return _serialise(letter, "lost", dead=dead)


def _welcome(_: Database, letter: Letter, __: dict[str, Any]) -> bytes:
    return _serialise(letter, "welcome", rules_line=rules_line(letter.game, letter.mail.language))


def _invite(_: Database, letter: Letter, __: dict[str, Any]) -> bytes:
    game = letter.game
    door = f"{letter.words['public']}/join" if game.listed else letter.installation.invitation_url(game.id)
    return _serialise(letter, "invite", invitation_page=door)


def _takeover(db: Database, letter: Letter, shared: dict[str, Any]) -> bytes:
    """For who steps in: the link, where the game stands, and whether the list of the one before still counts."""
    newest = store.newest_revisions(db, letter.game.id, letter.mail.round).get(letter.mail.seat or 0)
    return _serialise(letter, "takeover", newest=newest, invitation=_invitation(letter, shared))


def _ready(_: Database, letter: Letter, __: dict[str, Any]) -> bytes:
    return _serialise(letter, "ready")


def _link(_: Database, letter: Letter, __: dict[str, Any]) -> bytes:
    return _serialise(letter, "link")


def _words(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """A player's words for a game master, as they stand now; an answer goes to the player."""
    mail = letter.mail
    seat = store.seat(db, letter.game.id, mail.of_seat)
    said = next((w for w in store.press(db, letter.game.id, mail.round) if w.seat == seat.number and w.to_gm), None)
    headers = {"Reply-To": seat.address} if seat.address else None
    return _serialise(letter, "words", headers=headers, who=seat, said=said, desk=_desk(letter))


def _joined(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """Who took a seat, and how many there are now."""
    seats = store.seats(db, letter.game.id)
    who = next((seat for seat in seats if seat.number == letter.mail.of_seat), None)
    headers = {"Reply-To": who.address} if who and who.address else None
    return _serialise(letter, "joined", headers=headers, who=who, taken=len(seats), desk=_desk(letter))


def _gm_report(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """The report as everybody may read it, without a personal link."""
    told = report(db, letter.game, letter.mail.round)
    text = round_text(letter.installation, letter.game, told, letter.mail.language)
    return _serialise(letter, "gm_report", round_text=text, desk=_desk(letter))


def _desk(letter: Letter) -> str:
    return f"{letter.installation.config.base_url}/desk/game/{letter.game.id}"


def _alarm(_: Database, letter: Letter, __: dict[str, Any]) -> bytes:
    return _serialise(letter, "alarm", desk=_desk(letter))


def _refused(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """For game masters: whose address refuses mail, with the server's words."""
    about = store.mail_by_id(db, letter.mail.ref)
    seat = store.seat(db, about.game, about.seat) if about.seat else None
    return _serialise(letter, "refused", about=about, who=seat, desk=_desk(letter))


def _sign_in(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """The one-time link of a game master, as it is now."""
    master = store.gm_of(db, letter.mail.address)
    if master is None:
        raise LookupError(f"mail {letter.mail.id} goes to nobody who signs in")
    button = letter.installation.password_url(master.address, master.link_number)
    return _serialise(letter, "sign_in", button=button, until=master.link_ends)


KINDS: dict[str, Callable[[Database, Letter, dict[str, Any]], bytes]] = {
    "start": _round_report,
    "report": _round_report,
    "final": _round_report,
    "receipt": _receipt,
    "reminder": _reminder,
    "news": _news,
    "confirm": _confirm,
    "dropped": _dropped,
    "lost": _lost,
    "welcome": _welcome,
    "link": _link,
    "link_again": _link,
    "link_new": _link,
    "moved_away": _moved,
    "moved_here": _moved,
    "invite": _invite,
    "takeover": _takeover,
    "ready": _ready,
    "alarm": _alarm,
    "words": _words,
    "joined": _joined,
    "gm_report": _gm_report,
    "refused": _refused,
    "sign_in": _sign_in,
}


def _next_deadline(db: Database, game: Game, number: int) -> int | None:
    """The deadline of the round after this one, also if that is closed already; None after the last."""
    if game.round == number + 1:
        return game.deadline
    following = store.closed_round(db, game.id, number + 1)
    return following.deadline if following else None


def _invitation(letter: Letter, shared: dict[str, Any]) -> bytes | None:
    """The deadline as a calendar file, the same for all readers of a language; None where there is no deadline."""
    game, language = letter.game, letter.mail.language
    if game.deadline is None:
        return None
    key = f"calendar {language}"
    if key not in shared:
        domain = letter.installation.config.mail_domain
        shared[key] = calendar(game, language, letter.words["public"], domain, letter.now)
    made: bytes = shared[key]
    return made


def _letter(installation: Installation, game: Game, seat: Seat | None, mail: Mail, now: int) -> Letter:
    """What every mail says: whose it is, of which game, and the links."""
    words: dict[str, Any] = {
        "game": game,
        "zone": game.schedule.zone,
        "mail": mail,
        "public": installation.game_url(game),
    }
    if seat is None:
        words["settings"] = f"{installation.config.base_url}/desk/settings"
    else:
        link = installation.seat_url(game.id, seat.name, mail.link_number)
        words |= {"seat": seat, "link": link, "settings": f"{link}/mail"}
    return Letter(installation, game, mail, seat, words, now)


def _serialise(
    letter: Letter,
    name: str,
    *,
    html: str | None = None,
    invitation: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    shared: tuple[RenderOnce, RenderOnce] | None = None,
    **words: Any,
) -> bytes:
    """Headers, text and the rest of a mail.

    All mails of a game hang on one reference, so mail programs show them as one thread.
    """
    game, mail, config = letter.game, letter.mail, letter.installation.config
    thread = f"<{game.id}.{game.created_at}@{config.mail_domain}>"
    common = {
        "From": f"{config.mail_name or game.name} <{config.mail_address}>",
        "To": mail.address,
        "Reply-To": game.gm_address,
        "Subject": letter.render(f"{name}.subject.txt", **words).strip(),
        "Date": mail_date(datetime.fromtimestamp(letter.now, UTC)),
        "Message-ID": mail.message_id,
        "In-Reply-To": thread,
        "References": thread,
        "List-Id": f"<{game.id}.{config.mail_domain}>",
        "Auto-Submitted": "auto-generated",
    }
    text = letter.render(f"{name}.txt", **words)
    of_text, of_html = (tuple(once.pieces.values()) for once in shared) if shared else ((), ())
    return serialise({**common, **(headers or {})}, text, html, invitation, (of_text, of_html))
