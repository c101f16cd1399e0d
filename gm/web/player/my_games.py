"""All games of one address: the form that has the link mailed, and the page behind it."""

from flask import Blueprint, g, request, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.errors import Refusal
from gm.links import TOKEN
from gm.people import my_games
from gm.people.my_games import Entry
from gm.store.accounts import MyGames
from gm.store.requests import Follower
from gm.web.forms import Unusable, read_form, typed_address
from gm.web.limits import is_too_often
from gm.web.page import database, error_page, installation, language, page, see_other

pages = Blueprint("my_games", __name__)


@pages.get("/my-games")
def ask_for_link() -> Response:
    """The form that asks for a mail with the link to all games of an address."""
    return page("my_games_ask.html", refusal=None, typed="")


@pages.post("/my-games")
def send() -> Response:
    """Mail the link. The answer is the same whether or not the address is known."""
    address = typed_address()
    try:
        my_games.send_my_games(database(), installation(), address, clock.now())
    except Refusal as refusal:
        return page("my_games_ask.html", 422, refusal=refusal, typed=address)
    return see_other(url_for("join.sent", what="games", lang=language()))


@pages.get("/m/<token>")
def overview(token: str) -> Response:
    """Every seat of the address, by deadline."""
    return _overview(token, *_opened(token))


@pages.post("/m/<token>/away")
def set_absence(token: str) -> Response:
    """The same absence for all seats in games that are not over."""
    link, entries = _opened(token)
    form = read_form()
    if set(form) != {"away_from", "away_to"}:
        raise Unusable("damaged")
    first, last = (form[name].strip()[:40] for name in ("away_from", "away_to"))
    try:
        my_games.set_common_absence(database(), _not_over(entries), first, last, clock.now())
    except Refusal as refusal:
        return _overview(token, link, entries, refusal, (first, last), status=422)
    return see_other(
        url_for(
            "my_games.overview",
            token=token,
            saved="yes",
            lang=request.args.get("lang"),
            _anchor="away",
        )
    )


@pages.post("/m/<token>/renew")
def renew(token: str) -> Response:
    """Close this page, and mail a new link to it. A scanner that presses every button leaves the
    box as it is.
    """
    link, entries = _opened(token)
    if set(read_form()) != {"close"}:
        return _overview(token, link, entries, status=422)
    if is_too_often("mail"):
        return error_page("too_many_mails")
    try:
        my_games.renew_my_games(database(), installation(), link, clock.now())
    except Refusal as refusal:
        return _overview(token, link, entries, kept=refusal, status=422)
    return see_other(url_for("join.sent", what="games", lang=language()))


def _opened(token: str) -> tuple[MyGames, list[Entry]]:
    """What a link opens. The page takes the language of its first seat. Raises Unusable for a
    link that opens nothing.
    """
    link = (
        my_games.my_games_opened_by(database(), token, clock.now())
        if TOKEN.fullmatch(token)
        else None
    )
    if link is None:
        raise Unusable("gone_games")
    entries = my_games.entries(database(), link, clock.now())
    if entries:
        g.language = entries[0].seat.language
    return link, entries


def _not_over(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.state != "finished"]


def _overview(
    token: str,
    link: MyGames,
    found: list[Entry],
    refusal: Refusal | None = None,
    away: tuple[str, str] | None = None,
    *,
    kept: Refusal | None = None,
    status: int = 200,
) -> Response:
    """The page. `refusal`: of an absence; `kept`: why the link stays."""
    home, active = installation(), _not_over(found)
    return page(
        "my_games.html",
        status,
        link=f"/m/{token}",
        of=link,
        found=active,
        waiting=[entry for entry in active if entry.is_waiting],
        finished=[entry for entry in found if entry.state == "finished"],
        urls={
            entry.game.id: home.path("seat", entry.game.id, entry.seat.name, entry.seat.link_number)
            for entry in found
        },
        zone=found[0].game.schedule.zone if found else "UTC",
        now=clock.now(),
        refusal=refusal,
        kept=kept,
        away=away or my_games.common_absence(active),
        saved="saved" in request.args,
        follows=[
            (follower, home.path("follow", *follower.whose), _name_of(follower.game))
            for follower in _followed_by(link.address)
        ],
    )


def _followed_by(address: str) -> list[Follower]:
    return [
        follower
        for follower in store.requests.followings_of(database(), address)
        if follower.address == address
    ]


def _name_of(game_id: str | None) -> str | None:
    """The name of a game that is followed; None: every game that opens."""
    game = store.games.get(database(), game_id) if game_id else None
    return game.name if game else None
