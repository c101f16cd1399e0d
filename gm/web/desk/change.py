"""Changing a game at the desk: calendar, name and settings, with old and new deadlines side by
side before anything is saved.
"""

import hashlib
from typing import Any

from flask import Blueprint, request, url_for
from flask.wrappers import Response
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from gm import clock
from gm.calendar import WEEKDAYS, Rule
from gm.errors import Refusal
from gm.games import changes
from gm.games.changes import Changed, Wish
from gm.store.games import Game
from gm.web.desk.frame import desk_page, game_of_master, only_signed_in, read_desk_form
from gm.web.desk.game_form import read_after_early, read_calendar, read_early_after, read_seats
from gm.web.forms import Form
from gm.web.page import database, error_page, see_other

pages = Blueprint("change", __name__, url_prefix="/desk")
pages.before_request(only_signed_in)


@pages.get("/game/<game_id>/change")
def change_page(game_id: str) -> Response:
    """The form, filled in with the game as it stands."""
    game = game_of_master(game_id)
    if game is None or game.status == "finished":
        return error_page("not_found")
    return _form_page(game, _as_typed(game))


@pages.post("/game/<game_id>/change")
def change(game_id: str) -> Response:
    """Show old and new, or change the game. What is refused comes back as it was typed."""
    game = game_of_master(game_id)
    if game is None:
        return error_page("not_found")
    form, db, now = read_desk_form(), database(), clock.now()
    try:
        wish = _wish(game, form)
        is_old = form.get("seen", _seen(game)) != _seen(game)
        if is_old and changes.changed(db, game, wish, now).columns:
            raise Refusal("game_since")
        if form.get("action") == "preview":
            return _form_page(game, form, wished=changes.changed(db, game, wish, now))
        done = changes.change(db, [game.id], wish, form.get("reason", ""), now)
    except Refusal as refusal:
        return _form_page(game, form, refusal=refusal)
    outcome = "done" if done else "same"
    return see_other(
        url_for(
            "desk.game_page",
            game_id=game.id,
            said=outcome,
            did="change",
            lang=request.args.get("lang"),
        )
    )


def _seen(game: Game) -> str:
    """What the form shows of a game, as it carries it; short."""
    shown = repr(sorted(_as_typed(game).items(multi=True)))
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def _wish(game: Game, form: Form) -> Wish:
    rule = read_calendar(form)
    wish = Wish(
        name=form.get("name", "").strip(),
        gm_name=form.get("gm_name", "").strip(),
        description=form.get("description", ""),
        early_after=read_early_after(form),
        after_early=read_after_early(form),
        silence_guard="silence_guard" in form,
        asks_again="asks_again" in form,
        weekdays=rule.weekdays,
        hours=rule.hours or None,
        at=rule.at,
        zone=rule.zone,
        weeks=rule.weeks,
        shortest=rule.shortest,
        left_out=rule.left_out,
    )
    return replace(wish, seats=read_seats(form)) if game.status in ("draft", "open") else wish


def _as_typed(game: Game) -> Form:
    """The form's fields for a game as it stands."""
    rule: Rule = game.schedule
    typed: Form = MultiDict(
        {
            "name": game.name,
            "gm_name": game.gm_name,
            "description": game.description,
            "seats": str(game.seats or ""),
            "at": rule.at.strftime("%H:%M"),
            "zone": rule.zone,
            "weeks": str(rule.weeks),
            "left_out": " ".join(day.isoformat() for day in rule.left_out),
            "shortest": str(rule.shortest),
            "hours": str(rule.hours or ""),
            "early_after": "" if game.early_after is None else str(game.early_after // 3600),
            "after_early": game.after_early,
        }
    )
    typed.update({"silence_guard": "yes"} if game.silence_guard else {})
    typed.update({"asks_again": "yes"} if game.asks_again else {})
    typed.update({} if not rule.by_hand else {"by_hand": "yes"})
    for day in rule.weekdays:
        typed.add("day", WEEKDAYS[day])
    return typed


def _form_page(
    game: Game, typed: Form, *, wished: Changed | None = None, refusal: Refusal | None = None
) -> Response:
    values: dict[str, Any] = {
        "game": game,
        "typed": typed,
        "seen": _seen(game),
        "weekdays": WEEKDAYS,
        "found": wished,
        "side_by_side": changes.side_by_side(game, wished, clock.now()) if wished else [],
        "mailed": bool(wished and changes.is_told(game, wished)),
        "refusal": refusal,
    }
    status = (409 if refusal.code == "game_since" else 422) if refusal else 200
    return desk_page("desk_change.html", status, **values)
