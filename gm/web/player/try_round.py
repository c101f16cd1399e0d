"""A closed round in the planner, to be tried again from any farm. Nothing is sent, and nothing
is stored.
"""

from collections.abc import Mapping, Sequence

from flask import Blueprint, request
from flask.wrappers import Response
from msgspec import Struct

from gm import store
from gm.rendering.how_to_play import RecordedGame, RecordedSeat, sample
from gm.store.db import reading
from gm.store.games import Game
from gm.store.seats import Seat
from gm.web.forms import Unusable
from gm.web.page import database, error_page, installation, page
from gm.web.player.order_form import control_of
from gm.web.public_game import visible_game
from rounds.engine.notation import Orders, Problem, Refused
from rounds.engine.variant import BadForm, Controls, Form, FormOrders, Table, names

pages = Blueprint("try_round", __name__)

FRAME = ("seat", "lang", "typed", "action", "fbclid")
"""Parameters of the address that are no controls of the form; Facebook adds the last to links."""


class TriedRound(Struct, frozen=True):
    """A round that may be tried again: the table before it, the lists that were played, by seat,
    and the page that tells it. `others`: who plays seats that are not named for them.
    """

    game: Game | RecordedGame
    number: int
    table: Table
    seats: Sequence[Seat | RecordedSeat]
    others: store.seats.ActualPlayers
    lists: Mapping[str, str | None]
    page: str


class Tried(Struct, frozen=True):
    """Orders as the form shows them, or what is wrong with them."""

    controls: Controls
    orders: Orders | None = None
    problems: Sequence[tuple[Problem, str | None]] = ()


@pages.get("/p/<place>/r<int:number>/try")
def try_round(place: str, number: int) -> Response:
    """A round of a game from the farm of `?seat=2`, with the orders that were played, or those of
    the address.
    """
    game = visible_game(place)
    with reading(database()):
        if game is None or not 0 < number < game.round:
            return error_page("not_found")
        table = store.rounds.table_after(database(), game, number - 1)
        closed = store.rounds.get(database(), game.id, number)
        seats = store.seats.of_game(database(), game.id)
    return _try_page(
        TriedRound(
            game,
            number,
            table,
            [seat for seat in seats if seat.name in table.seats],
            store.seats.actual_players(seats),
            closed.lists if closed else {},
            f"/p/{installation().place(game)}/r{number}",
        )
    )


@pages.get("/rules/<variant>/report/try")
def try_sample(variant: str) -> Response:
    """The same with the round of the sample report."""
    recorded = sample(variant) if variant in names() else None
    if recorded is None:
        return error_page("not_found")
    return _try_page(
        TriedRound(
            recorded.game,
            recorded.parts[-1].number,
            recorded.table,
            recorded.seats,
            {},
            recorded.lists,
            f"/rules/{variant}/report",
        )
    )


def _try_page(closed: TriedRound) -> Response:
    """404 for a game whose rounds nobody can try again."""
    form, seats = closed.game.engine.form, closed.seats
    chosen = request.args.get("seat", str(seats[0].number))
    seat = next((seat for seat in seats if str(seat.number) == chosen), None)
    if seat is None or form is None or not form.open:
        return error_page("not_found")
    typed = request.args.get("typed", "").strip()
    tried = _tried(form, closed, seat.name, typed) or _as_played(form, closed, seat.name)
    variant = closed.game.engine
    return page(
        "try.html",
        422 if tried.problems else 200,
        round=closed.number,
        told=closed.page,
        seats=seats,
        typed=typed,
        game=closed.game,
        seat=seat,
        others=closed.others,
        view=variant.view(closed.table, seat.name),
        moment=variant.moment(closed.table),
        controls=tried.controls,
        problems=tried.problems,
        steps=None
        if tried.orders is None
        else variant.preview(closed.table, seat.name, tried.orders),
        notation="" if tried.orders is None else variant.write_orders(closed.table, tried.orders),
        planner_data={**form.data(closed.table, seat.name), "version": None, "tried": True},
        sealed=None,
        link=None,
    )


def _tried(form: Form, closed: TriedRound, seat: str, typed: str) -> Tried | None:
    """The orders of the address; None without any. Raises Unusable for what the page does not
    offer.
    """
    sent = {name: values for name, values in request.args.lists() if name not in FRAME}
    if not (sent or typed):
        return None
    try:
        form_orders = FormOrders(typed, ()) if typed else form.read(closed.table, seat, sent)
        text = form_orders.text
        orders = closed.game.engine.read_orders(closed.table, seat, text) if text else ()
    except BadForm:
        raise Unusable("damaged") from None
    except Refused as refused:
        problems = [
            (problem, control_of(problem, form_orders, by_hand=bool(typed)))
            for problem in refused.problems
        ]
        return Tried(form.controls(sent), problems=problems)
    return Tried(form.fill(closed.table, seat, orders), orders)


def _as_played(form: Form, closed: TriedRound, seat: str) -> Tried:
    """What the seat, or its stand-in, played in that round."""
    played, variant = closed.lists.get(seat), closed.game.engine
    orders = (
        variant.stand_in(closed.table, seat)
        if played is None
        else variant.read_orders(closed.table, seat, played)
    )
    return Tried(form.fill(closed.table, seat, orders), orders)
