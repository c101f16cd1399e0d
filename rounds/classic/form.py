"""The order form: where each card goes that may be planted, and for each that may be traded what
it is given for.

| control | values | meaning |
|---|---|---|
| `first` | HA HB HC, several | harvest these fields before all else |
| `buy` | yes | buy the third field, after these harvests |
| `plant_<card>` | empty, A, B, C | plant this card there (`plant_1`, `plant_h1`), harvesting first what else grows there |
| `want_<card>_<variety>` | empty, 1, 2 … | give this card for that variety; 1 is liked best. `0` as variety: for nothing |
| `take_<variety>` | yes | take one for nothing |
| `special` | deals | what the numbers can't say: several cards, one partner |
| `keep` | yes | these deals stay |
| `pass` | yes | "I plant nothing and trade nothing" |
| `text` | orders | a list that these controls can't say; where it is written it is all that counts |
"""  # noqa: E501  # a table

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rounds.classic.check import check
from rounds.classic.deals import of_one_card, tradable
from rounds.classic.notation import KEEP, Alternatives, Plant, grammar, write
from rounds.classic.orders import field_work, read_orders, wishes_of, write_orders
from rounds.classic.stand_in import stand_in
from rounds.classic.state import State, start
from rounds.classic.table import CALL, T, Table
from rounds.engine.notation import Order, Orders, Refused, read
from rounds.engine.variant import BadForm, Controls, FormOrders
from rounds.family.fields import letters
from rounds.family.forms import CHOICES, HARVESTS, Sent, one, refuse_strangers
from rounds.family.orders import BUY, PASS, Harvest

Said = tuple[str, str]
"""A control, and an order that it says."""
NOTHING = "0"
"""Of what a card is given for."""
TICKS = ("keep", "pass")
TEXTS = ("special", "text")


def read_form(table: Table, seat: str, controls: Sent) -> FormOrders:
    """The order text of a form and the control each order came from. Raises BadForm for what the
    page does not offer.
    """
    refuse_strangers(controls, _offered(table, seat), TEXTS)
    return put_together(table, controls, _field_work(table, seat, controls), offerable(table, seat))


def put_together(
    table: Table, controls: Sent, work: Iterable[Said], offered: Iterable[str]
) -> FormOrders:
    """Field work and deals as one list; `offered`: the cards that may be offered. Where a list is
    written as text it is all that counts.
    """
    if text := one(controls, "text").strip():
        return FormOrders(text, ("text",) * _count_orders(table, text))
    pairs = [*work, *_deals(table, offered, controls)]
    if controls.get("pass"):
        pairs.insert(0, ("pass", PASS.text))
    texts, origins = [" ".join(word for _, word in pairs)], [name for name, _ in pairs]
    if special := one(controls, "special").strip():
        texts.append(special)
        origins += ["special"] * _count_orders(table, special)
    if controls.get("keep"):
        texts.append(KEEP.text)
        origins.append("keep")
    # what is typed is not read into the order before it
    return FormOrders("\n".join(filter(None, texts)), tuple(origins))


def plantable(table: Table, seat: str) -> tuple[str, ...]:
    """The cards that must or may be planted, in the order in which the page shows them."""
    if table.phase == CALL:
        return ()
    most = table.must_plant + 1
    hand = min(most, len(table.hands[seat])) if table.plants_hand(seat) else 0
    return (
        *(str(number) for number in range(1, len(table.lying[seat]) + 1)),
        *(f"h{number}" for number in range(1, hand + 1)),
    )


def offerable(table: Table, seat: str) -> dict[str, str]:
    """The cards that the page offers for trade: all that may be given away but those that must
    be planted.
    """
    number = table.must_plant if table.plants_hand(seat) else 0
    planted = {f"h{place}" for place in range(1, number + 1)}
    cards = tradable(table, seat)
    return {label: card for label, card in cards.items() if label not in planted}


def _offered(table: Table, seat: str) -> dict[str, tuple[str, ...]]:
    """Every control of the page that is sent once, with its values."""
    values = {f"plant_{card}": CHOICES for card in plantable(table, seat)}
    return {"buy": ("yes",), **values, **deal_controls(table, seat)}


def deal_controls(table: Table, seat: str) -> dict[str, tuple[str, ...]]:
    """The controls of deals and passes that are sent once, with their values."""
    varieties = (*table.deck.ids, NOTHING)
    ranks = ("", *map(str, range(1, len(varieties) + 1)))
    values: dict[str, tuple[str, ...]] = dict.fromkeys(TICKS, ("yes",))
    values |= {
        f"want_{label}_{variety}": ranks
        for label in offerable(table, seat)
        for variety in varieties
    }
    return values | {f"take_{variety}": ("yes",) for variety in table.deck.ids}


def _count_orders(table: Table, text: str) -> int:
    """How many orders a text is read as."""
    reading = read(text, grammar(table.seats, table.language))
    return max(
        [
            0,
            *(found.number for found in reading.orders),
            *(problem.order or 0 for problem in reading.problems),
        ]
    )


def _field_work(table: Table, seat: str, controls: Sent) -> Iterator[Said]:
    """Harvests and purchase, then each card, and before it the harvest that its field needs."""
    state = start(table, seat)
    for order in [Harvest(word[1]) for word in HARVESTS if word in controls.get("first", ())]:
        yield "first", write(order)
        state = _after_if_allowed(state, order)
    if controls.get("buy"):
        yield "buy", BUY.text
        state = _after_if_allowed(state, BUY)
    for card in plantable(table, seat):
        field = one(controls, f"plant_{card}")
        if not field:
            continue
        there = state.farm.at(field) if field in letters(state.farm) else None
        orders: list[Order] = (
            [Harvest(field)] if there and there.variety != state.variety(card) else []
        )
        for order in [*orders, Plant(card, field)]:
            yield f"plant_{card}", write(order)
            state = _after_if_allowed(state, order)


def _after_if_allowed(state: State, order: Order) -> State:
    """The state after an order; the same if it is refused, which the page says at its control."""
    checked = check(state, order)
    return checked if isinstance(checked, State) else state


def _deals(table: Table, offered: Iterable[str], controls: Sent) -> Iterator[Said]:
    """For each card its alternatives, the best first; then what is taken for nothing."""
    for label in offered:
        ranks = {
            variety: one(controls, f"want_{label}_{variety}")
            for variety in (*table.deck.ids, NOTHING)
        }
        liked = sorted(
            (int(rank), at, variety) for at, (variety, rank) in enumerate(ranks.items()) if rank
        )
        if liked:
            yield f"want_{label}", "|".join(f"{label}={variety}" for _, _, variety in liked)
    for variety in table.deck.ids:
        if controls.get(f"take_{variety}"):
            yield f"take_{variety}", f"{NOTHING}={variety}"


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders: by its choices if they can, else as text."""
    return filled(table, seat, orders, _guess(orders), read_form, read_orders)


def filled(
    table: T,
    seat: str,
    orders: Orders,
    guess: Controls,
    read_form: Callable[[T, str, Sent], FormOrders],
    read_orders: Callable[[T, str, str], Orders],
) -> Controls:
    """The guessed choices if they say these orders, else the orders as text."""
    try:
        if read_orders(table, seat, read_form(table, seat, guess.sent).text) == orders:
            return guess
    except (BadForm, Refused):
        pass  # two orders want the same control, or one comes in another place
    return Controls(chosen={"text": write_orders(table, orders)})


def _guess(orders: Orders) -> Controls:
    """The choices that say a list if any do: harvests at its beginning are ticks, others come
    with a planting.
    """
    work, wishes = field_work(orders), wishes_of(orders)
    chosen = of_wishes(wishes)
    leading = next((at for at, order in enumerate(work) if isinstance(order, Plant)), len(work))
    first = tuple(sorted(write(order) for order in work[:leading] if isinstance(order, Harvest)))
    chosen |= {"buy": "yes"} if BUY in work else {}
    chosen |= {
        f"plant_{order.card}": order.field or "" for order in work if isinstance(order, Plant)
    }
    chosen |= {"keep": "yes"} if KEEP in orders else {}
    return Controls(chosen, {"first": first} if first else {}, passed=not orders)


def of_wishes(wishes: tuple[Alternatives, ...]) -> dict[str, str]:
    """The controls of these wishes: a number or a tick where there is one, the rest as text in
    `special`.
    """
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
    return deal_data(table, seat) | {
        "due": [card for card in plantable(table, seat) if card != "h2"],
        "fields": [grown and [grown.variety, grown.cards] for grown in farm.fields],
        "price": table.size.price,
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
    }


def deal_data(table: Table, seat: str) -> dict[str, Any]:
    """What a planner needs to know of a game like this but the fields: cards, purse, beanometers,
    the deals of last time, who shows which variety, and what is worth asking for: what one holds
    twice, then what others show.
    """
    cards, last = offerable(table, seat), dict(table.offered.get(seat, ()))
    own = Counter(
        (*table.lying[seat], *table.received.get(seat, ()), *tradable(table, seat).values())
    )
    shown = {
        variety: [
            other for other in table.seats if other != seat and variety in table.open.get(other, ())
        ]
        for variety in table.deck.ids
    }
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
        "talers": table.farms[seat].talers,
        "meters": {variety.id: list(variety.beanometer) for variety in table.deck.varieties},
        "last": {
            label: list(of_variety[card]) for label, card in cards.items() if card in of_variety
        },
        "took": list(last.get(NOTHING, ())),
        "shown": {variety: seats for variety, seats in shown.items() if seats},
        "useful": sorted(
            (variety for variety in table.deck.ids if own[variety] > 1 or shown[variety]),
            key=lambda variety: own[variety] < 2,
        ),
    }
