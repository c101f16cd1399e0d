"""One command on several games: each by itself, one mail to each person."""

import secrets
import sys
from collections.abc import Sequence

import click
from msgspec.structs import replace

from gm import clock, store
from gm.cli.home import Home
from gm.cli.output import say
from gm.games import several

GAMES = click.argument("ids", metavar="GAME…", nargs=-1, required=True)


def do_to_several(home: Home, ids: Sequence[str], asked: several.Asked) -> None:
    """Do one thing to several games, in the name of the first one's game master, and say what
    became of each. Ends with status 1 if any was refused.
    """
    asked = replace(asked, by_host=True)
    with home.open().connection() as db:
        games = [store.games.existing(db, game) for game in dict.fromkeys(ids)]
        seen = {game.id: several.seen(game) for game in games}
        by = several.Sender(games[0].gm_address, games[0].gm_name)
        number = several.ask(db, asked, seen, by, clock.now(), token=secrets.token_urlsafe())
        while several.go_on(db, clock.now()):
            pass
        act = store.acts.by_id(db, number)
        found = several.outcomes(db, act) if act is not None else []
    say("several.txt", found=found)
    if any(one.outcome is None or one.outcome.refusal for one in found):
        sys.exit(1)
