"""`verify --mails`: honest games are proven from any mails of theirs, and what a host changed is
found, with both values.
"""

import json
import mailbox
import re
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any

import pytest
from msgspec.structs import replace

from gm import clock, restore, seeds, store
from gm.deadline.rollback import rollback
from gm.games import create, lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import seating
from gm.proof.witness import mails
from gm.service import submit, tick
from gm.store.db import Database, write
from gm.store.file import backup
from rounds.engine.verdict import IF, NOT_PROVEN, PARTLY, PROVEN, Given, Verdict
from rounds.engine.verify import verify
from rounds.engine.witness import Line, read
from rounds.engine.witness import write as as_text
from tests.faster import few_first
from tests.rules.prover import as_bytes, resealed
from tests.service.proof.club import DAY, club, play, record_bytes
from tests.steps import bohnenpost, file_of, seat_game, start

assert club  # a fixture of another file
OTHER = "ab" * 32


@pytest.fixture
def played(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> dict[str, Any]:
    """The record of a game of four rounds that is over."""
    play(db, installation, frozen_time, 4)
    record: dict[str, Any] = json.loads(record_bytes(db))
    return record


def letters(installation: Installation, name: str = "") -> list[list[Line]]:
    """The lines of the mails of one player, or of all."""
    files = [
        file
        for file in installation.mail_folder.rglob("*.eml")
        if f"To: {name}".encode() in file.read_bytes()
    ]
    return [lines for file in files for lines in mails(file).mails]


def check(record: dict[str, Any] | bytes, kept: list[list[Line]]) -> Verdict:
    return verify(
        record if isinstance(record, bytes) else as_bytes(record), seeds.deck, Given(), kept
    )


def of_kind(kept: list[list[Line]], *kinds: str) -> list[list[Line]]:
    return [mail for mail in kept if any(line.kind in kinds for line in mail)]


def test_a_mail_says_in_one_line_what_its_value_is_and_in_any_language_the_same(
    played: dict[str, Any], installation: Installation
) -> None:
    texts = "".join(
        file.read_bytes().decode() for file in installation.mail_folder.rglob("*receipt*.eml")
    )
    assert "\r\nProof: ackerwinde 1 receipt seat 1 version 1 at 2026-11-20T12:00:00Z\r\n" in texts
    kinds = {line.kind for mail in letters(installation) for line in mail}
    assert kinds == {"commitment", "chain", "receipt", "used", "secret"}


@pytest.mark.parametrize("name", ["anna", "bert", "cem", ""])
def test_the_mails_of_one_player_prove_a_game(
    played: dict[str, Any], installation: Installation, name: str
) -> None:
    found = check(played, letters(installation, name))
    assert (found.line, found.conditions) == ("PROVEN", ())
    assert found.given.commitment == played["fairness"]["commitment"]


def change(record: dict[str, Any], number: int, seat: str, orders: str | None) -> dict[str, Any]:
    """The same game with another list in one place, and everything else made to agree with it."""
    record["rounds"][number - 1]["orders"][seat] = orders
    return resealed(record)


@pytest.mark.parametrize("orders", [None, "pass"])
def test_a_list_that_was_dropped_or_changed_is_found_by_its_receipt_alone(
    played: dict[str, Any], installation: Installation, orders: str | None
) -> None:
    own = of_kind(letters(installation, "anna"), "receipt")
    digest = next(line.value for mail in own for line in mail if line.round == 1)
    found = check(change(played, 1, "Anna", orders), own)
    assert (found.verdict, found.where) == (NOT_PROVEN, "round 1, Anna")
    assert digest in found.why
    assert ("no orders were received" in found.why) == (orders is None)


def test_a_list_that_was_replaced_by_a_newer_one_is_proven_if_its_player_sent_that(
    played: dict[str, Any], installation: Installation
) -> None:
    kept = letters(installation, "anna")
    own = [[line for line in mail if line.kind != "used"] for mail in kept]
    older = [[Line("ackerwinde", 2, "receipt", OTHER, 1, 1, "2026-11-24T12:00:00Z")]]
    played["fairness"]["rounds"][1]["receipts"]["Anna"]["revision"] = 3
    forged = resealed(played)
    chains = [
        [Line("ackerwinde", n, "chain", proof["chain"])]
        for n, proof in enumerate(forged["fairness"]["rounds"], start=1)
    ]
    found = check(forged, [*of_kind(own, "commitment"), *chains, *older])
    assert found.verdict == NOT_PROVEN  # the reports of the first play say something else
    promise = [
        [line] for mail in own for line in mail if line.kind == "commitment" and line.round == 0
    ][:1]
    found = check(forged, [*promise, *chains, *older])
    assert (found.verdict, found.line) == (IF, "PROVEN if Anna sent version 3 of round 2")
    assert (
        check(
            forged,
            [
                *promise,
                *chains,
                *older,
                [
                    Line(
                        "ackerwinde",
                        2,
                        "receipt",
                        forged["fairness"]["rounds"][1]["receipts"]["Anna"]["receipt"],
                        1,
                        3,
                        "2026-11-25T12:00:00Z",
                    )
                ],
            ],
        ).verdict
        == PROVEN
    )


def test_two_worlds_are_found_with_both_values(
    played: dict[str, Any], installation: Installation
) -> None:
    chain = played["fairness"]["rounds"][1]["chain"]
    kept = [*letters(installation, "anna"), [Line("ackerwinde", 2, "chain", OTHER)]]
    found = check(played, kept)
    assert (found.verdict, found.where) == (NOT_PROVEN, "round 2, chain")
    assert {chain, OTHER} <= set(found.why.split())
    alone = check(played, [[Line("ackerwinde", 2, "chain", OTHER)]])
    assert (alone.verdict, alone.where) == (NOT_PROVEN, "round 2, chain")


def test_a_mail_that_calls_a_value_withdrawn_counts_for_nothing(
    played: dict[str, Any], installation: Installation
) -> None:
    said = [
        Line("ackerwinde", 2, "chain", OTHER),
        Line("ackerwinde", 2, "withdrawn", played["fairness"]["rounds"][1]["chain"]),
    ]
    assert check(played, [*letters(installation), said]).verdict == NOT_PROVEN
    assert check(played, [*letters(installation), said[1:]]).verdict == PROVEN


def test_a_commitment_beside_the_secret_counts_for_nothing(
    played: dict[str, Any], installation: Installation
) -> None:
    last = of_kind(letters(installation, "anna"), "secret")
    assert check(played, last).line.startswith("AGREES with your chain values only")
    assert (
        check(played, [[line for mail in letters(installation, "anna") for line in mail]]).verdict
        != NOT_PROVEN
    )


def test_what_players_and_masters_write_is_no_proof(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    game, (anna, bert, _) = (
        store.games.existing(db, "ackerwinde"),
        store.seats.of_game(db, "ackerwinde"),
    )
    forged = (
        as_text(Line("ackerwinde", 1, "chain", OTHER))
        + "\n> "
        + as_text(Line("ackerwinde", 1, "used", OTHER, 1, 1))
    )
    save_orders(db, game, anna, "pass", press=f"look\n{forged}", to_gm=forged)
    save_orders(db, game, bert, "pass", press="x " * 33 + forged)
    lead.announce(db, "ackerwinde", f"hear\n{forged}", clock.now())
    lead.extend(db, "ackerwinde", (game.deadline or 0) + DAY, f"why\n{forged}", clock.now())
    play(db, installation, frozen_time, 4)
    assert not any(line.value == OTHER for mail in letters(installation) for line in mail)
    assert check(record_bytes(db), letters(installation)).verdict == PROVEN


def honest_rollback(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 2)
    anna = store.seats.of_game(db, "ackerwinde")[0]
    save_orders(db, store.games.existing(db, "ackerwinde"), anna, "pass")  # for round 3: it is void
    rollback(db, "ackerwinde", 2, "the wrong box", clock.now())
    play(db, installation, frozen_time, 3, notes=False)


def honest_replacement(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 1)
    anna = store.seats.of_game(db, "ackerwinde")[0]
    save_orders(db, store.games.existing(db, "ackerwinde"), anna, "pass")
    tick(installation)
    frozen_time.shift(60)
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Anna",
        player="Dora",
        address="dora@example.org",
        language="de",
        keep_orders=False,
        reason="",
        now=clock.now(),
    )
    for _ in range(3):
        frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline)
        tick(installation)


def honest_restore(
    db: Database,
    installation: Installation,
    frozen_time: Any,
    tmp_path: Path,
    *,
    ruined: bool = False,
) -> None:
    play(db, installation, frozen_time, 1)
    backup.make(db, tmp_path / "copy.db", clock.now())
    play(db, installation, frozen_time, 1)
    save_orders(
        db, store.games.existing(db, "ackerwinde"), store.seats.of_game(db, "ackerwinde")[0], "pass"
    )
    tick(installation)
    frozen_time.shift(60)
    for file in installation.mail_folder.glob("*.eml"):  # numbers of mails begin anew with the copy
        file.rename(file.with_name(f"before-{file.name}"))
    if ruined:
        file_of(installation).write_bytes(b"ruined")
    restore.restore(installation.database, installation.link_key, tmp_path / "copy.db", clock.now())
    with installation.connection() as again:
        restore.go_on(again, clock.now())
        play(again, installation, frozen_time, 3, notes=False)


def put_back(db: Database, installation: Installation, frozen_time: Any, copy: Path) -> None:
    """Restore a copy and let it go on; the mails of before are kept."""
    frozen_time.shift(60)
    for file in installation.mail_folder.glob(
        "0*.eml"
    ):  # numbers of mails begin anew with the copy
        file.rename(file.with_name(f"before-{clock.now()}-{file.name}"))
    restore.restore(installation.database, installation.link_key, copy, clock.now())
    with installation.connection() as again:
        restore.go_on(again, clock.now())


def honest_second_restore(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 1)
    backup.make(db, tmp_path / "copy.db", clock.now())
    for _ in range(2):
        play(db, installation, frozen_time, 1)
        put_back(db, installation, frozen_time, tmp_path / "copy.db")
    play(db, installation, frozen_time, 3, notes=False)


def honest_rollback_before_restore(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 2)
    backup.make(db, tmp_path / "copy.db", clock.now())
    rollback(db, "ackerwinde", 2, "the wrong box", clock.now())
    save_orders(
        db, store.games.existing(db, "ackerwinde"), store.seats.of_game(db, "ackerwinde")[0], "1>A"
    )
    play(db, installation, frozen_time, 1, notes=False)
    put_back(db, installation, frozen_time, tmp_path / "copy.db")
    play(db, installation, frozen_time, 2, notes=False)


def honest_copy_put_back_later(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 1)
    backup.make(db, tmp_path / "old.db", clock.now())
    play(db, installation, frozen_time, 2)
    backup.make(db, tmp_path / "right.db", clock.now())
    put_back(db, installation, frozen_time, tmp_path / "old.db")
    save_orders(
        db, store.games.existing(db, "ackerwinde"), store.seats.of_game(db, "ackerwinde")[0], "1>A"
    )
    play(db, installation, frozen_time, 1, notes=False)
    put_back(db, installation, frozen_time, tmp_path / "right.db")
    play(db, installation, frozen_time, 1, notes=False)


def honest_unreadable_restore(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    honest_restore(db, installation, frozen_time, tmp_path, ruined=True)


def honest_abort(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 2)
    rollback(db, "ackerwinde", 2, "the wrong box", clock.now())
    lead.abort(db, "ackerwinde", "enough", clock.now())
    tick(installation)


def honest_early_closing(
    db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"early_after": 0})
    for _ in range(4):
        frozen_time.shift(60)
        for seat in store.seats.of_game(db, "ackerwinde"):
            save_orders(db, store.games.existing(db, "ackerwinde"), seat, "pass")
        tick(installation)


HONEST: dict[str, Callable[..., None]] = {
    "early closing": honest_early_closing,
    "rollback": honest_rollback,
    "replacement": honest_replacement,
    "restore": honest_restore,
    "restore without the old database": honest_unreadable_restore,
    "rollback and abort": honest_abort,
    "second restore": honest_second_restore,
    "rollback before a restore": honest_rollback_before_restore,
    "the right copy after the wrong one": honest_copy_put_back_later,
}


@pytest.mark.long
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_game_is_never_accused_by_any_of_its_mails(
    club: None,
    db: Database,
    installation: Installation,
    frozen_time: Any,
    tmp_path: Path,
    name: str,
) -> None:
    HONEST[name](db, installation, frozen_time, tmp_path)
    with installation.connection() as now:
        data = record_bytes(now)
    kept, rng = letters(installation), Random(name)
    whole = check(data, kept)
    assert whole.verdict in (PROVEN, IF), whole.line
    assert (whole.verdict == IF) == (name in ("restore without the old database", "replacement")), (
        whole.line
    )
    for _ in range(60):
        found = check(data, rng.sample(kept, rng.randint(1, len(kept))))
        assert found.verdict != NOT_PROVEN, found.line
        pasted = [line for mail in rng.sample(kept, rng.randint(1, len(kept))) for line in mail]
        assert check(data, [pasted]).verdict != NOT_PROVEN
    for mail in kept:
        assert check(data, [mail]).verdict != NOT_PROVEN


def honest_at_random(
    db: Database, installation: Installation, frozen_time: Any, folder: Path, rng: Random
) -> None:
    """A game of four rounds in which all that may happen to one happens."""
    copies: list[Path] = []
    while (game := store.games.existing(db, "ackerwinde")).status == "running":
        act, name = rng.randrange(9), rng.choice(("Anna", "Bert", "Cem"))
        seat = next(s for s in store.seats.of_game(db, "ackerwinde") if s.name == name)
        if act == 0 and game.round > 1 and len(store.notes.of_game(db, "ackerwinde")) < 20:
            rollback(db, "ackerwinde", game.round - 1, rng.choice(["", "box "]) + "x", clock.now())
        elif act == 1:
            copies.append(folder / f"{len(copies)}.db")
            backup.make(db, copies[-1], clock.now())
        elif act == 2 and copies and len(store.notes.of_game(db, "ackerwinde")) < 20:
            put_back(db, installation, frozen_time, rng.choice(copies))
        elif act == 3:
            seating.replace_player(
                db,
                installation.link_key,
                "ackerwinde",
                name,
                player=name,
                address=f"x{clock.now()}@example.org",
                language="en",
                keep_orders=rng.random() < 0.5,
                reason="",
                now=clock.now(),
            )
        elif act == 4 and seat.address:
            seating.remove_seat(db, "ackerwinde", name, "", clock.now())
        elif act == 5 and rng.random() < 0.1:
            lead.abort(db, "ackerwinde", "enough", clock.now())
        game, seat = (
            store.games.existing(db, "ackerwinde"),
            store.seats.numbered(db, "ackerwinde", seat.number),
        )
        if rng.random() < 0.6 and game.status == "running" and seat.address:
            save_orders(db, game, seat, "pass")
        tick(installation)
        frozen_time.shift(60)
        if rng.random() < 0.4:
            frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline or clock.now())
            tick(installation)
    tick(installation)


@pytest.mark.long
@pytest.mark.parametrize("seed", few_first(range(60), 10))
def test_honest_games_at_random_are_never_accused(
    club: None,
    db: Database,
    installation: Installation,
    frozen_time: Any,
    tmp_path: Path,
    seed: int,
) -> None:
    rng = Random(seed)
    honest_at_random(db, installation, frozen_time, tmp_path, rng)
    data, kept = record_bytes(db), letters(installation)
    whole = check(data, kept)
    assert whole.verdict != NOT_PROVEN, whole.line
    for _ in range(30):
        some = rng.sample(kept, rng.randint(1, len(kept)))
        assert check(data, some).verdict != NOT_PROVEN
    print(f"seed {seed}: {whole.line}")


def test_a_game_that_a_restore_brings_back_before_its_start_is_never_accused(
    installation: Installation, db: Database, frozen_time: Any, tmp_path: Path
) -> None:
    seat_game(installation, players=("Anna", "Bert", "Cem"), rounds=2)
    backup.make(db, tmp_path / "copy.db", clock.now())
    for back in (True, False):
        start(installation)
        play(db, installation, frozen_time, 1 if back else 2, notes=False)
        if back:
            put_back(db, installation, frozen_time, tmp_path / "copy.db")
    kept = letters(installation)
    assert check(record_bytes(db), kept).verdict != NOT_PROVEN
    assert all(check(record_bytes(db), [mail]).verdict != NOT_PROVEN for mail in kept)


def test_a_game_that_ends_sooner_after_several_rollbacks_keeps_what_they_took_back(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 3)
    told = [str(closed.chain) for closed in store.rounds.closed(db, "ackerwinde")[2:]]
    for number in (3, 2):
        rollback(db, "ackerwinde", number, "the wrong box", clock.now())
    play(db, installation, frozen_time, 1, notes=False)
    notes = json.loads(record_bytes(db))["fairness"]["rounds"][1]["notes"]
    assert [sorted(note["withdrawn"]) for note in notes if note["kind"] == "rollback"] == [
        sorted(told)
    ]


def test_an_older_list_in_place_of_the_newest_is_found(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    for orders in ("1>A", "pass"):
        save_orders(db, store.games.existing(db, "ackerwinde"), anna, orders)
    tick(installation)
    with write(db):
        db.execute("DELETE FROM revision WHERE seat = 1 AND number = 2")
    for _ in range(4):
        frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline)
        tick(installation)
    found = check(record_bytes(db), letters(installation, "anna"))
    assert (found.verdict, found.where) == (NOT_PROVEN, "round 1, Anna")


@pytest.mark.parametrize(
    "note",
    [
        {"kind": "rollback", "at": "9999-12-31T23:59:59Z", "withdrawn": [OTHER]},
        {"kind": "restored", "at": "9999-12-31T23:59:59Z", "withdrawn": []},
        {"kind": "rollback", "at": "2026-11-21T00:00:00Z", "withdrawn": []},
        {"kind": "restored", "at": "2026-11-21T00:00:00Z", "withdrawn": [], "since": 4},
        {"kind": "replaced", "at": "2026-11-21T00:00:00Z", "seat": "Bert"},
    ],
)
def test_an_invented_note_explains_nothing(
    played: dict[str, Any], installation: Installation, note: dict[str, Any]
) -> None:
    own = of_kind(letters(installation, "anna"), "receipt")
    played["fairness"]["rounds"][0]["notes"].append({"text": "", **note})
    assert check(change(played, 2, "Anna", None), own).verdict == NOT_PROVEN


@pytest.mark.parametrize("kind", ["replaced", "removed"])
def test_what_befell_another_seat_explains_no_list(
    played: dict[str, Any], installation: Installation, kind: str
) -> None:
    own = of_kind(letters(installation, "anna"), "receipt")
    second = played["fairness"]["rounds"][1]
    note = {"kind": kind, "text": "", "at": second["closed"], "seat": "Bert"}
    second["notes"].append(note)
    assert check(change(played, 2, "Anna", None), own).verdict == NOT_PROVEN


def test_a_later_rollback_explains_no_other_value_of_an_earlier_round(
    played: dict[str, Any], installation: Installation
) -> None:
    kept = [
        [
            replace(line, value=OTHER) if (line.kind, line.round) == ("chain", 1) else line
            for line in lines
        ]
        for lines in letters(installation, "anna")
    ]
    third = played["fairness"]["rounds"][2]
    third["notes"].append(
        {"kind": "rollback", "text": "", "at": third["closed"], "withdrawn": [OTHER]}
    )
    found = check(played, kept)
    assert (found.verdict, found.where) == (NOT_PROVEN, "round 1, chain")


@pytest.mark.parametrize("width", [None, 60, 72, 76])
def test_what_people_write_is_no_proof_in_html_that_was_made_text(
    club: None, db: Database, installation: Installation, frozen_time: Any, width: int | None
) -> None:
    forged = f"Proof: ackerwinde 1 chain\n{OTHER}\nbye"
    game, anna = store.games.existing(db, "ackerwinde"), store.seats.of_game(db, "ackerwinde")[0]
    submit(db, game, anna, 1, "pass", "so " * 23 + forged, forged, by="seat")
    create.comment(db, "ackerwinde", forged, clock.now())
    lead.announce(db, "ackerwinde", forged, clock.now())
    tick(installation)
    frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline)
    tick(installation)
    for file in installation.mail_folder.rglob("*report*.eml"):
        mail: Any = message_from_bytes(file.read_bytes(), policy=policy.default)
        for kind in ("plain", "html"):
            body = mail.get_body((kind,))
            text = re.sub(r"<[^<>]*>", "", re.sub(r"<(?:br|/p)[^<>]*>", "\n", body.get_content()))
            lines = [
                part
                for line in text.splitlines()
                for part in (wrap(line, width) if width else [line])
            ]
            assert OTHER in "".join(lines)
            for mark in ("", "> ", ">"):
                assert OTHER not in [
                    line.value for line in read("\n".join(mark + line for line in lines))
                ]


def test_a_restore_lists_what_it_took_back(
    club: None, db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    honest_restore(db, installation, frozen_time, tmp_path)
    with installation.connection() as now:
        record = json.loads(record_bytes(now))
    (note,) = [
        note
        for proof in record["fairness"]["rounds"]
        for note in proof["notes"]
        if note["kind"] == "restored"
    ]
    (lost,) = note["withdrawn"]
    told = {
        line.value
        for mail in letters(installation)
        for line in mail
        if (line.kind, line.round) == ("chain", 2)
    }
    assert told == {lost, record["fairness"]["rounds"][1]["chain"]}


def test_nobody_is_accused_when_a_copy_that_was_too_old_gives_way_to_the_right_one(
    club: None, db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    backup.make(db, tmp_path / "old.db", clock.now())
    play(db, installation, frozen_time, 2)
    backup.make(db, tmp_path / "new.db", clock.now())
    put_back(db, installation, frozen_time, tmp_path / "old.db")
    with installation.connection() as again:
        game = store.games.existing(again, "ackerwinde")
        save_orders(again, game, store.seats.of_game(again, "ackerwinde")[0], "pass")
        tick(installation)
    put_back(db, installation, frozen_time, tmp_path / "new.db")
    put_back(db, installation, frozen_time, tmp_path / "new.db")
    with installation.connection() as again:
        play(again, installation, frozen_time, 2)
        record = record_bytes(again)
    for name in ("anna", "bert", "cem"):
        found = check(record, letters(installation, name))
        # of a restore that took back no value no line tells
        assert (found.verdict, len(found.conditions)) == (
            (IF, 1) if name == "anna" else (PROVEN, 0)
        )


@pytest.mark.parametrize("ruined", [False, True])
@pytest.mark.parametrize("back", [0, 2])
def test_a_restore_of_a_round_that_is_never_closed_is_in_the_record(
    club: None,
    db: Database,
    installation: Installation,
    frozen_time: Any,
    tmp_path: Path,
    ruined: bool,
    back: int,
) -> None:
    """Rounds 1 and 2 were taken back, and round 1 told anew, after the copy was made. The game is
    ended in the round in which it was restored, or after another rollback.
    """
    play(db, installation, frozen_time, 2, notes=False)
    backup.make(db, tmp_path / "copy.db", clock.now())
    for number in (2, 1):
        rollback(db, "ackerwinde", number, "x", clock.now())
    game, anna = store.games.existing(db, "ackerwinde"), store.seats.of_game(db, "ackerwinde")[0]
    save_orders(db, game, anna, "2>B")
    play(db, installation, frozen_time, 1, notes=False)
    if ruined:
        file_of(installation).write_bytes(b"ruined")
    put_back(db, installation, frozen_time, tmp_path / "copy.db")
    with installation.connection() as again:
        tick(installation)
        create.comment(again, "ackerwinde", "not before the report", clock.now())
        running = record_bytes(again)
        assert b"not before the report" not in running
        if back:
            rollback(again, "ackerwinde", back, "wrong box", clock.now())
        lead.abort(again, "ackerwinde", "enough", clock.now())
        tick(installation)
        ended = record_bytes(again)
    for name in ("anna", "bert", "cem"):
        kept = letters(installation, name)
        for data in (running, ended):
            found = check(data, kept)
            assert found.verdict != NOT_PROVEN, f"{name}: {found.line}"


@pytest.mark.parametrize("form", ["files", "mbox", "forwarded", "attached", "quoted", "html"])
def test_mails_say_the_same_however_they_were_kept(
    played: dict[str, Any], installation: Installation, tmp_path: Path, form: str
) -> None:
    files = [
        file
        for file in sorted(installation.mail_folder.rglob("*.eml"))
        if b"To: anna" in file.read_bytes()
    ]
    folder = tmp_path / "kept"
    folder.mkdir()
    box = mailbox.mbox(folder / "mails.mbox") if form == "mbox" else None
    for number, file in enumerate(files):
        mail: Any = message_from_bytes(file.read_bytes(), policy=policy.default)
        text, rich = mail.get_body(("plain",)), mail.get_body(("html",))
        other = EmailMessage(policy=policy.default)
        other["From"], other["Subject"] = "anna@example.org", "Fwd: Bohnen"
        if box is not None:
            box.add(message_from_bytes(file.read_bytes()))
            continue
        if form == "files":
            (folder / f"{number}.eml").write_bytes(file.read_bytes())
            continue
        if form == "html" and rich is not None:
            other.set_content(rich.get_content(), subtype="html")
        elif form == "attached":
            other.set_content("see below")
            other.add_attachment(mail)
        else:
            words = text.get_content()
            other.set_content(
                "Look!\n\n"
                + (
                    words
                    if form == "forwarded"
                    else "".join(f"> {line}\n" for line in words.splitlines())
                )
            )
        (folder / f"{number}.eml").write_bytes(other.as_bytes())
    if box is not None:
        box.close()
    file = tmp_path / "record.json"
    file.write_bytes(as_bytes(played))
    assert bohnenpost("verify", file, "--mails", folder).output.splitlines()[-1] == "PROVEN"


def test_a_text_that_was_pasted_is_one_mail(
    played: dict[str, Any], installation: Installation, tmp_path: Path
) -> None:
    text = "\n\n".join(as_text(line) for mail in letters(installation, "anna") for line in mail)
    pasted = tmp_path / "pasted.txt"
    pasted.write_text(text, encoding="utf-8")
    file = tmp_path / "record.json"
    file.write_bytes(as_bytes(played))
    out = bohnenpost("verify", file, "--mails", pasted, status=4).output
    assert out.splitlines()[1] == "mails that say something of this game: 1"
    assert out.splitlines()[-1].startswith("AGREES with your chain values only")


def test_mails_of_another_game_and_what_is_no_mail_say_nothing(
    played: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    (folder / "picture.png").write_bytes(bytes(range(256)) * 10)
    (folder / "empty").write_bytes(b"")
    (folder / "odd.eml").write_bytes(
        b"From: x\nMessage-ID: <\xff\nContent-Type: text/plain; charset=klingon\n\nnothing\n"
    )
    (folder / "other.txt").write_text(as_text(Line("gemach", 2, "chain", OTHER)), encoding="utf-8")
    file = tmp_path / "record.json"
    file.write_bytes(as_bytes(played))
    told = json.loads(bohnenpost("verify", "--json", file, "--mails", folder, status=4).output)
    assert (told["mails"], told["left_out"], told["verdict"]) == (0, ["odd.eml"], "AGREES ONLY")
    assert told["look"] == ["1 mail that was not read says nothing else: odd.eml"]
    bohnenpost("verify", file, "--mails", tmp_path / "nowhere", status=2)


def test_without_the_last_report_a_game_is_proven_as_far_as_the_mails_go(
    played: dict[str, Any], installation: Installation
) -> None:
    kept = [
        mail
        for mail in letters(installation, "anna")
        if not any(line.kind == "secret" for line in mail)
    ]
    found = check(played, kept)
    assert (found.verdict, found.line) == (
        PARTLY,
        "PROVEN up to round 3: nothing you gave covers round 4",
    )


@pytest.mark.parametrize(
    "line",
    [
        "Proof: ackerwinde 1 chain",
        "Proof: ackerwinde 1 chain\n\n" + OTHER,
        "  Proof: ackerwinde 1 chain\n  " + OTHER,
        "Proof: ackerwinde 1 chain seat\n" + OTHER,
        "Proof: ackerwinde 1 rank\n" + OTHER,
        "proof: ackerwinde 1 chain\n" + OTHER,
        "Proof: ackerwinde 1 chain\n" + OTHER.upper(),
    ],
)
def test_what_is_no_line_of_proof_is_not_read(line: str) -> None:
    assert read(line) == []


def test_a_line_that_a_mail_program_broke_is_read() -> None:
    line = Line("ackerwinde", 12, "receipt", OTHER, 10, 100, "2026-11-20T18:59:00Z")
    assert read(
        as_text(line)
        .replace(" version", "\nversion")
        .replace("\n", "\r\n> ")
        .join(["\r\n> ", "\r\n"])
    ) == [line]


def test_a_running_game_is_compared_as_far_as_its_record_goes(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 1)
    early = record_bytes(db)
    play(db, installation, frozen_time, 1)
    assert check(early, letters(installation)).verdict == "CANNOT BE CHECKED"
    with write(db):
        db.execute("UPDATE round SET chain = ? WHERE number = 1", [OTHER])
    assert check(record_bytes(db), letters(installation)).verdict == NOT_PROVEN
