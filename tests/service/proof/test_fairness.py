"""What proves a game, through the whole service: receipts, chain, secret, record, verdict."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gm import clock, seeds, store
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.games import create as game_setup
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import joining, seating
from gm.proof import fairness
from gm.proof.fairness import ends
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.web.desk import summary
from rounds.engine.record import Record
from rounds.engine.verdict import AGREES, PROVEN, UNCHECKED, Given
from rounds.engine.verify import verify
from rounds.engine.witness import read
from tests.dates import SUNDAY
from tests.service.proof.club import DAY, play, record_bytes
from tests.service.whole import one_game
from tests.steps import bohnenpost, dump_of, seat_game, sent_mails, start, words

DOCS = Path(__file__).parents[3] / "docs"
in_the_checkout = pytest.mark.skipif(not DOCS.is_dir(), reason="the documents lie in the checkout")


def test_robots_and_seats_that_nobody_confirmed_stand_in_the_set_up(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    """Anna says that she is there and Bert pressed the button; Cem was typed in and is silent,
    Rosa is a robot.
    """
    seat_game(installation, players=("Anna",), rounds=1)
    joining.say_ready(db, store.seats.of_game(db, "ackerwinde")[0], clock.now())
    joining.request_seat(db, "ackerwinde", "Bert", "bert@example.org", "en", clock.now())
    asked = store.requests.joining(db, 1)
    assert asked is not None
    joining.confirm_seat(db, installation.link_key, asked, clock.now())
    for name, robot in (("Cem", False), ("Rosa", True)):
        address = None if robot else "cem@example.org"
        game_setup.add_seat(
            db,
            installation.link_key,
            game="ackerwinde",
            name=name,
            address=address,
            language="en",
            robot=robot,
        )
    start(installation)
    setup = json.loads(str(store.games.existing(db, "ackerwinde").setup))
    assert (setup["format"], setup["robots"], setup["unconfirmed"]) == (
        "bohnenpost-setup/2",
        ["Rosa"],
        ["Cem"],
    )
    frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline)
    tick(installation)
    game = store.games.existing(db, "ackerwinde")
    assert (
        verify(record_bytes(db), seeds.deck, Given(game.commitment, ends(db, game))).verdict
        == PROVEN
    )


def test_the_chain_of_a_new_game_holds_when_each_round_was_due_and_when_it_was_closed(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    due = store.games.existing(db, "ackerwinde").deadline
    assert due is not None
    frozen_time.move_to(due + 40)
    tick(installation)
    (proof,) = json.loads(record_bytes(db))["fairness"]["rounds"]
    assert (proof["deadline"], proof["closed"]) == (clock.written(due), clock.written(due + 40))
    play(db, installation, frozen_time, 3)
    game = store.games.existing(db, "ackerwinde")
    with write(db):
        db.execute("UPDATE round SET deadline = deadline - 1 WHERE number = 1")
    found = verify(record_bytes(db), seeds.deck, Given(game.commitment, ends(db, game)))
    assert found.where == "round 1, chain"


def said(text: str, kind: str) -> str:
    """The first value of this kind in a mail."""
    return next(line.value for line in read(text) if line.kind == kind)


def test_a_game_of_the_service_is_proven_by_its_record_and_its_mails(
    club: None, db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    commitment = store.games.existing(db, "ackerwinde").commitment
    play(db, installation, frozen_time, 4)
    texts = [
        (kind, to, text)
        for kind, to, text in sent_mails(installation, db)
        if to == "anna@example.org"
    ]
    start_mail = next(text for kind, _, text in texts if kind == "start")
    reports = [text for kind, _, text in texts if kind in ("report", "final")]
    file = tmp_path / "ackerwinde.json"
    file.write_text(
        bohnenpost("export", "ackerwinde", home=installation.home).output, encoding="utf-8"
    )
    asked = ["--commitment", commitment]
    for number, text in enumerate(reports, start=1):
        assert "Cem: no orders received" in text
        asked += [
            "--chain",
            f"{number}={said(text, 'chain')}",
            "--receipt",
            f"{number}:Anna={said(text, 'used')}",
        ]
    out = bohnenpost("verify", file, *asked, "--chain", f"0={said(start_mail, 'chain')}").output
    assert out.splitlines()[-1] == "PROVEN"
    assert "ok  given: what you gave stands in the record" in out
    assert out.startswith(
        "compared with: your commitment; chain of round 0, 1, 2, 3, 4; receipts of round 1, 2, 3, 4\n"
    )
    assert "comparing the record with what it has stored itself:\r\nPROVEN\r\n" in reports[-1]
    alone = bohnenpost("verify", file, status=4).output
    assert alone.splitlines()[0] == "compared with: nothing of yours, only with itself"
    assert (
        alone.splitlines()[-1]
        == f"AGREES with itself only: compare the commitment with your first mail: {commitment}"
    )
    part = bohnenpost("verify", file, *asked[:6], status=4).output
    assert part.splitlines()[-1] == "PROVEN up to round 1: nothing you gave covers rounds 2 to 4"
    receipts = [text for kind, _, text in texts if kind == "receipt"]
    assert said(receipts[0], "receipt") == said(reports[0], "used")


def test_the_last_mail_and_the_page_print_a_command_that_proves_the_whole_game(
    club: None, db: Database, installation: Installation, frozen_time: Any, web: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 4)
    file = tmp_path / "ackerwinde.json"
    file.write_text(
        bohnenpost("export", "ackerwinde", home=installation.home).output, encoding="utf-8"
    )
    final = next(
        text
        for kind, to, text in sent_mails(installation, db)
        if kind == "final" and to.startswith("anna")
    )
    page = words(web.get("/p/ackerwinde?lang=en"))
    start_mail = next(text for kind, _, text in sent_mails(installation, db) if kind == "start")
    for text in (final, page):
        assert re.search(r"Take\s+these\s+values\s+from\s+your\s+own\s+earlier\s+mails", text)
        command = re.search(
            r"bohnenpost verify ackerwinde.json((?:[\s\\]+--\w+\s+[0-9a-f=]+)+)", text
        )
        assert command is not None
        asked = re.sub(r"[\s\\]+", " ", command[1]).split()
        assert asked[::2] == ["--commitment", "--chain", "--chain"]
        assert [value.partition("=")[0] for value in asked[3::2]] == ["0", "4"]
        assert asked[3].removeprefix("0=") in start_mail
        assert bohnenpost("verify", file, *asked).output.splitlines()[-1] == "PROVEN"


def test_a_record_cannot_forge_the_last_line(
    club: None, db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    play(db, installation, frozen_time, 4)
    told = json.loads(bohnenpost("export", "ackerwinde", home=installation.home).output)
    told["fairness"]["phrases"]["x\nPROVEN\x1b[2K"] = ""
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    out = bohnenpost("verify", file, status=1).output
    assert out.splitlines()[-1].startswith("NOT PROVEN: phrases, x⟨U+000A⟩PROVEN⟨U+001B⟩")
    bohnenpost("verify", file, "--chain", "9" * 5000 + "=" + "0" * 64, status=2)
    bohnenpost("verify", tmp_path, status=2)


def test_a_failing_close_that_lost_a_race_undoes_nothing(
    club: None,
    db: Database,
    installation: Installation,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frozen_time.move_to(SUNDAY)

    def ended_meanwhile(*_: Any) -> Any:
        with installation.connection() as other:
            with write(other):
                other.execute("UPDATE game SET deadline = deadline + 9")
            lead.abort(other, "ackerwinde", "enough", clock.now())
        raise ValueError("the round cannot be worked out")

    with write(db):
        db.execute("UPDATE game SET failures = 2")
    monkeypatch.setattr("gm.deadline.closing.compute_result", ended_meanwhile)
    assert close_due(db, Config(), clock.now())
    game = store.games.existing(db, "ackerwinde")
    assert (game.status, game.aborted, game.failures) == ("finished", 1, 2)


def test_a_list_counts_after_the_deadline_whatever_happens_to_its_seat(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    bert = store.seats.of_game(db, "ackerwinde")[1]
    save_orders(db, store.games.existing(db, "ackerwinde"), bert, "1>A")
    frozen_time.move_to(SUNDAY + 5)
    seating.remove_seat(db, "ackerwinde", "Bert", "gone", clock.now())
    tick(installation)
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.lists["Bert"] == "1>A"


def test_everybody_gets_the_new_chain_of_a_round_played_again_and_the_old_one(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 1)
    old = store.rounds.get(db, "ackerwinde", 1)
    rollback(db, "ackerwinde", 1, "the wrong box", clock.now())
    frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline)
    tick(installation)
    new = store.rounds.get(db, "ackerwinde", 1)
    assert old is not None
    assert new is not None
    assert old.chain != new.chain
    for address in ("anna@example.org", "bert@example.org", "cem@example.org"):
        box = "".join(text for _, to, text in sent_mails(installation, db) if to == address)
        assert str(new.chain) in box
        assert ("withdrawn", 1, old.chain) in [
            (line.kind, line.round, line.value) for line in read(box)
        ]


def test_who_is_forgotten_is_named_in_no_note(
    club: None, db: Database, installation: Installation
) -> None:
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Bert",
        player="Nora Geheim",
        address="n@example.org",
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )
    seating.forget(db, store.seats.of_game(db, "ackerwinde")[1], clock.now())
    assert "Nora Geheim" not in "\n".join(line for line in dump_of(db) if 'INTO "mail"' not in line)


def test_luck_and_skill_stand_in_the_last_report_and_on_the_page(
    club: None, db: Database, installation: Installation, frozen_time: Any, web: Any
) -> None:
    play(db, installation, frozen_time, 3)
    assert "Luck and skill" not in words(web.get("/p/ackerwinde?lang=en"))
    play(db, installation, frozen_time, 1)
    final = next(
        text
        for kind, to, text in sent_mails(installation, db)
        if kind == "final" and to.startswith("anna")
    )
    told = re.search(
        r"could have earned\s+(\d+)\s+talers;\s+a\s+simple\s+robot\s+earns\s+(\d+)",
        final,
    )
    assert told is not None
    assert 0 < int(told[2]) <= int(told[1])
    assert re.search(r"Anna: \d+ talers, \d+ % of it", final)
    page = words(web.get("/p/ackerwinde?lang=en"))
    assert f"could have earned {told[1]} talers" in page
    assert "2/5: 2 of 5 possible talers. Below 0: talers were given now for later rounds" in page
    for text in (final, page):
        assert re.search(
            r"Everybody had the same rows: between\s+players there was no luck of the cards",
            re.sub(r"\s+", " ", text),
        )
    assert re.search(
        r"most was left lying in round \d: \d+ of the talers that were possible there",
        re.sub(r"\s+", " ", page),
    )
    assert not any(
        "a simple robot earns" in text
        for kind, _, text in sent_mails(installation, db)
        if kind == "report"
    )


@pytest.mark.parametrize("stop", [None, lead.pause])
def test_sealed_lists_are_in_no_record_before_the_end(
    installation: Installation, db: Database, web: Any, frozen_time: Any, stop: Any
) -> None:
    one_game.begun(
        installation, db, "erbsen", "classic", dict.fromkeys(("Anna", "Bert", "Cem"), "en")
    )
    for name in ("Anna", "Bert", "Cem"):
        one_game.order(db, name)
    one_game.close(db, frozen_time)
    if stop:
        stop(db, "erbsen", "", clock.now())
    (closed,) = web.get("/p/erbsen/record.json").json["rounds"]
    assert closed["orders"] == {}


def test_before_the_end_nothing_secret_is_in_the_record(
    club: None, db: Database, installation: Installation, frozen_time: Any, web: Any
) -> None:
    play(db, installation, frozen_time, 2)
    page = web.get("/p/ackerwinde/record.json").get_data(as_text=True)
    secret = db.execute("SELECT secret FROM secret").fetchone()[0].hex()
    salts = [salt.hex() for (salt,) in db.execute("SELECT salt FROM revision")]
    assert not any(hidden in page for hidden in (secret, *salts))
    assert verify(page.encode(), seeds.deck, Given()).verdict == UNCHECKED
    play(db, installation, frozen_time, 2)
    page = web.get("/p/ackerwinde/record.json").get_data(as_text=True)
    assert all(shown in page for shown in (secret, *salts))
    assert verify(page.encode(), seeds.deck, Given()).verdict == AGREES


def test_a_rollback_an_early_close_a_replacement_and_an_abort_leave_a_proven_record(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 2)
    taken_back = store.rounds.get(db, "ackerwinde", 2)
    assert taken_back is not None
    rollback(db, "ackerwinde", 2, "the wrong box", clock.now(), deadline=clock.now() + 3 * DAY)
    frozen_time.shift(DAY)
    lead.run_now(db, "ackerwinde", 2, "all agree", clock.now())
    tick(installation)
    lead.pause(db, "ackerwinde", "holidays", clock.now())
    lead.resume(db, "ackerwinde", "", clock.now())
    play(db, installation, frozen_time, 1, notes=False)
    lead.abort(db, "ackerwinde", "nobody has time", clock.now())
    game = store.games.existing(db, "ackerwinde")
    data = record_bytes(db)
    found = verify(data, seeds.deck, Given(game.commitment, ends(db, game)))
    (back,) = [n for n in store.notes.of_round(db, "ackerwinde", 2) if n.kind == "rollback"]
    assert found.conditions == (
        f"round 2 was taken back on {clock.written(back.at)} (the wrong box)",
        "the game was ended after round 3",
    )
    assert fairness.verdict(db, game) == PROVEN
    kinds = [
        note["kind"] for proof in json.loads(data)["fairness"]["rounds"] for note in proof["notes"]
    ]
    assert {"comment", "deadline", "rollback", "early", "paused", "resumed"} <= set(kinds)
    older = verify(data, seeds.deck, Given(chains={2: str(taken_back.chain)}))
    assert "yours was taken back in round 2" in older.why
    told = next(
        text for kind, _, text in sent_mails(installation, db) if "ended the game early" in text
    )
    assert "comparing the record with what it has stored itself:\r\nPROVEN\r\n" in told
    assert f"--chain {game.round - 1}=" in told


def test_a_changed_row_is_named_by_verify(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 4)
    with write(db):
        db.execute("UPDATE round SET orders = replace(orders, '1>A', '1>B') WHERE number = 1")
    found = verify(record_bytes(db), seeds.deck, Given())
    assert (found.where, found.why) == ("round 1, orders of Anna", "the receipt differs")


def test_a_record_that_does_not_verify_comes_to_the_desk(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 4)
    assert store.games.existing(db, "ackerwinde").verdict == PROVEN
    lines = summary.lines(db, store.games.all_games(db), clock.now())
    assert [task.kind for line in lines for task in line.tasks] == ["finished"]
    with write(db):
        db.execute("UPDATE round SET orders = replace(orders, '1>A', '1>B') WHERE number = 1")
        db.execute("UPDATE game SET verdict = NULL")
    tick(installation)
    lines = summary.lines(db, store.games.all_games(db), clock.now())
    (task,) = (task for line in lines for task in line.tasks)
    assert (task.kind, task.what) == (
        "unproven",
        "NOT PROVEN: round 1, orders of Anna: the receipt differs",
    )


def test_a_game_that_cannot_be_looked_back_at_stops_nobody(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 4)
    with write(db):
        db.execute("UPDATE round SET events = '{}' WHERE number = 2")
        db.execute("UPDATE round SET receipts = '[]' WHERE number = 2")
        db.execute("UPDATE game SET verdict = NULL, hindsight = NULL")
    tick(installation)
    assert "ValidationError" in str(store.games.existing(db, "ackerwinde").verdict)


@pytest.mark.long
def test_the_commands_statuses_are_those_of_the_verdicts(
    club: None, db: Database, installation: Installation, frozen_time: Any, tmp_path: Path
) -> None:
    file, broken = tmp_path / "a.json", tmp_path / "b.json"
    file.write_text(
        bohnenpost("export", "ackerwinde", home=installation.home).output, encoding="utf-8"
    )
    assert "CANNOT BE CHECKED: the game is not over" in bohnenpost("verify", file, status=3).output
    play(db, installation, frozen_time, 4)
    good = bohnenpost("export", "ackerwinde", home=installation.home).output
    file.write_text(good, encoding="utf-8")
    broken.write_text(good.replace('"pass"', '"1>A"', 1), encoding="utf-8")
    out = bohnenpost("verify", file, broken, status=1).output
    assert f"== {file}" in out
    assert "NOT PROVEN: round " in out
    told = [
        json.loads(line)
        for line in bohnenpost("verify", "--json", file, broken, status=1).output.splitlines()
    ]
    assert [t["verdict"] for t in told] == ["AGREES ONLY", "NOT PROVEN"]
    bohnenpost("verify", file, status=4)
    last = json.loads(good)["fairness"]["rounds"][-1]["chain"]
    game = store.games.existing(db, "ackerwinde")
    out = bohnenpost(
        "verify", "--json", file, "--commitment", str(game.commitment), "--chain", f"4={last}"
    ).output
    assert (json.loads(out)["line"], json.loads(out)["chains"]) == ("PROVEN", [4])
    for wrong in (
        ["--commitment", "xyz"],
        ["--chain", "1"],
        ["--receipt", "1:Anna"],
        ["nothing.json"],
    ):
        bohnenpost("verify", file, *wrong, status=2)


def test_a_commitment_is_checked_with_everyday_tools(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 4)
    game = store.games.existing(db, "ackerwinde")
    secret = store.rounds.revealed_secret(db, game)
    line = (
        r"(printf '\0\0\0\014bohn1.commit\0\0\0\012ackerwinde\0\0\0\040'; printf '%s' "
        + str(secret)
        + " | xxd -r -p) | sha256sum"
    )
    if not shutil.which("xxd"):
        text = b"\0\0\0\x0cbohn1.commit\0\0\0\x0aackerwinde\0\0\0\x20" + bytes.fromhex(str(secret))
        assert hashlib.sha256(text).hexdigest() == game.commitment
        return
    done = subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.split()[0] == game.commitment


@in_the_checkout
def test_the_page_on_checking_by_hand_shows_what_the_shell_says() -> None:
    text = (DOCS / "verify-by-hand.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    command, _, shown = block.rpartition("# ")
    fields = b"\0\0\0\x0cbohn1.commit\0\0\0\x06demo-1\0\0\0\x20" + bytes(range(32))
    assert hashlib.sha256(fields).hexdigest() == shown.strip()
    if shutil.which("xxd"):
        done = subprocess.run(
            ["bash", "-c", command], stdout=subprocess.PIPE, text=True, check=True
        )
        assert done.stdout.split()[0] == shown.strip()


@in_the_checkout
def test_the_round_that_is_worked_out_by_hand_gives_what_the_page_shows_and_is_proven(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (DOCS / "verify-by-hand.md").read_text(encoding="utf-8")
    program, shown = re.findall(r"```python\n(.*?)```.*?```\n(.*?)```", text, re.DOTALL)[0]
    names: dict[str, Any] = {}
    exec(program, names)  # our own page
    assert capsys.readouterr().out == shown
    link, setup = names["link"], names["setup"]
    lists = {
        seat: None if farm["absent"] else farm["orders"] for seat, farm in link["farms"].items()
    }
    used = {
        seat: {
            "revision": 2 if seat == "Anna" else 1,
            "salt": names["salts"][seat].hex(),
            "receipt": digest,
        }
        if digest
        else None
        for seat, digest in names["receipts"].items()
    }
    proof = {key: link[key] for key in ("notes", "deadline", "closed")} | {
        "receipts": used,
        "chain": names["chain"][1].hex(),
    }
    fairness = {
        "algorithm": setup["algorithm"],
        "level": 1,
        "commitment": names["commitment"].hex(),
        "secret": names["secret"].hex(),
        "phrases": {},
        "setup": setup,
        "end": "finished",
        "rounds": [proof],
    }
    record = {
        "format": "bohnenpost/1",
        "variant": "postal",
        "game": setup["game"],
        "seats": setup["seats"],
        "house_rules": setup["house_rules"],
        "rounds": [{"orders": lists}],
        "fairness": fairness,
    }
    given = Given(
        names["commitment"].hex(),
        {number: value.hex() for number, value in enumerate(names["chain"])},
    )
    found = verify(json.dumps(record).encode(), seeds.deck, given)
    assert (found.verdict, found.where, found.why) == (PROVEN, "", "")


def test_the_pages_say_plainly_what_is_proven_and_what_is_not(
    club: None, web: Any, db: Database
) -> None:
    text = words(web.get("/p/ackerwinde?lang=en"))
    assert (
        "First what nothing here proves: whoever can read the database file can see deck and lists"
        in text
    )
    assert "no list was changed, added or dropped after the report was mailed" in text
    assert "could have tried secrets before publishing the promise" in text
    assert "Compare all 64 digits with another player" in text


@pytest.mark.parametrize("path", ["/p/ackerwinde", "/p/ackerwinde/join", "/verify"])
def test_no_page_claims_that_the_whole_deck_was_fixed_before_anybody_joined(
    installation: Installation, web: Any, path: str
) -> None:
    seat_game(installation)
    text = words(web.get(f"{path}?lang=en"))
    assert "deck was fixed before" not in text.lower()
    assert "fixed before anybody joined" in text


def test_doctor_names_a_game_whose_mails_gave_another_verdict(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    play(db, installation, frozen_time, 4)
    tick(installation)
    assert bohnenpost("doctor", home=installation.home).output == "all is well\n"
    with write(db):
        store.games.update(db, "ackerwinde", {"verdict": "NOT PROVEN: end"})
    said = bohnenpost("doctor", home=installation.home, status=1).output
    assert "ackerwinde" in said
    assert "its mails say: NOT PROVEN: end; this version says: PROVEN" in said


@in_the_checkout
def test_the_schema_in_the_documents_fits_the_records(
    club: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    lines = re.compile(r"(\\n *)+")  # of docstrings
    schema = lines.sub(" ", json.dumps(msgspec.json.schema(Record)))
    document = lines.sub(" ", (DOCS / "record.schema.json").read_text(encoding="utf-8"))
    assert json.loads(document) == json.loads(schema)
