"""How the house is built, in figures: `make figures` prints them. `tests/test_house.py` fails where one must be 0 and is not."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import median, quantiles

from msgspec import Struct

ROOT = Path(__file__).parents[1]
ORDER = (
    "store", "installation", "proof", "rendering", "mail", "game", "deadline", "web", "demo", "cli", "__main__",
)  # fmt: skip
"""The folders of gm/ from the ground up, and the modules beside them that put some together. Each imports only from those
before it, and from the modules that all share."""
STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH)\s")
TRANSACTION = re.compile(r"\s*(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b")
TRANSACTIONS = {"write", "reading", "commit", "rollback"}
OPENERS = {"gm.store.db", "gm.store.file.backup", "gm.store.file.migrations"}
"""Where transactions are made, and what works on a whole file."""
DATABASE = {"execute", "executescript", "executemany", "table", "conn"}


class Figure(Struct, frozen=True):
    """One figure to be looked at; `where`: who it is, where that can be named. One that is `forbidden` has to be 0."""

    name: str
    value: float
    where: str = ""
    forbidden: bool = False


def modules(*tops: str) -> dict[str, Path]:
    """Every module below these folders by its dotted name."""
    found = {}
    for top in tops:
        for file in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = file
    return found


@cache
def tree(file: Path) -> ast.Module:
    """A module as it is parsed."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def imports() -> dict[str, frozenset[str]]:
    """Which modules of gm/ each imports, wherever in the module it does."""
    known = modules("gm")
    found = {}
    for name, file in known.items():
        of: set[str] = set()
        for node in ast.walk(tree(file)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                of |= {f"{node.module}.{alias.name}" for alias in node.names} & set(known) or {node.module} & set(known)
            elif isinstance(node, ast.Import):
                of |= {alias.name for alias in node.names} & set(known)
        found[name] = frozenset(of - {name})
    return found


def chain() -> tuple[str, ...]:
    """The longest chain of imports, from who asks to who is asked. A circle counts once round."""
    best: dict[str, tuple[str, ...]] = {}

    def longest(module: str, above: tuple[str, ...]) -> tuple[str, ...]:
        if module not in best:
            below = [longest(other, (*above, module)) for other in imports()[module] if other not in (*above, module)]
            best[module] = (module, *max(below, key=len, default=()))
        return best[module]

    return max((longest(module, ()) for module in imports()), key=len)


def circles() -> list[str]:
    """Modules that import themselves by way of others."""

    def reached(module: str) -> set[str]:
        seen: set[str] = set()
        rest = [*imports()[module]]
        while rest:
            if (other := rest.pop()) not in seen:
                seen.add(other)
                rest += imports()[other]
        return seen

    return [module for module in imports() if module in reached(module)]


def against_the_order() -> list[str]:
    """Imports that go up: from a folder to one that comes after it."""

    def place(module: str) -> int:
        part = module.split(".")[1:2]
        return ORDER.index(part[0]) if part and part[0] in ORDER else -1

    return [f"{module} → {other}" for module, others in imports().items() for other in others if place(other) > place(module)]


def with_statements() -> list[str]:
    """Modules outside gm/store/ that hold a statement of SQL or ask the database by themselves."""
    found = []
    for name, file in modules("gm").items():
        if name.startswith("gm.store"):
            continue
        calls = {node.attr for node in ast.walk(tree(file)) if isinstance(node, ast.Attribute)} & DATABASE
        texts = [node.value for node in ast.walk(tree(file)) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        if calls or any(STATEMENT.match(text) for text in texts):
            found.append(name)
    return found


def with_transactions() -> list[str]:
    """Modules of gm/store/ that open or end a transaction and should not."""
    found = []
    for name, file in modules("gm/store").items():
        nodes = [*ast.walk(tree(file))]
        called = {getattr(node.func, "id", getattr(node.func, "attr", "")) for node in nodes if isinstance(node, ast.Call)}
        texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        if name not in OPENERS and (called & TRANSACTIONS or any(TRANSACTION.match(text) for text in texts)):
            found.append(name)
    return found


def functions() -> Iterator[tuple[int, str]]:
    """Every function of gm/ and rounds/, migrations apart, with its lines."""
    for name, file in modules("gm", "rounds").items():
        if not name.endswith(".migrations"):
            for node in ast.walk(tree(file)):
                if isinstance(node, ast.FunctionDef):
                    yield (node.end_lineno or 0) - node.lineno + 1, f"{name}.{node.name}"


def too_complex() -> list[str]:
    """Functions of gm/ and rounds/ with more than ten ways through them."""
    command = [sys.executable, "-m", "ruff", "check", "--select", "C901", "--config", "lint.mccabe.max-complexity=10"]
    done = subprocess.run(
        [*command, "--no-cache", "--output-format", "json", "gm", "rounds"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [finding["message"].split("`")[1] for finding in json.loads(done.stdout)]


def lines(files: Sequence[Path]) -> dict[str, int]:
    """How many lines each file has."""
    return {str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines()) for file in files}


def long_lines() -> list[str]:
    """Lines of templates that nobody can read: over 200 characters."""
    found = []
    for file in sorted((ROOT / "templates").rglob("*")):
        if file.suffix in (".html", ".txt"):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                found += [f"{file.relative_to(ROOT)}:{number}"] if len(line) > 200 else []
    return found


def figures() -> list[Figure]:
    """All of them."""
    folders = Counter(file.parent.relative_to(ROOT) for file in modules("gm").values() if file.name != "__init__.py")
    folder, most = folders.most_common(1)[0]
    code, tests = lines([*modules("gm", "rounds").values()]), lines([*modules("tests").values()])
    files = {name: number for name, number in code.items() if "migrations" not in name}
    largest = max(files, key=files.__getitem__)
    sizes = sorted(functions())
    complicated, sql, wide, longest = too_complex(), with_statements(), long_lines(), chain()
    return [
        Figure("modules in circles of imports", len(circles()), " ".join(circles()), forbidden=True),
        Figure("imports against the order of folders", len(against_the_order()), ", ".join(against_the_order()), forbidden=True),
        Figure(
            "modules of gm/store/ that open transactions", len(with_transactions()), " ".join(with_transactions()), forbidden=True
        ),
        Figure("modules with statements outside gm/store/", len(sql), " ".join(sql), forbidden=True),
        Figure("modules in the busiest folder of gm/", most, str(folder)),
        Figure("longest chain of imports", len(longest), " > ".join(longest)),
        Figure("lines of a file: median", median(files.values())),
        Figure("lines of a file: most, migrations apart", files[largest], largest),
        Figure("lines of a function: 90th percentile", quantiles([number for number, _ in sizes], n=10)[-1]),
        Figure("lines of a function: most, migrations apart", sizes[-1][0], sizes[-1][1]),
        Figure("functions over complexity 10", len(complicated), " ".join(complicated)),
        Figure("lines of templates over 200 characters", len(wide), " ".join(wide[:5])),
        Figure("lines of tests for a line of code", round(sum(tests.values()) / sum(code.values()), 2)),
    ]


if __name__ == "__main__":
    for figure in figures():
        print(f"{figure.name}: {figure.value:g}{' (must be 0)' if figure.forbidden else ''} {figure.where}")
