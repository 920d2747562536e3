"""A whole evaluation in small: notices of a made-up valley, and a run that says some of them in other words."""

import json

from scoring.families.specimens import example_files, specimen_in
from scoring.family import Files, Options, Specimen


def example(options: Options) -> dict[str, bytes]:
    """Return a run that is read without problems."""
    return example_files("text", "upload")


def specimen(options: Options) -> Specimen:
    small = specimen_in("text")
    return Specimen(_renamed(small.gold, options), _renamed(small.run, options))


def _renamed(files: Files, options: Options) -> dict[str, bytes]:
    """Return the files with the keys that the options ask for."""
    keys = {name: options[f"{name}_column"] for name in ("id", "ref", "source", "text")}
    return {
        path: "".join(_line(line, keys) for line in content.splitlines()).encode() for path, content in files.items()
    }


def _line(line: bytes, keys: dict[str, str]) -> str:
    record = {keys.get(key, key): value for key, value in json.loads(line).items()}
    return json.dumps(record, ensure_ascii=False) + "\n"
