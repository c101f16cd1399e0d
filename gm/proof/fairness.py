"""What proves a game: receipts of the orders used, the chain over set-up and rounds, and the
`fairness` of the record.
"""

from collections.abc import Container, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from gm import clock, errors, seeds, store
from gm.store.db import Database
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.notes import Note
from gm.store.rounds import ClosedRound
from rounds.engine.record import Fairness, ReceiptProof, Record, RoundProof, RoundRecord, replay
from rounds.engine.shuffle import ALGORITHM, LEVEL, chain_link, chain_next, chain_start, setup_hash
from rounds.engine.variant import Table
from rounds.engine.verdict import PROVEN, Given
from rounds.engine.verify import verify
from rounds.engine.witness import Line, telling


def first_chain(game: Game) -> str:
    """The chain value before the first round, of a game whose set-up is fixed."""
    setup, commit = msgspec.json.decode(game.setup or "{}"), bytes.fromhex(game.commitment or "")
    return chain_start(setup_hash(setup), commit, {}).hex()


def next_chain(
    db: Database,
    game: Game,
    played: dict[str, Any],
    receipts: dict[str, ReceiptProof | None],
    closed_at: int,
) -> str:
    """The chain value after the open round. `played`: what the variant tells of it."""
    (before,) = store.rounds.closed(db, game.id, [game.round - 1])
    digests = {seat: used.receipt if used else None for seat, used in receipts.items()}
    notes = _recorded_notes(db, game.id, game.round)
    link = chain_link(
        msgspec.to_builtins(played), game.round, digests, notes, _times(game.deadline, closed_at)
    )
    return chain_next(bytes.fromhex(before.chain), link).hex()


def _times(deadline: int | None, closed_at: int) -> dict[str, str]:
    """`deadline` and `closed` of a round in the record; the same if it had no deadline."""
    return {
        "deadline": clock.written(closed_at if deadline is None else deadline),
        "closed": clock.written(closed_at),
    }


def receipt_of(seat: str, revision: Revision) -> ReceiptProof:
    """The receipt of these orders, with its salt."""
    return ReceiptProof(
        revision=revision.number, salt=revision.salt.hex(), receipt=revision.digest(seat)
    )


def recorded_note(note: Note) -> dict[str, Any]:
    """A note as the record has it: kind, instant, reason, seat; chain values that a rollback or
    restore took back, and the first round of which a restore lost something.
    """
    record: dict[str, Any] = {"kind": note.kind, "at": clock.written(note.at), "text": note.text}
    if note.seat is not None:
        record["seat"] = note.seat
    if note.withdrawn is not None:
        record["withdrawn"] = note.withdrawn
    if note.kind == "restored" and note.withdrawn is not None:
        record["since"] = note.since
    return record


def taken_back(notes: Sequence[Note]) -> list[Line]:
    """The lines by which mails tell of what notes of a game take back."""
    return [line for note in notes for line in telling(note.game, note.round, recorded_note(note))]


class Proof(Struct, frozen=True):
    """What a report prints for its recipients to keep: the set-up in the first, the secret and a
    verdict in the last.
    """

    setup_hash: str | None
    secret: str | None
    verdict: str | None
    ends: dict[int, str]
    """The first and the last chain value, by round: with the commitment they prove the whole
    game.
    """


def proof(db: Database, game: Game, number: int) -> Proof:
    """What the report of a round prints besides its receipts and chain."""
    secret = store.rounds.revealed_secret(db, game)
    ended = secret is not None and number >= game.round - (0 if game.aborted else 1)
    setup = msgspec.json.decode(game.setup or "{}")
    return Proof(
        setup_hash=setup_hash(setup).hex() if setup and number == 0 else None,
        secret=secret if ended else None,
        verdict=(game.verdict or verdict(db, game)) if ended else None,
        ends=ends(db, game) if ended else {},
    )


def ends(db: Database, game: Game) -> dict[int, str]:
    """The first and the newest chain value, by round."""
    closed = store.rounds.closed(db, game.id)
    return {one.number: one.chain for one in (*closed[:1], *closed[-1:])}


def verdict(db: Database, game: Game) -> str:
    """What `verify` says of the record of a game that is over, compared with the stored values,
    not a player's.
    """
    record, notes = record_of(db, game), store.notes.of_game(db, game.id)
    secret = store.rounds.revealed_secret(db, game) or ""
    own = [taken_back(notes), [Line(game.id, len(record.rounds) + 1, "secret", secret)]]
    given = Given(game.commitment, ends(db, game))
    found = verify(msgspec.json.encode(record), seeds.deck, given, own)
    return PROVEN if found.verdict == PROVEN else found.line


def record_of(db: Database, game: Game) -> Record:
    """The record as far as the game has come, for anybody, with its proofs; with the secret once
    the game is over.
    """
    return _record(
        db, game, block(db, game), is_sealed=game.engine.seals_lists and game.status != "finished"
    )


def record_to_replay(db: Database, game: Game) -> Record:
    """The record without its proofs: enough to play the game again with the shuffles of the
    database.
    """
    return _record(db, game, UNSET)


def _record(
    db: Database, game: Game, fairness: Fairness | UnsetType, *, is_sealed: bool = False
) -> Record:
    return Record(
        format="bohnenpost/1",
        variant=game.variant,
        game=game.id,
        seats=tuple(seat.name for seat in store.seats.of_game(db, game.id)),
        house_rules=msgspec.json.decode(game.house_rules),
        fairness=fairness,
        rounds=tuple(
            RoundRecord({} if is_sealed else closed.lists)
            for closed in store.rounds.closed(db, game.id)
            if closed.number
        ),
    )


def block(db: Database, game: Game) -> Fairness:
    """The `fairness` of a record; before the end without secret, salts and how it ended."""
    over = game.status == "finished"
    rounds = [
        _proof(db, closed, over=over)
        for closed in store.rounds.closed(db, game.id)
        if closed.number
    ]
    ended_in = store.notes.of_round(db, game.id, game.round) if over and game.aborted else []
    # else a restore would be in no record: its round is open, or a rollback went behind it
    restored = [
        note
        for note in store.notes.of_game(db, game.id)
        if note.kind == "restored" and note.round >= game.round and note not in ended_in
    ]
    notes = tuple(map(recorded_note, [*ended_in, *restored]))
    return Fairness(
        algorithm=ALGORITHM,
        level=LEVEL,
        commitment=game.commitment or "",
        secret=store.rounds.revealed_secret(db, game) or UNSET,
        setup=msgspec.json.decode(game.setup or "{}"),
        end=("aborted" if game.aborted else "finished") if over else UNSET,
        notes=notes if notes or game.aborted else UNSET,
        rounds=tuple(rounds),
    )


def _proof(db: Database, closed: ClosedRound, *, over: bool) -> RoundProof:
    receipts = msgspec.json.decode(closed.receipts, type=dict[str, ReceiptProof | None])
    if not over:
        receipts = {
            seat: r and ReceiptProof(revision=r.revision, receipt=r.receipt)
            for seat, r in receipts.items()
        }
    notes = _recorded_notes(db, closed.game, closed.number)
    return RoundProof(receipts, notes, closed.chain, **_times(closed.deadline, closed.closed_at))


def _recorded_notes(db: Database, game: str, number: int) -> tuple[dict[str, Any], ...]:
    return tuple(recorded_note(note) for note in store.notes.of_round(db, game, number))


def difference(db: Database, game: Game) -> str | None:
    """Where a started game, played again from its record, first differs from what is stored;
    None if nowhere.
    """
    try:
        closed = store.rounds.closed(db, game.id)
        played = replay(
            record_to_replay(db, game),
            game.engine,
            seeds.deck(game.variant),
            store.rounds.chance(db, game),
        )
        tables: list[Table] = [played.start, *(again.after for again in played.rounds)]
        happened = [played.dealt, *(again.events for again in played.rounds)]
        for stored, table, events in zip(closed, tables, happened, strict=True):
            if game.engine.read_events(stored.events) != tuple(events):
                return f"round {stored.number}, what happened"
            if store.rounds.table_of(db, game, stored.state) != table:
                return f"round {stored.number}, the table after it"
        if closed[-1].number != game.round - 1:
            return f"round {game.round - 1} is missing"
    except Exception as error:  # whatever cannot be played again differs
        if errors.is_environment(error):
            raise
        return f"{type(error).__name__}: {error}"
    return None


def differences(db: Database) -> dict[str, str]:
    """By game, where it first differs from its record."""
    places = {game.id: difference(db, game) for game in store.games.all_games(db) if game.setup}
    return {game: place for game, place in places.items() if place}


def changed_verdicts(db: Database, but: Container[str]) -> list[tuple[str, str, str]]:
    """The games that are over and of which this version says another verdict than was stored:
    id, stored verdict, verdict now. `but`: not these, which cannot be played again.
    """
    changed = []
    for game in store.games.all_games(db):
        if game.verdict is not None and game.id not in but:
            found = verdict(db, game)
            if found != game.verdict:
                changed.append((game.id, game.verdict, found))
    return changed
