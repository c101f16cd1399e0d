"""Mail to players and applicants: reports, receipts, reminders, news, and all about their seat."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from gm import errors, store
from gm.installation import Installation
from gm.mail.draft import Draft, RenderOnce, draft_of
from gm.mail.ics import calendar, calendar_of_several
from gm.open_round import standing
from gm.proof.fairness import proof, taken_back
from gm.proof.hindsight import look_back
from gm.rendering.reports import (
    Report,
    headlines,
    leading,
    near,
    own_line,
    own_views,
    ranking,
    ranks,
    report,
    rules_line,
    untold,
)
from gm.rendering.turns import parts_of, turn_of
from gm.store.db import Database
from gm.store.games import Game
from gm.store.mails import Mail
from gm.timetable import promises
from rounds.engine.witness import write

CANCELLING = ("paused", "aborted", "rollback", "again", "restored")
"""Kinds of notes after which an entry in a calendar may no longer be true."""


def _round_report(db: Database, draft: Draft, shared: dict[str, Any]) -> bytes:
    mail, seat = draft.mail, draft.words["seat"]
    if "report" not in shared:
        shared["report"] = _of_round(db, draft)
    if mail.language not in shared:
        shared[mail.language] = (RenderOnce(), RenderOnce())
        shared[f"each {mail.language}"] = (RenderOnce(), RenderOnce())
        shared[f"of {mail.language}"] = {
            "of": name_of(db, draft, mail.round),
            "next_of": name_of(db, draft, mail.round + 1),
            "next_moment": _moment(db, draft.game, mail.round + 1),
        }
    closed: Report = shared["report"]["report"]
    once: tuple[RenderOnce, RenderOnce] = shared[mail.language]
    each: tuple[RenderOnce, RenderOnce] = shared[f"each {mail.language}"]
    words = {
        **shared["report"],
        **shared[f"of {mail.language}"],
        "rules_line": rules_line(draft.game, mail.language),
        "me": seat.name,
        "have": own_line(draft.game, closed, seat, mail.language),
        "missed": any(deed.absent and deed.seat == seat.name for deed in closed.deeds),
        "stands": _standing(draft.game, closed, seat.name),
        "names_game": draft.installation.config.mail_name == "",
        "near": near(closed, seat.name),
        "earlier": untold(db, draft.game, mail.round, seat.name),
        "own": own_views(db, draft.game, closed, seat),
        "waits_for": draft.game.awaited_names if draft.game.round == mail.round + 1 else (),
        "comparison": f"{draft.words['public']}/r{mail.round}/versions"
        if (mail.about or 0) > 1
        else None,
    }
    html = (
        draft.render("report.html", **words, once=once[1], each=each[1])
        if draft.wants_html
        else None
    )
    is_start = mail.kind == "start"
    entry = (
        _invitation(db, draft, shared)
        if is_start
        else _entry(db, draft, shared, stands=draft.words["has_turn"])
    )
    return draft.compose(
        "report",
        html=html,
        invitation=entry,
        is_file=not is_start,
        shared=once,
        **words,
        once=once[0],
        each=each[0],
    )


def _of_round(db: Database, draft: Draft) -> dict[str, Any]:
    """What the reports of a round say to every recipient."""
    game, mail = draft.game, draft.mail
    closed = report(db, game, mail.round)
    return {
        "report": closed,
        "headlines": headlines(db, game, closed),
        "leading": leading(closed),
        "everybody": f"{draft.words['public']}/r{mail.round}"
        if mail.round
        else draft.words["public"],
        "deadline": _next_deadline(db, game, mail.round),
        "proof": proof(db, game, mail.round),
        "hindsight": look_back(db, game) if mail.kind == "final" else None,
        "previous": _previous(db, game) if mail.kind == "start" else None,
    }


def _previous(db: Database, game: Game) -> Game | None:
    """The game whose players said that they play on in this one."""
    before = store.seats.of_game(db, game.previous) if game.previous else []
    return store.games.get(db, game.previous or "") if any(s.again for s in before) else None


class _Place(NamedTuple):
    """Whoever has most points, and the rank of a seat."""

    leaders: tuple[str, ...]
    rank: int


def _standing(game: Game, closed: Report, name: str) -> _Place | None:
    """How a seat stands after a round; None at the start, and where there is no ranking."""
    places = ranks(game, closed)
    if not places:
        return None
    return _Place(tuple(seat for seat, rank in places.items() if rank == 1), places[name])


def name_of(db: Database, draft: Draft, number: int) -> str:
    """A game and a part of it as people count them, by the number of a round: "Acker, turn 5". The
    name alone before the start, after the end, and if the round before was taken back.
    """
    game = draft.game
    is_over = game.status == "finished" and number > game.round
    moment = None if is_over else _moment(db, game, number)
    return draft.render("of.txt", moment=moment, number=number).strip()


def _moment(db: Database, game: Game, number: int) -> Any:
    # what was taken back has no round before it any more
    before = store.rounds.get(db, game.id, number - 1) if number else None
    return game.engine.moment(store.rounds.table_of(db, game, before.state)) if before else None


def _receipt(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    game, mail, seat = draft.game, draft.mail, draft.words["seat"]
    revision = next(
        r
        for r in store.lists.revisions(db, game.id, mail.round, seat.number)
        if r.number == mail.about
    )
    table = store.rounds.table_after(db, game, mail.round - 1)
    orders = game.engine.read_orders(table, seat.name, revision.orders)
    press, to_gm = store.lists.own_press(db, seat, mail.round)
    places = [other.name for other in store.seats.of_game(db, game.id)]
    stands = standing(db, game)
    next_game = None
    # a game of the person this mail goes to, even if somebody else has the seat by now
    with errors.passed_over(f"the game that waits after {game.id}"):
        next_game = store.rounds.next_waiting(db, mail.address, game.id, draft.now)
    stop = None if revision.by_gm else _stop(draft, "receipts")
    return draft.compose(
        "receipt",
        headers=_one_click(stop) if stop else None,
        stop=stop,
        of=name_of(db, draft, mail.round),
        next_game=next_game,
        press=press,
        to_gm=to_gm,
        revision=revision,
        digest=revision.digest(seat.name),
        place=places.index(seat.name) + 1,
        # closed meanwhile, nothing can be changed
        deadline=game.deadline if game.round == mail.round else None,
        closes_early=stands.closes_early_at if game.round == mail.round else None,
        may_close_early=stands.may_close_early,
        open_until=stands.shown_open_until(draft.now) if game.round == mail.round else None,
        now=draft.now,
        steps=game.engine.preview(table, seat.name, orders),
    )


def _reminder(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """A reminder, or word of a turn that waits, with exactly what the stand-in would play."""
    game, seat = draft.game, draft.words["seat"]
    table = store.rounds.table_after(db, game, draft.mail.round - 1)
    steps = game.engine.preview(table, seat.name, game.engine.stand_in(table, seat.name))
    stop = _stop(draft)
    left = (draft.mail.deadline or 0) - draft.now
    return draft.compose(
        draft.mail.kind,
        headers=_one_click(stop),
        steps=steps,
        so_far=parts_of(db, game, turn_of(db, game, draft.mail.round)),
        stop=stop,
        left=left,
        of=name_of(db, draft, draft.mail.round),
    )


def _stop(draft: Draft, kind: str = "") -> str:
    """The page and the one click that end reminders, or mails of another kind."""
    url = draft.installation.url(
        "unsubscribe", draft.game.id, draft.words["seat"].name, draft.mail.link_number
    )
    return f"{url}/{kind}" if kind else url


def _one_click(stop: str) -> dict[str, str]:
    """The header from which mail programs make a button (RFC 8058)."""
    return {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def _news(db: Database, draft: Draft, shared: dict[str, Any]) -> bytes:
    note = store.notes.by_id(db, draft.mail.about or 0)
    newest = store.lists.newest(db, draft.game.id, draft.mail.round).get(draft.mail.seat or 0)
    own = store.lists.revisions(db, draft.game.id, draft.mail.round + 1, draft.mail.seat or 0)
    # orders are shown only to the person who sent them
    mine = [r for r in own if r.link_number == draft.mail.link_number]
    void = (
        [r for r in mine if r.void_at == note.at][:1]
        if note is not None and note.kind == "rollback"
        else []
    )
    ended = (
        proof(db, draft.game, draft.mail.round)
        if note is not None and note.kind == "aborted"
        else None
    )
    again = (
        report(db, draft.game, note.old)
        if note is not None and note.kind == "again" and note.old
        else None
    )
    words: dict[str, Any] = {
        "note": note,
        "of": name_of(db, draft, draft.mail.round),
        "old_of": again and name_of(db, draft, again.number),
        "withdrawn": [write(line) for line in taken_back([note] if note else [])],
        "newest": newest,
        "void": void,
        "proof": ended,
        "report": again,
        "ranking": ranking(draft.game, report(db, draft.game, draft.game.round - 1))
        if ended and draft.game.round > 1
        else [],
        "leading": again
        and tuple(dict.fromkeys([*leading(again), *near(again, draft.words["seat"].name)])),
        "everybody": again and f"{draft.words['public']}/r{again.number}",
    }
    wanted = note is not None and note.kind not in store.notes.ALWAYS_TOLD and note.kind != "again"
    headers = _one_click(_stop(draft, "news")) if wanted and draft.seat else None
    entry = None
    if note is not None and (note.new is not None or note.kind in CANCELLING):
        entry = _entry(db, draft, shared, stands=draft.words["has_turn"])
    return draft.compose("news", headers=headers, **words, invitation=entry)


def _ready(_: Database, draft: Draft, __: dict[str, Any]) -> bytes:
    """Whether an invited player is there, and when the first round would end."""
    return draft.compose("ready", ends=promises.at_start(draft.game, draft.now))


def of_several(
    db: Database, installation: Installation, batch: Sequence[Mail], now: int
) -> tuple[Mail, bytes]:
    """The first of some mails about one act to one person, which tells them all: a line for each
    seat, with its own link.
    """
    act = store.acts.by_id(db, batch[0].act or 0)
    assert act is not None
    of_none = replace(batch[0], kind="several", game=None, round=0, seat=None)
    draft = draft_of(installation, None, None, of_none, now)
    lines = [_line_of_several(db, draft, mail) for mail in batch]
    entries = [
        (line["game"], line["game"].awaits(line["seat"].name))
        for line in lines
        if line["game"].deadline is not None and line["note"] and line["note"].kind != "announced"
    ]
    stop = installation.url("news_of_act", who=of_none.address, number=act.id)
    if not any(line["seat"].html for line in lines):
        draft = replace(draft, seat=lines[0]["seat"])  # text alone
    data = draft.compose(
        "several",
        headers={"Reply-To": f"{act.by_name} <{act.by_address}>", **_one_click(stop)},
        act=act,
        note=store.notes.by_id(db, batch[0].about or 0),
        lines=lines,
        now=now,
        stop=stop,
        invitation=calendar_of_several(installation, entries, of_none.language, now)
        if entries
        else None,
    )
    return draft.mail, data


def _line_of_several(db: Database, draft: Draft, mail: Mail) -> dict[str, Any]:
    game = store.games.existing(db, mail.game or "")
    seat = store.seats.numbered(db, game.id, mail.seat or 0)
    note = store.notes.by_id(db, mail.about) if mail.about is not None else None
    moment = _moment(db, game, mail.round)
    return {
        "game": game,
        "seat": seat,
        "mail": mail,
        "note": note and replace(note, text=""),  # said once, above
        "of": draft.render("of.txt", game=game, moment=moment, number=mail.round).strip(),
        "link": draft.installation.url("seat", game.id, seat.name, mail.link_number),
        "newest": store.lists.newest(db, game.id, mail.round).get(seat.number),
    }


def _called_off(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    return draft.compose("called_off", note=store.notes.by_id(db, draft.mail.about or 0))


def _confirm(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """The button for an applicant, and the promise behind the deck."""
    asked = store.requests.joining(db, draft.mail.about or 0)
    if asked is None:
        raise LookupError(f"request {draft.mail.about} for a seat in {draft.game.id} is gone")
    button = draft.installation.url("joining", asked.game, asked.address, asked.id)
    return draft.compose(
        "confirm" if asked.seat is None else "confirm_move",
        asked=asked,
        button=button,
        **about(db, draft),
    )


def _moved(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """The mails of a seat go to another address: for the old address, and for the new one with
    the new link.
    """
    note = store.notes.by_id(db, draft.mail.about or 0)
    return draft.compose(draft.mail.kind, note=note)


def _seat_gone(db: Database, draft: Draft, shared: dict[str, Any]) -> bytes:
    """For somebody who lost a seat, or left it: why, and what is left to do."""
    dead = store.seats.dead_link(db, draft.mail.about or 0)
    if dead is None:
        raise LookupError(f"nothing is known of the link that mail {draft.mail.id} tells of")
    entry = _entry(db, draft, shared, stands=False) if draft.game.deadline is not None else None
    return draft.compose(draft.mail.kind, dead=dead, invitation=entry)


def _welcome(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    return draft.compose("welcome", **about(db, draft))


def about(db: Database, draft: Draft) -> dict[str, Any]:
    """What `about.txt` tells of a game: who is in, and its house rules if it has any."""
    return {
        "players": [seat.name for seat in store.seats.of_game(db, draft.game.id)],
        "rules_line": rules_line(draft.game, draft.mail.language),
    }


def _invite(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    mail = draft.mail
    button = draft.installation.url("invited", draft.game.id, mail.address, mail.id)
    return draft.compose("invite", button=button, **about(db, draft))


def _takeover(db: Database, draft: Draft, shared: dict[str, Any]) -> bytes:
    """For somebody who takes over a seat: the link, where the game stands, and whether the
    former player's orders still count.
    """
    newest = store.lists.newest(db, draft.game.id, draft.game.round).get(draft.mail.seat or 0)
    return draft.compose(
        "takeover",
        newest=newest,
        invitation=_invitation(db, draft, shared),
        **about(db, draft),
    )


def _my_games(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """The link to all seats of an address."""
    mail = draft.mail
    url = draft.installation.url("my_games", who=mail.address, number=mail.queued_at)
    seats = store.seats.at(db, mail.address)
    zone = store.games.existing(db, seats[0].game).schedule.zone if seats else "UTC"
    until = mail.queued_at + store.accounts.MY_GAMES_SECONDS
    return draft.compose("my_games", my_games=url, until=until, zone=zone)


def _link(_: Database, draft: Draft, __: dict[str, Any]) -> bytes:
    return draft.compose("link")


def _plain(_: Database, draft: Draft, __: dict[str, Any]) -> bytes:
    """A mail that needs no words but those of every mail."""
    return draft.compose(draft.mail.kind)


def _next_deadline(db: Database, game: Game, number: int) -> int | None:
    """The deadline of the round after this one, even if that is closed already; None after the
    last.
    """
    if game.round == number + 1:
        return game.deadline
    following = store.rounds.get(db, game.id, number + 1)
    return following.deadline if following else None


def _invitation(db: Database, draft: Draft, shared: dict[str, Any]) -> bytes | None:
    """The recipient's deadline for a calendar; None without one."""
    if draft.game.deadline is None or (draft.seat and not draft.words["has_turn"]):
        return None
    return _entry(db, draft, shared, stands=True)


def _entry(db: Database, draft: Draft, shared: dict[str, Any], *, stands: bool) -> bytes | None:
    """The game's entry in a calendar, cancelled if it does not stand for this recipient; None if
    there never was one.
    """
    game, language = draft.game, draft.mail.language
    if game.deadline is None and not _had_deadline(db, game):
        return None
    key = f"calendar {language} {stands}"
    if key not in shared:
        shared[key] = calendar(draft.installation, game, language, draft.now, has_turn=stands)
    made: bytes = shared[key]
    return made


def _had_deadline(db: Database, game: Game) -> bool:
    """True if the round before had a deadline, in a game that has none now."""
    if game.status == "finished":
        return game.scheduled_deadline is not None
    early = [
        note
        for note in store.notes.of_this_play(db, game.id, game.round - 1)
        if note.kind in store.notes.CLOSED_EARLY
    ]
    return game.round > 1 and all(note.old is not None for note in early)


WRITERS: dict[str, Callable[[Database, Draft, dict[str, Any]], bytes]] = {
    "start": _round_report,
    "report": _round_report,
    "final": _round_report,
    "receipt": _receipt,
    "reminder": _reminder,
    "row": _reminder,
    "news": _news,
    "called_off": _called_off,
    "confirm": _confirm,
    "lost": _seat_gone,
    "left": _seat_gone,
    "welcome": _welcome,
    "receipts_off": _plain,
    "gm_tried": _plain,
    "link": _link,
    "link_again": _link,
    "link_new": _link,
    "link_own": _link,
    "link_restored": _link,
    "moved_away": _moved,
    "moved_here": _moved,
    "invite": _invite,
    "my_games": _my_games,
    "takeover": _takeover,
    "ready": _ready,
}
"""How each kind of mail to a player is written."""
