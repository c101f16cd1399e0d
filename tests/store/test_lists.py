"""Lists as rows: the newest that counts, the link each came by, and the words that came with
them.
"""

from msgspec.structs import replace

from gm import store
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.lists import Press, Revision
from tests.dates import SUNDAY


def put(
    db: Database,
    number: int = 1,
    orders: str = "1>A",
    seat: int = 1,
    of: int = 1,
    link: int = 1,
    at: int = SUNDAY,
) -> None:
    with write(db):
        store.lists.add(
            db, Revision("ackerwinde", of, seat, number, orders, at, bytes(16), "seat", link)
        )


def say(
    db: Database,
    text: str,
    to_gm: str = "",
    *,
    seat: int = 1,
    of: int = 1,
    at: int = SUNDAY,
    link: int = 1,
) -> None:
    with write(db):
        store.lists.set_press(db, Press("ackerwinde", of, seat, text, to_gm, at, link))


def counting(db: Database, of: int = 1) -> dict[int, int]:
    return {
        seat: revision.number for seat, revision in store.lists.newest(db, "ackerwinde", of).items()
    }


def test_the_lists_of_a_seat_come_newest_first_and_the_newest_counts(
    db: Database, ackerwinde: Game
) -> None:
    for number in (1, 2, 3):
        put(db, number)
    put(db, seat=2)
    assert [revision.number for revision in store.lists.revisions(db, "ackerwinde", 1, 1)] == [
        3,
        2,
        1,
    ]
    assert counting(db) == {1: 3, 2: 1}
    assert store.lists.sources(db, "ackerwinde", 1) == {
        (1, 1): "seat",
        (1, 2): "seat",
        (1, 3): "seat",
        (2, 1): "seat",
    }


def test_void_lists_count_no_longer_and_stay_on_record(db: Database, ackerwinde: Game) -> None:
    put(db)
    put(db, seat=2)
    with write(db):
        store.lists.void(db, "ackerwinde", 1, 1, SUNDAY)
        store.lists.void(db, "ackerwinde", 1, 1, SUNDAY + 1)
    assert counting(db) == {2: 1}
    assert store.lists.have_ordered(db, ["ackerwinde"]) == {"ackerwinde": {2}}
    assert [revision.void_at for revision in store.lists.revisions(db, "ackerwinde", 1, 1)] == [
        SUNDAY
    ]
    put(db, 2)
    assert counting(db) == {1: 2, 2: 1}


def test_lists_for_later_rounds_are_void_and_those_of_the_round_are_not(
    db: Database, ackerwinde: Game
) -> None:
    for of in (1, 2, 3):
        put(db, of=of)
    with write(db):
        store.lists.void_later_rounds(db, "ackerwinde", 1, SUNDAY)
    assert [counting(db, of) for of in (1, 2, 3)] == [{1: 1}, {}, {}]


def test_a_digest_depends_on_every_part_of_a_list() -> None:
    made = Revision("ackerwinde", 1, 1, 1, "1>A", SUNDAY, bytes(16), "seat", 1)
    others = [
        replace(made, round=2),
        replace(made, number=2),
        replace(made, orders="2>A"),
        replace(made, salt=b"1" * 16),
    ]
    assert (
        len({made.digest("Anna"), made.digest("Bert"), *(other.digest("Anna") for other in others)})
        == 6
    )
    assert replace(made, at=0, seat=2).digest("Anna") == made.digest("Anna")


def test_only_what_the_game_master_typed_is_by_the_gm() -> None:
    made = Revision("ackerwinde", 1, 1, 1, "1>A", SUNDAY, bytes(16), "seat", 1)
    assert [replace(made, source=source).by_gm for source in ("gm", "seat", "robot")] == [
        True,
        False,
        False,
    ]


def test_words_replace_what_a_seat_wrote_before(db: Database, ackerwinde: Game) -> None:
    say(db, "Moin", "Urlaub")
    say(db, "Hi", seat=2)
    say(db, "Tach", at=SUNDAY + 1)
    assert [
        (word.seat, word.text, word.to_gm) for word in store.lists.press(db, "ackerwinde", 1)
    ] == [
        (1, "Tach", ""),
        (2, "Hi", ""),
    ]
    with write(db):
        store.lists.remove_press(db, "ackerwinde", 1, 1)
    assert [word.seat for word in store.lists.press(db, "ackerwinde", 1)] == [2]


def test_words_to_the_masters_come_newest_first_and_only_where_there_are_some(
    db: Database, ackerwinde: Game
) -> None:
    say(db, "Moin", "eins")
    say(db, "", "zwei", seat=2, at=SUNDAY + 1)
    say(db, "nur für alle", seat=3, at=SUNDAY + 2)
    assert [word.to_gm for word in store.lists.words_to_gm(db, "ackerwinde")] == ["zwei", "eins"]


def test_words_that_came_until_an_instant_are_read_once(db: Database, ackerwinde: Game) -> None:
    say(db, "", "eins")
    say(db, "", "zwei", seat=2, at=SUNDAY + 1)
    with write(db):
        assert store.lists.mark_words_read(db, "ackerwinde", SUNDAY, SUNDAY + 9) == 1
        assert store.lists.mark_words_read(db, "ackerwinde", SUNDAY, SUNDAY + 10) == 0
    assert [(word.to_gm, word.read_at) for word in store.lists.words_to_gm(db, "ackerwinde")] == [
        ("zwei", None),
        ("eins", SUNDAY + 9),
    ]


def test_words_for_all_and_words_to_the_masters_are_cleared_apart(
    db: Database, ackerwinde: Game
) -> None:
    say(db, "Moin", "eins")
    say(db, "Tach", "zwei", of=2)
    with write(db):
        store.lists.clear_press(db, "ackerwinde", 1, 1)
    assert [(word.text, word.to_gm) for word in store.lists.press(db, "ackerwinde", 1)] == [
        ("", "eins")
    ]
    with write(db):
        store.lists.clear_words_to_gm(db, "ackerwinde", 1)
    assert [(word.text, word.to_gm) for word in store.lists.press(db, "ackerwinde", 2)] == [
        ("Tach", "")
    ]


def test_words_of_a_former_link_are_shown_behind_another_once_they_were_given_to_it(
    db: Database, ackerwinde: Game
) -> None:
    anna = replace(store.seats.numbered(db, "ackerwinde", 1), link_number=2)
    put(db)
    say(db, "Moin", "eins")
    assert store.lists.own_press(db, anna, 1) == ("", "")
    assert not store.lists.revisions(db, "ackerwinde", 1, 1)[0].is_of(anna)
    with write(db):
        store.lists.give_words_to_link(db, "ackerwinde", 1, 1, 2)
    assert store.lists.own_press(db, anna, 1) == ("Moin", "eins")
    assert store.lists.revisions(db, "ackerwinde", 1, 1)[0].is_of(anna)


def test_who_plays_a_seat_now_is_given_their_own_rows_alone(db: Database, ackerwinde: Game) -> None:
    """Of the open round, 3, nothing that came by a former link; of closed ones nothing from
    before they came.
    """
    heir = replace(
        store.seats.numbered(db, "ackerwinde", 1),
        player="Dörte",
        player_since=SUNDAY,
        link_number=2,
    )
    for of, link, at in ((1, 1, SUNDAY - 1), (2, 1, SUNDAY), (3, 1, SUNDAY + 1)):
        put(db, of=of, link=link, at=at)
        say(db, f"round {of}", of=of, link=link, at=at)
    put(db, 2, of=3, link=2, at=SUNDAY + 2)
    assert [(r.round, r.number) for r in store.lists.of_player(db, heir, 3)] == [(2, 1), (3, 2)]
    assert [row["text"] for row in store.lists.press_of_player(db, heir, 3)] == ["round 2"]
    assert store.lists.mails_of_player(db, heir) == []
    assert [
        row["kind"] for row in store.lists.mails_of_player(db, replace(heir, player_since=None))
    ] == ["start"]
