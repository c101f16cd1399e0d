"""What a variant is: a value full of pure functions, found by folder. A table is whatever frozen value the variant chooses.

Everything the service does with a game goes through this contract, so adding a variant adds folders and changes no line.
The parts that only some games need (awaiting one seat, phases, hidden hands) are there from the start: `awaited` and `view`.
"""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from msgspec import Struct

import rounds
from rounds.beans import Deck
from rounds.events import AnyEvent
from rounds.farm import Farm
from rounds.notation import Order, Orders

ANY_NUMBER = range(1, 2**31)
"""Of seats: from one to very many."""
Table = Any
"""A position of one game: a frozen value whose inside is its variant's own affair."""


class HouseRules(Protocol):
    """The options of one game: a frozen Struct, every field with a default; `rounds` is common to all variants."""

    rounds: int


class Step(Struct, frozen=True):
    """One order carried out: the order as understood, what happened, and the farm afterwards."""

    order: Order
    event: AnyEvent
    farm: Farm


class Result(Struct, frozen=True):
    """The end of a game: talers after the final harvest and ranks, per seat, both public."""

    talers: dict[str, int]
    ranks: dict[str, int]


class BadForm(Exception):
    """A form holds a control, value or combination that the page does not offer. The message names the control."""


class Controls(Struct, frozen=True):
    """The state of an order form, for a page to show:

    the value of each single control, the ticks of each group, the box "I plant nothing".
    """

    chosen: dict[str, str] = {}
    ticked: dict[str, tuple[str, ...]] = {}
    passed: bool = False


class FormOrders(Struct, frozen=True):
    """A form as order text, and for each order of that text the control it came from, so that a page can point at it."""

    text: str
    controls: tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """An order form of a variant's own. A variant without one is ordered in a text field."""

    read: Callable[[Table, Mapping[str, Sequence[str]]], FormOrders]
    """(table, the order controls sent) → text, not checked yet. Raises BadForm for what the page does not offer."""
    fill: Callable[[Table, str, Orders], Controls]
    """(table, seat, checked orders) → the form that says these orders."""
    controls: Callable[[Mapping[str, Sequence[str]]], Controls]
    """What was sent, to be shown again."""
    data: Callable[[Table, str], dict[str, Any]]
    """(table, seat) → what a script on the page needs to plan with, as JSON; only what the seat may see."""


class SeatHindsight(Struct, frozen=True):
    """What a seat made of the rows: its talers, the round in which it gave most away (0: none) and how many talers.

    `rounds`: for each row, looked at alone, (the most that its farm could gain, what it gained), fields at their worth.
    """

    talers: int
    worst_round: int
    lost: int
    rounds: tuple[tuple[int, int], ...]


class Hindsight(Struct, frozen=True):
    """What could have been made of a finished game's rows: the most talers one farm could have earned, by which orders round by
    round, what a simple robot made of them, and each seat.
    """

    best: int
    plan: tuple[str, ...]
    robot: int
    seats: Mapping[str, SeatHindsight]


class Case(Struct, frozen=True):
    """A rule case: a small situation with one expected result. `body` is in the variant's own words."""

    id: str
    title: str
    reason: str
    rulings: tuple[str, ...]
    body: Mapping[str, Any]


class Failure(Struct, frozen=True):
    """What a failing case shows: the table before, the orders, the table after, and each difference."""

    before: str
    orders: str
    after: str
    differences: tuple[str, ...]


@dataclass(frozen=True)
class Cases:
    """Rule cases of a variant, as data that players and other programs can read."""

    check: Callable[[Case, Deck], Failure | None]
    """Run one case; None if it holds. Raises ValueError for a body it cannot read."""
    read: Callable[[Mapping[str, Any]], tuple[Case, ...]]
    """The cases of a document in the variant's exchange format, or its own. Raises ValueError for any other."""


@dataclass(frozen=True)
class Variant:
    """One game of the family. Seats are names; orders are checked tuples that never fail; every function is pure."""

    name: str
    house_rules: type[Any]
    """A frozen Struct that refuses unknown keys and values out of range when decoded."""
    set_up: Callable[[Deck, Any, Sequence[str], Sequence[str]], tuple[Table, tuple[AnyEvent, ...]]]
    """(deck, house rules, seats, cards top first) → the first table and what was revealed."""
    round_of: Callable[[Table], int]
    """The number of the round that waits for orders, from 1; one more than the last when the game is over."""
    awaited: Callable[[Table], tuple[str, ...]]
    """The seats whose orders the open round waits for; none when the game is over."""
    read_orders: Callable[[Table, str, str], Orders]
    """(table, seat, text) → checked orders, () for a pass. Raises Refused with every problem."""
    write_orders: Callable[[Table, Orders], str]
    """The canonical text of checked orders; reading it gives the same orders."""
    stand_in: Callable[[Table, str], Orders]
    """What is played for a seat that sent nothing, as checked orders in the players' own language."""
    preview: Callable[[Table, str, Orders], tuple[Step, ...]]
    """The farm after each order."""
    adjudicate: Callable[[Table, Mapping[str, Orders | None]], tuple[Table, tuple[AnyEvent, ...]]]
    """(table, checked orders per seat, None = nothing received) → the next table and what happened. Total and deterministic."""
    result: Callable[[Table], Result | None]
    """The end of the game, or None while it runs."""
    view: Callable[[Table, str | None], Any]
    """What this seat (or, for None, everybody) may see, by name: a thing not named in it is not shown."""
    robot: Callable[[Any], str]
    """(a seat's view) → order text. Knows only what the seat knows."""
    pack: Callable[[Table], bytes]
    """A table as JSON without anything that the shuffle decides: safe to store."""
    unpack: Callable[[bytes, Deck, Sequence[str]], Table]
    """The reverse, given the deck and all cards of the game, top first."""
    record_round: Callable[[Table, tuple[AnyEvent, ...], Table], dict[str, Any]]
    """What `replay --json` says of one round, beside its orders: (table before, events, table after)."""
    least_people: int = 1
    """A game is not started with fewer people; robots are none."""
    best_gain: Callable[[Table, str], int] | None = None
    """(table, seat) → the most talers that the open row alone could bring the seat."""
    hindsight: Callable[[Sequence[Table]], Hindsight] | None = None
    """(the table before each round and the one at the end) → what could have been made of it. Only for a game that is over."""
    seats: range = ANY_NUMBER
    """How many may play, robots included: no game is made for another number, filled beyond it or started outside of it."""
    closes_at_once: bool = False
    """Whether a round is over the moment in which all that are awaited have ordered, however long it might have lasted."""
    form: Form | None = None
    cases: Cases | None = None


@cache
def find(name: str) -> Variant:
    """The variant in the folder of this name. Raises LookupError if there is none."""
    if name not in names():
        raise LookupError(f"no variant is called {name!r}; there are: {', '.join(names())}")
    variant: Variant = import_module(f"rounds.{name}").variant
    return variant


def names() -> tuple[str, ...]:
    """The names of all variants: every folder beside this file that is a package."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(rounds.__path__) if module.ispkg))
