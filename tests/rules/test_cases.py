"""Every rule case of every variant holds; and a case that does not hold says what differs."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from gm import seeds
from gm.cli.records import cases_in
from rounds.engine.cases import Case
from rounds.engine.variant import Variant, names
from rounds.postal import variant as postal
from tests.postal_tables import DECK


def cases() -> list[Any]:
    found: list[Any] = []
    for name in names():
        for file in seeds.case_files(name):
            found += [
                pytest.param(variant, case, id=f"{name}:{file.stem}:{case.id}")
                for variant, case in cases_in(file, name)
            ]
    return found


@pytest.mark.parametrize(("variant", "case"), cases())
def test_the_case_holds(variant: Variant, case: Case) -> None:
    assert variant.cases is not None
    failure = variant.cases.check(case, seeds.deck(variant.name))
    assert failure is None, "\n".join(
        (
            "before",
            failure.before,
            "orders",
            failure.orders,
            "after",
            failure.after,
            *failure.differences,
        )
    )


def wrong(case: Case) -> Iterator[tuple[str, Case]]:
    """The case with one of its expectations turned into another, and which."""
    for key, value in case.body.items():
        if key == "expect":
            for inner in value:
                yield (
                    inner,
                    replace(case, body={**case.body, "expect": {**value, inner: "something else"}}),
                )
        elif key in (
            "next_row",
            "next_discard",
            "discard_after",
            "final",
            "ranks",
            "deck_after_deal",
        ):
            yield key, replace(case, body={**case.body, key: ["something", "else"]})
        elif key == "rounds":
            for number, played in enumerate(value):
                for inner in played.keys() & {"next_row", "row"}:
                    rounds = [*value[:number], {**played, inner: "bush*9"}, *value[number + 1 :]]
                    yield (
                        f"round {number + 1}: {inner}",
                        replace(case, body={**case.body, "rounds": rounds}),
                    )


def test_every_expectation_counts() -> None:
    tried = 0
    for variant, case in (parameter.values for parameter in cases()):
        for key, other in wrong(case):
            if "talers_by_count" in key or case.body.get("kind") == "yield":
                continue
            failure = variant.cases.check(other, seeds.deck(variant.name))
            assert failure is not None, (case.id, key)
            assert any(line.startswith(key) for line in failure.differences), (
                case.id,
                key,
                failure.differences,
            )
            tried += 1
    assert tried > 500


@pytest.mark.parametrize(("name", "least"), [("postal", 90), ("duel", 120)])
def test_no_two_cases_share_an_id(name: str, least: int) -> None:
    ids = [case.id for file in seeds.case_files(name) for _, case in cases_in(file, name)]
    assert len(ids) == len(set(ids)) >= least


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        (
            {"after": {"Anna": "bush*2 - - 0"}},
            "after: expected Anna: bush*2 - - 0, found Anna: bush - - 0",
        ),
        ({"discard_after": "bush"}, "discard_after: expected bush, found magic"),
        ({"refused": {"Anna": "1 ORDER"}}, "refused: expected Anna: 1 ORDER, found Anna: nothing"),
        ({"orders": {"Anna": "1 1"}}, "refused of Anna: nothing expected, found 2 COUNT"),
    ],
)
def test_a_case_that_does_not_hold_names_the_difference(
    changed: dict[str, object], difference: str
) -> None:
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
