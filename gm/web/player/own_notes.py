"""The page of a player's own notes beside a game."""

from flask import Blueprint, g, request, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.errors import Refusal
from gm.people import seating
from gm.web.forms import Unusable, read_form
from gm.web.page import database, page, see_other
from gm.web.player.link import LinkTarget, target_of

pages = Blueprint("own_notes", __name__)


@pages.get("/z/<token>/notes")
def notes_page(token: str) -> Response:
    """The notes as they are stored."""
    return _page(_opened(token))


@pages.post("/z/<token>/notes")
def keep(token: str) -> Response:
    """Store them. What is refused comes back as it was typed."""
    g.sent = request.form.get("notes", "")
    target = _opened(token)
    form = read_form()
    read_at = form.get("seen", "")
    if set(form) != {"notes", "seen"} or not (
        read_at.isascii() and read_at.isdigit() and len(read_at) < 20
    ):
        raise Unusable("damaged")
    try:
        seating.save_own_notes(database(), target.seat, form["notes"], int(read_at), clock.now())
    except Refusal as refusal:
        return _page(target, refusal, form["notes"])
    return see_other(
        url_for("own_notes.notes_page", token=token, saved="yes", lang=request.args.get("lang"))
    )


def _opened(token: str) -> LinkTarget:
    target = target_of(token)
    if target is None:
        raise Unusable("gone")
    return target


def _page(target: LinkTarget, refusal: Refusal | None = None, typed: str | None = None) -> Response:
    kept = store.notes.own_notes(database(), target.seat)
    return page(
        "own_notes.html",
        (409 if refusal.code == "newer_notes" else 422) if refusal else 200,
        default_language=target.seat.language,
        game=target.game,
        seat=target.seat,
        zone=target.game.schedule.zone,
        link=f"/z/{target.token}",
        kept=kept,
        text=typed if typed is not None else kept.text if kept else "",
        most=seating.MOST_OWN_NOTES,
        refusal=refusal,
        saved="saved" in request.args and not refusal,
    )
