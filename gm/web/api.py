"""The API, `/api/v1`: read what a seat may see, check orders, send them; games and rounds for
everybody.

Described by `openapi.json` and the answers of `api_facts`. Errors are problem details (RFC 9457)
with the codes of the pages.
"""

import hmac
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from flask import Blueprint, request, url_for
from flask.wrappers import Response

from gm import clock, service, store
from gm.errors import Refusal
from gm.games import orders
from gm.games.orders import Late, Refused, Replaced, TooMany
from gm.links import API_TOKEN
from gm.rendering.dates import LANGUAGES
from gm.rendering.own_words import speaking_of
from gm.rendering.receipts import receipts
from gm.rendering.sentences import sentence
from gm.service import close_at_once
from gm.store.games import OPENED, Game
from gm.store.seats import Seat
from gm.web import api_facts
from gm.web.api_facts import Own
from gm.web.error_codes import STATUS
from gm.web.limits import is_too_often
from gm.web.page import API, database, installation, language, page, problem, why_late
from gm.web.public_game import visible_game
from rounds.engine import strict_json
from rounds.engine.notation import Problem
from rounds.engine.record import GAME_ID
from rounds.engine.strict_json import BadJson

pages = Blueprint("api", __name__, url_prefix=f"{API}v1")

DESCRIPTION = Path(__file__).parent / "openapi.json"
"""The part written by hand: paths, and what programs send."""
BEARER = re.compile(f"(?i:Bearer) +({API_TOKEN.pattern})")
ROUND = re.compile("[1-9][0-9]{0,3}", re.ASCII)
LARGEST_ROUND = 9999
MOST_PROBLEMS = 50
"""Most problems that are told one by one; of the others their number."""
PAGING = {"api.games": {"limit", "after"}}
"""Parameters of the answers that are given in pages."""
LIMIT = re.compile("[1-9][0-9]?|100", re.ASCII)
FIRST = 50
"""Number of games on a page if the request names none."""
BODY: dict[str, type] = {"round": int, "orders": str, "press": str, "note": str}
NEEDED = ("round", "orders")


@pages.before_request
def only_known_parameters() -> Response | None:
    """A token or a personal link in an address would end up in logs; a misspelled parameter
    would be ignored.
    """
    odd = set(request.args) - {"lang"} - PAGING.get(request.endpoint or "", set()) or {
        lang for lang in request.args.getlist("lang") if lang not in LANGUAGES
    }
    if not odd:
        return None
    if request.endpoint in PAGING:
        return problem("damaged", _words(Refusal("bad_page")))
    return problem("damaged", _words(Refusal("only_lang", languages=LANGUAGES)))


@pages.get("")
def about() -> Response:
    """What programs find here, for the people who write them."""
    codes = (
        "damaged",
        "no_token",
        "not_found",
        "method",
        "late",
        "too_large",
        "media",
        "refused",
        "too_many",
        "busy",
    )
    return page("api.html", codes=codes, statuses=STATUS)


@cache
def description() -> bytes:
    """The description of the API: the part written by hand, and the answers as `api_facts` has
    them.
    """
    _, answers = msgspec.json.schema_components(
        api_facts.ANSWERS, ref_template="#/components/schemas/{name}"
    )
    for schema in answers.values():
        if "description" in schema:  # a docstring, with the lines it has in the code
            schema["description"] = " ".join(schema["description"].split())
    written = json.loads(DESCRIPTION.read_bytes())
    written["components"]["schemas"] |= answers
    return json.dumps(written, ensure_ascii=False, indent=1).encode()


@pages.get("/openapi.json")
def openapi() -> Response:
    """The description that other programs read."""
    return Response(description(), mimetype="application/json")


@pages.get("/games")
def games() -> Response:
    """A page of the public games, newest first; `Link` leads to the next one."""
    limit, after = request.args.get("limit", str(FIRST)), request.args.get("after")
    if not LIMIT.fullmatch(limit) or (after is not None and not GAME_ID.fullmatch(after)):
        return problem("damaged", _words(Refusal("bad_page")))
    one_more = store.games.public(database(), OPENED, int(limit) + 1, after)
    found = one_more[: int(limit)]
    answer = _answer(api_facts.public_games(installation(), database(), found))
    if len(one_more) > len(found):
        following = url_for(
            "api.games", limit=limit, after=found[-1].id, lang=request.args.get("lang")
        )
        answer.headers["Link"] = f'<{installation().config.base_url}{following}>; rel="next"'
    return answer


@pages.get("/games/<place>")
def game(place: str) -> Response:
    """One game as anybody may see it."""
    shown = _game(place)
    return (
        problem("not_found")
        if shown is None
        else _answer(api_facts.whole_game(installation(), database(), shown))
    )


@pages.get("/games/<place>/rounds/<number>")
def closed_round(place: str, number: str) -> Response:
    """One closed round."""
    shown = _game(place)
    if shown is None or not ROUND.fullmatch(number) or int(number) >= shown.round:
        return problem("not_found")
    return _answer(api_facts.closed_round(database(), shown, int(number)))


@pages.get("/games/<game_id>/seat")
def seat(game_id: str) -> Response:
    """What the seat of the token may see."""
    own = _own(game_id)
    return (
        own
        if isinstance(own, Response)
        else _answer(api_facts.own_seat(installation(), database(), own))
    )


@pages.get("/games/<game_id>/seat/receipts")
def seat_receipts(game_id: str) -> Response:
    """The receipts of the seat of the token as a text to keep."""
    own = _own(game_id)
    if isinstance(own, Response):
        return own
    text = receipts(database(), own.game, own.seat, language())
    return Response(text, mimetype="text/plain")


@pages.post("/games/<game_id>/seat/check")
def check(game_id: str) -> Response:
    """Whether a list would be accepted, and what it does. Nothing is stored."""

    def answer(own: Own, sent: dict[str, Any]) -> Response:
        checked = orders.check(database(), own.game, own.seat, **sent)
        return _answer(api_facts.checked(own.game, checked.before, own.seat, checked.orders))

    return _with_list(game_id, answer)


@pages.post("/games/<game_id>/seat/orders")
def send(game_id: str) -> Response:
    """Store a list: 201 and its receipt. The same list again: 200 and the same receipt. Press
    left out stays as it is.
    """

    def answer(own: Own, sent: dict[str, Any]) -> Response:
        receipt = service.submit(database(), own.game, own.seat, **sent, by="program")
        close_at_once(installation(), own.game, clock.now())
        return _answer(api_facts.receipt(receipt, own.seat), 201 if receipt.is_new else 200)

    return _with_list(game_id, answer)


def _game(place: str) -> Game | None:
    """The game of this address; a private one by its key, or for the token of one of its seats."""
    seat = _signed()
    return (
        store.games.get(database(), seat.game)
        if seat and seat.game == place
        else visible_game(place)
    )


def _signed() -> Seat | None:
    """The seat whose token this request carries."""
    given = BEARER.fullmatch(request.headers.get("Authorization", ""))
    seats = store.seats.of_game(database(), given[2]) if given else []
    seat = next((seat for seat in seats if given and str(seat.number) == given[3]), None)
    if given is None or seat is None:
        return None
    right = hmac.compare_digest(given[1], installation().api_token(seat))
    return seat if right else None


def _own(game_id: str) -> Own | Response:
    """The seat of the request's token, if the address is of its game; else the answer."""
    db, seat = database(), _signed()
    if seat is None:
        return _no_token()
    game = store.games.get(db, game_id) if game_id == seat.game else None
    if game is None:
        return problem("not_found")
    press, to_gm = store.lists.own_press(db, seat, game.round)
    return Own(game, seat, press, to_gm)


def _no_token() -> Response:
    """The one answer to all tokens that open nothing."""
    if is_too_often("guess"):
        return problem("too_many")
    answer = problem("no_token")
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _with_list(game_id: str, answer: Callable[[Own, dict[str, Any]], Response]) -> Response:
    """The answer for the token's seat and the orders in the body of this request, or the one
    that says all that is wrong.
    """
    own = _own(game_id)
    if isinstance(own, Response):
        return own
    sent = _body()
    if isinstance(sent, Response):
        return sent
    try:
        return answer(own, sent)
    except Late as late:
        return _late(late.game, sent["round_number"])
    except Refused as refused:
        with speaking_of(own.game.variant):
            return _refused([_told(found, name) for name, found in refused.found])
    except Replaced:
        return _no_token()
    except TooMany:
        return problem("too_many")


def _body() -> dict[str, Any] | Response:
    """The orders in the body of this request, as `service.submit` takes them; or the answer that
    says what is wrong with its shape.
    """
    if request.mimetype != "application/json" or request.headers.get("Content-Encoding"):
        return problem("media", _words(Refusal("no_json")))
    try:
        sent = strict_json.read(request.get_data())
    except BadJson as error:
        return problem("damaged", _words(Refusal("bad_json", error=str(error))))
    if faults := _faults(sent):
        return _refused(faults)
    return {
        "round_number": sent["round"],
        "text": sent["orders"],
        "press": sent.get("press"),
        "note": sent.get("note"),
    }


def _refused(problems: Sequence[dict[str, Any]]) -> Response:
    more: dict[str, Any] = (
        {"more": len(problems) - MOST_PROBLEMS} if len(problems) > MOST_PROBLEMS else {}
    )
    return problem("refused", problems=problems[:MOST_PROBLEMS], **more)


def _faults(sent: Any) -> Sequence[dict[str, str]]:
    """All that is wrong with the shape of a body."""
    if not isinstance(sent, dict):
        return [_fault("TYPE", "", Refusal("odd_value", kind="object"))]
    strange = [key for key in sent if key not in BODY]
    unknown = _words(Refusal("unknown_key", keys=tuple(BODY))) if strange else ""
    faults = [{"code": "UNKNOWN", "key": key, "detail": unknown} for key in strange]
    faults += [_fault("MISSING", key, Refusal("missing_key")) for key in NEEDED if key not in sent]
    for key, kind in BODY.items():
        if key in sent and type(sent[key]) is not kind:
            faults.append(_fault("TYPE", key, Refusal("odd_value", kind=kind.__name__)))
        elif key in sent and kind is int and not 1 <= sent[key] <= LARGEST_ROUND:
            faults.append(_fault("RANGE", key, Refusal("out_of_range", most=LARGEST_ROUND)))
    return faults


def _fault(code: str, key: str, why: Refusal) -> dict[str, str]:
    return {"code": code, "key": key, "detail": _words(why)}


def _words(why: Refusal) -> str:
    return sentence(language(), why)


def _told(problem_found: Problem, key: str) -> dict[str, Any]:
    """A problem with its place and its numbers, and the sentence that people read."""
    plain = {
        name: value
        for name in problem_found.__struct_fields__
        if (value := getattr(problem_found, name)) is not None and name != "place"
    }
    place = {
        name: getattr(problem_found.place, name) for name in ("line", "column", "length", "text")
    }
    return {"key": key, **plain, **place, "detail": sentence(language(), problem_found)}


def _late(game: Game, round_number: int) -> Response:
    why = why_late(game, round_number, by_number=True)
    return problem(
        "late", why, game_status=game.status, round=game.round, deadline=api_facts.deadline(game)
    )


def _answer(value: Any, status: int = 200) -> Response:
    return Response(
        json.dumps(msgspec.to_builtins(value), ensure_ascii=False) + "\n",
        status,
        mimetype="application/json",
    )
