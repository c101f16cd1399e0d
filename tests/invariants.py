"""What holds at any moment, whatever was killed or refused. Each is one function;

`check` runs those that need nothing but the database.
"""

import json
from collections import Counter
from email import policy
from email.parser import BytesParser

from gm.store.connections import opened
from gm.store.db import Database, Place


def check(database: Place) -> None:
    """I1, I3, I4, I9 and I13 on a database that nobody is writing to (a hot journal is rolled
    back first, as at any start).
    """
    with opened(database) as connection:
        i9_the_file_is_sound(connection)
        i1_each_round_is_closed_once_and_the_next_is_open(connection)
        i3_no_list_is_newer_than_the_close_of_its_round(connection)
        i4_each_closed_round_has_one_mail_for_each_seat(connection)


def i1_each_round_is_closed_once_and_the_next_is_open(connection: Database) -> None:
    for game, number in connection.execute("SELECT id, round FROM game WHERE status <> 'open'"):
        closed = [
            n
            for (n,) in connection.execute(
                "SELECT number FROM round WHERE game = ? ORDER BY number", [game]
            )
        ]
        assert closed == list(range(number)), (game, number, closed)


def i2_a_shown_receipt_is_a_stored_list(database: Place, receipts: list[tuple[int, str]]) -> None:
    """`receipts`: (revision, orders) as the player was shown them. The newest stored before the
    close is the one used.
    """
    with opened(database) as connection:
        for number, orders in receipts:
            sql = "SELECT orders FROM revision WHERE round = 1 AND seat = 1 AND number = ?"
            assert connection.execute(sql, [number]).fetchone() == (orders,)
        newest = connection.execute(
            "SELECT orders FROM revision WHERE round = 1 AND seat = 1 ORDER BY number DESC"
        ).fetchone()
        used = connection.execute("SELECT orders FROM round WHERE number = 1").fetchone()
    if used is not None:
        assert json.loads(used[0])["Anna"] == (newest[0] if newest else None)


def i3_no_list_is_newer_than_the_close_of_its_round(connection: Database) -> None:
    sql = """SELECT count(*) FROM revision JOIN round ON round.game = revision.game AND round.number = revision.round
             WHERE revision.at > round.closed_at"""
    assert connection.execute(sql).fetchone() == (0,)


def i4_each_closed_round_has_one_mail_for_each_seat(connection: Database) -> None:
    for game, number in connection.execute("SELECT game, number FROM round").fetchall():
        seats = connection.execute(
            "SELECT count(*) FROM seat WHERE game = ? AND robot = 0", [game]
        ).fetchone()[0]
        sql = """SELECT count(*), count(DISTINCT seat) FROM mail WHERE game = ? AND round = ?
                 AND kind IN ('start', 'report', 'final')"""
        assert connection.execute(sql, [game, number]).fetchone() == (seats, seats)
    half = "SELECT count(*) FROM mail WHERE (written_at IS NULL) <> (digest IS NULL) OR (sent_at IS NOT NULL AND written_at IS NULL)"
    assert connection.execute(half).fetchone() == (0,)


def i5_every_mail_arrived_and_always_the_same(
    database: Place, arrived: list[bytes], *, repeats: int
) -> None:
    """Each mail of the outbox arrived at least once, with one content, and no more than
    `repeats` came again.
    """
    contents: dict[str, set[bytes]] = {}
    counts: Counter[str] = Counter()
    for data in arrived:
        name = BytesParser(policy=policy.default).parsebytes(data, headersonly=True)["Message-ID"]
        contents.setdefault(name, set()).add(data)
        counts[name] += 1
    with opened(database) as connection:
        rows = connection.execute(
            "SELECT message_id, sent_at, withdrawn_at, failed_at FROM mail"
        ).fetchall()
    for name, sent, withdrawn, failed in rows:
        assert sent or withdrawn or failed, name
        assert not sent or len(contents.get(name, ())) == 1, name
    # I12: nothing leaves for a row that is not there
    assert set(contents) <= {name for name, *_ in rows}
    assert sum(count - 1 for count in counts.values()) <= repeats


def i9_the_file_is_sound(connection: Database) -> None:
    assert connection.damage() == []
