"""Who leads which game: one more, one less, one who goes altogether; always noted, never without
a master.
"""

import pytest

from gm import clock, store
from gm.errors import Refusal
from gm.installation import Installation
from gm.people import accounts, masters
from gm.people.masters import Leader
from gm.store.accounts import Master
from gm.store.db import Database, write
from gm.store.games import Game
from tests.steps import seat_game

ULI, OLA = "uli@example.org", "ola@example.org"


def noted(db: Database, game: str = "ackerwinde") -> list[tuple[str, str | None]]:
    return [
        (note.kind, note.who)
        for note in store.notes.of_round(db, game, store.games.round_number(db, game))
    ]


def may_sign_in(db: Database, address: str = OLA, name: str = "Ola") -> Master:
    return accounts.add_gm(db, address, name, "en", clock.now())


def test_another_master_is_noted_once_and_never_by_the_whole_address(
    db: Database, ackerwinde: Game
) -> None:
    assert masters.add_master(db, "ackerwinde", "Ola@Example.org") is True
    assert masters.add_master(db, "ackerwinde", OLA) is False
    assert store.games.masters(db, "ackerwinde") == [OLA, ULI]
    assert noted(db) == [("master", "Ola…")]


def test_a_master_who_may_sign_in_is_noted_by_name(db: Database, ackerwinde: Game) -> None:
    may_sign_in(db)
    masters.add_master(db, "ackerwinde", OLA)
    assert masters.remove_master(db, "ackerwinde", OLA.upper()) is True
    assert noted(db) == [("master", "Ola"), ("no_master", "Ola")]


def test_who_does_not_lead_a_game_is_not_removed_and_the_last_one_stays(
    db: Database, ackerwinde: Game
) -> None:
    assert masters.remove_master(db, "ackerwinde", OLA) is False
    with pytest.raises(Refusal, match="last_master"):
        masters.remove_master(db, "ackerwinde", ULI)
    assert (store.games.masters(db, "ackerwinde"), noted(db)) == ([ULI], [])


def test_a_game_that_is_not_there_has_no_masters_to_change(db: Database, ackerwinde: Game) -> None:
    for change in (masters.add_master, masters.remove_master):
        with pytest.raises(Refusal, match="no_game"):
            change(db, "distel", OLA)


def test_players_answer_to_a_master_who_is_left(db: Database, ackerwinde: Game) -> None:
    may_sign_in(db)
    masters.add_master(db, "ackerwinde", OLA)
    masters.remove_master(db, "ackerwinde", ULI)
    game = store.games.existing(db, "ackerwinde")
    assert (game.gm_address, game.gm_name) == (OLA, "Ola")


def test_leaders_are_listed_with_their_games_that_are_not_over(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    seat_game(installation, "beinwell")
    ola = may_sign_in(db)
    assert masters.leaders(db) == [
        Leader(OLA, ola, ()),
        Leader(ULI, None, ("ackerwinde", "beinwell")),
    ]
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "finished", "deadline": None})
    assert masters.leaders(db)[1].games == ("beinwell",)


def test_who_goes_leaves_to_the_heir_only_what_nobody_else_leads(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    seat_game(installation, "beinwell")
    may_sign_in(db)
    may_sign_in(db, ULI, "Uli")
    masters.add_master(db, "beinwell", "cem@example.org")
    assert masters.remove_gm(db, ULI.upper(), OLA.upper()) == ["ackerwinde"]
    assert [store.games.masters(db, game) for game in ("ackerwinde", "beinwell")] == [
        [OLA],
        ["cem@example.org"],
    ]
    assert noted(db) == [("no_master", "Uli"), ("master", "Ola")]
    assert store.accounts.get(db, ULI) is None


def test_a_game_that_is_over_changes_hands_without_a_note(db: Database, ackerwinde: Game) -> None:
    may_sign_in(db)
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "finished", "deadline": None})
    assert masters.remove_gm(db, ULI, OLA) == ["ackerwinde"]
    assert (store.games.masters(db, "ackerwinde"), noted(db)) == ([OLA], [])


@pytest.mark.parametrize(
    ("who", "heir", "code"),
    [
        ("nobody@example.org", "", "no_master"),
        (ULI, "nobody@example.org", "no_heir"),
        (ULI, ULI, "no_heir"),
        (ULI, "", "last_of"),
    ],
)
def test_nobody_goes_where_a_game_would_be_left_alone(
    db: Database, ackerwinde: Game, who: str, heir: str, code: str
) -> None:
    may_sign_in(db, ULI, "Uli")
    with pytest.raises(Refusal) as refused:
        masters.remove_gm(db, who, heir)
    assert refused.value.code == code
    assert (store.games.masters(db, "ackerwinde"), noted(db)) == ([ULI], [])
    assert store.accounts.get(db, ULI) is not None
