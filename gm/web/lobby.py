"""What everybody may see: the list of games and each game's page."""

import json

from flask import Blueprint
from flask.wrappers import Response

from gm import clock, store
from gm.health import late
from gm.render import for_variant
from gm.reports import Report, reports, rules_line
from gm.web.page import database, error_page, installation, language, page
from rounds.events import Cascaded
from rounds.record import GAME_ID

pages = Blueprint("lobby", __name__)

SHOWN = ("open", "running", "finished")


@pages.get("/")
def index() -> Response:
    """The games: open, running, finished."""
    games = store.games(database())
    by_status = {status: [game for game in games if game.status == status] for status in SHOWN}
    return page("index.html", games=by_status)


@pages.get("/healthz")
def healthz() -> Response:
    """200 while all is well; 503 when a round is overdue by five minutes, mail is stuck for fifteen, or nobody ticks.

    Names no game.
    """
    kinds = sorted({finding.kind for finding in late(database(), clock.now())})
    answer = Response(json.dumps({"ok": not kinds, "late": kinds}) + "\n", 503 if kinds else 200, mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.get("/p/<game_id>")
def game_page(game_id: str) -> Response:
    """The public page of a game: row, farms, piles, ranking, press, all rounds. No orders before their time."""
    db = database()
    game = store.game(db, game_id) if GAME_ID.fullmatch(game_id) else None
    if game is None or game.status == "draft":
        return error_page("not_found", 404)
    told: list[Report] = list(reports(db, game)) if game.round else []
    newest = told[0] if told else None
    return page(
        "game.html",
        game=game,
        zone=game.schedule.zone,
        now=clock.now(),
        names=[seat.name for seat in store.seats(db, game.id)],
        orders_in=len(store.newest_revisions(db, game.id, game.round)),
        view=newest.after if newest else None,
        cascade=[event for event in newest.events if isinstance(event, Cascaded)] if newest else [],
        absent={deed.seat for deed in newest.deeds if deed.absent} if newest else set(),
        press=[(report.number, name, text) for report in told for name, text in report.press],
        reports=[report for report in told if report.number],
        rules_line=rules_line(game, language()),
        notes=store.notes(db, game.id, game.round) if game.round else [],
        outage=installation().config,
        game_template=for_variant(game.variant, "game.html"),
        round_template=for_variant(game.variant, "round.html"),
    )
