"""The commands, as somebody at a shell meets them: what they print, and their exit status."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gm import store
from gm.cli import main
from gm.installation import Installation
from gm.paths import SEEDS
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.postal_tables import shuffled
from tests.steps import bohnenpost, file_of, seat_game

GAMES = SEEDS / "postal" / "games"
RESULTS = tomllib.loads((GAMES / "results.toml").read_text(encoding="utf-8"))


def test_a_command_starts_without_what_serves_pages_and_ticks() -> None:
    asked = "import sys, gm.cli; print(*{'apscheduler', 'flask', 'waitress'} & set(sys.modules))"
    assert (
        subprocess.run(
            [sys.executable, "-c", asked], stdout=subprocess.PIPE, check=True
        ).stdout.split()
        == []
    )


@pytest.mark.parametrize("name", RESULTS)
def test_a_recorded_game_ends_as_it_is_written(name: str) -> None:
    told = json.loads(bohnenpost("replay", GAMES / f"{name}.json", "--json").output)
    assert told["result"]["talers"] == RESULTS[name]["talers"]
    last = told["rounds"][-1]
    pile = [*reversed(last["unused"]), *last["discard"]]
    assert " ".join(pile) == RESULTS[name]["discard"]


def test_every_recorded_game_has_its_result_and_the_other_way_round() -> None:
    assert {file.stem for file in GAMES.glob("*.json")} == set(RESULTS)
    assert len(RESULTS) >= 5


def test_replay_tells_the_game_in_words_in_both_languages() -> None:
    english = bohnenpost("replay", GAMES / "one-round.json").output
    german = bohnenpost("replay", GAMES / "one-round.json", "--lang", "de").output
    assert "Round 1" in english
    assert "Anna: " in english
    assert "Runde 1" in german
    assert "Taler" in german


def test_replay_tells_points_in_the_unit_of_the_game_and_its_own_beans(tmp_path: Path) -> None:
    cases = json.loads((SEEDS / "mutabohn" / "cases" / "games.json").read_text(encoding="utf-8"))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(cases["cases"][0]["given"]["record"]), encoding="utf-8")
    said = bohnenpost("replay", file, "--lang", "de").output
    assert "1. Cem, 27,00 Taler" in said
    assert "mutiert: jetzt" in said


def test_a_bad_record_is_refused_and_the_others_are_still_played(tmp_path: Path) -> None:
    bad = json.loads((GAMES / "wild.json").read_text(encoding="utf-8"))
    bad["rounds"][6]["orders"]["Anna"] = "9 HX bohne"
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(bad), encoding="utf-8")
    result = bohnenpost(
        "replay", GAMES / "alone.json", file, GAMES / "robots.json", "--json", status=1
    )
    assert [json.loads(line)["game"] for line in result.stdout.splitlines()] == ["alone", "robots"]
    assert f"{file}: round 7, Anna: the orders are refused" in result.stderr
    for code in (
        "RANGE at line 1, column 1",
        "BAD_FIELD at line 1, column 3",
        "WORD at line 1, column 6",
    ):
        assert code in result.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("{}", "missing required field"),
        ('{"format": "bohnenpost/9"}', "bohnenpost/9"),
        ("[1, 2", "line 1"),
    ],
)
def test_what_is_no_record_is_refused_by_its_file(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "no-record.json"
    file.write_text(content, encoding="utf-8")
    result = bohnenpost("replay", file, "--json", status=1)
    assert result.stdout == ""
    assert result.stderr.startswith(f"{file}: ")
    assert words in result.stderr


def test_an_unknown_variant_is_named(tmp_path: Path) -> None:
    file = tmp_path / "skat.json"
    record = {
        "format": "bohnenpost/1",
        "variant": "skat",
        "game": "x",
        "seats": ["Anna"],
        "deck": list(shuffled(1)),
        "rounds": [],
    }
    file.write_text(json.dumps(record), encoding="utf-8")
    assert "no variant is called 'skat'" in bohnenpost("replay", file, status=1).stderr


def test_replay_of_what_is_not_there(tmp_path: Path) -> None:
    assert "No such file" in bohnenpost("replay", tmp_path / "none.json", status=1).stderr
    assert bohnenpost("replay", tmp_path, status=2)
    assert bohnenpost("replay", status=2)


def test_a_game_of_which_nobody_says_what_it_is_is_the_default_one(
    duo: None, installation: Installation
) -> None:
    bohnenpost(
        "game",
        "new",
        "ackerwinde",
        "--gm",
        "Uli",
        "--gm-address",
        "uli@example.org",
        home=installation.home,
    )
    with installation.connection() as db:
        assert store.games.existing(db, "ackerwinde").variant == "postal"


def test_a_game_from_new_to_started(tmp_path: Path, frozen_time: Any) -> None:
    home = tmp_path / "club"
    bohnenpost(
        "game",
        "new",
        "beinwell",
        "--gm",
        "Uli",
        "--gm-address",
        "uli@example.org",
        "--on",
        "wed,sat",
        "--rule",
        "rounds=3",
        home=home,
    )
    out = bohnenpost("game", "open", "beinwell", home=home).output
    assert "commitment" in out
    bohnenpost(
        "game", "seat", "beinwell", "--name", "Anna", "--address", "anna@example.org", home=home
    )
    bohnenpost("game", "seat", "beinwell", "--name", "Rosa", "--robot", home=home)
    out = bohnenpost("game", "start", "beinwell", home=home).output
    assert "2026-11-21T20:00:00+01:00" in out
    facts = json.loads(bohnenpost("game", "show", "beinwell", "--json", home=home).output)
    assert facts["house_rules"]["rounds"] == 3
    assert [(seat["name"], seat["ordered"]) for seat in facts["seats"]] == [
        ("Anna", False),
        ("Rosa", False),
    ]
    done = bohnenpost("run", home=home).output
    assert "2 mails accepted" in done  # the promise and the first row
    facts = json.loads(bohnenpost("game", "list", "--json", home=home).output)
    assert [seat["ordered"] for seat in facts["seats"]] == [False, True]
    assert (
        "beinwell             running       1  2026-11-21T20:00:00+01:00 0 of 1"
        in bohnenpost("game", "list", home=home).output
    )
    assert bohnenpost("game", "comment", "beinwell", "Moin", home=home)


def test_it_is_said_where_a_personal_link_will_be_and_when(
    installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    seat_game(installation, "beinwell", players=("Anna",))
    file, soon = (
        f"will be a file in {installation.mail_folder}",
        "goes out with the next `bohnenpost run`",
    )
    new = ["--name", "Bert", "--address", "bert@example.org"]
    out = bohnenpost("game", "seat", "beinwell", *new, home=installation.home).output
    assert f"personal link  {file}, {soon}\n" in out
    assert (
        "personal link"
        not in bohnenpost(
            "game", "seat", "beinwell", "--name", "Rosa", "--robot", home=installation.home
        ).output
    )
    assert (
        "personal link"
        not in bohnenpost("game", "start", "beinwell", "--dry-run", home=installation.home).output
    )
    out = bohnenpost(
        "game", "start", "beinwell", home=installation.home, BOHNENPOST_SMTP_HOST="mail.example.org"
    ).output
    assert f"personal link  queued for anna@beinwell.example.org, bert@example.org, {soon}\n" in out
    bohnenpost("run", home=installation.home)
    assert (
        f"personal link  {file}\n"
        in bohnenpost("game", "link", "beinwell", "Anna", "--renew", home=installation.home).output
    )
    out = bohnenpost("game", "link", "beinwell", "Anna", home=installation.home).output
    assert "it was mailed to anna@beinwell.example.org within the last hour" in out
    frozen_time.shift(61)
    assert soon in bohnenpost("game", "link", "beinwell", "Bert", home=installation.home).output


def test_run_says_what_it_did_and_nothing_twice(
    installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    bohnenpost("run", home=installation.home)
    assert bohnenpost("run", home=installation.home).output == ""  # cron mails whatever is said
    assert bohnenpost("run", "--verbose", home=installation.home).output == "nothing due\n"
    assert bohnenpost("--verbose", "run", home=installation.home).output == "nothing due\n"
    assert json.loads(bohnenpost("run", "--json", home=installation.home).output)["closed"] == []
    frozen_time.move_to(SUNDAY)
    assert "would close ackerwinde" in bohnenpost("run", "--dry-run", home=installation.home).output
    with installation.connection() as db:
        assert store.games.existing(db, "ackerwinde").round == 1
    out = bohnenpost("run", home=installation.home).output
    assert "ackerwinde                           1  0 of 3" in out
    assert "3 mails accepted" in out
    frozen_time.move_to(SUNDAY + 7 * 86400)
    done = json.loads(bohnenpost("run", "--json", home=installation.home).output)
    assert done["closed"] == [{"game": "ackerwinde", "round": 2, "seats": 3, "absent": 3}]


def test_export_of_a_running_game_is_public_only_and_not_replayed(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    record = json.loads(bohnenpost("export", "ackerwinde", home=installation.home).output)
    assert set(record) == {
        "format",
        "variant",
        "game",
        "seats",
        "house_rules",
        "rounds",
        "fairness",
    }
    assert set(record["fairness"]) == {
        "algorithm",
        "level",
        "commitment",
        "phrases",
        "setup",
        "rounds",
    }
    file = tmp_path / "running.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert "no deck: the game is not over" in bohnenpost("replay", file, status=1).stderr


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["gmae"], 2, "No such command"),  # B114
        (["game", "show", "nothing"], 2, "There is no game “nothing”. There are: ackerwinde"),
        (
            ["game", "start", "ackerwinde"],
            2,
            "ackerwinde is running; seats are given between opening and start.",
        ),
        (["game", "seat", "ackerwinde", "--name", "X"], 2, "--address is missing"),
        # B116
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--at", "24:00"],
            2,
            "like 20:00",
        ),
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--zone", "Mars/Olympus"],
            2,
            "Europe/Berlin",
        ),
        (
            [
                "game",
                "new",
                "x",
                "--gm",
                "U",
                "--gm-address",
                "u@x.org",
                "--zone",
                "../../etc/passwd",
            ],
            2,
            "Europe/Berlin",
        ),
        # B117
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--on", "8"],
            2,
            "is no weekday",
        ),
        (["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--every", "0"], 2, "0"),
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--rule", "rounds"],
            2,
            "KEY=VALUE",
        ),
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--rule", "rounds=13"],
            2,
            "The house rule rounds is a whole number from 1 to 12, not “13”.",
        ),
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--rule", "rounds=ten"],
            2,
            "from 1 to 12, not “ten”.",
        ),
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--rule", "nmr_empty=1"],
            2,
            "The house rule nmr_empty is one of false, true, not “1”.",
        ),
        (
            [
                "game",
                "new",
                "x",
                "--gm",
                "U",
                "--gm-address",
                "u@x.org",
                "--rule",
                "nmr_harvest=true",
            ],
            2,
            "The house rule nmr_harvest is one of eager, lazy, not “true”.",
        ),
        (
            ["game", "new", "x", "--gm", "U", "--gm-address", "u@x.org", "--rule", "round=3"],
            2,
            "“round” is no house rule of this game; there are rounds, discard_order, nmr_empty, nmr_harvest.",
        ),
        (["export", "nothing"], 2, "There is no game"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    installation: Installation, ackerwinde: Game, args: list[str], status: int, words: str
) -> None:
    assert words in bohnenpost(*args, home=installation.home, status=status).output


def test_an_environment_that_cannot_work_is_told_with_a_cure(
    tmp_path: Path, installation: Installation
) -> None:
    assert "no installation here" in bohnenpost("run", home=tmp_path / "none", status=3).output
    assert (
        "did you mean smtp_host"
        in bohnenpost("run", home=installation.home, status=3, BOHNENPOST_SMPT_HOST="x").output
    )
    file_of(installation).write_bytes(b"no database" * 100)
    assert "not a database" in bohnenpost("run", home=installation.home, status=3).output


def test_the_help_of_game_new_lists_the_house_rules() -> None:
    told = " ".join(bohnenpost("game", "new", "--help").output.split())
    assert "House rules (postal): rounds=1…12 default: 10" in told
    assert "nmr_harvest=eager|lazy default: eager" in told


def test_every_command_has_help() -> None:
    def walk(command: Any, path: tuple[str, ...]) -> None:
        assert command.help, path
        told = bohnenpost(*path, "--help", COLUMNS="80").output
        assert told.startswith("Usage:")
        for name, inner in getattr(command, "commands", {}).items():
            (line,) = re.findall(rf"^  {name} +(\S.*)$", told, re.M)
            assert not line.endswith("..."), (path, name)
            assert " ".join(inner.help.split()).startswith(line), (path, name)
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, (*path, name))

    walk(main, ())


def test_the_program_alone_says_how_to_begin() -> None:
    begun = bohnenpost()
    assert begun.exit_code == 0
    assert "bohnenpost demo" in begun.output


def test_deadlines_and_copies_are_told_to_programs(installation: Installation) -> None:
    told = json.loads(bohnenpost("game", "deadlines", "--json").output)
    assert (told[0], len(told)) == ("2026-11-22T19:00:00Z", 10)
    assert json.loads(bohnenpost("game", "deadlines", "--by-hand", "--json").output) == []
    made = json.loads(bohnenpost("backup", "--json", home=installation.home).output)
    assert Path(made["file"]).parent == installation.home / "backups"


def test_odd_files_and_settings_give_one_line_and_no_traceback(
    tmp_path: Path, installation: Installation, ackerwinde: Game
) -> None:
    assert (
        "base_url"
        in bohnenpost(
            "run", home=installation.home, status=3, BOHNENPOST_BASE_URL="http://["
        ).output
    )
    (installation.home / "bohnenpost.toml").mkdir()
    assert "bohnenpost.toml" in bohnenpost("run", home=installation.home, status=3).output


@pytest.mark.parametrize("part", ['"house_rules": {"a": 1e999}', '"house_rules": {"\\ud800": 1}'])
def test_numbers_without_end_and_half_characters_are_no_record(tmp_path: Path, part: str) -> None:
    file = tmp_path / "odd.json"
    head = '"format": "bohnenpost/1", "variant": "postal", "game": "x", "seats": ["Anna"], "deck": [], "rounds": []'
    file.write_text("{" + head + ", " + part + "}", encoding="utf-8")
    assert (
        bohnenpost("replay", file, GAMES / "alone.json", "--json", status=1).stdout.count("\n") == 1
    )


def test_both_illegal_lists_of_a_round_are_named(tmp_path: Path) -> None:
    record = json.loads((GAMES / "anna-bert-cem.json").read_text(encoding="utf-8"))
    record["rounds"][2]["orders"] |= {"Anna": "99", "Bert": "HD"}
    file = tmp_path / "two.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    err = bohnenpost("replay", file, status=1).stderr
    assert "round 3, Anna and Bert" in err
    assert "RANGE" in err
    assert "BAD_FIELD" in err


def test_mail_sends_and_closes_nothing(
    installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    bohnenpost("run", home=installation.home)
    frozen_time.move_to(SUNDAY + 60)
    assert "0 accepted" in bohnenpost("mail", home=installation.home).output
    with installation.connection() as db:
        assert store.games.existing(db, "ackerwinde").round == 1
    assert "no mail waits" in bohnenpost("mail", "list", home=installation.home).output
