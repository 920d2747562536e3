"""A family that reads one part of what it is given: the files of one language, by a folder or by a column of a table.

Several languages of a task are one family with the same options, but for one of these two:

    folder=en       the files in the folder en of an upload, or the file that is named so, en.csv
    rows=lang=en    the rows of a table of which the column lang says en; for families whose files are such tables
    rows=variant=   the rows that have nothing in the column variant

They hold for both sides. A gold that has no such folder, or no such column, is that of the part as it is. No score
depends on them, so no signature names them.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from scoring.errors import ConfigurationError, SubmissionError
from scoring.families.option_types import parsed
from scoring.family import FOLDER_KEY, ROWS_KEY, Family, Files, Option, Options, Side, Specimen, choose
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import Files as OpenFiles
from scoring.readers.archive import Made, open_files
from scoring.readers.parts import NoColumn, Rows, has_rows, inside, outer_names, rows_left, rows_of, with_column
from scoring.readers.tables import Layout, shown

_T = TypeVar("_T")
_LONGEST = 100  # characters of a folder or a value


def _folder(given: Any) -> str | None:
    """Return folders with slashes between; none where the text is empty."""
    text = str(given).strip().strip("/") if given is not None else ""
    is_hidden = any(part in ("", ".", "..") or part[0] == "." for part in text.split("/") if text)
    if len(text) > _LONGEST or is_hidden or "\\" in text or not text.isprintable():
        raise ValueError(Message("expected-folder", "expected the name of a folder, such as en"))
    return text or None


def _rows(given: Any) -> str | None:
    """Return COLUMN=VALUE; none where the text is empty."""
    text = str(given).strip() if given is not None else ""
    if len(text) > _LONGEST:
        raise ValueError(Message("too-many-characters", "expected no more than {most} characters", most=_LONGEST))
    return str(Rows.parsed(text)) if text else None


FOLDER = parsed(_folder, "the name of a folder").minor(
    FOLDER_KEY,
    "of an upload with several languages, the folder of this one, such as en; a file that is named so, en.csv, serves "
    "as well",
    "Folder of this language",
    say=lambda folder: Message("folder-said", "in the folder {folder}", folder=folder),
)
ROWS = parsed(_rows, "COLUMN=VALUE").minor(
    ROWS_KEY,
    "of a table that serves several scenarios, the rows of this one, as column and value, such as lang=en or "
    "type=yesno; without a value, type=, those that have nothing in the column",
    "Rows of this scenario",
    say=lambda rows: Message("rows-said", "rows with {rows}", rows=rows),
)


def for_part(family: Family, options: Mapping[str, object]) -> Family:
    """Return the family as these options have it read: as it is, unless they name a part."""
    is_part = any(options.get(option.key) not in (None, "") for option in options_of_parts(family))
    return reading_parts(family) if is_part else family


def options_of_parts(family: Family) -> tuple[Option, ...]:
    """Return the options that name a part, without those for which the family has one of its own already."""
    keys = {option.key for option in family.options}
    offered = (FOLDER, ROWS) if family.files.has_columns else (FOLDER,)
    return tuple(option for option in offered if option.key not in keys) if family.files.has_parts else ()


def reading_parts(family: Family) -> Family:
    """Give the family the options of parts, and keep all that reads or makes files to the part that they name."""
    if not options_of_parts(family):
        return family
    reading, files, offer = _Reading(family), family.files, family.offer
    return replace(
        family,
        options=family.options + options_of_parts(family),
        configure=reading.configure,
        resolve_options=reading.resolve_options if family.resolve_options else None,
        read_gold=reading.of_gold(family.read_gold),
        read_system=reading.of_system(family.read_system),
        example=lambda options: reading.put(family.example(options), options, "system"),
        offer=replace(
            offer,
            specimen=reading.specimen if offer.specimen else None,
            gold_remarks=reading.of_gold(offer.gold_remarks) if offer.gold_remarks else None,
        ),
        files=replace(
            files,
            has_files=reading.has_files,
            file_names=reading.file_names,
            sample=reading.made("system", reading.of_gold(files.sample)) if files.sample else None,
            inputs=reading.made("gold", reading.of_gold(files.inputs)) if files.inputs else None,
            gold_as_submission=reading.gold_as_submission,
            gold_of_inputs=reading.of_gold(files.gold_of_inputs) if files.gold_of_inputs else None,
            input_keys=reading.input_keys if files.input_keys else None,
            without_annotators=reading.of_gold(files.without_annotators) if files.without_annotators else None,
        ),
        views=replace(
            family.views,
            contents=reading.of_system(family.views.contents) if family.views.contents else None,
            unit_record=reading.unit_record if family.views.unit_record else None,
        ),
    )


def gold_of_part(family: Family, files: OpenFiles, options: Options) -> OpenFiles:
    """Return what of the gold's files the family reads, of which its digest is made."""
    return part_of(files, options, "gold") if FOLDER in family.options else files


def part_of(files: Files, options: Options, side: Side) -> OpenFiles:
    """Return the files of the part that the options name; all where they name none.

    SubmissionError where a system's files have no such part, or a table of either side cannot be divided.
    """
    part = (options.get(FOLDER.key), options.get(ROWS.key))
    part_files = files if isinstance(files, OpenFiles) else Made(files)
    if part == (None, None) or part_files.part == part:
        return part_files
    if folder := options.get(FOLDER.key):
        chosen = inside(part_files, folder)
        if chosen is None and side == "system":
            rows = _rows_of_language(part_files, folder, options)
            if rows is None:
                raise SubmissionError(Finding(_no_folder(folder, part_files)))
            chosen = rows_of(part_files, rows, _layout(options, side))
        part_files = part_files.again() if chosen is None else chosen
    if rows := options.get(ROWS.key):
        try:
            part_files = rows_of(part_files, Rows.parsed(rows), _layout(options, side))
        except NoColumn:
            if side == "system" and Rows.parsed(rows).value:
                raise
    part_files.part = part
    return part_files


_LANGUAGE = ("lang", "language", "lang_code", "locale", "idioma")  # names of a column


def _rows_of_language(files: OpenFiles, folder: str, options: Options) -> Rows | None:
    """Return the rows of one table for all languages that are those of this folder; None where there are none."""
    for name in _LANGUAGE if len(files) == 1 else ():
        rows = Rows(name, folder)
        with suppress(SubmissionError):
            if has_rows(files, rows, _layout(options, "system")):
                return rows
    return None


@dataclass(frozen=True)
class Unread:
    """Holds what of an upload is of no part."""

    n: int
    of: int
    of_what: str  # "files" or "rows"
    example: str  # a path, or a value in quotes, cut where it is long
    parts: list[str]  # what there is to name them by


def unread_of(files: OpenFiles, parts: Sequence[Options]) -> Unread | None:
    """Tell what none of these options reads; None where all is read, or not each names a part in the same way.

    SubmissionError where a table cannot be divided as the first of these options says.
    """
    folders, rows = ([str(options.get(part.key) or "") for options in parts] for part in (FOLDER, ROWS))
    if all(folders):
        read = {path for folder in folders for path in inside(files, folder) or ()}
        of_languages = (_rows_of_language(files, folder, one) for folder, one in zip(folders, parts, strict=True))
        if not read and (by_column := next(filter(None, of_languages), None)):
            return _unread_rows(files, by_column.column, folders, parts[0])
        left = [path for path in files if path not in read]
        return Unread(len(left), len(files), "files", left[0], folders) if left else None
    if any(folders) or not all(rows):
        return None
    meant = [Rows.parsed(row) for row in rows]
    if len({row.column for row in meant}) > 1:
        return None
    return _unread_rows(files, meant[0].column, [row.value for row in meant], parts[0])


def _unread_rows(files: OpenFiles, column: str, values: list[str], options: Options) -> Unread | None:
    leftovers, n_rows = rows_left(files, column, values, _layout(options, "system"))
    return Unread(sum(leftovers.values()), n_rows, "rows", shown(next(iter(leftovers))), values) if leftovers else None


def _no_folder(folder: str, files: OpenFiles) -> Message:
    return Message(
        "no-folder",
        "there is no folder {folder!r}, and no file named so; there are {names}",
        folder=folder,
        names=outer_names(files),
    )


def _layout(options: Options, side: Side) -> Layout:
    """Return how a table is divided into fields; not by which columns its rows are named."""
    beginning = "gold_" if side == "gold" else ""
    ids = options.get(f"{beginning}id") or options.get("id") or "id"
    return Layout(
        id=(ids,) if isinstance(ids, str) else tuple(ids),
        format=options.get(f"{beginning}format") or "auto",
        delimiter=options.get(f"{beginning}delimiter") or "auto",
        quotes=options.get("quotes", False),
    )


class _Reading:
    """The steps of a family, each with the part that the options name."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._options = options_of_parts(family)
        self._keys = {option.key for option in self._options}

    def configure(self, given: Mapping[str, object]) -> Options:
        named = choose(self._options, {key: value for key, value in given.items() if key in self._keys})
        options = self._family.configure({key: value for key, value in given.items() if key not in self._keys})
        if named.get(ROWS.key) and options.get("header") is False:
            raise ConfigurationError(
                Message("rows-need-header", "option {key}: only with header=yes, which names the columns", key=ROWS.key)
            )
        return options | {key: value for key, value in named.items() if value is not None}

    def resolve_options(self, gold: Any, options: Options) -> Options:
        assert self._family.resolve_options is not None
        part = {key: options[key] for key in self._keys & options.keys()}
        return self._family.resolve_options(gold, self._plain(options)) | part

    def of_gold(self, step: Callable[..., _T]) -> Callable[..., _T]:
        """Wrap a step whose first files are the gold's."""
        return lambda files, *rest: step(part_of(files, rest[-1], "gold"), *rest)

    def of_system(self, step: Callable[..., _T]) -> Callable[..., _T]:
        """Wrap a step whose first files are the system's."""
        return lambda files, *rest: step(part_of(files, rest[-1], "system"), *rest)

    def made(self, side: Side, make: Callable[..., dict[str, bytes]]) -> Callable[..., dict[str, bytes]]:
        """Wrap a step that makes files, and put these where they are looked for."""
        return lambda files, options: self.put(make(files, options), options, side)

    def has_files(self, path: str | Path | OpenFiles, options: Options) -> bool:
        files = open_files(path)
        if folder := options.get(FOLDER.key):
            chosen = inside(files, folder)
            if chosen is None:
                return self._family.files.has_columns and _rows_of_language(files, folder, options) is not None
            files = chosen
        if rows := options.get(ROWS.key):
            return has_rows(files, Rows.parsed(rows), _layout(options, "system"))
        return self._family.files.has_files is None or self._family.files.has_files(files, options)

    def file_names(self, options: Options) -> tuple[str, ...]:
        names = self._family.files.file_names(options) if self._family.files.file_names else ()
        if folder := options.get(FOLDER.key):
            return tuple(f"{folder}/{name}" for name in names or ("",))
        return names

    def specimen(self, options: Options) -> Specimen:
        assert self._family.offer.specimen is not None
        small = self._family.offer.specimen(options)
        return Specimen(self.put(small.gold, options, "gold"), self.put(small.run, options, "system"))

    def gold_as_submission(self, files: Files, options: Options) -> dict[str, bytes]:
        """Make a run always, since a gold need not have the part by its folder or column."""
        gold = part_of(files, options, "gold")
        made = self._family.files.gold_as_submission(gold, options) if self._family.files.gold_as_submission else None
        if made is None:
            outer = gold.root
            made = {path.removeprefix(outer): gold[path] for path in gold}
        return self.put(made, options, "system")

    def input_keys(self, files: Files, options: Options, side: Side) -> set[str]:
        assert self._family.files.input_keys is not None
        return self._family.files.input_keys(part_of(files, options, side), options, side)

    def unit_record(self, gold: Files, system: Files, name: str, options: Options) -> dict[str, Any]:
        assert self._family.views.unit_record is not None
        return self._family.views.unit_record(
            part_of(gold, options, "gold"), part_of(system, options, "system"), name, options
        )

    def put(self, contents: Mapping[str, bytes], options: Options, side: Side) -> dict[str, bytes]:
        """Put files of the part as they stand in an upload of several."""
        placed = dict(contents)
        if rows := options.get(ROWS.key):
            placed = with_column(placed, Rows.parsed(rows), _layout(options, side))
        if folder := options.get(FOLDER.key):
            placed = {f"{folder}/{path}": content for path, content in placed.items()}
        return placed

    def _plain(self, options: Options) -> Options:
        return {key: value for key, value in options.items() if key not in self._keys}
