"""Rows and the records made of them. Reading only; what changes rows is in the modules that act."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import seeds
from gm.schedule import Rule
from rounds.events import AnyEvent
from rounds.shuffle import receipt, shuffled_deck
from rounds.variant import Table, Variant, find

Row = TypeVar("Row", bound=Struct)
DAMAGE = (msgspec.ValidationError, sqlite3.DatabaseError)
"""What reading a damaged row raises: values that are none, a text that is no text, a page of the file that is gone."""
SEATS = 1_000_000
"""More than any game has: an instant and a seat fit into one number."""
DECKS = 500
"""So many decks are remembered: each is asked for by every player's page and by every step of a round."""
Source = Literal["seat", "gm", "program", "robot"]
"""How a list came in: by the seat's link, typed by the game master, by a program with the seat's token, by a robot."""


class Game(Struct, frozen=True):
    """A game as stored; instants in UTC seconds.

    `round` is the open one (0 before the start), `round_at` when it began, `deadline` its deadline (None: closed by hand),
    `regular` the deadline it had at first. `early_after`: seconds after the last list when a round with all lists is closed
    early (None: never). `sequence` rises with every deadline, for calendars. `seats`: at most so many (None: any number);
    `listed`: 0 for a private game, which only its invitation link opens. `aborted`: it was ended before its last round, and is
    `finished`. `reviewed`: the round and the program that the second opinion last agreed with. `level`: of fairness, 2 where
    players' phrases go into the deck. `links_given`: the highest link number of a seat that was given up before the start.
    `hindsight`, `verdict`: what could have been made of the rows, and what `verify` says of the record, once it is over.
    `next_deadline`: what the round after the open one was promised. `after_early`: after an early closing the next round ends
    at the `same` deadline, which was not waited for, or at the `next`. `description`: the game master's words about the game.
    """

    id: str
    variant: str
    name: str
    gm_name: str
    gm_address: str
    gm_language: str
    house_rules: str
    rule: str
    early_after: int | None
    silence_guard: int
    status: str
    commitment: str | None
    setup: str | None
    round: int
    round_at: int | None
    regular: int | None
    deadline: int | None
    sequence: int
    paused_at: int | None
    created_at: int
    failures: int
    retry_at: int | None
    error: str | None
    seats: int | None
    listed: int
    aborted: int
    archived_at: int | None
    reviewed: str | None
    reviewed_at: int | None
    level: int
    links_given: int
    hindsight: str | None
    verdict: str | None
    next_deadline: int | None
    after_early: str
    description: str

    @property
    def rules(self) -> Variant:
        """The variant that is played."""
        return find(self.variant)

    @property
    def schedule(self) -> Rule:
        """The rule behind the deadlines."""
        return msgspec.json.decode(self.rule, type=Rule)

    @property
    def is_public(self) -> bool:
        """Whether it stands in lists for everybody. One that was ended early does, archived or not: a bad start is no secret."""
        return bool(self.listed) and self.status != "draft" and (self.archived_at is None or bool(self.aborted))

    @property
    def is_open(self) -> bool:
        """Whether orders are awaited."""
        return self.status == "running"


class Seat(Struct, frozen=True):
    """A place in a game, numbered from 1 in the order of joining. A robot has no address.

    `player`: who plays it now, if not the one it is named for, and `taken_at` since when. `removed_at`: nobody does any more,
    the stand-in plays on. `asked_at`: when the player was last asked, before the start, whether they are there.
    """

    game: str
    number: int
    name: str
    player: str | None
    address: str | None
    language: str
    robot: int
    link_number: int
    link_hash: str
    calendar_hash: str
    unsubscribe_hash: str
    html: int
    receipts: int
    leads: str
    asked_at: int | None
    ready_at: int | None
    away_from: str | None
    away_to: str | None
    removed_at: int | None
    phrase: str
    taken_at: int | None
    news: int

    @property
    def called(self) -> str:
        """The person's name, for greetings."""
        return self.player or self.name

    def was_played(self, at: int) -> bool:
        """Whether who plays this seat now did so already when a round was closed at this instant."""
        return self.taken_at is None or at > self.taken_at

    def is_at(self, address: str) -> bool:
        """Whether mails to this seat go to this address, however it is spelled."""
        return self.address is not None and self.address.casefold() == address.casefold()

    @property
    def lead_times(self) -> tuple[int, ...]:
        """How long before a deadline this player is reminded, in seconds; none: never."""
        return msgspec.json.decode(self.leads, type=tuple[int, ...])


class Revision(Struct, frozen=True):
    """One accepted list of orders, canonical; never changed afterwards. `salt`: what keeps its digest from being guessed.

    `source`: how it came in; None if nobody knows any more.
    `link_number`: of the seat's link at that time. `void_at`: it does not count any more, and what it was sent for has changed.
    """

    game: str
    round: int
    seat: int
    number: int
    orders: str
    at: int
    salt: bytes | None
    source: Source | None = None
    link_number: int = 0
    void_at: int | None = None

    @property
    def by_gm(self) -> bool:
        """Whether the game master typed it in."""
        return self.source == "gm"

    def is_of(self, seat: Seat) -> bool:
        """Whether it was sent by the link that opens the seat now: only then its orders are for who comes by that link."""
        return self.link_number == seat.link_number

    def digest(self, seat_name: str) -> str | None:
        """The digest that the receipt and the report print, in hex; None for a list without a salt."""
        if self.salt is None:
            return None
        return receipt(self.game, self.round, seat_name, self.number, self.salt, self.orders).hex()


class Press(Struct, frozen=True):
    """What a seat wrote with its orders: for all (`text`), and for the GM alone, who has read it at `read_at`."""

    game: str
    round: int
    seat: int
    text: str
    to_gm: str
    at: int
    link_number: int = 0
    read_at: int | None = None


class Joining(Struct, frozen=True):
    """Somebody asked for a seat and was mailed a link; the seat is theirs once its button was pressed.

    `seat`: or it is who plays this seat, and wants its mails at this address; `link_number`: of the link they asked by.
    """

    id: int
    game: str
    name: str
    address: str
    language: str
    at: int
    confirmed_at: int | None
    phrase: str
    seat: int | None = None
    link_number: int | None = None


class GivenUp(Struct, frozen=True):
    """Somebody whose seat was given up before the start, for the mail that says so and what it offers."""

    id: int
    game: str
    name: str
    address: str
    language: str
    at: int


class DeadLink(Struct, frozen=True):
    """A personal link that opens nothing any more: of which seat, who played it, why and since when; `text`: the reason given."""

    id: int
    hash: str
    game: str
    seat: str
    who: str
    why: str
    at: int
    text: str


LINK_SECONDS = 7 * 24 * 3600


class Master(Struct, frozen=True):
    """A game master who may sign in. `password`: hashed, None before the first one; `link_number`: of the one-time link.

    `mails`: the kinds of mail chosen, beside those that always come.
    `host`: whether they look after this installation, and may let game masters go.
    """

    address: str
    name: str
    language: str
    password: str | None
    link_number: int
    link_at: int
    mails: str
    host: int

    @property
    def link_ends(self) -> int:
        """Until when the one-time link works, unless it is used before."""
        return self.link_at + LINK_SECONDS

    @property
    def chosen(self) -> tuple[str, ...]:
        """The kinds of mail this game master wants."""
        return msgspec.json.decode(self.mails, type=tuple[str, ...])


ALWAYS_TOLD = ("rollback", "aborted", "restored")
"""The kinds of notes that are mailed to everybody, wanted or not: what a player had, a list or the game, is gone."""


class Note(Struct, frozen=True):
    """What was done to a round, as printed: by the game master with a reason, or by a published rule. `old`, `new`:

    the deadlines it moved; `seat`, `who`: the seat it is about and who plays it now. `changed`: what of the game was changed, as
    `changes` reads it.
    """

    id: int
    game: str
    round: int
    kind: str
    at: int
    text: str
    seat: str | None
    old: int | None
    new: int | None
    who: str | None
    changed: str | None

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """What of the game was changed, by column, old and new; a calendar as a Rule."""
        found = msgspec.json.decode(self.changed or "{}", type=dict[str, tuple[Any, Any]])
        if "rule" in found:
            found["rule"] = msgspec.convert(found["rule"], tuple[Rule, Rule])
        return found


class Mail(Struct, frozen=True):
    """A mail in the outbox: queued with its round, written once, sent with the same bytes until it is taken.

    `seat` None: to the game master. `about`: the revision of a receipt, the note of a piece of news, the lead time of a
    reminder, which also names the `deadline` it was for. A mail to a game master is about an address in short, and its
    `deadline` says what of: for a player's words or a new seat instant and seat in one number.
    """

    id: int
    game: str
    round: int
    seat: int | None
    kind: str
    about: int
    deadline: int
    address: str
    language: str
    link_number: int
    message_id: str
    queued_at: int
    written_at: int | None
    bytes: bytes | None
    digest: str | None
    tries: int
    first_try: int | None
    next_try: int
    sent_at: int | None
    failed_at: int | None
    withdrawn_at: int | None
    error: str | None

    @property
    def of_seat(self) -> int:
        """The seat that a mail to a game master tells of."""
        return self.deadline % SEATS


class ClosedRound(Struct, frozen=True):
    """A round as it was closed (number 0: the start): lists used per seat (None: NMR), events, and the table after it, packed.

    `version`: 1, or one more each time the round was taken back and played again. `receipts`: what was answered to the lists
    used; `chain`: the hash over this round and all before it, None in games that began before there was one.
    """

    game: str
    number: int
    deadline: int | None
    closed_at: int
    orders: str
    events: str
    state: str
    version: int = 1
    receipts: str = "{}"
    chain: str | None = None

    @property
    def lists(self) -> dict[str, str | None]:
        """The lists that were played, per seat."""
        return msgspec.json.decode(self.orders, type=dict[str, str | None])

    @property
    def happened(self) -> tuple[AnyEvent, ...]:
        """The events, in order."""
        return _decode_events(self.events)


_decode_events = msgspec.json.Decoder(tuple[AnyEvent, ...]).decode


def games(db: Database) -> list[Game]:
    """All games, running ones first, by deadline and name. One whose row is damaged is left out: see `unreadable_games`."""
    return _readable(db, "ORDER BY status <> 'running', deadline, name")


def game(db: Database, game_id: str) -> Game | None:
    """The game with this id."""
    return select_one(db, Game, "SELECT * FROM game WHERE id = ?", game_id)


def seats(db: Database, game_id: str) -> list[Seat]:
    """The seats of a game in the order of joining."""
    return select(db, Seat, "SELECT * FROM seat WHERE game = ? ORDER BY number", game_id)


def seats_taken(db: Database) -> dict[str, tuple[int, int]]:
    """How many seats each game has, and how many of them a person took, by its id."""
    sql = "SELECT game, count(*), count(*) FILTER (WHERE robot = 0) FROM seat GROUP BY game"
    return {game: (seats, people) for game, seats, people in db.execute(sql).fetchall()}


def seat(db: Database, game_id: str, number: int) -> Seat:
    """One seat. Raises LookupError if there is none of this number."""
    found = select_one(db, Seat, "SELECT * FROM seat WHERE game = ? AND number = ?", game_id, number)
    if found is None:
        raise LookupError(f"{game_id} has no seat {number}")
    return found


def seat_by_link(db: Database, link_hash: str) -> Seat | None:
    """The seat a personal link opens, if it opens one."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE link_hash = ?", link_hash)


def seat_by_calendar(db: Database, calendar_hash: str) -> Seat | None:
    """The seat whose calendar feed this is."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE calendar_hash = ?", calendar_hash)


def seat_by_unsubscribe(db: Database, unsubscribe_hash: str) -> Seat | None:
    """The seat whose reminders this link stops."""
    return select_one(db, Seat, "SELECT * FROM seat WHERE unsubscribe_hash = ?", unsubscribe_hash)


def seats_of(db: Database, address: str) -> list[Seat]:
    """The seats this mail address holds in games that are not over."""
    sql = """SELECT seat.* FROM seat JOIN game ON game.id = seat.game
             WHERE lower(seat.address) = lower(?) AND game.status <> 'finished' ORDER BY seat.game"""
    return select(db, Seat, sql, address)


def joining(db: Database, number: int) -> Joining | None:
    """A request for a seat."""
    return select_one(db, Joining, "SELECT * FROM joining WHERE id = ?", number)


def given_up(db: Database, number: int) -> GivenUp | None:
    """Somebody whose seat was given up."""
    return select_one(db, GivenUp, "SELECT * FROM given_up WHERE id = ?", number)


def asked_to_join(db: Database, game_id: str) -> int:
    """How many requests for a seat wait for their button to be pressed."""
    sql = "SELECT count(*) FROM joining WHERE game = ? AND confirmed_at IS NULL AND seat IS NULL"
    number: int = db.execute(sql, [game_id]).fetchone()[0]
    return number


def gm_of(db: Database, address: str) -> Master | None:
    """The game master with this mail address."""
    return select_one(db, Master, "SELECT * FROM gm WHERE address = lower(?)", address)


def standby_of(db: Database, master: str) -> list[dict[str, object]]:
    """Who would take over a seat, as far as this game master sees it, longest first; each address once."""
    sql = "SELECT *, min(at) AS at FROM standby WHERE gm IN ('', ?) GROUP BY address ORDER BY at"
    return list(db.query(sql, [master]))


def games_of(db: Database, address: str) -> list[Game]:
    """The games this game master leads, running ones first, by deadline and name."""
    where = "WHERE id IN (SELECT game FROM game_gm WHERE address = lower(?)) ORDER BY status <> 'running', deadline, name"
    return _readable(db, where, address)


def unreadable_games(db: Database) -> dict[str, str]:
    """The games whose row cannot be read, each with why."""
    try:
        select(db, Game, "SELECT * FROM game")
    except DAMAGE:
        return _damaged_one_by_one(db)
    return {}


def _damaged_one_by_one(db: Database) -> dict[str, str]:
    found = {}
    for (number,) in db.execute("SELECT id FROM game ORDER BY id").fetchall():
        try:
            game(db, number)
        except DAMAGE as error:
            found[number] = str(error)
    return found


def masters(db: Database, game_id: str) -> list[str]:
    """The addresses of a game's masters."""
    return [address for (address,) in db.execute("SELECT address FROM game_gm WHERE game = ? ORDER BY address", [game_id])]


def withdrawn(db: Database, game_id: str, number: int) -> list[ClosedRound]:
    """What was taken back of a round, oldest first."""
    sql = "SELECT * FROM withdrawn WHERE game = ? AND number = ? ORDER BY version"
    return select(db, ClosedRound, sql, game_id, number)


def revisions(db: Database, game_id: str, round_number: int, seat: int) -> list[Revision]:
    """All lists of a seat for a round, newest first."""
    sql = "SELECT * FROM revision WHERE game = ? AND round = ? AND seat = ? ORDER BY number DESC"
    return select(db, Revision, sql, game_id, round_number, seat)


def sources(db: Database, game_id: str, round_number: int) -> dict[tuple[int, int], Source | None]:
    """How the lists for a round came in, by seat and version."""
    sql = "SELECT seat, number, source FROM revision WHERE game = ? AND round = ?"
    return {(seat, number): source for seat, number, source in db.execute(sql, [game_id, round_number])}


def newest_revisions(db: Database, game_id: str, round_number: int) -> dict[int, Revision]:
    """Per seat that has one, the list that counts."""
    sql = "SELECT * FROM revision WHERE game = ? AND round = ? AND void_at IS NULL ORDER BY number"
    return {revision.seat: revision for revision in select(db, Revision, sql, game_id, round_number)}


def press(db: Database, game_id: str, round_number: int) -> list[Press]:
    """What was written for a round, by seat."""
    return select(db, Press, "SELECT * FROM press WHERE game = ? AND round = ? ORDER BY seat", game_id, round_number)


def words_to_gm(db: Database, game_id: str) -> list[Press]:
    """What players of a game wrote to its game masters, newest first."""
    sql = "SELECT * FROM press WHERE game = ? AND to_gm <> '' ORDER BY at DESC, round DESC, seat"
    return select(db, Press, sql, game_id)


def own_press(db: Database, of: Game, seat: Seat, round_number: int) -> tuple[str, str]:
    """What was written by the present link of the seat for a round: for all, and to the GM."""
    for word in press(db, of.id, round_number):
        if word.seat == seat.number and word.link_number == seat.link_number:
            return word.text, word.to_gm
    return "", ""


def receipt_mail(db: Database, of: Revision) -> Mail | None:
    """The mail with the receipt of a list, if one was queued and not withdrawn."""
    sql = """SELECT * FROM mail WHERE game = ? AND round = ? AND seat = ? AND kind = 'receipt' AND about = ?
             AND withdrawn_at IS NULL ORDER BY id DESC LIMIT 1"""
    return select_one(db, Mail, sql, of.game, of.round, of.seat, of.number)


def notes(db: Database, game_id: str, round_number: int) -> list[Note]:
    """The notes of a round in the order they were made."""
    return select(db, Note, "SELECT * FROM note WHERE game = ? AND round = ? ORDER BY id", game_id, round_number)


def notes_of_this_play(db: Database, game_id: str, round_number: int) -> list[Note]:
    """The notes of a round since it was last taken back: what was decided for an earlier play of it does not rule this one."""
    found = notes(db, game_id, round_number)
    back = max((index for index, note in enumerate(found) if note.kind == "rollback"), default=-1)
    return found[back + 1 :]


def closed_rounds(db: Database, game_id: str, numbers: Sequence[int] | None = None) -> list[ClosedRound]:
    """The start and all closed rounds, or consecutive ones of them, oldest first."""
    if numbers is None:
        return select(db, ClosedRound, "SELECT * FROM round WHERE game = ? ORDER BY number", game_id)
    sql = "SELECT * FROM round WHERE game = ? AND number BETWEEN ? AND ? ORDER BY number"
    return select(db, ClosedRound, sql, game_id, numbers[0], numbers[-1])


def closing_times(db: Database, game_id: str) -> list[tuple[int, int]]:
    """The number of each closed round, and when it was closed; oldest first, 0 is the start."""
    return db.execute("SELECT number, closed_at FROM round WHERE game = ? ORDER BY number", [game_id]).fetchall()


def closed_round(db: Database, game_id: str, number: int) -> ClosedRound | None:
    """One closed round; 0 is the start."""
    return select_one(db, ClosedRound, "SELECT * FROM round WHERE game = ? AND number = ?", game_id, number)


def cards(db: Database, of: Game) -> tuple[str, ...]:
    """The shuffled deck, worked out again from the secret: it is stored nowhere. Nobody else reads `secret` while a game runs.

    Raises LookupError before the start of the game.
    """
    row = db.execute("SELECT secret FROM secret WHERE game = ?", [of.id]).fetchone()
    if row is None or of.setup is None:
        raise LookupError(f"{of.id} has no deck before its start")
    return _shuffled(of.id, row[0], of.setup, tuple(phrases(db, of).items()), of.variant)


@lru_cache(DECKS)
def _shuffled(game_id: str, secret: bytes, setup: str, given: tuple[tuple[str, str], ...], variant: str) -> tuple[str, ...]:
    return shuffled_deck(game_id, secret, msgspec.json.decode(setup), dict(given), seeds.deck(variant))


def phrases(db: Database, of: Game) -> dict[str, str]:
    """The players' phrases that go into the deck; none at level 1."""
    return {seat.name: seat.phrase for seat in seats(db, of.id)} if of.level == 2 else {}


def unconfirmed(db: Database, of: Sequence[Seat]) -> list[str]:
    """The seats before the start that were typed in and that no person has confirmed, by a mailed button or by saying so.

    A seat with a phrase is confirmed, since only these two doors take one.
    """
    sql = "SELECT 1 FROM joining WHERE game = ? AND confirmed_at IS NOT NULL AND lower(address) = lower(?)"
    silent = [seat for seat in of if not seat.robot and not seat.phrase and seat.ready_at is None]
    return [seat.name for seat in silent if db.execute(sql, [seat.game, seat.address]).fetchone() is None]


def revealed_secret(db: Database, of: Game) -> str | None:
    """The secret behind the commitment, in hex, once the game is over; None before."""
    if of.status != "finished":
        return None
    row = db.execute("SELECT secret FROM secret WHERE game = ?", [of.id]).fetchone()
    return row[0].hex() if row else None


def table_after(db: Database, of: Game, number: int) -> Table:
    """The table after a closed round (0: after the start), as the rules know it. Raises LookupError if it is not closed."""
    closed = closed_round(db, of.id, number)
    if closed is None:
        raise LookupError(f"round {number} of {of.id} is not closed")
    return of.rules.unpack(closed.state.encode(), seeds.deck(of.variant), cards(db, of))


def open_table(db: Database, of: Game) -> Table:
    """The table the open round is played on; after the last round the table of the end."""
    return table_after(db, of, of.round - 1)


def _readable(db: Database, which: str, *values: object) -> list[Game]:
    try:
        return select(db, Game, f"SELECT * FROM game {which}", *values)  # noqa: S608  # of our own
    except DAMAGE:
        damaged = unreadable_games(db)
        ids = [number for (number,) in db.execute(f"SELECT id FROM game {which}", list(values)) if number not in damaged]  # noqa: S608
        return [found for number in ids if (found := game(db, number))]


def select(db: Database, kind: type[Row], sql: str, *values: object) -> list[Row]:
    """Rows as values of a kind from above. Raises msgspec.ValidationError for a damaged row."""
    with closing(db.conn.execute(sql, values)) as cursor:  # left open by an error, it would keep others from writing
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor]
    found: list[Row] = msgspec.convert(rows, list[kind])  # type: ignore[valid-type]
    return found


def select_one(db: Database, kind: type[Row], sql: str, *values: object) -> Row | None:
    """The first row, or None."""
    found = select(db, kind, sql, *values)
    return found[0] if found else None


class Played(Struct, frozen=True):
    """By whom a seat is played if not by the one it is named for: `by` is `robot`, `stand_in`, or `player`, who is `who`."""

    by: str
    who: str = ""


Others = Mapping[str, Played]
"""The seats, by name, that are not played by the one they are named for."""


def others(seats: Iterable[Seat], at: int | None = None) -> Others:
    """Who plays for whom now, or did at an instant."""
    found = {seat.name: _played(seat, at) for seat in seats}
    return {name: played for name, played in found.items() if played is not None}


def _played(seat: Seat, at: int | None) -> Played | None:
    if seat.robot:
        return Played("robot")
    if seat.removed_at is not None and (at is None or at >= seat.removed_at):
        return Played("stand_in")
    if seat.player is not None and (at is None or at >= (seat.taken_at or 0)):
        return Played("player", seat.player)
    return None


def people(seats: Iterable[Seat]) -> list[Seat]:
    """The seats that a person plays."""
    return [seat for seat in seats if not seat.robot and seat.removed_at is None]
