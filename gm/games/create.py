"""A game up to its first round: new, open, seats, start."""

import secrets
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict, Unpack

import msgspec

from gm import clock, seeds, store
from gm.calendar import Rule
from gm.errors import Refusal
from gm.games.house_rules import check_players, checked, seat_limit
from gm.games.names import (
    checked_address,
    checked_description,
    checked_name,
    checked_player,
    is_named_like,
    looks_like,
)
from gm.games.seat_lines import SeatLine
from gm.links import is_practice, token, token_hash
from gm.mail import queue, refused
from gm.proof import fairness
from gm.rendering.dates import LANGUAGES
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.notes import plain_words
from gm.store.seats import Seat
from gm.timetable import promises
from rounds.engine.record import GAME_ID
from rounds.engine.shuffle import LEVEL, SECRET_BYTES, commitment, setup_document
from rounds.engine.variant import find

ROBOTS = ("Rosa", "Rudi", "Rita", "Rolf", "Ruth", "Ralf", "Rike", "Rafi", "Rena")
"""Names of robots that fill a table."""
RESTORED = "restored "
"""Prefix of keys in `meta`: for a game that a restore brought back before its start, how old the
copy was, and what the note of its first round stores.
"""
LINKS = "links"
"""Key in `meta`: the number that all links to seats had after the last restore. No link that was
given before has a higher one.
"""


class Options(TypedDict, total=False):
    """Options of a new game; what is left out is as in `DEFAULTS`. See `store.games.Game`."""

    gm_language: str
    early_after: int | None
    after_early: str
    silence_guard: bool
    seats: int | None
    listed: bool
    description: str
    asks_again: bool


DEFAULTS: Options = {
    "gm_language": "de",
    "after_early": "same",
    "silence_guard": False,
    "listed": True,
}


def new_game(  # noqa: PLR0913  # a game has as many
    db: Database,
    *,
    game: str,
    name: str,
    variant: str,
    house_rules: dict[str, Any],
    gm: tuple[str, str],
    rule: Rule,
    now: int,
    people: Sequence[SeatLine] = (),
    key: bytes = b"",
    start: bool = False,
    **options: Unpack[Options],
) -> Game:
    """Make a game that nobody can join yet. `gm`: name and address. With `people` it is open and
    they sit there (`key` makes their links), all in one transaction; with `start` it begins.

    Raises Refusal for an id that is taken or odd, bad house rules, a limit of seats that the
    variant cannot be played with, or naming every seat that cannot be given.
    """
    if not GAME_ID.fullmatch(game) or (gm[1] and is_practice(game)):
        raise Refusal("bad_id", id=game)
    address = checked_address(gm[1]) if gm[1] else ""  # nobody leads a game among friends
    rules, limit = checked(variant, house_rules), seat_limit(variant, options.get("seats"))
    if find(variant).closes_at_once and options.get("early_after") is None:
        options["early_after"] = 0
    options.setdefault("asks_again", not options.get("listed", True))
    row = {
        "id": game,
        "variant": variant,
        "name": checked_name(name),
        "gm_name": checked_name(gm[0]),
        "gm_address": address,
        "house_rules": msgspec.json.encode(rules).decode(),
        "rule": msgspec.json.encode(rule).decode(),
        "status": "draft",
        "created_at": now,
        "description": checked_description(options.pop("description", "")),
    }
    with write(db):
        _add_game(db, {**row, **DEFAULTS, **options, "seats": limit})
        if address:
            store.games.add_master(db, game, address.lower())
        if people or start:
            publish(db, game)
            made = store.games.existing(db, game)
            _take_seats(db, key, made, people, welcome=not start)
            if start:
                begin(db, game, now)
            elif limit is None or len(people) < limit:
                queue.put_for_followers(db, made, "opened", clock.now())
    return store.games.existing(db, game)


def _take_seats(
    db: Database, key: bytes, game: Game, people: Sequence[SeatLine], *, welcome: bool
) -> None:
    """Give seats to people, and mail them. Inside `write`. Raises Refusal with every line that
    is wrong.
    """
    wrong = []
    for line in people:
        try:
            if not line.is_clear:
                raise Refusal("bad_seat_line")
            language = line.language or game.gm_language
            who = (line.name, line.address, language)
            _give_seat(db, key, game.id, *who, strength=line.strength, welcome=welcome)
        except Refusal as refusal:
            wrong.append((line.place, line.typed, refusal))
    if wrong:
        raise Refusal("bad_seats", lines=wrong)


def _add_game(db: Database, row: dict[str, Any]) -> None:
    """Store a new game. Inside `write`. Raises Refusal for an id that is taken."""
    if store.games.get(db, row["id"]):
        raise Refusal("id_taken", game=row["id"])
    given = store.meta.remembered(db, LINKS)  # a game with this id may have been lost
    store.games.add(db, {**row, "links_given": int(given or 0)})


def open_game(db: Database, game_id: str) -> Game:
    """Draw the secret and publish its commitment. From now on seats can be taken, and nothing
    else of the set-up can change.
    """
    with write(db):
        game = store.games.in_status(db, game_id, "draft")
        if game.waits_for_answers:
            raise Refusal("waits_for_answers", game=game_id)
        publish(db, game_id)
        queue.put_for_followers(db, game, "opened", clock.now())
    return store.games.existing(db, game_id)


def publish(db: Database, game: str, status: str = "open") -> None:
    """Draw the secret and store its commitment; the game then has this status. Inside `write`."""
    secret = secrets.token_bytes(SECRET_BYTES)
    store.rounds.add_secret(db, game, secret)
    store.games.update(db, game, {"status": status, "commitment": commitment(game, secret).hex()})


COPIED = (
    "variant",
    "gm_name",
    "gm_address",
    "gm_language",
    "rule",
    "early_after",
    "after_early",
    "silence_guard",
    "seats",
    "listed",
    "description",
    "asks_again",
)
"""The columns that a game played again has from the one before."""


def play_again(db: Database, key: bytes, before: str, game_id: str, name: str, now: int) -> Game:
    """Open a finished game once more with everybody on their seats, all or nothing: the same
    variant, people, robots, game masters, calendar and options; the house rules as the variant
    changes them for a return match.

    Players who stepped in get a seat of their own name. Everybody is mailed that they have a
    seat and may leave it; players who left the game before, or said that they play no more, get
    none. Raises Refusal if the game is not finished, if its players are being asked, or if the id
    is taken or odd.
    """
    if not GAME_ID.fullmatch(game_id) or is_practice(game_id):
        raise Refusal("bad_id", id=game_id)
    with write(db):
        game = store.games.in_status(db, before, "finished")
        going_on = store.games.next_of(db, before)
        if going_on is not None and going_on.waits_for_answers:
            raise Refusal("goes_on", game=going_on.id)
        if going_on is not None and (going_on.is_called_off or going_on.status == "draft"):
            store.games.update(db, going_on.id, {"previous": None})
            going_on = None
        copy_game(db, game, game_id, name, now, previous=None if going_on else before)
        publish(db, game_id)
        for seat in store.seats.of_game(db, before):
            if seat.robot or (seat.removed_at is None and seat.again != 0):
                taken = take_seat(
                    db,
                    key,
                    game_id,
                    seat.called,
                    seat.address,
                    seat.language,
                    strength=seat.strength,
                    is_person=not seat.robot,
                )
                if taken.address:
                    queue.put(
                        db,
                        game_id,
                        0,
                        queue.Event(kind="welcome", mark=taken.link_number),
                        [taken],
                        now,
                    )
        again = store.games.existing(db, game_id)
        if again.seats is None or len(store.seats.of_game(db, game_id)) < again.seats:
            queue.put_for_followers(db, again, "opened", now)
    return store.games.existing(db, game_id)


def copy_game(
    db: Database, game: Game, game_id: str, name: str, now: int, previous: str | None = None
) -> None:
    """Make a draft with the variant, game masters, calendar and options of a game, and the house
    rules as the variant changes them for a return match. Inside `write`.
    """
    rules = game.engine.return_match(game.rules)
    row = {
        "id": game_id,
        "name": checked_name(name),
        "house_rules": msgspec.json.encode(rules).decode(),
        "status": "draft",
        "created_at": now,
        "previous": previous,
    }
    _add_game(db, {**row, **{field: getattr(game, field) for field in COPIED}})
    for address in store.games.masters(db, game.id):
        store.games.add_master(db, game_id, address)


def add_seat(
    db: Database,
    key: bytes,
    *,
    game: str,
    name: str,
    address: str | None,
    language: str,
    robot: bool = False,
    strength: str = "",
    welcome: bool = False,
    by_hand: bool = False,
) -> Seat:
    """Give a seat to somebody, or to a robot (no address) of this strength. `welcome`: mail the
    player the commitment; `by_hand`: somebody without an address, who is given the link by hand.

    Raises Refusal if the game is not open or full, the name is odd or taken, the address has a
    seat in it, or the game has no robot of this strength.
    """
    who = (name, None if robot or by_hand else address or "", language)
    strength = strength if robot else ""
    with write(db):
        return _give_seat(
            db, key, game, *who, strength=strength, welcome=welcome, is_person=by_hand
        )


def _give_seat(
    db: Database,
    key: bytes,
    game: str,
    name: str,
    address: str | None,
    language: str,
    *,
    strength: str,
    welcome: bool,
    is_person: bool = False,
) -> Seat:
    """Check a name and an address as they were typed, and add a seat. Inside `write`."""
    name = checked_player(name)
    address = None if address is None else checked_address(address)
    seat = take_seat(db, key, game, name, address, language, strength=strength, is_person=is_person)
    if welcome:
        told = queue.Event(kind="welcome", mark=seat.link_number)
        queue.put(db, game, 0, told, [seat], clock.now())
    return seat


def take_seat(
    db: Database,
    key: bytes,
    game: str,
    name: str,
    address: str | None,
    language: str,
    *,
    strength: str = "",
    is_person: bool = False,
    was_there: bool = False,
) -> Seat:
    """Add a seat; without an address it is a robot's, or with `is_person` somebody's whom no mail
    reaches. `was_there`: whoever sat in the game before sits here too, whatever else has the name
    by now. Inside `write`. Raises Refusal as `add_seat` does.
    """
    if language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    strengths = store.games.existing(db, game).engine.strengths
    if strength and strength not in strengths:
        raise Refusal("bad_strength", strength=strength, strengths=tuple(strengths))
    taken = store.seats.of_game(db, game) if was_there else check_free(db, game, name, address)
    # a link that was given to somebody else before stays dead
    number = store.games.existing(db, game).links_given + 1
    if address and any(seat.is_at(address) for seat in taken):
        raise Refusal("address_taken", address=address)
    row = {
        "game": game,
        "number": max((seat.number for seat in taken), default=0) + 1,
        "name": name,
        "address": address,
        "language": language,
        "robot": int(address is None and not is_person),
        "strength": strength,
        "link_number": number,
        "link_hash": token_hash(token(key, game, name, number)),
        "calendar_hash": token_hash(token(key, game, name, number, "calendar")),
        "unsubscribe_hash": token_hash(token(key, game, name, number, "unsubscribe")),
    }
    store.seats.add(db, row)
    return store.seats.of_game(db, game)[-1]


def add_robots(
    db: Database, key: bytes, game: Game, others: Sequence[Seat] = (), least: int = 0
) -> None:
    """Add robots up to the least number of seats, or `least`, none called like a seat or one of
    `others`. Inside `write`.
    """
    seats = store.seats.of_game(db, game.id)
    called = [name for seat in (*seats, *others) for name in (seat.name, seat.called)]
    free = (name for name in ROBOTS if not any(looks_like(other, name) for other in called))
    for _ in range(len(seats), max(least, game.engine.seats[0])):
        take_seat(db, key, game.id, next(free), None, game.gm_language, was_there=True)


def drop_seat(db: Database, seat: Seat, why: str, text: str = "") -> int:
    """Remove a seat before the start. Only a dead link and nameless mails stay; returns the
    number of that link.

    Call it inside `write`.
    """
    store.mails.withdraw_to_seat(db, seat.game, seat.number, clock.now())
    store.mails.forget_seat(db, seat.game, seat.number)
    store.notes.forget_own_notes(db, seat.game, seat.number)
    store.seats.remove(db, seat.game, seat.number)
    store.games.raise_links_given(db, seat.game, seat.link_number)
    store.accounts.end_my_games_without_seat(db, clock.now())
    return store.seats.bury(db, seat, why, clock.now(), text)


def check_free(db: Database, game_id: str, name: str, address: str | None) -> list[Seat]:
    """The seats taken so far. Raises Refusal if the game is not open or full, or if the name is
    taken, or a game master's of another address.
    """
    game, taken = store.games.in_status(db, game_id, "open"), store.seats.of_game(db, game_id)
    if game.seats is not None and len(taken) >= game.seats:
        raise Refusal("full", seats=game.engine.seats)
    check_free_name(db, game, taken, name, address)
    return taken


def check_free_name(
    db: Database, game: Game, others: Iterable[Seat], name: str, address: str | None
) -> None:
    """Raises Refusal if the name looks like that of one of these seats or their players, or like
    a game master's whose address this is not.
    """
    if any(looks_like(taken, name) for seat in others for taken in (seat.name, seat.called)):
        raise Refusal("name_taken", name=name)
    leading = [*store.games.masters(db, game.id), game.gm_address.lower()]
    if address is not None and address.lower() in leading:
        return
    accounts = filter(None, (store.accounts.get(db, led) for led in leading))
    names = {game.gm_name, *(account.name for account in accounts)}
    if any(is_named_like(name, master) for master in names if master):
        raise Refusal("name_reserved", name=name)


def start_game(db: Database, game_id: str, now: int) -> Game:
    """Fix the set-up, shuffle, deal the first row and queue the first report, in one
    transaction.

    Raises Refusal for more or fewer seats than the variant needs, or without a person.
    """
    with write(db):
        begin(db, game_id, now)
    return store.games.existing(db, game_id)


def begin(db: Database, game_id: str, now: int) -> None:
    """Begin an open game, as `start_game` does. Inside `write`."""
    game = store.games.in_status(db, game_id, "open")
    seats = store.seats.of_game(db, game_id)
    _check_seats(game, seats)
    variant, names = find(game.variant), tuple(seat.name for seat in seats)
    deck = variant.deck_for(seeds.deck(game.variant), len(names))
    rules = msgspec.json.decode(game.house_rules)
    setup = setup_document(
        game.variant,
        game_id,
        names,
        rules,
        deck,
        LEVEL,
        robots=[seat.name for seat in seats if seat.robot],
        unconfirmed=store.rounds.unconfirmed(db, seats),
    )
    store.games.update(db, game_id, {"setup": msgspec.json.encode(setup).decode()})
    chance = store.rounds.chance(db, store.games.existing(db, game_id))
    table, events = variant.set_up(deck, msgspec.convert(rules, variant.house_rules), names, chance)
    start = {
        "game": game_id,
        "number": 0,
        "deadline": None,
        "closed_at": now,
        "orders": "{}",
        "events": msgspec.json.encode(events).decode(),
        "state": variant.storage.pack(table).decode(),
        "chain": fairness.first_chain(store.games.existing(db, game_id)),
    }
    store.rounds.add(db, start)
    deadline = promises.at_start(game, now)
    open_round = {
        "round": table.round,
        "round_at": now,
        "deadline": deadline,
        "scheduled_deadline": deadline,
    }
    store.games.update(
        db,
        game_id,
        {"status": "running", **open_round, **store.rounds.whose_turn(variant, table, names)},
    )
    if restored := store.meta.remembered(db, f"{RESTORED}{game_id}"):
        copied_at, _, lost = restored.partition(" ")
        store.notes.add(
            db, game_id, table.round, "restored", "", now, old=int(copied_at), changed=lost
        )
        store.meta.forget(db, f"{RESTORED}{game_id}")
    refused.withdraw_offers(db, game_id, now)
    queue.put(db, game_id, 0, queue.Event(kind="start", about=1), seats, now)


def _check_seats(game: Game, seats: Sequence[Seat]) -> None:
    if not seats and 1 in game.engine.seats:
        raise Refusal("no_seats", game=game.id)
    check_players(game.engine, len(seats))
    if all(seat.robot for seat in seats):
        raise Refusal("too_few", game=game.id)


def comment(db: Database, game_id: str, text: str, now: int) -> bool:
    """Add the GM's words for the next report, as a note of the open round. False if these were
    the last words anyway. Raises Refusal if the game does not run.
    """
    if not text.strip():
        raise Refusal("no_comment")
    with write(db):
        game = store.games.in_status(db, game_id, "running")
        last = store.notes.of_round(db, game_id, game.round)[-1:]
        if last and (last[0].kind, last[0].text) == ("comment", plain_words(text)):
            return False
        store.notes.add(db, game_id, game.round, "comment", text, now)
    return True
