"""What people do, in words that a test can be read aloud with."""

from pathlib import Path

from click.testing import CliRunner, Result

from gm.cli import main


def bohnenpost(*args: object, home: Path | None = None, status: int = 0, **env: str) -> Result:
    """Type a command in the folder `home`; it must end with this status and without a traceback."""
    where = ["--home", str(home)] if home else []
    result = CliRunner().invoke(main, [*where, *map(str, args)], env=env)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result
