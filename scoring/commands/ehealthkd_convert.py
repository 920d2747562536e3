"""Converts eHealth-KD files between the three tables of 2019 and the brat pairs of 2020 and 2021."""

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from scoring.display.arguments import program
from scoring.display.terminal import exit_status, note, save
from scoring.errors import ConfigurationError, SubmissionError
from scoring.readers.archive import open_files
from scoring.readers.ehealthkd.converting import pair_of_tables, tables_of_pair
from scoring.readers.ehealthkd.sides import check_encoding

_PHRASES, _RELATIONS = "output_a_", "output_b_"
_FOLDER = re.compile(r"scenario([1-4])-\w+")
_STEMS = {"2020": "scenario", "2021": "output"}


def main(argv: Sequence[str]) -> int:
    """Convert, and return the exit status: 0 done, 1 a file is refused and nothing is written, 2 wrong usage."""
    arguments = _arguments(argv)
    return exit_status(lambda: _convert(arguments.source, arguments.target, arguments.to))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = program(
        "ehealthkd-convert",
        "Converts all eHealth-KD files in a folder or zip archive between the tables of 2019 and the brat pairs of "
        "2020 and 2021. Folders stay as they are.",
    )
    parser.add_argument("source", type=Path, metavar="SOURCE", help="a folder, a zip archive or a file")
    parser.add_argument("target", type=Path, metavar="TARGET", help="a folder for the new files, made if need be")
    parser.add_argument("--to", choices=("2019", "2020", "2021"), required=True, help="the edition to write for")
    return parser.parse_args(argv)


def _convert(source: Path, target: Path, edition: str) -> None:
    """Convert all files of the source; nothing is written unless all can be read."""
    files = open_files(source, drop_marks=True)
    converted = dict(_tables(files) if edition == "2019" else _pairs(files, _STEMS[edition]))
    if not converted:
        name = "NAME.ann" if edition == "2019" else "output_a_NAME.txt"
        raise SubmissionError(f"{source}: there is no file {name} to convert")
    for path, text in converted.items():
        place = target / path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"{place.parent}: {error.strerror}") from None
        save(text, place)
    note(f"{len(converted)} files written to {target}")


def _pairs(files: Mapping[str, bytes], stem: str) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of the brat pairs of all tables of phrases, and of relations without them."""
    tasks: dict[tuple[str, str], None] = {}  # folder and what stands behind output_a_, in order
    for path in sorted(files):
        folder, name = _divided(path)
        for start in (_PHRASES, _RELATIONS):
            if name.startswith(start) and name.endswith(".txt"):
                tasks[folder, name.removeprefix(start).removesuffix(".txt")] = None
    for folder, task in tasks:
        phrases, relations = (f"{folder}{start}{task}.txt" for start in (_PHRASES, _RELATIONS))
        sentences = _first_of(files, (f"{folder}{start}_{task}.txt" for start in ("output", "input")))
        _check(files, (phrases, relations, sentences))
        text, annotations = pair_of_tables(
            files.get(sentences), files.get(phrases, b""), files.get(relations, b""), (sentences, phrases, relations)
        )
        # A folder of its own tells which scenario it is; elsewhere the name has to.
        stem_of_task = stem if _FOLDER.fullmatch(PurePosixPath(folder).name) else task
        yield f"{folder}{stem_of_task}.ann", annotations
        if text is not None:
            yield f"{folder}{stem_of_task}.txt", text


def _tables(files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of the tables of all brat pairs."""
    for path in sorted(files):
        folder, name = _divided(path)
        if not name.endswith(".ann"):
            continue
        stem = name.removesuffix(".ann")
        text = f"{folder}{stem}.txt"
        _check(files, (path, text))
        sentences, phrases, relations = tables_of_pair(files.get(text), files[path], path)
        inside = _FOLDER.fullmatch(PurePosixPath(folder).name)
        if inside and stem not in _STEMS.values():
            continue  # such as input.ann, which participants were given in 2021
        task = f"scenario{inside[1]}" if inside else stem
        yield f"{folder}{_PHRASES}{task}.txt", phrases
        yield f"{folder}{_RELATIONS}{task}.txt", relations
        if sentences is not None:
            yield f"{folder}input_{task}.txt", sentences


def _divided(path: str) -> tuple[str, str]:
    """Return the folder, with a slash behind it, and the name."""
    folder, slash, name = path.rpartition("/")
    return folder + slash, name


def _first_of(files: Mapping[str, bytes], paths: Iterable[str]) -> str:
    """Return the first that is there, or else ""."""
    return next((path for path in paths if path in files), "")


def _check(files: Mapping[str, bytes], paths: Iterable[str]) -> None:
    """Raise SubmissionError if one of those that are there is not UTF-8."""
    check_encoding({path: files[path] for path in paths if path in files}, "official")
