"""What a restore brings back, as a table: `restored.txt` says how it reads."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gm import clock, store
from gm.errors import Refusal
from gm.installation import Installation, open_installation
from gm.people import accounts, masters, seating
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.notes import OwnNotes
from gm.web import create_app
from tests.steps import PASSWORD, bohnenpost, file_of, order, seat, sign_in

ROWS = [
    line.split(" | ")
    for line in Path(__file__).with_name("restored.txt").read_text(encoding="utf-8").splitlines()
    if line.count(" | ") == 4
]
GAME = "ackerwinde"


def renew(db: Database, of: Installation) -> None:
    seating.renew_link(db, of.link_key, GAME, "Anna", clock.now())


def move(db: Database, of: Installation) -> None:
    seating.change_address(db, of.link_key, GAME, "Anna", "new@example.org", clock.now())


def replace(db: Database, of: Installation) -> None:
    who = ("--player", "Eve", "--address", "eve@example.org", "--keep-orders")
    bohnenpost("game", "replace", GAME, "Bert", *who, home=of.home)


def let_go(db: Database, of: Installation) -> None:
    accounts.add_gm(db, "ola@example.org", "Ola", "de", clock.now())
    masters.add_master(db, GAME, "ola@example.org")
    masters.remove_gm(db, "uli@example.org")


def set_password(db: Database, of: Installation) -> None:
    vera = accounts.add_gm(db, "vera@example.org", None, None, clock.now())
    accounts.set_password(db, vera, "another horse battery", clock.now())


def without(*statements: str) -> Callable[[Database, Installation], None]:
    def lose(db: Database, of: Installation) -> None:
        with write(db):
            for statement in statements:
                db.execute(statement)

    return lose


def start_anew(db: Database, of: Installation) -> None:
    file_of(of).unlink()
    open_installation(of.home, {}, create=True)


HAPPENS: dict[str, Callable[[Database, Installation], object]] = {
    "nothing": lambda db, of: None,
    "Anna's link is renewed": renew,
    "Anna gets another address": move,
    "Anna leaves": lambda db, of: seating.forget(db, seat(db), clock.now()),
    "Bert is replaced by Eve": replace,
    "Uli is let go, and Ola leads": let_go,
    "Vera leads too": lambda db, of: masters.add_master(db, GAME, "vera@example.org"),
    "Vera sets another password": set_password,
    "the game cannot be read any more": without(
        "UPDATE game SET rule = replace(rule, 'Berlin', 'Atlantis')"
    ),
    "it is lost who leads": without("DELETE FROM session", "DELETE FROM game_gm"),
    "all accounts are lost": without("DELETE FROM session", "DELETE FROM gm"),
    "an empty installation is in its place": start_anew,
    "the file is ruined": lambda db, of: file_of(of).write_bytes(b"ruined" * 1000),
    "the file is gone": lambda db, of: file_of(of).unlink(),
}


def has(db: Database, before: dict[str, str | None]) -> list[str]:
    """Who has the seats, what Anna reads, who leads, who signs in."""
    seats = store.seats.of_game(db, GAME)
    named = [
        "-"
        if not one.address
        else one.name
        if one.address == before[one.name]
        else f"{one.name} at {one.address}"
        for one in seats
    ]
    anna, lists = seats[0], store.lists.revisions(db, GAME, 1, 1)
    reads = {any(one.is_of(anna) for one in lists), store.notes.own_notes(db, anna) is not None}
    leads = [address.partition("@")[0].capitalize() for address in store.games.masters(db, GAME)]
    enters = []
    for name in ("Uli", "Vera", "Ola"):
        with suppress(Refusal):
            accounts.sign_in(db, f"{name.lower()}@example.org", PASSWORD, "::1", clock.now())
            enters.append(name)
    told = "half" if len(reads) > 1 else "hers" if reads == {True} else "nobody's"
    return [", ".join(named), told, ", ".join(leads), ", ".join(enters)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_restored_service_has_what_the_table_says(
    installation: Installation, ackerwinde: Game, db: Database, tmp_path: Path, row: list[str]
) -> None:
    desks = [sign_in(installation, db, f"{name}@example.org") for name in ("uli", "vera")]
    order(db)
    with write(db):
        store.notes.set_own_notes(db, OwnNotes(GAME, 1, "mine", clock.now()))
    before = {one.name: one.address for one in store.seats.of_game(db, GAME)}
    bohnenpost("backup", tmp_path / "copy.db", home=installation.home)
    for act in row[0].split(", and then "):
        HAPPENS[act](db, installation)
    db.close()
    said = bohnenpost("restore", tmp_path / "copy.db", "--yes", home=installation.home).output
    with installation.connection() as now:
        assert has(now, before) == row[1:]
        seats = store.seats.of_game(now, GAME)
    assert ("cannot be read" in said) == row[0].endswith(("ruined", "gone"))
    web = create_app(installation).test_client()
    for one in seats:
        assert (f"plays {one.name} in" in said) == (not one.address)
        links = {n: installation.path("seat", GAME, one.name, n) for n in (1, 2, 3, clock.now())}
        opened = [number for number, link in links.items() if web.get(link).status_code == 200]
        assert opened == ([clock.now()] if one.address else []), one.name
    assert {desk.get("/desk").status_code for desk in desks} == {303}
