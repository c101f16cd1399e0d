"""What is kept of a compiled template serves as long as nothing has changed that it was made from, and does no harm otherwise."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader

from gm.paths import TEMPLATES
from gm.rendering import compiled
from gm.rendering.compiled import CompiledTemplates
from gm.rendering.sentences import LANGUAGES, environment

PAGE = "pages/moin.html"


class House:
    """Templates, seeds and modules of one's own, with one page; each process finds what the one before it has kept."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.templates, seeds, gm, rules = (folder / name for name in ("templates", "seeds", "gm", "rounds"))
        self.kept = self.templates / "__pycache__"
        for file, text in {
            self.templates / PAGE: "Moin, {{ name }}!",
            self.templates / "de.po": "",
            self.templates / "postal" / "beans.toml": "",
            seeds / "default.toml": "",
            gm / "seeds.py": "",
            gm / "rendering" / "sentences.py": "",
            rules / "shuffle.py": "",
        }.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        patch.setattr(compiled, "TEMPLATES", self.templates)
        patch.setattr(compiled, "SEEDS", seeds)
        patch.setattr(compiled, "RENDERING", gm / "rendering")
        patch.setattr(compiled, "RULES", rules)

    def says(self, language: str = "de") -> tuple[str, bool]:
        """The page as a new process shows it, and whether that process had to compile it."""
        made = []

        class Watched(Environment):
            def compile(self, *args: Any, **options: Any) -> Any:
                made.append(args)
                return super().compile(*args, **options)

        env = Watched(loader=FileSystemLoader(self.templates), bytecode_cache=CompiledTemplates(language))
        return env.get_template(PAGE).render(name="Anna"), made != []


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    return House(tmp_path, monkeypatch)


def test_what_one_process_has_compiled_the_next_one_takes(house: House) -> None:
    assert [house.says(), house.says()] == [("Moin, Anna!", True), ("Moin, Anna!", False)]
    assert [file.name for file in house.kept.iterdir()] == [f"pages.moin.html.de.{sys.implementation.cache_tag}.pyc"]


def test_each_language_has_its_own(house: House) -> None:
    assert [house.says(language)[1] for language in ("de", "en", "de", "en")] == [True, True, False, False]


def test_another_page_is_compiled_anew(house: House) -> None:
    house.says()
    (house.templates / PAGE).write_text("Tach, {{ name }}!", encoding="utf-8")
    assert [house.says(), house.says()] == [("Tach, Anna!", True), ("Tach, Anna!", False)]


CHANGED = "templates/de.po templates/postal/beans.toml templates/new.txt seeds/default.toml"
CODE = "gm/seeds.py gm/rendering/sentences.py rounds/shuffle.py"


@pytest.mark.parametrize("file", f"{CHANGED} {CODE}".split())
def test_it_is_compiled_anew_when_anything_has_changed_that_compiling_may_read(house: House, tmp_path: Path, file: str) -> None:
    house.says()
    (tmp_path / file).write_text("# another line", encoding="utf-8")
    assert [house.says()[1], house.says()[1]] == [True, False]


def test_every_module_that_is_loaded_to_compile_belongs_to_what_compiling_may_read() -> None:
    listing = "import sys, gm.rendering.sentences\nfor name, module in sys.modules.items():\n"
    listing += "  if name.split('.')[0] in sys.argv: print(module.__file__)"
    command = [sys.executable, "-c", listing, "gm", "rounds"]
    loaded = [Path(file) for file in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()]
    assert len(loaded) > 10
    top, below = compiled.RENDERING.parent, (compiled.RENDERING, compiled.RULES)
    assert [file for file in loaded if file.parent != top and not any(file.is_relative_to(folder) for folder in below)] == []


def test_it_serves_where_the_whole_house_was_moved(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house.says()
    shutil.copytree(tmp_path, tmp_path / "elsewhere")
    assert House(tmp_path / "elsewhere", monkeypatch).says() == ("Moin, Anna!", False)


@pytest.mark.parametrize("damage", [b"", b"garbage", "half", "another's pickle"])
def test_damage_costs_nothing_but_time(house: House, damage: bytes | str) -> None:
    house.says()
    (file,) = house.kept.iterdir()
    whole = file.read_bytes()
    if isinstance(damage, str):
        damage = whole[: len(whole) // 2] if damage == "half" else whole[:20] + b"\xff" * 40
    file.write_bytes(damage)
    assert [house.says(), house.says()] == [("Moin, Anna!", True), ("Moin, Anna!", False)]


def test_where_nothing_can_be_kept_the_page_is_compiled_each_time(house: House) -> None:
    house.kept.write_text("a file, where the folder would be", encoding="utf-8")
    assert [house.says(), house.says()] == [("Moin, Anna!", True)] * 2


def test_nothing_is_left_of_what_could_not_be_kept(house: House) -> None:
    house.kept.mkdir()
    (house.kept / CompiledTemplates("de").get_cache_key(PAGE)).mkdir()  # stands in the way
    assert house.says() == ("Moin, Anna!", True)
    assert len(list(house.kept.iterdir())) == 1


def test_python_that_may_write_no_bytecode_writes_none(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert house.says() == ("Moin, Anna!", True)
    assert not house.kept.exists()


def test_it_lies_where_python_keeps_its_own(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "cache"))
    assert [house.says()[1], house.says()[1]] == [True, False]
    assert not house.kept.exists()


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_and_mail_comes_out_of_what_was_kept_as_it_was_compiled(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte the same code, whoever compiled it."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    names = sorted(file.relative_to(TEMPLATES).as_posix() for file in TEMPLATES.rglob("*") if file.suffix in (".html", ".txt"))
    first, second = environment.__wrapped__(language), environment.__wrapped__(language)
    for name in names:
        first.get_template(name)
    monkeypatch.setattr(type(second), "compile", None)
    for name in names:
        ours, theirs = (env.get_template(name).root_render_func.__code__ for env in (first, second))
        assert ours == theirs, name
