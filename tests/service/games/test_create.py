"""The life of a game up to its first round."""

import hashlib
import secrets
from typing import Any

import pytest

from gm import clock, store
from gm.config import Config
from gm.errors import Refusal
from gm.games import create
from gm.installation import Installation, NoInstallation, open_installation
from gm.people.seating import forget
from gm.rendering.sentences import sentence
from gm.service import close_due
from gm.store.db import Database, select, write
from gm.store.games import Game
from gm.store.mails import Mail
from tests.dates import EVERY_SUNDAY, SUNDAY
from tests.steps import cards_of, file_of, seat_game, start


def new(db: Database, **changed: Any) -> Game:
    good: dict[str, Any] = {
        "game": "beinwell",
        "name": "Beinwell",
        "variant": "postal",
        "house_rules": {},
        "gm": ("Uli", "uli@example.org"),
        "rule": EVERY_SUNDAY,
        "now": clock.now(),
    }
    return create.new_game(db, **(good | changed))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"game": "../x"}, "bad_id"),
        ({"game": "Beinwell"}, "bad_id"),
        ({"game": ""}, "bad_id"),
        ({"game": "-rf"}, "bad_id"),
        ({"game": "a" * 33}, "bad_id"),
        ({"game": "beinwell\n"}, "bad_id"),
        ({"house_rules": {"rounds": 13}}, "rounds"),
        ({"house_rules": {"rounds": "ten"}}, "rounds"),
        ({"house_rules": {"discard_order": "up"}}, "discard_order"),
        ({"house_rules": {"speed": 1}}, "speed"),
        ({"gm": ("Uli", "uli")}, "bad_address"),
        ({"name": "\x1b[31m"}, "bad_name"),
    ],
)
def test_a_game_that_makes_no_sense_is_not_made(
    db: Database, changed: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        new(db, **changed)
    assert store.games.all_games(db) == []


def test_an_id_is_used_once(db: Database) -> None:
    new(db)
    with pytest.raises(Refusal, match="id_taken"):
        new(db)


def test_house_rules_are_written_out_in_full(db: Database) -> None:
    made = new(db, house_rules={"nmr_empty": True})
    assert (
        made.house_rules
        == '{"rounds":10,"discard_order":"ascending","nmr_empty":true,"nmr_harvest":"eager"}'
    )


def test_the_commitment_is_there_before_anybody_joins(
    db: Database, installation: Installation
) -> None:
    new(db)
    with pytest.raises(Refusal, match="not_open"):
        create.add_seat(
            db,
            installation.link_key,
            game="beinwell",
            name="Anna",
            address="anna@example.org",
            language="de",
        )
    opened = create.open_game(db, "beinwell")
    secret = db.execute("SELECT secret FROM secret").fetchone()[0]
    assert opened.commitment is not None
    text = b"\0\0\0\x0cbohn1.commit\0\0\0\x08beinwell\0\0\0\x20" + secret
    assert hashlib.sha256(text).hexdigest() == opened.commitment
    with pytest.raises(Refusal, match="not_draft"):
        create.open_game(db, "beinwell")


@pytest.mark.parametrize(
    ("name", "address", "language", "words"),
    [
        ("anna", "x@example.org", "de", "name_taken"),
        ("Dörte", "anna@ackerwinde.example.org", "de", "address_taken"),
        ("Dörte", "doerte", "de", "bad_address"),
        ("Dörte", "a@x.org, b@x.org", "de", "bad_address"),
        ("Dörte", "a@x.org\nBcc: b@x.org", "de", "bad_address"),
        ("Dörte", "x@example.org", "fr", "bad_language"),
        ("D" * 41, "x@example.org", "de", "bad_name"),
        ("  ", "x@example.org", "de", "bad_name"),
    ],
)
def test_a_seat_that_makes_no_sense_is_not_given(
    installation: Installation, db: Database, name: str, address: str, language: str, words: str
) -> None:
    seat_game(installation)
    with pytest.raises(Refusal, match=words):
        create.add_seat(
            db,
            installation.link_key,
            game="ackerwinde",
            name=name,
            address=address,
            language=language,
        )
    assert len(store.seats.of_game(db, "ackerwinde")) == 3


def test_names_are_stored_in_one_spelling_of_unicode(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    seat = create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Zoe\u0308",
        address="zoe@example.org",
        language="de",
    )
    assert seat.name == "Zo\u00eb"


def test_the_start_deals_the_row_sets_the_deadline_and_queues_the_mails(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    start(installation)
    game = store.games.existing(db, "ackerwinde")
    assert (game.status, game.round, game.deadline) == ("running", 1, SUNDAY)
    table = store.rounds.open_table(db, game)
    assert len(table.row) == 8
    assert (*(stack.variety for stack in table.row), *table.draw_pile) == cards_of(db, game)
    mails = select(db, Mail, "SELECT * FROM mail ORDER BY id")
    assert [(mail.kind, mail.seat, mail.language, mail.written_at) for mail in mails] == [
        ("start", 1, "de", None),
        ("start", 2, "en", None),
        ("start", 3, "de", None),
    ]
    with pytest.raises(Refusal, match="not_open"):
        create.start_game(db, "ackerwinde", clock.now())


def test_every_game_has_a_secret_of_its_own(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.games.create.secrets", secrets)  # the real one
    for number in range(20):
        new(db, game=f"game-{number}")
        create.open_game(db, f"game-{number}")
    found = [secret for (secret,) in db.execute("SELECT secret FROM secret")]
    assert len({*found}) == 20
    assert len({byte for secret in found for byte in secret}) > 200


def test_a_game_without_seats_does_not_start(db: Database) -> None:
    new(db)
    create.open_game(db, "beinwell")
    with pytest.raises(Refusal, match="no_seats"):
        create.start_game(db, "beinwell", clock.now())


TWO = {
    "en": "This game is for exactly 2 players.",
    "de": "Diese Partie ist für genau 2 Mitspielende.",
}


def test_a_game_for_exactly_two_has_two_seats_and_no_other_limit(db: Database) -> None:
    assert new(db, variant="duel").seats == 2
    with pytest.raises(Refusal) as refused:
        new(db, game="borretsch", variant="duel", seats=3)
    assert sentence("en", refused.value) == f"{TWO['en']} A limit of 3 seats does not fit it."
    assert (
        sentence("de", refused.value)
        == f"{TWO['de']} Eine Obergrenze von 3 Sitzen passt nicht dazu."
    )


def test_a_game_of_any_number_of_seats_has_no_limit_but_its_own(db: Database) -> None:
    assert new(db).seats is None
    assert new(db, game="borretsch", seats=1000).seats == 1000


def test_a_game_for_exactly_two_takes_no_third_and_begins_with_no_fewer(
    installation: Installation, db: Database
) -> None:
    new(db, variant="duel")
    create.open_game(db, "beinwell")

    def sit(name: str) -> None:
        create.add_seat(
            db,
            installation.link_key,
            game="beinwell",
            name=name,
            address=None,
            language="de",
            robot=True,
        )

    for number, word in ((0, "There are 0 now."), (1, "There is 1 now.")):
        with pytest.raises(Refusal) as refused:
            create.start_game(db, "beinwell", clock.now())
        assert sentence("en", refused.value) == f"{TWO['en']} {word}"
        sit(("Rosa", "Rita")[number])
    with pytest.raises(Refusal) as refused:
        sit("Dörte")
    assert sentence("en", refused.value) == f"All seats are taken. {TWO['en']}"
    assert sentence("de", refused.value) == f"Alle Sitze sind vergeben. {TWO['de']}"


def test_a_table_that_has_become_too_full_for_its_game_does_not_begin(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    with write(db):
        store.games.update(db, "ackerwinde", {"variant": "duel"})
    with pytest.raises(Refusal) as refused:
        start(installation)
    assert sentence("en", refused.value) == f"{TWO['en']} There are 3 now."


def test_the_deck_is_stored_nowhere(
    ackerwinde: Game, db: Database, installation: Installation
) -> None:
    cards = cards_of(db, ackerwinde)
    data = file_of(installation).read_bytes()
    for separator in (b" ", b",", b'","', b'", "'):
        assert separator.join(card.encode() for card in cards[8:14]) not in data


def test_another_link_key_is_noticed(installation: Installation, ackerwinde: Game) -> None:
    (installation.home / "link.key").write_bytes(secrets.token_bytes(32))
    with pytest.raises(NoInstallation, match="does not belong to this database"):
        open_installation(installation.home, {})
    (installation.home / "link.key").unlink()
    with pytest.raises(NoInstallation, match=r"link\.key.*put it back"):
        open_installation(installation.home, {})


def test_a_missing_installation_is_not_made_by_accident(tmp_path: Any) -> None:
    with pytest.raises(NoInstallation, match="no installation here"):
        open_installation(tmp_path / "mispelt", {})
    assert not (tmp_path / "mispelt").exists()


def test_the_same_people_play_again_with_all_that_was_agreed(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "beinwell", rounds=1)
    start(installation, "beinwell")
    with pytest.raises(Refusal, match="not_finished"):
        create.play_again(db, installation.link_key, "beinwell", "beinwell-2", "Beinwell 2", SUNDAY)
    close_due(db, Config(), SUNDAY)
    before = store.games.existing(db, "beinwell")
    again = create.play_again(
        db, installation.link_key, "beinwell", "beinwell-2", "Beinwell 2", SUNDAY
    )
    assert (again.status, again.name, again.round) == ("open", "Beinwell 2", 0)
    assert {field: getattr(again, field) for field in create.COPIED} == {
        field: getattr(before, field) for field in create.COPIED
    }
    assert again.house_rules == before.house_rules
    assert again.commitment not in (None, before.commitment)
    assert store.games.masters(db, again.id) == store.games.masters(db, before.id)
    seats = [
        [
            (seat.name, seat.address, seat.language, seat.robot)
            for seat in store.seats.of_game(db, game)
        ]
        for game in ("beinwell", again.id)
    ]
    assert seats[0] == seats[1]
    links = [
        {seat.link_hash for seat in store.seats.of_game(db, game)}
        for game in ("beinwell", again.id)
    ]
    assert not links[0] & links[1]
    welcome = [
        mail.address
        for mail in store.mails.after(db, 0)
        if (mail.game, mail.kind) == (again.id, "welcome")
    ]
    assert welcome == [seat.address for seat in store.seats.of_game(db, again.id)]
    create.start_game(db, again.id, SUNDAY)


def test_who_has_left_gets_no_seat_in_the_next_game_and_an_id_is_taken_once(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "beinwell", rounds=1)
    start(installation, "beinwell")
    forget(db, store.seats.of_game(db, "beinwell")[2], SUNDAY)
    close_due(db, Config(), SUNDAY)
    for odd, why in (("beinwell", "id_taken"), ("Beinwell 2", "bad_id")):
        with pytest.raises(Refusal, match=why):
            create.play_again(db, installation.link_key, "beinwell", odd, "Beinwell 2", SUNDAY)
    create.play_again(db, installation.link_key, "beinwell", "beinwell-2", "Beinwell 2", SUNDAY)
    assert [seat.name for seat in store.seats.of_game(db, "beinwell-2")] == ["Anna", "Bert"]


def test_in_a_return_match_of_the_duel_the_other_begins(
    installation: Installation, db: Database
) -> None:
    new(db, variant="duel", house_rules={"three_fields": True})
    create.open_game(db, "beinwell")
    create.add_seat(
        db,
        installation.link_key,
        game="beinwell",
        name="Anna",
        address="anna@example.org",
        language="de",
    )
    create.add_seat(
        db,
        installation.link_key,
        game="beinwell",
        name="Bert",
        address=None,
        language="de",
        robot=True,
        strength="weak",
    )
    with write(db):
        db.execute("UPDATE game SET status = 'finished' WHERE id = 'beinwell'")
    again = create.play_again(
        db, installation.link_key, "beinwell", "beinwell-2", "Beinwell 2", SUNDAY
    )
    assert [(seat.robot, seat.strength) for seat in store.seats.of_game(db, again.id)] == [
        (0, ""),
        (1, "weak"),
    ]
    assert (again.rules.start, again.rules.three_fields) == (2, True)
    create.start_game(db, again.id, SUNDAY)
    assert store.games.existing(db, again.id).awaited_names == ("Bert",)
