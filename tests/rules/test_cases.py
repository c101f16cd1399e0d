"""Every rule case of every variant holds; and a case that does not hold says what differs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from gm import seeds
from gm.paths import SEEDS
from rounds.engine.variant import names
from tests.cases import Case
from tests.cases.__main__ import main
from tests.cases.files import OF_GAME, case_files, cases_in
from tests.postal_tables import DECK


def cases() -> list[Any]:
    found: list[Any] = []
    for name in names():
        for file in case_files(name):
            found += [
                pytest.param(game, case, id=f"{name}:{file.stem}:{case.id}")
                for game, case in cases_in(file, name)
            ]
    return found


@pytest.mark.parametrize(("game", "case"), cases())
def test_the_case_holds(game: str, case: Case) -> None:
    failure = OF_GAME[game].check(case, seeds.deck(game))
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


@pytest.mark.everything
def test_every_expectation_counts() -> None:
    tried = 0
    for game, case in (parameter.values for parameter in cases()):
        for key, other in wrong(case):
            if "talers_by_count" in key or case.body.get("kind") == "yield":
                continue
            failure = OF_GAME[game].check(other, seeds.deck(game))
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
    ids = [case.id for file in case_files(name) for _, case in cases_in(file, name)]
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
    good = Case("X.1", "a title", "a reason", (), body)
    assert OF_GAME["postal"].check(good, DECK) is None
    failure = OF_GAME["postal"].check(Case("X.1", "a title", "a reason", (), body | changed), DECK)
    assert failure is not None
    assert difference in failure.differences
    assert "bush magic" in failure.before


def run(*files: Path, status: int = 0) -> str:
    """What `python -m tests.cases` says."""
    result = CliRunner().invoke(main, [str(file) for file in files])
    assert result.exit_code == status, result.output
    return result.output


def test_the_cases_of_a_file_are_run_alone() -> None:
    assert "cases, all hold" in run(SEEDS / "postal" / "cases" / "deal.toml")


def test_a_case_that_fails_says_what_differs(tmp_path: Path) -> None:
    exchange = {
        "schema": "bohnenpost-postal-cases/1",
        "varieties": {},
        "cases": [
            {
                "id": "X.1",
                "title": "A wrong one",
                "kind": "round",
                "options": {},
                "rests_on": "nothing",
                "rulings": [],
                "given": {
                    "row": [["bush", 1], ["magic", 2]],
                    "discard": ["mung"],
                    "players": {"Anna": {"fields": [None, None, None], "talers": 0}},
                },
                "orders": {"Anna": [{"op": "plant", "pos": 2, "n": 1}]},
                "expect": {
                    "players": {
                        "Anna": {"fields": [["magic", 2], None, None], "talers": 0, "errors": []}
                    }
                },
            }
        ],
    }
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(exchange), encoding="utf-8")
    out = run(file, status=1)
    for line in (
        "X.1 A wrong one",
        "row        bush magic*2",
        "Anna: 2x1",
        "after: expected Anna: magic*2 - - 0, found Anna: magic - - 0",
        "not all hold",
    ):
        assert line in out
    exchange["cases"][0]["expect"]["players"]["Anna"]["fields"] = [["magic", 1], None, None]  # type: ignore[index]
    file.write_text(json.dumps(exchange), encoding="utf-8")
    assert run(file) == "1 case, all hold\n"


@pytest.mark.parametrize(
    "content",
    [
        '{"schema": "other/1", "cases": []}',
        "[]",
        "{",
        '{"schema": "bohnenpost-postal-cases/1", "cases": [{"id": "A"}]}',
    ],
)
def test_a_file_that_holds_no_cases_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "cases.json"
    file.write_text(content, encoding="utf-8")
    assert "not readable as rule cases" in run(file, status=1)


def test_odd_files_give_one_line_and_no_traceback(tmp_path: Path) -> None:
    assert "No such file" in run(tmp_path / "none.toml", status=1)
    file = tmp_path / "odd.toml"
    file.write_text('[[case]]\nid = "X"\ntitle = "t"\nreason = "r"\nkind = "deal"\ndeck = ["bush"]')
    assert "case X" in run(file, status=1)
    file.write_text("case = []")
    assert "0 cases" in run(file)
