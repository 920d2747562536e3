"""The beginning of a package with a family of one's own: a folder that can be installed, tested and changed."""

import keyword
import re
from collections.abc import Iterator
from pathlib import Path
from string import Template

from scoring.errors import ConfigurationError
from scoring.family import RECORD_VERSION

_FILES = Path(__file__).parent / "files"
_SUFFIX = ".tmpl"


def write(name: str, folder: Path) -> list[Path]:
    """Write the files for a family of this name into a new folder; returns their paths.

    Raises ConfigurationError if the name can be none of Python's, or something stands at the folder's place already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,29}", name) or keyword.iskeyword(name):
        raise ConfigurationError(
            f"{name!r} cannot be the name of a family: write small letters a to z, digits and _, a letter first, "
            "30 at most"
        )
    try:
        folder.mkdir(parents=True)
        return [_written(folder / path, text) for path, text in _texts(name)]
    except FileExistsError:
        raise ConfigurationError(f"{folder} is there already") from None
    except OSError as error:
        raise ConfigurationError(f"{error.filename}: {error.strerror}") from None


def _texts(name: str) -> Iterator[tuple[str, str]]:
    """Yield each file's path in the folder, and its text."""
    words = {
        "name": name,
        "NAME": name.upper(),
        "title": name.replace("_", " ").capitalize(),
        "distribution": f"evalsite-{name.replace('_', '-')}",
        "record": str(RECORD_VERSION),
    }
    for template in sorted(_FILES.rglob(f"*{_SUFFIX}")):
        path = template.relative_to(_FILES).as_posix().removesuffix(_SUFFIX)
        path = path.replace("package/", f"evalsite_{name}/").replace("family", name)
        yield path, Template(template.read_text(encoding="utf-8")).substitute(words)


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path
