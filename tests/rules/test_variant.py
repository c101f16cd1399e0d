"""Variants are found by folder; what they hand to the service are values that never change."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import rounds
from rounds.engine.events import Absent
from rounds.engine.farm import Farm
from rounds.engine.variant import Controls, FormOrders, Result, Step, Variant, find, names
from rounds.family.orders import Harvest
from rounds.postal import variant as postal
from tests.postal_tables import chance_with, new_game, shuffled


def test_a_package_with_a_deck_is_a_variant_and_nothing_else_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("aaa", "bare"):
        (tmp_path / "rounds" / name).mkdir(parents=True)
        (tmp_path / "rounds" / name / "__init__.py").touch()
    (tmp_path / "seeds" / "aaa").mkdir(parents=True)
    (tmp_path / "seeds" / "aaa" / "deck.toml").touch()
    before = names()
    monkeypatch.setattr(rounds, "__path__", [*rounds.__path__, str(tmp_path / "rounds")])
    assert names() == ("aaa", *before)
    assert not {"engine", "__init__", "__pycache__"} & set(before)


def test_a_variant_is_found_by_its_name_always_the_same_value() -> None:
    assert find("postal") is postal is find("postal")
    assert [find(name).name for name in names()] == list(names())


@pytest.mark.parametrize(
    "name", ["", "Postal", "missing", "engine", "postal.setup", "../gm", "postal\n"]
)
def test_what_is_no_variant_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(LookupError) as caught:
        find(name)
    assert repr(name) in str(caught.value)
    assert str(caught.value).endswith(f"there are: {', '.join(names())}")


def test_a_name_that_is_none_is_not_imported() -> None:
    """What stands in a damaged row must not run a module."""
    with pytest.raises(LookupError):
        find("engine.variant")


def test_every_variant_has_its_house_rules_with_rounds_and_defaults() -> None:
    for name in names():
        find(name).house_rules()
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"no such rule": 1}, find(name).house_rules)


def test_what_only_some_games_need_may_be_missing() -> None:
    least = Variant(**{field: getattr(postal, field) for field in NEEDED})
    assert (least.form, least.hindsight, least.hidden) == (None, None, None)
    assert (least.strengths, least.robot_of("weak")) == ({}, postal.robot)
    assert (least.may_order, least.readers, least.scores, least.sees_more) == (
        least.awaited,
        None,
        None,
        False,
    )
    assert least.house_rules() == msgspec.convert({}, least.house_rules)


def test_what_a_game_does_not_say_is_plain() -> None:
    least = Variant(**{field: getattr(postal, field) for field in NEEDED})
    table = new_game(1)
    after, events = least.adjudicate(table, dict.fromkeys(table.seats), chance_with(shuffled(1)))
    assert least.awaited(table) == least.may_order(table) == least.must_order(table) == table.seats
    assert (least.stand_in(table, "Anna"), least.preview(table, "Anna", ())) == ((), ())
    assert [event["event"] for event in least.tell(table, events, after)["events"]] == [
        event.kind for event in events
    ]
    over = replace(table, round=table.rules.rounds + 1)
    assert (least.awaited(over), least.is_over(over), least.is_over(table)) == ((), True, False)


NEEDED = (
    "name",
    "events",
    "set_up",
    "storage",
    "read_orders",
    "write_orders",
    "adjudicate",
    "result",
    "view",
    "robots",
)
"""A game that wants nothing special is told in these ten."""


@pytest.mark.parametrize("missing", NEEDED)
def test_nothing_else_may_be_missing(missing: str) -> None:
    with pytest.raises(TypeError, match=missing):
        Variant(**{field: getattr(postal, field) for field in NEEDED if field != missing})


def test_a_form_that_was_not_touched_shows_nothing() -> None:
    assert Controls() == Controls({}, {}, passed=False)
    assert Controls().chosen is not Controls().chosen


@pytest.mark.parametrize(
    "value",
    [
        Result({"Anna": 23, "Bert": 7}, {"Anna": 1, "Bert": 2}),
        FormOrders("1x1>A HA", ("to_1_1", "pre_end")),
        Controls({"to_1_1": "A"}, {"pre_end": ("HA",)}, passed=False),
    ],
)
def test_what_is_kept_comes_back_as_it_was(value: msgspec.Struct) -> None:
    stored = msgspec.json.encode(value)
    assert msgspec.json.decode(stored, type=type(value)) == value


@pytest.mark.parametrize(
    "value",
    [Result({}, {}), Step(Harvest("A"), (Absent("Cem"),), Farm()), Controls(), FormOrders("", ())],
)
def test_none_of_them_ever_changes(value: msgspec.Struct) -> None:
    with pytest.raises(AttributeError):
        setattr(value, value.__struct_fields__[0], None)
