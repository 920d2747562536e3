"""What lies in a folder that a child of the engine can open: the files of one upload at a time."""

import os
import shutil
import uuid
from pathlib import Path


def put(path: Path, folder: Path) -> Path:
    """Where the file is then, under a path of ours that no other one has had."""
    own = folder / str(uuid.uuid4())
    own.mkdir()
    place = own / path.name
    try:
        os.link(path, place)
    except OSError:  # another file system, or one without links
        with path.open("rb") as source, place.open("xb") as target:
            shutil.copyfileobj(source, target)
    return place


def clear(folder: Path) -> None:
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
