"""What players write to their game masters, and which mails a game master has chosen."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from gm import store
from gm.errors import Refusal
from gm.mail.kinds import TO_CHOOSE
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.lists import Press
from gm.store.seats import Seat


class Word(Struct, frozen=True):
    """Words of a player to the game masters. `new`: nobody has read them yet; `address`: where an
    answer goes, None if somebody else has the seat by now.
    """

    game: Game
    round: int
    seat: str
    player: str
    text: str
    at: int
    new: bool
    address: str | None = None


def words(db: Database, game: Game) -> list[Word]:
    """All words in a game, newest first."""
    seats = store.seats.of_game(db, game.id)
    return [_word(game, word, seats) for word in store.lists.words_to_gm(db, game.id)]


def unread(db: Database, game: Game) -> list[Word]:
    """The words in a game that nobody has read, newest first."""
    return unread_of(db, {game.id: (game, store.seats.of_game(db, game.id))})


def unread_of(db: Database, games: Mapping[str, tuple[Game, Sequence[Seat]]]) -> list[Word]:
    """The words in games that nobody has read, newest first. `games`: each with its seats, by
    its id.
    """
    found = store.lists.unread_words(db, list(games))
    return [_word(games[word.game][0], word, games[word.game][1]) for word in found]


def _word(game: Game, word: Press, seats: Sequence[Seat]) -> Word:
    (seat,) = (seat for seat in seats if seat.number == word.seat)
    is_theirs = word.at >= (seat.player_since or 0)
    return Word(
        game,
        word.round,
        seat.name,
        seat.called if is_theirs else seat.name,
        word.to_gm,
        word.at,
        word.read_at is None,
        seat.address if is_theirs else None,
    )


def read(db: Database, game: str, until: int, now: int) -> bool:
    """Mark the words that came until an instant as read. False if they were."""
    with write(db):
        return store.lists.mark_words_read(db, game, until, now) > 0


def read_word(db: Database, seat: Seat, round_number: int, until: int, now: int) -> bool:
    """Mark what a seat wrote in a round as read, if it came until an instant. False if it was."""
    with write(db):
        return store.lists.mark_word_read(db, seat, round_number, until, now) > 0


def read_all(db: Database, games: Sequence[str], until: int, now: int) -> bool:
    """Mark the words in several games that came until an instant as read. False if they were."""
    with write(db):
        return sum(store.lists.mark_words_read(db, game, until, now) for game in games) > 0


def choose(db: Database, address: str, mails: tuple[str, ...]) -> None:
    """Choose which kinds of mail a game master gets. Raises Refusal for an address that may not
    sign in.
    """
    assert set(mails) <= set(TO_CHOOSE)
    with write(db):
        if store.accounts.get(db, address) is None:
            raise Refusal("no_master", address=address)
        chosen = [kind for kind in TO_CHOOSE if kind in mails]
        store.accounts.update(db, address, {"mails": msgspec.json.encode(chosen).decode()})
