"""Orders of a seat: checked, then stored as a numbered revision in one short transaction. The
one door to both is `service.submit`.
"""

import secrets
from collections.abc import Mapping, Sequence

from msgspec import Struct

from gm import clock, store
from gm.errors import Refusal
from gm.links import API_TOKEN, IN_TEXT, token_hash
from gm.mail import queue
from gm.open_round import standing
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.lists import Press, Revision, Source
from gm.store.notes import plain_words
from gm.store.seats import Seat
from rounds.engine import notation
from rounds.engine.notation import Orders, Problem
from rounds.engine.shuffle import SALT_BYTES
from rounds.engine.variant import Table

MAX_PRESS = 2000
MAX_TO_GM = 300
LIMITS = {"press": MAX_PRESS, "note": MAX_TO_GM}
"""Most characters of the words sent with orders."""
OWN_CODES = ("NOT_AWAITED", "LONG", "KEY")
"""Codes of problems that are found here, not by the game."""
MOST_LISTS, IN_SECONDS = 30, 600
"""A seat may change its orders at most this often in this many seconds; the same orders again do
not count.
"""

MOST_BY_GM = 3
"""How often in a round a game master may type orders for a seat whose hand is hidden: each
answer tells something of it.
"""


class Late(Exception):
    """The orders did not arrive in time, or are for another round than the open one. Nothing was
    stored.

    `game` is the game as it is now.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        super().__init__(f"{game.id} is {game.status}, round {game.round}")


class Refused(notation.Refused):
    """The orders are not accepted, with every problem they have. Nothing was stored.

    `found`: the problems, each with what it is in: `press`, `note` or `orders`.
    """

    def __init__(self, found: Sequence[tuple[str, Problem]]) -> None:
        self.found = tuple(found)
        super().__init__(problem for _, problem in found)


class Replaced(Exception):
    """The seat has changed hands, or was taken away, since its link was opened. Nothing was
    stored.
    """


class TooMany(Exception):
    """The seat has changed its orders too often in the last minutes. Nothing was stored."""


class Checked(Struct, frozen=True):
    """Orders that passed every check: the table `before` them, the orders, also as canonical
    text, and the words as stored.

    Words that were not sent are None, and stay as they are.
    """

    before: Table
    orders: Orders
    text: str
    press: str | None
    note: str | None


class Receipt(Struct, frozen=True):
    """The answer to accepted orders: the revision that counts now, whether it is new, and
    whether press or the words to the GM have changed.
    """

    revision: Revision
    is_new: bool
    new_words: bool = False


def check(
    db: Database,
    game: Game,
    seat: Seat,
    round_number: int,
    text: str,
    press: str | None = None,
    note: str | None = None,
) -> Checked:
    """Check orders for a round. Raises Late, or Refused with every problem."""
    check_in_time(game, round_number)
    words = {
        name: None if said is None else plain_words(said)
        for name, said in (("press", press), ("note", note))
    }
    problems, table = _wrong_words(db, words), store.rounds.open_table(db, game)
    if not game.takes(seat.name):
        raise Refused([*problems, ("orders", Problem(code="NOT_AWAITED"))])
    try:
        orders = game.engine.read_orders(table, seat.name, text)
    except notation.Refused as refused:
        raise Refused([*problems, *(("orders", problem) for problem in refused.problems)]) from None
    if problems:
        raise Refused(problems)
    return Checked(table, orders, game.engine.write_orders(table, orders), **words)


def refusal_for(
    by: Source, db: Database, game: Game, seat: Seat, text: str, refused: Refused
) -> Refused:
    """What the sender may be told of refused orders: everything, unless a game master typed them
    for a hidden hand. Game masters are told what the words alone show, whoever has which cards.

    The rest depends on the hand: they learn only that the orders are not possible, and that is
    noted and mailed to the player.
    """
    hidden = game.engine.hidden
    if by != "gm" or hidden is None:
        return refused
    seats = [seat.name for seat in store.seats.of_game(db, game.id)]
    grammar = hidden.grammar(seats) if hidden.grammar else None
    of_text = [(name, problem) for name, problem in refused.found if problem.code in OWN_CODES]
    if grammar is not None:
        of_text += [("orders", problem) for problem in notation.read(text, grammar).problems]
    if of_text:
        return Refused(of_text)
    with write(db):
        now = clock.now()
        _check_gm_may_type(db, game, seat)
        number = store.notes.add(
            db, game.id, game.round, store.notes.GM_TRIED, "", now, seat=seat.name
        )
        tried = queue.Event(kind=store.notes.GM_TRIED, about=number)
        queue.put(db, game.id, game.round, tried, [seat], now)
    return Refused([("orders", Problem(code="UNSEEN"))])


def _check_gm_may_type(db: Database, game: Game, seat: Seat) -> None:
    """Raises Refusal if game masters have typed in orders for this hidden hand too often. Inside
    `write`.
    """
    if store.notes.times_gm_typed(db, game.id, game.round, seat.name) >= MOST_BY_GM:
        raise Refusal("typed_too_often", seat=seat.name, round=game.round, most=MOST_BY_GM)


def in_time(game: Game, now: int) -> bool:
    """True if orders are taken now: before the deadline, or always if rounds are closed by hand."""
    return game.is_open and (game.deadline is None or now < game.deadline)


def check_in_time(game: Game, round_number: int) -> None:
    """Raises Late unless orders for this round are taken now."""
    if round_number != game.round or not in_time(game, clock.now()):
        raise Late(game)


def _wrong_words(db: Database, words: Mapping[str, str | None]) -> list[tuple[str, Problem]]:
    """What is wrong with words: too long, or a personal link in them, which is a key."""
    problems = []
    for name, text in words.items():
        limit = LIMITS[name]
        if text and len(text) > limit:
            problems.append((name, Problem(code="LONG", cards=len(text), limit=limit)))
        if text and (API_TOKEN.search(text) or _opens_something(db, text)):
            problems.append((name, Problem(code="KEY")))
    return problems


def _opens_something(db: Database, text: str) -> bool:
    """True if a personal link, or one to all seats of an address, is among these words."""
    hashes = map(token_hash, IN_TEXT.findall(text))
    return any(
        store.seats.by_link(db, link) or store.accounts.my_games_by_hash(db, link)
        for link in hashes
    )


def save_orders(
    db: Database,
    game: Game,
    seat: Seat,
    text: str,
    *,
    press: str | None = "",
    to_gm: str | None = "",
    source: Source = "seat",
) -> Receipt:
    """Store canonical orders for the round at which `game` stood when they were checked; the
    newest before the deadline count (P36).

    Round and deadline are checked on the server's clock inside the transaction. The newest
    orders sent again by the same link make no new revision and no mail, unless the round was
    taken back since. Raises Late, Replaced or TooMany, with nothing stored.
    """
    by_gm = source == "gm"
    with write(db, game.id):
        now, current = clock.now(), store.games.get(db, game.id)
        if current is None or current.round != game.round or not in_time(current, now):
            raise Late(current or game)
        if store.seats.numbered(db, game.id, seat.number).link_number != seat.link_number:
            raise Replaced(seat.name)
        lists = store.lists.revisions(db, game.id, game.round, seat.number)
        again = lists[0] if lists and _is_again(lists[0], text, seat, by_gm=by_gm) else None
        if again is not None and again.at <= (standing(db, current).taken_back_at or 0):
            again = None  # ordered anew: the round waits for that
        if by_gm and game.engine.sees_more:
            _check_gm_may_type(db, game, seat)
            again = None  # that two texts come to the same tells of a hand, too: it is counted
        if again is None and not by_gm and _is_too_often(lists, seat, now):
            raise TooMany(seat.name)
        new_words = not by_gm and _save_words(db, game, seat, press, to_gm, now)
        if again is not None:
            return Receipt(again, is_new=False, new_words=new_words)
        if by_gm:
            store.notes.add(db, game.id, current.round, "by_gm", "", now, seat=seat.name)
        number, salt = lists[0].number + 1 if lists else 1, secrets.token_bytes(SALT_BYTES)
        revision = Revision(
            game.id, game.round, seat.number, number, text, now, salt, source, seat.link_number
        )
        store.lists.add(db, revision)
        if seat.receipts or by_gm:
            receipt = queue.Event(kind="receipt", about=revision.number)
            queue.put(db, game.id, game.round, receipt, [seat], now)
    return Receipt(revision, is_new=True, new_words=new_words)


def _is_again(newest: Revision, text: str, seat: Seat, *, by_gm: bool) -> bool:
    """True if these are the orders that count, from the same link. The answer to others must not
    tell what was sent.
    """
    return (
        newest.void_at is None
        and newest.orders == text
        and newest.is_of(seat)
        and newest.by_gm == by_gm
    )


def _is_too_often(lists: Sequence[Revision], seat: Seat, now: int) -> bool:
    return (
        sum(old.is_of(seat) and not old.by_gm and old.at > now - IN_SECONDS for old in lists)
        >= MOST_LISTS
    )


def _save_words(
    db: Database, game: Game, seat: Seat, press: str | None, to_gm: str | None, now: int
) -> bool:
    """Store the words sent with orders, and tell the game masters of words to them. True if they
    changed.
    """
    before = store.lists.own_press(db, seat, game.round)
    words = (before[0] if press is None else press, before[1] if to_gm is None else to_gm)
    if _save_press(db, game, seat, *words, now):
        said = queue.Event(kind="words", about=seat.number, mark=now)
        queue.put_for_masters(db, game.id, game.round, said, now)
    return words != before


def _save_press(db: Database, game: Game, seat: Seat, text: str, to_gm: str, now: int) -> bool:
    """Store press and words to the game masters. True if there are new words to them; those are
    unread.
    """
    before = next(
        (word for word in store.lists.press(db, game.id, game.round) if word.seat == seat.number),
        None,
    )
    is_new = bool(to_gm) and (before is None or before.to_gm != to_gm)
    if text or to_gm:
        read_at = None if is_new or before is None else before.read_at
        store.lists.set_press(
            db, Press(game.id, game.round, seat.number, text, to_gm, now, seat.link_number, read_at)
        )
    else:
        store.lists.remove_press(db, game.id, game.round, seat.number)
    return is_new
