"""A whole game as one JSON document (`bohnenpost/1`): read strictly, played again exactly."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from rounds.engine import strict_json
from rounds.engine.beans import DECK_LABEL, PILE_LABEL, RESHUFFLE_LABEL, Deck
from rounds.engine.events import Event
from rounds.engine.notation import Orders, Problem, Refused
from rounds.engine.shuffle import ALGORITHM, SECRET_BYTES, Chance, chance_of, listed_chance
from rounds.engine.strict_json import BadJson
from rounds.engine.variant import Result, Table, Variant

MAX_BYTES = 16 * 2**20
MAX_NAME = 40
JOINERS = "\u200c\u200d"
"""Signs without width that some scripts and pictures need inside a name."""
GAME_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")

GameId = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9-]{0,31}\Z")]
Instant = Annotated[
    str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\Z")
]
Hex16 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Hex32 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class RecordError(Exception):
    """A record that is not played. `where` and `what` make one line; `problems` are those of a
    list of orders.
    """

    def __init__(self, where: str, what: str, problems: tuple[Problem, ...] = ()) -> None:
        """Keep the parts; the message is `where: what`."""
        self.where, self.what, self.problems = where, what, problems
        super().__init__(f"{where}: {what}" if where else what)


class RoundRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The orders of one round: text per seat, None where none was received; no seat while they
    are sealed.
    """

    orders: dict[str, str | None]


class ReceiptProof(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """What was answered to the orders that were used: their revision and digest, and once the
    game is over the salt.
    """

    revision: Annotated[int, Meta(ge=1, le=10**6)]
    salt: Hex16 | UnsetType = UNSET
    receipt: Hex32


class RoundProof(Struct, frozen=True, forbid_unknown_fields=True):
    """What proves one round: a receipt per seat (None for an NMR), what people did to it, the
    chain value after it.

    `deadline` and `closed` only in games whose set-up says that the chain holds them.
    """

    receipts: dict[str, ReceiptProof | None]
    notes: tuple[dict[str, Any], ...]
    chain: Hex32
    deadline: Instant | UnsetType = UNSET
    closed: Instant | UnsetType = UNSET

    @property
    def times(self) -> dict[str, str]:
        """The times that are there, by name."""
        both = {"deadline": self.deadline, "closed": self.closed}
        return {name: at for name, at in both.items() if at is not UNSET}


class Fairness(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What fixes the deck instead of listing it. The secret is there only once the game is over.

    `notes`: of a game that was ended early, those of its open round, which no chain value holds.
    """

    algorithm: str
    level: int
    commitment: Hex32
    secret: Hex32 | UnsetType = UNSET
    phrases: dict[str, str] = {}
    setup: dict[str, Any]
    end: Literal["finished", "aborted"] | UnsetType = UNSET
    notes: tuple[dict[str, Any], ...] | UnsetType = UNSET
    rounds: tuple[RoundProof, ...] = ()


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A game: what it was played with and everything that was ordered.

    Exactly one of `deck` (top first) and `fairness` once it is over. `reshuffles`: with `deck`,
    the piles that were shuffled later, each top first, in order. `piles`: with `deck`, those of
    other cards that the game has, by label, each top first.
    """

    format: Literal["bohnenpost/1"]
    variant: str
    game: GameId
    seats: Annotated[tuple[str, ...], Meta(min_length=1)]
    house_rules: dict[str, Any] = {}
    deck: tuple[str, ...] | UnsetType = UNSET
    reshuffles: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    piles: dict[str, tuple[str, ...]] | UnsetType = UNSET
    fairness: Fairness | UnsetType = UNSET
    rounds: tuple[RoundRecord, ...]


class Round(Struct, frozen=True):
    """One round played again: the table the lists were made for, what happened, the table after."""

    before: Any
    events: tuple[Event, ...]
    after: Any


class Replay(Struct, frozen=True):
    """A record played again: the first table, the first deal, the rounds, and the end if all
    rounds are there.
    """

    start: Table
    dealt: tuple[Event, ...]
    rounds: tuple[Round, ...]
    result: Result | None


def read_record(data: bytes) -> Record:
    """A record from JSON. Raises RecordError for anything else: bad JSON, a key twice, an
    unknown key, a value out of range.
    """
    record: Record = read_json(data, Record)
    if record.deck is not UNSET and record.fairness is not UNSET:
        raise RecordError("", "deck and fairness are both there: exactly one of them must be")
    for name in ("reshuffles", "piles"):
        if record.deck is UNSET and getattr(record, name) is not UNSET:
            raise RecordError(name, "they are listed only where the deck is")
    seen: set[str] = set()
    for seat in record.seats:
        if fault := name_fault(seat):
            raise RecordError("seats", f"{seat!r} {fault}")
        if (plain := unicodedata.normalize("NFC", seat)) in seen:
            raise RecordError("seats", f"{seat!r} is there twice")
        seen.add(plain)
    return record


def read_json(data: bytes, kind: type[Any]) -> Any:
    """A value of this kind from strict JSON: no key twice, no NaN, UTF-8. Raises RecordError
    naming the place.

    The byte order mark that some editors put before it is passed over.
    """
    if len(data) > MAX_BYTES:
        raise RecordError("", f"{len(data)} bytes; at most {MAX_BYTES} are read")
    if not data.strip():
        raise RecordError("", "the file is empty")
    try:
        return msgspec.convert(strict_json.read(data.removeprefix(b"\xef\xbb\xbf")), kind)
    except BadJson as error:
        raise RecordError(error.where, error.what) from None
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        raise RecordError(where.strip("`"), what) from None


def name_fault(name: str) -> str | None:
    """What keeps a text from being a seat's name, as the end of a sentence; None if nothing
    does.
    """
    if not name.strip() or name != name.strip():
        return "is empty or has blanks at its ends"
    if len(name) > MAX_NAME:
        return f"has {len(name)} characters; at most {MAX_NAME} fit"
    # not by "C" alone: which characters are unassigned hangs on the version of Unicode, and a
    # verdict must not
    hidden = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    if any(unicodedata.category(char) in hidden and char not in JOINERS for char in name):
        return "holds a control character"
    if name[0] in JOINERS or name[-1] in JOINERS:
        return "begins or ends with a joiner"
    return None


def replay(record: Record, variant: Variant, deck: Deck, chance: Chance | None = None) -> Replay:
    """Play a record again; `chance`: of a game that still runs, whose record holds none.

    Raises RecordError for a wrong deck, house rule, seat or round, and for the first round with
    an illegal list.
    """
    if len(record.seats) not in variant.seats:
        raise RecordError(
            "seats", f"{len(record.seats)} are there; {variant.name} is not played by so many"
        )
    deck = variant.deck_for(deck, len(record.seats))
    chance = chance or recorded_chance(record, deck)
    try:
        rules = msgspec.convert(dict(record.house_rules), variant.house_rules)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$.")
        raise RecordError(f"house_rules {where.strip('`')}".strip(), what) from None
    start, dealt = variant.set_up(deck, rules, record.seats, chance)
    table, rounds = start, []
    for number, sent in enumerate(record.rounds, start=1):
        if variant.is_over(table):
            raise RecordError(f"round {number}", f"the game was over after round {number - 1}")
        orders = _read_round(variant, table, number, sent.orders)
        try:
            after, events = variant.adjudicate(table, orders, chance)
        except LookupError as error:
            raise RecordError(f"round {number}", str(error)) from None
        rounds.append(Round(table, events, after))
        table = after
    if record.deck is not UNSET:
        _check_piles(record, variant, rounds)
    return Replay(start, dealt, tuple(rounds), variant.result(table))


def _check_piles(record: Record, variant: Variant, rounds: Sequence[Round]) -> None:
    """Raises RecordError unless the piles listed besides the deck are those that were shuffled,
    top first (`reshuffled` of the secrets of a round).
    """
    listed = () if record.reshuffles is UNSET else record.reshuffles
    secrets = [variant.secrets(played.before, played.events, played.after) for played in rounds]
    shuffled = [tuple(pile) for each in secrets for pile in each.get("reshuffled", ())]
    for number, (said, came) in enumerate(zip_longest(listed, shuffled), start=1):
        if said != came:
            raise RecordError(f"reshuffles, pile {number}", "it is not the pile that was shuffled")


def recorded_chance(record: Record, deck: Deck) -> Chance:
    """The chance of a game by its record: its shuffled piles as listed, or drawn again from its
    secret. `deck`: for its seats.

    Raises RecordError if the record holds neither, or another deck.
    """
    if record.fairness is not UNSET:
        fairness = record.fairness
        if fairness.algorithm != ALGORITHM:
            raise RecordError("fairness", f"unknown algorithm {fairness.algorithm!r}")
        if fairness.secret is UNSET:
            raise RecordError("fairness", "no deck: the game is not over")
        secret = bytes.fromhex(fairness.secret)
        assert len(secret) == SECRET_BYTES
        return chance_of(record.game, secret, fairness.setup, fairness.phrases)
    if record.deck is UNSET:
        raise RecordError("", "no deck: the game is not over")
    if faults := deck.faults(record.deck):
        raise RecordError("deck", "; ".join(faults))
    piles = {DECK_LABEL: record.deck, **_other_piles(record, deck)}
    for number, pile in enumerate(() if record.reshuffles is UNSET else record.reshuffles, start=1):
        if faults := deck.strangers(pile):
            raise RecordError(f"reshuffles, pile {number}", "; ".join(faults))
        piles[RESHUFFLE_LABEL.format(number)] = pile
    return listed_chance(piles, deck)


def _other_piles(record: Record, deck: Deck) -> dict[str, tuple[str, ...]]:
    """The piles of other cards. Raises RecordError unless all those of the game are there."""
    listed = {} if record.piles is UNSET else record.piles
    labels = {PILE_LABEL.format(name): name for name in deck.piles}
    if set(listed) != set(labels):
        raise RecordError("piles", f"exactly these must be listed: {', '.join(labels) or 'none'}")
    for label, name in labels.items():
        if Counter(listed[label]) != Counter(deck.pile(name)):
            what = f"it does not hold the {len(deck.pile(name))} cards of this pile"
            raise RecordError(f"piles, {label}", what)
    return dict(listed)


def replay_document(record: Record, replayed: Replay, variant: Variant) -> dict[str, Any]:
    """The record as `replay --json` prints it: with what happened in each round, and the result."""
    document: dict[str, Any] = msgspec.to_builtins(record)
    document.setdefault("house_rules", {})
    rounds = document.pop("rounds")
    played = zip(rounds, replayed.rounds, strict=True)
    document["rounds"] = [
        sent
        | variant.tell(r.before, r.events, r.after)
        | variant.secrets(r.before, r.events, r.after)
        for sent, r in played
    ]
    document["result"] = replayed.result
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return plain


def _read_round(
    variant: Variant, table: Table, number: int, sent: Mapping[str, str | None]
) -> dict[str, Orders | None]:
    may_order = variant.may_order(table)
    expected = set(may_order)
    for seat in sent:
        if seat not in expected:
            raise RecordError(f"round {number}", f"orders of {seat!r}, who is not awaited")
    orders: dict[str, Orders | None] = {}
    refused: dict[str, tuple[Problem, ...]] = {}
    for seat in may_order:
        if seat not in sent:
            raise RecordError(
                f"round {number}",
                f"nothing about {seat!r}: null means that no orders were received",
            )
        text = sent[seat]
        try:
            orders[seat] = None if text is None else variant.read_orders(table, seat, text)
        except Refused as error:
            refused[seat] = error.problems
    if refused:
        problems = tuple(problem for each in refused.values() for problem in each)
        raise RecordError(
            f"round {number}, {' and '.join(refused)}", "the orders are refused", problems
        )
    return orders
