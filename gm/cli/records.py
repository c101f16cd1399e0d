"""`replay`, `rules`, `export`, `verify`, `zine`: records, rules and rounds, in and out."""

import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import click
import msgspec

from gm import paths, seeds, store
from gm.calendar import read_date
from gm.cli.home import Home
from gm.cli.output import say
from gm.proof import witness
from gm.proof.fairness import record_of
from gm.rendering.dates import LANGUAGES
from gm.rendering.zine import as_text
from gm.rendering.zine import zine as rounds_since
from rounds.engine.record import RecordError, read_record, replay_document
from rounds.engine.record import replay as play_again
from rounds.engine.variant import Variant, find
from rounds.engine.variant import names as variant_names
from rounds.engine.verdict import AGREES, IF, NOT_PROVEN, PARTLY, PROVEN, UNCHECKED, Given, Verdict
from rounds.engine.verify import verify as check_record

ROUND = re.compile(r"[0-9]{1,4}")
HEX = re.compile(r"[0-9a-fA-F]{64}")
STATUS = {PROVEN: 0, NOT_PROVEN: 1, UNCHECKED: 3, PARTLY: 4, AGREES: 4, IF: 4}
WORST_FIRST = (1, 3, 4, 0)
FILES = click.argument("files", nargs=-1, type=click.Path(dir_okay=False, path_type=Path))


@click.command()
@FILES
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON line per file: the record and what came of each round.",
)
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
def replay(files: tuple[Path, ...], lang: str, *, as_json: bool) -> None:
    """Play records again, exactly. A record that is not right is refused with every problem; the
    others are still played.
    """
    if not files:
        raise click.UsageError("name at least one record")
    good = True
    for file in files:
        try:
            record = read_record(_bytes(file))
            variant = _variant(record.variant)
            replayed = play_again(record, variant, seeds.deck(variant.name))
        except RecordError as error:
            say("refused.txt", file=file, error=error, err=True)
            good = False
            continue
        if as_json:
            click.echo(
                json.dumps(replay_document(record, replayed, variant), ensure_ascii=False).encode()
            )
        else:
            say("replay.txt", language=lang, record=record, replay=replayed, rules_of=variant.name)
    sys.exit(0 if good else 1)


@click.command()
@click.option(
    "--variant",
    type=click.Choice(variant_names()),
    help="Which game; the default one if left out.",
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of the rules.",
)
def rules(variant: str | None, lang: str) -> None:
    """Print the rules of a game in full."""
    variant = variant or seeds.default_variant()
    file = paths.rules(variant, lang)
    if file is None:
        raise click.ClickException(f"nobody has written the rules of {variant} in full")
    click.echo(file.read_text(encoding="utf-8"), nl=False)


@click.command()
@click.argument("game")
@click.pass_obj
def export(home: Home, game: str) -> None:
    """The record of GAME as JSON. While it runs only the public part: no secret, no salts,
    nothing of the open round.
    """
    with home.open().connection() as db:
        stored = store.games.existing(db, game)
        record = record_of(db, stored)
    click.echo(json.dumps(msgspec.to_builtins(record), ensure_ascii=False).encode())


@click.command()
@FILES
@click.option("--commitment", metavar="HEX", help="The commitment in your first mail.")
@click.option(
    "--chain",
    "chains",
    multiple=True,
    metavar="ROUND=HEX",
    help="A chain value from a report. Repeatable.",
)
@click.option(
    "--receipt",
    "receipts",
    multiple=True,
    metavar="ROUND:SEAT=HEX",
    help="A digest from a receipt. Repeatable.",
)
@click.option(
    "--mails",
    metavar="PATH",
    type=click.Path(exists=True, path_type=Path),
    help="Take all these from your own mails: a folder of them, or an mbox file.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per file.")
def verify(
    files: tuple[Path, ...],
    commitment: str | None,
    chains: tuple[str, ...],
    receipts: tuple[str, ...],
    mails: Path | None,
    *,
    as_json: bool,
) -> None:
    """Check records against what was promised. Offline, from the records alone.

    The last line is the verdict, but for those that name rounds of which you kept no report, or
    one that counts for nothing.
    PROVEN (status 0) needs the commitment and a chain value of the
    last round, from your own mails; with less it says what alone the record agrees with, up to
    which round it is proven, or what must be true besides (4). NOT PROVEN: where (1), CANNOT BE
    CHECKED: why (3).
    """
    if not files:
        raise click.UsageError("name at least one record")
    kept = _given(commitment, chains, receipts)
    own = witness.mails(mails) if mails else witness.Kept()
    statuses = set()
    for file, data in [(file, _read(file)) for file in files]:
        verdict = check_record(
            data, seeds.deck, kept, own.mails, own.left_out, own.names, own.silent
        )
        statuses.add(STATUS[verdict.verdict])
        if as_json:
            about = _about(file, verdict) | (
                {
                    "mails": verdict.mails,
                    "left_out": verdict.unread,
                    "look": verdict.conditions,
                    "without_report": verdict.without_report,
                    "told": verdict.tellings,
                    "void_reports": verdict.void_reports,
                }
                if mails
                else {}
            )
            click.echo(json.dumps(about, ensure_ascii=False).encode())
        else:
            say(
                "verify.txt",
                file=file,
                several=len(files) > 1,
                found=verdict,
                asked=mails is not None,
            )
    sys.exit(next(status for status in WORST_FIRST if status in statuses))


def _read(file: Path) -> bytes:
    """The bytes of a file. Raises click.UsageError where there are none."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}") from None


def _about(file: Path, verdict: Verdict) -> dict[str, Any]:
    """A verdict for programs."""
    return {
        "file": str(file),
        "verdict": verdict.verdict,
        "line": verdict.line,
        "against": verdict.given.commitment,
        "chains": sorted(verdict.given.chains),
        "where": verdict.where,
        "why": verdict.why,
        "checks": [name for name, _ in verdict.checks],
    }


def _given(commitment: str | None, chains: tuple[str, ...], receipts: tuple[str, ...]) -> Given:
    """What a witness kept, from the command line. Raises click.BadParameter for malformed
    values.
    """
    if commitment is not None and not HEX.fullmatch(commitment):
        raise click.BadParameter(f"{commitment!r}: 64 hex digits", param_hint="--commitment")
    kept: dict[int, str] = {}
    for text in chains:
        number, _, value = text.partition("=")
        if not (ROUND.fullmatch(number) and HEX.fullmatch(value)):
            raise click.BadParameter(
                f"{text!r}: write ROUND=HEX with 64 hex digits", param_hint="--chain"
            )
        kept[int(number)] = value.lower()
    answered: dict[tuple[int, str], str] = {}
    for text in receipts:
        place, _, value = text.rpartition("=")
        number, _, seat = place.partition(":")
        if not (ROUND.fullmatch(number) and seat and HEX.fullmatch(value)):
            raise click.BadParameter(
                f"{text!r}: write ROUND:SEAT=HEX with 64 hex digits", param_hint="--receipt"
            )
        answered[int(number), unicodedata.normalize("NFC", seat)] = value.lower()
    return Given(commitment and commitment.lower(), kept, answered)


@click.command()
@click.option(
    "--since",
    required=True,
    metavar="DATE",
    help="Rounds closed on this day or later, like 2026-11-01.",
)
@click.option("--lang", type=click.Choice(LANGUAGES), default="de", show_default=True)
@click.pass_obj
def zine(home: Home, since: str, lang: str) -> None:
    """All rounds closed since a day, as one text. It has 72 columns and no personal link."""
    installation = home.open()
    with installation.connection() as db:
        click.echo(as_text(db, installation, rounds_since(db, read_date(since)), lang), nl=False)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise RecordError("", error.strerror or "cannot be read") from None


def _variant(name: str) -> Variant:
    try:
        return find(name)
    except LookupError as error:
        raise RecordError("variant", str(error.args[0])) from None
