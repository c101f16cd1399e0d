"""What players write to their game masters, and which mails a game master has chosen."""

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import store
from gm.errors import Refusal
from gm.mail.queue import MASTERS_MAILS
from gm.store.db import write
from gm.store.games import Game


class Word(Struct, frozen=True):
    """Words of a player to the game masters. `new`: nobody has read them yet."""

    game: Game
    round: int
    seat: str
    player: str
    text: str
    at: int
    new: bool


def words(db: Database, game: Game) -> list[Word]:
    """All words in a game, newest first."""
    seats = {seat.number: seat for seat in store.seats.of_game(db, game.id)}
    words_found = []
    for word in store.lists.words_to_gm(db, game.id):
        seat = seats[word.seat]
        player = seat.called if word.at >= (seat.player_since or 0) else seat.name
        words_found.append(
            Word(game, word.round, seat.name, player, word.to_gm, word.at, word.read_at is None)
        )
    return words_found


def unread(db: Database, game: Game) -> list[Word]:
    """The words in a game that nobody has read, newest first."""
    return [word for word in words(db, game) if word.new]


def read(db: Database, game: str, until: int, now: int) -> bool:
    """Mark the words that came until an instant as read. False if they were."""
    with write(db):
        return store.lists.mark_words_read(db, game, until, now) > 0


def choose(db: Database, address: str, mails: tuple[str, ...]) -> None:
    """Choose which kinds of mail a game master gets. Raises Refusal for an address that may not
    sign in.
    """
    assert set(mails) <= set(MASTERS_MAILS)
    with write(db):
        if store.accounts.get(db, address) is None:
            raise Refusal("no_master", address=address)
        chosen = [kind for kind in MASTERS_MAILS if kind in mails]
        store.accounts.update(db, address, {"mails": msgspec.json.encode(chosen).decode()})
