"""The order page behind a personal link: see the row, check a list, send it, read the receipt."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, g, request, url_for
from flask.wrappers import Response
from msgspec.structs import replace

from gm import clock, store
from gm.deadline.closing import close_at_once
from gm.errors import Refusal
from gm.game.orders import LIMITS, Late, Refused, Replaced, TooMany, check, check_in_time, submit
from gm.game.people import seating
from gm.rendering.own_words import for_variant
from gm.store import others
from gm.store.db import reading
from gm.web.forms import Unusable, read_form
from gm.web.page import database, error_page, installation, language, page, see_other, why_late
from gm.web.player.link import LinkTarget, target_of
from gm.web.player.order_form import Sent, control_of, filled_controls, read_sent, typed_controls, typed_orders
from gm.web.player.versions import readable, versions
from rounds.notation import Orders, Problem
from rounds.variant import Controls, FormOrders, Table

pages = Blueprint("play", __name__)

MOST_VERSIONS = 30
"""So many of a seat's own lists are shown, the newest: what its page costs does not grow with all that were ever sent."""
UNCHANGED = ("orders", "all")
"""What a form left as it was: the orders, with other press or words to the GM, or all of it."""


@pages.get("/z/<token>")
def order_page(token: str) -> Response:
    """The form, as it was last sent. Reading it changes nothing, however often."""
    with reading(database()):
        return _order_page(token)


def _order_page(token: str) -> Response:
    target = target_of(token)
    if target is None:
        return error_page("gone")
    if target.game.status == "finished":
        return see_other(url_for("lobby.game_page", place=installation().place(target.game), lang=language(target.seat.language)))
    if not target.is_playable:
        return _waiting(target)
    variant, table = target.game.engine, store.open_table(database(), target.game)
    orders = None if target.newest is None else variant.read_orders(table, target.seat.name, target.newest.orders)
    fill_nmr, older = request.args.get("fill") == "nmr", target.older(request.args.get("fill", ""))
    shown = variant.stand_in(table, target.seat.name) if fill_nmr else orders
    if older is not None:
        shown = readable(target.game, table, target.seat.name, older)
    controls = Controls() if shown is None else filled_controls(variant, table, target.seat.name, shown)
    if fill_nmr:  # "I plant nothing" is for people to tick
        controls = replace(controls, passed=False)
    press, to_gm = store.own_press(database(), target.seat, target.game.round)
    filled = older.number if older else 0
    return _form(target, table, controls, orders=orders, fill_nmr=fill_nmr, filled=filled, press=press, to_gm=to_gm)


def _waiting(target: LinkTarget, status: int = 200, refusal: Refusal | None = None, phrase: str = "") -> Response:
    seats = store.seats(database(), target.game.id)
    values = {"names": [seat.name for seat in seats], "others": others(seats), "refusal": refusal, "phrase": phrase}
    if target.game.status == "running" and not target.game.takes(target.seat.name):
        values |= _own_table(target)
    return _page(target, "waiting.html", status, **values)


def _own_table(target: LinkTarget) -> dict[str, Any]:
    """What who is not awaited sees meanwhile."""
    game = target.game
    table = store.open_table(database(), game)
    view, moment = game.engine.view(table, target.seat.name), game.engine.moment(table)
    return {"view": view, "moment": moment, "table_template": for_variant(game.variant, "table.html")}


@pages.post("/z/<token>")
def send_orders(token: str) -> Response:
    """Check a list or store it. Whatever is refused comes back as it was typed, and nothing is changed."""
    with reading(database()):
        target = target_of(token)
        if target is None:
            return error_page("gone")
        own = target.game.engine.form
        sent = read_sent(read_form(repeatable=own.repeats if own else None))
        try:
            check_in_time(target.game, sent.round)
            if not target.game.takes(target.seat.name):
                raise Late(target.game)
            typed = typed_orders(target.game.engine, store.open_table(database(), target.game), sent)
            g.sent, g.press = typed.text, "\n".join(filter(None, (sent.press, sent.to_gm)))
            asks = target.game.closes_at_once and not sent.final and not sent.check
            if sent.check or asks:
                return _checked(target, sent, typed, asks=asks)
        except Late:
            return _late(target, sent)
    return _submitted(target, sent, typed)


def _checked(target: LinkTarget, sent: Sent, typed: FormOrders, *, asks: bool) -> Response:
    """What a list would do, or what is wrong with it. `asks`: it was to be submitted, and the box is not ticked."""
    try:
        found = check(database(), target.game, target.seat, sent.round, typed.text, sent.press, sent.to_gm)
    except Refused as error:
        return _refused(target, sent, typed, error)
    controls = typed_controls(target.game.engine, sent)
    return _form(
        target, found.before, controls, 422 if asks else 200, orders=found.orders, checked=True, asks=asks, final=sent.final,
        press=sent.press, to_gm=sent.to_gm,
    )  # fmt: skip


def _submitted(target: LinkTarget, sent: Sent, typed: FormOrders) -> Response:
    """Where its receipt stands, or why a list is not stored."""
    try:
        receipt = submit(database(), target.game, target.seat, sent.round, typed.text, sent.press, sent.to_gm, by="seat")
    except Refused as error:
        with reading(database()):
            return _refused(target, sent, typed, error)
    except Replaced:
        return error_page("gone", sent=g.sent, press=g.press)
    except TooMany:
        return error_page("too_many", sent=g.sent, press=g.press)
    except Late as late:
        return _late(replace(target, game=late.game), sent)
    lang = request.args.get("lang")
    if close_at_once(installation(), target.game, clock.now()):
        return see_other(url_for("play.order_page", token=target.token, lang=lang))
    before = target.counting.number if target.counting else 0
    unseen = before if receipt.is_new and sent.rev < before else None
    unchanged = None if receipt.is_new else UNCHANGED[not receipt.new_words]
    return see_other(url_for("play.receipt_page", token=target.token, unseen=unseen, unchanged=unchanged, lang=lang))


def _refused(target: LinkTarget, sent: Sent, typed: FormOrders, error: Refused) -> Response:
    """The form as it was sent, with each problem at the control it came from."""
    problems = [(found, control_of(found, typed) if name == "orders" else name) for name, found in error.found]
    table = store.open_table(database(), target.game)
    controls = typed_controls(target.game.engine, sent)
    return _form(target, table, controls, 422, problems=problems, final=sent.final, press=sent.press, to_gm=sent.to_gm)


@pages.get("/z/<token>/receipt")
def receipt_page(token: str) -> Response:
    """The newest list in words, with its exact result."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    if target.newest is None or not target.game.is_open:
        return see_other(url_for("play.order_page", token=token, lang=request.args.get("lang")))
    variant, table = target.game.engine, store.open_table(database(), target.game)
    orders = variant.read_orders(table, target.seat.name, target.newest.orders)
    unseen, unchanged = request.args.get("unseen", ""), request.args.get("unchanged")
    press, to_gm = store.own_press(database(), target.seat, target.game.round)
    mail = store.receipt_mail(database(), target.game.id, target.game.round, target.seat.number, target.newest.number)
    return _page(
        target,
        "receipt.html",
        view=variant.view(table, target.seat.name),
        moment=variant.moment(table),
        press=press,
        to_gm=to_gm,
        unchanged=unchanged if unchanged in UNCHANGED else None,
        mail=mail if mail and target.seat.is_at(mail.address) else None,
        digest=target.newest.digest(target.seat.name),
        unseen=int(unseen) if unseen.isascii() and unseen.isdigit() and len(unseen) < 6 else None,
        **_result(target, table, orders),
    )


@pages.post("/z/<token>/ready")
def say_ready(token: str) -> Response:
    """The player is there, before the start."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    form = read_form()
    if target.game.status == "open":
        if form.get("ready") != "yes":  # a scanner that presses every button leaves the box as it is
            return _waiting(target, 422, Refusal("not_ticked"))
        phrase = form.get("phrase", "")
        try:
            seating.say_ready(database(), target.seat, clock.now(), phrase=phrase)
        except Refusal as refusal:
            return _waiting(target, 422, refusal, phrase)
    return see_other(url_for("play.order_page", token=token, lang=request.args.get("lang")))


def _result(target: LinkTarget, table: Table, orders: Orders) -> dict[str, Any]:
    variant = target.game.engine
    return {
        "steps": variant.preview(table, target.seat.name, orders),
        "notation": variant.write_orders(table, orders),
        "steps_template": for_variant(variant.name, "steps.html"),
    }


def _form(  # noqa: PLR0913  # one for each thing a state of the page can show
    target: LinkTarget,
    table: Table,
    controls: Controls,
    status: int = 200,
    *,
    orders: Orders | None = None,
    checked: bool = False,
    asks: bool = False,
    final: bool = False,
    fill_nmr: bool = False,
    filled: int = 0,
    problems: Sequence[tuple[Problem, str | None]] = (),
    press: str,
    to_gm: str,
) -> Response:
    """The order page in one of its states: fresh, stored, checked, refused."""
    variant, seat = target.game.engine, target.seat
    result = {"steps": None, "notation": "", "steps_template": ""} if orders is None else _result(target, table, orders)
    return _page(
        target,
        "order.html",
        status,
        view=variant.view(table, seat.name),
        moment=variant.moment(table),
        round=target.game.round,
        now=clock.now(),
        action=f"?lang={request.args['lang']}" if "lang" in request.args else "",
        controls=controls,
        most=LIMITS,
        checked=checked,
        asks=asks,
        final=final,
        fill_nmr=fill_nmr,
        filled=filled,
        versions=versions(target.game, table, seat.name, target.own_lists()[:MOST_VERSIONS]),
        problems=problems,
        press=press,
        to_gm=to_gm,
        absent_steps=variant.preview(table, seat.name, variant.stand_in(table, seat.name)),
        **_variants_own(target, table),
        **result,
    )


def _variants_own(target: LinkTarget, table: Table) -> dict[str, Any]:
    """The templates of the variant for this page, and what its planner knows."""
    form, name = target.game.engine.form, target.game.variant
    data = {} if form is None else {**form.data(table, target.seat.name), "version": target.newest and target.newest.number}
    return {
        "form_template": for_variant(name, "form.html"),
        "notice_template": for_variant(name, "notice.html"),
        "outlook_template": for_variant(name, "outlook.html"),
        "planner_template": for_variant(name, "planner.html"),
        "planned_template": for_variant(name, "planned.html"),
        "where_template": for_variant(name, "where.html"),
        "planner_data": data,
    }


def _had_turn(target: LinkTarget, number: int) -> bool:
    """Whether lists of this seat are taken in the open round, or were in a closed one."""
    closed = store.closed_round(database(), target.game.id, number)
    return target.game.takes(target.seat.name) if closed is None else target.seat.name in closed.lists


def _late(target: LinkTarget, sent: Sent) -> Response:
    """Not saved: too late, another round, or a game that takes no orders. What was sent is given back."""
    target = replace(target, counting=store.newest_revisions(database(), target.game.id, sent.round).get(target.seat.number))
    try:
        text = typed_orders(target.game.engine, store.table_after(database(), target.game, sent.round - 1), sent).text
    except (LookupError, Unusable):
        text = " ".join(f"{name}={'+'.join(values)}" for name, values in sent.controls.items() if any(values))
    has_turn = _had_turn(target, sent.round)
    why = why_late(target.game, sent.round, has_turn=has_turn)
    game = target.game
    is_over = game.status == "finished" or sent.round < game.round or (game.is_open and sent.round == game.round)
    values = {
        "is_over": is_over,
        "sent": text,
        "press": sent.press,
        "to_gm": sent.to_gm,
        "round": sent.round,
        "why": why,
        "has_turn": has_turn,
    }
    return _page(target, "late.html", 409, **values)


def _page(target: LinkTarget, template: str, status: int = 200, **values: Any) -> Response:
    common = {
        "game": target.game,
        "seat": target.seat,
        "zone": target.game.schedule.zone,
        "newest": target.newest,
        "sealed": target.sealed,
        "link": f"/z/{target.token}",
        "refused": store.newest_refusal(database(), target.seat),
        "plan_key": f"{target.game.id}/{target.seat.number}/{target.seat.link_number}",
    }
    return page(template, status, default_language=target.seat.language, **common | values)
