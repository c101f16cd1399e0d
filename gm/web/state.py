"""What a page asks for while it is open: whether its game has moved on since it was made, in
words.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Blueprint, request
from flask.wrappers import Response
from msgspec import Struct

from gm import clock
from gm.games.awaited import lists_in
from gm.rendering.sentences import render
from gm.store.games import Game
from gm.web.desk.frame import game_of_master, only_signed_in
from gm.web.page import database, error_page, installation, language
from gm.web.player.link import LinkTarget, target_of
from gm.web.public_game import visible_game

pages = Blueprint("state", __name__)


class Shown(Struct, frozen=True):
    """What the page that asks says of the game, each as it stands in the address.

    `rev`: the version of the own orders; empty if the page shows none. `turn`: `yes` if it takes
    orders, `said` if it says that the game waits for them.
    """

    round: str
    status: str
    deadline: str
    rev: str
    turn: str


@pages.get("/z/<token>/state")
def state_of_seat(token: str) -> Response:
    """For the pages behind a personal link."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    return _answer(target.game, f"/z/{token}", _news_of_seat(target), target)


@pages.get("/p/<place>/state")
def state_of_game(place: str) -> Response:
    """For the public page of a game."""
    game = visible_game(place)
    if game is None:
        return error_page("not_found")
    return _answer(game, f"/p/{place}", _news(game))


@pages.get("/desk/game/<game_id>/state")
def state_at_desk(game_id: str) -> Response:
    """For the page of a game at the desk."""
    if (answer := only_signed_in()) is not None:
        return answer
    game = game_of_master(game_id)
    if game is None:
        return error_page("not_found")
    return _answer(game, f"/desk/game/{game_id}", _news(game))


def _answer(game: Game, home: str, news: str | None, target: LinkTarget | None = None) -> Response:
    """The state as JSON; 304 if nothing has changed since the page asked last. How far off the
    clock of its device is, a page sees by the header `Date`.
    """
    lists, known = lists_in(database(), game), _shown()
    words: dict[str, Any] = {
        "news": news,
        "known": known,
        "game": game,
        "home": home,
        "public": f"/p/{installation().place(game)}",
        "number": target.counting.number if target and target.counting else 0,
        "plays": bool(target and target.is_playable),
        "lists": lists,
        "is_desk": home.startswith("/desk"),
    }
    state = {
        "round": game.round,
        "status": game.status,
        "deadline": game.deadline,
        "due": render(language(), "due.txt", **words).strip(),
        "changed": game.sequence,
        "ordered": lists.number,
        "of": len(lists.awaited),
        "own": words["number"],
        "count": render(language(), "count.txt", **words).strip(),
        "clock": render(language(), "clock.txt", **words).strip(),
        "news": render(language(), "pages/news.html", **words).strip(),
    }
    answer = Response(msgspec.json.encode(state), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    answer.set_etag(hashlib.sha256(answer.data).hexdigest()[:16])
    answer.date = datetime.fromtimestamp(clock.now(), UTC)
    answer.make_conditional(request)
    return answer


def _shown() -> Shown:
    return Shown(*(request.args.get(name, "")[:20] for name in Shown.__struct_fields__))


def _news(game: Game) -> str | None:
    """What has changed most since the page was made; None if nothing has that it shows."""
    known = _shown()
    if game.status != known.status:
        return "over" if game.status == "finished" else game.status
    if str(game.round) != known.round:
        return "back" if game.round < request.args.get("round", 0, type=int) else "closed"
    return None if str(game.deadline or "") == known.deadline else "moved"


def _news_of_seat(target: LinkTarget) -> str | None:
    known, news = _shown(), _news(target.game)
    number = target.counting.number if target.counting else 0
    if news in (None, "closed") and target.is_playable and not known.turn:
        return "turn"
    is_open = target.game.status == "running"
    if news is None and known.turn == "yes" and not target.is_playable and is_open:
        return "waits"
    return "other" if news is None and known.rev not in ("", str(number)) else news
