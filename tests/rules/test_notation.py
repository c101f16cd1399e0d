"""Reading order text: what is read, and what is refused with which code, place and hint.

Numbers like B021 name the list of bad inputs.
"""

import pytest

from rounds.duel.notation import GRAMMAR as DUEL
from rounds.engine import notation
from rounds.engine.notation import Grammar, Reading, Refused
from rounds.postal.notation import GRAMMAR
from rounds.postal.orders import read_orders, write_orders
from tests.cases.stacks import read_stacks, write_stacks
from tests.postal_tables import table

# 1 bush, 2 magic, 3 climbing x3, 4 mung ...; A bush 3 (earns 1), B magic 2 (earns nothing), C
# empty; 2 talers
AT = table(farm="bush*3 magic*2 - 2")


def canonical(text: str, at: object = AT) -> str:
    return write_orders(at, read_orders(at, "Anna", text))  # type: ignore[arg-type]


def refusals(text: str, at: object = AT) -> list[tuple[str, str | None]]:
    with pytest.raises(Refused) as caught:
        read_orders(at, "Anna", text)  # type: ignore[arg-type]
    return [(problem.code, problem.hint) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "text", ["3", "3x3", "3 C", "3c", "3 > C", "3 x 3 > c", "3>C", "\ufeff3>C", "3\tC"]
)
def test_many_ways_to_write_one_order(text: str) -> None:
    assert canonical(text) == "3>C"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3x1 3x2", "3>C"),  # B022: neighbouring plantings of one position are one order
        ("3x1", "3x1>C"),
        ("3x1 HA 3x1", "3x1>C HA 3x1>C"),
        ("3x1 HA 3", "3x1>C HA 3>C"),
        ("HA PB", "HA PB"),  # B028: the third taler is earned in time
        ("harvest A", "HA"),
        ("H a", "HA"),
        ("EA", "HA"),
        ("ERNTE A", "HA"),  # B031
        ("pass", "pass"),
        ("PASSE", "pass"),
        ("nothing", "pass"),
        ("nichts", "pass"),
        ("-", "pass"),  # B034
        ("1;2,3", "1>A 2>B 3>C"),
        ("1>A\r\n2>B\r3\nHA", "1>A 2>B 3>C HA"),  # B045
    ],
)
def test_what_is_read(text: str, meant: str) -> None:
    assert canonical(text) == meant


@pytest.mark.parametrize(
    "text", ["pflüge B", "UB", "plough B", "pflu\u0308ge B", "umpflügen B", "plow b"]
)
def test_plowing_in_both_languages_and_both_spellings_of_unicode(text: str) -> None:
    assert canonical(text, table(farm="bush*3 magic*2 - 3")) == "PB"


@pytest.mark.parametrize("text", ["", " ", "\t \n,;, ", "\ufeff"])
def test_an_empty_text_is_never_a_pass(text: str) -> None:
    assert refusals(text) == [("EMPTY", "pass")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", [("RANGE", "pass")]),  # B002
        ("9", [("RANGE", None)]),
        ("12", [("RANGE", "1 2")]),  # B003
        ("03", [("NUMBER", "3")]),
        ("007", [("NUMBER", "7")]),
        ("3x02", [("NUMBER", "3x2")]),  # B004
        ("-3", [("NUMBER", None)]),
        ("1e3", [("NUMBER", None)]),
        ("½", [("WORD", None)]),  # B005
        ("0x10", [("RANGE", "pass")]),  # B006
        ("3x0", [("COUNT", None)]),
        ("3x99", [("COUNT", None)]),  # B007
        ("3x", [("WORD", None)]),
        ("3 x", [("WORD", None)]),
        ("3xx2", [("WORD", None)]),  # B008
        ("3x2 3x2", [("COUNT", None)]),
        ("2 2", [("COUNT", None)]),  # B009
        ("9" * 3000, [("NUMBER", None)]),
        ("3x" + "9" * 3000, [("NUMBER", None)]),  # B010
        ("٣", [("CHARACTER", None)]),
        ("３", [("CHARACTER", None)]),
        ("²", [("CHARACTER", None)]),  # B011
        ("1-3", [("WORD", "1 2 3")]),
        ("1..3", [("WORD", "1 2 3")]),
        ("1+2", [("WORD", "1 2")]),  # B012
        ("5 2", [("ORDER", None)]),  # B013
        ("3>D", [("BAD_FIELD", None)]),
        ("3d", [("BAD_FIELD", None)]),
        ("3 D", [("BAD_FIELD", None)]),
        ("HD", [("BAD_FIELD", None)]),
        ("P Z", [("BAD_FIELD", None)]),  # B014
        ("3>A>B", [("WORD", None)]),
        ("3>AB", [("WORD", None)]),
        ("3>", [("WORD", None)]),
        (">A", [("WORD", None)]),  # B015
        ("1>C", [("DUPLICATE", None)]),  # B016
        ("1>B", [("DUPLICATE", None)]),  # B017: harvesting B would not help
        ("4>A", [("OCCUPIED", None)]),  # B018
        ("4 5", [("NO_FIELD", None)]),  # B019
        ("A", [("WORD", None)]),
        ("3, C", [("WORD", None)]),
        ("3\nC", [("WORD", None)]),  # B020
        ("H", [("NEEDS_FIELD", "HA")]),
        ("H 3", [("NEEDS_FIELD", "HA")]),
        ("H\nA", [("NEEDS_FIELD", "HA"), ("WORD", None)]),  # B023
        ("HC", [("EMPTY_FIELD", None)]),
        ("PC", [("EMPTY_FIELD", None)]),
        ("HA HA", [("EMPTY_FIELD", None)]),  # B024
        ("HB", [("HARVEST_ZERO", None)]),  # B025
        ("HAx2", [("PARTIAL_HARVEST", "HA")]),
        ("HA2", [("PARTIAL_HARVEST", "HA")]),
        ("H2A", [("PARTIAL_HARVEST", "HA")]),  # B026
        ("PB", [("TALERS", None)]),  # B027
        ("PB HA", [("TALERS", None)]),  # B029
        ("PA", [("PLOW_YIELDING", "HA")]),  # B030
        ("PFLUEGE B", [("WORD", "PB"), ("WORD", None)]),
        ("pfluege B", [("WORD", "PB"), ("WORD", None)]),  # B033
        ("pass 3", [("PASS", None)]),
        ("3 pass", [("PASS", None)]),
        ("- -", [("PASS", None), ("PASS", None)]),  # B035, B036
        ("--", [("WORD", "pass")]),
        ("–", [("CHARACTER", "pass")]),
        ("pas", [("WORD", "pass")]),
        ("ppass", [("WORD", "pass")]),  # B037
        ("раss", [("CHARACTER", None)]),
        ("3>А", [("CHARACTER", None)]),  # B038
        ("İA", [("WORD", None)]),
        ("ıA", [("WORD", None)]),
        ("ß", [("WORD", None)]),  # B039
        ("3 🫘", [("CHARACTER", None)]),  # B040
        ("a" + "\u0301" * 1000, [("CHARACTER", None)]),  # B041
        ("H\u200bA", [("CHARACTER", "HA")]),
        ("H\x00A", [("CHARACTER", "HA")]),  # B042
        ("3\u00a0C", [("CHARACTER", "3 C")]),
        ("3\u2028C", [("CHARACTER", "3 C")]),  # B043
        ("\ue000", [("CHARACTER", None)]),
        ("\ud800", [("CHARACTER", None)]),  # B044
        ("3×2", [("CHARACTER", "3x2")]),
        ("3*2", [("WORD", "3x2")]),
        ("3→C", [("CHARACTER", "3>C")]),
        ("3->C", [("WORD", "3>C")]),
        ("3(C)", [("WORD", "3>C")]),  # B046
        ("1>A2>B", [("WORD", "1>A 2>B")]),
        ("HAHB", [("WORD", "HA HB")]),
        ("3HA", [("WORD", "3 HA")]),  # B047
        ("bush>A", [("WORD", None)]),
        ("3 # comment", [("WORD", None), ("WORD", None)]),  # B048
    ],
)
def test_what_is_refused_and_with_which_hint(
    text: str, expected: list[tuple[str, str | None]]
) -> None:
    assert refusals(text) == expected


def read(text: str) -> Reading:
    return notation.read(text, GRAMMAR)


def test_every_problem_has_its_place_in_characters() -> None:
    reading = read("1>A\r\n  bohne, 3 🫘 HX2")
    assert [
        (p.code, p.place.line, p.place.column, p.place.length, p.order) for p in reading.problems
    ] == [
        ("WORD", 2, 3, 5, 2),
        ("CHARACTER", 2, 12, 1, 4),
    ]


def test_two_hundred_wrong_words_are_two_hundred_problems() -> None:
    assert len(read("wrong " * 200).problems) == 200


def test_the_limits_count_orders_and_characters() -> None:
    assert "LIMIT" not in [p.code for p in read("HA " * 400).problems]
    problem = read("HA " * 401).problems[0]
    assert (problem.code, problem.cards, problem.limit) == ("LIMIT", 401, 400)
    assert "LIMIT" not in [p.code for p in read("🫘" * 4000).problems]
    problem = read("🫘" * 4001).problems[0]
    assert (problem.code, problem.cards, problem.limit) == ("LIMIT", 4001, 4000)


def test_stacks_of_two_digits() -> None:
    deep = table("snap*18 snake*30 bush magic mung broad climbing princess")
    assert canonical("1x18", deep) == "1>A"
    assert canonical("1x10>C HC 1x8>C", deep) == "1x10>C HC 1>C"
    assert canonical(" ".join(["1x1>A"] * 18 + ["2x1>B"] * 29), deep) == "1>A 2x29>B"


def test_stacks_as_text_and_back() -> None:
    text = "bush climbing*3 - snap*12"
    assert write_stacks(read_stacks(text)) == text


def test_a_long_wrong_word_is_judged_at_once() -> None:
    """A pattern that backtracks would take longer than the age of the world."""
    for word in ("1" * 39 + "!", "1" * 3000 + "!", "1x1" * 900 + "!", "HA" * 1900 + "!"):
        assert read(word).problems


def test_a_game_may_judge_itself_where_a_pass_may_stand() -> None:
    words = notation.Grammar(
        lambda line, at: ("1", at + 1) if line[at] == "1" else None, passing="nothing"
    )
    reading = notation.read("1 pass, pass", words)
    assert [(found.order, found.number) for found in reading.orders] == [
        ("1", 1),
        ("nothing", 2),
        ("nothing", 3),
    ]
    assert (reading.passed, reading.problems) == (False, ())


@pytest.mark.parametrize("grammar", [GRAMMAR, DUEL], ids=["postal", "duel"])
@pytest.mark.parametrize(
    "word", ["PFLÜGE", "UMPFLÜGEN", "Umpflügen", "PFLU\u0308GE", "pflu\u0308ge"]
)
def test_a_phone_that_writes_capitals_is_read(grammar: Grammar, word: str) -> None:
    small, found = notation.read("pflüge A", grammar), notation.read(f"{word} A", grammar)
    assert [(one.order, one.number) for one in found.orders] == [
        (one.order, one.number) for one in small.orders
    ]
    assert [problem.code for problem in found.problems] == [
        problem.code for problem in small.problems
    ]
    assert "WORD" not in [problem.code for problem in found.problems]


@pytest.mark.parametrize("grammar", [GRAMMAR, DUEL], ids=["postal", "duel"])
@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1>A. 2>B", "1>A"),
        ("1>A\u00a02>B", "1>A 2>B"),
        ("1>A\u202f2>B", "1>A 2>B"),
        ("1 und 2", ","),
        ("1>A & 2>B", ","),
        ("1 AND 2", ","),
    ],
)
def test_what_phones_and_people_put_between_orders_is_told_how_to_write(
    grammar: Grammar, text: str, hint: str
) -> None:
    (problem,) = notation.read(text, grammar).problems
    assert problem.hint == hint


@pytest.mark.parametrize(
    "text", ["1,\u00a0 2", "1>A\u00a0, \u00a0", "kaufen\u00a0c", "Sau\u00a0x2"]
)
def test_an_odd_blank_is_told_only_how_to_write_what_is_read_then(text: str) -> None:
    assert {problem.hint for problem in read(text).problems} <= {None, "1>A", "1"}
