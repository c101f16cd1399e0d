"""The desk of a game master: to do, all games, a game with everything that can be done to it.
Never anybody's orders.
"""

from functools import partial
from typing import Any

from flask import Blueprint, request, url_for
from flask.wrappers import Response
from werkzeug.datastructures import MultiDict

from gm import clock, store
from gm.calendar import coming
from gm.errors import Refusal
from gm.games import inbox, lead, several
from gm.games.orders import Late
from gm.mail import refused
from gm.open_round import moment, standing
from gm.people import joining
from gm.rendering.reports import MOST_TOLD, rules_line
from gm.service import close_at_once, close_now
from gm.store.games import Game
from gm.store.seats import Seat
from gm.timetable import extending, promises
from gm.timetable.offers import offers
from gm.web.desk import acts, log, summary, todo
from gm.web.desk.acts import ACTS, is_to_be_done
from gm.web.desk.frame import (
    DIGITS_OF_ID,
    DIGITS_OF_READING,
    desk_page,
    game_of_master,
    instant,
    master,
    only_signed_in,
    read_desk_form,
    whole_number,
)
from gm.web.desk.several import act_of_mine
from gm.web.forms import Form
from gm.web.page import database, error_page, installation, language, see_other
from rounds.engine.notation import Refused
from rounds.engine.record import MAX_NAME

OLD_PAGE = (
    "seat_since",
    "list_since",
    "deadline_since",
    "seats_since",
    "played_since",
    "begun_since",
    "held_since",
)
"""Refusals of a form whose page showed something else than there is now."""
MOST_NAMED = 20
"""Of more seats than these it is not said to whom something was done."""
MOST_SHOWN = 60
"""The most games, and tasks, that are listed unless all are asked for."""
pages = Blueprint("desk", __name__, url_prefix="/desk")
pages.before_request(only_signed_in)


@pages.get("")
def overview() -> Response:
    """The first page of the desk: tasks, all games by deadline, the state of the mail, the last
    pass.
    """
    return _overview()


def _overview(
    refusal: Refusal | None = None,
    typed: Form | None = None,
    wrong: tuple[Game, Refusal] | None = None,
    sent: Form | None = None,
) -> Response:
    """`refusal`: of somebody for the standby list; `wrong`: why nothing was done to a game, with
    what was `sent`.
    """
    db, now = database(), clock.now()
    mine = store.games.led_by(db, master().address)
    listed = summary.lines(db, [game for game in mine if game.archived_at is None], now)
    did_of = next((game for game in mine if game.id == request.args.get("of")), None)
    find = {name: request.args.get(name, "")[:MAX_NAME] for name in ("q", "kind", "tick", "all")}
    found = [line for line in listed if line.is_found(find["q"], find["kind"])]
    most = len(found) if find["all"] else MOST_SHOWN
    tasks = todo.oldest_first([task for line in listed for task in line.tasks])
    return desk_page(
        "desk.html",
        422 if refusal or wrong else 200,
        wrong=wrong,
        sent=sent,
        seen=lambda game, act, seat: acts.seen(db, game, act, seat),
        asked_to=request.args.get("did", ""),
        did_of=did_of,
        did_seats=_named_seats(did_of),
        lines=listed,
        shown=found[:most],
        further=len(found[most:]),
        find=find,
        **_of_act({game.id for game in mine}, now),
        tasks=tasks if find["all"] else tasks[:MOST_SHOWN],
        due_today=sum(task.kind == "today" for task in tasks),
        further_tasks=0 if find["all"] else len(tasks[MOST_SHOWN:]),
        archived=[game for game in mine if game.archived_at is not None],
        unreadable=store.games.unreadable_of(
            db, sorted({*store.games.ids_led_by(db, master().address)} - {game.id for game in mine})
        ),
        health=summary.health(db, now),
        refused_mails=refused.of_no_game(db) if master().host else [],
        standby=store.accounts.standby_of(db, master().address),
        now=now,
        refusal=refusal,
        typed=typed or MultiDict(),
    )


def _named_seats(game: Game | None) -> list[Seat]:
    """The seats of a game that the address names."""
    names = request.args.getlist("seat")
    seats = store.seats.of_game(database(), game.id) if game and names else []
    return [seat for seat in seats if {seat.name, seat.called} & set(names)]


def _of_act(mine: set[str], now: int) -> dict[str, Any]:
    """What the desk says of an act on several games that was just done."""
    number = request.args.get("done", "")
    is_number = number.isascii() and number.isdigit() and len(number) <= DIGITS_OF_ID
    act = act_of_mine(int(number)) if is_number else None
    if act is None:
        last = store.acts.newest_of(database(), master().address, now - several.UNDO_SECONDS)
        return {"act": None, "works": False, "last": last}
    return {
        "act": act,
        "asked": several.asked_of(act),
        "of_act": [one for one in several.outcomes(database(), act) if one.game.id in mine],
        "works": act.told_at is None,
        "undoable": several.undoable(database(), act, now),
        "last": None,
    }


@pages.post("/read")
def read_all() -> Response:
    """Mark the words that the desk shows as read; those that came after the page was made stay
    unread.
    """
    form, db = read_desk_form(), database()
    mine = store.games.led_by(db, master().address)
    listed = summary.lines(db, [game for game in mine if game.archived_at is None], clock.now())
    shown = {task.game.id for line in listed for task in line.tasks if task.word}
    until = whole_number(form, "until", DIGITS_OF_READING)
    inbox.read_all(db, sorted(shown), until, clock.now())
    lang = request.args.get("lang")
    return see_other(url_for("desk.overview", did="read", said="done", lang=lang))


@pages.post("/standby")
def standby() -> Response:
    """Put somebody on the standby list, or off it."""
    form, db = read_desk_form(), database()
    try:
        if "remove" in form:
            joining.stand_down(db, form["remove"], master().address)
        else:
            address, name = form.get("address", "").strip(), form.get("name", "").strip()
            joining.stand_by(
                db, address, name, form.get("language", ""), clock.now(), master().address
            )
    except Refusal as refusal:
        return _overview(refusal, form)
    return see_other(url_for("desk.overview", lang=request.args.get("lang")))


@pages.get("/game/<game_id>")
def game_page(game_id: str) -> Response:
    """One game, with all that can be done."""
    game = game_of_master(game_id)
    return error_page("not_found") if game is None else _game_page(game)


@pages.post("/game/<game_id>/<act>")
def act_on_game(game_id: str, act: str) -> Response:
    """Do one thing, and show the game again. What is refused changes nothing and comes back as
    it was typed.
    """
    game = game_of_master(game_id)
    if game is None or act not in ACTS:
        return error_page("not_found")
    form = read_desk_form()
    try:
        changed = is_to_be_done(database(), game, act, form) and ACTS[act](database(), game, form)
    except (Refusal, Refused) as refusal:
        if "desk" in form and act != "orders" and isinstance(refusal, Refusal):
            return _overview(wrong=(game, refusal), sent=form)
        return _game_page(game, refusal, act, form)
    except Late as late:
        return _game_page(late.game, Refusal("passed", round=game.round), act, form)
    if act == "orders":
        close_at_once(installation(), game, clock.now())
    outcome, lang = "same" if changed in (False, []) else "done", request.args.get("lang")
    if act == "start" and outcome == "done" and "desk" not in form:
        outcome = "begun"
    did = "forget" if "forget" in form else act
    if "desk" in form:
        seats = changed if isinstance(changed, list) else form.getlist("seat")
        named = seats if len(seats) <= MOST_NAMED else []
        desk = url_for("desk.overview", did=did, of=game.id, seat=named, said=outcome, lang=lang)
        return see_other(desk)
    return see_other(url_for("desk.game_page", game_id=game.id, said=outcome, did=did, lang=lang))


@pages.get("/game/<game_id>/run")
def run_page(game_id: str) -> Response:
    """Asks before a round is closed by hand: who is missing, and a word to type if anybody is."""
    game = game_of_master(game_id)
    if game is None or game.status not in ("running", "held"):
        return error_page("not_found")
    return _run_page(game)


@pages.post("/game/<game_id>/run")
def run(game_id: str) -> Response:
    """Close the open round now. The round is named as a guard, and the game if lists are
    missing.
    """
    game = game_of_master(game_id)
    if game is None:
        return error_page("not_found")
    form = read_desk_form()
    line = summary.lines(database(), [game], clock.now())[0]
    try:
        if form.get("seen", ", ".join(line.missing)) != ", ".join(line.missing):
            raise Refusal("missing_since")
        if line.missing and form.get("confirm", "").strip().casefold() not in (
            game.name.casefold(),
            game.id,
        ):
            raise Refusal("not_confirmed", name=game.name)
        number, wish = whole_number(form, "round"), instant(form, "next_deadline")
        lead.run_now(
            database(), game.id, number, form.get("reason", ""), clock.now(), next_deadline=wish
        )
    except Refusal as refusal:
        return _run_page(game, refusal, form)
    close_now(installation(), game.id, clock.now())
    return see_other(
        url_for(
            "desk.game_page",
            game_id=game.id,
            said="done",
            did="run",
            lang=request.args.get("lang"),
        )
    )


def _run_page(game: Game, refusal: Refusal | None = None, form: Form | None = None) -> Response:
    db, now = database(), clock.now()
    return desk_page(
        "desk_run.html",
        422 if refusal else 200,
        game=game,
        line=summary.lines(db, [game], now)[0],
        offers=offers(standing(db, game), now),
        now=now,
        refusal=refusal,
        typed=form or MultiDict(),
    )


def _game_page(
    game: Game, refusal: Exception | None = None, act: str = "", form: Form | None = None
) -> Response:
    db, now, asked = database(), clock.now(), request.args if form is None else form
    current = store.games.existing(db, game.id)
    return desk_page(
        "desk_game.html",
        (409 if getattr(refusal, "code", "") in OLD_PAGE else 422) if refusal else 200,
        game=current,
        next=store.games.next_of(db, game.id),
        line=summary.lines(db, [current], now)[0],
        moment=moment(db, current),
        offers=offers(standing(db, current), now),
        following=lambda deadline: promises.following(current, deadline),
        later=partial(_days_later, current),
        seats=summary.seat_lines(db, current),
        most_unfolded=MOST_TOLD,
        alike=summary.alike(db, current),
        silent=todo.not_answered(store.seats.of_game(db, game.id)),
        away={
            seat.number
            for seat in store.seats.of_game(db, game.id)
            if summary.away_during(seat, current)
        },
        log=log.entries(db, current),
        words=inbox.words(db, current),
        refused_mails=refused.without_seat(db, [game.id]),
        asked_to_join=store.requests.asked_to_join(db, game.id),
        standby=store.accounts.standby_of(db, master().address),
        masters=store.games.masters(db, game.id),
        rules_line=rules_line(current, language(master().language)),
        coming=coming(current.schedule, now) if current.status in ("draft", "open") else [],
        invitation=installation().url("invitation", game.id),
        spectators=installation().game_url(current),
        seen=lambda act, seat="": acts.seen(db, current, act, seat),
        opened=asked.get("seat", ""),
        asked_to=request.args.get("did", ""),
        leads_back="desk" in asked,
        refusal=refusal,
        problems=refusal.problems if isinstance(refusal, Refused) else (),
        failed=act,
        typed=form or MultiDict(),
        max_name=MAX_NAME,
        now=now,
    )


def _days_later(game: Game, days: int) -> int | None:
    """The regular deadline some days later; None at a time that the clock change skips or brings
    twice.
    """
    try:
        return extending.wished(game, days=days)
    except Refusal:
        return None
