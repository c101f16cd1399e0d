"""A PostgreSQL server for tests: a cluster of its own, reached by a socket in its folder.

`python -m tests.postgres` runs pytest with its arguments on one, if a server is installed.
"""

import getpass
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gm.installation import FILE
from gm.store.connections import opened
from gm.store.db import transfer
from gm.store.file.migrations import migrate

LEAST = 13
"""The oldest version that is supported."""


def programs() -> Path | None:
    """The folder of the newest installed server's programs; None if there is none."""
    folders = [*Path("/usr/lib/postgresql").glob("*/bin")]
    if found := shutil.which("initdb"):
        folders.append(Path(found).resolve().parent)
    versions = {_version(folder): folder for folder in folders if (folder / "initdb").exists()}
    newest = max(versions, default=0)
    return versions[newest] if newest >= LEAST else None


def _version(folder: Path) -> int:
    told = subprocess.check_output([folder / "postgres", "--version"], text=True)
    return int(told.split()[2].split(".")[0])


ODD = "-c default_transaction_isolation=serializable -c synchronous_commit=off"
"""What somebody else may have set for all databases of a server."""


class Server:
    """A running server. `address(name)` is that of a database."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        # nobody may start a server as root
        self.user = "postgres" if os.geteuid() == 0 else getpass.getuser()

    @classmethod
    def of(cls, folder: str | None) -> "Server | None":
        """The server that runs in a folder."""
        found = programs()
        return cls(found, Path(folder)) if folder and found else None

    def address(self, database: str) -> str:
        return f"postgresql://{self.user}@/{database}?host={self.folder}"

    def command(self, program: str | Path, *arguments: str) -> list[str | Path]:
        """A command line that runs a program as the user of the server."""
        as_user = ["setpriv", f"--reuid={self.user}", "--regid=postgres", "--clear-groups"]
        return [*(as_user if os.geteuid() == 0 else []), program, *arguments]

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            self.command(self.programs / program, *arguments),
            check=True,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            timeout=120,
        )

    def create(self, database: str, *spelling: str) -> str:
        """Create an empty database; returns its address."""
        how = ("--template=template0", "--encoding=UTF8", *(spelling or ("--locale=C",)))
        self.run("createdb", f"--host={self.folder}", *how, database)
        return self.address(database)

    def start(self) -> None:
        options = (
            f"-k {self.folder} -c listen_addresses='' -c max_connections=200 -c fsync=off {ODD}"
        )
        log = str(self.folder / "log")
        self.run("pg_ctl", "start", "-w", "-D", str(self.folder / "data"), "-l", log, "-o", options)

    def stop(self, how: str = "immediate") -> None:
        self.run("pg_ctl", "stop", "-w", "-D", str(self.folder / "data"), "-m", how)


SERVER = Server.of(os.environ.get("POSTGRES_FOR_TESTS"))
"""The server of `make postgres`; None: tests use files."""


def move_to_server(home: Path, address: str) -> None:
    """Let an installation have its database on the server from now on, with the same rows."""
    with opened(home / FILE) as file, opened(address) as database:
        migrate(database)
        transfer(file, database)
    (home / "bohnenpost.toml").write_text(f'database = "{address}"\n')


@contextmanager
def running() -> Iterator[Server]:
    """A server with an empty cluster, in a folder that is deleted at the end."""
    found = programs()
    assert found is not None
    # the path of a socket has at most 107 characters
    with tempfile.TemporaryDirectory(prefix="postgres-", dir="/tmp") as name:
        folder = Path(name)
        server = Server(found, folder)
        if os.geteuid() == 0:
            shutil.chown(folder, server.user)
        server.run(
            "initdb", "--auth=trust", "--locale=C", "--encoding=UTF8", "-D", str(folder / "data")
        )
        server.start()
        try:
            yield server
        finally:
            server.stop()


def main() -> int:
    if programs() is None:
        print(f"PostgreSQL {LEAST} or later is not installed here: nothing was tested on it")
        return 0
    with running() as server:
        command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
        environment = os.environ | {"POSTGRES_FOR_TESTS": str(server.folder)}
        return subprocess.run(command, check=False, env=environment).returncode


if __name__ == "__main__":
    raise SystemExit(main())
