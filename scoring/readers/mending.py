"""Tries on the file what messages and hints advise: a mend that does not make the file read better is not said.

A mend is a function from the files of an upload, and the finding that advises it, to files; it gives None where no
program can do it. One place decides, so that no reader has to foresee where its advice leads: all findings that advise
the same are applied together, the mended files are read once, and the advice stays if fewer findings of that kind are
left, few others have come, and none of these advises a mend itself. A name of which nothing tells but that it is the
only one left over is meant only where nothing of the mended files looks odd. Last, all advice that stays is
followed together, and what is still wrong or odd then is said with it.
"""

import csv
import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from scoring.findings import Finding
from scoring.messages import Message, kind_of, kinds_of
from scoring.readers.archive import Made
from scoring.readers.archive.names import base_name
from scoring.readers.causes import Form, form_of
from scoring.readers.ehealthkd.layout import missing_file
from scoring.readers.explanations import FileLines
from scoring.readers.hints import ABOUT_HEADING, COMMENT, COURTESY, FENCE, SEPARATORS, WANT_JSON, hint_of, unquoted
from scoring.readers.mat.layout import unknown_document
from scoring.readers.segments.columns import no_column
from scoring.readers.segments.ids import no_csv
from scoring.readers.swapping import ids_elsewhere
from scoring.readers.tables.fields import decimals_at, without_reason
from scoring.readers.tables.header import column_not_found, heading_missing
from scoring.readers.tables.json_lines import no_key
from scoring.readers.tables.layout import PLURALS
from scoring.spelling.strings import is_like

_MOST_BYTES = 8 * 2**20  # of an upload; in a larger one nothing is tried, and so nothing advised
_MOST_TRIED = 3  # mends of an upload, each of which reads it once more
_MOST_ALIKE = 100  # findings with the same advice that are applied
_FEW = 0.5  # of the lines; a mend that spoils more of them is none
# Units that the files lack, with the mend as without it: it was an error before them that kept these from being told.
_LACKS = {
    *("noun-gold-id-missing", "missing", "missing-document-id", "document-missing", "sentence-input-not-found"),
    "missing-document-gold-does",
}
_SIGNS = {name: sign for sign, name in SEPARATORS.items()}
TAB = "⇥"  # as messages show it

_BEGINNING = 2**14  # bytes
# Blanks alone, and no line ends, so that each is looked at once.
_DECIMAL = re.compile(r" *[-+]?\d+,\d+(?:[eE][-+]?\d+)? *")
_DECIMAL_CELL = re.compile(rb"(?m)(?:^|;)" + _DECIMAL.pattern.encode() + rb"(?:;|\r?$)")
_OF_TABLES = (".csv", ".tsv", ".tab")  # of which messages name the separators
# Endings by which a file is read that begins so.
_LOOKS: Sequence[tuple[re.Pattern[bytes], Sequence[str]]] = (
    (re.compile(rb"\s*[\[{]"), (".jsonl", ".json")),
    (re.compile(rb"[^\n]*\t"), (".tsv",)),
    (re.compile(rb"[^\n]*[,;]"), (".csv",)),
)

_MOST_LEFT = 3  # things that are still wrong or odd

Contents = Mapping[str, bytes]
Read = Callable[[Made], Sequence[Finding]]  # what is wrong with files
Describe = Callable[[Made], Sequence[Finding]]  # what is odd of files that can be read


@dataclass(frozen=True)
class Mend:
    """What a kind of finding advises, and the finding without it."""

    apply: Callable[[Contents, Finding], Contents | None]
    without: Callable[[Finding], Finding]


def tried(findings: Sequence[Finding], files: Contents, n_bytes: int, read: Read, describe: Describe) -> list[Finding]:
    """Return the findings of an upload, without the advice that does not help, and what is left where it does.

    Where another name makes its file readable, nothing else is told.
    """
    if n_bytes <= _MOST_BYTES and (renaming := _under_other_name(findings, files, read)):
        return [renaming, *_left([renaming], mended_files(files, [renaming]), read, describe)]
    findings = [_with_decimals(finding, files) for finding in findings]
    findings = _with_heading_below(findings, files)
    lines, refuted = FileLines(files), set()
    helpful: list[Finding] = []
    for number, (key, alike) in enumerate(_by_advice(findings, lines).items()):
        is_tried = n_bytes <= _MOST_BYTES and number < _MOST_TRIED
        mended = mended_files(files, alike) if is_tried else None
        if mended is None or not _helps(alike, findings, mended, _n_lines(mended, files), read, describe):
            refuted.add(key)
        else:
            helpful += alike
    kept = [_without(finding, refuted, lines) for finding in findings] if refuted else list(findings)
    return kept + _left(findings, mended_files(files, helpful), read, describe) if helpful else kept


def _left(before: Sequence[Finding], mended: Contents | None, read: Read, describe: Describe) -> list[Finding]:
    """Return what of mended files is wrong and was not, or what is odd where nothing is wrong."""
    if mended is None:
        return []
    forms = {form_of(finding.message) for finding in _single(before)}
    wrong = read(Made(mended))
    new = [finding for finding in wrong if not finding.rest and form_of(finding.message) not in forms]
    by_form = {form_of(finding.message): finding for finding in reversed(new)}
    problems = [
        Message("left-once-fixed", "once that is fixed, this is left: {problem}", problem=finding.message)
        for finding in reversed(by_form.values())
    ]
    questions = [
        Message("odd-once-fixed", "once that is fixed, there is a question: {what}", what=finding.message)
        for finding in (() if wrong else describe(Made(mended)))
    ]
    return [Finding(message) for message in (problems + questions)[:_MOST_LEFT]]


def _helps(
    alike: Sequence[Finding],
    before: Sequence[Finding],
    mended: Contents,
    n_lines: int,
    read: Read,
    describe: Describe,
) -> bool:
    """Return whether mended files read better, and a name that was only left over has what is wanted."""
    after = read(Made(mended))
    if not _reads_better(alike, before, after, n_lines):
        return False
    return not _is_left_over(alike[0]) or _suits(before, after, lambda: describe(Made(mended)))


def _suits(before: Sequence[Finding], after: Sequence[Finding], describe: Callable[[], Sequence[Finding]]) -> bool:
    """Return whether what stands under a name can be what is wanted: nothing new is wrong, or odd as another kind."""
    forms = {form_of(finding.message) for finding in _single(before)}
    if any(finding.kind not in _LACKS and form_of(finding.message) not in forms for finding in after):
        return False
    oddities = () if after else describe()
    return all(finding.kind not in _UNFIT and _UNFIT.isdisjoint(kinds_of(finding.message)) for finding in oddities)


def _differ_in_case(finding: Finding) -> bool:
    near, name = (unquoted(finding.values.get(value, "")) for value in ("near", "name"))
    return finding.kind in _OF_COLUMNS and (name or finding.values.get("key", "")).casefold() == near.casefold()


def _is_left_over(finding: Finding) -> bool:
    """Return whether a name is advised of which nothing tells but that no other one is left."""
    if finding.kind not in _OF_COLUMNS:
        return False
    near, name = (unquoted(finding.values.get(value, "")) for value in ("near", "name"))
    return not is_like(name or finding.values.get("key", ""), near)


def _under_other_name(findings: Sequence[Finding], files: Contents, read: Read) -> Finding | None:
    """Return the problem of the only file, if its ending belongs to another format and nothing else is wrong.

    Of several files one might be read without complaint because under another name it is not read at all.
    """
    if len(files) != 1 or any(finding.file not in files for finding in findings):
        return None
    [path] = files
    start, suffix = files[path][:_BEGINNING].removeprefix(BOM_UTF8), PurePosixPath(path).suffix
    for ending in next((endings for look, endings in _LOOKS if look.match(start)), ()):
        stem = path.removesuffix(suffix)
        name = stem if stem.lower().endswith(ending) else stem + ending
        is_tried = suffix.lower() not in (_OF_TABLES if ending in _OF_TABLES else (ending,))
        if is_tried and not read(Made({name: files[path]})):
            return Finding(_renaming(findings, base_name(name)), path)
    return None


def _renaming(findings: Sequence[Finding], name: str) -> Message:
    if any(finding.kind == "unknown-file-ending-expected" for finding in findings):
        return Message("unknown-ending-rename", "unknown file ending: rename the file to {name}", name=name)
    return Message(
        "rename-file-to", "the content does not fit the ending of the name: rename the file to {name}", name=name
    )


def _with_decimals(finding: Finding, files: Contents) -> Finding:
    """Return a finding about separators so that it speaks of decimal commas too, if the file has them."""
    path = finding.file if finding.kind == "column-not-found-columns" else None
    if path is None or path not in files or not _DECIMAL_CELL.search(files[path][:_BEGINNING]):
        return finding
    message = Message(
        "column-not-found-decimals",
        "column {name} not found; the columns are separated by {found}, expected {expected}, and numbers have commas,"
        " expected points",
        **finding.values,
    )
    return replace(finding, message=message, kind="")


_LINES_ABOVE = 200  # at most, that a program wrote before a heading


def _with_heading_below(findings: Sequence[Finding], files: Contents) -> list[Finding]:
    """Return the findings; those about a heading that stands further down say where it does."""
    numbers = {
        path: _line_of_heading(names, files[path])
        for path, names in _columns_missing(findings).items()
        if path in files
    }
    return [
        replace(finding, message=_below(number, finding), kind="")
        if finding.kind in ABOUT_HEADING and (number := numbers.get(finding.file or ""))
        else finding
        for finding in findings
    ]


def _columns_missing(findings: Sequence[Finding]) -> dict[str, set[str]]:
    """Return {file: the names that its heading lacks}."""
    missing: dict[str, set[str]] = {}
    for finding in findings:
        if finding.kind in ABOUT_HEADING:
            missing.setdefault(finding.file or "", set()).add(unquoted(str(finding.values["name"])))
    return missing


def _line_of_heading(names: set[str], content: bytes) -> int | None:
    """Return the number of the first line below the first one that has all these names for cells.

    None where the hint beside a single line above says what that is.
    """
    if "" in names:
        return None
    lines = content[:_BEGINNING].decode("utf-8-sig", "replace").splitlines()[:_LINES_ABOVE]
    for number, line in enumerate(lines[1:], start=2):
        if names <= {cell.strip().strip('"') for cell in _BETWEEN_CELLS.split(line)}:
            return None if number == 2 and hint_of(lines[0], 1, column_not_found("", "")) else number
    return None


_BETWEEN_CELLS = re.compile(r"[,;|\t]")


def _below(number: int, finding: Finding) -> Message:
    return Message(
        "heading-below",
        "the heading stands on line {number}: take out what is above it",
        number=number,
        name=finding.values["name"],
        listed=finding.values.get("listed", ""),
    )


def _from_heading(lines: list[str], finding: Finding) -> list[str]:
    return lines[finding.values["number"] - 1 :]


def mended_files(files: Contents, findings: Sequence[Finding]) -> Contents | None:
    """Return the files as the findings that advise something have them; None where a program cannot do it."""
    lines = FileLines(files)
    advising = {(finding.file, finding.message): finding for finding in findings if _mend_of(finding, lines)}
    mended: Contents = {path: files[path] for path in files}
    for finding in [*advising.values()][:_MOST_ALIKE]:
        mend = _mend_of(finding, lines)
        after = mend.apply(mended, finding) if mend else None
        if after is None:
            return None
        mended = after
    return mended


def _mend_of(finding: Finding, lines: FileLines) -> "Mend | None":
    """Return the mend that the message of a finding advises, or else the hint beside its line."""
    if finding.is_refuted:
        return None
    if mend := _OF_MESSAGES.get(finding.kind):
        return mend
    line = lines.line(finding)
    hint = hint_of(line, finding.line or 1, finding.message, finding.file) if line else None
    kind = kind_of(hint.words) if hint else ""
    # Blanks are replaced where it is plain which of them stand between columns.
    return _OF_HINTS.get(kind) if hint and (hint.mended or kind != "blanks-where-tabs-belong") else None


_Advice = tuple[str | None, Form]  # what findings share of which one mend is tried


def _by_advice(findings: Sequence[Finding], lines: FileLines) -> dict[_Advice, list[Finding]]:
    """Return the findings that advise a mend, those of a file with the same advice together."""
    advising: dict[_Advice, list[Finding]] = {}
    for finding in findings:
        if _mend_of(finding, lines):
            advising.setdefault(_advice(finding), []).append(finding)
    return advising


def _advice(finding: Finding) -> _Advice:
    concerns_many = finding.kind in _OF_NAMES or finding.kind in WANT_JSON
    return None if concerns_many else finding.file, form_of(finding.message)


def _without(finding: Finding, refuted: set[_Advice], lines: FileLines) -> Finding:
    rest = tuple(_without(cause, refuted, lines) for cause in finding.rest)
    mend = _mend_of(finding, lines) if _advice(finding) in refuted else None
    return replace(mend.without(finding) if mend else finding, rest=rest)


def _reads_better(alike: Sequence[Finding], before: Sequence[Finding], after: Sequence[Finding], n_lines: int) -> bool:
    """Return whether fewer findings of that form are left, and few others have come that advise nothing."""
    form, forms = form_of(alike[0].message), {form_of(finding.message) for finding in _single(before)}
    if _n_of(form, after) >= _n_of(form, before) or _n_of(form, after) > _FEW * n_lines:
        return False
    others = [finding for finding in _single(after) if form_of(finding.message) not in forms]
    # Another heading, or another format, would have been the right advice.
    if alike[0].kind in _OF_WHOLE_FILES and any(finding.kind in _OF_MESSAGES for finding in others):
        return False
    if any(finding.kind == "columns-swapped" for finding in others):
        return False
    if _differ_in_case(alike[0]):
        return True
    if alike[0].kind in _OF_NAMES and sum(1 for other in others if other.kind in WANT_JSON) > _FEW * len(alike):
        return False  # the files would have the names of others, and not their format
    return sum(finding.n for finding in others if finding.kind not in _LACKS) <= _FEW * n_lines


def _n_of(form: Form, findings: Sequence[Finding]) -> int:
    return sum(finding.n for finding in _single(findings) if form_of(finding.message) == form)


def _single(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings, and for those that stand for further ones these."""
    for finding in findings:
        yield from finding.rest or (finding,)


def _n_lines(mended: Contents, files: Contents) -> int:
    """Return how many lines the files have that were mended."""
    changed = [content for path, content in mended.items() if path not in files or files[path] != content]
    return sum(content.count(b"\n") + 1 for content in changed)


# Mends of lines, by the hints beside them.


def _path(finding: Finding, files: Contents) -> str | None:
    """Return the file of a finding; None where that is not one of these."""
    return FileLines(files).path(finding.file)


def _lines(content: bytes) -> list[str]:
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").decode("utf-8-sig", "replace").split("\n")


def _with_lines(change: Callable[[list[str], Finding], list[str]]) -> Mend:
    """Return a mend that changes the lines of the finding's file."""

    def apply(files: Contents, finding: Finding) -> Contents | None:
        path = _path(finding, files)
        return {**files, path: "\n".join(change(_lines(files[path]), finding)).encode()} if path else None

    return Mend(apply, lambda finding: replace(finding, is_refuted=True))


def _without_heading(lines: list[str], finding: Finding) -> list[str]:
    return lines[1:]


def _without_empty(lines: list[str], finding: Finding) -> list[str]:
    return [line for line in lines if line.strip()]


def _without_fences(lines: list[str], finding: Finding) -> list[str]:
    return [line for line in lines if not line.lstrip().startswith(FENCE)]


def _without_courtesy(lines: list[str], finding: Finding) -> list[str]:
    return [line for line in lines if not COURTESY.match(line.lstrip())]


def _without_comments(lines: list[str], finding: Finding) -> list[str]:
    """Take the comments out that stand before the heading."""
    first = next((k for k, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(COMMENT)), 0)
    return lines[first:]


def _without_commas(lines: list[str], finding: Finding) -> list[str]:
    return [line.rstrip().removesuffix(",") for line in lines]


def _with_blanks(lines: list[str], finding: Finding) -> list[str]:
    """Put blanks for the sign that stands between the columns."""
    hint = hint_of(lines[(finding.line or 1) - 1], finding.line or 1, finding.message, finding.file)
    sign = _SIGNS[hint.words.values["separators"]] if hint else " "
    return [line.replace(sign, " ") for line in lines]


def _with_tabs(lines: list[str], finding: Finding) -> list[str]:
    """Put tabs for what stands between the columns, in lines as that of the finding."""
    mended = []
    for number, line in enumerate(lines, start=1):
        hint = hint_of(line, number, finding.message, finding.file)
        kind = kind_of(hint.words) if hint else ""
        if hint and hint.mended and kind == "blanks-where-tabs-belong":
            line = hint.mended
        elif hint and kind == "separators-for-tabs":
            line = line.replace(_SIGNS[hint.words.values["separators"]], "\t")
        mended.append(line)
    return mended


_OF_HINTS = {
    "looks-like-heading-take": _with_lines(_without_heading),
    "code-fence-take-out": _with_lines(_without_fences),
    "chat-courtesy-take-out": _with_lines(_without_courtesy),
    "blanks-where-tabs-belong": _with_lines(_with_tabs),
    "separators-for-tabs": _with_lines(_with_tabs),
    "separators-for-blanks": _with_lines(_with_blanks),
    "comment-take-out": _with_lines(_without_comments),
    "comma-at-end": _with_lines(_without_commas),
}


# Mends that messages advise.


def _rename_column(files: Contents, finding: Finding) -> Contents | None:
    near, name = (unquoted(finding.values[value]) for value in ("near", "name"))
    return _with_heading(files, finding, {near: name}) if near and name else None


def _exchange_names(files: Contents, finding: Finding) -> Contents | None:
    one, other = finding.values["column"], finding.values["id_name"]
    return _with_heading(files, finding, {one: other, other: one})


def _with_heading(files: Contents, finding: Finding, names: Mapping[str, str]) -> Contents | None:
    """Return the files with other names in the heading; None where it has none of the names."""
    path = _path(finding, files)
    if path is None or path.lower().endswith((".json", ".jsonl", ".ndjson")):
        return None
    lines = _lines(files[path])
    place = next((k for k, line in enumerate(lines) if line.strip()), 0)
    cells = re.split(r'([,;|\t"])', lines[place])
    renamed = [names.get(cell.strip(), cell) for cell in cells]
    lines[place] = "".join(renamed)
    return {**files, path: "\n".join(lines).encode()} if renamed != cells else None


def _rename_key(files: Contents, finding: Finding) -> Contents | None:
    values = finding.values
    near, name = unquoted(values["near"]), unquoted(values.get("name", "")) or values.get("key")
    path = _path(finding, files)
    if not near or not name or path is None:
        return None
    key = re.compile(re.escape(json.dumps(near, ensure_ascii=False).encode()) + rb"(?=\s*:)")
    written = json.dumps(name, ensure_ascii=False).encode()
    return {**files, path: key.sub(lambda _: written, files[path])}


def _divide_columns(files: Contents, finding: Finding) -> Contents | None:
    """Put the expected sign between the columns."""
    signs = {str(plural): sign for sign, plural in PLURALS.items()}
    path, there, expected = _path(finding, files), signs[finding.values["found"]], signs[finding.values["expected"]]
    if path is None:
        return None
    lines = _lines(files[path])
    if there not in lines[0]:  # another column that is missing has said so
        return files
    # Rows that have the expected sign already stay.
    rows: Iterable[list[str]] = (
        next(csv.reader(row, delimiter=expected)) if len(row) == 1 else row
        for row in csv.reader(lines, delimiter=there)
    )
    if finding.kind == "column-not-found-decimals":
        rows = ([cell.replace(",", ".") if _DECIMAL.fullmatch(cell) else cell for cell in row] for row in rows)
    return _with_rows(files, path, path, rows, expected)


def _with_other_sign(lines: list[str], finding: Finding) -> list[str]:
    signs = {str(plural): sign for sign, plural in PLURALS.items()}
    there, expected = signs[finding.values["found"]], signs[finding.values["expected"]]
    return [line if expected in line else line.replace(there, expected) for line in lines]


def _with_points(lines: list[str], finding: Finding) -> list[str]:
    """Write points in numbers whose commas divide them."""
    mended = []
    for line in lines:
        cells, place = line.split(","), decimals_at(line.split(","))
        if place is not None and len(cells) == finding.values["n_fields"] + 1:
            cells[place : place + 2] = [".".join(cells[place : place + 2])]
        mended.append(",".join(cells))
    return mended


def _without_last_sign(lines: list[str], finding: Finding) -> list[str]:
    ended = [line.rstrip(" \r") for line in lines]
    return [line[:-1] if line.endswith((",", ";", "|", "\t")) else line for line in ended]


def _heading_without_last_sign(lines: list[str], finding: Finding) -> list[str]:
    return [*_without_last_sign(lines[:1], finding), *lines[1:]]


def _with_one_heading(lines: list[str], finding: Finding) -> list[str]:
    return [lines[0], *(line for line in lines[1:] if line != lines[(finding.line or 1) - 1])]


def _write_heading(files: Contents, finding: Finding) -> Contents | None:
    path, heading = _path(finding, files), unquoted(finding.values["heading"].replace(TAB, "\t"))
    return {**files, path: f"{heading}\n".encode() + files[path]} if path else None


def _save_with_tabs(files: Contents, finding: Finding) -> Contents | None:
    """Save CSV with tabs between the columns, under the heading that is asked for."""
    path, names = _path(finding, files), finding.values["heading"].split(TAB)
    if path is None:
        return None
    lines = _lines(files[path])
    sign = max(",;", key=lines[0].count)
    rows = [row for row in csv.reader(lines, delimiter=sign) if row]
    has_heading = {cell.strip().casefold() for cell in rows[0]}.issuperset(names)
    rows = rows if has_heading else [names, *rows]
    return _with_rows(files, path, f"{path.removesuffix(PurePosixPath(path).suffix)}.tsv", rows, "\t")


def _with_rows(files: Contents, path: str, name: str, rows: Iterable[list[str]], sign: str) -> Contents | None:
    """Return the files with rows written anew, in a file of this name; None where they cannot be read."""
    written = io.StringIO()
    try:
        if sign == "\t":  # where quotes are signs as any other
            written.writelines(sign.join(re.sub(r"[\t\n]", " ", cell) for cell in row) + "\n" for row in rows)
        else:
            csv.writer(written, delimiter=sign, lineterminator="\n").writerows(rows)
    except csv.Error:
        return None
    return {other: files[other] for other in files if other != path} | {name: written.getvalue().encode()}


def _rename_file(files: Contents, finding: Finding) -> Contents | None:
    """Give a file the name that is missing, or the only one that its own name is nearly."""
    values = finding.values
    near, name = values.get("near", finding.file), values.get("name") or values["meant"]
    near_path = next((path for path in files if near in (path, base_name(path))), None)
    near_path = near_path or next((path for path in files if base_name(path).startswith(f"{near}.")), None)
    if near_path is None:
        return None
    folder = near_path.removesuffix(base_name(near_path))
    renamed = folder + base_name(name)
    return {renamed if path == near_path else path: files[path] for path in files}


def _of_lines(change: Callable[[list[str], Finding], list[str]]) -> Mend:
    """Return a mend of lines that have another number of fields."""
    return replace(_with_lines(change), without=_saying(without_reason))


def _saying(words: Callable[..., Message]) -> Callable[[Finding], Finding]:
    """Return what says the same of a finding by other words, made of the values of its message."""
    return lambda finding: replace(finding, message=words(**finding.values), kind="")


_OF_MESSAGES = {
    "column-not-found-columns": Mend(
        _divide_columns, _saying(lambda name, listed, **_: column_not_found(name, listed))
    ),
    "column-not-found-decimals": Mend(
        _divide_columns, _saying(lambda name, listed, **_: column_not_found(name, listed))
    ),
    "column-not-found-header-did": Mend(
        _rename_column, _saying(lambda name, listed, **_: column_not_found(name, listed))
    ),
    "column-not-found-rename": Mend(_rename_column, _saying(lambda name, **_: no_column(name))),
    "columns-swapped": Mend(_exchange_names, _saying(ids_elsewhere)),
    "csv-not-read": Mend(_save_with_tabs, _saying(lambda **_: no_csv())),
    "heading-missing": Mend(_write_heading, _saying(lambda listed, **_: heading_missing(listed))),
    "heading-missing-tabs": Mend(_write_heading, _saying(lambda listed, **_: heading_missing(listed))),
    "heading-below": Mend(
        _with_lines(_from_heading).apply, _saying(lambda name, listed, **_: column_not_found(name, listed))
    ),
    "heading-again": _with_lines(_with_one_heading),
    "fields-line-ends": _of_lines(_without_last_sign),
    "fields-heading-ends": _of_lines(_heading_without_last_sign),
    "fields-other-sign": _of_lines(_with_other_sign),
    "fields-decimals": _of_lines(_with_points),
    "key-missing-rename": Mend(_rename_key, _saying(lambda key, listed, **_: no_key(repr(key), listed))),
    "lines-instead-empty": _with_lines(_without_empty),
    "missing-file-file-called": Mend(_rename_file, _saying(lambda name, **_: missing_file(name))),
    "rename-file-to": Mend(_rename_file, lambda finding: finding),
    "unknown-ending-rename": Mend(_rename_file, lambda finding: finding),
    "no-gold-document-name": Mend(_rename_file, _saying(lambda **_: unknown_document())),
    "no-key-object-did": Mend(_rename_key, _saying(lambda name, listed, **_: no_key(name, listed))),
}
_OF_COLUMNS = frozenset(
    {"column-not-found-header-did", "column-not-found-rename", "key-missing-rename", "no-key-object-did"}
)
_OF_WHOLE_FILES = frozenset({"heading-missing", "heading-missing-tabs", "csv-not-read"})
# Kinds of oddities, and of what they say, of values that are not what is wanted.
_UNFIT = frozenset({"ids", "labels", "order", "range", "traces-number-alone", "traces-numbers"})
_OF_NAMES = frozenset({"missing-file-file-called", "no-gold-document-name"})
