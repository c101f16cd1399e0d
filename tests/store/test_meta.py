"""What the service remembers of itself."""

import pytest

from gm import store
from gm.store.db import Database, write


def test_what_is_remembered_stands_until_it_is_replaced_or_forgotten(db: Database) -> None:
    assert store.meta.remembered(db, "clock") is None
    with write(db):
        store.meta.remember(db, "clock", "1 1")
        store.meta.remember(db, "held", "x")
        store.meta.remember(db, "clock", "")
    assert (store.meta.remembered(db, "clock"), store.meta.remembered(db, "held")) == ("", "x")
    with write(db):
        store.meta.forget(db, "clock", "held", "nothing")
    assert (store.meta.remembered(db, "clock"), store.meta.remembered(db, "held")) == (None, None)


@pytest.mark.parametrize(
    ("since", "until", "first", "last", "between"),
    [
        (0, 400, 100, 300, [100, 200, 300]),
        (100, 300, 100, 300, [200]),
        (101, 299, 200, 200, [200]),
        (301, 99, None, None, []),
    ],
)
def test_beats_are_found_from_an_instant_and_until_one(
    db: Database, since: int, until: int, first: int | None, last: int | None, between: list[int]
) -> None:
    with write(db):
        for at in (300, 100, 200, 200):
            store.meta.add_beat(db, at)
    assert (store.meta.first_beat(db, since), store.meta.last_beat(db, until)) == (first, last)
    assert store.meta.beats(db, since, until) == between


def test_old_beats_are_forgotten_and_without_any_there_is_no_first_and_no_last(
    db: Database,
) -> None:
    with write(db):
        store.meta.add_beat(db, 100)
        store.meta.add_beat(db, 200)
        store.meta.forget_beats(db, 200)
    assert (store.meta.first_beat(db), store.meta.last_beat(db)) == (200, 200)
    with write(db):
        store.meta.forget_beats(db, 201)
    assert (store.meta.first_beat(db), store.meta.last_beat(db)) == (None, None)
