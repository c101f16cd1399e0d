"""The order form: one row of controls per card, in the order of the row. It only helps to write
order text.

| control | values | meaning |
|---|---|---|
| `to_<position>_<card>` | empty, A, B, C | plant this card there; empty: leave it |
| `pre_<position>_<card>`, `pre_end` | HA HB HC PA PB PC | harvest or plow before this card, or after the last |
| `pass` | yes | "I plant nothing" |
"""  # noqa: E501  # a table

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rounds.engine.farm import FIELDS
from rounds.engine.notation import Orders
from rounds.engine.variant import BadForm, Controls, FormOrders
from rounds.postal.notation import Plant, write
from rounds.postal.stand_in import stand_in
from rounds.postal.table import PLOW_FEE, Table

CLEARINGS = tuple(verb + field for verb in "HP" for field in FIELDS)


def read_form(table: Table, _: str, controls: Mapping[str, Sequence[str]]) -> FormOrders:
    """The order text of a form and the control each order came from. Raises BadForm for what the
    page does not offer.

    Cards of one stack are alike: the cards of a position that go to one field with nothing
    between become one order.
    """
    _refuse_strangers(table, controls)
    words: list[str] = []
    origins: list[str] = []
    last: tuple[int, str] | None = None
    cards = 0
    for position, card in _cards(table):
        for clearing in _in_order(controls.get(f"pre_{position}_{card}", ())):
            words.append(clearing)
            origins.append(f"pre_{position}_{card}")
            last = None
        if field := "".join(controls.get(f"to_{position}_{card}", ())):
            if last == (position, field):
                cards += 1
                words[-1] = write(Plant(position, cards, field))
            else:
                last, cards = (position, field), 1
                words.append(write(Plant(position, 1, field)))
                origins.append(f"to_{position}_{card}")
    for clearing in _in_order(controls.get("pre_end", ())):
        words.append(clearing)
        origins.append("pre_end")
    if controls.get("pass"):
        words.insert(0, "pass")
        origins.insert(0, "pass")
    return FormOrders(" ".join(words), tuple(origins))


def fill_form(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders."""
    chosen: dict[str, str] = {}
    ticked: dict[str, tuple[str, ...]] = {}
    waiting: list[str] = []
    position = taken = 0
    for order in orders:
        if not isinstance(order, Plant):
            waiting.append(write(order))
            continue
        if order.position != position:
            position, taken = order.position, 0
        if waiting:
            ticked[f"pre_{position}_{taken + 1}"] = tuple(waiting)
            waiting = []
        for _ in range(order.cards or 0):
            taken += 1
            chosen[f"to_{position}_{taken}"] = order.field or ""
    if waiting:
        ticked["pre_end"] = tuple(waiting)
    return Controls(chosen, ticked, passed=not orders)


def sent_controls(controls: Mapping[str, Sequence[str]]) -> Controls:
    """What was sent, to be shown again."""
    return Controls(
        chosen={
            name: values[0]
            for name, values in controls.items()
            if name.startswith("to_") and values
        },
        ticked={
            name: tuple(values) for name, values in controls.items() if name.startswith("pre_")
        },
        passed="pass" in controls,
    )


def planner_data(table: Table, seat: str) -> dict[str, Any]:
    """What the planner plays with: row, beanometers, the seat's farm, the fee, and what the
    stand-in would do.
    """
    farm, absent = table.farm(seat), fill_form(table, seat, stand_in(table, seat))
    fields = zip(FIELDS, farm.fields, strict=True)
    return {
        "row": [{"bean": stack.variety, "cards": stack.cards} for stack in table.row],
        "meters": {variety.id: list(variety.beanometer) for variety in table.deck.varieties},
        "fields": {
            f: {"bean": grown and grown.variety, "beans": grown.cards if grown else 0}
            for f, grown in fields
        },
        "talers": farm.talers,
        "fee": PLOW_FEE,
        "absent": {"chosen": absent.chosen, "ticked": absent.ticked},
    }


def _cards(table: Table) -> Iterator[tuple[int, int]]:
    for position, stack in enumerate(table.row, start=1):
        for card in range(1, stack.cards + 1):
            yield position, card


def _in_order(clearings: Sequence[str]) -> list[str]:
    return [clearing for clearing in CLEARINGS if clearing in clearings]


def _refuse_strangers(table: Table, controls: Mapping[str, Sequence[str]]) -> None:
    single = {f"to_{position}_{card}" for position, card in _cards(table)}
    groups = {f"pre_{position}_{card}" for position, card in _cards(table)} | {"pre_end"}
    for name, values in controls.items():
        if name in single:
            good = len(values) == 1 and values[0] in ("", *FIELDS)
        elif name in groups:
            good = len(set(values)) == len(values) and set(values) <= set(CLEARINGS)
        else:
            good = name == "pass" and list(values) == ["yes"]
        if not good:
            raise BadForm(name)
