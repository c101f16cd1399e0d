"""`bench`: how fast a deadline batch is."""

import json
import sys
from typing import Any, TextIO

import click
import msgspec

from gm.bench import benches
from gm.bench.measure import Figure, Options
from gm.cli.output import say


class Peer(msgspec.Struct):
    """What another program took, in microseconds."""

    peer: str
    us: float


@click.command()
@click.argument("names", nargs=-1)
@click.option("--games", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="The largest batch.")
@click.option("--seats", type=click.IntRange(1, 1000), default=5, show_default=True, help="Seats a game.")
@click.option("--peers", type=click.File(encoding="utf-8"), help="What the scripts in docs/peers printed, line by line.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def bench(names: tuple[str, ...], games: int, seats: int, peers: TextIO | None, *, as_json: bool) -> None:
    """Measure NAMES (all if none is given): figures, what they are measured against, and whether targets hold.

    Status 1 if one does not. With --games 10000 the largest batch takes some minutes.
    """
    known = benches()
    if odd := set(names) - set(known):
        raise click.UsageError(f"no such bench: {', '.join(sorted(odd))}; there are: {', '.join(known)}")
    wanted = [name for name in known if not names or name in names]
    options, lines = Options(games, seats, _measured(peers)), list[Figure]()
    with click.progressbar(length=len(wanted), label="measuring", show_pos=True, file=sys.stderr) as bar:
        for name in wanted:
            for line in known[name](options):
                lines.append(line)
                if as_json:
                    click.echo(json.dumps(_plain(name, line)))
            bar.update(1)
    if not as_json:
        say("bench.txt", lines=lines)
    raise SystemExit(0 if all(line.holds is not False for line in lines) else 1)


def _measured(peers: TextIO | None) -> dict[str, float]:
    try:
        return {peer.peer: peer.us for peer in msgspec.json.Decoder(Peer).decode_lines(peers.read() if peers else "")}
    except msgspec.MsgspecError as error:
        raise click.UsageError(f"--peers: {error}") from None


def _plain(name: str, line: Figure) -> dict[str, Any]:
    """A line for programs, with the bench that it is of."""
    return {"bench": name, **msgspec.to_builtins(line), "ratio": line.ratio, "holds": line.holds}
