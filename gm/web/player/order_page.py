"""The order page behind a personal link: see the row, check orders, send them, read the receipt."""

from flask import Blueprint, g, request, url_for
from flask.wrappers import Response
from msgspec.structs import replace

from gm import clock, store
from gm.errors import Refusal
from gm.games.orders import Late, Refused, Replaced, TooMany, check, check_in_time
from gm.games.reminding import remind_other
from gm.people import joining
from gm.rendering.receipts import receipts
from gm.service import close_at_once, play_once_more, submit
from gm.store.db import reading
from gm.web.forms import Unusable, read_form
from gm.web.lobby import page_of_game
from gm.web.page import database, error_page, installation, language, see_other
from gm.web.player.link import LinkTarget, target_of
from gm.web.player.order_form import (
    Sent,
    control_of,
    filled_controls,
    read_sent,
    typed_controls,
    typed_orders,
)
from gm.web.player.order_states import (
    dead_page,
    form_page,
    late_page,
    result_of,
    seat_page,
    waiting_page,
)
from gm.web.player.versions import readable
from rounds.engine.variant import Controls, FormOrders

pages = Blueprint("play", __name__)

UNCHANGED = ("orders", "all")
"""What a form left as it was: the orders, with other press or words to the GM, or all of it."""


@pages.get("/z/<token>")
def order_page(token: str) -> Response:
    """The form, as it was last sent. Opening it changes nothing, however often."""
    with reading(database()):
        return _order_page(token)


def _order_page(token: str) -> Response:
    target = target_of(token)
    if target is None:
        return error_page("gone")
    if target.game.status == "finished":
        return page_of_game(target.game, target.seat)
    if not target.is_playable:
        return waiting_page(target)
    variant, table = target.game.engine, store.rounds.open_table(database(), target.game)
    orders = (
        None
        if target.newest is None
        else variant.read_orders(table, target.seat.name, target.newest.orders)
    )
    fill_nmr, older = request.args.get("fill") == "nmr", target.older(request.args.get("fill", ""))
    shown = variant.stand_in(table, target.seat.name) if fill_nmr else orders
    if older is not None:
        shown = readable(target.game, table, target.seat.name, older)
    controls = (
        Controls() if shown is None else filled_controls(variant, table, target.seat.name, shown)
    )
    if fill_nmr:  # "I plant nothing" is for people to tick
        controls = replace(controls, passed=False)
    press, to_gm = store.lists.own_press(database(), target.seat, target.game.round)
    filled = older.number if older else 0
    return form_page(
        target,
        table,
        controls,
        orders=orders,
        fill_nmr=fill_nmr,
        filled=filled,
        press=press,
        to_gm=to_gm,
    )


@pages.post("/z/<token>")
def send_orders(token: str) -> Response:
    """Check orders or store them. Whatever is refused comes back as it was typed, and nothing is
    changed.
    """
    with reading(database()):
        target = target_of(token)
        if target is None:
            return dead_page(token)
        own = target.game.engine.form
        sent = read_sent(read_form(repeatable=own.repeats if own else None))
        try:
            check_in_time(target.game, sent.round)
            if not target.game.takes(target.seat.name):
                raise Late(target.game)
            typed = typed_orders(
                target.game.engine,
                store.rounds.open_table(database(), target.game),
                target.seat.name,
                sent,
            )
            g.sent, g.press = typed.text, "\n".join(filter(None, (sent.press, sent.to_gm)))
            asks = target.game.closes_at_once and not (sent.final or sent.check or sent.typed)
            if sent.check or sent.typed or asks:
                return _checked(target, sent, typed, asks=asks)
        except Late:
            return late_page(target, sent)
    return _submitted(target, sent, typed)


def _checked(target: LinkTarget, sent: Sent, typed: FormOrders, *, asks: bool) -> Response:
    """What orders would do, or what is wrong with them. `asks`: they were to be submitted, and
    the box is not ticked.
    """
    try:
        checked = check(
            database(), target.game, target.seat, sent.round, typed.text, sent.press, sent.to_gm
        )
    except Refused as error:
        return _refused(target, sent, typed, error)
    variant = target.game.engine
    controls = typed_controls(variant, sent)
    if sent.typed:
        controls = filled_controls(variant, checked.before, target.seat.name, checked.orders)
    return form_page(
        target,
        checked.before,
        controls,
        422 if asks else 200,
        orders=checked.orders,
        checked=True,
        asks=asks,
        final=sent.final,
        press=sent.press,
        to_gm=sent.to_gm,
    )


def _submitted(target: LinkTarget, sent: Sent, typed: FormOrders) -> Response:
    """Redirect to the receipt, or say why the orders are not stored."""
    try:
        receipt = submit(
            database(),
            target.game,
            target.seat,
            sent.round,
            typed.text,
            sent.press,
            sent.to_gm,
            by="seat",
        )
    except Refused as error:
        with reading(database()):
            return _refused(target, sent, typed, error)
    except Replaced:  # in this instant
        return dead_page(target.token)
    except TooMany:
        return error_page("too_many", sent=g.sent, press=g.press)
    except Late as late:
        return late_page(replace(target, game=late.game), sent)
    lang = request.args.get("lang")
    if close_at_once(installation(), target.game, clock.now()):
        return see_other(url_for("play.order_page", token=target.token, lang=lang))
    before = target.counting.number if target.counting else 0
    unseen = before if receipt.is_new and sent.rev < before else None
    unchanged = None if receipt.is_new else UNCHANGED[not receipt.new_words]
    return see_other(
        url_for(
            "play.receipt_page", token=target.token, unseen=unseen, unchanged=unchanged, lang=lang
        )
    )


def _refused(target: LinkTarget, sent: Sent, typed: FormOrders, error: Refused) -> Response:
    """The form as it was sent, with each problem at the control it came from."""
    by_hand = bool(sent.typed)
    problems = [
        (found, control_of(found, typed, by_hand=by_hand) if name == "orders" else name)
        for name, found in error.found
    ]
    table = store.rounds.open_table(database(), target.game)
    controls = typed_controls(target.game.engine, sent)
    return form_page(
        target,
        table,
        controls,
        422,
        checked=sent.check or by_hand,
        problems=problems,
        final=sent.final,
        typed=sent.typed,
        press=sent.press,
        to_gm=sent.to_gm,
    )


@pages.get("/z/<token>/receipt")
def receipt_page(token: str) -> Response:
    """The newest orders in words, with their exact result."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    if target.newest is None or not target.game.is_open:
        return see_other(url_for("play.order_page", token=token, lang=request.args.get("lang")))
    variant, table = target.game.engine, store.rounds.open_table(database(), target.game)
    orders = variant.read_orders(table, target.seat.name, target.newest.orders)
    unseen, unchanged = request.args.get("unseen", ""), request.args.get("unchanged")
    press, to_gm = store.lists.own_press(database(), target.seat, target.game.round)
    mail = store.told.receipt(
        database(), target.game.id, target.game.round, target.seat.number, target.newest.number
    )
    return seat_page(
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
        **result_of(target, table, orders),
    )


@pages.get("/z/<token>/receipts.txt")
def receipts_file(token: str) -> Response:
    """Every receipt of the game, to keep and to check with."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    answer = Response(
        receipts(database(), target.game, target.seat, language()), mimetype="text/plain"
    )
    name = f"{target.game.id}-receipts.txt"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@pages.post("/z/<token>/remind")
def remind(token: str) -> Response:
    """Remind the other player of a game for two, on whom this one waits."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    read_form()
    remind_other(database(), target.game.id, target.seat, clock.now())
    return see_other(url_for("play.order_page", token=token, lang=request.args.get("lang")))


@pages.post("/z/<token>/again")
def say_again(token: str) -> Response:
    """The player of a finished game says whether they play once more."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    form = read_form()
    if set(form) != {"again"} or form["again"] not in ("yes", "no"):
        raise Unusable("damaged")
    try:
        yes = form["again"] == "yes"
        play_once_more(database(), installation(), target.seat, yes=yes, now=clock.now())
    except Replaced:
        return dead_page(token)
    except Refusal as refusal:
        return page_of_game(target.game, target.seat, refusal)
    lang = request.args.get("lang")
    return see_other(url_for("play.order_page", token=token, lang=lang, _anchor="again"))


@pages.post("/z/<token>/ready")
def say_ready(token: str) -> Response:
    """The player says, before the start, that they are there."""
    target = target_of(token)
    if target is None:
        return error_page("gone")
    form = read_form()
    if target.game.status == "open":
        # a scanner that presses every button leaves the box as it is
        if form.get("ready") != "yes":
            return waiting_page(target, 422, Refusal("not_ticked"))
        try:
            joining.say_ready(database(), target.seat, clock.now())
        except Refusal as refusal:
            return waiting_page(target, 422, refusal)
    return see_other(url_for("play.order_page", token=token, lang=request.args.get("lang")))
