"""The order form: a box for each card of the hand, or two buttons for the revealed card. It only
helps to write order text.

| control | values | meaning |
|---|---|---|
| `plant_<card>` | yes | plant this card of the hand |
| `choice` | take, leave | what becomes of the revealed card |
| `pass` | yes | "I plant nothing" |
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rounds.engine.notation import Orders
from rounds.engine.variant import BadForm, Controls, FormOrders

from .notation import write
from .table import Table


def read(table: Table, _: str, sent: Mapping[str, Sequence[str]]) -> FormOrders:
    """The order text of a form and the control each order came from. Raises BadForm for what the
    page does not offer.
    """
    offered = _offered(table)
    for name, values in sent.items():
        if len(values) != 1 or values[0] not in offered.get(name, ()):
            raise BadForm(name)
    words = {name: _word(name, sent[name][0]) for name in offered if name in sent}
    return FormOrders(" ".join(words.values()), tuple(words))


def _offered(table: Table) -> dict[str, tuple[str, ...]]:
    """Every control of the page with its values."""
    if table.moment.phase == 2:
        return {"choice": ("take", "leave")}
    cards = range(1, len(table.hands[table.active]) + 1)
    return {"pass": ("yes",), **{f"plant_{card}": ("yes",) for card in cards}}


def _word(name: str, value: str) -> str:
    return name.removeprefix("plant_") if value == "yes" else value


def fill(table: Table, seat: str, orders: Orders) -> Controls:
    """The form that says these checked orders."""
    words = [write(order) for order in orders]
    if table.moment.phase == 2:
        return Controls(chosen={"choice": words[0]})
    return Controls(chosen={f"plant_{card}": "yes" for card in words}, passed=not words)


def controls(sent: Mapping[str, Sequence[str]]) -> Controls:
    """What was sent, to be shown again."""
    chosen = {name: values[0] for name, values in sent.items() if name != "pass" and values}
    return Controls(chosen=chosen, passed="pass" in sent)


def data(table: Table, seat: str) -> dict[str, Any]:
    """What the script of the page needs: the hand, or the revealed card, and the fields."""
    fields = [grown and [grown.variety, grown.cards] for grown in table.farms[seat].fields]
    known = {
        "phase": table.moment.phase,
        "hand": table.hand(seat),
        "revealed": table.revealed,
        "fields": fields,
    }
    return {**known, "beans": table.deck.ids}
