"""A game's scripts are found by their folder: a copy of the service with one folder more checks
records of that game.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import gm
import rounds
from gm.paths import SEEDS, TEMPLATES
from rounds.engine.shuffle import Draw, master_key, setup_hash
from rounds.engine.verdict import NOT_PROVEN, PROVEN, UNCHECKED
from tests.rules.prover import as_bytes, canonical, enc, sha

pytestmark = pytest.mark.browser

RULES = """(function (global) {
  'use strict';
  const deck = [['pea', 3], ['lentil', 3]];
  function houseRules(given) {
    const rules = { stakes: 1, ...given };
    if (rules.stakes !== 1 || Object.keys(rules).length !== 1) throw new Error('house rules');
    return rules;
  }
  async function setUp(cards, rules, seats, chance) {
    const order = await chance('deck/main/0', cards.length), [turn] = await chance('first', seats.length);
    return { seats, turn, cards: order.map((n) => cards[n]), taken: 0 };
  }
  const awaited = (table) => (table.cards.length ? [table.seats[table.turn]] : []);
  const mayOrder = (table) => (table.cards.length && table.taken === 1 ? table.seats : []);
  function readOrders(table, seat, text) {
    if (!['take', 'leave'].includes(text)) throw new Error('word');
    return [text];
  }
  const writeOrders = (table, orders) => orders.join(' ');
  async function adjudicate({ seats, turn, cards: [top, ...rest], taken }, orders, chance) {
    const cards = rest.length === 3 ? (await chance('deck/main/1', 3)).map((n) => rest[n]) : rest;
    const takes = (orders[seats[turn]] || ['leave'])[0] === 'take';
    return [{ seats, turn: 1 - turn, cards, taken: taken + (takes ? 1 : 0) }, [top]];
  }
  const tell = (before, events, after) => ({ shown: events, by: before.seats[before.turn], left: after.cards.length });
  const game = { seats: [2, 2], deck, houseRules, setUp, awaited, mayOrder, readOrders, writeOrders, adjudicate, tell };
  (global.BohnenGames ??= Object.create(null)).pick = game;
})(window);
"""
"""Two in turn take the card that is shown or leave it; while one card is taken the other may
order too, for nothing.
"""
SEATS = ("Anna", "Bert")
WANTED = ("take", "leave", None, "take", "leave", "take")


def a_record() -> dict[str, Any]:
    """A whole game with its proofs. In three rounds who is not awaited may order too, and once
    does.
    """
    secret = bytes(range(32))
    setup = {
        "format": "bohnenpost-setup/2",
        "robots": [],
        "unconfirmed": [],
        "algorithm": "bohn-shuffle-1",
        "level": 1,
        "variant": "pick",
        "game": "erbse",
        "seats": list(SEATS),
        "house_rules": {"stakes": 1},
        "deck": [["pea", 3], ["lentil", 3]],
    }
    master = master_key("erbse", secret, setup_hash(setup), {})
    cards = [("pea", "lentil")[number // 3] for number in Draw(master, "deck/main/0").shuffle(6)]
    turn, _ = Draw(master, "first").shuffle(2)
    commitment = sha(enc("bohn1.commit", "erbse", secret))
    chain = sha(enc("bohn1.chain", sha(canonical(setup)), commitment))
    played, proofs = [], []
    for number, wanted in enumerate(WANTED, start=1):
        awaited, other = SEATS[turn], SEATS[1 - turn]
        lists = {awaited: wanted} | (
            {other: "leave" if number == 2 else None} if number in (2, 3, 4) else {}
        )
        receipts = {seat: receipt(number, seat, text) for seat, text in lists.items()}
        top, *cards = cards
        if len(cards) == 3:
            cards = [cards[place] for place in Draw(master, "deck/main/1").shuffle(3)]
        times = dict.fromkeys(("deadline", "closed"), "2026-11-20T19:00:00Z")
        link = {
            "shown": [top],
            "by": awaited,
            "left": len(cards),
            "round": number,
            "notes": [],
        } | times
        digests = {seat: used and used["receipt"] for seat, used in receipts.items()}
        chain = sha(enc("bohn1.chain", chain, canonical(link | {"receipts": digests})))
        played.append({"orders": lists})
        proofs.append({"receipts": receipts, "notes": [], "chain": chain.hex()} | times)
        turn = 1 - turn
    fairness = {
        "algorithm": "bohn-shuffle-1",
        "level": 1,
        "commitment": commitment.hex(),
        "secret": secret.hex(),
        "setup": setup,
        "end": "finished",
        "rounds": proofs,
    }
    return {
        "format": "bohnenpost/1",
        "variant": "pick",
        "game": "erbse",
        "seats": list(SEATS),
        "rounds": played,
        "fairness": fairness,
    }


def receipt(number: int, seat: str, text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    digest = sha(enc("bohn1.receipt", "erbse", str(number), seat, "1", bytes(16), text))
    return {"revision": 1, "salt": bytes(16).hex(), "receipt": digest.hex()}


def awaited_in(record: dict[str, Any], number: int) -> str:
    orders: dict[str, str | None] = record["rounds"][number - 1]["orders"]
    return next(iter(orders))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The check as one file, from a copy of the service with the folder of the made-up game."""
    copied = tmp_path_factory.mktemp("copy")
    for folder, name in (
        (gm.__path__[0], "gm"),
        (rounds.__path__[0], "rounds"),
        (TEMPLATES, "templates"),
        (SEEDS, "seeds"),
    ):
        shutil.copytree(folder, copied / name, ignore=shutil.ignore_patterns("__pycache__"))
    own = copied / "gm" / "web" / "static" / "pick"
    own.mkdir()
    (own / "verify.js").write_text(RULES, encoding="utf-8")
    code = "import sys; from gm.web.check_file import check_file; sys.stdout.reconfigure(encoding='utf-8'); print(check_file('en'))"
    environment = {**os.environ, "PYTHONPATH": str(copied)}
    made = subprocess.run(
        [sys.executable, "-c", code],
        cwd=copied,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    file = copied / "verify.html"
    file.write_bytes(made.stdout)
    return file


def verdict(page: Page, saved: Path, record: dict[str, Any]) -> dict[str, Any]:
    page.goto(saved.as_uri())
    proof = a_record()["fairness"]
    given: dict[str, Any] = {"commitment": proof["commitment"], "chains": []}
    if record["fairness"]["rounds"]:
        given["chains"] = [
            [len(record["fairness"]["rounds"]), record["fairness"]["rounds"][-1]["chain"]]
        ]
    found: dict[str, Any] = page.evaluate(
        "([r, given]) => BohnenVerify.verify(r, given)", [as_bytes(record).decode(), given]
    )
    return found


def test_a_game_is_proven_by_the_rules_in_its_folder(page: Page, saved: Path) -> None:
    found = verdict(page, saved, a_record())
    assert (found["verdict"], found["place"], found["reason"]) == (PROVEN, [], [])
    assert ["deck", "6, deck/main/0; 2, first"] in found["checks"]


def add_an_idle_list(record: dict[str, Any]) -> list[Any]:
    """In the first round the other seat may not order."""
    other = next(seat for seat in SEATS if seat != awaited_in(record, 1))
    record["rounds"][0]["orders"][other] = "leave"
    record["fairness"]["rounds"][0]["receipts"][other] = receipt(1, other, "leave")
    return ["orders", 1, other]


def drop_the_awaited_list(record: dict[str, Any]) -> list[Any]:
    del record["rounds"][1]["orders"][awaited_in(record, 2)]
    return ["round", 2]


def drop_the_list_of_who_may_order(record: dict[str, Any]) -> list[Any]:
    del record["rounds"][2]["orders"][next(seat for seat in SEATS if seat != awaited_in(record, 3))]
    return ["round", 3]


def end_it_early(record: dict[str, Any]) -> list[Any]:
    record["rounds"].pop()
    record["fairness"]["rounds"].pop()
    return ["end"]


def call_it_aborted(record: dict[str, Any]) -> list[Any]:
    record["fairness"]["end"] = "aborted"
    return ["end"]


def go_on_after_the_end(record: dict[str, Any]) -> list[Any]:
    record["rounds"].append(record["rounds"][0])
    record["fairness"]["rounds"].append(record["fairness"]["rounds"][0])
    return ["round", 7]


def seat_a_third(record: dict[str, Any]) -> list[Any]:
    record["seats"].append("Cem")
    record["fairness"]["setup"]["seats"].append("Cem")
    return ["setup", "seats"]


def misread_a_list(record: dict[str, Any]) -> list[Any]:
    seat = awaited_in(record, 1)
    record["rounds"][0]["orders"][seat] = "1>A"
    return ["orders", 1, seat]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (add_an_idle_list, "idle"),
        (drop_the_awaited_list, "seats"),
        (drop_the_list_of_who_may_order, "seats"),
        (end_it_early, "end"),
        (call_it_aborted, "end"),
        (go_on_after_the_end, "tooMany"),
        (seat_a_third, "setup"),
        (misread_a_list, "illegal"),
    ],
)
def test_what_the_rules_in_its_folder_forbid_is_found(
    page: Page, saved: Path, change: Callable[[dict[str, Any]], list[Any]], why: str
) -> None:
    record = a_record()
    place = change(record)
    found = verdict(page, saved, record)
    assert (found["verdict"], found["place"], found["reason"][0]) == (NOT_PROVEN, place, why)


@pytest.mark.parametrize("name", ["skat", "__proto__", "constructor"])
def test_a_game_without_a_folder_cannot_be_checked(page: Page, saved: Path, name: str) -> None:
    found = verdict(page, saved, a_record() | {"variant": name})
    assert (found["verdict"], found["reason"][0]) == (UNCHECKED, "unknown")
