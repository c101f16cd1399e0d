"""`bohnenpost`: everything the service does, from a shell.

Exit status: 0 done, 1 an honest no, 2 wrong call, 3 can't work here, 75 busy.
"""

import os
import sqlite3
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click
import msgspec

from gm.cli import host, logs
from gm.cli.home import Home
from gm.cli.output import harmless, say
from gm.cli.sections import InSections
from gm.config import BadConfig
from gm.errors import Refusal
from gm.games.names import composed
from gm.installation import NoInstallation, default_home
from gm.rendering.sentences import sentence
from gm.seeds import refuse_bad_games
from gm.service import TooManyMails
from gm.store.file.backup import BadCopy
from gm.store.file.migrations import OtherSchema
from gm.store.schema import NotOurs
from rounds.engine.variant import BadPackage

INTERRUPTED, BUSY, ENVIRONMENT, WRONG_CALL = 130, 75, 3, 2
LOCKED = (
    "another process has held it for too long; nothing was changed, so do it again, or look for a "
    "program that has the file open"
)


class Group(InSections):
    """Turns every expected trouble into one line and its exit status: no traceback reaches a
    user.
    """

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:
        """Run the program. Names and addresses are normalised; what a terminal cannot show is
        replaced.
        """
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        return super().main(
            [composed(text) for text in (sys.argv[1:] if args is None else args)], *more, **options
        )

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            refuse_bad_games()
            return super().invoke(ctx)
        except KeyboardInterrupt:  # nothing was half done: every change is one transaction
            raise SystemExit(INTERRUPTED) from None
        except Refusal as error:
            raise Trouble(sentence("en", error), WRONG_CALL) from None
        except (NoInstallation, BadConfig, NotOurs, OtherSchema, BadCopy, TooManyMails) as error:
            raise Trouble(str(error), ENVIRONMENT) from None
        except BadPackage as error:
            raise Trouble(str(error), ENVIRONMENT) from None
        except (UnicodeError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            raise Trouble(str(error), ENVIRONMENT) from None
        except msgspec.MsgspecError as error:
            raise Trouble(
                f"a row of the database cannot be read: {error}; bohnenpost doctor names it",
                ENVIRONMENT,
            ) from None
        except sqlite3.DatabaseError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise Trouble(f"{error}: {LOCKED}", BUSY) from None
            raise Trouble(str(error), ENVIRONMENT) from None


@click.group(
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    sections={
        "To play": ("demo", "tonight"),
        "To run a service": ("setup", "serve", "worker", "run", "mail"),
        "To lead games": ("game", "gm", "standby", "zine"),
        "To keep and repair": ("backup", "restore", "resume", "doctor"),
        "Rules and records": ("rules", "export", "replay", "verify"),
    },
)
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), help="Folder of the installation."
)
@click.version_option(package_name="bohnenpost")
@click.option("-v", "--verbose", is_flag=True, help="Say on stderr what is going on.")
@click.pass_context
def main(ctx: click.Context, home: Path | None, *, verbose: bool) -> None:
    """Bohnenpost, a play-by-mail game master for Bohnanza.

    Try it out with `bohnenpost demo`. The folder of an installation is --home, or
    $BOHNENPOST_HOME, or the user's data folder.
    """
    logs.set_up(verbose=verbose)
    ctx.obj = Home(home or default_home(os.environ), verbose=verbose)
    if ctx.invoked_subcommand is None:
        say("begin.txt")


class Trouble(click.ClickException):
    """One line on stderr and an exit status."""

    def __init__(self, message: str, status: int) -> None:
        message = harmless(message)
        # click declares it for the class and reads it from the instance
        self.exit_code: int = status  # type: ignore[misc]
        super().__init__(message)


# they import this module, so they come after what they need of it
from gm.cli import game, lead, mail, records, seats, setup  # noqa: E402, F401

for group in (game.group, mail.group, seats.gm_group, seats.standby_group):
    main.add_command(group)
for command in (
    records.replay,
    records.rules,
    records.verify,
    records.export,
    records.zine,
):
    main.add_command(command)
for command in (setup.setup, host.serve, host.worker, host.run, host.demo, host.tonight):
    main.add_command(command)
for command in (host.backup_, host.restore, host.resume, host.doctor):
    main.add_command(command)
