"""Is a record what was promised? Checked from the record alone: promise, set-up, deck, play,
receipts, chain, in this order.

Nothing of the service is used, so anybody can do the same with another program.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from rounds.engine.beans import DECK_LABEL, Deck
from rounds.engine.record import (
    Fairness,
    Record,
    RecordError,
    Replay,
    RoundProof,
    read_record,
    recorded_chance,
    replay,
)
from rounds.engine.shuffle import (
    ALGORITHM,
    LEVEL,
    SETUP,
    canonical,
    chain_link,
    chain_next,
    chain_start,
    commitment,
    receipt,
    setup_document,
    setup_hash,
)
from rounds.engine.variant import Variant, find
from rounds.engine.verdict import AGREES, IF, NOT_PROVEN, PARTLY, PROVEN, UNCHECKED, Given, Verdict
from rounds.engine.witness import Heard, Line, hear, recorded_chain

LAST_ROUND = 9999
"""The last round of which mails can tell."""
NO_NAMES: Mapping[str, str] = {}
NOTE_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


class _Stop(Exception):
    """The first check that ends the file."""

    def __init__(self, verdict: str, where: str, why: str) -> None:
        self.verdict, self.where, self.why = verdict, where, why
        super().__init__(where, why)


def verify(
    data: bytes,
    deck_of: Callable[[str], Deck],
    given: Given,
    mails: Sequence[Sequence[Line]] = (),
    unread: Sequence[str] = (),
    names: Sequence[str] = (),
    silent: Mapping[str, str] = NO_NAMES,
) -> Verdict:
    """The verdict on a record as bytes. `deck_of`: the deck of a variant by its name; `mails`:
    the lines of each mail, and their `names`; `unread`: names of mails that could not be read;
    `silent`: of mails without a line of the game that their head names, this game by the mail's
    name. Never raises for any bytes.

    PROVEN needs a commitment and a chain value of the last round: whoever holds the secret can
    make another record that agrees with itself, and with the commitment.
    """
    checks: list[tuple[str, str]] = []
    reached = 0
    heard = Heard(Given(), (), 0)
    try:
        record = _form(data)
        if record.fairness is not UNSET:
            _notes(record.fairness)
            heard = hear(record, record.fairness, mails, names)
            unread = [*unread, *(name for name, game in silent.items() if game == record.game)]
            if unread:
                heard = msgspec.structs.replace(
                    heard, conditions=(*heard.conditions, _left_out(unread))
                )
            given = Given(
                given.commitment or heard.given.commitment,
                {**heard.given.chains, **given.chains},
                {**heard.given.receipts, **given.receipts},
            )
            if heard.contradiction:
                raise _Stop(NOT_PROVEN, heard.contradiction.where, heard.contradiction.why)
        for name, what in _run(record, deck_of, given):
            checks.append((name, what))
    except _Stop as stop:
        verdict, where, why = stop.verdict, stop.where, stop.why
    else:
        assert record.fairness is not UNSET
        verdict, where, why = _witnessed(record.fairness, given)
        if verdict == PROVEN:
            why = "; ".join(heard.tellings)
        if verdict == PROVEN and heard.conditions:
            verdict, why = IF, heard.conditions[0]
        if heard.mails:
            reached = max(given.chains, default=0)
    return Verdict(
        verdict,
        where,
        why,
        tuple(checks),
        given,
        heard.conditions,
        heard.mails,
        tuple(
            number
            for number in range(1, reached)
            if number not in given.chains and number not in heard.void_reports
        ),
        heard.tellings,
        heard.void_reports,
        tuple(unread),
    )


def _left_out(names: Sequence[str]) -> str:
    count = (
        "1 mail that was not read says"
        if len(names) == 1
        else f"{len(names)} mails that were not read say"
    )
    return f"{count} nothing else: {', '.join(names)}"


def _witnessed(fairness: Fairness, given: Given) -> tuple[str, str, str]:
    """Verdict, where and why of a record in which nothing fails, by what it was compared with."""
    last, reached = len(fairness.rounds), max(given.chains, default=None)
    if given.commitment is not None and reached == last:
        return PROVEN, "", ""
    if given.commitment is not None and reached is not None:
        rest = f"round {last}" if reached + 1 == last else f"rounds {reached + 1} to {last}"
        return PARTLY, f"round {reached}", f"nothing you gave covers {rest}"
    if reached is not None:
        return (
            AGREES,
            "your chain values",
            "the commitment was not compared; only your first mail shows that it came before you",
        )
    if given.commitment is not None:
        return AGREES, "your commitment", "lists and seats were checked against the record itself"
    return AGREES, "itself", f"compare the commitment with your first mail: {fairness.commitment}"


def _run(record: Record, deck_of: Callable[[str], Deck], given: Given) -> Any:
    yield "form", f"{record.format}, {len(record.rounds)} rounds, {len(record.seats)} seats"
    fairness = record.fairness
    if fairness is UNSET:
        raise _Stop(UNCHECKED, "", "the record lists its deck or has none; nothing was promised")
    _given(fairness, given)
    if given != Given():
        yield "given", "what you gave stands in the record"
    variant, secret = _known(record, fairness)
    yield "known", f"{fairness.algorithm}, level {fairness.level}, {record.variant}"
    if commitment(record.game, secret).hex() != fairness.commitment:
        raise _Stop(NOT_PROVEN, "commitment", "it does not follow from the game and the secret")
    yield "commitment", fairness.commitment
    deck = variant.deck_for(deck_of(record.variant), len(record.seats))
    _setup(record, fairness, variant, deck)
    yield "set-up", setup_hash(fairness.setup).hex()
    if fairness.phrases:
        raise _Stop(NOT_PROVEN, f"phrases, {min(fairness.phrases)}", "there are none at level 1")
    yield "deck", f"{len(deck.shuffled(recorded_chance(record, deck)))} cards, {DECK_LABEL}"
    played = _play(record, variant, deck_of(record.variant))
    yield "play", f"{len(record.rounds)} rounds, every order legal"
    _receipts(record, fairness)
    yield (
        "receipts",
        f"{sum(r is not None for proof in fairness.rounds for r in proof.receipts.values())} lists",
    )
    last = _chain(record, fairness, variant, played)
    yield "chain", last.hex()
    _end(fairness, variant, played)
    yield "end", str(fairness.end)


def _form(data: bytes) -> Record:
    try:
        return read_record(data)
    except RecordError as error:
        raise _Stop(
            NOT_PROVEN, f"form, {error.where}" if error.where else "form", error.what
        ) from None


def _given(fairness: Fairness, given: Given) -> None:
    """What a witness kept must stand in the record, also while the game runs."""
    if given.commitment is not None and given.commitment != fairness.commitment:
        raise _Stop(
            NOT_PROVEN,
            "commitment",
            f"you were given {given.commitment}, the record has {fairness.commitment}",
        )
    for number, value in sorted(given.chains.items()):
        found = recorded_chain(fairness, number)
        if found is None:
            raise _Stop(NOT_PROVEN, f"round {number}", "the record has no such round")
        if found != value:
            raise _Stop(
                NOT_PROVEN,
                f"round {number}, chain",
                _withdrawn(fairness, value) or f"yours differs: {found} stands there",
            )
    for (number, seat), value in sorted(given.receipts.items()):
        if not 1 <= number <= len(fairness.rounds):
            raise _Stop(NOT_PROVEN, f"round {number}", "the record has no such round")
        if seat not in fairness.rounds[number - 1].receipts:
            raise _Stop(NOT_PROVEN, f"round {number}, {seat}", "there is no such seat")
        used = fairness.rounds[number - 1].receipts[seat]
        if used is None:
            raise _Stop(
                NOT_PROVEN,
                f"round {number}, {seat}",
                "the record says that no orders were received",
            )
        if used.receipt != value:
            why = f"the record uses revision {used.revision}; yours is not that one"
            raise _Stop(NOT_PROVEN, f"round {number}, receipt of {seat}", why)


def _withdrawn(fairness: Fairness, value: str) -> str | None:
    for number, proof in enumerate(fairness.rounds, start=1):
        for note in proof.notes:
            if value in note.get("withdrawn", ()):
                return (
                    f"yours was taken back in round {number}, {note.get('at')}: {note.get('text')}"
                )
    return None


def _known(record: Record, fairness: Fairness) -> tuple[Variant, bytes]:
    if (fairness.algorithm, fairness.level, fairness.setup.get("format")) != (
        ALGORITHM,
        LEVEL,
        SETUP,
    ):
        why = (
            f"the algorithm {fairness.algorithm!r}, level {fairness.level}, or the form of the "
            "set-up is not known here"
        )
        raise _Stop(UNCHECKED, "", why)
    try:
        variant = find(record.variant)
    except LookupError:
        raise _Stop(UNCHECKED, "", f"the variant {record.variant!r} is not known here") from None
    if fairness.secret is UNSET:
        raise _Stop(UNCHECKED, "", "the game is not over, its secret is not published")
    return variant, bytes.fromhex(fairness.secret)


def _setup(record: Record, fairness: Fairness, variant: Variant, deck: Deck) -> None:
    try:
        rules = msgspec.to_builtins(msgspec.convert(dict(record.house_rules), variant.house_rules))
    except msgspec.ValidationError as error:
        raise _Stop(NOT_PROVEN, "house rules", str(error)) from None
    robots = _among(record.seats, fairness.setup.get("robots"))
    unconfirmed = _among(
        [seat for seat in record.seats if seat not in robots], fairness.setup.get("unconfirmed")
    )
    wanted = setup_document(
        record.variant,
        record.game,
        record.seats,
        rules,
        deck,
        fairness.level,
        robots=robots,
        unconfirmed=unconfirmed,
    )
    for key in sorted({*wanted, *fairness.setup}):
        if (
            key not in fairness.setup
            or key not in wanted
            or canonical(fairness.setup[key]) != canonical(wanted[key])
        ):
            raise _Stop(
                NOT_PROVEN,
                f"set-up, {key}",
                "it does not agree with the record or with the variant's deck",
            )


def _among(seats: Sequence[str], listed: object) -> list[str]:
    """Those of the seats that a list names, in their own order, which the list must have too."""
    return [seat for seat in seats if isinstance(listed, list) and seat in listed]


def _play(record: Record, variant: Variant, deck: Deck) -> Replay:
    try:
        played = replay(record, variant, deck)
    except RecordError as error:
        raise _Stop(NOT_PROVEN, error.where or "play", error.what) from None
    for number, (sent, again) in enumerate(zip(record.rounds, played.rounds, strict=True), start=1):
        for seat, text in sent.orders.items():
            if (
                text is not None
                and variant.write_orders(
                    again.before, variant.read_orders(again.before, seat, text)
                )
                != text
            ):
                raise _Stop(
                    NOT_PROVEN,
                    f"round {number}, orders of {seat}",
                    "they are not in their canonical form",
                )
    return played


def _receipts(record: Record, fairness: Fairness) -> None:
    if len(fairness.rounds) != len(record.rounds):
        raise _Stop(
            NOT_PROVEN,
            "rounds",
            f"{len(record.rounds)} were played, {len(fairness.rounds)} are proven",
        )
    for number, (sent, proof) in enumerate(
        zip(record.rounds, fairness.rounds, strict=True), start=1
    ):
        if set(proof.receipts) != set(sent.orders):
            odd = sorted(set(proof.receipts) ^ set(sent.orders))
            raise _Stop(
                NOT_PROVEN,
                f"round {number}, receipt of {odd[0]}",
                "orders and receipts are not of the same seats",
            )
        for seat, text in sent.orders.items():
            _receipt(record.game, number, seat, text, proof)


def _receipt(game: str, number: int, seat: str, text: str | None, proof: RoundProof) -> None:
    used = proof.receipts[seat]
    if (used is None) != (text is None):
        raise _Stop(
            NOT_PROVEN,
            f"round {number}, receipt of {seat}",
            "there is a list without a receipt, or a receipt without one",
        )
    if used is None or text is None:
        return
    if used.salt is UNSET:
        raise _Stop(NOT_PROVEN, f"round {number}, receipt of {seat}", "its salt is missing")
    if (
        receipt(game, number, seat, used.revision, bytes.fromhex(used.salt), text).hex()
        != used.receipt
    ):
        raise _Stop(NOT_PROVEN, f"round {number}, orders of {seat}", "the receipt differs")


def _chain(record: Record, fairness: Fairness, variant: Variant, played: Replay) -> bytes:
    value = chain_start(
        setup_hash(fairness.setup), bytes.fromhex(fairness.commitment), fairness.phrases
    )
    for number, (again, proof) in enumerate(
        zip(played.rounds, fairness.rounds, strict=True), start=1
    ):
        _times(proof, number)
        account = msgspec.to_builtins(variant.tell(again.before, again.events, again.after))
        receipts = {seat: used.receipt if used else None for seat, used in proof.receipts.items()}
        value = chain_next(value, chain_link(account, number, receipts, proof.notes, proof.times))
        if value.hex() != proof.chain:
            raise _Stop(
                NOT_PROVEN,
                f"round {number}, chain",
                "it does not follow from this round and those before it",
            )
    return value


def _times(proof: RoundProof, number: int) -> None:
    if set(proof.times) != {"deadline", "closed"}:
        raise _Stop(
            NOT_PROVEN, f"round {number}, times", "every round has a deadline and a closing time"
        )
    if proof.times["closed"] < proof.times["deadline"]:
        raise _Stop(NOT_PROVEN, f"round {number}, times", "it was closed before its deadline")


def _notes(fairness: Fairness) -> None:
    for number, proof in enumerate(fairness.rounds, start=1):
        for note in proof.notes:
            _note(note, number)
    if fairness.notes is not UNSET:
        if fairness.end == "finished":
            raise _Stop(NOT_PROVEN, "notes", "a game that was played to its end has none")
        for note in fairness.notes:
            _note(note, len(fairness.rounds) + 1)


def _note(note: Mapping[str, Any], number: int) -> None:
    """A note is closed in form, so that nothing that is not hashed as it reads hides in it."""
    fine = set(note) <= {"kind", "at", "text", "seat", "withdrawn", "since"} and all(
        isinstance(note.get(k), str) for k in ("kind", "at", "text")
    )
    fine = fine and bool(NOTE_AT.fullmatch(note["at"])) and isinstance(note.get("seat", ""), str)
    back, since = note.get("withdrawn", []), note.get("since", 0)
    fine = fine and ("withdrawn" not in note or note["kind"] in ("rollback", "restored"))
    fine = fine and isinstance(since, int) and not isinstance(since, bool)
    fine = fine and 0 <= since <= LAST_ROUND
    if not fine or not isinstance(back, list) or not all(isinstance(chain, str) for chain in back):
        raise _Stop(NOT_PROVEN, f"round {number}, notes", "a note is not in its form")


def _end(fairness: Fairness, variant: Variant, played: Replay) -> None:
    if fairness.end is UNSET:
        raise _Stop(NOT_PROVEN, "end", "it does not say how the game ended")
    last = played.rounds[-1].after if played.rounds else played.start
    if (fairness.end == "finished") != variant.is_over(last):
        why = "the game was over" if variant.is_over(last) else "the game was not over"
        raise _Stop(NOT_PROVEN, "end", f"{fairness.end} after {len(played.rounds)} rounds; {why}")
