"""For people who want to learn a game: a recorded round to read along, and the rules in full."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise

import msgspec
from markupsafe import Markup
from msgspec import Struct

from gm import paths, seeds
from gm.rendering.dates import LANGUAGES
from gm.rendering.reports import Report, deeds
from rounds.engine.events import Event
from rounds.engine.record import Round, read_record, replay
from rounds.engine.variant import Step, Table, Variant, find

RULING = re.compile(r"<strong>([A-Z][0-9]+)\b")
"""Where a ruling stands: its number begins a passage in bold type."""


class Example(Struct, frozen=True):
    """A round as its first seat played it: the first row of the game, the table before the
    round, how its row came to lie there, and the farm after each order. Tables are as everybody
    may see them, except `own`: as this seat did. `others`: what came of the orders of each other
    seat; `came`: what happened in the round.
    """

    seat: str
    first: object
    before: object
    own: object
    dealt: tuple[Event, ...]
    steps: tuple[Step, ...]
    others: dict[str, tuple[Step, ...]]
    came: tuple[Event, ...]


class Section(Struct, frozen=True):
    """A heading of a document: its level from 1, its anchor, its words."""

    level: int
    anchor: str
    words: str


class Document(Struct, frozen=True):
    """A text as a page: title, headings, and the HTML without the title; `language` is the one
    it is written in.
    """

    language: str
    title: str
    sections: tuple[Section, ...]
    body: Markup


@cache
def example(variant: str) -> Example | None:
    """The last round of `seeds/<variant>/how_to_play.json`; None for a variant without such a
    record. Raises RecordError.
    """
    file = paths.of_game("seeds", variant) / "how_to_play.json"
    if not file.is_file():
        return None
    record, engine = read_record(file.read_bytes()), find(variant)
    rounds, seat = replay(record, engine, seeds.deck(variant)).rounds, record.seats[0]
    before = rounds[-1].before
    steps = {
        one: engine.preview(before, one, engine.read_orders(before, one, text))
        for one, text in record.rounds[-1].orders.items()
        if text is not None
    }
    first, shown, own = (
        engine.view(rounds[0].before, None),
        engine.view(before, None),
        engine.view(before, seat),
    )
    return Example(
        seat, first, shown, own, rounds[-2].events, steps.pop(seat), steps, rounds[-1].events
    )


class RecordedGame(Struct, frozen=True):
    """Stands for a game on pages that show a recorded one, which lies in no database."""

    variant: str
    rules: object
    name: str = ""

    @property
    def engine(self) -> Variant:
        """The variant that is played."""
        return find(self.variant)


class RecordedSeat(Struct, frozen=True):
    """What pages ask of its seats."""

    number: int
    name: str


class Sample(Struct, frozen=True):
    """A recorded round, with those before it in its turn, as reports, and its headlines; `table`
    and `lists` are what it was played from.
    """

    game: RecordedGame
    seats: tuple[RecordedSeat, ...]
    parts: tuple[Report, ...]
    headlines: tuple[Event, ...]
    table: Table
    lists: Mapping[str, str | None]


@cache
def sample(variant: str) -> Sample | None:
    """The last round of `seeds/<variant>/sample.json`, as of a game that stands in no database:
    without press, proof and time of closing. None for a variant without such a record. Raises
    RecordError.
    """
    file = paths.of_game("seeds", variant) / "sample.json"
    if not file.is_file():
        return None
    record, engine = read_record(file.read_bytes()), find(variant)
    rounds = replay(record, engine, seeds.deck(variant)).rounds
    parts = [_recorded(engine, number, one) for number, one in enumerate(rounds, start=1)]
    closed, turn = parts[-1], engine.turn
    told = [one for one in parts if turn and turn(one.moment) == turn(closed.moment)] or [closed]
    rules = msgspec.convert(record.house_rules, engine.house_rules)
    return Sample(
        RecordedGame(variant, rules),
        tuple(RecordedSeat(*numbered) for numbered in enumerate(record.seats, start=1)),
        tuple(told),
        engine.headlines(
            closed.before, closed.events, closed.after, [one.events for one in rounds[:-1]]
        ),
        rounds[-1].before,
        record.rounds[-1].orders,
    )


def _recorded(engine: Variant, number: int, played: Round) -> Report:
    """A recorded round as a report, without what nobody knows of it."""
    before, after = engine.view(played.before, None), engine.view(played.after, None)
    return Report(
        number=number,
        version=1,
        closed_at=0,
        moment=engine.moment(played.before),
        before=before,
        after=after,
        ranking=tuple(engine.scores.of(after)) if engine.scores else (),
        events=played.events,
        deeds=deeds(tuple(played.before.seats), played.events),
        press=(),
        notes=(),
        places={},
        receipts={},
        sources={},
        chain="",
        withdrawn=(),
        others={},
    )


@cache
def full_rules(variant: str, language: str) -> Document | None:
    """The rules of a variant in full, with an anchor at each heading and each ruling; None if
    nobody has written them.
    """
    file = paths.rules(variant, language)
    if file is None:
        return None
    written_in = next(
        (language for language in LANGUAGES if file.name.endswith(f".{language}.md")), "en"
    )
    return _document(file.read_text(encoding="utf-8"), written_in)


def _document(text: str, language: str) -> Document:
    # a twentieth of a second that no other page needs
    from markdown_it import MarkdownIt  # noqa: PLC0415

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule(
        "table_open", lambda *_: '<div class="scroll" tabindex="0"><table class="t">'
    )
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    fence = reader.renderer.rules["fence"]  # type: ignore[attr-defined]
    reader.add_render_rule(
        "fence",
        lambda _, *what: fence(*what).replace("<pre>", '<pre class="scroll" tabindex="0">', 1),
    )
    tokens = [token for token in reader.parse(text) if token.type != "hr"]
    sections: list[Section] = []
    for token, words in pairwise(tokens):
        if token.type == "heading_open":
            level, anchor = int(token.tag[1]), f"s{len(sections)}"
            token.attrSet("id", anchor)
            sections.append(
                Section(level, anchor, "".join(part.content for part in words.children or ()))
            )
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1]) + 1}"  # the page's own heading is the title
    body = reader.renderer.render(tokens[3:], reader.options, {})
    # our own text
    return Document(language, sections[0].words, tuple(sections[1:]), Markup(_with_links(body)))  # noqa: S704


def _with_links(html: str) -> str:
    """HTML in which each ruling has an anchor, and every mention of its number leads there; names
    of files lead to their pages.
    """
    numbers = set(RULING.findall(html))

    def link(match: re.Match[str]) -> str:
        return f'<a href="#{match[0]}">{match[0]}</a>' if match[0] in numbers else match[0]

    mentioned = re.sub(r"(?<!<strong>)\b[A-Z][0-9]+\b", link, html)
    anchored = RULING.sub(r'<strong id="\1">\1', mentioned)
    return re.sub(
        r'href="([a-z]+)(?:\.([a-z]+))?\.md"',
        lambda file: f'href="/rules/{file[1]}/full?lang={file[2] or "en"}"',
        anchored,
    )
