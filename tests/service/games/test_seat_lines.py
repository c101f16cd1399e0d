"""A game that is made with its people at once: all lines are right, or nothing is made."""

from typing import Any

import pytest

from gm import store
from gm.games.seat_lines import MOST_SEATS, SeatLine, addresses, read
from gm.installation import Installation
from gm.store.db import Database
from rounds.engine.variant import find, names
from tests.steps import bohnenpost, press, sign_in, stored_mails, words

GM = ("--gm", "Uli", "--gm-address", "uli@example.org")
KINDS = names()


def lines_of(number: int, variant: str) -> list[str]:
    """Four seats, or two; the last one is a robot's, written like people do."""
    most = min(4, find(variant).seats[-1])
    people = [
        f"Seat {n} <p{number}.{n}@example.org> {('de', 'EN')[n % 2]}" for n in range(most - 1)
    ]
    return [*people, "Rosa (Roboter)"]


@pytest.mark.parametrize(
    ("line", "read_as"),
    [
        ("Anna <anna@example.org>", SeatLine(1, "", "Anna", "anna@example.org")),
        ("  Anna B.<anna@example.org>  EN ", SeatLine(1, "", "Anna B.", "anna@example.org", "en")),
        ("Rosa (robot strong)", SeatLine(1, "", "Rosa", strength="strong")),
        ("Rosa (Roboter)", SeatLine(1, "", "Rosa")),
        ("Anna\tanna@example.org", SeatLine(1, "", "Anna", "anna@example.org")),
        ("Anna;anna@example.org;en", SeatLine(1, "", "Anna", "anna@example.org", "en")),
        ("Rosa", SeatLine(1, "", is_clear=False)),
        ("anna@example.org", SeatLine(1, "", is_clear=False)),
        ("anna@example.org, bert@example.org", SeatLine(1, "", is_clear=False)),
        ("Anna <a@b.org> de en", SeatLine(1, "", is_clear=False)),
        ("Anna <a@b.org> <c@d.org>", SeatLine(1, "", is_clear=False)),
    ],
)
def test_a_line_is_a_seat(line: str, read_as: SeatLine) -> None:
    (found,) = read(f"{line}\n\n")
    assert (found.name, found.address, found.language, found.strength, found.is_clear) == (
        read_as.name,
        read_as.address,
        read_as.language,
        read_as.strength,
        read_as.is_clear,
    )


def test_a_line_of_a_mail_program_is_several_seats() -> None:
    text = '"Anna" <a@example.org>, Bert <b@example.org> en; Cem <c@example.org>;\nDora <d@example.org>'
    found = [(line.place, line.address, line.language) for line in read(text)]
    assert found == [
        (1, "a@example.org", ""),
        (1, "b@example.org", "en"),
        (1, "c@example.org", ""),
        (2, "d@example.org", ""),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "a@example.org b@example.org,\nc@example.org",
            ["a@example.org", "b@example.org", "c@example.org"],
        ),
        (
            '"Müller, Anna" <a@example.org>; Bert <b@example.org>;',
            ["a@example.org", "b@example.org"],
        ),
        ("Anna <a@example.org>, x", ["a@example.org", "x"]),
        (
            "a@example.org Bert Ohm <b@example.org> c@example.org",
            ["a@example.org", "b@example.org", "c@example.org"],
        ),
        ('"x&y=<b@example.org', ["b@example.org"]),
        ("", []),
        ("x" * 40_000, ["x" * 40_000]),
    ],
)
def test_addresses_are_found_among_names(text: str, found: list[str]) -> None:
    assert addresses(text) == found


def test_twenty_games_are_made_by_twenty_commands(installation: Installation, db: Database) -> None:
    for number in range(20):
        variant = KINDS[number % len(KINDS)]
        given = [part for line in lines_of(number, variant) for part in ("--seat", line)]
        told = bohnenpost(
            *("game", "new", f"game-{number}", *GM, "--variant", variant, *given, "--start"),
            home=installation.home,
        ).output
        assert "status       running, round 1" in told
        assert told.splitlines()[-1].startswith("personal link  will be a file in ")
    games = store.games.all_games(db)
    assert len(games) == 20
    for number in range(20):
        seats = store.seats.of_game(db, f"game-{number}")
        assert [seat.name for seat in seats][-1] == "Rosa"
        assert {seat.language for seat in seats if seat.address} <= {"de", "en"}
        assert seats[-1].robot
    started = [mail for mail in stored_mails(db) if mail.kind == "start"]
    assert len(started) == sum(len(lines_of(n, KINDS[n % len(KINDS)])) - 1 for n in range(20))


def test_twenty_games_are_made_by_twenty_pastes(installation: Installation, db: Database) -> None:
    uli = sign_in(installation, db)
    for number in range(20):
        variant = KINDS[number % len(KINDS)]
        fields = {
            "name": f"Game {number}",
            "variant": variant,
            "language": "en",
            "people": "\r\n".join(lines_of(number, variant)),
            "day": "sun",
            "at": "20:00",
            "zone": "Europe/Berlin",
            "weeks": "1",
            "shortest": "24",
            "after_early": "same",
            "action": "create",
        }
        answer = press(uli, "/desk/new?lang=en", *fields.items())
        assert answer.status_code == 303, words(answer)
        game = store.games.existing(db, f"game-{number}")
        assert game.status == "open"
        people = lines_of(number, variant)
        assert len(store.seats.of_game(db, game.id)) == len(people)
        told = stored_mails(db, "game = ? AND kind = 'welcome'", game.id)
        assert len(told) == len(people) - 1


WRONG = {
    "Anna <anna@example.org> xx": "The language is de or en, not “xx”.",
    "Bert (robot huge)": "strength",
    "nonsense": "Write it like Anna",
    "Cem <CEM@example.org>": "CEM@example.org has a seat in this game already.",
    "anna <b@example.org>": "sits at this table already",
    "<d@example.org>": "is not a name here",
    "Dörte <nope>": "is not one plain mail address",
    "Spielleitung <e@example.org>": "Spielleitung",
}


def test_every_wrong_line_is_named_and_nothing_is_made(
    installation: Installation, db: Database
) -> None:
    right = ["Anna <anna@example.org>", "Emil <cem@example.org> de"]
    people = [part for line in [*right, *WRONG] for part in ("--seat", line)]
    made = ("game", "new", "acker", *GM)
    told = bohnenpost(*made, *people, "--start", home=installation.home, status=2).output
    for place, (line, why) in enumerate(WRONG.items(), start=len(right) + 1):
        _, found, rest = told.partition(f"Line {place}, “{line}”: ")
        assert found, told
        assert why in rest.partition(" Line ")[0]
    assert "Line 1" not in told.replace("Line 10", "")
    assert "Nothing was made." in told
    assert store.games.get(db, "acker") is None
    assert stored_mails(db) == []
    assert db.execute("SELECT count(*) FROM seat").fetchone() == (0,)
    bohnenpost(*made, home=installation.home)  # its id is still free


def test_too_few_seats_to_start_with_make_no_game(installation: Installation, db: Database) -> None:
    one = ("--variant", "duel", "--seat", "Anna <a@example.org>", "--start")
    bohnenpost("game", "new", "acker", *GM, *one, home=installation.home, status=2)
    bohnenpost("game", "new", "acker", *GM, "--start", home=installation.home, status=2)
    assert store.games.get(db, "acker") is None


def test_more_seats_than_can_be_made_at_once_are_refused(
    installation: Installation, db: Database
) -> None:
    many = [part for n in range(MOST_SEATS + 1) for part in ("--seat", f"S{n} (robot)")]
    told = bohnenpost("game", "new", "acker", *GM, *many, home=installation.home, status=2)
    assert "at most 100 seats" in told.output
    assert store.games.get(db, "acker") is None


def test_what_was_pasted_comes_back_with_what_is_wrong(
    installation: Installation, db: Database
) -> None:
    uli: Any = sign_in(installation, db)
    page = uli.get("/desk/new?lang=en")
    assert "A line a seat" in words(page)
    pasted = "Anna <anna@example.org>\r\nBert bert@example.org"
    fields = {"name": "Acker", "variant": "postal", "language": "de", "people": pasted}
    calendar = {
        "day": "sun",
        "at": "20:00",
        "zone": "Europe/Berlin",
        "weeks": "1",
        "shortest": "24",
    }
    typed = fields | calendar | {"after_early": "same", "start": "yes", "action": "create"}
    answer = press(uli, "/desk/new?lang=en", *typed.items())
    assert answer.status_code == 422
    html = answer.get_data(as_text=True)
    assert "Line 2, “Bert bert@example.org”: Write it like" in words(answer)
    assert '<a href="#people">' in html
    assert "Bert bert@example.org</textarea>" in html
    assert store.games.get(db, "acker") is None
    typed["people"] = "Anna <anna@example.org>\r\nBert <bert@example.org>"
    made = press(uli, "/desk/new?lang=en", *typed.items())
    assert "The game has begun." in words(uli.get(made.headers["Location"]))
    waits = press(uli, "/desk/new?lang=en", *(typed | {"name": "Zwei", "start": ""}).items())
    assert "said=done" in waits.headers["Location"]
    assert "has begun" not in words(uli.get("/desk/game/zwei?said=begun&lang=en"))


def test_tonight_is_one_command(installation: Installation, db: Database) -> None:
    made = (
        "game",
        "new",
        "supper",
        *GM,
        "--seat",
        "Anna <anna@example.org>",
        "--seat",
        "Rosa (robot)",
    )
    told = bohnenpost(*made, "--tempo", "tonight", "--start", home=installation.home).output
    assert "status       running, round 1" in told
    game = store.games.existing(db, "supper")
    assert (game.schedule.hours, game.early_after) == (1, 0)
    for odd in (["--tempo", "hasty"], ["--tempo", "daily", "--on", "sun"]):
        bohnenpost("game", "new", "odd", *GM, *odd, home=installation.home, status=2)
    made = ("game", "new", "duet", *GM, "--variant", "duel", "--tempo", "club")
    assert (
        "club is none of tonight, daily"
        in bohnenpost(*made, home=installation.home, status=2).output
    )
    bohnenpost(*made[:-2], home=installation.home)
    assert store.games.existing(db, "duet").schedule.hours == 24  # as the desk has it
    bohnenpost("game", "new", "trio", *made[3:-2], "--every", "3", home=installation.home)
    assert store.games.existing(db, "trio").schedule.weeks == 3
