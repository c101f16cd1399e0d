"""Where templates, seeds and the rules lie: inside the package when installed from a wheel, beside it in a checkout."""

from pathlib import Path


def _folder(name: str) -> Path:
    here = Path(__file__).resolve().parent
    for folder in (here / name, here.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"neither {here / name} nor {here.parent / name} is there: the installation is incomplete")


TEMPLATES = _folder("templates")
SEEDS = _folder("seeds")


def rules() -> Path:
    """The rules in full, for whoever asks for them."""
    return _folder("docs") / "rules.md"
