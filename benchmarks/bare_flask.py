"""The least a page can be: Flask, a template of the asked size, one row read or stored.

`python -m benchmarks.bare_flask PORT BYTES`.
"""

import sqlite3
import sys
import tempfile
from pathlib import Path

from flask import Flask, redirect, request
from jinja2 import Environment
from waitress import serve
from werkzeug.wrappers import Response


def create(size: int, file: Path) -> Flask:
    """An application with one page."""
    app = Flask(__name__)
    page = Environment(autoescape=True).from_string(
        "<p>{{ name }}: {{ count }}</p>\n" + "<p>words and words</p>\n" * (size // 23)
    )
    with sqlite3.connect(file) as made:
        made.execute("PRAGMA synchronous=3")
        made.execute("CREATE TABLE sent (text TEXT)")

    @app.get("/")
    def look() -> str:
        """Read."""
        with sqlite3.connect(file) as connection:
            count = connection.execute("SELECT count(*) FROM sent").fetchone()[0]
        connection.close()
        return page.render(name="Anna", count=count)

    @app.post("/")
    def send() -> Response:
        """Store."""
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA synchronous=3").fetchone()
            connection.execute("INSERT INTO sent VALUES (?)", [request.form["round"]])
        connection.close()
        return redirect("/", 303)

    return app


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        serve(
            create(int(sys.argv[2]), Path(folder) / "bare.db"),
            host="127.0.0.1",
            port=int(sys.argv[1]),
            threads=8,
        )
