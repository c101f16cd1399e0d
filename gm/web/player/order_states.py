"""The order page in each of its states: the form, too late, waiting."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from flask import request
from flask.wrappers import Response
from msgspec.structs import replace

from gm import clock, store
from gm.errors import Refusal
from gm.games.orders import LIMITS
from gm.games.reminding import may_remind_from, other_player
from gm.links import token_hash
from gm.open_round import standing
from gm.rendering.turns import parts_of, turn_of
from gm.store.games import Game
from gm.timetable import promises
from gm.web.forms import Unusable, read_form, typed_text
from gm.web.page import database, error_page, page, why_late
from gm.web.player.link import LinkTarget
from gm.web.player.order_form import Sent, read_sent, typed_orders
from gm.web.player.versions import versions
from gm.web.public_game import seat_link
from rounds.engine.notation import Orders, Problem
from rounds.engine.variant import Controls, Table

MOST_VERSIONS = 30
"""Most of a seat's own revisions that are shown, newest first: the cost of a page does not grow
with all that were ever sent.
"""

RENEWED = ("renewed", "own_address", "restored")
"""Why a link is dead whose player has the next one."""


def waiting_page(target: LinkTarget, status: int = 200, refusal: Refusal | None = None) -> Response:
    """The page while no orders of this seat are taken."""
    seats = store.seats.of_game(database(), target.game.id)
    game = target.game
    values = {
        "names": [seat.name for seat in seats],
        "robots": sum(seat.robot for seat in seats),
        "seat_link": seat_link(game, len(seats)),
        "first_deadline": promises.at_start(game, clock.now()) if game.status == "open" else None,
        "others": store.seats.actual_players(seats),
        "refusal": refusal,
        "notes": store.notes.of_round(database(), target.game.id, target.game.round),
    }
    if target.game.status in ("running", "paused"):
        values |= _own_table(target)
    return seat_page(target, "waiting.html", status, **values)


def _own_table(target: LinkTarget) -> dict[str, Any]:
    """What a seat sees while it waits for others."""
    game = target.game
    table, now = store.rounds.open_table(database(), game), clock.now()
    other = other_player(database(), game, target.seat, now)
    view, moment = game.engine.view(table, target.seat.name), game.engine.moment(table)
    return {
        "view": view,
        "moment": moment,
        "opponent": other,
        "may_remind_from": may_remind_from(database(), other) if other else 0,
    }


def result_of(target: LinkTarget, table: Table, orders: Orders) -> dict[str, Any]:
    """What orders do, step by step, for a template."""
    variant = target.game.engine
    return {
        "steps": variant.preview(table, target.seat.name, orders),
        "notation": variant.write_orders(table, orders),
    }


def form_page(  # noqa: PLR0913  # one for each thing a state of the page can show
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
    typed: str = "",
    press: str,
    to_gm: str,
) -> Response:
    """The order page in one of its states: fresh, stored, checked, refused."""
    variant, seat = target.game.engine, target.seat
    result = {"steps": None, "notation": ""} if orders is None else result_of(target, table, orders)
    return seat_page(
        target,
        "order.html",
        status,
        view=variant.view(table, seat.name),
        moment=variant.moment(table),
        round=target.game.round,
        so_far=parts_of(
            database(), target.game, turn_of(database(), target.game, target.game.round)
        ),
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
        typed=typed,
        others=store.seats.actual_players(store.seats.of_game(database(), target.game.id)),
        press=press,
        to_gm=to_gm,
        **_variants_own(target, table),
        **result,
    )


def _variants_own(target: LinkTarget, table: Table) -> dict[str, Any]:
    """What the planner knows, what the stand-in plays, and whether that is an NMR."""
    variant, seat = target.game.engine, target.seat.name
    form = variant.form
    data = (
        {}
        if form is None
        else {**form.data(table, seat), "version": target.newest and target.newest.number}
    )
    return {
        "planner_data": data,
        "absent_steps": variant.preview(table, seat, variant.stand_in(table, seat)),
        "silence_is_nmr": seat in variant.must_order(table),
    }


def _saw(target: LinkTarget, number: int) -> bool:
    """True if this link showed what the seat saw in a round, at its end or now. How a form for
    another round reads as orders would tell what an earlier player held.
    """
    if not target.game.engine.sees_more or number == target.game.round:
        return True
    closed = store.rounds.get(database(), target.game.id, number)
    return closed is not None and store.seats.link_since(database(), target.seat) < closed.closed_at


def _had_turn(target: LinkTarget, number: int) -> bool:
    """True if orders of this seat are taken in the open round, or were in a closed one."""
    closed = store.rounds.get(database(), target.game.id, number)
    return (
        target.game.takes(target.seat.name) if closed is None else target.seat.name in closed.lists
    )


def dead_page(token: str) -> Response:
    """The answer to a form that came by a dead link: what was typed is given back, as orders if
    the link was renewed.

    In a game with hidden hands the controls come back as they were sent: whether they are orders
    would tell what is in the hand now.
    """
    dead = store.seats.dead_link_by_hash(database(), token_hash(token))
    game = store.games.get(database(), dead.game) if dead and dead.why in RENEWED else None
    if dead is None or game is None:
        return error_page("gone", sent=typed_text())
    form = game.engine.form
    sent = read_sent(read_form(repeatable=form.repeats if form else None))
    text = sent.typed or (None if game.engine.sees_more else _as_orders(game, dead.seat, sent))
    again = None if game.status == "finished" else "typed" if text else "form"
    press = "\n".join(filter(None, (sent.press, sent.to_gm)))
    return error_page("gone", sent=text or _as_sent(sent), press=press, again=again)


def _as_orders(game: Game, seat: str, sent: Sent) -> str | None:
    """What a form orders; None if the table of its round does not know its controls."""
    try:
        return typed_orders(
            game.engine, store.rounds.table_after(database(), game, sent.round - 1), seat, sent
        ).text
    except (LookupError, Unusable):
        return None


def _as_sent(sent: Sent) -> str:
    return " ".join(
        f"{name}={'+'.join(values)}" for name, values in sent.controls.items() if any(values)
    )


def late_page(target: LinkTarget, sent: Sent) -> Response:
    """Not saved: too late, another round, or a game that takes no orders. What was sent is given
    back.
    """
    target = replace(
        target,
        counting=store.lists.newest(database(), target.game.id, sent.round).get(target.seat.number),
    )
    silence_is_nmr = True
    with suppress(LookupError):
        table = store.rounds.table_after(database(), target.game, sent.round - 1)
        silence_is_nmr = target.seat.name in target.game.engine.must_order(table)
    has_turn = _had_turn(target, sent.round)
    why = why_late(target.game, sent.round, has_turn=has_turn)
    game = target.game
    is_over = (
        game.status == "finished"
        or sent.round < game.round
        or (game.is_open and sent.round == game.round)
    )
    values = {
        "is_over": is_over,
        "sent": (_saw(target, sent.round) and _as_orders(game, target.seat.name, sent))
        or _as_sent(sent),
        "press": sent.press,
        "to_gm": sent.to_gm,
        "round": sent.round,
        "why": why,
        "has_turn": has_turn,
        "silence_is_nmr": silence_is_nmr,
    }
    return seat_page(target, "late.html", 409, **values)


def seat_page(target: LinkTarget, template: str, status: int = 200, **values: Any) -> Response:
    """A page behind a personal link, in the language of its seat."""
    stands = standing(database(), target.game)
    common = {
        "game": target.game,
        "seat": target.seat,
        "zone": target.game.schedule.zone,
        "now": clock.now(),
        "newest": target.newest,
        "sealed": target.sealed,
        "link": f"/z/{target.token}",
        "closes_early": stands.closes_early_at,
        "may_close_early": stands.may_close_early,
        "open_until": stands.shown_open_until(clock.now()),
        "is_last_awaited": target.newest is None and stands.waits_for_one(clock.now()),
        "refused": store.told.newest_refusal(database(), target.seat),
        "own_notes": store.notes.own_notes(database(), target.seat),
        "plan_key": f"{target.game.id}/{target.seat.number}/{target.seat.link_number}",
    }
    return page(template, status, default_language=target.seat.language, **common | values)
