"""Lists of the duel: what is read, the one text that says it, and what is refused with which
code, place and numbers.
"""

from random import Random

import msgspec
import pytest

from rounds.duel.events import Meant, Resigned
from rounds.duel.notation import Problem
from rounds.duel.orders import preview, read_orders, write_orders
from rounds.duel.stand_in import stand_in
from rounds.duel.table import Table
from rounds.engine.farm import Farm
from rounds.engine.notation import Refused
from rounds.family.fields import may_harvest
from tests.cases.stacks import read_stacks
from tests.rules.duel.tables import table

AT = table(fields="blue*4 -", offer="blue*3 soy")
ROW = table(row="wax*3 red", fields="blue*4 red*5")


def canonical(text: str, at: Table = AT) -> str:
    return write_orders(at, read_orders(at, "Anna", text))


def problems(text: str, at: Table = AT) -> tuple[Problem, ...]:
    with pytest.raises(Refused) as caught:
        read_orders(at, "Anna", text)
    return tuple(
        msgspec.convert(msgspec.to_builtins(problem), Problem) for problem in caught.value.problems
    )


def refused(text: str, at: Table = AT) -> list[tuple[int, str]]:
    return [(problem.order or 0, problem.code) for problem in problems(text, at)]


@pytest.mark.parametrize(
    "text",
    ["1>B", "1 > b", "1 B", "1b", "1", "1>B!", "1 B!", "1b !", "\ufeff1>B;", "1\tB\n", "1 b, "],
)
def test_many_ways_to_plant_a_card_of_the_hand(text: str) -> None:
    assert canonical(text) == "Dblue Dsoy 1>B"


@pytest.mark.parametrize(
    "text",
    [
        "blue>A",
        "blue",
        "Blaue>a",
        "BLAU A",
        "bluebohne>A",
        "blauebohnen",
        "blue x 3 > A",
        "bluex3",
        "bluex1 bluex2",
    ],
)
def test_many_ways_to_plant_what_lies_on_the_table(text: str) -> None:
    assert canonical(f"{text} Dsoy 1") == "blue>A Dsoy 1>B"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Dsoy", "Dsoy Dblue 1>B"),
        ("d soja", "Dsoy Dblue 1>B"),
        ("W Sojabohnen", "Dsoy Dblue 1>B"),
        ("discard soy x 1", "Dsoy Dblue 1>B"),
        ("wirf soy", "Dsoy Dblue 1>B"),
        ("Dbluex2 Dsoy", "Dbluex2 Dsoy Dblue 1>B"),
        ("Dbluex2 Dblue", "Dblue Dsoy 1>B"),
        ("bluex2>A", "bluex2>A Dblue Dsoy 1>B"),
        ("blue>A! bluex0x", None),
        ("harvest A", "HA Dblue Dsoy 1>A"),
        ("ea", "HA Dblue Dsoy 1>A"),
        ("E a", "HA Dblue Dsoy 1>A"),
    ],
)
def test_what_is_done_with_the_offer(said: str, meant: str | None) -> None:
    if meant is None:
        assert refused(f"{said} 1") == [(2, "WORD")]
    else:
        assert canonical(f"{said} 1") == meant


@pytest.mark.parametrize("word", ["buy", "BUY C", "bc", "kaufe", "kaufen C", "Kaufe c"])
def test_the_third_field_is_bought_in_many_words(word: str) -> None:
    assert canonical(f"{word} 1>C", table(talers=3)) == "buy 1>C"


@pytest.mark.parametrize(
    ("plan", "written"),
    [
        ("then blue", "then blue"),
        ("dann Feuerbohne x 2 > a !, dazu, ernte c, kaufe c", "then chilix2>A! match HC buy"),
        ("then bluex1>A bluex1>A", "then bluex1>A bluex1>A"),
        ("then nichts", "then pass"),
        ("then -", "then pass"),
        ("then wax>C", "then wax>C"),
    ],
)
def test_a_plan_keeps_its_words(plan: str, written: str) -> None:
    assert canonical(f"1 {plan}") == f"Dblue Dsoy 1>B {written}"
    assert canonical(canonical(f"1 {plan}")) == canonical(f"1 {plan}")


def test_what_matches_is_written_out_after_the_reveal() -> None:
    assert canonical("match", ROW) == "HB red>B"
    assert canonical("dazu", table(row="wax*3 red")) == "pass"
    assert canonical("match", table(row="red*3 soy", fields="red*3 red*4")) == "redx2>A red>B"


@pytest.mark.parametrize("text", ["resign", "aufgeben", " AUFGEBEN "])
def test_giving_up_is_a_list_of_one_word(text: str) -> None:
    assert canonical(text) == canonical(text, ROW) == "resign"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(0, "EMPTY")]),
        ("  ,;\n", [(0, "EMPTY")]),
        ("pass", [(0, "MUST_PLANT")]),
        ("HA", [(0, "MUST_PLANT")]),
        ("then match", [(0, "MUST_PLANT")]),
        ("then 1>B", [(2, "STEP"), (0, "MUST_PLANT")]),
        ("pass 1", [(1, "PASS")]),
        ("1 pass", [(2, "PASS")]),
        ("pass pass", [(1, "PASS"), (2, "PASS"), (0, "MUST_PLANT")]),
        ("1 then pass match", [(3, "PASS")]),
        ("1 then match pass", [(4, "PASS")]),
        ("1 then", [(2, "THEN")]),
        ("1 then then wax", [(3, "THEN")]),
        ("1 then wax then", [(4, "THEN")]),
        ("1 then resign", [(3, "ALONE")]),
        ("resign resign", [(1, "ALONE"), (2, "ALONE"), (0, "MUST_PLANT")]),
        ("match 1", [(1, "STEP")]),
        (
            "1 then D2 Dsoy 3 plow A PB",
            [(3, "STEP"), (4, "STEP"), (5, "STEP"), (6, "NO_PLOW"), (7, "NO_PLOW")],
        ),
        (
            "1 then waxx0 wax! HD HA2 wax>D!",
            [
                (3, "COUNT"),
                (4, "NEEDS_FIELD"),
                (5, "BAD_FIELD"),
                (6, "PARTIAL_HARVEST"),
                (7, "BAD_FIELD"),
            ],
        ),
        ("0", [(1, "RANGE")]),
        ("1!", [(1, "NEEDS_FIELD")]),
        ("9!", [(1, "RANGE")]),
        ("01>B", [(1, "NUMBER")]),
        ("1 then bluex02", [(3, "NUMBER")]),
        ("D" + "9" * 7, [(1, "NUMBER"), (0, "MUST_PLANT")]),
        ("1 D04", [(2, "NUMBER")]),
        ("1 D4", [(2, "RANGE")]),
        ("1 D1", [(2, "GONE")]),
        ("1 D2 2", [(3, "STEP")]),
        ("bluex4>A 1", [(1, "COUNT")]),
        ("blue>A blue>A 1", [(2, "COUNT")]),
        ("wax 1", [(1, "NOT_THERE")]),
        ("soy>A 1", [(1, "OCCUPIED")]),
        ("1 wax", [(2, "STEP")]),
        (
            "HB HAx2 HA2 HD 1",
            [(1, "EMPTY_FIELD"), (2, "PARTIAL_HARVEST"), (3, "PARTIAL_HARVEST"), (4, "BAD_FIELD")],
        ),
        ("H, E, ernte 1", [(1, "NEEDS_FIELD"), (2, "NEEDS_FIELD"), (3, "NEEDS_FIELD")]),
        ("PA UB pflüge A 1", [(1, "NO_PLOW"), (2, "NO_PLOW"), (3, "NO_PLOW")]),
        ("buy 1", [(1, "TALERS")]),
        ("1 B A", [(2, "WORD")]),
        ("1, B", [(2, "WORD")]),
        ("1d", [(1, "WORD"), (0, "MUST_PLANT")]),
        ("anlegen 1", [(1, "WORD")]),
        ("1 ²", [(2, "CHARACTER")]),
    ],
)
def test_every_problem_of_a_list_has_its_code_and_number(
    text: str, expected: list[tuple[int, str]]
) -> None:
    assert refused(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 D1 Dwax D9", [(1, "STEP"), (2, "STEP"), (3, "STEP"), (4, "STEP")]),
        ("then match", [(1, "THEN")]),
        (
            "wax>C soy red>A wax",
            [(1, "BAD_FIELD"), (2, "NOT_THERE"), (3, "OCCUPIED"), (4, "NO_FIELD")],
        ),
        ("pass wax", [(1, "PASS"), (2, "NO_FIELD")]),
    ],
)
def test_after_the_reveal_only_the_row_is_there(text: str, expected: list[tuple[int, str]]) -> None:
    assert refused(text, ROW) == expected


def test_a_problem_carries_the_numbers_of_its_sentence() -> None:
    at = table("soy red eyed", "soy blue*2", talers=2)

    def first(text: str, here: Table = at) -> Problem:
        return msgspec.structs.replace(
            problems(text, here)[0], order=None, place=Problem(code="").place, hint=None
        )

    assert first("4") == Problem(code="RANGE", position=4, limit=3)
    assert first("2") == Problem(code="ORDER", position=2, limit=1)
    assert first("1 1", table("soy")) == Problem(code="ORDER", position=1)
    assert first("1>A 2>B! 3", table(fields="soy red")) == Problem(code="THIRD", position=3)
    assert first("1 D2 D3") == Problem(code="SECOND", position=3)
    assert first("1>C") == Problem(code="BAD_FIELD", field="C", limit=2)
    assert first("1>B") == Problem(code="OCCUPIED", field="B", variety="blue")
    assert first("red>A", table(row="red", fields="soy blue*2")) == Problem(
        code="OCCUPIED", field="A", variety="soy"
    )
    assert first("red>A!", table(row="red", fields="soy blue*2")) == Problem(
        code="SINGLE", field="A", variety="soy"
    )
    assert first("HA") == Problem(code="SINGLE", field="A", variety="soy")
    assert first("HB3") == Problem(code="PARTIAL_HARVEST", field="B", cards=3, limit=2)
    assert first("buy") == Problem(code="TALERS", talers=2, limit=3)
    assert first("1 then bluex0") == Problem(code="COUNT", variety="blue", cards=0)
    assert first("HA1 then HA2", table("", "soy -")) == Problem(
        code="PARTIAL_HARVEST", field="A", cards=1, limit=1
    )
    assert first("bluex9 1", AT) == Problem(code="COUNT", variety="blue", cards=9, limit=3)
    assert first("pass") == Problem(code="MUST_PLANT", variety="soy")
    assert first("1 then wax>D") == Problem(code="BAD_FIELD", field="D", limit=3)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1->A 2", "1>A"),
        ("03", "3"),
        ("mtach 1", "match"),
        ("1 thne match", "then"),
        ("pas", "pass"),
        ("1 feuerbone", "chili"),
        ("--", "pass"),
        ("1 H", "HA"),
        ("HA2 1", "HA"),
        ("PB 1", "HB"),
        ("1 xyzzy", None),
        ("1 " + "a" * 3000, None),
    ],
)
def test_a_slip_has_a_hint_in_our_notation(text: str, hint: str | None) -> None:
    assert problems(text)[0].hint == hint


def test_the_limits_hold_for_text_and_orders() -> None:
    assert refused("1 " * 401)[0][1] == "LIMIT"
    assert next((p.code, p.cards, p.limit) for p in problems("a" * 4001)) == ("LIMIT", 4001, 4000)


def test_under_the_other_house_rule_a_card_may_be_discarded_at_any_time_but_only_one() -> None:
    at = table(discard="either")
    assert canonical("D1 2>A 3>B", at) == "D1 2>A 3>B"
    assert canonical("1>A D2 3>B", at) == "1>A D2 3>B"
    assert refused("D1 1>A 2>A", at) == [(2, "ORDER")]


def test_a_field_with_one_bean_waits_for_the_others_but_not_for_empty_ones() -> None:
    def fields(text: str) -> Farm:
        return Farm(read_stacks(text))

    assert [
        may_harvest(fields(text), "A")
        for text in ("soy -", "soy red", "soy red*2", "soy*2 red*3", "soy - red*2")
    ] == [
        True,
        True,
        False,
        True,
        False,
    ]


def test_a_preview_tells_of_a_plan_only_that_it_was_said() -> None:
    steps = preview(AT, "Anna", read_orders(AT, "Anna", "HA blue>A 1>B then match"))
    assert [step.farm is None for step in steps] == [False, False, False, False, True, True]
    assert [[event.kind for event in step.events] for step in steps] == [
        ["harvested"],
        ["planted"],
        ["discarded"],
        ["from_hand"],
        [],
        ["meant"],
    ]
    said = [
        step.events
        for step in preview(AT, "Anna", read_orders(AT, "Anna", "1 then waxx2>A! HC buy"))
    ][-4:]
    assert said == [
        (),
        (Meant("Anna", "plant", "wax", 2, "A", clear=True),),
        (Meant("Anna", "harvest", field="C"),),
        (Meant("Anna", "buy"),),
    ]
    assert preview(AT, "Anna", read_orders(AT, "Anna", "1 then pass"))[-1].events == (
        Meant("Anna", "nothing"),
    )
    assert preview(AT, "Anna", read_orders(AT, "Anna", "resign"))[0].events == (Resigned("Anna"),)


def test_the_stand_in_says_what_it_does_in_the_players_words() -> None:
    assert write_orders(AT, stand_in(AT, "Anna")) == "blue>A Dsoy 1>B then match"
    assert write_orders(ROW, stand_in(ROW, "Anna")) == "HB red>B"
    assert write_orders(ROW, stand_in(table(row="wax"), "Anna")) == "pass"


PIECES = (
    "1",
    "2",
    "4",
    "0",
    "01",
    ">",
    "A",
    "B",
    "d",
    "x",
    "x2",
    "!",
    "D",
    "D4",
    "W",
    "Dsoy",
    "blue",
    "blaue",
    "bohne",
    "HA",
    "HA2",
    "buy",
    "BC",
    "then",
    "dann",
    "match",
    "pass",
    "-",
    "resign",
    ",",
    ";",
    "\n",
    "ü",
    "PA",
    "\u200b",
    "9999999",
    "ernte",
    "abwerfen",
    "Feuerbohne",
)


@pytest.mark.parametrize(
    "at", [AT, ROW, table("", "soy blue*2", talers=5)], ids=["before", "after", "empty hand"]
)
def test_any_text_is_refused_with_problems_or_has_a_canonical_form_that_is_read_again(
    at: Table,
) -> None:
    chance, read = Random(7), 0
    for _ in range(1500):
        text = "".join(
            chance.choice(PIECES) + chance.choice(("", " ", " "))
            for _ in range(chance.randrange(1, 7))
        )
        try:
            orders = read_orders(at, "Anna", text)
        except Refused:
            assert problems(text, at), text
            continue
        read += 1
        written = write_orders(at, orders)
        assert read_orders(at, "Anna", written) == orders, text
        assert write_orders(at, read_orders(at, "Anna", written)) == written
    assert read > 10
