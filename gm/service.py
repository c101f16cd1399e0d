"""The whole machine: what happens between a player's orders and everybody's mailbox.

Each function does one unit of work in short transactions and can be repeated: whatever crashes,
the next call goes on from the database. Any number of processes may do so at once; the database
decides who was first.
"""

import logging
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable

from gm import clock, errors, store
from gm.config import Config
from gm.deadline import closing, outage, robots, upcoming
from gm.deadline.closing import RoundResult
from gm.deadline.over import settle_one
from gm.deadline.reminders import remind
from gm.deadline.retry import guarded
from gm.deadline.summaries import ClosedRoundSummary, PassSummary, Posted, Rounds
from gm.errors import Refusal
from gm.games import orders, several
from gm.games.orders import Receipt, Refused, Replaced
from gm.installation import Installation
from gm.mail import sending, writing
from gm.mail.transports import TransportDown, transport
from gm.people import following, once_more
from gm.people.seating import seat_named
from gm.store.db import Database, one_of, reading, write
from gm.store.file import backup
from gm.store.games import Game
from gm.store.lists import Source
from gm.store.seats import Seat

log = logging.getLogger(__name__)

IDLE = threading.Event()
"""Set but while this process closes rounds: its pages wait for it a little, because they would
take the processor from it.
"""
IDLE.set()
LEAVING = threading.Event()
"""Set while this process ends: a pass finishes the step it has begun, and the next process goes on.
"""
RESTORED = "the database was restored from a copy; look it over, then: bohnenpost resume"


class TooManyMails(Exception):
    """More mails are due at once than the settings allow; none was sent. The message says how
    many, and what to do.
    """


def submit(
    db: Database,
    game: Game,
    seat: Seat,
    round_number: int,
    text: str,
    press: str | None = None,
    note: str | None = None,
    *,
    by: Source,
) -> Receipt:
    """Check and store a seat's orders for a round, with press for all and a note to the game
    masters; None leaves these as they are.

    `game` and `seat` are as the sender knows them. `by` says who sent the orders; if the `gm`
    typed them, because they came by letter or phone, they bring no words, and a note of the
    round says so. About a hidden hand a game master learns no more than whether orders are
    possible with it, a few times a round. Raises Late, Refused with every problem, Replaced if
    the seat has changed hands meanwhile, TooMany, or Refusal once a game master has typed too
    often; then nothing is stored.
    """
    try:
        with reading(db):
            checked = orders.check(db, game, seat, round_number, text, press, note)
    except Refused as refused:
        raise orders.refusal_for(by, db, game, seat, text, refused) from None
    return orders.save_orders(
        db, game, seat, checked.text, press=checked.press, to_gm=checked.note, source=by
    )


def enter_orders(
    db: Database, game_id: str, name: str, text: str, round_number: str = ""
) -> Receipt:
    """Store orders that came by letter or phone, marked as such in receipt and report.
    `round_number` is the round they were typed for, if known.

    Raises Refusal for another seat or round, and Refused or Late as `submit` does.
    """
    game, seat = store.games.existing(db, game_id), seat_named(db, game_id, name)
    if not game.is_open or seat.removed_at is not None:
        raise Refusal("not_running", game=game_id, status=game.status)
    if seat.robot:
        raise Refusal("robot_orders", name=seat.name)
    if round_number not in ("", str(game.round)):
        raise Refusal("other_round", game=game_id, round=game.round, asked=round_number[:10])
    try:
        return submit(db, game, seat, game.round, text, by="gm")
    except Replaced:
        raise Refusal("seat_changed", name=seat.name) from None


def order_robot(db: Database, now: int) -> bool:
    """Let one robot without orders order; False if all have. A robot sees what its seat may see,
    and is too late past the deadline like anybody.
    """
    robot = store.due.robot_without_list(db, now, max(now, clock.now()))
    if robot is None:
        return False
    _order_as_robot(db, *robot, now)
    return True


def order_robots(db: Database, game_id: str, now: int) -> None:
    """Let all robots of one game order that have not yet."""
    game = store.games.existing(db, game_id)
    newest = store.lists.newest(db, game_id, game.round)
    for seat in store.seats.of_game(db, game_id):
        if seat.robot and game.is_open and game.takes(seat.name) and seat.number not in newest:
            _order_as_robot(db, game_id, seat.number, now)


def _order_as_robot(db: Database, game_id: str, number: int, now: int) -> None:
    with guarded(db, game_id, now):
        game, seat = store.games.existing(db, game_id), store.seats.numbered(db, game_id, number)
        # one that cannot costs its game nothing but a minute
        with robots.excused(db, game, seat, now):
            text = game.engine.robot_of(seat.strength)(
                game.engine.view(store.rounds.open_table(db, game), seat.name)
            )
            submit(db, game, seat, game.round, text, by="robot")


def close_due(
    db: Database, config: Config, now: int, closed: list[RoundResult] | None = None
) -> bool:
    """Close the round of the most overdue game, exactly once however many processes try. True if
    one was due, whether or not this call stored its result.

    `closed`: a list to which the result is appended if this call stored it.
    """
    game_id = closing.most_overdue_game(db, now)
    if game_id is None:
        return False
    result = close_game(db, config, game_id, now)
    if result is not None and closed is not None:
        closed.append(result)
    return True


def close_game(db: Database, config: Config, game_id: str, now: int) -> RoundResult | None:
    """Close the round of this game if it is due: store result, next deadline and mails to write.
    None if nothing was stored.
    """
    # a fault of the game's own is tried again, then holds it; the others go on
    with guarded(db, game_id, now):
        game = store.games.existing(db, game_id)
        if not closing.is_due(game, now) or closing.put_off(db, config, game, now):
            return None
        result = closing.compute_result(db, game)  # without a lock: stand-ins, rules, report data
        if closing.hold_if_silent(db, result, now):
            return None
        # one transaction; nothing if anything has changed meanwhile
        if closing.commit_result(db, result, now):
            return result
    return None


def close_now(installation: Installation, game_id: str, now: int) -> None:
    """Close the round of a game that was made due, for a page that waits. The next pass writes
    and sends its mails.

    While the service is restored or in doubt of its clock, nothing is closed.
    """
    with installation.connection() as db:
        if _may_close(db, now):
            close_game(db, installation.config, game_id, now)


def close_at_once(installation: Installation, game: Game, now: int) -> bool:
    """Close the open round of a game that closes at once if its last orders are in. False if
    nothing was closed.

    If the service is held, or disk or lock fail, the next pass closes it: the orders are stored,
    and their sender must be told so.
    """
    if not game.closes_at_once:
        return False
    try:
        with installation.connection() as db:
            is_due = _may_close(db, now) and closing.make_due(db, game.id, now)
            return is_due and close_game(db, installation.config, game.id, now) is not None
    except sqlite3.OperationalError as error:
        errors.noted(error, f"{game.id}, closed at once")
        return False


def play_once_more(
    db: Database, installation: Installation, seat: Seat, *, yes: bool, now: int
) -> None:
    """Store whether a player of a finished game plays once more; if this was the last answer, the
    next game begins.

    Raises Refusal if no answer is taken any more, and Replaced if the seat has changed hands.
    """
    once_more.answer(db, seat, yes=yes, now=now)
    if _may_close(db, now):
        once_more.begin_one(db, installation.link_key, now, seat.game)


def _may_close(db: Database, now: int) -> bool:
    return (
        backup.held(db) is None
        and outage.check_clock(db, now, clock.boot(), clock.boot_id()) is None
    )


def write_mails(db: Database, installation: Installation, now: int) -> bool:
    """Write all waiting mails of one batch, once per language. False if none waits.

    They are rendered from the stored round, outside the transaction. If the words of a mail
    fail, it gets a plain fallback.
    """
    queued = store.mails.to_write(db, now)
    if not queued:
        return False
    with writing.failing(db, mail_id := one_of(queued), now):
        batch = store.mails.unwritten_in_batch_of(db, mail_id)
        for game in {mail.game for mail in batch if mail.kind == "final"}:
            settle_one(db, game)  # the last reports tell what is found
        written = list(writing.rendered(db, installation, batch, now))
        games = {mail.game for mail in batch}
        with write(db, games.pop() if len(games) == 1 else None):
            for mails, finished in written:
                writing.keep(db, mails, finished, now)
    return True


def send_mails(
    db: Database, installation: Installation, now: int
) -> tuple[dict[int, str], str | None]:
    """Send the mails that are due, each leased so that no other process has it too. Returns what
    became of each, by id, and why no more were tried if any are left.
    """
    became: dict[int, str] = {}
    began = time.monotonic()
    in_doubt = outage.clock_doubt(db, now) is not None
    with transport(installation.config, installation.mail_folder) as server:
        try:
            mail = sending.lease(db, now, in_doubt=in_doubt)
            # a copy may have taken the place of the database
            while mail is not None and backup.held(db) is None:
                if LEAVING.is_set():  # another process sends it at once
                    with write(db, shared=True):
                        store.mails.update(db, mail.id, {"next_try": now})
                    break
                later = now + int(time.monotonic() - began)  # a long pass outlives no lease
                sent = sending.send_one(db, server, mail, later, in_doubt=in_doubt)
                became |= sent.became
                mail = sent.following
        except TransportDown as error:
            if isinstance(error, sending.ServerRefuses):
                became |= error.became
            log.warning("mail waits: %s", error)
            return became, str(error)
    return became, None


def tick(
    installation: Installation, now: int | None = None, *, clock_is_right: bool = False
) -> PassSummary:
    """One pass over everything that is due: rounds first, then mail. What is busy is left for
    the next pass.

    Raises sqlite3.OperationalError if the database stays locked or the disk is full.
    """
    now = clock.now() if now is None else now
    with installation.connection() as db:
        batch = "" if backup.held(db) else closing.batch_due(db, now)
        if batch:
            backup.around(db, installation.config, "before", batch, now)
    rounds = tick_rounds(installation, now, clock_is_right=clock_is_right)
    if batch and rounds.closed:
        with installation.connection() as db:
            backup.around(db, installation.config, "after", batch, now)
            upcoming.copied_after(db)
    tidy_up(installation, now)
    try:
        mail = tick_mail(installation, now)
    except TooManyMails as error:
        mail = Posted(trouble=str(error))
    with installation.connection() as db:
        rounds_wait = () if backup.held(db) else tuple(outage.waiting(db, now))
    return PassSummary(
        ordered=rounds.ordered,
        closed=rounds.closed,
        reminded=rounds.reminded,
        written=mail.written,
        sent=mail.accepted,
        waits=rounds.waits,
        mail_trouble=mail.trouble,
        refused=mail.refused,
        put_off=mail.put_off,
        newly_put_off=mail.newly_put_off,
        rounds_wait=rounds_wait,
    )


def tick_rounds(installation: Installation, now: int, *, clock_is_right: bool = False) -> Rounds:
    """Let robots order, close rounds, remind players. Waits on no mail server."""
    with installation.connection() as db:
        if backup.held(db):
            return Rounds(waits=RESTORED)
        _all(lambda: several.go_on(db, now))
        ordered, reminded, closed = _all(lambda: order_robot(db, now)), 0, list[RoundResult]()
        waits = outage.check_clock(db, now, clock.boot(), clock.boot_id(), trusted=clock_is_right)
        if waits is None:
            early = _all(lambda: closing.make_complete_due(db, now))
            IDLE.clear()
            try:
                _all(lambda: close_due(db, installation.config, now, closed))
            finally:
                IDLE.set()
            if installation.config.backup_folder and len(closed) > early:
                upcoming.copy_later(db, now)
            reminded = remind(db, now)
            _all(lambda: once_more.begin_one(db, installation.link_key, now))
        else:
            log.warning("no round is closed: %s", waits)
        ordered += _all(lambda: order_robot(db, now))
    return Rounds(ordered, tuple(map(ClosedRoundSummary.of, closed)), reminded, waits)


def tick_mail(installation: Installation, now: int) -> Posted:
    """Write and send the mail that is due.

    Raises TooManyMails, before the first, if more are due than the settings allow.
    """
    with installation.connection() as db:
        if backup.held(db):
            return Posted(trouble=RESTORED)
        if (many := store.mails.due(db, now)) > installation.config.most_mails:
            why = "none is sent before somebody has looked (bohnenpost mail list)"
            raise TooManyMails(f"{many} mails are due, more than the setting most_mails: {why}")
        written = _all(lambda: backup.held(db) is None and write_mails(db, installation, now))
        became, trouble = send_mails(db, installation, now)
    count = Counter(became.values())
    put_off = count[sending.PUT_OFF] + count[sending.PUT_OFF_AGAIN]
    return Posted(
        written,
        count[sending.ACCEPTED],
        count[sending.REFUSED],
        put_off,
        trouble,
        count[sending.PUT_OFF],
    )


def tick_copies(installation: Installation, now: int) -> None:
    """Copy the database in the minute before a deadline, and some minutes after a round was closed
    at one, if the settings name a folder.
    """
    with installation.connection() as db:
        if backup.held(db):
            return
        for when in upcoming.claim_copies(db, now):
            backup.around(db, installation.config, when, str(now), now)


def tidy_up(installation: Installation, now: int) -> None:
    """Finish games that are over, and forget followers who never confirmed."""
    with installation.connection() as db:
        if outage.clock_doubt(db, now) is None:
            following.forget_stale(db, now)
        _all(lambda: settle_one(db))


def _all(step: Callable[[], bool]) -> int:
    count = 0
    while not LEAVING.is_set() and step():
        count += 1
    return count
