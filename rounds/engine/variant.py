"""What a variant is: a value full of pure functions. A table is whatever frozen value the variant
chooses.

Everything the service does with a game goes through this contract, so adding a variant adds
folders and changes no line: `docs/variants.md` says how one is written.
"""

import pkgutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

import rounds
from rounds.engine.beans import Deck
from rounds.engine.events import Event, Ranked
from rounds.engine.farm import Farm
from rounds.engine.notation import Grammar, Order, Orders
from rounds.engine.shuffle import Chance

GROUP = "bohnenpost.games"
"""The entry points by which a package brings a game."""
ANY_NUMBER = range(1, 2**31)
"""Of seats: one or more."""
Table = Any
"""A position of one game: a frozen value whose inside is its variant's own affair."""


class Step(Struct, frozen=True):
    """One order carried out: the order as understood, what happens, and the farm afterwards;
    None where that is not known yet.
    """

    order: Order
    events: tuple[Event, ...]
    farm: Farm | None


class Result(Struct, frozen=True):
    """The end of a game: talers after the final harvest and ranks, per seat, both public."""

    talers: dict[str, int]
    ranks: dict[str, int]

    @property
    def points(self) -> Mapping[str, int]:
        """What the ranks go by. Plain: the talers."""
        return self.talers

    def events(self) -> list[Ranked]:
        """The place of each seat as an event, the first one first."""
        return [
            Ranked(seat, self.ranks[seat], self.points[seat])
            for seat in sorted(self.ranks, key=self.ranks.__getitem__)
        ]


def shared_ranks(scores: Mapping[str, Any]) -> dict[str, int]:
    """Rank 1 for the highest score. Equal scores share a rank, and the ranks after it are skipped:
    1, 1, 3.
    """
    first: dict[Any, int] = {}
    for place, score in enumerate(sorted(scores.values(), reverse=True), start=1):
        first.setdefault(score, place)
    return {seat: first[score] for seat, score in scores.items()}


class BadPackage(Exception):
    """A package from outside that brings no game that can be played. The message says why."""


class BadForm(Exception):
    """A form holds a control, value or combination that the page does not offer. The message
    names the control.
    """


class Controls(Struct, frozen=True):
    """What an order form shows: the value of each single control, the ticks of each group, and
    the box "I plant nothing".
    """

    chosen: dict[str, str] = {}
    ticked: dict[str, tuple[str, ...]] = {}
    passed: bool = False

    @property
    def sent(self) -> dict[str, tuple[str, ...]]:
        """What a browser sends of it."""
        single = {name: (value,) for name, value in self.chosen.items()}
        return single | self.ticked | ({"pass": ("yes",)} if self.passed else {})


class FormOrders(Struct, frozen=True):
    """A form as order text, and for each order of that text the control it came from, so that a
    page can point at it.
    """

    text: str
    controls: tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """An order form of a variant's own. A variant without one is ordered in a text field."""

    read: Callable[[Table, str, Mapping[str, Sequence[str]]], FormOrders]
    """(table, seat, the order controls sent) → text, not checked yet. Raises BadForm for what
    the page does not offer.
    """
    fill: Callable[[Table, str, Orders], Controls]
    """(table, seat, checked orders) → the form that says these orders."""
    controls: Callable[[Mapping[str, Sequence[str]]], Controls]
    """The controls that were sent, to be shown again."""
    data: Callable[[Table, str], dict[str, Any]]
    """(table, seat) → what a script on the page needs to plan with, as JSON; only what the seat
    may see.
    """
    repeats: str | None = None
    """How the names of those controls begin that may be sent more than once. Plain: none."""
    open: bool = False
    """Whether `data` of a closed round may be shown to anybody, for any seat, so that the round
    can be tried again.
    """


@dataclass(frozen=True)
class LookBack:
    """What of a game that is over was luck, and what skill, computed once and stored. Its words
    are `luck.txt` and `luck.html`, parts of the last report, and `hindsight.html`, a part of the
    page of the game.
    """

    kind: type[Any]
    """A frozen Struct: what is found is one, and is stored as its JSON."""
    find: Callable[[Sequence[Table], Sequence[Sequence[Event]]], Any]
    """(the table before each round and the one at the end, the events of each round) → what can
    be said of the game. Raises ValueError for a game that is not over.
    """


@dataclass(frozen=True)
class Storage:
    """How a table is kept between rounds; `stored` makes one for most games."""

    pack: Callable[[Table], bytes]
    """A table as JSON, safe to store: of what the shuffle decides only what everybody sees.
    Hidden cards are places in a pile.
    """
    unpack: Callable[[bytes, Deck, Chance], Table]
    """The reverse, given the deck and the chance of the game. Raises msgspec.MsgspecError for
    damaged bytes.
    """


def without(table: type[Struct], *names: str) -> type[Struct]:
    """What is stored of a table: all its fields but these."""
    kept = [one for one in msgspec.structs.fields(table) if one.name not in names]
    fields: list[Any] = [(one.name, one.type) for one in kept if one.required]
    for one in kept:
        if not one.required:
            plain: dict[str, Any] = {"default": one.default}
            if one.default_factory is not msgspec.NODEFAULT:
                plain = {"default_factory": one.default_factory}
            fields.append((one.name, one.type, msgspec.field(**plain)))
    return msgspec.defstruct("Packed", fields, frozen=True, forbid_unknown_fields=True)


def stored(
    kept: type[Struct], table: type[Struct], rest: Callable[[Any, Deck, Chance], Mapping[str, Any]]
) -> Storage:
    """The storage of a table whose class adds to `kept`, what is stored, only what `rest` finds
    again: (what was stored, deck, chance) → these fields by name.
    """
    fields, decoder = kept.__struct_fields__, msgspec.json.Decoder(kept)

    def pack(position: Table) -> bytes:
        return msgspec.json.encode(kept(**{name: getattr(position, name) for name in fields}))

    def unpack(packed: bytes, deck: Deck, chance: Chance) -> Table:
        found = decoder.decode(packed)
        return table(**{name: getattr(found, name) for name in fields}, **rest(found, deck, chance))

    return Storage(pack, unpack)


@dataclass(frozen=True)
class Hidden:
    """What a seat may see that others may not: its reports then have a part of their own, made
    from its view.
    """

    grammar: Callable[[Sequence[str]], Grammar] | None = None
    """(seats) → the words of orders. What they find wrong with a text hangs on no hand, so a
    game master who types it in may be told. Plain: they are told nothing but whether it was
    taken.
    """
    secrets: Callable[[Table, tuple[Event, ...], Table], dict[str, Any]] = (
        lambda before, events, after: {}
    )
    """What the account of a round says besides once the game is over."""
    seals_lists: bool = False
    """Whether lists stay secret after their round until the game is over. What of them everybody
    may know, `tell` says.
    """


@dataclass(frozen=True)
class Scores:
    """Points in the game's own unit, whole numbers."""

    of: Callable[[Any], Mapping[str, int]]
    """(a public view) → the points of each seat by rank, for rankings and the course of the
    game.
    """
    per_taler: int = 1
    """How many points a taler is: 100 if they are hundredths."""


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The house rules of a game that has none."""


@dataclass(frozen=True)
class Variant:
    """One game of the family. Seats are names; a table has the number of its `round`, from 1,
    which is one more than the last when the game is over, and its `seats`; orders are checked
    tuples that never fail; every function is pure.

    What only some games need has a plain default.
    """

    name: str
    events: Any
    """The union of all kinds of events that this game stores."""
    set_up: Callable[[Deck, Any, Sequence[str], Chance], tuple[Table, tuple[Event, ...]]]
    """(deck, house rules, seats, chance) → the first table and what was revealed."""
    storage: Storage
    read_orders: Callable[[Table, str, str], Orders]
    """(table, a seat that may order, text) → checked orders, () for a pass. Raises Refused with
    every problem.
    """
    write_orders: Callable[[Table, Orders], str]
    """The canonical text of checked orders; reading it gives the same orders."""
    adjudicate: Callable[
        [Table, Mapping[str, Orders | None], Chance], tuple[Table, tuple[Event, ...]]
    ]
    """(table, checked orders of the seats that may order, None = nothing received, chance) → the
    next table and what happened, as everybody may know it. Total and deterministic.
    """
    result: Callable[[Table], Result | None]
    """The end of the game, or None while it runs."""
    view: Callable[[Table, str | None], Any]
    """What this seat (or, for None, everybody) may see, by name: a thing not named in it is not
    shown.
    """
    robots: Mapping[str, Callable[[Any], str]] = field(hash=False)
    """Robots by how strong they are, weakest first: (a seat's view) → order text. Each knows
    only what the seat knows; the last plays where no strength is chosen. `weak`, `medium` and
    `strong` have words, any other is called by its name; with a single one there is nothing to
    choose.
    """
    based_on: str = ""
    """The game that this one stands on: it may import from it, and takes from it the templates
    and words that it does not have itself. Plain: none.
    """
    house_rules: type[Any] = NoOptions
    """A frozen Struct, every field with a default, that refuses unknown keys and values out of
    range. Plain: none.
    """
    awaited: Callable[[Table], tuple[str, ...]] = None  # type: ignore[assignment]  # set below
    """The seats that the open round waits for: they are reminded. Plain: all, until there is a
    result.
    """
    may_order: Callable[[Table], tuple[str, ...]] = None  # type: ignore[assignment]  # set below
    """The seats whose lists are taken, those that are awaited among them. Plain: these alone."""
    must_order: Callable[[Table], tuple[str, ...]] = None  # type: ignore[assignment]  # set below
    """The awaited seats that are absent, an NMR, if they send nothing; the events of the round
    say so too. Plain: all of them.
    """
    stand_in: Callable[[Table, str], Orders] = lambda table, seat: ()
    """What is played for a seat that sent nothing, as checked orders in the players' own
    language. Plain: a pass.
    """
    preview: Callable[[Table, str, Orders], tuple[Step, ...]] = lambda table, seat, orders: ()
    """What comes of each order, as far as it is known before the others' lists and the next
    cards are. Plain: nothing is said.
    """
    # set below
    tell: Callable[[Table, tuple[Event, ...], Table], dict[str, Any]] = None  # type: ignore[assignment]
    """The public account of one round, as JSON: (table before, events, table after). It is
    public at once and fixed whole by the chain, so nothing hidden is in it, nor anything that a
    hidden thing could be guessed from. Plain: the events.
    """
    hidden: Hidden | None = None
    moment: Callable[[Table], Any] = lambda table: None
    """Where the game stands, for the words of `moment.txt`. Plain: the number of the round
    alone.
    """
    turn: Callable[[Any], int] | None = None
    """(moment) → the turn that it belongs to, from 1, never smaller than that of an earlier one.
    Plain: there are no turns, each round is one.
    """
    length: Callable[[Any], int | None] = lambda rules: None
    """(house rules) → how many rounds the game takes, where that is known beforehand."""
    readers: Callable[[Table, Table], Collection[str]] | None = None
    """(table before, table after) → the seats that are mailed a report of this round; the others
    are told with the next one that they get. Plain: all.
    """
    waits_told: int = 0
    """After how many seconds a seat that is awaited in the next round, but not among the readers,
    is mailed that its turn waits. Plain: never.
    """
    concerns: Callable[[Any], Any] = lambda seen: seen
    """What of a seat's view must have changed for it to be told of a round that was played
    again. Plain: anything.
    """
    scores: Scores | None = None
    """What ranks go by while the game runs. Plain: there is no ranking."""
    headlines: Callable[
        [Any, Sequence[Event], Any, Sequence[Sequence[Event]]], tuple[Event, ...]
    ] = lambda *told: ()
    """(public view before a round, its events, public view after it, the events of each round
    before) → headlines, the best first. Only of public things, with words in `headlines.txt`.
    Plain: none.
    """
    reveal: Callable[[Any, Sequence[Event]], Any] | None = None
    """(public view before a round, its events) → what its page shows besides: `reveal.html`
    knows it.
    """
    return_match: Callable[[Any], Any] = lambda rules: rules
    """(house rules) → those of the same people's next game. Plain: the same."""
    deck_for: Callable[[Deck, int], Deck] = lambda deck, seats: deck
    """(the deck in `seeds/`, how many play) → the deck they play with."""
    hindsight: LookBack | None = None
    seats: range = ANY_NUMBER
    """How many may play, robots included: no game is made for another number, filled beyond it
    or started outside of it.
    """
    closes_at_once: bool = False
    """Whether a round is over the moment in which all that are awaited have ordered, however
    long it might have lasted.
    """
    give_up: str = ""
    """The list with which a seat gives up the game, asked for on a page of its own. Plain: nobody
    can.
    """
    tempi: tuple[str, ...] = ("tonight", "daily", "club")
    """How fast it may well be played, for whoever makes a game: the first is the fastest."""
    tonight_rules: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """House rules of a game in one room for which nobody chose others."""
    form: Form | None = None

    def __post_init__(self) -> None:
        """Everybody is awaited; who is awaited may order, and must; events are told as they are."""

        def all_until_the_end(table: Table) -> tuple[str, ...]:
            return () if self.result(table) else table.seats

        def named(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
            return {"events": [msgspec.to_builtins(event.named) for event in events]}

        for name, plain in (("awaited", all_until_the_end), ("tell", named)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, plain)
        for name in ("may_order", "must_order"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, self.awaited)

    @property
    def robot(self) -> Callable[[Any], str]:
        """The strongest robot."""
        return [*self.robots.values()][-1]

    @property
    def strengths(self) -> Mapping[str, Callable[[Any], str]]:
        """The robots that can be chosen among, weakest first."""
        return self.robots if len(self.robots) > 1 else {}

    @property
    def per_taler(self) -> int:
        """How many points a taler is."""
        return self.scores.per_taler if self.scores else 1

    @property
    def sees_more(self) -> bool:
        """Whether a seat may see what others may not."""
        return self.hidden is not None

    @property
    def seals_lists(self) -> bool:
        """Whether lists stay secret after their round until the game is over."""
        return self.hidden is not None and self.hidden.seals_lists

    def secrets(self, before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
        """What the account of a round says besides once the game is over."""
        return self.hidden.secrets(before, events, after) if self.hidden else {}

    def robot_of(self, strength: str) -> Callable[[Any], str]:
        """The robot of a strength; `robot` for none, or one that this game does not have any
        more.
        """
        return self.strengths.get(strength, self.robot)

    def is_over(self, table: Table) -> bool:
        """Whether nobody is awaited and nobody may order."""
        return not self.awaited(table) and not self.may_order(table)

    def read_events(self, stored: str | bytes) -> tuple[Event, ...]:
        """Events as they were stored. Raises msgspec.MsgspecError for anything else."""
        return _decoder(self.events).decode(stored)


@cache
def _decoder(events: Any) -> msgspec.json.Decoder[tuple[Event, ...]]:
    return msgspec.json.Decoder(tuple[events, ...])


@cache
def defined_by(kind: type) -> str | None:
    """The game, or the folder of `rounds/`, that defines a class; None for what any game has.
    The words for it stand in the templates of the same name.
    """
    for name, package in installed().items():
        if f"{kind.__module__}.".startswith(f"{package}."):
            return name
    top, _, rest = kind.__module__.partition(".")
    folder = rest.partition(".")[0]
    return folder if top == "rounds" and folder != "engine" else None


@cache
def lineage(name: str) -> tuple[str, ...]:
    """A game, the one that it stands on, and so on. Raises LookupError if there is none."""
    below = find(name).based_on
    return (name, *(lineage(below) if below else ()))


@cache
def find(name: str) -> Variant:
    """The variant of this name. Raises LookupError if there is none."""
    if name not in names():
        raise LookupError(f"no variant is called {name!r}; there are: {', '.join(names())}")
    variant: Variant = import_module(installed().get(name, f"rounds.{name}")).variant
    return variant


@cache
def installed() -> Mapping[str, str]:
    """The packages from outside that bring a game, by its name: the entry points of the group
    `bohnenpost.games`.
    """
    return {point.name: point.module for point in entry_points(group=GROUP)}


def refuse_bad_packages() -> None:
    """Raises BadPackage if two packages bring a game of the same name, or one is not there,
    cannot be imported or has no `variant` of this name.
    """
    packages = {name: f"rounds.{name}" for name in _own_names()}
    for point in entry_points(group=GROUP):
        name, package = point.name, point.module
        if find_spec(package.partition(".")[0]) is None:
            raise BadPackage(
                f"the package {package!r}, which is to bring the game {name!r}, is not there"
            )
        if packages.setdefault(name, package) != package:
            both = f"{packages[name]} and {package}"
            raise BadPackage(f"two packages bring a game called {name!r}: {both}")
        if fault := _fault_of(name, package):
            raise BadPackage(
                f"the package {package!r}, which is to bring the game {name!r}: {fault}"
            )


def _fault_of(name: str, package: str) -> str | None:
    """Why a package does not bring the game of this name; None if it does."""
    try:
        found = import_module(package).variant
        if not isinstance(found, Variant):
            return "its `variant` is no Variant"
        if found.name != name:
            return f"its `variant` is called {found.name!r}"
        lineage(name)
    except (Exception, SystemExit) as error:  # it is code of others
        return f"{type(error).__name__}: {error}"
    return None


def names() -> tuple[str, ...]:
    """The names of all variants: the packages in `rounds/` that have a `deck.toml` under their
    name in `seeds/`, and those that are installed.
    """
    return tuple(sorted({*_own_names(), *installed()}))


def _own_names() -> list[str]:
    packages = [
        (Path(place), found.name)
        for place in rounds.__path__
        for found in pkgutil.iter_modules([place])
        if found.ispkg
    ]
    return [name for place, name in packages if _has_deck(place.parent, name)]


def _has_deck(top: Path, name: str) -> bool:
    """`seeds/` lies beside `rounds/`, in an installed program inside `gm/`."""
    return any((top / seeds / name / "deck.toml").is_file() for seeds in ("seeds", "gm/seeds"))
