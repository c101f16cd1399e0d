"""Whole games of any kind, played by robots and by chance, and their records."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from gm import seeds
from rounds.engine import shuffle
from rounds.engine.beans import Deck
from rounds.engine.events import Event
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.engine.variant import Variant
from rounds.engine.verdict import Given

CAST = ("Anna", "Bert", "Cem", "Doro", "Emil", "Fritz", "Gerda")


STRANGER = "Zora"


MOST_ROUNDS = 500
"""No game of the family is longer."""


Choose = Callable[[Any, str], str | None]


class Played(Struct, frozen=True):
    """One round of a game: the table before, the texts of those who may order, what happened,
    the table after.
    """

    before: Any
    texts: dict[str, str | None]
    events: tuple[Event, ...]
    after: Any


class Game(Struct, frozen=True):
    """A whole game, and how many cards were drawn under each label."""

    variant: Variant
    seats: tuple[str, ...]
    chance: Chance
    start: Any
    dealt: tuple[Event, ...]
    rounds: tuple[Played, ...]
    drawn: dict[str, int]

    @property
    def tables(self) -> list[Any]:
        """The table before each round, and the last one."""
        return [self.start, *(played.after for played in self.rounds)]


def seats_for(variant: Variant) -> tuple[str, ...]:
    """Three where they may play, else the fewest."""
    return CAST[: 3 if 3 in variant.seats else variant.seats[0]]


def deck_of(variant: Variant) -> Deck:
    return variant.deck_for(seeds.deck(variant.name), len(seats_for(variant)))


def chance(seed: object) -> Chance:
    """The chance of a made-up game: the same numbers whenever it is asked."""
    return lambda label, size: tuple(Random(f"{seed} {label}").sample(range(size), size))


def noting(inner: Chance, drawn: dict[str, int]) -> Chance:
    """The same chance, which notes what was asked of it."""

    def draw(label: str, size: int) -> Sequence[int]:
        assert drawn.setdefault(label, size) == size, (
            f"{label} is drawn with another number of cards"
        )
        return inner(label, size)

    return draw


@cache
def game(variant: Variant, seed: int = 1, absent: int = 0) -> Game:
    """A game of robots; with `absent`, each so manieth list is missing."""
    return played_with(variant, chance(seed), absent)


def played_with(
    variant: Variant,
    inner: Chance,
    absent: int = 0,
    choose: Choose | None = None,
    seats: tuple[str, ...] = (),
    rules: Any = None,
) -> Game:
    """A game drawn from a chance; `choose`: what each seat sends, if it is not its robot that
    plays.
    """
    seats, drawn, missing = seats or seats_for(variant), dict[str, int](), 0
    draw, deck = noting(inner, drawn), variant.deck_for(seeds.deck(variant.name), len(seats))
    start, dealt = variant.set_up(deck, rules or variant.house_rules(), seats, draw)
    table, rounds = start, list[Played]()
    while not variant.is_over(table):
        assert len(rounds) < MOST_ROUNDS
        texts: dict[str, str | None] = {}
        for seat in variant.may_order(table):
            missing += 1
            if choose is not None:
                texts[seat] = choose(table, seat)
            else:
                texts[seat] = (
                    None
                    if absent and missing % absent == 0
                    else variant.robot(variant.view(table, seat))
                )
        after, events = close(variant, table, texts, draw)
        rounds.append(Played(table, texts, events, after))
        table = after
    return Game(variant, seats, inner, start, dealt, tuple(rounds), drawn)


def close(
    variant: Variant, table: Any, texts: dict[str, str | None], draw: Chance
) -> tuple[Any, tuple[Event, ...]]:
    return variant.adjudicate(table, read(variant, table, texts), draw)


def read(variant: Variant, table: Any, texts: dict[str, str | None]) -> dict[str, Orders | None]:
    return {
        seat: None if text is None else variant.read_orders(table, seat, text)
        for seat, text in texts.items()
    }


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def record_of(found: Game) -> dict[str, Any]:
    rounds = [{"orders": played.texts} for played in found.rounds]
    return {
        "format": "bohnenpost/1",
        "variant": found.variant.name,
        "game": "contract",
        "seats": list(found.seats),
        "house_rules": msgspec.to_builtins(found.variant.house_rules()),
        "rounds": rounds,
    }


def proven(
    variant: Variant,
    absent: int = 0,
    choose: Choose | None = None,
    seats: tuple[str, ...] = (),
    rules: Any = None,
) -> tuple[bytes, Given]:
    """The record of a game that is drawn from a secret, with its proofs, and what somebody kept
    of it.
    """
    secret, salt, seats = bytes(range(32)), bytes(range(16)), seats or seats_for(variant)
    rules = rules or variant.house_rules()
    deck, asked = variant.deck_for(seeds.deck(variant.name), len(seats)), msgspec.to_builtins(rules)
    setup = shuffle.setup_document(
        variant.name, "contract", seats, asked, deck, 1, robots=[], unconfirmed=[]
    )
    found = played_with(
        variant, shuffle.chance_of("contract", secret, setup, {}), absent, choose, seats, rules
    )
    commitment = shuffle.commitment("contract", secret)
    chain = shuffle.chain_start(shuffle.setup_hash(setup), commitment, {})
    proofs: list[dict[str, Any]] = []
    document = record_of(found) | {"house_rules": asked}
    for number, (played, sent) in enumerate(
        zip(found.rounds, document["rounds"], strict=True), start=1
    ):
        lists = read(variant, played.before, played.texts)
        texts = {
            seat: None if orders is None else variant.write_orders(played.before, orders)
            for seat, orders in lists.items()
        }
        sent["orders"] = texts
        receipts = {
            seat: text and shuffle.receipt("contract", number, seat, 1, salt, text).hex()
            for seat, text in texts.items()
        }
        times = {"deadline": "2026-11-22T19:00:00Z", "closed": "2026-11-22T19:00:01Z"}
        account = json.loads(as_json(variant.tell(played.before, played.events, played.after)))
        chain = shuffle.chain_next(chain, shuffle.chain_link(account, number, receipts, [], times))
        used = {
            s: r and {"revision": 1, "salt": salt.hex(), "receipt": r} for s, r in receipts.items()
        }
        proofs.append({"receipts": used, "notes": [], "chain": chain.hex(), **times})
    document["fairness"] = {
        "algorithm": shuffle.ALGORITHM,
        "level": 1,
        "commitment": commitment.hex(),
        "secret": secret.hex(),
        "setup": setup,
        "end": "finished",
        "rounds": proofs,
    }
    return json.dumps(document).encode(), Given(commitment.hex(), {len(proofs): chain.hex()})
