"""Records and `verify`: files of strangers. A refused file prints nothing of its own, and the
others are played.
"""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from gm import store
from gm.config import Config
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.paths import SEEDS
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.rules.prover import proven_game
from tests.steps import bohnenpost

GAMES = SEEDS / "postal" / "games"
PLAIN: dict[str, Any] = json.loads((GAMES / "wild.json").read_text(encoding="utf-8"))


def refused(tmp_path: Path, content: bytes | dict[str, Any], *, status: int = 1) -> str:
    """What `replay` says of the file on stderr; the files around it are played, and nothing of
    this one is printed.
    """
    file = tmp_path / "bad.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    result = bohnenpost(
        "replay", GAMES / "alone.json", file, GAMES / "robots.json", "--json", status=status
    )
    assert [json.loads(line)["game"] for line in result.stdout.splitlines()] == ["alone", "robots"]
    assert "bad.json" in result.stderr
    return result.stderr


def changed(**values: Any) -> dict[str, Any]:
    return copy.deepcopy(PLAIN) | values


def with_orders(number: int, seat: str, orders: Any) -> dict[str, Any]:
    record = copy.deepcopy(PLAIN)
    record["rounds"][number - 1]["orders"][seat] = orders
    return record


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (json.dumps(PLAIN).encode()[:-9], "line 1, column"),
        (b"\x00\x01\x02", "line 1, column 1"),
        (b"\xff\xfe", "byte 0"),
        (b" " * (16 * 2**20 + 1), "at most 16777216 are read"),
    ],
    ids=["empty", "cut", "binary", "no UTF-8", "too large"],
)
def test_what_is_no_record_says_where(tmp_path: Path, content: bytes, said: str) -> None:
    assert said in refused(tmp_path, content)


def test_a_folder_is_a_wrong_call(tmp_path: Path) -> None:
    assert "directory" in bohnenpost("replay", tmp_path, status=2).output


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (changed(format="bohnenpost/2"), "bohnenpost/2"),
        (changed(variant="chess"), "chess"),
        (changed(colour="blue"), "colour"),
        (
            json.dumps(PLAIN).replace('"variant"', '"format": "x", "variant"').encode(),
            "'format' is there twice",
        ),
    ],
)
def test_an_unknown_format_variant_or_key_is_named(tmp_path: Path, record: Any, said: str) -> None:
    assert said in refused(tmp_path, record)


DECK: list[str] = PLAIN["deck"]


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        (DECK[:99], "deck"),
        ([*DECK, "snap"], "snap"),
        (["princess" if card == "snap" else card for card in DECK[:50]] + DECK[50:], "princess"),
        (["Busch", *DECK[1:]], "Busch"),
    ],
)
def test_a_deck_that_is_not_ours_says_what_is_wrong_with_it(
    tmp_path: Path, deck: list[str], said: str
) -> None:
    assert said in refused(tmp_path, changed(deck=deck))


def test_exactly_one_of_deck_and_fairness(tmp_path: Path) -> None:
    both = changed(fairness=proven_game(1)["fairness"])
    assert "deck and fairness" in refused(tmp_path, both)
    neither = changed()
    del neither["deck"]
    assert "no deck" in refused(tmp_path, neither)


def test_a_game_that_is_not_over_cannot_be_replayed_or_checked(tmp_path: Path) -> None:
    record = proven_game(1)
    for key in ("secret", "end"):
        record["fairness"].pop(key, None)
    assert "not over" in refused(tmp_path, record)
    bohnenpost("verify", tmp_path / "bad.json", status=3)


def seats(*names: str) -> dict[str, Any]:
    return changed(seats=list(names), rounds=[])


@pytest.mark.parametrize(
    "record",
    [
        seats(),
        seats("Anna", "Anna"),
        seats("Zoë", "Zoe\u0308"),
        with_orders(1, "Dörte", "pass"),
        changed(rounds=[{"orders": {}}]),
    ],
    ids=["none", "twice", "equal after composing", "orders of a stranger", "a seat left out"],
)
def test_seats_that_do_not_fit(tmp_path: Path, record: dict[str, Any]) -> None:
    assert refused(tmp_path, record)


@pytest.mark.parametrize("orders", ["", ["1"], 1, {}, True])
def test_orders_that_are_no_text_name_round_and_seat(tmp_path: Path, orders: Any) -> None:
    said = refused(tmp_path, with_orders(2, PLAIN["seats"][0], orders))
    assert PLAIN["seats"][0] in said or "rounds" in said


def test_null_is_an_nmr(tmp_path: Path) -> None:
    file = tmp_path / "good.json"
    file.write_text(json.dumps(with_orders(10, PLAIN["seats"][0], None)), encoding="utf-8")
    told = json.loads(bohnenpost("replay", file, "--json").stdout)
    assert told["rounds"][9]["farms"][PLAIN["seats"][0]]["absent"] is True


def test_an_illegal_order_is_named_with_file_round_seat_code_and_column(
    tmp_path: Path,
) -> None:
    said = refused(tmp_path, with_orders(7, "Anna", "pass 9"))
    for part in ("bad.json", "round 7", "Anna", "PASS", "column 1"):
        assert part in said


@pytest.mark.parametrize(
    "rules",
    [
        {"rounds": 9},
        {"rounds": 13},
        {"nmr_empty": "true"},
        {"rounds": 10.0},
        {"colour": "blue"},
        {"rounds": True},
    ],
)
def test_house_rules_that_are_none(tmp_path: Path, rules: dict[str, Any]) -> None:
    assert refused(tmp_path, changed(house_rules=PLAIN.get("house_rules", {}) | rules))


@pytest.mark.parametrize("name", ["a\x1b[31m", "x" * 41, "", " a", "a\nb", "a\u202eb"])
def test_seat_names_that_are_none(tmp_path: Path, name: str) -> None:
    said = refused(tmp_path, seats("Anna", name))
    assert "\x1b" not in said


def test_odd_names_are_escaped_in_json(tmp_path: Path) -> None:
    file = tmp_path / "good.json"
    names = ['<b>"Eve"</b>', "Dörte"]
    file.write_text(json.dumps(seats(*names)), encoding="utf-8")
    assert json.loads(bohnenpost("replay", file, "--json").stdout)["seats"] == names


def checked(tmp_path: Path, record: Any, status: int, *more: str) -> str:
    file = tmp_path / "record.json"
    file.write_text(
        record if isinstance(record, str) else json.dumps(record, ensure_ascii=False),
        encoding="utf-8",
    )
    before = file.read_bytes()
    said = bohnenpost("verify", file, *more, status=status).output
    assert file.read_bytes() == before
    return said


@pytest.fixture(scope="module")
def proven() -> dict[str, Any]:
    """A finished game with everything that proves it."""
    return proven_game(2)


def test_one_changed_value_is_not_proven_and_named(tmp_path: Path, proven: dict[str, Any]) -> None:
    assert "AGREES with itself only" in checked(tmp_path, proven, 4)
    for place in ("commitment", "secret"):
        record = copy.deepcopy(proven)
        value = record["fairness"][place]
        record["fairness"][place] = ("0" if value[0] != "0" else "1") + value[1:]
        assert "NOT PROVEN" in checked(tmp_path, record, 1)
    record = copy.deepcopy(proven)
    seat = record["seats"][0]
    record["rounds"][0]["orders"][seat] = (
        "pass" if record["rounds"][0]["orders"][seat] != "pass" else None
    )
    said = checked(tmp_path, record, 1)
    assert "NOT PROVEN" in said
    assert "round 1" in said


def test_rounds_missing_doubled_swapped_or_of_another_game(
    tmp_path: Path, proven: dict[str, Any]
) -> None:
    rounds, proofs = proven["rounds"], proven["fairness"]["rounds"]
    other = proven_game(3)["fairness"]["rounds"]
    for changed_rounds, changed_proofs in (
        (rounds[:-1], proofs[:-1]),
        ([rounds[0], *rounds], [proofs[0], *proofs]),
        ([rounds[1], rounds[0], *rounds[2:]], [proofs[1], proofs[0], *proofs[2:]]),
        (rounds, [other[0], *proofs[1:]]),
    ):
        record = copy.deepcopy(proven)
        record["rounds"], record["fairness"]["rounds"] = changed_rounds, changed_proofs
        assert "NOT PROVEN" in checked(tmp_path, record, 1)


def test_hex_and_phrases_are_written_in_one_way(tmp_path: Path, proven: dict[str, Any]) -> None:
    secret = proven["fairness"]["secret"]
    for bad in (secret[:-2], secret.upper()):
        record = copy.deepcopy(proven)
        record["fairness"]["secret"] = bad
        assert "PROVEN" in checked(tmp_path, record, 1)
    record = copy.deepcopy(proven)
    record["fairness"]["phrases"] = dict.fromkeys(record["seats"], "über")
    assert "NOT PROVEN" in checked(tmp_path, record, 1)


@pytest.mark.parametrize(("key", "value"), [("algorithm", "bohn-shuffle-9"), ("level", 7)])
def test_what_is_not_known_cannot_be_checked(
    tmp_path: Path, proven: dict[str, Any], key: str, value: Any
) -> None:
    record = copy.deepcopy(proven)
    record["fairness"][key] = value
    assert "CANNOT BE CHECKED" in checked(tmp_path, record, 3)


def test_a_plain_deck_or_another_variant_cannot_be_checked(
    tmp_path: Path, proven: dict[str, Any]
) -> None:
    assert "CANNOT BE CHECKED" in checked(tmp_path, PLAIN, 3)
    assert "CANNOT BE CHECKED" in checked(tmp_path, proven | {"variant": "chess"}, 3)


@pytest.mark.parametrize(
    "given",
    [
        ("--commitment", "a" * 63),
        ("--commitment", "x" * 64),
        ("--receipt", "3:Nobody=" + "a" * 63),
        ("--receipt", "Nobody"),
        ("--chain", "one=" + "a" * 64),
    ],
)
def test_what_is_given_to_check_against_must_be_whole(
    tmp_path: Path, proven: dict[str, Any], given: tuple[str, str]
) -> None:
    checked(tmp_path, proven, 2, *given)


def test_the_export_of_a_running_game_holds_nothing_secret(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    save_orders(db, ackerwinde, anna, "1>A")
    close_due(db, Config(), SUNDAY)
    with write(db):
        db.execute("UPDATE game SET deadline = ?", [SUNDAY + 10**6])
    game = store.games.get(db, "ackerwinde")
    assert game is not None
    save_orders(db, game, anna, "1>A")
    told = bohnenpost("export", "ackerwinde", home=installation.home).output
    record = json.loads(told)
    assert "deck" not in record
    assert not {"secret", "end"} & set(record["fairness"])
    assert len(record["rounds"]) == 1
    salts = [salt.hex() for (salt,) in db.execute("SELECT salt FROM revision")]
    secret = db.execute("SELECT secret FROM secret").fetchone()[0].hex()
    for hidden in (*salts, secret):
        assert hidden not in told
