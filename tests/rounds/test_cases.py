"""Every rule case of every variant holds; and a case that does not hold says what differs."""

from typing import Any

import pytest

from gm import seeds
from gm.cli.records import cases_in
from rounds.postal import variant as postal
from rounds.variant import Case, Variant, names
from tests.house import DECK


def cases() -> list[Any]:
    found: list[Any] = []
    for name in names():
        for file in seeds.case_files(name):
            found += [pytest.param(variant, case, id=f"{name}:{file.stem}:{case.id}") for variant, case in cases_in(file, name)]
    return found


@pytest.mark.parametrize(("variant", "case"), cases())
def test_the_case_holds(variant: Variant, case: Case) -> None:
    assert variant.cases is not None
    failure = variant.cases.check(case, seeds.deck(variant.name))
    assert failure is None, "\n".join(
        ("before", failure.before, "orders", failure.orders, "after", failure.after, *failure.differences)
    )


@pytest.mark.parametrize(("name", "least"), [("postal", 90), ("duel", 120)])
def test_no_two_cases_share_an_id(name: str, least: int) -> None:
    ids = [case.id for file in seeds.case_files(name) for _, case in cases_in(file, name)]
    assert len(ids) == len(set(ids)) >= least


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
