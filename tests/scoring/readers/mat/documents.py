"""Makes what the tests of MAT's readers share: options, small documents, both sides read."""

import json

import pytest

from scoring.errors import SubmissionError
from scoring.readers.archive import open_files
from scoring.readers.mat import read_gold, read_system

SIGNAL = "Mirelle left Gorloin harbour."
DEFAULTS = {
    "pairing": "1.2",
    "content_annotations": ("PER", "LOC"),
    "token_annotations": ("lex",),
    "task_file": None,
    "task_in": None,
    "task": None,
    "gold_format": "mat-json",
    "system_format": "mat-json",
    "gold_xml_overlay": False,
    "system_xml_overlay": False,
    "gold_xml_translate_all": False,
    "system_xml_translate_all": False,
    "system_pattern": None,
    "suffix_off": "",
    "suffix_on": "",
    "missing_documents": "error",
    "extra_documents": "error",
    "tokens": "gold",
    "offset_unit": "code_points",
    "discontinuous": "error",
    "structures": None,
    "columns": None,
    "text_column": None,
    "header": True,
    "quotes": True,
    "confidence_data": False,
    "details": True,
}


def options(**chosen):
    return DEFAULTS | chosen


def annotation_set(name, *rows, **more):
    return {"type": name, "annots": [list(row) for row in rows], **more}


def document(*sets, signal=SIGNAL, **more):
    return {"version": 2, "signal": signal, "asets": list(sets), **more}


def content_of(value):
    """Bytes as they are, a text in UTF-8, anything else as JSON."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def side(files):
    return {name: content_of(value) for name, value in sorted(files.items())}


def gold_of(files, **chosen):
    return read_gold(side(files), options(**chosen))


def system_of(files, gold=None, **chosen):
    gold = {"a.json": document()} if gold is None else gold
    return read_system(side(files), gold_of(gold, **chosen), options(**chosen))


def spans_of(side):
    """(document, label, start, end) of each span."""
    spans = side.spans
    labels = [side.labels[code] for code in spans.label.tolist()]
    return list(zip(spans.document.tolist(), labels, spans.start.tolist(), spans.end.tolist(), strict=True))


def tokens_of(side):
    tokens = side.tokens
    return list(zip(tokens.document.tolist(), tokens.start.tolist(), tokens.end.tolist(), strict=True))


def problems_of(read, *arguments, **chosen):
    """(file, line, column, message) of all problems."""
    with pytest.raises(SubmissionError) as caught:
        read(*arguments, **chosen)
    return [(problem.file, problem.line, problem.column, problem.message) for problem in caught.value.problems]


def messages_of(read, *arguments, **chosen):
    return [message for *_, message in problems_of(read, *arguments, **chosen)]


def opened(folder, files):
    for name, content in side(files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return open_files(folder)
