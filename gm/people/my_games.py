"""The one link that opens all games of a player's address. It follows the address, not the seat."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from gm import errors, store
from gm.calendar import read_absence
from gm.clock import HOUR
from gm.errors import Refusal
from gm.games.names import checked_address
from gm.games.orders import Replaced
from gm.installation import Installation
from gm.links import token_hash
from gm.mail import queue
from gm.mail.queue import Recipient
from gm.people import seating
from gm.store.accounts import MyGames
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.seats import Seat

WAITING = ("waits", "asked")
"""States in which the player has something to do: order, or say before the start that they are
there.
"""


class Entry(Struct, frozen=True):
    """One seat of an address, with its game and the orders that count in the open round, whoever
    sent them.

    `state`: the game `waits` for orders, or they are `sent`; it is somebody else's `turn`; the
    round is `closing`; the game is `paused`, `held` or `finished`; before the start the player
    is `asked` whether they are there, or not (`before`). `moment`: where the game stands;
    `rank`: None without a ranking, or if all have the same.
    """

    seat: Seat
    game: Game
    state: str
    list: Revision | None
    moment: object
    rank: int | None
    taken: int

    @property
    def is_waiting(self) -> bool:
        """True if the player has something to do."""
        return self.state in WAITING


def send_my_games(db: Database, home: Installation, address: str, now: int) -> None:
    """Mail the link to all seats of an address, at most once an hour. Raises Refusal for a bad
    address.
    """
    address = checked_address(address)
    with write(db):
        store.meta.always_write(db)
        # not as it was typed: each spelling may be another's mailbox
        for spelled in store.seats.addresses_like(db, address):
            last = store.accounts.my_games(db, spelled)
            if last is None or now - last.at >= HOUR:
                _renew_my_games_link(db, home, store.seats.at(db, spelled), now)


def renew_my_games(db: Database, home: Installation, link: MyGames, now: int) -> None:
    """End a link and mail another, at most once an hour. Raises Replaced if it is not the one
    that works or it opens no seat, and Refusal if it was mailed within the hour.
    """
    with write(db):
        seats = store.seats.at(db, link.address)
        if store.accounts.my_games(db, link.address) != link or not seats:
            raise Replaced(link.address)
        if now - link.at < HOUR:
            raise Refusal("young_link")
        _renew_my_games_link(db, home, seats, now)


def _renew_my_games_link(db: Database, home: Installation, seats: Sequence[Seat], at: int) -> None:
    """Make a new link for the address of these seats and mail it; the one before is dead. Inside
    `write`.
    """
    first = seats[0]
    assert first.address is not None
    store.accounts.end_my_games(db, at, first.address)
    store.accounts.add_my_games(
        db,
        MyGames(
            first.address, token_hash(home.token("my-games", who=first.address, number=at)), at
        ),
    )
    recipient = Recipient(first.address, first.language)
    queue.put(db, None, 0, queue.Event(kind="my_games", mark=at), [recipient], at)


def my_games_opened_by(db: Database, token: str, now: int) -> MyGames | None:
    """The link of this token, if it still opens something."""
    link = store.accounts.my_games_by_hash(db, token_hash(token))
    return link if link and now < link.ends and store.seats.at(db, link.address) else None


def entries(db: Database, link: MyGames, now: int) -> list[Entry]:
    """Every seat of the address, the next deadline first, finished games last. A game that
    cannot be read is left out.
    """
    return list(_entries(db, link, now))


def _entries(db: Database, link: MyGames, now: int) -> Iterator[Entry]:
    seats = store.seats.at(db, link.address)
    games = store.games.with_ids(db, [seat.game for seat in seats])
    taken = store.seats.taken(db, list(games))
    for seat in [seat for seat in seats if seat.game in games]:
        with errors.passed_over(f"{seat.game} on the page of all games"):
            game = games[seat.game]
            counting = store.lists.newest(db, game.id, game.round).get(seat.number)
            moment, rank = _standing(db, game, seat) if game.round else (None, None)
            _ = game.schedule  # which the page tells
            yield Entry(
                seat,
                game,
                _state(game, seat, counting, now),
                counting,
                moment,
                rank,
                taken[game.id][0],
            )


def _state(game: Game, seat: Seat, counting: Revision | None, now: int) -> str:
    if game.status == "open":
        return "asked" if seat.asked_at is not None and seat.ready_at is None else "before"
    if game.status != "running":
        return game.status
    if game.deadline is not None and now >= game.deadline:
        return "closing"
    if counting is not None:
        return "sent"
    return "waits" if game.awaits(seat.name) else "turn"


def _standing(db: Database, game: Game, seat: Seat) -> tuple[object, int | None]:
    """Where a game stands, and the rank of a seat by talers."""
    variant, table = game.engine, store.rounds.open_table(db, game)
    if variant.scores is None:
        return variant.moment(table), None
    talers = variant.scores.of(variant.view(table, None))
    rank = 1 + sum(other > talers[seat.name] for other in talers.values())
    return variant.moment(table), rank if len(set(talers.values())) > 1 else None


def common_absence(entries: Sequence[Entry]) -> tuple[str, str]:
    """The absence that all these seats have; both days empty if they have none, or not the same."""
    days = {(entry.seat.away_from or "", entry.seat.away_to or "") for entry in entries}
    return days.pop() if len(days) == 1 else ("", "")


def set_common_absence(
    db: Database, entries: Sequence[Entry], first: str, last: str, now: int
) -> None:
    """Set an absence for all these seats, in days as people write them; both empty for none.
    Raises Refusal, with nothing stored.
    """
    days = {
        entry.game.schedule.zone: read_absence(first, last, entry.game.schedule.zone, now)
        for entry in entries
    }
    for begins, ends in days.values():
        if begins > ends:
            raise Refusal("bad_absence")
    for entry in entries:
        seating.set_absence(db, entry.seat, *days[entry.game.schedule.zone])
