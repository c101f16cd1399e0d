"""Every rule case of every variant holds; and a case that does not hold says what differs."""

from typing import Any

import pytest

from gm import seeds
from rounds.postal import variant as postal
from rounds.variant import Case, Variant, find, names
from tests.house import DECK


def cases() -> list[Any]:
    found: list[Any] = []
    for variant in map(find, names()):
        for file in seeds.case_files(variant.name):
            assert variant.cases is not None
            read = variant.cases.read(seeds.load(file))
            found += [pytest.param(variant, case, id=f"{file.stem}:{case.id}") for case in read]
    return found


@pytest.mark.parametrize(("variant", "case"), cases())
def test_the_case_holds(variant: Variant, case: Case) -> None:
    assert variant.cases is not None
    failure = variant.cases.check(case, seeds.deck(variant.name))
    assert failure is None, "\n".join(
        ("before", failure.before, "orders", failure.orders, "after", failure.after, *failure.differences)
    )


def test_no_two_cases_share_an_id() -> None:
    assert postal.cases is not None
    ids = [case.id for file in seeds.case_files("postal") for case in postal.cases.read(seeds.load(file))]
    assert len(ids) == len(set(ids)) >= 90


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ({"after": {"Anna": "bush*2 - - 0"}}, "after: expected Anna: bush*2 - - 0, found Anna: bush - - 0"),
        ({"discard_after": "bush"}, "discard_after: expected bush, found magic"),
        ({"refused": {"Anna": "1 ORDER"}}, "refused: expected Anna: 1 ORDER, found Anna: nothing"),
        ({"orders": {"Anna": "1 1"}}, "refused of Anna: nothing expected, found 2 COUNT"),
    ],
)
def test_a_case_that_does_not_hold_names_the_difference(changed: dict[str, object], difference: str) -> None:
    body: dict[str, object] = {
        "row": "bush magic",
        "farms": {"Anna": "- - - 0"},
        "orders": {"Anna": "1"},
        "after": {"Anna": "bush - - 0"},
    }
    assert postal.cases is not None
    good = Case("X.1", "a title", "a reason", (), body)
    assert postal.cases.check(good, DECK) is None
    failure = postal.cases.check(Case("X.1", "a title", "a reason", (), body | changed), DECK)
    assert failure is not None
    assert difference in failure.differences
    assert "bush magic" in failure.before
