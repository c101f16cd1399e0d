"""`python -m tests.cases [FILE]…`: run rule cases, ours or those of files, and say what differs."""

import sys
from pathlib import Path

import click

from gm import seeds
from gm.rendering.sentences import counted
from rounds.engine.record import RecordError
from rounds.engine.variant import names
from tests.cases import Case, Failure
from tests.cases.files import OF_GAME, case_files, cases_in


@click.command()
@click.argument("files", nargs=-1, type=click.Path(dir_okay=False, path_type=Path))
def main(files: tuple[Path, ...]) -> None:
    """Run rule cases: those of all variants, or of FILES in our own format (.toml) or in the
    exchange format (.json).
    """
    good, count = True, 0
    try:
        ours = [(file, name) for name in names() for file in case_files(name)]
        named: list[tuple[Path, str | None]] = [(file, None) for file in files]
        pairs = [pair for file, name in (named or ours) for pair in cases_in(file, name)]
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecordError) as error:
        raise click.ClickException(f"not readable as rule cases: {error}") from None
    for name, case in pairs:
        count += 1
        try:
            failure = OF_GAME[name].check(case, seeds.deck(name))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise click.ClickException(f"case {case.id}: {type(error).__name__}: {error}") from None
        if failure:
            good = False
            click.echo(_written(case, failure))
    click.echo(f"{counted(count, 'case')}, {'all hold' if good else 'not all hold'}")
    sys.exit(0 if good else 1)


def _written(case: Case, failure: Failure) -> str:
    def indented(text: str) -> list[str]:
        return [f"  {line}" for line in text.split("\n")]

    orders = ["orders", *indented(failure.orders)] if failure.orders else []
    return "\n".join(
        [
            f"{case.id} {case.title}",
            f"  {case.reason} {' '.join(case.rulings)}",
            "before",
            *indented(failure.before),
            *orders,
            "after",
            *indented(failure.after),
            "difference",
            *(f"  {line}" for line in failure.differences),
            "",
        ]
    )


if __name__ == "__main__":
    main()
