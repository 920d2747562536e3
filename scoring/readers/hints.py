"""Tells what a line that was refused may be instead, by its look: other separators, a heading, another format."""

import ast
import re
from dataclasses import dataclass
from itertools import permutations

from scoring.messages import Message, kinds_of
from scoring.readers.problems import PHRASE_COLUMNS, RELATION_COLUMNS
from scoring.spelling.alphabets import in_latin, strange_letter

_LONGEST = 2_000  # characters of a line that are looked at
_BRAT = re.compile(r"(?:T[0-9]+\t\S+ [0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*\t|[RE][0-9]+\t\S+ \S+:\S+|[AMN#][0-9]+\t\S)")
_BRAT_PHRASE = re.compile(r"T([0-9]+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)\t(.*)")
_BRAT_RELATION = re.compile(r"R[0-9]+\t(\S+) Arg1:T([0-9]+) Arg2:T([0-9]+)\s*")
_BLANKS_PHRASE = re.compile(r"([0-9]+) +([0-9]+ [0-9]+(?: ?; ?[0-9]+ [0-9]+)*) +(\S+) +(\S.*)")
_BLANKS_RELATION = re.compile(r"(\S+) +([0-9]+) +([0-9]+)")
_NUMBER, _NAME = re.compile(r"[0-9]+"), re.compile(r"[A-Za-z][\w-]*")
_SPANS = re.compile(r"[0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*")
_PHRASE_CELLS = (_NUMBER, _SPANS, _NAME, re.compile(r".+"))
_RELATION_CELLS = (_NAME, _NUMBER, _NUMBER)
_WRONG_COLUMNS = frozenset({"spans-not-two-integers", "not-integer"})
# Columns of annotations, as people name them in a heading.
_HEADING = re.compile(
    r"(?:id|ids|spans?|labels?|types?|tags?|texts?|words?|tokens?|starts?|ends?|offsets?|sources?|targets?|relations?"
    r"|arg\s?[12]|questions?|answers?|articles?|sentences?|documents?|docs?|utterances?|utt|audio|file|path|qid|query"
    r"|start[_ ]end|q0|iter|docno|rank|score|tag|run|hyp|hypothes[ei]s|transcript(?:ion)?s?|predictions?)"
    r"(?:[_ ]?(?:id|ids|no|a|b))?",
    re.IGNORECASE,
)
_SEPARATOR_LINE = re.compile(r'"?sep=.?"?', re.IGNORECASE)
_CONFLICT = re.compile(r"<{7} |={7}\s*$|>{7} ")
_XML = re.compile(r"<[A-Za-z!?/]")
_OF_PYTHON = re.compile(r"[\[{]\s*'")
_NOT_FINITE = re.compile(r":\s*-?(?:NaN|Infinity)\b")
COMMENT = "#"
_LEFT_OUT = re.compile(r"(?=.*(?:…|\.\.\.))[.…,;|\s\"'\[\]]+")
_THOUGHTS = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_TABLE_ROW = re.compile(r"\|[^|]*\|[^|]*\|")
FENCE = "```"
COURTESY = re.compile(
    r"(?:sure|certainly|of course|absolutely|claro|por supuesto)[,!.]|here (?:is|are) (?:the|a|your)\b"
    r"|aquí (?:está|tienes)|let me know if\b|i hope this helps",
    re.IGNORECASE,
)
SEPARATORS = {",": Message.word("commas"), ";": Message.word("semicolons"), "|": Message.word("vertical bars")}
# Kinds of messages about a heading, about a line that wanted tabs, and about one that wanted JSON.
ABOUT_HEADING = frozenset(
    {
        "column-not-found-columns",
        "column-not-found-decimals",
        "column-not-found-either",
        "column-not-found-header",
        "column-not-found-header-did",
        "column-not-found-rename",
    }
)
WANT_TABS = frozenset(
    {
        "columns-instead-tabs-between",
        "columns-needed-tabs",
        "event-not-written-e1-tab",
        "expected-four-columns-question-tabs",
        "expected-id-tab-text",
        "expected-three-columns-question-tabs",
        "line-column-needed-id-tabs",
        "no-column-first-line-tabs",
        "no-question-id-line-tab",
        "not-valid-brat-expected-a1-tab",
        "not-valid-brat-expected-r1-tab",
        "not-valid-brat-expected-tab",
        "not-valid-brat-expected-tab-type",
        "relation-not-written-r1-tab",
        "relation-not-written-tab",
    }
)
WANT_BLANKS = frozenset({"column-instead", "columns-instead-blanks-between", "score-not-finite-number"})
WANT_JSON = frozenset(
    {
        "every-line-must-one-json",
        "expected-json-conll-columns",
        "expected-one-json-object",
        "line-must-json-object",
        "line-not-json",
        "not-json",
        "not-json-brackets-nested",
        "not-json-column",
        "not-json-every-line",
        "not-json-half-surrogate",
        "not-json-integer-too",
        "not-json-integer-too-long",
        "not-json-nested-too",
        "not-json-nested-too-deep",
        "not-json-no-json",
        "not-mat-json-document",
        "not-valid-json",
        "not-valid-json-lone",
        "not-valid-json-nested",
    }
)
_NO_ANSWERS = frozenset({"cannot-read-answers-expected"})
_OTHER_QUOTES = re.compile(r"(?:^|[\s:,])(?:[“”„«‘’]|'[^'\"]*'\s*(?:,|$))")


@dataclass(frozen=True)
class Hint:
    """Holds what the line may be."""

    words: Message  # a sentence about "it", the line
    mended: str | None = None  # the line as it might be

    @property
    def diagnosis(self) -> "Hint | None":
        """Return what stays true where the mend does not help, if anything does."""
        return Hint(self.words) if self.words.kind == "blanks-where-tabs-belong" else None


def hint_of(line: str, number: int, message: str, file: str | None = None) -> Hint | None:
    r"""Tell of a line with this number, from 1, refused with this message, what it may be; None if it looks usual.

    >>> hint_of("7 4 8;9 22 Concept vías respiratorias", 1, Message("columns-needed-tabs", "4 columns are needed"))
    Hint(words='has blanks where tabs belong', mended='7\t4 8;9 22\tConcept\tvías respiratorias')
    >>> hint_of("ID\tspans\tlabel\ttext", 1, Message("id-not-integer", "The ID is not an integer.")).words
    'looks like a heading: take it out'
    """
    line = line[:_LONGEST]
    start = line.lstrip()
    kinds = {*kinds_of(message)}
    if "heading-below" in kinds:  # which says what to do with the lines above
        return None
    if letter := _of_another_alphabet(message):
        return Hint(letter)
    if start.startswith("%PDF-"):
        return Hint(Message("begins-pdf-document-save", "begins a PDF document: save the data as plain text"))
    if start.startswith(FENCE):
        return Hint(Message("code-fence-take-out", "is a code fence, as chat programs write it: take it out"))
    if _TABLE_ROW.match(start):
        return Hint(Message("markdown-table", "is a row of a Markdown table, which is not read here"))
    if COURTESY.match(start):
        return Hint(Message("chat-courtesy-take-out", "is what a chatbot says around its answer: take it out"))
    if _LEFT_OUT.fullmatch(start):
        return Hint(Message("rows-left-out", "stands for rows that were left out: write all of them"))
    if _THOUGHTS.match(start):
        return Hint(Message("thoughts-take-out", "begins what a model thinks before it answers: take all of it out"))
    if _CONFLICT.match(line):
        return Hint(Message("conflict-of-git", "is a mark of git between two versions: keep one of them"))
    if number == 1 and _SEPARATOR_LINE.fullmatch(start.rstrip()):
        return Hint(Message("excel-separator-line", "tells Excel the separator: take it out"))
    if kinds & _NO_ANSWERS and _OTHER_QUOTES.search(line):
        return Hint(Message("other-quotes", 'has other quotation marks than "'))
    is_heading_commented = str(getattr(message, "values", {}).get("near", "")).strip("\"'").startswith(COMMENT)
    if number == 1 and start.startswith(COMMENT) and kinds & ABOUT_HEADING and not is_heading_commented:
        return Hint(Message("comment-take-out", "is a comment: take it out"))
    wants_blanks = bool(kinds & WANT_BLANKS)
    if wants_blanks and (hint := _sign_for_blanks(line)):
        return hint
    if number == 1 and _is_heading(line, by_blanks=wants_blanks) and not kinds & ABOUT_HEADING:
        return Hint(Message("looks-like-heading-take", "looks like a heading: take it out"))
    # Where brat's files are read, a line is refused for what it says.
    if _BRAT.match(line) and not (file or "").lower().endswith(".ann"):
        return Hint(
            Message("brats-format-which-not", "is in brat's format, which is not read here"), _from_brat(line, message)
        )
    wants_json = bool(kinds & WANT_JSON) or (file or "").lower().endswith((".json", ".jsonl"))
    if _OF_PYTHON.match(start) and not wants_json:
        return Hint(Message("as-python-prints", "is a list or dictionary as Python prints it, which is not read here"))
    if start[:1] in ("{", "[") and not wants_json:
        return Hint(Message("json-which-not-read", "is JSON, which is not read here"))
    if _XML.match(start) and not wants_json:
        return Hint(Message("begins-xml-html-do", "begins with <, as XML and HTML do, which are not read here"))
    if wants_json and start.startswith("{'"):
        return Hint(Message("single-quotes-where-json", "has single quotes, where JSON has double ones"))
    if wants_json and start.rstrip().endswith(("},", "],")):
        return Hint(Message("comma-at-end", "ends in a comma: take it out"))
    if wants_json and _NOT_FINITE.search(start) and "json-not-finite" not in kinds:
        return Hint(Message("not-finite-in-json", "has NaN or Infinity, which JSON does not have"))
    if kinds & _WRONG_COLUMNS and (ordered := _in_order(line)):
        return Hint(Message("columns-in-other-order", "has the columns in another order"), ordered)
    if "\t" in line or not kinds & WANT_TABS:
        return None
    return _other_separator(line)


_LONGEST_NAME = 100  # characters


def _of_another_alphabet(message: str) -> Message | None:
    """Tell of a letter that looks like the one that is meant, in a name that a message likens to another or lacks."""
    values = getattr(message, "values", {})
    names = [unquoted(values[key]) for key in ("label", "name", "key", "id") if isinstance(values.get(key), str)]
    near = unquoted(values["near"]) if isinstance(values.get("near"), str) else ""
    for name in names:
        if len(name) > _LONGEST_NAME:
            continue
        if _visible(name) != name if not near else near != name and _visible(near) == _visible(name):
            hidden = near if _visible(near) != near else name
            return Message("hidden-character", "has a character that nobody sees, in {written}", written=repr(hidden))
        latin = near or in_latin(name)
        # A column that is near is the one that was written; of a label that is near another one was.
        written, meant = (name, latin) if not near or not name.isascii() else (near, name)
        letter = strange_letter(written, meant) if latin.isascii() != name.isascii() else None
        if letter and near:
            return Message(
                "line-has-strange-letter", "has a letter that only looks right: {letter}", letter=letter.message
            )
        if letter:
            return Message(
                "letter-not-latin",
                "has a letter that is not Latin: letter {place} of {written} is {alphabet}",
                place=letter.place,
                written=repr(written),
                alphabet=letter.alphabet,
            )
    return None


def _visible(name: str) -> str:
    return "".join(filter(str.isprintable, name))


def unquoted(quoted: str) -> str:
    """Return a name that a message quotes; "" of one that it cuts."""
    try:
        name = ast.literal_eval(quoted) if quoted[:1] in "'\"" else quoted
    except (ValueError, SyntaxError):
        return ""
    return "" if str(name).endswith("…") else str(name)


def _in_order(line: str) -> str | None:
    """Return a line of eHealth-KD with its columns in their order, if it has them in another one."""
    cells = [cell.strip() for cell in line.split("\t")]
    for columns in (_PHRASE_CELLS, _RELATION_CELLS):
        for order in permutations(cells) if len(cells) == len(columns) else ():
            if all(pattern.fullmatch(cell) for pattern, cell in zip(columns, order, strict=True)):
                return "\t".join(order)
    return None


def _is_heading(line: str, *, by_blanks: bool = False) -> bool:
    cells = [cell.strip() for cell in re.split(r"[\t,;| ]+" if by_blanks else r"[\t,;|]", line.strip())]
    return len(cells) > 1 and all(_HEADING.fullmatch(cell) for cell in cells)


def _other_separator(line: str) -> Hint | None:
    for pattern, tidy in ((_BLANKS_PHRASE, True), (_BLANKS_RELATION, False)):
        if match := pattern.fullmatch(line.strip()):
            cells = list(match.groups())
            if tidy:
                cells[1] = cells[1].replace(" ; ", ";").replace("; ", ";").replace(" ;", ";")
            return Hint(Message("blanks-where-tabs-belong", "has blanks where tabs belong"), "\t".join(cells))
    for sign, name in SEPARATORS.items():
        if line.count(sign) > 1:
            return Hint(Message("separators-for-tabs", "has {separators} where tabs belong", separators=name))
    return Hint(Message("blanks-where-tabs-belong", "has blanks where tabs belong")) if " " in line.strip() else None


def _sign_for_blanks(line: str) -> Hint | None:
    """Tell of a line of a ranking that other signs stand between its columns."""
    for sign, name in SEPARATORS.items():
        if line.count(sign) > 1:
            return Hint(Message("separators-for-blanks", "has {separators} where blanks belong", separators=name))
    return None


def _from_brat(line: str, message: str) -> str | None:
    """Return the line as eHealth-KD has it, where that is wanted."""
    columns = message.values.get("names") if isinstance(message, Message) else None
    if columns == PHRASE_COLUMNS and (match := _BRAT_PHRASE.fullmatch(line)):
        number, label, spans, text = match.groups()
        return "\t".join([number, spans, label, text])
    if columns == RELATION_COLUMNS and (match := _BRAT_RELATION.fullmatch(line)):
        return "\t".join(match.groups())
    return None
