"""bohn-shuffle-1: a secret, committed to before anybody joins, becomes an order of cards that
anybody can work out again.

Integers are big-endian, text is UTF-8. Nothing here draws chance: the secret comes in.
"""

import hashlib
import hmac
import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count

from rounds.engine.beans import Deck

ALGORITHM = "bohn-shuffle-1"
LEVEL = 1
SETUP = "bohnenpost-setup/2"
Chance = Callable[[str, int], Sequence[int]]
"""(label, size) → the numbers 0 to size-1 in the order that a game draws under this label: the
same whenever it is asked.
"""
SECRET_BYTES = 32
SALT_BYTES = 16
NO_BEACON = b""


def enc(*fields: str | bytes) -> bytes:
    """Each field as its length in four bytes and its bytes, one after the other: no two lists of
    fields look alike.
    """
    parts = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def canonical(value: object) -> bytes:
    """The one way to write a JSON value that is hashed: keys sorted, no spaces, ASCII. Floats
    are not for it.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode("ascii")


def setup_document(
    variant: str,
    game: str,
    seats: tuple[str, ...],
    house_rules: Mapping[str, object],
    deck: Deck,
    level: int,
    *,
    robots: Sequence[str],
    unconfirmed: Sequence[str],
) -> dict[str, object]:
    """What a deck depends on besides the secret: house rules written out in full, seats in the
    order of joining.

    `unconfirmed`: the seats that were typed in and that no person has confirmed.
    """
    return {
        "format": SETUP,
        "robots": list(robots),
        "unconfirmed": list(unconfirmed),
        "algorithm": ALGORITHM,
        "level": level,
        "variant": variant,
        "game": game,
        "seats": list(seats),
        "house_rules": dict(house_rules),
        "deck": [[variety.id, variety.cards] for variety in deck.varieties],
    }


def setup_hash(setup: Mapping[str, object]) -> bytes:
    """SHA-256 of the set-up document in its canonical form."""
    return hashlib.sha256(canonical(setup)).digest()


def commitment(game: str, secret: bytes) -> bytes:
    """What is published before anybody joins: it fixes the secret and reveals nothing of it.

    Raises ValueError unless it has 32 bytes.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"the secret must have {SECRET_BYTES} bytes, not {len(secret)}")
    return hashlib.sha256(enc("bohn1.commit", game, secret)).digest()


def master_key(game: str, secret: bytes, hash_of_setup: bytes, phrases: Mapping[str, str]) -> bytes:
    """The key all draws of a game hang on. `phrases`: per seat, sorted here by the seats' bytes;
    empty for level 1.
    """
    return _mac(secret, enc("bohn1.master", game, hash_of_setup, NO_BEACON, *_by_bytes(phrases)))


class Draw:
    """The stream of numbers of one label. A label is used once per game, so draws added later
    move no other.
    """

    def __init__(self, master: bytes, label: str) -> None:
        self._words = _words(_mac(master, enc("bohn1.stream", label)))

    def below(self, bound: int) -> int:
        """A number from 0 to bound-1, all equally likely: words that would favour the small ones
        are dropped. 1 ≤ bound ≤ 2³².
        """
        if not 1 <= bound <= 2**32:
            raise ValueError(f"the bound must lie between 1 and 2**32, not {bound}")
        limit = 2**32 - 2**32 % bound
        while (word := next(self._words)) >= limit:
            pass
        return word % bound

    def shuffle(self, size: int) -> list[int]:
        """The numbers 0 to size-1 in an order all of which are equally likely (Fisher–Yates from
        the end).
        """
        numbers = list(range(size))
        for last in range(size - 1, 0, -1):
            other = self.below(last + 1)
            numbers[last], numbers[other] = numbers[other], numbers[last]
        return numbers


def chance_of(
    game: str, secret: bytes, setup: Mapping[str, object], phrases: Mapping[str, str]
) -> Chance:
    """The chance of a game. What was drawn under a label is remembered."""
    master = master_key(game, secret, setup_hash(setup), phrases)
    return cache(lambda label, size: tuple(Draw(master, label).shuffle(size)))


def listed_chance(piles: Mapping[str, Sequence[str]], deck: Deck) -> Chance:
    """The chance of a game whose shuffled piles are listed by label, top first, each a part of
    the deck or one of its other piles.

    It raises LookupError for another label, or another number of cards.
    """

    def drawn(label: str, size: int) -> Sequence[int]:
        if len(piles.get(label, ())) != size:
            raise LookupError(f"{label} is not listed with {size} cards")
        return _places(piles[label], deck.order_of(label))

    return drawn


def _places(pile: Sequence[str], base: Sequence[str]) -> list[int]:
    """For each card of a pile its place among these cards in base order; equal cards have theirs in
    the order of the pile.
    """
    numbers, first = {}, 0
    for variety in base:
        numbers[variety] = count(first)
        first += sum(card == variety for card in pile)
    return [next(numbers[card]) for card in pile]


def receipt(
    game: str, round_number: int, seat: str, revision: int, salt: bytes, orders: str
) -> bytes:
    """The digest of one accepted list. The salt keeps it secret: orders are easy to guess.
    Raises ValueError for another size.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"the salt must have {SALT_BYTES} bytes, not {len(salt)}")
    return hashlib.sha256(
        enc("bohn1.receipt", game, str(round_number), seat, str(revision), salt, orders)
    ).digest()


def chain_start(hash_of_setup: bytes, commit: bytes, phrases: Mapping[str, str]) -> bytes:
    """The first value of the chain: it fixes set-up, promise and phrases."""
    return hashlib.sha256(enc("bohn1.chain", hash_of_setup, commit, *_by_bytes(phrases))).digest()


def chain_link(
    played: Mapping[str, object],
    number: int,
    receipts: Mapping[str, str | None],
    notes: Sequence[Mapping[str, object]],
    times: Mapping[str, str],
) -> dict[str, object]:
    """What the chain fixes of a round. `played`: the variant's public account of it, whole;
    `receipts`: per seat, in hex, None for an NMR; `times`: `deadline` and `closed`.
    """
    return {**played, "round": number, "receipts": dict(receipts), "notes": list(notes), **times}


def chain_next(previous: bytes, link: Mapping[str, object]) -> bytes:
    """The value after a round: it fixes the round and everything before it."""
    return hashlib.sha256(enc("bohn1.chain", previous, canonical(link))).digest()


def _by_bytes(phrases: Mapping[str, str]) -> list[bytes]:
    """Seat, phrase, seat, phrase … in the order of the seats' bytes."""
    pairs = sorted((seat.encode(), phrase.encode()) for seat, phrase in phrases.items())
    return [part for pair in pairs for part in pair]


def _words(key: bytes) -> Iterator[int]:
    """The stream of a key, 32 bits at a time: blocks numbered from 0, each hashed."""
    for block in count():
        yield from struct.unpack(">8I", _mac(key, struct.pack(">Q", block)))


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")
