"""What a line that was refused may be instead, told by its look: other separators, a heading, another format."""

import re
from dataclasses import dataclass

_LONGEST = 2_000  # characters of a line that are looked at
_BRAT = re.compile(r"(?:T[0-9]+\t\S+ [0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*\t|[RE][0-9]+\t\S+ \S+:\S+|[AMN#][0-9]+\t\S)")
_BRAT_PHRASE = re.compile(r"T([0-9]+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)\t(.*)")
_BRAT_RELATION = re.compile(r"R[0-9]+\t(\S+) Arg1:T([0-9]+) Arg2:T([0-9]+)\s*")
_BLANKS_PHRASE = re.compile(r"([0-9]+) +([0-9]+ [0-9]+(?: ?; ?[0-9]+ [0-9]+)*) +(\S+) +(\S.*)")
_BLANKS_RELATION = re.compile(r"(\S+) +([0-9]+) +([0-9]+)")
# Columns of annotations, as people name them in a heading.
_HEADING = re.compile(
    r"(?:id|ids|spans?|labels?|types?|tags?|texts?|words?|tokens?|starts?|ends?|offsets?|sources?|targets?|relations?"
    r"|arg\s?[12]|questions?|answers?|articles?|sentences?|documents?|docs?)(?:[_ ]?(?:id|ids|a|b))?",
    re.IGNORECASE,
)
_SEPARATORS = {",": "commas", ";": "semicolons", "|": "vertical bars"}


@dataclass(frozen=True)
class Hint:
    """What the line may be."""

    words: str  # a sentence about "it", the line
    mended: str | None = None  # the line as it might be


def hint_of(line: str, number: int, message: str, file: str | None = None) -> Hint | None:
    r"""What is told of a line with this number, from 1, that was refused with this message; None if it looks usual.

    >>> wanted = "Line has 1 column, 4 are needed (ID, spans, label, text). Separate them by single tabs."
    >>> hint_of("7 4 8;9 22 Concept vías respiratorias", 1, wanted)
    Hint(words='has blanks where tabs belong', mended='7\t4 8;9 22\tConcept\tvías respiratorias')
    >>> hint_of("ID\tspans\tlabel\ttext", 1, "The ID 'ID' is not an integer.").words
    'looks like a heading: take it out'
    """
    line = line[:_LONGEST]
    start = line.lstrip()
    if start.startswith("%PDF-"):
        return Hint("begins a PDF document: save the data as plain text")
    if number == 1 and _is_heading(line):
        return Hint("looks like a heading: take it out")
    # Where brat's files are read, a line is refused for what it says.
    if _BRAT.match(line) and not (file or "").lower().endswith(".ann"):
        return Hint("is in brat's format, which is not read here", _from_brat(line, message))
    wants_json = "json" in message.lower() or (file or "").lower().endswith((".json", ".jsonl"))
    if start[:1] in ("{", "[") and not wants_json:
        return Hint("is JSON, which is not read here")
    if start.startswith("<") and not wants_json:
        return Hint("begins with <, as XML and HTML do, which are not read here")
    if wants_json and start.startswith("{'"):
        return Hint("has single quotes, where JSON has double ones")
    if "\t" in line or "tab" not in message:
        return None
    return _other_separator(line)


def _is_heading(line: str) -> bool:
    cells = [cell.strip() for cell in re.split(r"[\t,;|]", line)]
    return len(cells) > 1 and all(_HEADING.fullmatch(cell) for cell in cells)


def _other_separator(line: str) -> Hint | None:
    for pattern, tidy in ((_BLANKS_PHRASE, True), (_BLANKS_RELATION, False)):
        if found := pattern.fullmatch(line.strip()):
            cells = list(found.groups())
            if tidy:
                cells[1] = cells[1].replace(" ; ", ";").replace("; ", ";").replace(" ;", ";")
            return Hint("has blanks where tabs belong", "\t".join(cells))
    for sign, name in _SEPARATORS.items():
        if line.count(sign) > 1:
            return Hint(f"has {name} where tabs belong")
    return Hint("has blanks where tabs belong") if " " in line.strip() else None


def _from_brat(line: str, message: str) -> str | None:
    """The line as eHealth-KD has it, where that is wanted."""
    if "(ID, spans, label, text)" in message and (found := _BRAT_PHRASE.fullmatch(line)):
        number, label, spans, text = found.groups()
        return "\t".join([number, spans, label, text])
    if "(label, source ID, target ID)" in message and (found := _BRAT_RELATION.fullmatch(line)):
        return "\t".join(found.groups())
    return None
