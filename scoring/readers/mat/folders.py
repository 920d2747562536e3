"""The one folder among several with the same documents: that whose annotations are of the types that are scored."""

import re
from collections.abc import Mapping
from typing import Any

from scoring.readers.archive import Files as Upload
from scoring.readers.mat.layout import Files
from scoring.readers.mat.types import Types
from scoring.readers.parts import SomeFiles

_MOST = 20  # folders that are looked at
_TYPES = {
    "mat-json": re.compile(rb'"type"\s*:\s*"([^"\\]+)"'),
    "brat": re.compile(rb"(?m)^T\d+\t([^\s]+)"),
    "xml-inline": re.compile(rb"<([^\s<>/!?]+)"),
}


def folder_among(files: Files, types: Types, options: Mapping[str, Any]) -> Files:
    """Return the files of one folder, where several have documents of the same names; else all files.

    Of these folders it is the one that names most of the types that are scored, and fewest others.
    """
    pattern = _TYPES.get(options["system_format"])
    if not isinstance(files, Upload) or types.content is None or pattern is None:
        return files
    folders: dict[str, dict[str, str]] = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[name] = path
    if not 1 < len(folders) <= _MOST or len({frozenset(inside) for inside in folders.values()}) > 1:
        return files
    content = {name.encode() for name in types.content}
    tokens = {name.encode() for name in types.tokens}
    ranked = {}
    for folder, inside in folders.items():
        named = {name for path in inside.values() for name in pattern.findall(files[path])} - tokens
        ranked[folder] = (len(named & content), -len(named - content))
    best = max(ranked.values())
    chosen = [folder for folder, rank in ranked.items() if rank == best]
    contents = {tuple(files[path] for path in folders[folder].values()) for folder in chosen}
    return SomeFiles(files, folders[chosen[0]].values()) if len(contents) == 1 else files
