"""What the API answers about games, rounds and seats: plain JSON, the same as people see on
pages and no more.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct

from gm import clock, errors, store
from gm.games import orders as game_orders
from gm.games.awaited import lists_in
from gm.games.orders import in_time
from gm.installation import Installation
from gm.open_round import standing
from gm.rendering.reports import report
from gm.store.db import Database
from gm.store.lists import Source
from gm.timetable.length import Length, length_of
from rounds.engine import variant
from rounds.engine.notation import Orders
from rounds.engine.record import ReceiptProof

Whole = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Address = Annotated[str, Meta(extra_json_schema={"format": "uri"})]
GameId = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,31}$")]
Early = Annotated[
    Instant | None,
    Meta(
        description=(
            "When the open round is closed before its deadline, as things stand; null if it is not."
        )
    ),
]
Came = Annotated[
    Source,
    Meta(
        description=(
            "How it came in: by the personal link, typed by the game master, by a program, by a "
            "robot."
        )
    ),
]
Table = Annotated[dict[str, Any], Meta(description="The table as the variant shows it.")]


class Game(Struct, kw_only=True):
    """A game as it stands in a list."""

    game: GameId
    name: str
    variant: str
    status: Literal["open", "running", "paused", "held", "finished"]
    seats: list[str]
    robots: Annotated[list[str], Meta(description="Those of the seats that robots play.")]
    max_seats: Number | None
    round: Annotated[
        Whole,
        Meta(
            description=(
                "The open round; 0 before the start, after the end one more than were played."
            )
        ),
    ]
    deadline: Instant | None
    language: Annotated[Literal["de", "en"], Meta(description="Of its game master.")]
    calendar: Annotated[
        dict[str, Any],
        Meta(
            description=(
                "When rounds end: weekdays (0 = Monday) at a time in a zone every so many weeks, "
                "or hours for each; neither: by hand."
            )
        ),
    ]
    length: Annotated[
        Length | None,
        Meta(
            description=(
                "How long it takes: rounds, turns where people count those; a mean if it is not "
                "fixed, before the start with `fewest_turns` that of the fullest table; about how "
                "many seconds, null without deadlines. Null for a game that was ended early."
            )
        ),
    ]
    page: Address


class Games(Struct, kw_only=True):
    """A page of the public games."""

    games: list[Game]


class WholeGame(Game, kw_only=True):
    """A game as anybody may see it: house rules, the promise behind the deck, the table, how
    many lists are in.
    """

    description: str
    house_rules: dict[str, Any]
    commitment: str | None
    lists_in: Annotated[
        Whole, Meta(description="How many of the awaited lists are in; never whose.")
    ]
    lists_awaited: Annotated[
        Whole, Meta(description="How many lists of people the open round waits for.")
    ]
    closes_early_at: Early
    awaited: Annotated[
        list[str], Meta(description="The seats whose lists the open round waits for.")
    ]
    chain: Annotated[str | None, Meta(description="The chain after the last closed round.")]
    table: Table | None
    record: Address


class Written(Struct):
    """What a seat wrote for all."""

    seat: str
    text: str


class Note(Struct):
    """What was done to a round."""

    kind: str
    at: Instant
    seat: str | None
    text: str


class Used(Struct, kw_only=True, omit_defaults=True):
    """The list that was used; the salt once the game is over."""

    revision: Number
    salt: str | None = None
    receipt: str


class Round(Struct, kw_only=True):
    """A closed round. Beside these fields stands what the variant records of it, as `replay
    --json` prints it.
    """

    game: GameId
    round: Number
    version: Annotated[
        Number, Meta(description="One more each time the round was taken back and played again.")
    ]
    closed: Instant
    press: list[Written]
    notes: list[Note]
    receipts: dict[str, Used | None]
    sources: dict[str, Came | None]
    chain: str


class List(Struct, kw_only=True):
    """A stored list, with the digest that its receipt and the report print; what it says only
    for the link that sent it.
    """

    round: Number
    revision: Number
    orders: Annotated[
        str | None,
        Meta(description="Canonical; null: an earlier link or token of the seat sent it."),
    ]
    source: Came
    at: Instant
    digest: Annotated[
        str, Meta(pattern="^[0-9a-f]{64}$", description="What the receipt and the report print.")
    ]


class Receipt(List, kw_only=True):
    """The answer to a stored list."""

    new: Annotated[bool, Meta(description="false: the same list was there already.")]


class Seat(Game, kw_only=True):
    """A seat with what only its player may see, as the order page shows it."""

    seat: str
    closes_early_at: Early
    takes_orders: bool
    table: Table | None
    list: List | None
    press: str
    note: str
    if_absent: Annotated[
        str | None, Meta(description="What is played for this seat if it sends nothing.")
    ]


class OrderStep(Struct):
    """What one order does."""

    event: Annotated[dict[str, Any] | None, Meta(description="The first of the events.")]
    events: list[dict[str, Any]]
    farm: Annotated[
        dict[str, Any] | None, Meta(description="Afterwards; null where it is not known yet.")
    ]


class Checked(Struct, kw_only=True):
    """A list that would be accepted: canonical, with what each order does."""

    round: Number
    orders: Annotated[str, Meta(description="Canonical.")]
    steps: list[OrderStep]


ANSWERS = (Games, WholeGame, Round, Seat, Receipt, Checked)


def deadline(game: store.games.Game) -> str | None:
    """When the open round ends; None for a round that is closed by hand."""
    return _written(game.deadline)


def _written(instant: int | None) -> str | None:
    return None if instant is None else clock.written(instant)


def public_games(home: Installation, db: Database, found: Sequence[store.games.Game]) -> Games:
    """These games as they stand in a list. Games that cannot be read are left out."""
    games = []
    for game in found:
        with errors.passed_over(f"{game.id} in the list of games"):
            games.append(Game(**_line(home, db, game)))
    return Games(games=games)


def _line(home: Installation, db: Database, game: store.games.Game) -> dict[str, Any]:
    """The fields of `Game`."""
    seats = store.seats.of_game(db, game.id)
    return {
        "game": game.id,
        "name": game.name,
        "variant": game.variant,
        "status": game.status,
        "seats": [seat.name for seat in seats],
        "robots": [seat.name for seat in seats if seat.robot],
        "max_seats": game.seats,
        "round": game.round,
        "deadline": deadline(game),
        "language": game.gm_language,
        "calendar": msgspec.to_builtins(game.schedule),
        "length": length_of(game, len(seats), clock.now()),
        "page": home.game_url(game),
    }


def whole_game(home: Installation, db: Database, game: store.games.Game) -> WholeGame:
    """A game as anybody may see it."""
    seats = store.seats.of_game(db, game.id)
    newest, lists = (
        store.rounds.get(db, game.id, game.round - 1) if game.round else None,
        lists_in(db, game),
    )
    return WholeGame(
        **_line(home, db, game),
        description=game.description,
        house_rules=msgspec.json.decode(game.house_rules),
        commitment=game.commitment,
        lists_in=lists.number,
        lists_awaited=len(lists.awaited),
        closes_early_at=_written(standing(db, game).closes_early_at),
        awaited=[seat.name for seat in seats if game.is_open and game.awaits(seat.name)],
        chain=newest.chain if newest else None,
        table=_plain(game.engine.view(store.rounds.open_table(db, game), None)) if newest else None,
        record=f"{home.game_url(game)}/record.json",
    )


def closed_round(db: Database, game: store.games.Game, number: int) -> dict[str, Any]:
    """A closed round: row, piles, farms and lists as in a record played again, what was written,
    and what proves it.

    Raises LookupError if it is not closed.
    """
    closed = report(db, game, number)
    over = game.status == "finished"
    used = {
        seat: None if proof is None else _used(proof, over=over)
        for seat, proof in closed.receipts.items()
    }
    before, after = (
        store.rounds.table_after(db, game, number - 1),
        store.rounds.table_after(db, game, number),
    )
    played: dict[str, Any] = _plain(game.engine.tell(before, closed.events, after))
    if over:
        played |= _plain(game.engine.secrets(before, closed.events, after))
    facts = Round(
        game=game.id,
        round=number,
        version=closed.version,
        closed=clock.written(closed.closed_at),
        press=[Written(name, text) for name, text in closed.press],
        notes=[
            Note(note.kind, clock.written(note.at), note.seat, note.text) for note in closed.notes
        ],
        receipts=used,
        sources=closed.sources,
        chain=closed.chain,
    )
    plain: dict[str, Any] = _plain(facts)
    return {key: plain[key] for key in ("game", "round", "version", "closed")} | played | plain


def _used(proof: ReceiptProof, *, over: bool) -> Used:
    salt = proof.salt if over and proof.salt is not UNSET else None
    return Used(revision=proof.revision, salt=salt, receipt=proof.receipt)


class Own(Struct, frozen=True):
    """A seat with what only its player may see: the list that counts, press and words for the
    open round.
    """

    game: store.games.Game
    seat: store.seats.Seat
    press: str
    to_gm: str


def own_seat(home: Installation, db: Database, own: Own) -> Seat:
    """What the order page shows."""
    game, seat = own.game, own.seat
    newest = store.lists.newest(db, game.id, game.round).get(seat.number)
    table = store.rounds.open_table(db, game) if game.round else None
    orders = table is not None and game.status != "finished" and game.takes(seat.name)
    stand_in = (
        game.engine.write_orders(table, game.engine.stand_in(table, seat.name)) if orders else None
    )
    return Seat(
        **_line(home, db, game),
        seat=seat.name,
        closes_early_at=_written(standing(db, game).closes_early_at),
        takes_orders=in_time(game, clock.now()) and game.takes(seat.name),
        table=_plain(game.engine.view(table, seat.name)) if table is not None else None,
        list=None if newest is None else List(**_listed(newest, seat)),
        press=own.press,
        note=own.to_gm,
        if_absent=stand_in,
    )


def checked(
    game: store.games.Game, table: variant.Table, seat: store.seats.Seat, orders: Orders
) -> Checked:
    """A list that would be accepted."""
    steps = game.engine.preview(table, seat.name, orders)
    return Checked(
        round=game.round,
        orders=game.engine.write_orders(table, orders),
        steps=[_step(step) for step in steps],
    )


def _step(step: variant.Step) -> OrderStep:
    """One order and its events. `event` is the first of them, the only one in most games."""
    events = [_plain(event.named) for event in step.events]
    return OrderStep(events[0] if events else None, events, _plain(step.farm))


def receipt(given: game_orders.Receipt, seat: store.seats.Seat) -> Receipt:
    """The answer to a stored list."""
    return Receipt(**_listed(given.revision, seat), new=given.is_new)


def _listed(revision: store.lists.Revision, seat: store.seats.Seat) -> dict[str, Any]:
    """The fields of `List`."""
    return {
        "round": revision.round,
        "revision": revision.number,
        "orders": revision.orders if revision.is_of(seat) else None,
        "source": revision.source,
        "at": clock.written(revision.at),
        "digest": revision.digest(seat.name),
    }


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)
