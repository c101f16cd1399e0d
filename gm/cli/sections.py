"""Help that lists the commands of a group in sections."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

AROUND = 6
"""Columns of a line that are neither a command's name nor its help."""


class InSections(click.Group):
    """A group of commands in sections: each name of a command stands below one title."""

    def __init__(
        self, *args: Any, sections: Mapping[str, Sequence[str]] | None = None, **options: Any
    ) -> None:
        """`sections`: the titles with their commands, in the order in which they are listed."""
        super().__init__(*args, **options)
        self.sections = sections or {}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One section after the other, all with the same columns."""
        widest = max(map(len, self.commands))
        for title, names in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (
                            name.ljust(widest),
                            self.commands[name].get_short_help_str(
                                formatter.width - AROUND - widest
                            ),
                        )
                        for name in names
                    ]
                )
