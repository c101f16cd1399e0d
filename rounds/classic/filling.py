"""The order form that says a list, and what a script plans with."""

from typing import Any

from rounds.classic.deals import of_one_card
from rounds.classic.form import NOTHING, offerable, plantable, read_form
from rounds.classic.notation import KEEP, Alternatives, Plant, write
from rounds.classic.orders import field_work, read_orders, wishes_of, write_orders
from rounds.classic.stand_in import stand_in
from rounds.classic.table import Table
from rounds.engine.notation import Orders, Refused
from rounds.engine.variant import BadForm, Controls
from rounds.family.orders import BUY, Harvest


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders: by its choices if they can, else as text."""
    controls = _guess(orders)
    try:
        if read_orders(table, seat, read_form(table, seat, controls.sent).text) == orders:
            return controls
    except (BadForm, Refused):
        pass  # two orders want the same control, or one comes in another place
    return Controls(chosen={"text": write_orders(table, orders)})


def _guess(orders: Orders) -> Controls:
    """The choices that say a list if any do: harvests at its beginning are ticks, others come
    with a planting.
    """
    work, wishes = field_work(orders), wishes_of(orders)
    chosen = _of_wishes(wishes)
    leading = next((at for at, order in enumerate(work) if isinstance(order, Plant)), len(work))
    first = tuple(sorted(write(order) for order in work[:leading] if isinstance(order, Harvest)))
    chosen |= {"buy": "yes"} if BUY in work else {}
    chosen |= {
        f"plant_{order.card}": order.field or "" for order in work if isinstance(order, Plant)
    }
    chosen |= {"keep": "yes"} if KEEP in orders else {}
    return Controls(chosen, {"first": first} if first else {}, passed=not orders)


def _of_wishes(wishes: tuple[Alternatives, ...]) -> dict[str, str]:
    """The numbers and ticks that say these wishes, and as text what they can't."""
    chosen, special, seen = dict[str, str](), list[str](), set[str]()
    for wish in wishes:
        card = of_one_card(wish)
        if (
            card is None
            or (card.label or card.gets[0]) in seen
            or len(set(card.gets)) < len(card.gets)
        ):
            special.append(write(wish))
            continue
        seen.add(card.label or card.gets[0])
        if card.label:
            chosen |= {
                f"want_{card.label}_{variety}": str(rank)
                for rank, variety in enumerate(card.gets, start=1)
            }
        else:
            chosen[f"take_{card.gets[0]}"] = "yes"
    return chosen | ({"special": "\n".join(special)} if special else {})


def planner_data(table: Table, seat: str) -> dict[str, Any]:
    """What a planner plays with: own cards by their names, farm, beanometers, the stand-in's
    list, and the deals of last time.
    """
    farm, absent = table.farms[seat], fill_form(table, seat, stand_in(table, seat))
    cards, last = offerable(table, seat), dict(table.offered.get(seat, ()))
    of_variety = {
        table.cards[card] if isinstance(card, int) else card: gets
        for card, gets in last.items()
        if card != NOTHING
    }
    return {
        "phase": table.phase,
        "lying": list(table.lying[seat]),
        "hand": list(table.hand(seat)),
        "cards": cards,
        "due": [card for card in plantable(table, seat) if card != "h2"],
        "fields": [grown and [grown.variety, grown.cards] for grown in farm.fields],
        "talers": farm.talers,
        "price": table.size.price,
        "meters": {variety.id: list(variety.beanometer) for variety in table.deck.varieties},
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
        "last": {
            label: list(of_variety[card]) for label, card in cards.items() if card in of_variety
        },
        "took": list(last.get(NOTHING, ())),
    }
