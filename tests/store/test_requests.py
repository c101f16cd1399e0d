"""Requests that wait for a button in a mail: for a seat, and to follow games without one."""

from gm import store
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY

ANNA = "anna@ackerwinde.example.org"


def ask(
    db: Database, address: str = "d@example.org", at: int = SUNDAY, seat: int | None = None
) -> int:
    """Dörte asks for a seat."""
    row = {
        "game": "ackerwinde",
        "name": "Dörte",
        "address": address,
        "language": "de",
        "at": at,
        "seat": seat,
    }
    with write(db):
        return store.requests.add_joining(db, row)


def test_a_request_waits_until_its_button_is_pressed(db: Database, ackerwinde: Game) -> None:
    number = ask(db)
    ask(db, ANNA, seat=1)  # of who has a seat: another address
    assert (
        store.requests.asked_to_join(db, "ackerwinde"),
        store.requests.unconfirmed_since(db, SUNDAY - 1),
    ) == (
        1,
        {"seats": 1, "moves": 1, "follow": 0},
    )
    assert store.requests.mailboxes_asked(db, SUNDAY - 1) == ["d@example.org", ANNA]
    assert (
        store.requests.mailboxes_asked(db, SUNDAY),
        store.requests.unconfirmed_since(db, SUNDAY),
    ) == ([], {"follow": 0})
    with write(db):
        store.requests.confirm_joining(db, number, SUNDAY + 1)
    assert (
        store.requests.asked_to_join(db, "ackerwinde"),
        store.requests.unconfirmed_since(db, SUNDAY - 1),
    ) == (
        0,
        {"moves": 1, "follow": 0},
    )
    found = store.requests.joining(db, number)
    assert found is not None
    assert (found.name, found.confirmed_at) == ("Dörte", SUNDAY + 1)


def test_requests_expire_by_address_however_it_is_spelled_or_all_that_wait(
    db: Database, ackerwinde: Game
) -> None:
    first, other, confirmed = (
        ask(db, "D@example.org"),
        ask(db, "e@example.org"),
        ask(db, "f@example.org"),
    )
    with write(db):
        store.requests.confirm_joining(db, confirmed, SUNDAY)
        store.requests.expire_joinings(db, "ackerwinde", "d@EXAMPLE.org")
    assert [store.requests.joining(db, number).at for number in (first, other)] == [0, SUNDAY]  # type: ignore[union-attr]
    with write(db):
        store.requests.expire_unconfirmed(db)
    assert [store.requests.joining(db, number).at for number in (other, confirmed)] == [0, SUNDAY]  # type: ignore[union-attr]


def test_old_requests_that_were_never_confirmed_go(db: Database, ackerwinde: Game) -> None:
    old, confirmed, young = ask(db, at=SUNDAY - 1), ask(db, at=SUNDAY - 1), ask(db)
    with write(db):
        store.requests.confirm_joining(db, confirmed, SUNDAY)
        store.requests.forget_unconfirmed(db, SUNDAY)
    assert [store.requests.joining(db, number) is None for number in (old, confirmed, young)] == [
        True,
        False,
        False,
    ]


def test_requests_from_an_address_or_about_a_seat_go(db: Database, ackerwinde: Game) -> None:
    theirs, about, others = (
        ask(db, "D@example.org"),
        ask(db, "new@example.org", seat=1),
        ask(db, "e@example.org"),
    )
    with write(db):
        store.requests.forget_joinings(db, "ackerwinde", "d@example.org", 1)
    assert [store.requests.joining(db, number) is None for number in (theirs, about, others)] == [
        True,
        True,
        False,
    ]
