"""Games as rows: which are listed, in which order, who leads them, and what is read of one that
is damaged.
"""

from typing import Any

import pytest

from gm import store
from gm.clock import DAY
from gm.errors import Refusal
from gm.installation import Installation
from gm.store.db import Database, write
from gm.store.games import Game, WorkState
from tests.dates import SUNDAY
from tests.steps import garble, seat_game, start

ULI, OLA = "uli@example.org", "ola@example.org"


@pytest.fixture
def three(installation: Installation, db: Database) -> None:
    """`ackerwinde` is open, `beinwell` and `dost` run; `dost` is due first."""
    for game in ("ackerwinde", "beinwell", "dost"):
        seat_game(installation, game)
    for game in ("beinwell", "dost"):
        start(installation, game)
    change(db, "dost", deadline=SUNDAY - DAY)


def change(db: Database, game: str, **values: Any) -> None:
    with write(db):
        store.games.update(db, game, values)


def ids(games: list[Game]) -> list[str]:
    return [game.id for game in games]


def test_running_games_come_first_by_deadline(three: None, db: Database) -> None:
    assert ids(store.games.all_games(db)) == ["dost", "beinwell", "ackerwinde"]
    assert ids(store.games.led_by(db, ULI)) == ["dost", "beinwell", "ackerwinde"]


def test_games_of_the_same_deadline_come_by_name(three: None, db: Database) -> None:
    change(db, "dost", deadline=SUNDAY, name="Augentrost")
    assert ids(store.games.all_games(db)) == ["dost", "beinwell", "ackerwinde"]
    change(db, "dost", name="Dost")
    assert ids(store.games.all_games(db)) == ["beinwell", "dost", "ackerwinde"]


def test_a_damaged_game_is_left_out_and_the_order_of_the_others_stays(
    three: None, db: Database
) -> None:
    garble(db, "game", "name", "CAST(x'ff' AS TEXT)", "id = 'dost'")
    assert (
        ids(store.games.all_games(db))
        == ids(store.games.led_by(db, ULI))
        == ["beinwell", "ackerwinde"]
    )


def test_why_a_game_cannot_be_read_is_said_and_nothing_of_sound_ones(
    three: None, db: Database
) -> None:
    assert store.games.unreadable(db) == {}
    garble(db, "game", "name", "CAST(x'ff' AS TEXT)", "id = 'dost'")
    (why,) = store.games.unreadable(db).values()
    assert "UTF-8" in why


def test_of_a_damaged_game_its_round_its_masters_and_its_state_are_read_all_the_same(
    three: None, db: Database
) -> None:
    garble(db, "game", "name", "CAST(x'ff' AS TEXT)", "id = 'dost'")
    assert store.games.round_number(db, "dost") == 1
    assert store.games.masters(db, "dost") == [ULI]
    assert store.games.ids_led_by(db, ULI) == ["ackerwinde", "beinwell", "dost"]
    assert store.games.running(db) == ("beinwell", "dost")
    assert store.games.work_state(db, "dost") == WorkState(
        "running", 1, SUNDAY - DAY, store.games.existing(db, "beinwell").sequence, 0, None
    )
    assert store.games.exist(db)


def test_the_language_of_a_master_is_german_where_the_row_names_none(
    three: None, db: Database
) -> None:
    change(db, "dost", gm_language="en")
    assert [store.games.gm_language(db, game) for game in ("dost", "beinwell")] == ["en", "de"]
    garble(db, "game", "gm_language", "'xx'", "id = 'dost'")
    assert store.games.gm_language(db, "dost") == "de"


def test_games_of_a_master_are_found_however_the_address_is_spelled(
    three: None, db: Database
) -> None:
    with write(db):
        store.games.add_master(db, "dost", OLA)
    assert ids(store.games.led_by(db, "Ola@Example.ORG")) == ["dost"]
    assert store.games.led_by(db, "nobody@example.org") == []


def test_who_leads_is_listed_by_address_with_their_games(three: None, db: Database) -> None:
    with write(db):
        store.games.add_master(db, "dost", OLA)
        store.accounts.add(
            db, {"address": "cem@example.org", "name": "Cem", "language": "de", "link_at": 0}
        )
    assert store.games.leading(db) == {
        "cem@example.org": [],
        OLA: ["dost"],
        ULI: ["ackerwinde", "beinwell", "dost"],
    }
    with write(db):
        store.games.remove_master(db, "dost", OLA)
    assert OLA not in store.games.leading(db)


def test_the_newest_game_of_a_master_is_the_one_made_last(three: None, db: Database) -> None:
    assert store.games.newest_id_led_by(db, ULI) == "ackerwinde"  # made in the same second
    change(db, "beinwell", created_at=SUNDAY)
    assert store.games.newest_id_led_by(db, ULI) == "beinwell"
    assert store.games.newest_id_led_by(db, OLA) is None


def test_players_answer_to_another_master_in_games_that_are_not_over(
    three: None, db: Database
) -> None:
    change(db, "dost", status="finished", deadline=None)
    change(db, "beinwell", gm_address="ULI@example.org")
    with write(db):
        store.games.answers_to_other_master(db, "beinwell", ULI, OLA, None)
        store.games.answers_to_other_master(db, "ackerwinde", ULI, OLA, "Ola")
        store.games.answers_to_other_master(db, "dost", ULI, OLA, "Ola")
    found = {game.id: (game.gm_address, game.gm_name) for game in store.games.all_games(db)}
    assert found == {"ackerwinde": (OLA, "Ola"), "beinwell": (OLA, "Uli"), "dost": (ULI, "Uli")}


def test_the_highest_link_number_is_that_of_a_seat_or_of_one_given_up_and_never_falls(
    three: None, db: Database
) -> None:
    with write(db):
        store.games.raise_links_given(db, "ackerwinde", 5)
        store.games.raise_links_given(db, "ackerwinde", 3)
        store.seats.update(db, "dost", 2, {"link_number": 4})
    assert store.games.links_given(db) == {"ackerwinde": 5, "beinwell": 1, "dost": 4}


def test_only_games_that_run_are_paused_where_they_stand(three: None, db: Database) -> None:
    with write(db):
        store.games.pause_running(db, SUNDAY)
    found = {game.id: (game.status, game.paused_at) for game in store.games.all_games(db)}
    assert found == {
        "ackerwinde": ("open", None),
        "beinwell": ("paused", SUNDAY),
        "dost": ("paused", SUNDAY),
    }
    assert store.games.running(db) == ()
    assert not store.games.existing(db, "dost").is_open


def test_a_game_that_is_over_waits_for_its_verdict_once(three: None, db: Database) -> None:
    assert (store.games.next_to_settle(db), store.games.finished(db)) == (None, set())
    change(db, "dost", status="finished", deadline=None)
    assert (store.games.next_to_settle(db), store.games.finished(db)) == ("dost", {"dost"})
    change(db, "dost", verdict="fine")
    assert (store.games.next_to_settle(db), store.games.finished(db)) == (None, {"dost"})


def test_a_game_that_is_not_there_is_refused_naming_the_others(three: None, db: Database) -> None:
    with pytest.raises(Refusal, match="no_game") as refused:
        store.games.existing(db, "distel")
    assert refused.value.values["others"] == ["dost", "beinwell", "ackerwinde"]
    assert store.games.get(db, "distel") is None
    assert store.games.work_state(db, "distel") is None


def test_a_game_of_another_status_is_refused_with_the_one_it_has(three: None, db: Database) -> None:
    assert store.games.in_status(db, "dost", "running").id == "dost"
    with pytest.raises(Refusal, match="not_open") as refused:
        store.games.in_status(db, "dost", "open")
    assert refused.value.values["status"] == "running"


def test_a_listed_game_is_public_until_it_is_archived_unless_it_was_ended_early(
    three: None, db: Database
) -> None:
    assert store.games.existing(db, "dost").is_public
    change(db, "dost", archived_at=SUNDAY)
    assert not store.games.existing(db, "dost").is_public
    change(db, "dost", aborted=1)
    assert store.games.existing(db, "dost").is_public
    change(db, "dost", listed=0)
    assert not store.games.existing(db, "dost").is_public
