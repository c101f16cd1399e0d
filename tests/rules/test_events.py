"""Events as they are stored: what old installations wrote must be read for ever, and a program
finds every value by name.
"""

from typing import Any, get_args

import msgspec
import pytest

from rounds.engine.events import Absent, Ranked
from rounds.family.events import FinalHarvest, Harvested
from rounds.postal.events import AnyEvent, Cascaded, Discarded, Planted, Plowed, Revealed

STORED: list[tuple[AnyEvent, str]] = [
    (Absent("Cem"), '["absent","Cem"]'),
    (Planted("Anna", 3, "climbing", 2, 3, "C", 5), '["planted","Anna",3,"climbing",2,3,"C",5]'),
    (Harvested("Anna", "A", "bush", 8, 4), '["harvested","Anna","A","bush",8,4]'),
    (Plowed("Anna", "B", "magic", 2, 3), '["plowed","Anna","B","magic",2,3]'),
    (Discarded(("bush", "snap")), '["discarded",["bush","snap"]]'),
    (Discarded(()), '["discarded",[]]'),
    (Revealed(10, ("bush", "snap")), '["revealed",10,["bush","snap"]]'),
    (Cascaded("bush", 1), '["cascaded","bush",1]'),
    (FinalHarvest("Dörte", "C", "snap", 2, 0), '["final_harvest","Dörte","C","snap",2,0]'),
    (Ranked("Dörte", 1, 23), '["ranked","Dörte",1,23]'),
]


@pytest.mark.parametrize(("event", "stored"), STORED)
def test_an_event_is_stored_as_its_name_and_its_values_in_order(
    event: AnyEvent, stored: str
) -> None:
    assert msgspec.json.encode(event).decode() == stored


@pytest.mark.parametrize(("event", "stored"), STORED)
def test_what_was_stored_is_read_again(event: AnyEvent, stored: str) -> None:
    assert msgspec.json.decode(stored, type=AnyEvent) == event


def test_every_kind_of_event_stands_in_the_table_above() -> None:
    assert {type(event) for event, _ in STORED} == set(get_args(AnyEvent))


@pytest.mark.parametrize(
    ("event", "named"),
    [
        (Absent("Cem"), {"event": "absent", "seat": "Cem"}),
        (Cascaded("bush", 4), {"event": "cascaded", "variety": "bush", "position": 4}),
        (Revealed(1, ("snap",)), {"event": "revealed", "round": 1, "cards": ("snap",)}),
        (
            Planted("Anna", 3, "bush", 1, 2, "A", 4),
            {
                "event": "planted",
                "seat": "Anna",
                "position": 3,
                "variety": "bush",
                "cards": 1,
                "lying": 2,
                "field": "A",
                "beans": 4,
            },
        ),
    ],
)
def test_a_program_finds_every_value_by_its_name(event: AnyEvent, named: dict[str, Any]) -> None:
    assert event.named == named
    assert next(iter(event.named)) == "event"


@pytest.mark.parametrize(
    "stored",
    [
        '["exploded","Anna"]',
        '["absent"]',
        '["absent",7]',
        '["planted","Anna",3,"climbing",2,3,"C"]',
        '["harvested","Anna","A","bush","8",4]',
        '["discarded","bush"]',
        "[]",
        '{"seat":"Anna"}',
    ],
)
def test_a_damaged_event_is_not_read(stored: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(stored, type=AnyEvent)


def test_a_value_that_a_later_version_added_behind_is_passed_over() -> None:
    assert msgspec.json.decode('["absent","Cem","because of snow"]', type=AnyEvent) == Absent("Cem")


def test_an_event_never_changes() -> None:
    with pytest.raises(AttributeError):
        Absent("Cem").seat = "Anna"  # type: ignore[misc]
