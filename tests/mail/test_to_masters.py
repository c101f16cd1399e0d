"""The letters to game masters: what each kind says in both languages, whom an answer goes to,
and that no link is in it.
"""

import pytest

from gm import store
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail import to_masters
from gm.mail.queue import Recipient
from gm.people import accounts
from gm.service import write_mails
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.mails import Mail
from tests.dates import NOW
from tests.steps import buttons_of, event_of, plain_text, queued, stored_mails, written

ULI = "uli@example.org"
SUBJECTS = {
    "alarm": (
        "Ackerwinde ist angehalten: bitte nachsehen",
        "Ackerwinde is held: please look",
    ),
    "words": ("Ackerwinde: Anna schreibt dir", "Ackerwinde: Anna writes to you"),
    "joined": ("Ackerwinde: Anna hat einen Sitz", "Ackerwinde: Anna has a seat"),
    "gm_report": ("Ackerwinde: ", "Ackerwinde: "),
    "gone": ("Ackerwinde: Anna ist ausgestiegen", "Ackerwinde: Anna has left"),
    "refused": (
        "Ackerwinde: Mails an anna@ackerwinde.example.org werden abgelehnt",
        "Ackerwinde: mail to anna@ackerwinde.example.org is refused",
    ),
    "sign_in": ("Dein Link zum Schreibtisch", "Your link to the desk"),
}
"""The beginning of the subject of each kind, in German and in English."""


def to_uli(db: Database, kind: str, language: str = "en", seat: int = 1) -> Mail:
    """A mail of this kind, about a seat where it is about one."""
    with write(db):
        dead = store.seats.bury(db, store.seats.numbered(db, "ackerwinde", 1), "left", NOW)
    about = {"refused": 1, "gone": dead, "gm_report": 1}.get(kind, seat)
    of = 0 if kind == "gm_report" else 1
    game = None if kind == "sign_in" else "ackerwinde"
    return queued(db, event_of(kind, about), Recipient(ULI, language), of, game)


@pytest.fixture
def uli(db: Database, ackerwinde: Game) -> Game:
    """Uli may sign in."""
    accounts.add_gm(db, ULI, "Uli", "en", NOW)
    return ackerwinde


@pytest.mark.parametrize("kind", SUBJECTS)
@pytest.mark.parametrize("language", ["de", "en"])
def test_each_kind_of_letter_begins_in_the_language_of_its_reader(
    db: Database, installation: Installation, uli: Game, kind: str, language: str
) -> None:
    found = written(db, installation, to_uli(db, kind, language))
    assert found["Subject"].startswith(SUBJECTS[kind][language == "en"])
    assert found["To"] == ULI


@pytest.mark.parametrize("kind", SUBJECTS)
def test_the_button_leads_to_the_desk(
    db: Database, installation: Installation, uli: Game, kind: str
) -> None:
    ((address, _),) = buttons_of(written(db, installation, to_uli(db, kind)))
    door = "/desk/password/" if kind == "sign_in" else "/desk/game/ackerwinde"
    assert address.startswith(installation.config.base_url + door)


def test_every_kind_has_a_subject_here() -> None:
    assert to_masters.WRITERS.keys() == SUBJECTS.keys()


@pytest.mark.parametrize("kind", SUBJECTS)
def test_no_letter_to_a_master_holds_a_personal_link(
    db: Database, installation: Installation, uli: Game, kind: str
) -> None:
    said = plain_text(written(db, installation, to_uli(db, kind)))
    assert "/z/" not in said
    assert kind == "sign_in" or f"{installation.config.base_url}/desk/game/ackerwinde" in said


@pytest.mark.parametrize("kind", ["words", "joined"])
def test_an_answer_goes_to_the_player_it_is_about(
    db: Database, installation: Installation, uli: Game, kind: str
) -> None:
    assert written(db, installation, to_uli(db, kind))["Reply-To"] == "anna@ackerwinde.example.org"
    assert written(db, installation, to_uli(db, "alarm"))["Reply-To"] == f"Uli <{ULI}>"


def test_words_are_told_as_they_stand_or_that_they_were_taken_back(
    db: Database, installation: Installation, uli: Game
) -> None:
    anna, mail = store.seats.numbered(db, "ackerwinde", 1), to_uli(db, "words")
    for words, says in (
        ("Urlaub", "Urlaub"),
        ("ab Montag", "ab Montag"),
        ("", "has taken the words back"),
    ):
        save_orders(db, uli, anna, "1>A", press="Moin", to_gm=words)
        assert says in plain_text(written(db, installation, mail))


def test_who_took_a_seat_that_is_free_again_is_not_named(
    db: Database, installation: Installation, uli: Game
) -> None:
    found = written(db, installation, to_uli(db, "joined", seat=9))
    assert found["Subject"] == "Ackerwinde: a seat was taken and is free again"
    assert "3 seats are taken." in plain_text(found)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ("silence", "The silence guard holds the round until you decide"),
        ("fault 00c0ffee", "The round could not be closed three times"),
    ],
)
def test_an_alarm_says_why_the_game_is_held(
    db: Database, installation: Installation, uli: Game, error: str, says: str
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "held", "error": error})
    assert says in plain_text(written(db, installation, to_uli(db, "alarm")))


def test_a_refused_mail_is_told_with_the_words_of_the_server(
    db: Database, installation: Installation, uli: Game
) -> None:
    with write(db):
        store.mails.update(db, 1, {"error": "550 no such mailbox", "failed_at": NOW})
    said = plain_text(written(db, installation, to_uli(db, "refused")))
    assert "Anna does not get the mails of Ackerwinde" in said
    assert "550 no such mailbox" in said


def test_a_link_to_sign_in_is_the_one_that_works_now(
    db: Database, installation: Installation, uli: Game
) -> None:
    mail = to_uli(db, "sign_in")
    with write(db):
        store.accounts.void_links(db, 5)
    master = store.accounts.get(db, ULI)
    assert master is not None
    assert installation.url("password", who=ULI, number=master.link_number) in plain_text(
        written(db, installation, mail)
    )


def test_who_signs_in_no_more_is_sent_no_link(
    db: Database, installation: Installation, uli: Game
) -> None:
    mail = to_uli(db, "sign_in")
    with write(db):
        store.accounts.remove(db, ULI)
    while write_mails(db, installation, NOW):
        pass
    (found,) = stored_mails(db, "id = ?", mail.id)
    assert (found.bytes, found.failed_at) == (None, NOW)
