"""What a player sets for the mails of one seat, one-click unsubscribing, and the calendar feed,
each with a link of its own kind.
"""

from collections.abc import Callable, Sequence
from hmac import compare_digest

import msgspec
from flask import Blueprint, request, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.calendar import read_absence
from gm.deadline.reminders import LEADS
from gm.errors import Refusal
from gm.games import several
from gm.links import TOKEN, token_hash
from gm.mail.ics import calendar
from gm.people import joining, seating
from gm.rendering.dates import LANGUAGES
from gm.store.games import Game
from gm.store.seats import Seat
from gm.web.forms import Unusable, read_form
from gm.web.limits import is_too_often
from gm.web.page import database, error_page, installation, page, see_other

pages = Blueprint("settings", __name__)

MAX_TYPED = 400
SWITCHES: dict[str, dict[str, object]] = {
    "reminders": {"reminder_leads": "[]"},
    "receipts": {"receipts": 0},
    "news": {"news": 0},
}
"""The kinds of mail that one click ends, and the columns it stores."""
FIELDS = {"lead", "html", "receipts", "news", "language", "away_from", "away_to"}


@pages.get("/z/<token>/mail")
def mail_settings(token: str) -> Response:
    """Formats, receipts, reminders."""
    return _settings_page(*_seat(token, store.seats.by_link), token)


@pages.post("/z/<token>/mail")
def save_settings(token: str) -> Response:
    """Store the settings. Reports of one's own game always come."""
    game, seat = _seat(token, store.seats.by_link)
    form = read_form(repeatable="lead")
    leads = form.getlist("lead")
    known = {str(lead) for lead in LEADS}
    if not set(form) <= FIELDS or not set(leads) <= known or len(set(leads)) != len(leads):
        raise Unusable("damaged")
    if (
        form.get("html", "yes") not in ("yes", "no")
        or form.get("receipts", "yes") != "yes"
        or form.get("news", "yes") != "yes"
    ):
        raise Unusable("damaged")
    if form.get("language", seat.language) not in LANGUAGES:
        raise Unusable("damaged")
    away = (form.get("away_from", "").strip()[:40], form.get("away_to", "").strip()[:40])
    try:
        seating.set_absence(database(), seat, *read_absence(*away, game.schedule.zone, clock.now()))
    except Refusal as refusal:
        return _settings_page(game, seat, token, refusal=refusal, away=away)
    of_mails: dict[str, object] = {
        "reminder_leads": msgspec.json.encode(sorted(map(int, leads), reverse=True)).decode(),
        "html": int(form.get("html") == "yes"),
        "receipts": int("receipts" in form),
        "news": int("news" in form),
    }
    _change(
        seat,
        {
            "language": form.get("language", seat.language),
            **(of_mails if seat.address else {}),  # the page of a seat without one asks for none
        },
    )
    return _settings_page(
        game, store.seats.numbered(database(), game.id, seat.number), token, saved=True
    )


@pages.post("/z/<token>/address")
def change_address(token: str) -> Response:
    """Mail a button to the new address; the seat moves when it is pressed. The page answers the
    same for any address.
    """
    game, seat = _seat(token, store.seats.by_link)
    form = read_form()
    if is_too_often("mail"):
        return error_page("too_many_mails")
    address = form.get("address", "").strip()
    if set(form) != {"address"} or len(address) > MAX_TYPED:
        raise Unusable("damaged")
    try:
        joining.request_address(
            database(), seat, address, clock.now(), own=installation().config.mail_address
        )
    except Refusal as refusal:
        return _settings_page(game, seat, token, wrong_address=refusal, new_address=address)
    return see_other(
        url_for(
            "settings.mail_settings",
            token=token,
            asked="yes",
            lang=request.args.get("lang"),
            _anchor="where",
        )
    )


@pages.post("/z/<token>/renew")
def renew_link(token: str) -> Response:
    """Make a new personal link and mail it to the stored address; this one is dead from here on."""
    game, seat = _seat(token, store.seats.by_link)
    read_form()
    try:
        seating.renew_link(
            database(),
            installation().link_key,
            game.id,
            seat.name,
            clock.now(),
            own=seat.link_number,
        )
    except Refusal as refusal:
        return _settings_page(game, seat, token, not_renewed=refusal)
    return page("renewed.html", default_language=seat.language, game=game, mailed_to=seat.address)


@pages.get("/z/<token>/programs")
def for_programs(token: str) -> Response:
    """The token with which a program of the player's own reads and orders for this seat."""
    game, seat = _seat(token, store.seats.by_link)
    home = installation()
    return page(
        "programs.html",
        default_language=seat.language,
        game=game,
        seat=seat,
        link=f"/z/{token}",
        base=home.config.base_url,
        api_token=home.api_token(seat),
    )


@pages.get("/z/<token>/data")
def own_data(token: str) -> Response:
    """All that is stored about the person behind a seat, and the way to leave."""
    return _data_page(*_seat(token, store.seats.by_link), token)


@pages.post("/z/<token>/data")
def leave(token: str) -> Response:
    """Forget the person: the seat plays on without them. Asks for the typed name of the seat."""
    game, seat = _seat(token, store.seats.by_link)
    if read_form().get("confirm", "").strip().casefold() != seat.name.casefold():
        return _data_page(game, seat, token, refusal=Refusal("not_confirmed", name=seat.name))
    seating.forget(database(), seat, clock.now())
    return page(
        "left.html",
        default_language=seat.language,
        game=game,
        stays=game.status != "open",
        told=bool(seat.address),
    )


def _data_page(game: Game, seat: Seat, token: str, *, refusal: Refusal | None = None) -> Response:
    db = database()
    return page(
        "data.html",
        422 if refusal else 200,
        default_language=seat.language,
        game=game,
        seat=seat,
        zone=game.schedule.zone,
        link=f"/z/{token}",
        refusal=refusal,
        now=clock.now(),
        lists=store.lists.of_player(db, seat, game.round),
        press=store.lists.press_of_player(db, seat, game.round),
        mails=store.lists.mails_of_player(db, seat),
        notes=store.notes.own_notes(db, seat),
        all_games=store.accounts.my_games(db, seat.address) if seat.address else None,
    )


@pages.get("/u/<token>")
@pages.get("/u/<token>/<kind>")
def unsubscribe_page(token: str, kind: str = "reminders") -> Response:
    """Asks first: mail scanners open every link."""
    _, seat = _seat(token, store.seats.by_unsubscribe)
    return _unsubscribe_page([seat], kind, done=False)


@pages.post("/u/<token>")
@pages.post("/u/<token>/<kind>")
def unsubscribe(token: str, kind: str = "reminders") -> Response:
    """One click (RFC 8058): no more mails of this kind for this seat. Reports are not touched."""
    _, seat = _seat(token, store.seats.by_unsubscribe)
    answer = _unsubscribe_page([seat], kind, done=True)
    _change(seat, SWITCHES[kind])
    return answer


@pages.get("/u/several/<int:act>/<token>")
def stop_news_page(act: int, token: str) -> Response:
    """Asks first: mail scanners open every link."""
    seats, kind = _seats_told(act, token)
    return _unsubscribe_page(seats, kind, done=False)


@pages.post("/u/several/<int:act>/<token>")
def stop_news(act: int, token: str) -> Response:
    """One click (RFC 8058): no more news of the games that a mail about several has told of, or no
    more reminders.
    """
    seats, kind = _seats_told(act, token)
    answer = _unsubscribe_page(seats, kind, done=True)
    for seat in seats:
        _change(seat, SWITCHES[kind])
    return answer


def _seats_told(act: int, token: str) -> tuple[list[Seat], str]:
    """The seats that a mail about several games has told of, as far as their mails still go to
    its address, and its kind. Raises Unusable if none is left.
    """
    if act >= 2**63:
        raise Unusable("gone")
    seats = [
        seat
        for part in store.acts.parts(database(), act)
        for seat in store.seats.of_game(database(), part.game)
        if seat.number in part.seats and seat.address
    ]
    tokens = {
        address: installation().token("news-of-act", who=address, number=act)
        for address in {seat.address or "" for seat in seats}
    }
    told = [seat for seat in seats if compare_digest(tokens[seat.address or ""], token)]
    asked = store.acts.by_id(database(), act)
    if not told or asked is None:
        raise Unusable("gone")
    return told, "reminders" if several.asked_of(asked).kind == "reminded" else "news"


def _unsubscribe_page(seats: Sequence[Seat], kind: str, *, done: bool) -> Response:
    """Raises Unusable for a kind of mail that cannot be switched off."""
    if kind not in SWITCHES:
        raise Unusable("gone")
    games = [store.games.existing(database(), seat.game) for seat in seats]
    return page(
        "unsubscribe.html",
        default_language=seats[0].language,
        game=games[0],
        seat=seats[0],
        kind=kind,
        done=done,
        games=[game.name for game in games],
    )


@pages.get("/c/<token>.ics")
def feed(token: str) -> Response:
    """The next deadline for a calendar program: nothing secret, no personal link."""
    game, seat = _seat(token, store.seats.by_calendar)
    home = installation()
    data = calendar(home, game, seat.language, clock.now(), has_turn=game.awaits(seat.name))
    return Response(
        data,
        mimetype="text/calendar",
        headers={"Cache-Control": "no-store", "X-Robots-Tag": "noindex"},
    )


def _seat(token: str, look_up: Callable[..., Seat | None]) -> tuple[Game, Seat]:
    """The seat that a link opens, and its game. Raises Unusable for a link that opens none."""
    seat = look_up(database(), token_hash(token)) if TOKEN.fullmatch(token) else None
    game = store.games.get(database(), seat.game) if seat else None
    if seat is None or game is None:
        raise Unusable("gone")
    return game, seat


def _change(seat: Seat, values: dict[str, object]) -> None:
    seating.change_settings(database(), seat, values, clock.now())


def _settings_page(
    game: Game,
    seat: Seat,
    token: str,
    *,
    saved: bool = False,
    refusal: Refusal | None = None,
    away: tuple[str, str] | None = None,
    wrong_address: Refusal | None = None,
    new_address: str = "",
    not_renewed: Refusal | None = None,
) -> Response:
    feed_url = installation().url("calendar", game.id, seat.name, seat.link_number)
    action = f"?lang={request.args['lang']}" if "lang" in request.args else ""
    return page(
        "mail.html",
        422 if refusal or wrong_address or not_renewed else 200,
        default_language=seat.language,
        game=game,
        seat=seat,
        leads=LEADS,
        saved=saved,
        refusal=refusal,
        away=away or (seat.away_from or "", seat.away_to or ""),
        link=f"/z/{token}",
        feed=feed_url,
        action=action,
        wrong_address=wrong_address,
        new_address=new_address,
        not_renewed=not_renewed,
        asked="asked" in request.args,
    )
