"""Names and addresses: one spelling each, none that people would take for another (by the form:
test_sign_up.py).
"""

import pytest

from gm.errors import Refusal
from gm.games import create
from gm.games.names import (
    checked_address,
    checked_description,
    checked_name,
    checked_player,
    looks_like,
    same_mailbox,
)
from gm.installation import Installation
from gm.people import accounts, joining, masters, seating
from gm.store.db import Database
from gm.store.notes import plain_words
from rounds.engine.record import name_fault
from tests.dates import NOW
from tests.steps import seat_game


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("Anna", "Anna"),
        ("Do\u0308rte", "Dörte"),
        ("Anna B.", "Anna B."),
        ("x" * 40, "x" * 40),
        ("e\u0301" * 40, "é" * 40),
    ],
)
def test_a_name_is_stored_in_one_spelling(name: str, stored: str) -> None:
    assert checked_name(name) == stored


@pytest.mark.parametrize(
    "typed", ['"Anna"', "„Anna“", "'Anna'", "»Anna«", "- Anna", "* Anna", "1. Anna", "2) 'Anna'"]
)
def test_what_a_list_or_a_mail_program_puts_around_a_name_is_no_part_of_it(typed: str) -> None:
    assert checked_player(typed) == "Anna"


@pytest.mark.parametrize("name", ["D'", "-Anna", "1 Anna", "Ahmad 'Ali", "100. Anna", "A's"])
def test_a_name_keeps_its_own_signs(name: str) -> None:
    assert checked_player(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        " Anna",
        "Anna ",
        "x" * 41,
        "An\nna",
        "An\x00na",
        "An\u202ena",
        "Proof: acker 1 used seat 2",
        "A" + "\u0301" * 100_000,
    ],
)
def test_what_is_no_name_is_refused_with_the_limit(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        checked_name(name)
    assert (caught.value.code, caught.value.values["limit"]) == ("bad_name", 40)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("--", "bad_name"),
        ("\u200d", "bad_name"),
        ("Аnna", "name_mixed"),  # the first letter is Cyrillic
        ("Annα", "name_mixed"),
        ("Spiel leiterin", "name_reserved"),
        ("NIEMAND", "name_reserved"),
        ("g.m", "name_reserved"),
        ("Proof", "name_reserved"),
        ("pro\u200dof", "bad_name"),
        ("Cem (GM)", "name_reserved"),
        ("Cem [Spielleitung]", "name_reserved"),
        ("Rosa (robot)", "name_reserved"),
        ("Rosa (Roboter, stark)", "name_reserved"),
        ("Bert (now Zoe)", "name_reserved"),
        ("Bert (jetzt Zoe)", "name_reserved"),
        ("Anna (YOU)", "name_reserved"),
        ("Anna (du", "name_reserved"),
        ("Dora (the stand-in plays)", "name_reserved"),
        ("Dora (es spielt der Vertreter)", "name_reserved"),
        ("Ädmin", "name_reserved"),
    ],
)
def test_who_plays_has_a_readable_name_of_one_script_that_is_not_ours(name: str, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        checked_player(name)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "name", ["GM Anna", "Adminka", "nobody2", "7", "Anna 🫘", "Дёртэ", "데르테", "Anna-Maria"]
)
def test_other_names_are_their_own(name: str) -> None:
    assert checked_player(name) == name


def test_a_game_may_be_called_what_a_player_may_not() -> None:
    assert checked_name("System") == "System"
    assert checked_name("Аnna") == "Аnna"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Anna", "Anna", True),
        ("Dörte", "DORTE", True),
        ("Cem", "C e m", True),
        ("Bert", "Вегt", False),
        ("Ina", "lna", False),
        ("Straße", "STRASSE", True),
        ("Bert", "Berta", False),
        ("", "Anna", False),
        ("राम", "रीमा", False),  # vowels are no ornament
        ("मी", "मु", False),
        ("ハハ", "パパ", False),
        ("O'Brien", "O\u02bcBrien", True),
        ("محمد", "محـمد", True),
    ],
)
def test_names_are_compared_as_they_are_read_and_seen(one: str, other: str, alike: bool) -> None:
    assert looks_like(one, other) is looks_like(other, one) is alike


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("", ""),
        ("  Hallo \n", "Hallo"),
        ("one\r\ntwo\rthree\u2028four\x0bfive\x85six", "one\ntwo\nthree\nfour\nfive\nsix"),
        ("a\tb\x00c\x1bd", "a\tbcd"),
        ("left\u202eright\u2069", "leftright"),
        ("👩\u200d🌾 שלום\u200f", "👩\u200d🌾 שלום\u200f"),
        ("half \ud83e", "half \ufffd"),
    ],
)
def test_words_are_kept_but_for_what_nobody_can_read(text: str, stored: str) -> None:
    assert plain_words(text) == stored


def test_a_description_has_at_most_a_thousand_characters_as_stored() -> None:
    assert len(checked_description("x" * 1000)) == 1000
    assert checked_description(" \r\n" + "x" * 1000 + "\x00") == "x" * 1000
    with pytest.raises(Refusal, match=r"bad_description.*1000"):
        checked_description("x" * 1001)


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("anna@example.org", "anna@example.org"),
        ("Anna+Beans@Example.ORG", "Anna+Beans@Example.ORG"),
        ("anna@bücher.example", "anna@xn--bcher-kva.example"),
        ("a" * 64 + "@example.org", "a" * 64 + "@example.org"),
        ("o'neil@example.org", "o'neil@example.org"),
        ("postmaster2@example.org", "postmaster2@example.org"),
    ],
)
def test_an_address_is_stored_as_mail_goes_there(address: str, stored: str) -> None:
    assert checked_address(address) == stored


@pytest.mark.parametrize(
    "address",
    [
        "anna",
        "anna@localhost",
        "anna@example.org ",
        "an na@example.org",
        "anna@faß.example",
        "a@" + "x." * 126 + "org",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(Refusal, match="bad_address"):
        checked_address(address)


@pytest.mark.parametrize(
    "address",
    ["Beans@Example.org", "abuse@example.org", "No-Reply@example.org", "MAILER-daemon@example.org"],
)
def test_an_address_of_ours_or_of_a_machine_is_no_persons(address: str) -> None:
    with pytest.raises(Refusal, match="no_person"):
        checked_address(address, own="beans@example.org")


@pytest.mark.parametrize(
    "spelling",
    ["Anna@Example.org", "a.n.n.a@example.org", "anna+beans@example.org", "An.na+a+b@EXAMPLE.org"],
)
def test_spellings_of_one_mailbox_have_something_in_common(spelling: str) -> None:
    assert same_mailbox(spelling) == "anna@example.org"


def test_other_mailboxes_have_not() -> None:
    assert same_mailbox("anna@example.org") != same_mailbox("anna@beans.example.org")
    assert same_mailbox("anna-beans@example.org") == "anna-beans@example.org"


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\uffa0",
        "\u2800",
        "\u115f\u1160",
        "An\u3164na",
        "An\u200bna",
        "An\u200cna",  # Latin needs no joiner
        "An\u200dna",
        "\u200c\u0645",
        "\u0645\u200c\u200c\u06cc",
        "Anna \U0001f469\u200d",
    ],
)
def test_what_is_drawn_as_nothing_is_no_name_and_in_none(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        checked_player(name)
    assert caught.value.code == "bad_name"


@pytest.mark.parametrize(
    "name",
    [
        "\u0645\u06cc\u200c\u0631\u0648\u062f",  # Persian
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
        "\u0d28\u0d4d\u200d\u0d2e",  # Malayalam
        "\u09b0\u200d\u09cd\u09af\u09be\u099a",  # Bengali, before the virama
        "\u0639\u064e\u0644\u0650\u06cc\u0650\u200c\u0631\u0650\u0636\u0627",  # Persian with vowels
        "\u0639\u0644\u06cc\u200c\u06f2",
        "\u5c71\u7530\uff80\uff9b\uff73",  # half widths beside others
        "\u7530\u4e2d Ken",
        "Anna \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "Anna \U0001f469\U0001f3fd\u200d\U0001f33e",
        "Anna \u2764\ufe0f\u200d\U0001f525",
    ],
)
def test_joiners_that_a_script_or_a_picture_needs_are_allowed(name: str) -> None:
    assert checked_player(name) == name
    assert name_fault(name) is None


@pytest.mark.parametrize("name", ["\u0645\u06cc\u200c", "\u0d30\u0d3e\u0d1c\u0d7b\u0d4d\u200d"])
def test_a_joiner_at_the_end_is_taken_off_where_a_script_has_it(name: str) -> None:
    assert checked_player(name) == name[:-1]


@pytest.mark.parametrize(
    "name",
    [
        "Anna.",
        "\u201aAnna\u2018",
        "Anna\U0001d159",
        "Anna\ufe0f",
        "A\u034fnna",
        "Anna\u180b",
        "An\u17b4na",
        "Anna\U000e0100",
        "\U0001d400\U0001d427\U0001d427\U0001d41a",
        "\uff21\uff4e\uff4e\uff41",
        "A\u00adnna",
        "\u24b6\u24dd\u24dd\u24d0",
        "\u1d2cnna",
    ],
)
def test_a_name_that_is_drawn_like_another_looks_like_it(name: str) -> None:
    assert looks_like(name, "Anna")


@pytest.mark.parametrize(
    "name",
    [
        "\U0001d406\U0001d40c",
        "The GM",
        "Der Spielleiter",
        "the g.m.",
        "Die Spielleitung",
        "\uff27\uff2d",
        "G\ufe0fM",
    ],
)
def test_names_of_the_service_are_reserved_in_every_style(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        checked_player(name)
    assert caught.value.code == "name_reserved"


@pytest.mark.parametrize(
    "name",
    [
        "Uli",
        "ULI",
        "U l i",
        "Uli (GM)",
        "GM Uli",
        "Spielleitung Uli",
        "\U0001d414\U0001d425\U0001d422",
    ],
)
def test_the_game_masters_name_is_free_for_their_own_addresses_only(
    installation: Installation, db: Database, name: str
) -> None:
    seat_game(installation, "rainy", players=("Bert",))
    with pytest.raises(Refusal, match="name_reserved"):
        joining.request_seat(db, "rainy", name, "stranger@example.org", "en", NOW)
    for address in ("stranger@example.org", None):
        with pytest.raises(Refusal, match="name_reserved"):
            create.add_seat(
                db,
                installation.link_key,
                game="rainy",
                name=name,
                address=address,
                language="en",
                robot=address is None,
            )
    with pytest.raises(Refusal, match="name_reserved"):
        seating.replace_player(
            db,
            installation.link_key,
            "rainy",
            "Bert",
            player=name,
            address="stranger@example.org",
            language="en",
            keep_orders=False,
            reason="",
            now=NOW,
        )
    joining.request_seat(db, "rainy", "Uli", "ULI@example.org", "en", NOW)


def test_the_name_of_a_second_game_master_is_theirs(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "rainy", players=("Bert",))
    accounts.add_gm(db, "vera@example.org", "Vera", "en", NOW)
    masters.add_master(db, "rainy", "vera@example.org")
    with pytest.raises(Refusal, match="name_reserved"):
        joining.request_seat(db, "rainy", "Vera", "stranger@example.org", "en", NOW)
    joining.request_seat(db, "rainy", "Vera", "vera@example.org", "en", NOW)
