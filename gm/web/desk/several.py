"""Acts on several games: what an act would do to each, the button that does it, and undoing it."""

import logging
import secrets
import sqlite3
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from flask import Blueprint, request, url_for
from flask.wrappers import Response
from werkzeug.datastructures import MultiDict

from gm import clock, errors, store
from gm.calendar import read_day
from gm.errors import Refusal
from gm.games import several
from gm.games.several import Asked, GameOutcome, Sender
from gm.store.acts import Act
from gm.store.games import Game
from gm.web.desk.frame import (
    DIGITS_OF_ID,
    desk_page,
    master,
    only_signed_in,
    read_desk_form,
    whole_number,
)
from gm.web.forms import Form, Unusable
from gm.web.page import database, error_page, see_other

log = logging.getLogger(__name__)

pages = Blueprint("several", __name__, url_prefix="/desk/several")
pages.before_request(only_signed_in)

KINDS = ("later", "left_out", "paused", "resumed", "reminded", "announced")
DAYS = ("1", "3", "7", "14", "0")
"""The days that the page offers to move by, from the regular deadlines."""
MOST_DAYS_OUT = 60
AT_ONCE_SECONDS = 2
"""How long a page works at an act; a pass does the rest."""


@pages.get("")
def preview() -> Response:
    """What an act would do to the ticked games. Nothing is changed."""
    values = request.args
    if len(values.getlist("game")) > several.MOST_GAMES:
        return see_other(
            url_for("desk.overview", said="many_games", lang=values.get("lang"), _anchor="all")
        )
    games = _games(values)
    if values.get("act") not in KINDS or not games:
        return see_other(
            url_for("desk.overview", said="no_game", lang=values.get("lang"), _anchor="all")
        )
    if any(len(text) > several.MOST_WORDS for text in values.values()):
        raise Unusable("too_large")
    return _preview(values, games)


@pages.post("")
def do() -> Response:
    """Do it to the games that are ticked, as far as two seconds go."""
    form, db, now = read_desk_form("game"), database(), clock.now()
    # what stays as it is is only carried along, for another look
    ticked = dict(text.split(":", 1) for text in form.getlist("game") if ":" in text)
    if len(ticked) > several.MOST_GAMES:
        raise Unusable("too_large")
    all_games = _games(form)
    games = [game for game in all_games if game.id in ticked]
    if form.get("act") not in KINDS or not form.get("token"):
        raise Unusable("damaged")
    try:
        asked = _asked(form, now)
        if not games:
            raise Refusal("no_game_ticked")
        if asked.kind == "announced" and not asked.words.strip():
            raise Refusal("no_comment")
    except Refusal as refusal:
        return _preview(form, all_games, refusal)
    seen = {game.id: ticked[game.id] for game in games}
    number = several.ask(db, asked, seen, _me(), now, token=f"{_me().address} {form['token']}")
    return _worked_at(number)


@pages.post("/undo")
def undo() -> Response:
    """Take back an act of one's own."""
    form, db = read_desk_form(), database()
    act = act_of_mine(whole_number(form, "act", DIGITS_OF_ID))
    if act is None:
        return error_page("not_found")
    try:
        number = several.undo(db, act, _me(), clock.now())
    except Refusal as refusal:
        lang = request.args.get("lang")
        to = url_for("desk.overview", done=act.id, said=refusal.code, lang=lang, _anchor="res")
        return see_other(to)
    return _worked_at(number)


def _worked_at(number: int) -> Response:
    """The desk with what became of an act, once some seconds were worked at it."""
    began, db = time.monotonic(), database()
    try:
        while time.monotonic() - began < AT_ONCE_SECONDS and several.go_on(db, clock.now()):
            pass
    except sqlite3.OperationalError:  # it is stored, and a pass goes on with it
        log.warning("act %s on several games waits", number, exc_info=True)
    lang = request.args.get("lang")
    return see_other(url_for("desk.overview", done=number, lang=lang, _anchor="res"))


def act_of_mine(number: int) -> Act | None:
    """An act that the game master who is signed in asked for; None also if it cannot be read."""
    act = store.acts.by_id(database(), number)
    if act is None or act.by_address != master().address:
        return None
    with errors.passed_over(f"act {number} on several games"):
        several.asked_of(act)
        return act
    return None


def _me() -> Sender:
    return Sender(master().address, master().name)


def _games(values: Form | Mapping[str, Any]) -> list[Game]:
    """The ticked games, in the order of the desk, but for those that somebody else leads by now.
    Raises Unusable if somebody else leads all of them.
    """
    ticked = [text.partition(":")[0] for text in values.getlist("game")]  # type: ignore[union-attr]
    mine = {game.id: game for game in store.games.led_by(database(), master().address)}
    if ticked and not set(ticked) & mine.keys():
        raise Unusable("gone")
    return [game for game in mine.values() if game.id in ticked]


def _asked(values: Mapping[str, str], now: int) -> Asked:
    """What is asked for. Raises Refusal for days that cannot be read."""
    kind, words = values["act"], values.get("words", "").strip()
    if kind == "later" and values.get("days") in DAYS:
        return Asked(kind, days=int(values["days"]), words=words)
    if kind == "later":
        if not values.get("to", "").strip():
            raise Refusal("no_choice")
        return Asked(kind, to=values["to"].strip(), words=words)
    if kind == "left_out":
        today = datetime.fromtimestamp(now, UTC).date()
        first = read_day(values.get("first", ""), today)
        last = read_day(values.get("last", "") or first.isoformat(), first)
        span = (last - first).days
        if not 0 <= span < MOST_DAYS_OUT:
            raise Refusal("bad_absence")
        days = tuple(first + timedelta(number) for number in range(span + 1))
        return Asked(kind, days_out=days, words=words)
    return Asked(kind, words=words)


def _preview(
    values: Mapping[str, str], games: Sequence[Game], refusal: Refusal | None = None
) -> Response:
    now = clock.now()
    found: list[GameOutcome] = []
    try:
        asked = _asked(values, now)
        if asked.kind == "announced":  # the words are written here
            asked = Asked(asked.kind, words=asked.words or "…")
        found = several.foresee(database(), asked, games, _me(), now)
    except Refusal as wrong:
        # the days are chosen here
        refusal = refusal or (wrong if values.get("first") or values.get("to") else None)
    return desk_page(
        "desk_several.html",
        422 if refusal else 200,
        act=values["act"],
        found=found,
        games=games,
        days=DAYS,
        holiday=_holiday(found, now),
        seen=several.seen,
        token=secrets.token_urlsafe(16),
        refusal=refusal,
        typed=MultiDict(values),
        now=now,
    )


def _holiday(found: Sequence[GameOutcome], now: int) -> tuple[date, date]:
    """The days from today to the last one before a deadline that is moved."""
    until = max((one.note.new or now for one in found if one.note), default=now)
    today, last = (datetime.fromtimestamp(at, UTC).date() for at in (now, until))
    return today, max(today, last - timedelta(1))
