"""A closed round in the planner, to be tried again from any farm. Nothing is sent, and nothing
is stored.
"""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, request
from flask.wrappers import Response
from msgspec import Struct

from gm import store
from gm.rendering.own_words import for_variant
from gm.store.db import reading
from gm.store.games import Game
from gm.store.seats import Seat
from gm.web.forms import Unusable
from gm.web.page import database, error_page, page
from gm.web.player.order_form import control_of
from gm.web.public_game import game_at
from rounds.engine.notation import Orders, Problem, Refused
from rounds.engine.variant import BadForm, Controls, Form, FormOrders, Table

pages = Blueprint("try_round", __name__)

FRAME = ("seat", "lang", "typed", "action")
"""Parameters of the address that are no controls of the form."""


class Tried(Struct, frozen=True):
    """Orders as the form shows them, or what is wrong with them."""

    controls: Controls
    orders: Orders | None = None
    problems: Sequence[tuple[Problem, str | None]] = ()


@pages.get("/p/<place>/r<int:number>/try")
def try_round(place: str, number: int) -> Response:
    """A round from the farm of `?seat=2`, with the orders that were played, or those of the
    address.
    """
    game = game_at(place)
    form = game.engine.form if game else None
    with reading(database()):
        if game is None or form is None or not form.open or not 0 < number < game.round:
            return error_page("not_found")
        table = store.rounds.table_after(database(), game, number - 1)
        seats = [
            seat for seat in store.seats.of_game(database(), game.id) if seat.name in table.seats
        ]
        chosen = request.args.get("seat", str(seats[0].number))
        seat = next((seat for seat in seats if str(seat.number) == chosen), None)
        if seat is None:
            return error_page("not_found")
        typed = request.args.get("typed", "").strip()
        tried = _tried(form, game, table, seat, typed) or _as_played(
            form, game, table, seat, number
        )
        words = _words(form, game, table, seat, tried) | {
            "round": number,
            "seats": seats,
            "typed": typed,
        }
        return page("try.html", 422 if tried.problems else 200, **words)


def _tried(form: Form, game: Game, table: Table, seat: Seat, typed: str) -> Tried | None:
    """The orders of the address; None without any. Raises Unusable for what the page does not
    offer.
    """
    sent = {name: values for name, values in request.args.lists() if name not in FRAME}
    if not (sent or typed):
        return None
    try:
        form_orders = FormOrders(typed, ()) if typed else form.read(table, seat.name, sent)
        orders = (
            game.engine.read_orders(table, seat.name, form_orders.text) if form_orders.text else ()
        )
    except BadForm:
        raise Unusable("damaged") from None
    except Refused as refused:
        problems = [
            (problem, control_of(problem, form_orders, by_hand=bool(typed)))
            for problem in refused.problems
        ]
        return Tried(form.controls(sent), problems=problems)
    return Tried(form.fill(table, seat.name, orders), orders)


def _as_played(form: Form, game: Game, table: Table, seat: Seat, number: int) -> Tried:
    """What the seat, or its stand-in, played in that round."""
    closed = store.rounds.get(database(), game.id, number)
    played = closed.lists.get(seat.name) if closed else None
    variant = game.engine
    orders = (
        variant.stand_in(table, seat.name)
        if played is None
        else variant.read_orders(table, seat.name, played)
    )
    return Tried(form.fill(table, seat.name, orders), orders)


def _words(form: Form, game: Game, table: Table, seat: Seat, tried: Tried) -> dict[str, Any]:
    """What the templates of the order page need, for a round that takes no orders."""
    variant, names = game.engine, ("form", "planner", "planned", "where", "steps")
    return {
        **{f"{name}_template": for_variant(game.variant, f"{name}.html") for name in names},
        "game": game,
        "seat": seat,
        "others": store.seats.actual_players(store.seats.of_game(database(), game.id)),
        "view": variant.view(table, seat.name),
        "moment": variant.moment(table),
        "controls": tried.controls,
        "problems": tried.problems,
        "steps": None if tried.orders is None else variant.preview(table, seat.name, tried.orders),
        "notation": "" if tried.orders is None else variant.write_orders(table, tried.orders),
        "planner_data": {**form.data(table, seat.name), "version": None, "tried": True},
        "sealed": None,
        "link": None,
    }
