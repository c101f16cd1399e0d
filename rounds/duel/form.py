"""The order form: a choice for each card that may or must be used. It only helps to write order
text.

| control | values | meaning |
|---|---|---|
| `first` | HA HB HC, several | harvest these fields before all else |
| `buy` | yes | buy the third field, after these harvests |
| `offer_<variety>`, `row_<variety>` | empty, A, B, C | plant these cards there, harvesting what else grows there |
| `number_<variety>` | empty, 1, 2 … | so many of them; empty: all |
| `hand_1`, `hand_2` | empty, A, B, C | plant this card of the hand there, likewise |
| `drop` | empty, 1, 2 … | discard this card of the hand |
| `plan` | empty, yes | say beforehand what is wanted of the row |
| `match` | yes | of the row what matches |
| `want_<variety>` | empty, A, B, C | of the row these cards there, harvesting first what else grows there |
| `pass`, `resign` | yes | "I plant nothing", which a second part without a choice says too; "I give up the game" |
| `text` | orders | a list that these controls can't say; where it is written it is all that counts |
"""  # noqa: E501  # a table

import re
from collections.abc import Iterator
from typing import Any

from rounds.duel.notation import MATCH, RESIGN, Drop, Plant, Take
from rounds.duel.orders import read_orders, write_orders
from rounds.duel.plan import split
from rounds.duel.stand_in import stand_in
from rounds.duel.table import BEFORE, PRICE, Table
from rounds.engine.notation import Orders, Refused
from rounds.engine.variant import BadForm, Controls, FormOrders
from rounds.family.forms import CHOICES, HARVESTS, Sent, one, refuse_strangers
from rounds.family.orders import BUY, Harvest

TICKS = ("buy", "match", "pass", "resign")


def read_form(table: Table, _: str, controls: Sent) -> FormOrders:
    """The order text of a form and the control each order came from. Raises BadForm for what the
    page does not offer.
    """
    refuse_strangers(controls, _offered(table), ("text",))
    if (text := one(controls, "text").strip()) or controls.get("resign"):
        text = text or RESIGN.text
        return FormOrders(
            text, ("text" if text != RESIGN.text else "resign",) * len(re.split(r"[\s,;]+", text))
        )
    pairs = [*_before(table, controls), *_plan(table, controls)]
    if not pairs and table.phase != BEFORE:  # all of the row is left
        pairs = [("pass", "pass")]
    return FormOrders(" ".join(word for _, word in pairs), tuple(name for name, _ in pairs))


def _offered(table: Table) -> dict[str, tuple[str, ...]]:
    """Every control of the page that is sent once, with its values."""
    lying, hand = _lying(table), table.hands[table.active]
    values: dict[str, tuple[str, ...]] = dict.fromkeys(TICKS, ("yes",))
    values |= {name: CHOICES for name, _, _ in lying}
    values |= {
        f"number_{variety}": ("", *map(str, range(1, cards + 1))) for _, variety, cards in lying
    }
    if table.phase == BEFORE:
        values |= {f"hand_{card}": CHOICES for card in range(1, min(2, len(hand)) + 1)}
        values |= {f"want_{variety}": CHOICES for variety in table.deck.ids}
        values |= {"drop": ("", *map(str, range(1, len(hand) + 1))), "plan": ("", "yes")}
    return values


def _lying(table: Table) -> list[tuple[str, str, int]]:
    """The control, variety and number of each stack that lies on the table."""
    kind, stacks = ("offer", table.offer) if table.phase == BEFORE else ("row", table.row)
    return [(f"{kind}_{stack.variety}", stack.variety, stack.cards) for stack in stacks]


def _before(table: Table, controls: Sent) -> Iterator[tuple[str, str]]:
    """The exact orders: each with the control it came from."""
    if controls.get("pass"):
        yield "pass", "pass"
    for harvest in HARVESTS:
        if harvest in controls.get("first", ()):
            yield "first", harvest
    if controls.get("buy"):
        yield "buy", BUY.text
    for name, variety, cards in _lying(table):
        number, field = one(controls, f"number_{variety}") or str(cards), one(controls, name)
        if field:
            yield name, f"{variety}x{number}>{field}!"
        if table.phase == BEFORE and not (field and int(number) == cards):
            yield name, f"D{variety}"
    for card in (1, 2):
        if field := one(controls, f"hand_{card}"):
            yield f"hand_{card}", f"{card}>{field}!"
    if drop := one(controls, "drop"):
        yield "drop", f"D{drop}"


def _plan(table: Table, controls: Sent) -> Iterator[tuple[str, str]]:
    """What is wanted of the row: first what matches."""
    wanted = [("match", MATCH.text)] if controls.get("match") else []
    fields = {variety: one(controls, f"want_{variety}") for variety in table.deck.ids}
    wanted += [
        (f"want_{variety}", f"{variety}>{field}!") for variety, field in fields.items() if field
    ]
    if wanted or one(controls, "plan"):
        yield "plan", "then"
        yield from wanted or [("plan", "pass")]


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders: by its choices if they can, else as text."""
    if orders == (RESIGN,):
        return Controls(chosen={"resign": "yes"})
    controls = _guess(orders, table)
    try:
        if read_orders(table, seat, read_form(table, seat, controls.sent).text) == orders:
            return controls
    except (BadForm, Refused):
        pass  # two orders want the same control
    return Controls(chosen={"text": write_orders(table, orders)})


def _guess(orders: Orders, table: Table) -> Controls:
    """The choices that say a list if any do: harvests at its beginning are ticks, others come
    with a planting.
    """
    exact, plan = split(orders)
    chosen: dict[str, str] = {}
    first = [f"H{order.field}" for order in exact[: _leading(exact)] if isinstance(order, Harvest)]
    for order in exact:
        match order:
            case Take(variety, cards, field):
                chosen["offer_" + variety if table.phase == BEFORE else "row_" + variety] = (
                    field or ""
                )
                chosen |= {f"number_{variety}": str(cards)} if cards else {}
            case Plant(card, field):
                chosen[f"hand_{card}"] = field or ""
            case Drop(card):
                chosen["drop"] = str(card)
            case _ if order == BUY:
                chosen["buy"] = "yes"
    if len(orders) > len(exact):
        chosen["plan"] = "yes"
    for order in plan:
        if isinstance(order, Take):
            chosen[f"want_{order.variety}"] = order.field or ""
        elif order == MATCH:
            chosen["match"] = "yes"
    return Controls(chosen, {"first": tuple(sorted(first))} if first else {}, passed=not orders)


def _leading(orders: Orders) -> int:
    """How many orders at the beginning are harvests and purchases."""
    return next(
        (at for at, order in enumerate(orders) if not isinstance(order, Harvest) and order != BUY),
        len(orders),
    )


def planner_data(table: Table, seat: str) -> dict[str, Any]:
    """What a planner plays with: what lies there, the own hand and farm, beanometers, and what
    the stand-in would do.
    """
    farm, absent = table.farms[seat], fill_form(table, seat, stand_in(table, seat))
    return {
        "phase": table.phase,
        "offer": [[stack.variety, stack.cards] for stack in table.offer],
        "row": [[stack.variety, stack.cards] for stack in table.row],
        "hand": list(table.hand(seat)),
        "fields": [grown and [grown.variety, grown.cards] for grown in farm.fields],
        "talers": farm.talers,
        "price": PRICE,
        "discard": table.rules.discard,
        "meters": {variety.id: list(variety.beanometer) for variety in table.deck.varieties},
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
    }
