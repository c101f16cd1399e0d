"""House rules as people write them: what may be set, how it is read, and which word is wrong."""

from typing import Any

import pytest

from gm.errors import Refusal
from gm.games.house_rules import HouseRule, checked, known, read
from rounds.engine.variant import names
from rounds.postal.table import HouseRules


def test_the_rules_of_the_postal_game_are_known_with_their_values() -> None:
    assert known("postal") == (
        HouseRule("rounds", "10", least=1, most=12),
        HouseRule("discard_order", "ascending", ("ascending", "descending")),
        HouseRule("nmr_empty", "false", ("false", "true")),
        HouseRule("nmr_harvest", "eager", ("eager", "lazy")),
    )
    assert [rule.choices for rule in known("postal")] == [
        "1…12",
        "ascending|descending",
        "false|true",
        "eager|lazy",
    ]


def test_the_defaults_of_every_variant_are_among_its_choices() -> None:
    for name in names():
        for rule in known(name):
            assert rule.default in rule.values or int(rule.default) in range(
                rule.least or 0, (rule.most or 0) + 1
            )
        assert checked(name, {}) == checked(
            name, read([f"{rule.key}={rule.default}" for rule in known(name)])
        )


@pytest.mark.parametrize(
    ("pairs", "rules"),
    [
        ([], {}),
        (["rounds=12"], {"rounds": 12}),
        (
            ["nmr_empty=true", "discard_order=descending"],
            {"nmr_empty": True, "discard_order": "descending"},
        ),
        (["nmr_empty=True"], {"nmr_empty": "True"}),
        (["rounds=007"], {"rounds": 7}),
        (["rounds=-1"], {"rounds": "-1"}),
        (["rounds=1000000"], {"rounds": "1000000"}),
        (["rounds=٣"], {"rounds": "٣"}),
        (["a=b=c"], {"a": "b=c"}),
        (["rounds=", "=x"], {"rounds": "", "": "x"}),
        (["rounds=3", "rounds=4"], {"rounds": 4}),
    ],
)
def test_a_pair_is_read_as_number_yes_or_no_or_word(
    pairs: list[str], rules: dict[str, Any]
) -> None:
    found = read(pairs)
    assert found == rules
    assert [type(value) for value in found.values()] == [type(value) for value in rules.values()]


@pytest.mark.parametrize("pair", ["rounds", "", "rounds:3"])
def test_a_word_without_an_equals_sign_is_refused_by_itself(pair: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(["rounds=3", pair])
    assert (caught.value.code, caught.value.values) == ("bad_pair", {"pair": pair})


def test_what_is_set_is_set_and_the_rest_is_as_printed() -> None:
    assert checked("postal", {"rounds": 12, "nmr_empty": True}) == HouseRules(
        rounds=12, nmr_empty=True
    )
    assert checked("postal", {}) == HouseRules()


def test_an_unknown_key_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refusal) as caught:
        checked("postal", {"rounds": 0, "speed": 3, "Rounds": 3})
    assert caught.value.code == "odd_rule"
    with pytest.raises(Refusal) as caught:
        checked("postal", {"speed": 3, "rounds": 0})
    assert caught.value.code == "unknown_rule"
    assert caught.value.values == {
        "key": "speed",
        "rules": ("rounds", "discard_order", "nmr_empty", "nmr_harvest"),
    }


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("rounds", 0, "0"),
        ("rounds", 13, "13"),
        ("rounds", "ten", "ten"),
        ("rounds", True, "true"),
        ("nmr_empty", "yes", "yes"),
        ("nmr_empty", 1, "1"),
        ("discard_order", "", ""),
        ("nmr_harvest", False, "false"),
    ],
)
def test_a_value_that_is_none_is_refused_with_its_rule_and_as_it_was_written(
    key: str, value: Any, text: str
) -> None:
    with pytest.raises(Refusal) as caught:
        checked("postal", {key: value})
    assert caught.value.code == "odd_rule"
    assert caught.value.values == {
        "rule": next(rule for rule in known("postal") if rule.key == key),
        "text": text,
    }


@pytest.mark.parametrize("value", [1, 12])
def test_the_ends_of_a_range_are_within_it(value: int) -> None:
    assert checked("postal", {"rounds": value}).rounds == value


def test_a_variant_that_is_none_has_no_rules() -> None:
    for ask in (known, lambda name: checked(name, {})):
        with pytest.raises(LookupError):
            ask("missing")
