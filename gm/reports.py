"""From a stored round to the words of its mails: views and events go in, finished bytes come out. No rule is decided here."""

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime as mail_date
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct
from sqlite_utils import Database

from gm import seeds, store
from gm.installation import Installation
from gm.mail import serialise
from gm.render import for_variant, render
from gm.store import Game, Mail, Seat
from rounds.events import Absent, AnyEvent, FinalHarvest, Harvested, Planted, Plowed

log = logging.getLogger(__name__)


class Deed(Struct, frozen=True):
    """What one seat did in a round, or what the stand-in did for it."""

    seat: str
    absent: bool
    events: tuple[AnyEvent, ...]
    final: tuple[FinalHarvest, ...]


class Report(Struct, frozen=True):
    """One closed round as anybody may see it; number 0 is the start, which has no `before` and no deeds."""

    number: int
    closed_at: int
    before: Any
    after: Any
    events: tuple[AnyEvent, ...]
    deeds: tuple[Deed, ...]
    press: tuple[tuple[str, str], ...]
    notes: tuple[store.Note, ...]


def report(db: Database, game: Game, number: int) -> Report:
    """The report of a closed round. Raises LookupError if the round is not closed."""
    return next(reports(db, game, [n for n in (number - 1, number) if n >= 0]))


def reports(db: Database, game: Game, numbers: Sequence[int] | None = None) -> Iterator[Report]:
    """The reports of consecutive closed rounds, newest first; of all rounds if none are named. The first one needs the round
    before it.

    Raises LookupError if a named round is not closed.
    """
    closed = [c for c in store.closed_rounds(db, game.id) if numbers is None or c.number in numbers]
    if numbers is not None and len(closed) != len(numbers):
        raise LookupError(f"rounds {numbers} of {game.id} are not all closed")
    variant, deck, cards = game.rules, seeds.deck(game.variant), store.cards(db, game)
    views = [variant.view(variant.unpack(c.state.encode(), deck, cards), None) for c in closed]
    names = {seat.number: seat.name for seat in store.seats(db, game.id)}
    for index in range(len(closed) - 1, -1, -1):
        this = closed[index]
        if index == 0 and this.number:
            return
        happened = this.happened
        yield Report(
            number=this.number,
            closed_at=this.closed_at,
            before=views[index - 1] if this.number else None,
            after=views[index],
            events=happened,
            deeds=tuple(deed(name, happened) for name in this.lists),
            press=tuple((names[p.seat], p.text) for p in store.press(db, game.id, this.number) if p.text),
            notes=tuple(store.notes(db, game.id, this.number)),
        )


def rules_line(game: Game, language: str) -> str:
    """The house rules of a game in one line."""
    rules = msgspec.json.decode(game.house_rules, type=game.rules.house_rules)
    return render(language, for_variant(game.variant, "rules.txt"), rules=rules).strip()


def deed(seat: str, events: Sequence[AnyEvent]) -> Deed:
    """What happened to one seat's farm."""
    own = tuple(event for event in events if isinstance(event, Planted | Harvested | Plowed) and event.seat == seat)
    final = tuple(event for event in events if isinstance(event, FinalHarvest) and event.seat == seat)
    return Deed(seat, any(isinstance(event, Absent) and event.seat == seat for event in events), own, final)


def write_mails(db: Database, installation: Installation, batch: Sequence[Mail]) -> Iterator[tuple[Mail, bytes]]:
    """The finished bytes of mails of one kind for one round of one game.

    What all seats share is rendered once per language. A template that fails costs one mail its words, never the round its mails.
    """
    game = store.game(db, batch[0].game)
    if game is None:
        raise LookupError(f"mail {batch[0].id} belongs to no game")
    seats = {seat.number: seat for seat in store.seats(db, game.id)}
    write = _receipt if batch[0].kind == "receipt" else _round_report
    shared: dict[str, Any] = {}
    for mail in batch:
        seat = seats[mail.seat]
        words = _frame(installation, game, seat, mail)
        try:
            yield mail, write(db, game, seat, mail, words, shared)
        except Exception:  # the fallback must not depend on what failed
            log.exception("mail %s (%s of round %s of %s) could not be written", mail.id, mail.kind, mail.round, game.id)
            subject = render(mail.language, "mail/fallback.subject.txt", **words)
            text = render(mail.language, "mail/fallback.txt", **words)
            yield mail, serialise(_headers(installation, game, mail, subject), text)


def _round_report(db: Database, game: Game, seat: Seat, mail: Mail, words: dict[str, Any], shared: dict[str, Any]) -> bytes:
    if "report" not in shared:
        shared["report"] = report(db, game, mail.round)
        shared["deadline"] = _next_deadline(db, game, mail.round)
    told: Report = shared["report"]
    me = told.after.farm(seat.name) if hasattr(told.after, "farm") else None
    words = words | {"report": told, "deadline": shared["deadline"], "me": me}
    if mail.language not in shared:
        words["rules_line"] = rules_line(game, mail.language)
        shared[mail.language] = {
            ending: render(mail.language, for_variant(game.variant, f"report.{ending}"), **words) for ending in ("txt", "html")
        }
    body = shared[mail.language]
    text = render(mail.language, "mail/report.txt", **words, body=body["txt"])
    html = render(mail.language, "mail/report.html", **words, body=Markup(body["html"]))  # noqa: S704  # escaped when rendered
    subject = render(mail.language, "mail/report.subject.txt", **words)
    return serialise(_headers(words["installation"], game, mail, subject), text, html)


def _next_deadline(db: Database, game: Game, number: int) -> int | None:
    """The deadline of the round after this one, also if that is closed already; None after the last."""
    if game.round == number + 1:
        return game.deadline
    following = store.closed_round(db, game.id, number + 1)
    return following.deadline if following else None


def _receipt(db: Database, game: Game, seat: Seat, mail: Mail, words: dict[str, Any], shared: dict[str, Any]) -> bytes:
    revision = next(r for r in store.revisions(db, game.id, mail.round, seat.number) if r.number == mail.revision)
    table = store.table_after(db, game, mail.round - 1)
    orders = game.rules.read_orders(table, seat.name, revision.orders)
    words = words | {
        "revision": revision,
        "deadline": _next_deadline(db, game, mail.round - 1),
        "steps": game.rules.preview(table, seat.name, orders),
        "result_template": for_variant(game.variant, "result.txt"),
    }
    text = render(mail.language, "mail/receipt.txt", **words)
    subject = render(mail.language, "mail/receipt.subject.txt", **words)
    return serialise(_headers(words["installation"], game, mail, subject), text)


def _frame(installation: Installation, game: Game, seat: Seat, mail: Mail) -> dict[str, Any]:
    """What every mail to a seat says: whose it is, of which game, and the two links."""
    return {
        "installation": installation,
        "game": game,
        "zone": game.schedule.zone,
        "seat": seat,
        "mail": mail,
        "link": installation.seat_url(game.id, seat.name, mail.link_number),
        "public": installation.game_url(game.id),
    }


def _headers(installation: Installation, game: Game, mail: Mail, subject: str) -> dict[str, str]:
    domain = installation.config.mail_domain
    return {
        "From": installation.config.mail_from,
        "To": mail.address,
        "Reply-To": game.gm_address,
        "Subject": subject.strip(),
        "Date": mail_date(datetime.fromtimestamp(mail.queued_at, UTC)),
        "Message-ID": mail.message_id,
        "References": f"<{game.id}.{game.created_at}@{domain}>",
        "List-Id": f"<{game.id}.{domain}>",
        "Auto-Submitted": "auto-generated",
    }
