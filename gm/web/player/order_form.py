"""Between the form of the order page and orders: by the variant's own controls, or as plain
text.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from werkzeug.datastructures import MultiDict

from gm.store.notes import plain_words
from gm.web.forms import Unusable
from rounds.engine.notation import Orders, Problem
from rounds.engine.variant import BadForm, Controls, FormOrders, Table, Variant

FRAME = ("round", "rev", "press", "note", "action", "final", "typed")
"""The fields of the order page that are not orders."""


class Sent(Struct, frozen=True):
    """What a form said: its frame, and the controls that are orders. `final`: they are not
    changed any more.

    `typed`: orders in short notation, to fill the controls with.
    """

    round: int
    rev: int
    press: str
    to_gm: str
    check: bool
    final: bool
    typed: str
    controls: dict[str, list[str]]


def read_sent(form: MultiDict[str, str]) -> Sent:
    """The frame of the form. Raises Unusable for values that the page does not offer."""
    number = {name: form.get(name, "") for name in ("round", "rev")}
    if not all(text.isascii() and text.isdigit() and len(text) < 6 for text in number.values()):
        raise Unusable("damaged")
    press, to_gm = plain_words(form.get("press", "")), plain_words(form.get("note", ""))
    action = form.get("action", "submit")
    if action not in ("submit", "check") or form.get("final", "yes") != "yes":
        raise Unusable("damaged")
    controls = {name: values for name, values in form.lists() if name not in FRAME}
    typed = form.get("typed", "").strip()
    return Sent(
        int(number["round"]),
        int(number["rev"]),
        press,
        to_gm,
        action == "check",
        "final" in form,
        typed,
        controls,
    )


def typed_orders(variant: Variant, table: Table, seat: str, sent: Sent) -> FormOrders:
    """The order text of the form: typed, by the variant's own controls, or a plain text field.

    Raises Unusable for strange controls.
    """
    form = variant.form
    try:
        if sent.typed:
            return FormOrders(sent.typed, ())
        return form.read(table, seat, sent.controls) if form else _read_text(sent.controls)
    except BadForm:
        raise Unusable("damaged") from None


def _read_text(controls: Mapping[str, Sequence[str]]) -> FormOrders:
    if not set(controls) <= {"text", "pass"}:
        raise BadForm(", ".join(controls))
    words = [*(["pass"] if controls.get("pass") else []), *controls.get("text", ())]
    return FormOrders(" ".join(words), ())


def typed_controls(variant: Variant, sent: Sent) -> Controls:
    """The controls as they were sent."""
    if form := variant.form:
        return form.controls(sent.controls)
    return Controls(
        chosen={"text": "".join(sent.controls.get("text", ""))}, passed="pass" in sent.controls
    )


def filled_controls(variant: Variant, table: Table, seat: str, orders: Orders) -> Controls:
    """The controls filled in with orders."""
    if form := variant.form:
        return form.fill(table, seat, orders)
    return Controls(
        chosen={"text": variant.write_orders(table, orders) if orders else ""}, passed=not orders
    )


def control_of(problem: Problem, orders: FormOrders, *, by_hand: bool) -> str | None:
    """The control that a problem came from. `by_hand`: the orders were typed in short notation."""
    if by_hand:
        return "typed"
    if problem.code in ("EMPTY", "PASS"):
        return "pass"
    number = problem.order
    return (
        orders.controls[number - 1]
        if number is not None and number <= len(orders.controls)
        else None
    )
