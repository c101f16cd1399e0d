"""When rounds end, as a table: `rows.txt` says how it reads."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from gm.calendar import WEEKDAYS, Rule, deadline_of_round
from gm.clock import HOUR
from gm.errors import Refusal
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.notes import Note
from gm.timetable import extending, new_calendar, promises
from gm.timetable.offers import Offer, offers
from gm.timetable.standing import Standing

ROWS = Path(__file__).with_name("rows.txt").read_text(encoding="utf-8")
ZONE = ZoneInfo("Europe/Berlin")
FIRST = date(2026, 11, 20)
"""The Friday on which everything begins."""
AT = r"(?:mon|tue|wed|thu|fri|sat|sun) \d\d:\d\d(?: \+\d+)?"


def instant(text: str) -> int:
    """`sun 20:00 +1`: the second Sunday from the first Friday on."""
    day, clock, *weeks = text.split()
    ahead = (WEEKDAYS.index(day) - FIRST.weekday()) % 7 + 7 * int((weeks or ["0"])[0])
    there = datetime.combine(FIRST + timedelta(ahead), time.fromisoformat(clock), ZONE)
    return int(there.timestamp())


def written(at: int | None) -> str:
    if at is None:
        return "-"
    there = datetime.fromtimestamp(at, UTC).astimezone(ZONE)
    weeks = (there.date() - FIRST).days // 7
    return f"{WEEKDAYS[there.weekday()]} {there:%H:%M}" + (f" +{weeks}" if weeks else "")


def values(text: str) -> dict[str, str]:
    """`early 24, ends sun 20:00`: words by their first."""
    return {
        (words := part.strip().partition(" "))[0]: words[2].strip()
        for part in text.split(",")
        if part.strip()
    }


def rule_of(words: dict[str, str]) -> Rule:
    days = tuple(WEEKDAYS.index(day) for day in words.get("on", "sun").split() if day != "-")
    left_out = tuple(
        datetime.fromtimestamp(instant(f"{day} 12:00{week}"), ZONE).date()
        for day, week in re.findall(r"(\w{3})( \+\d)?", words.get("not", ""))
    )
    if "each" in words:
        return Rule((), time(20), ZONE.key, 1, FIRST, hours=int(words["each"]))
    return Rule(
        days,
        time(20),
        ZONE.key,
        int(words.get("weeks", 1)),
        FIRST,
        left_out,
        int(words.get("shortest", 0)),
    )


def game_of(words: dict[str, str]) -> Game:
    """A running game in its second round, which began on Friday at 13:00."""
    rule, began = rule_of(words), instant(words.get("began", "fri 13:00"))
    deadline = deadline_of_round(rule, began)
    regular = instant(words["regular"]) if "regular" in words else deadline
    if "ends" in words:
        deadline = None if words["ends"] == "-" else instant(words["ends"])
    columns: dict[str, Any] = {
        name: None if field.default is msgspec.NODEFAULT else field.default
        for name, field in ((f.name, f) for f in msgspec.structs.fields(Game))
    }
    known: dict[str, Any] = {
        "id": "reihe",
        "variant": words.get("variant", "postal"),
        "house_rules": msgspec.json.encode({"rounds": int(words.get("rounds", 10))}).decode(),
        "rule": msgspec.json.encode(rule).decode(),
        "status": words.get("status", "running"),
        "round": 2,
        "round_at": began,
        "deadline": deadline,
        "scheduled_deadline": regular,
        "early_after": int(words["early"]) * HOUR if "early" in words else None,
        "after_early": words.get("then", "same"),
        "next_deadline": instant(words["next"]) if "next" in words else None,
        "paused_at": instant(words["paused"]) if "paused" in words else None,
    }
    if known["variant"] == "duel":
        known["house_rules"] = "{}"
    return Game(**{**columns, **known})


def notes_of(text: str) -> tuple[Note, ...]:
    """`sat 10:00 deadline sun 20:00 > wed 20:00`: when, what, and which deadline it moved."""
    notes = []
    for number, part in enumerate(filter(None, map(str.strip, text.split(";")))):
        at, kind, moved = re.fullmatch(rf"({AT}) (\w+)(.*)", part).groups()  # type: ignore[union-attr]
        what = moved.strip().partition(" ")[0] if kind == "changed" else ""
        ends = [instant(one) for one in re.findall(AT, moved)]
        promised = kind == "promised" or what == "next_deadline"
        pair: list[object] = [rule_of({})] * 2 if what == "rule" else [1, 2]
        changed = {"next_deadline": ends} if promised else {what: pair} if what else {}
        old, new = ends if ends and not promised else (None, None)
        notes.append(
            Note(
                id=number,
                game="reihe",
                round=2,
                kind="deadline" if kind == "promised" else kind,
                at=instant(at),
                text="",
                seat=None,
                old=old,
                new=new,
                who=None,
                changed=msgspec.json.encode(changed).decode(),
            )
        )
    return tuple(notes)


def lists_of(text: str, *, robots: bool) -> tuple[Revision | None, ...]:
    """`sat 10:00, -, robot sat 11:00`: of each awaited seat when its orders came."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    mine = [p.removeprefix("robot ") for p in parts if p.startswith("robot ") is robots]
    return tuple(
        None if one == "-" else Revision("reihe", 2, seat, 1, "pass", instant(one), b"", "seat", 1)
        for seat, one in enumerate(mine, start=1)
    )


def offered(offer: Offer | None) -> str:
    if offer is None:
        return "none"
    kept = " kept" if offer.promised else ""
    return f"{written(offer.first)}{kept} of {', '.join(map(written, offer.choices)) or 'none'}"


def extended(stands: Standing, words: dict[str, str], now: int) -> str:
    to = instant(words["to"])
    extending.check(stands, to, now)
    wish = instant(words["then"]) if "then" in words else None
    longer = "longer" in words
    promised = extending.promised_to_next(stands, to, wish, longer=longer)
    return f"next {written(promised)}"


def with_calendar(stands: Standing, words: dict[str, str], now: int) -> str:
    rule = rule_of(words)
    moved = new_calendar.open_deadline(stands, rule, now)
    return f"{written(moved)}, next {written(new_calendar.promise(stands, rule, now))}"


def next_of(stands: Standing, words: dict[str, str], now: int) -> str:
    after = promises.following(stands.game, instant(words["to"]) if words else stands.game.deadline)
    if after is None:
        return "-"
    marks = [" promised" if after.promised else "", " short" if after.short else ""]
    return written(after.deadline) + "".join(marks)


QUESTIONS: dict[str, Callable[[Standing, dict[str, str], int], str]] = {
    "closes early": lambda s, _, __: written(s.closes_early_at),
    "may close early": lambda s, _, __: "yes" if s.may_close_early else "no",
    "stays open": lambda s, _, __: written(s.stays_open),
    "brought forward to": lambda s, _, now: written(s.earliest(now)),
    "if resumed": lambda s, _, now: offered(offers(s, now).resuming),
    "if closed": lambda s, _, now: offered(offers(s, now).closing),
    "if taken back": lambda s, _, now: offered(offers(s, now).taking_back),
    "if started": lambda s, _, now: offered(offers(s, now).starting),
    "a pause keeps it until": lambda s, _, now: written(offers(s, now).keeps_until),
    "if moved": extended,
    "with another calendar": with_calendar,
    "the next round": next_of,
}


def rows() -> Sequence[tuple[str, str]]:
    """Each row with its question."""
    question, found = "", []
    for line in ROWS.splitlines():
        if line.startswith("## "):
            question = line.removeprefix("## ")
        elif question and "|" in line:
            found.append((question, line))
    return found


@pytest.mark.parametrize(("question", "row"), rows())
def test_a_row(question: str, row: str) -> None:
    assert answer(question, row) == row.rpartition("|")[2].strip()


def answer(question: str, row: str) -> str:
    settings, notes, lists, now, act = [part.strip() for part in row.split("|")[:5]]
    words = values(settings.removeprefix("-"))
    stands = Standing(
        game_of(words),
        notes_of(notes),
        lists_of(lists, robots=False),
        lists_of(lists, robots=True),
        played="nobody" not in words,
        before=instant(words["before"]) if "before" in words else None,
    )
    try:
        return QUESTIONS[question](stands, values(act), instant(now or "fri 13:00"))
    except Refusal as refusal:
        return f"no: {refusal.code}"


def test_there_are_rows_for_every_question() -> None:
    assert {question for question, _ in rows()} == QUESTIONS.keys()
