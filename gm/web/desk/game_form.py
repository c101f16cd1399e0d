"""What the forms for a new game and for a change of one say: the calendar, early closing, seats."""

from gm import clock
from gm.calendar import Rule, read_rule
from gm.clock import HOUR
from gm.errors import Refusal
from gm.timetable.promises import AFTER_EARLY
from gm.web.forms import Form, Unusable


def read_calendar(form: Form) -> Rule:
    """The calendar in a form. Raises Refusal for a part that cannot be read."""
    hours = typed_number(form, "hours", 1, 9600) if form.get("hours") else None
    if hours is not None and "by_hand" in form:
        raise Refusal("hours_or_hand")
    days = [] if "by_hand" in form else form.getlist("day")
    weeks, shortest = typed_number(form, "weeks", 1, 52), typed_number(form, "shortest", 0, 9600)
    left_out = form.get("left_out", "").replace(",", " ").split()
    at, zone = form.get("at", ""), form.get("zone", "").strip()
    return read_rule(days, at, zone, weeks, left_out, shortest, clock.now(), hours=hours)


def read_early_after(form: Form) -> int | None:
    """After how many seconds a round is closed early; None: never."""
    return None if not form.get("early_after") else typed_number(form, "early_after", 0, 168) * HOUR


def read_seats(form: Form) -> int | None:
    """How many seats there are at most; None: any number."""
    return None if not form.get("seats") else typed_number(form, "seats", 1, 1000)


def read_after_early(form: Form) -> str:
    """Which deadline follows an early closing. Raises Unusable for what the form does not offer."""
    choice = form.get("after_early", "same")
    if choice not in AFTER_EARLY:
        raise Unusable("damaged")
    return choice


def typed_number(form: Form, name: str, least: int, most: int) -> int:
    """A number that people type. Raises Refusal for anything else."""
    text = form.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 6 and least <= int(text) <= most):
        raise Refusal("bad_number", field=name, text=text, least=least, most=most)
    return int(text)
