"""Tells what a file is that no reader could read: by its first bytes, or by the shape of its first lines.

It is asked after a refusal alone, so a format that a family reads is never taken for another one.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from scoring.findings import Finding
from scoring.messages import Message, kinds_of
from scoring.readers.archive.names import base_name
from scoring.readers.hints import ABOUT_HEADING, WANT_JSON

_BEGINNING = 2**14  # bytes
_LINES = 40  # at the beginning
_SHARE = 0.8  # of these lines that have a shape
_FEWEST = 2
_MOST_FILES = 200
_SHOWN = 60  # characters of a line of an example

_PICTURE = Message.word("a picture")
_PDF = Message.word("a PDF document")
_PICKLE = Message.word("a pickle of Python")
_NUMPY = Message.word("an array of NumPy")
_PARQUET = Message.word("a Parquet file")
_PROGRAM = Message.word("a program")
_SOUND = Message.word("a sound recording")
_R = Message.word("data of R")
_CSV = Message.word("CSV")
_UTF_32 = Message("file-utf-32-save", "the file is UTF-32: save it as UTF-8")
_BY_BYTES: Sequence[tuple[bytes, Message]] = (
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF8", _PICTURE),
    (b"%PDF-", _PDF),
    *((bytes([0x80, protocol]), _PICKLE) for protocol in range(2, 6)),
    (b"\x93NUMPY", _NUMPY),
    (b"PAR1", _PARQUET),
    (b"\x89HDF", Message.word("an HDF5 file")),
    (b"SQLite format 3", Message.word("a database of SQLite")),
    (b"ARROW1", Message.word("an Arrow file")),
    (b"\x1f\x8b", Message.word("a file compressed by gzip")),
    (b"7z\xbc\xaf\x27\x1c", Message.word("a 7-Zip archive")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Message.word("an old Excel file, or another document of an old Office")),
    (b"MATLAB 5.0 MAT-file", Message.word("data of MATLAB")),
    (b"RDX", _R),
    (b"RDA", _R),
    (b"MZ\x90", _PROGRAM),
    (b"\x7fELF", _PROGRAM),
    (b"\xca\xfe\xba\xbe", _PROGRAM),
    *((beginning, _SOUND) for beginning in (b"ID3\x03", b"ID3\x04", b"RIFF", b"OggS", b"fLaC")),
    (b"\x00\x05\x16\x07", Message.word("what macOS keeps beside a file (its own name has no ._)")),
    (b"\xff\xfe\x00\x00", _UTF_32),
    (b"\x00\x00\xfe\xff", _UTF_32),
)
_REFUSAL = Message.word("what a server answers instead of a file")
_SCORES = Message.word("scores, and not what a system answers")
_BY_START: Sequence[tuple[re.Pattern[str], Message]] = (
    (re.compile(r"WEBVTT\b"), Message.word("WebVTT, subtitles with times")),
    (re.compile(r"\d+\s*\n\d\d:\d\d:\d\d[,.]\d+ --> "), Message.word("SRT, subtitles with times")),
    (re.compile(r"(?i)<!doctype html|<html\b|<table\b"), Message.word("a web page")),
    (re.compile(r"https?://\S+\s*\Z"), Message.word("an address of the web, and not what stands there")),
    (re.compile(r"\d{3}:? (?:Not Found|Forbidden|Unauthorized|Internal Server Error)\b"), _REFUSAL),
    (
        re.compile(r'\{\s*"(?:detail|error|message)":\s*"[^"]*"\s*(?:,\s*"[^"]*":\s*(?:"[^"]*"|\d+)\s*){0,3}\}\s*\Z'),
        _REFUSAL,
    ),
    (re.compile(r"\s*precision\s+recall\s+f1-score\s+support\b"), _SCORES),
    (re.compile(r"<(?:tstset|refset|srcset|mteval)\b"), Message.word("SGML of mteval, segments between tags")),
    (re.compile(r"diff --git |--- \S.*\n\+\+\+ \S"), Message.word("the differences of two files, as diff prints them")),
    (re.compile(r"(?:<\?xml[^>]*>\s*)?<xmi:XMI\b"), Message.word("XMI, annotations in XML")),
    (re.compile(r"version https://git-lfs"), Message.word("a pointer of Git LFS, and not the file that it stands for")),
    (re.compile(r"(?i)(?:insert into|create table)\b"), Message.word("statements of SQL")),
    (re.compile(r"\{\\rtf"), Message.word("RTF, formatted text")),
    (re.compile(r"\\(?:begin|documentclass)\b"), Message.word("LaTeX")),
    (re.compile(r"(?i)@relation\b"), Message.word("ARFF, the format of Weka")),
    (re.compile(r'File type = "ooTextFile'), Message.word("a TextGrid of Praat")),
    (re.compile(r"Traceback \(most recent call last\)"), Message.word("the error message of a program")),
    (re.compile(r"(?:<\?xml[^>]*>\s*)?<TEI\b"), Message.word("TEI, texts in XML")),
    (
        re.compile(r'(?s)\{\s*"text":.*"segments":\s*\[|\{\s*"segments":\s*\[\s*\{'),
        Message.word("what Whisper writes, text with times"),
    ),
    (re.compile(r"\[InternetShortcut\]"), Message.word("a link to a page")),
    (re.compile(r'\{\s*"cells": \['), Message.word("a notebook of Jupyter")),
    (
        re.compile(r'\{\s*(?:"version":\s*"[^"]*",\s*)?"data":\s*\[\s*\{\s*"(?:title|paragraphs)"'),
        Message.word("a data set of SQuAD, and not what a system answers"),
    ),
)
# Told only where such problems are: other formats begin so, too.
_OTHER_DOCUMENTS = frozenset({"document-not-in-gold", "no-gold-document-name", "one-file-for-all"})
_NO_CONLL = frozenset({"text-outside-document", "no-document-file", "cannot-read-conll-cell"})
_OTHER_LINES = frozenset({"lines-instead"})
_OTHER_KEYS = frozenset(
    {
        *(
            "must-string-integer",
            "must-be-string-or-integer",
            "must-string",
            "must-number",
            "no-id-string-integer",
            "no-id",
        ),
        *("no-key-object", "no-key-object-did", "key-missing-rename", "must-string-not-object"),
    }
)
_NO_TABLE = ABOUT_HEADING | {
    *("cell-not-number", "unknown-label", "unknown-label-did-you", "unknown-label-listed"),
}
_NO_RANKING = frozenset(
    {"more-columns-blanks", "column-instead", "columns-instead-blanks-between", "score-not-finite-number"}
)
_OF_ANNOTATIONS = frozenset(
    {"unknown-key", "no-id", "spans-must-object-keys", "line-must-json-object", "must-list-start-end"}
)
_BY_START_AND_KIND: Sequence[tuple[re.Pattern[str], Message, frozenset[str]]] = (
    (re.compile(r"#\s*(?:newdoc|global\.Entity|sent_id|text)\b"), Message.word("CorefUD"), _NO_CONLL),
    (re.compile(r"#\s*(?:newdoc|sent_id|text)\b"), Message.word("CoNLL-U"), WANT_JSON),
    (
        re.compile(r"#FORMAT=WebAnno"),
        Message.word("WebAnno's columns, as INCEpTION exports them"),
        _OTHER_DOCUMENTS | WANT_JSON,
    ),
    (
        re.compile(r'<(?:div|figure|mark|span|svg)\b[^>]*class="(?:entities|entity|displacy)'),
        Message.word("a picture of displaCy"),
        WANT_JSON,
    ),
    (
        re.compile(r'(?s)\[?\s*\{.*"annotations":\s*\[\s*\{.*"result":'),
        Message.word("an export of Label Studio"),
        _OF_ANNOTATIONS,
    ),
    (
        re.compile(r'\[?\s*\{[^\n]*"(?:entity_group|entity)":\s*"'),
        Message.word("what a pipeline of Transformers gives"),
        _OF_ANNOTATIONS,
    ),
    (
        re.compile(r'\[?\s*\{[^\n]*"(?:ner_)?(?:tags|labels)":\s*\[\s*(?:"(?:O|[BIESLU]-[^"]+)"|\d+)\s*[,\]]'),
        Message.word("words with a tag each, as data sets of Hugging Face have them"),
        frozenset({"unknown-key", "no-id", "tokens-must-be-objects"}),
    ),
    (
        re.compile(r'\[?\s*\{[^\n]*"spans":\s*\[\s*\{[^\n]*"start":'),
        Message.word("an export of Prodigy"),
        _OF_ANNOTATIONS,
    ),
    (
        re.compile(r'\[?\s*\{[^\n]*"(?:labels?|entities)":\s*\[\s*\[\s*\d+,\s*\d+,\s*"'),
        Message.word("an export of Doccano"),
        _OF_ANNOTATIONS,
    ),
    (
        re.compile(r'[\[(\s]*["\'](?:[^"\\]|\\.)*["\'],\s*\{\s*["\']entities["\']'),
        Message.word("training data of spaCy 2"),
        _OF_ANNOTATIONS | WANT_JSON,
    ),
    (re.compile(r"[\[{]"), Message.word("JSON"), _NO_CONLL | {"no-question-id-line"}),
    (
        re.compile(r'(?s)\{\s*"(?:signal|asets|metadata|version)".*"(?:asets|signal)"'),
        Message.word("MAT's JSON"),
        frozenset({"no-id", "key-missing-rename", "no-key-object"}),
    ),
    (re.compile(r"<\?xml\b"), Message.word("an XML file"), _OTHER_DOCUMENTS | WANT_JSON | _OTHER_LINES),
    (re.compile(r"\[\s*['\"]"), Message.word("a list as Python prints it"), _OTHER_LINES),
    (re.compile(r'\[\s*\{|\{\s*"'), Message.word("JSON with other keys than are read here"), _NO_RANKING),
    (re.compile(r'\{\s*"\w*(?:accuracy|f1|precision|recall|loss)\w*":\s*-?[\d.]+\s*[,}]'), _SCORES, _OTHER_KEYS),
    (
        re.compile(
            r'(?s)\{\s*"(?:columns":\s*\[[^\[\]{}]*\],\s*"(?:index|data)":|schema":\s*\{\s*"fields":'
            r'|[^"]+":\s*(?:\{\s*"0":|\[[^\[\]{}]{100,}\],\s*"[^"]+":\s*\[))(?!.*\n\{)'
        ),
        Message.word('JSON column by column (write a row as an object; in pandas orient="records")'),
        _OTHER_KEYS,
    ),
    (
        # A list behind single values such as a model's name, or an object of many values that is the only one.
        re.compile(
            r'(?s)\{\s*+(?:"[^"]*+"\s*+:\s*+(?:"[^"]*+"|[\w.+-]++)\s*+,\s*+)*+"[^"]+":\s*'
            r'(?:\[(?:\s*\{|[^\[\]{}]{100})|\{(?:\s*+"[^"]*+"\s*+:\s*+(?:"[^"]*+"|[\w.+-]++)\s*+,){10})(?!.*\n\{)'
        ),
        Message.word("JSON with its rows inside of an object (write the rows alone)"),
        _OTHER_KEYS,
    ),
    (
        re.compile(r"\{\s*\n"),
        Message.word("JSON with an object on several lines (write each one on a single line)"),
        WANT_JSON,
    ),
    (
        re.compile(r"(?:(?:[^\n\\]|\\(?!n))*+\\n){2}[^\n]*+\Z|(?:[^\n,;\t]*+[,;\t]){50}[^\n]*+\Z"),
        Message.word("a table on a single line (its line ends were lost)"),
        ABOUT_HEADING,
    ),
    (
        re.compile(r'\[\s*(?:"(?:[^"\\]|\\.)*+"|[-+.\w]++)\s*,'),
        Message.word("a list of values without ids"),
        frozenset({"line-must-json-object"}),
    ),
    (re.compile(r"\[[^\n]*\][ \t]*\n\s*\["), Message.word("a list on each line, and not an object"), WANT_JSON),
    (re.compile(r"\[\s*\["), Message.word("a list of lists, and not of objects"), frozenset({"line-must-json-object"})),
    (re.compile(r"- \w+: "), Message.word("YAML"), frozenset({"unknown-file-ending-expected"})),
)
_NO_ANSWERS = frozenset({"cannot-read-answers-expected"})
_TIME = r"\d+(?:\.\d+)?"
_BY_LINES: Sequence[tuple[re.Pattern[str], Message, frozenset[str]]] = (
    (re.compile(r"[\d.-]+\t\S+(?:\t[^\t]*){8}|# .*"), Message.word("CoNLL-U"), WANT_JSON),
    (
        re.compile(r'\{\s*"([^"]+)":\s*(?:"[^"]*"|[^\s{}\[\],"]+)\s*\}'),
        Message.word("JSON with an id for the only key of each line"),
        _OTHER_KEYS,
    ),
    # An utterance a line, and a word a line, each with its times.
    (
        re.compile(rf"\S+ \S+ \S+ {_TIME} {_TIME} (?:<[^>]*> )?\S.*| *;;.*"),
        Message.word("STM, utterances with times"),
        _OTHER_LINES,
    ),
    (
        re.compile(rf"\S+ \S+ {_TIME} {_TIME} \S+(?: \S+)?| *;;.*"),
        Message.word("CTM, a word a line with times"),
        _OTHER_LINES,
    ),
    (
        re.compile(r"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*\t.*|[REAMN#]\d+\t.*|\*\t.*"),
        Message.word("brat's format"),
        _OTHER_DOCUMENTS | WANT_JSON,
    ),
    (
        re.compile(r"\S+[ \t](?:.*[ \t])?(?:O|[BIESLU]-\S+)"),
        Message.word("CoNLL's columns, a word a line with its label"),
        WANT_JSON | _OTHER_DOCUMENTS,
    ),
    (
        re.compile(r"[^\t]+\t\d+\t\d+"),
        Message.word("relations, and not phrases"),
        frozenset({"columns-needed-tabs"}),
    ),
    (
        re.compile(r"\d+\t\d+ \d+(?:;\d+ \d+)*\t[^\t]+\t.*"),
        Message.word("phrases, and not relations"),
        frozenset({"columns-needed-tabs"}),
    ),
    (
        re.compile(r"\S+\s+Q0\s+\S+\s+\d+\s+\S+(?:\s+\S+)?"),
        Message.word("a ranking of documents, as of TREC"),
        _NO_ANSWERS,
    ),
    (
        re.compile(r"\S+\t(?:\?|\d+)\t.*|[^\s,;:|\"]+"),
        Message.word("questions with their gold answers, and not what a system answers"),
        _NO_ANSWERS,
    ),
    (
        re.compile(r"([^\s,;:|\"]+)\s*[,;|\t]\s*[^\s\"].*"),
        Message.word("a table without quotes around the answers"),
        _NO_ANSWERS,
    ),
    (
        re.compile(r"[^\s,;{\[<]+(?:[,;][^\s,;]*){1,4}"),
        _CSV,
        frozenset({"column-instead"}),
    ),
    (
        re.compile(r"[^\s,;{\[<][^,;{\[<]*(?:[,;][^,;]*){2,}"),
        _CSV,
        WANT_JSON | _NO_CONLL | _OTHER_DOCUMENTS,
    ),
    (
        re.compile(r"(?:\d+)?\s{2,}\S+(?:\s{2,}\S+)+"),
        Message.word("a table as pandas prints it (to_csv writes one)"),
        ABOUT_HEADING,
    ),
    (
        re.compile(r"[“”„'‘’«][^,;\t]*[”“’'»](?:[,;\t][“”„'‘’«][^,;\t]*[”“’'»])+"),
        Message.word('CSV with other quotation marks than " around its cells'),
        ABOUT_HEADING,
    ),
    (
        re.compile(r"(?:[-*•] +|\d+[.)] +)?([^\s,;:=|\"]+)(?: ?[:=] ?| +)[^\s,;:=|\"][^,;:=|\t\"]*"),
        Message.word("lines of an id and a value without a table's heading and separators"),
        _NO_TABLE,
    ),
    (
        re.compile(r"(?:\S+:? )?\[?[\w.-]+\]?(?: ?> ?\[?[\w.-]+\]?)+"),
        Message.word("orders such as [2] > [1], and not documents with scores"),
        _NO_RANKING,
    ),
    (
        re.compile(r"[STHDP]-\d+\t.*"),
        Message.word("what fairseq prints (what is wanted stands in its lines D-… and H-…)"),
        _OTHER_LINES,
    ),
    (re.compile(r"\d+ \|\|\| .*"), Message.word("a list of Moses with several texts for a segment"), _OTHER_LINES),
    (
        re.compile(r'"[^",]+[,;][^"]*"'),
        Message.word("CSV with quotes around whole lines, as of one column"),
        frozenset({"column-not-found-header", "column-not-found-header-did"}),
    ),
    (
        re.compile(r"\S+\s+\S+\s+\S+\s+-?\d+"),
        Message.word("qrels, judgements of documents, and no ranking of a system"),
        frozenset({"columns-instead-blanks-between"}),
    ),
)


def recognised(
    problems: Sequence[Finding], files: Mapping[str, bytes], example: Callable[[], Mapping[str, bytes]]
) -> list[Finding]:
    """Return the problems, those of a file that is something else as one that says what it is and what is wanted.

    `example` makes files of a run, of which the first line of one is shown.
    """
    natures: dict[str | None, Finding] = {}
    for path in list(dict.fromkeys(problem.file for problem in problems if problem.file in files))[:_MOST_FILES]:
        kinds = {kind for problem in problems if problem.file == path for kind in kinds_of(problem.message)}
        nature = nature_of(files[path], kinds) if path is not None else None
        if nature is None:
            continue
        of_run = example()
        if nature is _CSV and any(name.endswith((".csv", ".tsv")) for name in of_run):
            continue  # where tables are read, the ending is wrong
        alike = _like(path, of_run)
        if nature not in {nature_of(content, kinds, 1) for content in alike.values()}:
            natures[path] = Finding(nature if nature is _UTF_32 else _nature_beside(nature, alike), path)
    if 2 * len(natures) >= len(files):
        return [*natures.values()]  # what else is wrong follows from it
    kept = [problem for problem in problems if problem.file not in natures]
    return [*natures.values(), *kept] if natures else list(problems)


def _like(path: str | None, example: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return of the files of a run that which has this name, if there is one; else all."""
    name = base_name(path or "")
    alike = {other: content for other, content in example.items() if base_name(other) == name}
    return alike or example


def nature_of(content: bytes, kinds: Iterable[str] = (), fewest: int = _FEWEST) -> Message | None:
    r"""Return what a file is; None if it looks like data.

    `kinds` are those of its problems, and `fewest` the lines that tell a shape.

    >>> nature_of(b"\x89PNG\r\n"), nature_of(b"WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n"), nature_of(b"id,label\n")
    ('a picture', 'WebVTT, subtitles with times', None)
    """
    start = content[:_BEGINNING]
    for beginning, nature in _BY_BYTES:
        if start.startswith(beginning):
            return nature
    text = start.decode(errors="replace").lstrip("\ufeff \r\n\t").replace("\r\n", "\n").replace("\r", "\n")
    for pattern, nature in _BY_START:
        if pattern.match(text):
            return nature
    for pattern, nature, wanted in _BY_START_AND_KIND:
        if wanted.intersection(kinds) and pattern.match(text):
            return nature
    lines = [line for line in text.split("\n")[:_LINES] if line.strip()]
    for shape, nature, wanted in _BY_LINES:
        matches = [*filter(None, map(shape.fullmatch, lines))] if wanted.intersection(kinds) else []
        least = max(fewest, _SHARE * len(lines))
        # What a shape has in parentheses is an id, another one in each line.
        n_ids = len({match[1] for match in matches}) if shape.groups else len(matches)
        if min(len(matches), n_ids) >= least:
            return nature
    return None


def _nature_beside(nature: Message, example: Mapping[str, bytes]) -> Message:
    path, content = next(iter(example.items()))
    lines = content.decode(errors="replace").splitlines()
    line = next((line for line in lines if not line.startswith("# ")), "")
    values = {"nature": nature, "path": path.rpartition("/")[2], "line": line[:_SHOWN].replace("\t", "⇥")}
    if len(line) < _FEWEST:
        return Message("is-of-other-kind", "the file is {nature}; this task wants files such as {path}", **values)
    return Message(
        "is-of-other-kind-line",
        "the file is {nature}; this task wants files such as {path}, which begins with {line}",
        **values,
    )
