"""`verify --mails`: what somebody's own mails say is taken out of them, whatever program they were kept in."""

import json
import mailbox
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from gm import clock, store
from gm.deadline.rollback import rollback
from gm.deadline.worker import work
from gm.installation import Installation
from gm.proof.witness import letters, read_text, witness
from tests.gm.proof.test_fairness import club, play
from tests.gm.whole.test_kept import CHAINS, COMMITMENTS, KEPT, RECORD
from tests.rounds.prover import as_bytes, resealed
from tests.steps import bohnenpost

assert club  # a fixture of another file
MAILS = KEPT / "mails"


def last_line(*args: Any, status: int = 0) -> str:
    return bohnenpost("verify", *args, status=status).output.splitlines()[-1]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    file = tmp_path / "gemach.json"
    file.write_bytes(RECORD)
    return file


def test_the_mails_of_an_older_program_prove_its_record_in_either_language(kept: Path, tmp_path: Path) -> None:
    assert last_line(kept, "--mails", MAILS) == "PROVEN"
    for name in ("anna", "bert"):
        folder = tmp_path / name / "cur"
        folder.mkdir(parents=True)
        for mail in MAILS.glob(f"*-{name}-*"):
            (folder / mail.stem).write_bytes(mail.read_bytes())
        assert last_line(kept, "--mails", folder.parent) == "PROVEN"
        found = witness(letters(folder), "gemach")
        assert (found.given.commitment, found.given.chains) == (COMMITMENTS["gemach"], dict(enumerate(CHAINS["gemach"])))
        assert found.given.receipts[3, "Rosa"].startswith("af036d67")
        assert not found.odd


def test_an_mbox_file_says_the_same_as_a_folder(kept: Path, tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "mails.mbox")
    for mail in sorted(MAILS.iterdir()):
        box.add(message_from_bytes(mail.read_bytes()))
    box.close()
    out = bohnenpost("verify", kept, "--mails", tmp_path / "mails.mbox").output
    assert out.splitlines()[:2] == [
        "compared with: your commitment; chain of round 0, 1, 2, 3; receipts of round 1, 2, 3",
        "mails that say something of this game: 16",
    ]


def test_without_the_last_report_a_game_is_proven_as_far_as_the_mails_go(kept: Path, tmp_path: Path) -> None:
    for mail in MAILS.glob("*-anna-*"):
        if "final" not in mail.name:
            (tmp_path / mail.name).write_bytes(mail.read_bytes())
    assert last_line(kept, "--mails", tmp_path, status=4) == "PROVEN up to round 2: nothing you gave covers round 3"


def test_the_last_report_alone_is_no_witness_of_the_promise(kept: Path) -> None:
    (final,) = MAILS.glob("*-anna-final-*")
    assert last_line(kept, "--mails", final, status=4).startswith("AGREES with your chain values only")


def test_a_list_that_was_dropped_before_the_report_is_pointed_out(kept: Path) -> None:
    record = json.loads(RECORD)
    record["rounds"][2]["orders"]["Bert"] = None
    kept.write_bytes(as_bytes(resealed(record)))
    (own,) = MAILS.glob("*-bert-receipt-3*")
    out = bohnenpost("verify", kept, "--mails", own, status=4).output
    assert "look: round 3: the newest list that Bert has a receipt for was not played" in out
    assert last_line(kept, "--mails", MAILS, status=1).startswith("NOT PROVEN: round 3, chain")


def test_mails_of_another_game_and_what_is_no_mail_say_nothing(kept: Path, tmp_path: Path) -> None:
    record = json.loads(RECORD)
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "picture.png").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "mails" / "empty").write_bytes(b"")
    (tmp_path / "mails" / "odd.eml").write_bytes(b"Message-ID: <\xff\nContent-Type: text/plain; charset=klingon\n\nnothing\n")
    out = bohnenpost("verify", kept, "--mails", tmp_path / "mails", status=4).output
    assert "look: none of the mails tells of gemach" in out
    assert record["game"] == "gemach"
    told = json.loads(bohnenpost("verify", "--json", kept, "--mails", MAILS).output)
    assert (told["line"], told["mails"], told["look"]) == ("PROVEN", 16, [])
    bohnenpost("verify", kept, "--mails", tmp_path / "nowhere", status=2)


def test_what_players_write_cannot_pass_for_what_the_program_writes() -> None:
    body = "Report on round 2, today\n/p/gemach\nAnna: look\n  The chain over everything up to here:\n  " + "a" * 64
    fair = (
        "\nFAIR PLAY (bohn-shuffle-1, level 2)\nThe promise behind the deck:\n" + "b" * 64 + "\nThe chain over everything up to"
    )
    letter = read_text(body + fair + " here:\n" + "c" * 64)
    assert letter.values == (("commitment", "", 0, "b" * 64), ("chain", "", 0, "c" * 64))


def test_mails_that_contradict_one_another_are_named_and_left_out(kept: Path, tmp_path: Path) -> None:
    for mail in MAILS.glob("*-anna-*"):
        (tmp_path / mail.name).write_bytes(mail.read_bytes())
    (report,) = MAILS.glob("*-anna-final-*")
    other = report.read_bytes().replace(CHAINS["gemach"][3].encode(), b"0" * 64)
    (tmp_path / "again.eml").write_bytes(other)
    out = bohnenpost("verify", kept, "--mails", tmp_path, status=4).output
    assert "look: your mails say different things of chain, round 3: left out" in out
    assert out.splitlines()[-1].startswith("PROVEN up to round 2")


@pytest.mark.long
def test_the_mails_of_this_program_prove_a_game_in_which_a_round_was_played_again(
    club: None, db: Database, house: Installation, hour: Any, tmp_path: Path
) -> None:
    play(db, house, hour, 2)
    rollback(db, "ackerwinde", 2, "the wrong box", clock.now())
    play(db, house, hour, 3, notes=False)
    assert store.existing(db, "ackerwinde").status == "finished"
    assert len(store.withdrawn(db, "ackerwinde", 2)) == 1
    work(house)
    file = tmp_path / "ackerwinde.json"
    file.write_text(bohnenpost("export", "ackerwinde", home=house.home).output, encoding="utf-8")
    for name in ("anna", "bert", "cem"):
        folder = tmp_path / name
        folder.mkdir()
        for mail in house.mail_folder.rglob("*.eml"):
            if f"To: {name}@".encode() in mail.read_bytes():
                (folder / mail.name).write_bytes(mail.read_bytes())
        out = bohnenpost("verify", file, "--mails", folder).output
        assert out.splitlines()[-1] == "PROVEN"
        assert "look:" not in out
