"""MAT's own JSON: a signal, and sets of annotations as rows of offsets, ID and attribute values.

    {"signal": "Mirelle left.", "asets": [{"type": "ENAMEX", "hasID": true, "attrs": [{"name": "type"}],
                                           "annots": [[0, 7, "e1", "PERSON"]]}]}

A row is start, end, the ID if there is one, and values in the order of `attrs`, of which the last may be left out.
The rows of a set are read by a fast path and a careful one, which give the same for rows that are as they should be.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from scoring.messages import Message
from scoring.readers.json_text import refuse_other_letters
from scoring.readers.mat.collecting import Collector, MalformedDocument
from scoring.readers.mat.formats.json_text import parse_json, parse_json_carefully

Row = list[Any]
Offsets = Sequence[int]

# Offsets are cut here, beyond any text but within 64 bits.
_LARGEST = 2**62


def read_mat_json(content: bytes, collector: Collector, *, is_gold: bool) -> str | None:
    """Read the signal, None if there is none; the annotations go to the collector.

    Metadata count in the gold alone: a system must not choose what is scored.
    """
    try:
        document = parse_json(content)
    except MalformedDocument as error:
        collector.report_error(error)
        return None
    if not isinstance(document, dict):
        collector.report(
            Message(
                "object-signal-asets-expected", "not a mat-json document: an object with signal and asets is expected"
            )
        )
        return None
    if respelt := refuse_other_letters(document, "asets"):
        collector.report(Message("not-mat-json-twice", "not a mat-json document: {problem}", problem=respelt))
    if is_gold:
        _read_metadata(document.get("metadata", {}), collector)
    _Sets(content, collector).read(document.get("asets", []))
    signal = document.get("signal")
    if isinstance(signal, str):
        return signal
    collector.report(
        Message("signal-must-string", "not a mat-json document: signal must be a string")
        if "signal" in document
        else Message("there-no-signal", "not a mat-json document: there is no signal")
    )
    return None


def _read_metadata(metadata: Any, collector: Collector) -> None:
    """Read the labels that the document says to be content and tokens.

    These two keys are a choice of ours.

    MATScore reads the metadata as well, but its documentation does not name the keys.
    """
    if not isinstance(metadata, dict):
        collector.report(Message("metadata-must-object", "not a mat-json document: metadata must be an object"))
        return
    for key in ("content_annotations", "token_annotations"):
        labels = metadata.get(key, [])
        if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
            getattr(collector, key).update(dict.fromkeys(labels))
        else:
            collector.report(
                Message(
                    "metadata-must-list-labels",
                    "not a mat-json document: metadata.{key} must be a list of labels",
                    key=key,
                )
            )


class _Sets:
    """The annotation sets of one document, each of which has one type of annotations."""

    def __init__(self, content: bytes, collector: Collector) -> None:
        self._content = content
        self._collector = collector

    def read(self, sets: Any) -> None:
        if not isinstance(sets, list):
            self._collector.report(Message("asets-must-list", "not a mat-json document: asets must be a list"))
            return
        for number, entry in enumerate(sets):
            reasons = list(_reasons(entry, f"asets[{number}]"))
            for reason in reasons:
                self._collector.report(reason)
            # Annotations without a span belong to the whole document: there is nothing to compare.
            if not reasons and entry.get("hasSpan", True) and self._collector.wants(entry["type"]):
                self._read_rows(number, entry)

    def _read_rows(self, number: int, entry: dict[str, Any]) -> None:
        """Add the annotations of the set with this number; rows that cannot be read are reported."""
        rows = entry["annots"]
        # How many values a row has: start, end and ID, then up to one for each attribute.
        least = 3 if entry.get("hasID", False) else 2
        most = least + len(entry.get("attrs", ()))
        columns = _fast_columns(rows, least, most)
        if columns is not None:
            try:
                self._add(number, entry, least, rows, *columns)
                return
            except OverflowError:
                pass  # An offset beyond 64 bits: the careful path bounds it, and the checks find it out of range.
        rows = list(self._careful_rows(number, least, most))
        self._add(number, entry, least, rows, [_bounded(row[0]) for row in rows], [_bounded(row[1]) for row in rows])

    def _add(
        self, number: int, entry: dict[str, Any], first_value: int, rows: list[Row], starts: Offsets, ends: Offsets
    ) -> None:
        """Add the annotations of these rows under the label of each; offsets are given as columns (rows,)."""
        name = entry["type"]
        if name not in self._collector.aliases:
            self._collector.add(name, name, starts, ends)
            return
        by_label: dict[str, list[int]] = {}
        for k, label in enumerate(self._labels(number, entry, first_value, rows)):
            by_label.setdefault(label, []).append(k)
        for label, of_label in by_label.items():
            self._collector.add(name, label, [starts[k] for k in of_label], [ends[k] for k in of_label])

    def _labels(self, number: int, entry: dict[str, Any], first_value: int, rows: list[Row]) -> Iterator[str]:
        """Yield the label of each row: the first alias whose attributes all have its values, else the type."""
        names = [_attribute(attribute) for attribute in entry.get("attrs", ())]
        # Attribute -> the column of its values. An alias is a rule on columns, unless the set lacks an attribute.
        column_of = {name: column for column, name in enumerate(names, start=first_value)}
        rules = [
            (alias.label, [(column_of[name], value) for name, value in alias.values.items()])
            for alias in self._collector.aliases[entry["type"]]
            if alias.values.keys() <= column_of.keys()
        ]
        tested = {
            column: name for name, column in column_of.items() if any(column in dict(values) for _, values in rules)
        }
        for row in rows:
            self._report_values(number, row, tested)
            for label, values in rules:
                if all(column < len(row) and _as_text(row[column]) == value for column, value in values):
                    yield label
                    break
            else:
                yield entry["type"]

    def _report_values(self, number: int, row: Row, tested: dict[int, str]) -> None:
        """Report lists and objects where an alias looks for a value."""
        for column, name in tested.items():
            if column < len(row) and isinstance(row[column], list | dict):
                self._collector.report(
                    Message(
                        "not-mat-json-document-value",
                        "not a mat-json document: asets[{number}]: a value of {name} must be a text, a number, true or "
                        "false",
                        number=number,
                        name=name,
                    )
                )

    @cached_property
    def _carefully_parsed(self) -> list[Any]:
        """Return the sets with all integers as they are: the fast parser may have made floats of long ones."""
        sets: list[Any] = parse_json_carefully(self._content)["asets"]
        return sets

    def _careful_rows(self, number: int, least: int, most: int) -> Iterator[Row]:
        """Yield on the careful path the rows that can be read; each other row is reported with its reason."""
        for row_number, row in enumerate(self._carefully_parsed[number]["annots"]):
            if reason := _row_reason(row, least, most):
                self._collector.report(
                    Message(
                        "not-mat-json-at",
                        "not a mat-json document: asets[{number}].annots[{row}]: {reason}",
                        number=number,
                        row=row_number,
                        reason=reason,
                    )
                )
            else:
                yield row


def _reasons(entry: Any, name: str) -> Iterator[str]:
    """Return what is wrong with an annotation set beside its rows."""
    if not isinstance(entry, dict):
        yield Message("not-mat-json-document-must", "not a mat-json document: {name} must be an object", name=name)
        return
    if not isinstance(entry.get("type"), str):
        yield Message("not-mat-json-document-type", "not a mat-json document: {name}.type must be a string", name=name)
    if not isinstance(entry.get("annots"), list):
        yield Message(
            "not-mat-json-document-annots", "not a mat-json document: {name}.annots must be a list", name=name
        )
    for key in ("hasID", "hasSpan"):
        if not isinstance(entry.get(key, False), bool):
            yield Message(
                "not-mat-json-document-must-true",
                "not a mat-json document: {name}.{key} must be true or false",
                name=name,
                key=key,
            )
    attributes = entry.get("attrs", [])
    if not (isinstance(attributes, list) and all(isinstance(_attribute(attribute), str) for attribute in attributes)):
        yield Message(
            "not-mat-json-document-attrs",
            "not a mat-json document: {name}.attrs must be a list of names, or of objects with a name",
            name=name,
        )


def _attribute(attribute: Any) -> Any:
    """Return the name of an attribute: the string itself in version 1, a member of the object in version 2."""
    return attribute.get("name") if isinstance(attribute, dict) else attribute


def _fast_columns(rows: list[Any], least: int, most: int) -> tuple[Offsets, Offsets] | None:
    """Return on the fast path the starts and the ends of all rows; None if any row is not as it should be.

    This runs over every token of the gold: no step of it looks at a row in Python, if all are of one length.

    >>> _fast_columns([[0, 7, "e1"], [13, 20, "e2"]], least=3, most=4)
    ((0, 13), (7, 20))
    >>> _fast_columns([[0, 7, "e1"], [13, 20.5, "e2"]], least=3, most=4) is None
    True
    """
    if not rows:
        return (), ()
    try:
        columns = list(zip(*rows, strict=True))
    except (TypeError, ValueError):
        columns = _ragged_columns(rows, most)
    if not least <= len(columns) <= most:
        return None
    starts, ends = columns[:2]
    # The exact type: True is an integer too, and numbers with a fraction would be cut.
    return (starts, ends) if {*map(type, starts), *map(type, ends)} == {int} else None


def _ragged_columns(rows: list[Any], most: int) -> list[tuple[Any, ...]]:
    """Return as many columns as every row has; none if a row is no list or has a wrong length."""
    if set(map(type, rows)) == {list} and max(map(len, rows)) <= most:
        return list(zip(*rows, strict=False))
    return []


def _row_reason(row: Any, least: int, most: int) -> str | None:
    """Return what is wrong with a row; None if nothing is."""
    if not isinstance(row, list):
        return Message("row-must-list", "a row must be a list")
    if not least <= len(row) <= most:
        expected = str(least) if least == most else Message("range", "{first} to {last}", first=least, last=most)
        return Message(
            "row-values-expected", "the row has {n} values, {expected} are expected", n=len(row), expected=expected
        )
    for offset in row[:2]:
        if type(offset) is not int:
            return Message("offset-not-integer", "the offset {offset!r} is not an integer", offset=str(offset)[:40])
    return None


def _bounded(offset: int) -> int:
    """Bound an offset: those beyond any text may also be beyond 64 bits."""
    return max(-_LARGEST, min(_LARGEST, offset))


def _as_text(value: Any) -> str | None:
    """Return an attribute's value as a task definition writes it; None of what is no single value."""
    # JSON's own spelling; Python's would be True.
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None
