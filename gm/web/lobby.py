"""What everybody may see: the list of games and each game's page."""

import json
import re

from flask import Blueprint
from flask.wrappers import Response

from gm import clock, store
from gm.health import late
from gm.render import for_variant, render
from gm.reports import Report, report, reports, rules_line
from gm.web.page import database, error_page, installation, language, page
from rounds.events import Cascaded
from rounds.record import GAME_ID

pages = Blueprint("lobby", __name__)

SHOWN = {"open": ("open",), "running": ("running", "paused", "held"), "finished": ("finished",)}


@pages.get("/")
def index() -> Response:
    """The games: open, running, finished."""
    db = database()
    games = [(game, len(store.seats(db, game.id))) for game in store.games(db) if game.listed]
    by_status = {shown: [pair for pair in games if pair[0].status in statuses] for shown, statuses in SHOWN.items()}
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
        course=_course(told),
        secret=store.revealed_secret(db, game),
        chart_template=for_variant(game.variant, "chart.html"),
        notes=store.notes(db, game.id, game.round) if game.round else [],
        outage=installation().config,
        game_template=for_variant(game.variant, "game.html"),
        round_template=for_variant(game.variant, "round.html"),
    )


@pages.get("/p/<game_id>/r<number>")
def round_page(game_id: str, number: str) -> Response:
    """One closed round as a page that prints well; with `.txt` as the text a zine can take, 72 columns and no personal link."""
    db = database()
    as_text = number.endswith(".txt")
    digits = number.removesuffix(".txt")
    game = store.game(db, game_id) if GAME_ID.fullmatch(game_id) and re.fullmatch("[1-9][0-9]{0,3}", digits) else None
    if game is None or not 0 < int(digits) < game.round:
        return error_page("not_found", 404)
    told, zone = report(db, game, int(digits)), game.schedule.zone
    if not as_text:
        round_template = for_variant(game.variant, "round.html")
        return page("round.html", game=game, zone=zone, r=told, last=game.round - 1, round_template=round_template)
    words = {"game": game, "zone": zone, "report": told, "rules_line": rules_line(game, language())}
    body = render(language(), for_variant(game.variant, "report.txt"), **words)
    text = render(language(), "pages/round.txt", **words, body=body, public=installation().game_url(game.id))
    return Response(text, mimetype="text/plain")


def _course(told: list[Report]) -> list[tuple[str, list[int]]]:
    """Per seat, talers after each round from the start; empty before the first close and for variants without farms."""
    oldest_first = told[::-1]
    if len(told) < 2 or not hasattr(told[0].after, "farms"):
        return []
    seats = [farm.seat for farm in told[0].after.farms]
    return [(seat, [(r.after.final or {}).get(seat, r.after.farm(seat).talers) for r in oldest_first]) for seat in seats]
