"""The sentences of the templates and their catalogues: `make words` brings all catalogues up to
date.

Games may have a `de.po` of their own. A sentence that the common catalogue has is in no other,
nor one that the game it stands on has.
"""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from gm.paths import TEMPLATES
from rounds.engine.variant import lineage

METHODS = [("**.html", "jinja2"), ("**.txt", "jinja2")]
OPTIONS = {
    "**": {
        "silent": "false",
        "trim_blocks": "true",
        "lstrip_blocks": "true",
        "newstyle_gettext": "true",
    }
}
WIDTH = 120
FIELDS = (
    "Project",
    "Report",
    "POT-",
    "PO-",
    "Last-",
    "Language-T",
    "MIME",
    "Generated",
    "Content-Tr",
)
UNWANTED = tuple(f'"{field}' for field in FIELDS)
"""What gettext writes into the head of a catalogue and nobody reads."""


def with_own_words(templates: Path = TEMPLATES) -> list[str]:
    """The folders of games that bring a catalogue of their own."""
    return sorted(file.parent.name for file in templates.glob("*/de.po"))


def in_templates(folder: Path, without: list[str]) -> Catalog:
    """Every sentence of the templates in a folder, but for some of its folders and for those
    that begin with `_` or a dot.
    """
    found = Catalog()
    for file, _, message, _, context in extract_from_dir(str(folder), METHODS, OPTIONS):
        if Path(file).parts[0] not in without:
            found.add(message, context=context)
    return found


def catalogue(file: Path) -> Catalog:
    """A catalogue as it lies there."""
    with file.open("rb") as data:
        return read_po(data, locale="de")


def sentences(of: Catalog) -> set[str]:
    """The sentences of a catalogue; of a singular and a plural the first."""
    return {
        message.id if isinstance(message.id, str) else message.id[0] for message in of if message.id
    }


def update(file: Path, template: Catalog) -> None:
    """A catalogue gets the sentences of its templates and loses all others; German words are
    kept.
    """
    known = catalogue(file)
    known.update(template, no_fuzzy_matching=True)
    with file.open("wb") as data:
        write_po(data, known, width=WIDTH, ignore_obsolete=True, no_location=True)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text(
        "".join(line for line in lines if not line.startswith(UNWANTED)), encoding="utf-8"
    )


def said_elsewhere(game: str, templates: Path = TEMPLATES) -> set[str]:
    """The sentences that a game has from the common catalogue and from the games it stands on."""
    below = [sentences(in_templates(templates / other, [])) for other in lineage(game)[1:]]
    return sentences(in_templates(templates, with_own_words(templates))).union(*below)


def main(templates: Path = TEMPLATES) -> None:
    """Every catalogue of a game has what its templates say and the common ones do not."""
    own = with_own_words(templates)
    update(templates / "de.po", in_templates(templates, own))
    for name in own:
        template = in_templates(templates / name, [])
        for message in said_elsewhere(name, templates):
            template.delete(message)
        update(templates / name / "de.po", template)


if __name__ == "__main__":
    main()
