"""The folder in which the commands work."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import click

from gm import store
from gm.cli.output import say
from gm.config import PREFIX
from gm.installation import FILE, Installation, open_installation
from gm.store.file.backup import copy_to


class Home:
    """The folder in which the commands work; opened when a command needs it."""

    def __init__(self, folder: Path, *, verbose: bool = False) -> None:
        """Name the folder; nothing is touched yet. `verbose`: say more."""
        self.folder = folder
        self.verbose = verbose
        self.copy: Installation | None = None

    def open(self, *, create: bool = False, is_lan: bool = True) -> Installation:
        """Open the installation in the folder, made first if asked for; in a dry run a copy that
        is thrown away. Only what serves pages asks whether that may be without TLS (`is_lan`).
        """
        if self.copy is not None:
            return self.copy
        return open_installation(self.folder, os.environ, create=create, is_lan=is_lan)

    def open_in_own_network(self, base_url: str) -> Installation:
        """Open the installation in `tonight/` of the folder, made first if it is missing, for pages
        without TLS inside a network of one's own. It has none of the settings, games and mails of
        the folder itself.
        """
        others = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
        folder = self.folder / "tonight"
        folder.mkdir(parents=True, exist_ok=True)
        # for the commands that print links
        (folder / "bohnenpost.toml").write_text(f'base_url = "{base_url}"\n', encoding="utf-8")
        return open_installation(folder, others, create=True, is_lan=True)

    def dry_run(self, ctx: click.Context) -> None:
        """From here on work on a copy; at the end say which mails would have gone out."""
        real = self.open()
        folder = Path(ctx.with_resource(tempfile.TemporaryDirectory(prefix="bohnenpost-dry-run-")))
        with real.connection() as db:
            copy_to(folder / FILE, db)
            newest = store.mails.newest_id(db)
        config = replace(real.config, smtp_host="", database="")
        self.copy = replace(real, home=folder, config=config)
        ctx.call_on_close(lambda: self._print_mails(newest))

    def _print_mails(self, newest: int) -> None:
        assert self.copy is not None
        with self.copy.connection() as db:
            mails = store.mails.after(db, newest)
        say("dry.txt", mails=mails)
