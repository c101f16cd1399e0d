"""Game masters come and go: who is let go enters no more, and no game is without one."""

import json
from typing import Any

import pytest

from gm import clock, store
from gm.errors import Refusal
from gm.games import lead
from gm.installation import Installation
from gm.mail import queue
from gm.people import accounts, joining, masters
from gm.store.db import Database, write
from gm.store.games import Game
from tests.steps import bohnenpost, dump_of, press, seat_game, sign_in, words

ULI, OLA = "uli@example.org", "ola@example.org"


@pytest.fixture
def ola(installation: Installation, db: Database) -> Any:
    """The host, signed in; she leads no game."""
    accounts.add_gm(db, OLA, "Ola", "en", clock.now(), host=True)
    return sign_in(installation, db, OLA, "Ola")


def remove(web: Any, address: str = ULI, **more: str) -> Any:
    return press(web, "/desk/masters", ("remove", address), *({"confirm": address} | more).items())


def test_who_is_let_go_has_no_session_and_no_link(
    installation: Installation, ackerwinde: Game, ola: Any, db: Database
) -> None:
    uli = sign_in(installation, db)
    made = accounts.add_gm(db, ULI, None, None, clock.now())
    link = installation.path("password", who=made.address, number=made.link_number)
    masters.add_master(db, "ackerwinde", OLA)
    assert remove(ola).status_code == 303
    assert uli.get("/desk").status_code == 303
    assert uli.get(link).status_code == 404
    assert (
        press(
            uli, "/desk/sign-in", ("address", ULI), ("password", "correct horse battery")
        ).status_code
        == 403
    )
    assert store.games.masters(db, "ackerwinde") == [OLA]
    game = store.games.existing(db, "ackerwinde")
    assert (game.gm_address, game.gm_name) == (OLA, "Ola")  # players' answers go to who is left


def test_who_comes_back_is_opened_nothing_by_a_link_of_before(
    installation: Installation, ola: Any, db: Database
) -> None:
    made = accounts.add_gm(db, ULI, "Uli", "en", clock.now())
    link = installation.path("password", who=made.address, number=made.link_number)
    assert press(ola, link, ("password", "correct horse battery")).status_code == 303
    masters.remove_gm(db, ULI)
    accounts.add_gm(db, ULI, "Uli", "en", clock.now())
    assert ola.get(link).status_code == 404


def test_games_keep_a_master(
    installation: Installation, ackerwinde: Game, ola: Any, db: Database
) -> None:
    sign_in(installation, db)
    refused = remove(ola)
    assert refused.status_code == 422
    assert "name another one who leads them from now on: ackerwinde" in words(refused)
    assert store.games.masters(db, "ackerwinde") == [ULI]
    for heir in ("nobody@example.org", ULI):
        assert remove(ola, heir=heir).status_code == 422
    assert remove(ola, heir=OLA).status_code == 303
    assert store.games.masters(db, "ackerwinde") == [OLA]


def test_letting_go_is_confirmed_and_hosts_stay(
    installation: Installation, ackerwinde: Game, ola: Any, db: Database
) -> None:
    sign_in(installation, db)
    assert "type “uli@example.org”" in words(remove(ola, confirm="uli", heir=OLA))
    for spelled in (OLA, OLA.upper()):
        assert "only a command takes that away" in words(remove(ola, spelled))
    assert {master.address for master in masters.leaders(db)} == {ULI, OLA}


def test_only_the_host_finds_the_page(
    installation: Installation, ackerwinde: Game, ola: Any, db: Database
) -> None:
    uli = sign_in(installation, db)
    assert "leads ackerwinde" in words(ola.get("/desk/masters"))
    assert 'href="/desk/masters' in ola.get("/desk").get_data(as_text=True)
    assert uli.get("/desk/masters").status_code == 404
    assert remove(uli, OLA).status_code == 404
    assert "/desk/masters" not in uli.get("/desk").get_data(as_text=True)


def test_from_a_shell(installation: Installation, ackerwinde: Game, db: Database) -> None:
    def shell(*words: str, status: int = 0) -> Any:
        return bohnenpost(*words, home=installation.home, status=status)

    shell("gm", "add", OLA, "--name", "Ola", "--host")
    assert "Ola, host, no password yet" in shell("gm", "list").output
    lines = [json.loads(line) for line in shell("gm", "list", "--json").output.splitlines()]
    assert [(line["address"], line["host"], line["games"]) for line in lines] == [
        (OLA, True, []),
        (ULI, False, ["ackerwinde"]),
    ]
    shell("gm", "remove", ULI, status=2)
    assert "leads ackerwinde" in shell("gm", "remove", ULI, "--heir", OLA).output
    shell("gm", "remove", ULI, status=2)  # gone already
    assert store.games.masters(db, "ackerwinde") == [OLA]


def test_what_waits_for_who_was_let_go_is_not_sent(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    masters.add_master(db, "ackerwinde", OLA)
    with write(db):
        queue.put_alarm(db, "ackerwinde", 1, clock.now())
    assert masters.remove_master(db, "ackerwinde", ULI)
    sql = "SELECT address FROM mail WHERE kind = 'alarm' AND withdrawn_at IS NULL"
    assert [address for (address,) in db.execute(sql)] == [OLA]


def test_a_standby_address_is_seen_by_who_entered_it(
    installation: Installation, ackerwinde: Game, ola: Any, db: Database
) -> None:
    uli = sign_in(installation, db)
    mine = (("name", "Dörte"), ("address", "doerte@example.org"), ("language", "de"))
    assert press(uli, "/desk/standby", *mine).status_code == 303
    # of nobody: by a command, or by themselves
    joining.stand_by(db, "emil@example.org", "Emil", "de", clock.now())
    assert "doerte@example.org" in words(uli.get("/desk"))
    assert "doerte@example.org" not in words(ola.get("/desk"))
    assert all("emil@example.org" in words(web.get("/desk")) for web in (uli, ola))
    press(ola, "/desk/standby", ("remove", "doerte@example.org"))
    assert "doerte@example.org" in words(uli.get("/desk"))
    masters.remove_gm(db, ULI, OLA)
    assert "doerte@example.org" not in "\n".join(dump_of(db))


def test_who_leads_a_game_from_now_on_and_who_does_not_any_more_are_notes_of_it(
    installation: Installation, ackerwinde: Game, ola: Any, db: Database
) -> None:
    sign_in(installation, db)
    assert masters.remove_gm(db, ULI, OLA) == ["ackerwinde"]
    assert [(note.kind, note.who) for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        ("no_master", "Uli"),
        ("master", "Ola"),
    ]


def test_an_address_that_leads_nothing_is_named(db: Database, installation: Installation) -> None:
    seat_game(installation)
    with pytest.raises(Refusal, match="no_master"):
        masters.remove_gm(db, "nobody@example.org")


def test_a_game_that_was_ended_early_stays_on_the_lists(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    lead.abort(db, "ackerwinde", "a bad start", clock.now())
    assert lead.archive(db, "ackerwinde", clock.now())
    assert "Ackerwinde ended early" in words(web.get("/?lang=en"))
    assert [game["game"] for game in web.get("/api/v1/games").json["games"]] == ["ackerwinde"]
    seat_game(installation, "beinwell")
    with write(db):
        db.execute("UPDATE game SET status = 'finished' WHERE id = 'beinwell'")
    lead.archive(db, "beinwell", clock.now())
    assert "Beinwell" not in words(web.get("/?lang=en"))
