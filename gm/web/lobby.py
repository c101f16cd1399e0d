"""Public pages: the list of games, and each game's pages."""

import json
import logging
import re
import sqlite3
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, request
from flask.wrappers import Response
from msgspec import Struct

from gm import clock, errors, store
from gm.calendar import read_date
from gm.deadline.health import late
from gm.errors import Refusal
from gm.games.awaited import lists_in
from gm.games.league import Overview, overview, results
from gm.links import PLACE
from gm.people import once_more
from gm.people.following import can_be_followed
from gm.proof.fairness import ends, record_of
from gm.proof.hindsight import remembered
from gm.rendering.course import course, spread, ticks
from gm.rendering.reports import (
    Latest,
    Report,
    best_headlines,
    every_view,
    headlines,
    latest,
    own_line,
    ranking,
    report,
    reports,
    rounds_worth_telling,
    rules_line,
    versions_of,
)
from gm.rendering.sentences import Cache
from gm.rendering.turns import in_turns, page_of, parts_of, turn_of, whole
from gm.rendering.zine import as_sections, as_text, games_since, round_text, zine
from gm.store.db import Database
from gm.store.games import GOING, Game, Status
from gm.store.schema import NotOurs
from gm.store.seats import Seat
from gm.web.check_file import check_file, programs
from gm.web.page import (
    database,
    database_of_people,
    error_page,
    installation,
    is_practice,
    language,
    page,
)
from gm.web.public_game import seat_link, visible_game
from gm.web.rules import cards
from rounds.engine.record import GAME_ID

pages = Blueprint("lobby", __name__)
log = logging.getLogger(__name__)

SHOWN: dict[str, tuple[Status, ...]] = {
    "open": ("open",),
    "running": GOING,
    "finished": ("finished",),
}
PAGE, OFFERS = 50, 2
"""Number of games of a kind on a page, and of open ones on that of a game that is over."""
TABLE_SECONDS = 60
_table = Cache[Overview](1)


class Listed(Struct):
    """Public games, each with how many seats are taken and how many of them by people; and after
    which game the list goes on.
    """

    lines: list[tuple[Game, int, int]]
    after: str | None


@pages.get("/")
def index() -> Response:
    """The games there are, and the newest of those that are open, running, finished."""
    lists = {shown: _listed(statuses) for shown, statuses in SHOWN.items()}
    lists["open"].lines.sort(key=lambda line: _missing(*line[:2]))
    running = lists["running"].lines
    running.sort(key=lambda line: (line[0].deadline is None, line[0].deadline))
    return page("index.html", games=lists, cards=cards(language()), latest=_latest_of(running))


@pages.get("/games/<shown>")
def games_page(shown: str) -> Response:
    """More games of one of the lists of the landing page: `?after=` of the last one shown."""
    if shown not in SHOWN:
        return error_page("not_found")
    after = request.args.get("after")
    found = _listed(SHOWN[shown], after if GAME_ID.fullmatch(after or "") else None)
    return page("games.html", shown=shown, list=found, latest=_latest_of(found.lines))


def _missing(game: Game, taken: int) -> tuple[bool, int]:
    """How far a game is from its beginning; behind all others one that takes nobody."""
    return taken == game.seats, max(0, (game.seats or game.engine.seats[0]) - taken)


def _listed(statuses: tuple[Status, ...], after: str | None = None, most: int = PAGE) -> Listed:
    with database_of_people() as db:
        found = store.games.public(db, statuses, most + 1, after)
        games = found[:most]
        taken = store.seats.taken(db, [game.id for game in games])
    listed = Listed([], games[-1].id if len(found) > most else None)
    for game in games:
        with errors.passed_over(f"{game.id} in the list of games"):
            _ = game.schedule  # which the page tells
            listed.lines.append((game, *taken[game.id]))
    return listed


def offers() -> Listed:
    """Some games that take players."""
    return _listed(SHOWN["open"], most=OFFERS)


def _latest_of(lines: list[tuple[Game, int, int]]) -> dict[str, Latest]:
    games = [game for game, _, _ in lines]
    return latest(
        database(),
        [game for game in games if game.is_going or (game.round > 1 and not game.aborted)],
    )


@pages.get("/healthz")
def healthz() -> Response:
    """200 while all is well; 503 when a round is overdue by five minutes, mail is stuck for
    fifteen, nobody ticks, or the database cannot be reached.

    Names no game.
    """
    try:
        kinds = sorted({finding.kind for finding in late(database(), clock.now())})
    except (sqlite3.OperationalError, NotOurs) as error:
        log.warning("database: %s", error)
        kinds = ["database"]
    answer = Response(
        json.dumps({"ok": not kinds, "late": kinds}) + "\n",
        503 if kinds else 200,
        mimetype="application/json",
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.get("/p/<place>")
def game_page(place: str) -> Response:
    """The public page of a game: row, farms, piles, ranking, press, all rounds. No orders before
    their time.
    """
    game = visible_game(place)
    return error_page("not_found") if game is None else page_of_game(game)


def page_of_game(game: Game, seat: Seat | None = None, refusal: Refusal | None = None) -> Response:
    """The page of a game for everybody, or of one that is over for a seat behind its link.
    `refusal`: why an answer of the player was not taken.
    """
    db = database()
    all_reports: list[Report] = list(reports(db, game)) if game.round else []
    said = None
    with errors.passed_over(f"once more after {game.id}"):
        said = once_more.answers(db, game)
    newest, seats = all_reports[0] if all_reports else None, store.seats.of_game(db, game.id)
    return page(
        "game.html",
        409 if refusal else 200,
        game=game,
        seat=seat,
        refusal=refusal,
        own_link=installation().path("seat", game.id, seat.name, seat.link_number) if seat else "",
        once_more=said,
        next_players=_players(said.next) if said and said.next else [],
        next_link=_next_link(said, seat) if said and seat else "",
        have=own_line(game, newest, seat, language()) if newest and seat else "",
        ranking=ranking(game, newest) if newest else [],
        offers=offers() if game.status == "finished" else None,
        latest={},
        spectators=installation().game_url(game),
        own_page=installation().tonight_url(game.id),
        zone=game.schedule.zone,
        now=clock.now(),
        names=[seat.name for seat in seats],
        robots=sum(seat.robot for seat in seats),
        seat_link=seat_link(game, len(seats)),
        others=store.seats.actual_players(
            seats, newest.closed_at if newest and game.status == "finished" else None
        ),
        lists=lists_in(db, game),
        view=newest.after if newest else None,
        events=newest.events if newest else (),
        moment=game.engine.moment(store.rounds.open_table(db, game))
        if newest and game.status != "finished"
        else None,
        absent={deed.seat for deed in newest.deeds if deed.absent} if newest else set(),
        press=[(report, name, text) for report in all_reports for name, text in report.press],
        reports=[report for report in all_reports if report.number],
        turns=in_turns(game, [report for report in all_reports if report.number]),
        headlines=(best := best_headlines(game, all_reports)),
        worth_telling=rounds_worth_telling(best),
        rules_line=rules_line(game, language()),
        course=course(game, _main_seats(seats, newest, seat), all_reports),
        ticks=ticks,
        spread=spread,
        secret=store.rounds.revealed_secret(db, game),
        chain=newest.chain if newest else None,
        ends=ends(db, game),
        hindsight=remembered(game),
        notes=store.notes.of_round(db, game.id, game.round),
        outage=installation().config,
        again={n for n in range(1, game.round + 1) if store.rounds.withdrawn(db, game.id, n)},
        can_be_followed=can_be_followed(game) and not is_practice(),
    )


def _players(game: Game) -> list[str]:
    """The people who play a game."""
    return [seat.called for seat in store.seats.people(store.seats.of_game(database(), game.id))]


def _next_link(said: once_more.Answers, seat: Seat) -> str:
    """The personal link of a seat in the next game, for a player whom no mail reaches."""
    if said.next is None or seat.address or seat.name not in said.yes:
        return ""
    for other in store.seats.of_game(database(), said.next.id):
        if other.name == seat.called and not other.robot:
            return installation().path("seat", other.game, other.name, other.link_number)
    return ""


def _main_seats(seats: Sequence[Seat], newest: Report | None, own: Seat | None) -> list[str]:
    """The seats whose course is drawn, in the order of joining."""
    every, name = "all" in request.args, own.name if own else None
    main = newest.main_seats(name, every=every) if newest and newest.number else None
    return [seat.name for seat in seats if main is None or seat.name in main]


@pages.get("/p/<place>/r<number>")
def round_page(place: str, number: str) -> Response:
    """The page of the turn of a closed round; with `.txt` the round as text for a zine, 72 columns
    and no personal link.
    """
    db = database()
    as_text = number.endswith(".txt")
    digits = number.removesuffix(".txt")
    game = visible_game(place) if re.fullmatch("[1-9][0-9]{0,3}", digits) else None
    if game is None or not 0 < int(digits) < game.round:
        return error_page("not_found")
    if not as_text:
        return turn_page(place, turn_of(db, game, int(digits)))
    closed = report(db, game, int(digits))
    return Response(round_text(db, installation(), game, closed, language()), mimetype="text/plain")


@pages.get("/p/<place>/t/<int:turn>")
def turn_page(place: str, turn: int) -> Response:
    """One turn, as far as it is closed, as a page that prints well."""
    game = visible_game(place)
    parts = parts_of(database(), game, turn) if game else []
    if game is None or not parts:
        return error_page("not_found")
    return page("round.html", **words_of_turn(database(), game, parts), seat=None, link=None)


def words_of_turn(db: Database, game: Game, parts: Sequence[Report]) -> dict[str, Any]:
    """What the page of a closed round, or of the closed rounds of a turn, says to everybody."""
    show, told = game.engine.reveal, whole(parts)
    first, last = parts[0].number, parts[-1].number
    return {
        "game": game,
        "zone": game.schedule.zone,
        "parts": parts,
        "r": told,
        "report": told,
        "earlier": page_of(db, game, first - 1) if first > 1 else "",
        "later": page_of(db, game, last + 1) if last + 1 < game.round else "",
        "headlines": [(part, one) for part in parts for one in headlines(db, game, part)],
        "reveal": show(told.before, told.events) if show else None,
        "opened": [every_view(db, game, part.number) for part in parts],
        "offers": None,
        "latest": {},
    }


@pages.get("/p/<place>/r<int:number>/versions")
def versions_page(place: str, number: int) -> Response:
    """A round that was taken back and played again: old and new side by side, with the reasons."""
    db = database()
    game = visible_game(place) if 0 < number < 1000 else None
    if game is None or number > game.round or not store.rounds.withdrawn(db, game.id, number):
        return error_page("not_found")
    versions = versions_of(db, game, number)
    notes = [note for note in store.notes.of_round(db, game.id, number) if note.kind == "rollback"]
    closed = store.rounds.get(db, game.id, number)
    return page(
        "versions.html",
        game=game,
        zone=game.schedule.zone,
        number=number,
        told=versions,
        standing=closed.version if closed else None,
        notes=notes,
        every=True,
    )


@pages.get("/p/<place>/record.json")
def record(place: str) -> Response:
    """The record of a game, as far as it has come. `verify` checks it once the game is over."""
    game = visible_game(place)
    if game is None:
        return error_page("not_found")
    return Response(msgspec.json.encode(record_of(database(), game)), mimetype="application/json")


@pages.get("/verify")
def verify_page() -> Response:
    """The second, independent check of a record, in the visitor's own browser."""
    asked = request.args.get("game", "")
    return page(
        "verify.html",
        place=asked if PLACE.fullmatch(asked) else "",
        alone=False,
        programs=programs(),
    )


@pages.get("/verify.html")
def verify_file() -> Response:
    """The same check as one file that needs no server. Once saved it stays as it is, whoever
    serves this page later.
    """
    answer = Response(check_file(language()), mimetype="text/html")
    answer.headers["Content-Disposition"] = 'attachment; filename="verify.html"'
    return answer


@pages.get("/table")
def league_page() -> Response:
    """Finished games and their players: ranks, talers, NMRs, as the records give them. All of them
    are read when another game has ended, or after a minute.
    """
    db, start = database(), _start()
    known = (store.games.count_played_out(db), int(time.monotonic() // TABLE_SECONDS))
    table = _table(str(installation().database), *known, caller=partial(overview, db))
    shown = table.games[start : start + PAGE]
    return page(
        "table.html",
        results=results(db, [store.games.existing(db, game) for game in shown]),
        standings=None if start else table.standings,
        most=None if "all" in request.args else PAGE,
        further=start + PAGE if len(table.games) > start + PAGE else None,
    )


def _start() -> int:
    """The place of the first game that is asked for."""
    first = request.args.get("from", "0")
    return int(first) if re.fullmatch("[0-9]{1,6}", first, re.ASCII) else 0


@pages.get("/zine")
@pages.get("/zine.txt")
def zine_page() -> Response:
    """All rounds closed since a day in fifty games, for a printed zine: 72 columns or a document
    that prints, no personal link.
    """
    since, start = request.args.get("since", ""), _start()
    try:
        first = read_date(since) if since else None
    except Refusal as refusal:
        return page("zine.html", 422, issue=[], since=since, further=None, refusal=refusal)
    games = games_since(database(), first) if first else []
    issue = zine(database(), first, games[start : start + PAGE]) if first else []
    further = start + PAGE if len(games) > start + PAGE else None
    if not request.path.endswith(".txt"):
        sections = as_sections(issue, language())
        return page("zine.html", issue=sections, since=since, further=further, refusal=None)
    more = (
        f"{installation().config.base_url}/zine.txt?since={since}&from={further}&lang={language()}"
    )
    text = as_text(database(), installation(), issue, language(), more if further else None)
    return Response(text, mimetype="text/plain")
