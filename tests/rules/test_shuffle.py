"""bohn-shuffle-1 against its frozen vectors, and a second implementation written from the
definition alone.
"""

import hashlib
import hmac
from collections import Counter

import pytest

from rounds.engine.shuffle import Draw, chance_of, commitment, enc, master_key, receipt, setup_hash
from tests.postal_tables import DECK

SECRET_2 = hashlib.sha256(b"vector 2 secret").digest()
SECRET_4 = hashlib.sha256(b"vector 4 secret").digest()
PHRASES_2 = {"B": "Über-Glück ☃", "A": "correct horse", "C": ""}
PHRASES_4 = {"Zoë": "Schnürsenkel 7", "Anna": "drei Bohnen", "Bert": ""}
RULES = {"rounds": 10, "discard_order": "ascending", "nmr_empty": False, "nmr_harvest": "eager"}


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def test_vector_1_level_1_without_phrases() -> None:
    secret, setup = bytes(range(32)), hashlib.sha256(b"setup-1").digest()
    assert (
        commitment("demo-1", secret).hex()
        == "93d55d99515939c92398011bdf50c2e00b1cb4746293fd877ecc8f5ea42081bc"
    )
    master = master_key("demo-1", secret, setup, {})
    assert master.hex() == "6a28c762e383a772ff9b220d0b5a51e81fbaa9311528a0c4aa3e505ae4c344df"
    assert Draw(master, "deck/main/0").shuffle(20) == numbers(
        "4 13 16 11 5 7 18 2 12 14 3 19 10 8 17 6 0 9 15 1"
    )


def test_vector_2_phrases_that_are_not_ascii_and_two_labels() -> None:
    master = master_key("g-0042", SECRET_2, hashlib.sha256(b"setup-2").digest(), PHRASES_2)
    assert (
        commitment("g-0042", SECRET_2).hex()
        == "2620f2c46832ba3b61f214b4f7b274d6446984fa02e7c1e475898a2f5bc276ae"
    )
    assert master.hex() == "c078ec70c777508e466428d2c0be3d7beaf9831826153c55750e958ce9fdc46d"
    assert Draw(master, "deck/main/0").shuffle(20) == numbers(
        "18 0 8 19 3 4 7 9 6 11 5 2 16 14 12 1 10 17 13 15"
    )
    assert Draw(master, "deck/main/1").shuffle(20) == numbers(
        "18 6 2 15 0 16 10 12 17 4 14 1 8 7 11 19 5 9 3 13"
    )


def test_vector_3_the_rejection_branch_and_the_edges() -> None:
    master = master_key("g-0042", SECRET_2, hashlib.sha256(b"setup-2").digest(), PHRASES_2)
    big = Draw(master, "test/big")
    expected = "703841375 915404720 1743352691 272816232 1319531102 1316067314 2111095390 677328199"
    assert [big.below(2**31 + 1) for _ in range(8)] == numbers(expected)
    assert Draw(master, "test/one").shuffle(1) == [0]
    assert Draw(master, "test/full").below(2**32) == 1773806898
    for bound in (0, 2**32 + 1):
        with pytest.raises(ValueError, match="between 1 and"):
            big.below(bound)


def test_vector_4_a_postal_deck() -> None:
    setup = {
        "format": "bohnenpost-setup/1",
        "algorithm": "bohn-shuffle-1",
        "level": 2,
        "variant": "postal",
        "game": "ackerwinde",
        "seats": ["Zoë", "Anna", "Bert"],
        "house_rules": RULES,
        "deck": [[v.id, v.cards] for v in DECK.varieties],
    }
    assert (
        setup_hash(setup).hex()
        == "ba51a5ce51790e8a276aa97fa254c0ad264fe7e480935c27bf34eb7ab1dee87c"
    )
    assert (
        commitment("ackerwinde", SECRET_4).hex()
        == "a74296da42b402d5a466707d7521caf57082bd2a201d45d1cc87177de5e83676"
    )
    cards = DECK.shuffled(chance_of("ackerwinde", SECRET_4, setup, PHRASES_4))
    top = "snake climbing snap mung climbing snake princess bush bush bush mung magic climbing snake bush bush"
    assert " ".join(cards[:16]) == top
    assert hashlib.sha256(" ".join(cards).encode()).hexdigest() == _second_implementation(
        setup_hash(setup)
    )


def _second_implementation(hash_of_setup: bytes) -> str:
    """The deck of vector 4 again, from the definition, with big numbers in place of a stream."""

    def e(*fields: bytes) -> bytes:
        return b"".join(len(field).to_bytes(4, "big") + field for field in fields)

    flat = [
        x.encode() for seat in sorted(PHRASES_4, key=str.encode) for x in (seat, PHRASES_4[seat])
    ]
    master = hmac.new(
        SECRET_4, e(b"bohn1.master", b"ackerwinde", hash_of_setup, b"", *flat), "sha256"
    ).digest()
    key = hmac.new(master, e(b"bohn1.stream", b"deck/main/0"), "sha256").digest()
    stream = b"".join(hmac.new(key, i.to_bytes(8, "big"), "sha256").digest() for i in range(99))
    words = [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]
    order = list(range(100))
    for i in range(99, 0, -1):
        while words[0] >= 2**32 // (i + 1) * (i + 1):
            words.pop(0)
        j = words.pop(0) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return hashlib.sha256(" ".join(DECK.base_order()[k] for k in order).encode()).hexdigest()


def test_vector_5_receipts_of_two_lists() -> None:
    anna = receipt("ackerwinde", 1, "Anna", 2, bytes(range(16)), "1>A 2>B 3>C")
    zoe = receipt("ackerwinde", 1, "Zoë", 1, bytes(range(16, 32)), "pass")
    assert anna.hex() == "ffd70fd2ae9b025164bbb6bab95d4c3d3dd44818f02450804e1a114a60779722"
    assert zoe.hex() == "483f1308a348ad78d1a4c14ad3da3be0c8d2661e6d0b1bcfcee54fa4846c3e26"
    with pytest.raises(ValueError, match="16 bytes"):
        receipt("ackerwinde", 1, "Anna", 1, b"", "pass")


def test_a_shuffle_is_a_permutation_for_every_size() -> None:
    for size in range(1, 400):
        assert sorted(Draw(bytes(32), f"t/{size}").shuffle(size)) == list(range(size))


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    rounds = 24_000
    counts = Counter(tuple(Draw(i.to_bytes(32, "big"), "s").shuffle(4)) for i in range(rounds))
    expected = rounds / 24
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == 24
    # the 99.9 % limit at 23 degrees of freedom; the input is fixed, so this never flickers
    assert chi_square < 49.7


def test_fields_cannot_be_mistaken_for_each_other() -> None:
    assert enc("ab", "c") != enc("a", "bc") != enc("abc", "")


def test_a_secret_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment("demo-1", bytes(31))
