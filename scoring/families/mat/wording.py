"""What people read: how an upload is laid out, the titles of scores, and an example in the chosen format."""

import json
import re

from scoring.families.mat.scores import SCHEMAS
from scoring.family import Options, Use
from scoring.readers.mat import read_task

# Shown to participants where they upload; the formats are those of scoring/readers/mat/.
USES = (
    Use(
        "labelled-spans",
        "Labelled spans in documents",
        "Systems mark passages of documents, which may nest and cross, and give each a label.",
    ),
)

LAYOUT = """\
A folder or a zip archive with one file for each document of the gold, under the same name unless the
task says otherwise; a single document may be uploaded as it is.
mat-json: {"signal": TEXT, "asets": [{"type": LABEL, "annots": [[START, END], ...]}, ...]}, in UTF-8.
START and END count the characters of the text from 0, and END is the first one behind the span.
xml-inline: the text as XML, in which an element <LABEL>...</LABEL> is a span; without DOCTYPE.
brat: NAME.ann with lines T1, tab, LABEL START END, tab, the words; NAME.txt with the text may be left out.
raw: the text alone, without annotations.
The text must be the gold's, character by character.
"""

# For organisers.
GOLD_LAYOUT = """\
A file for each document with its text and all its spans, in a folder or a zip archive; written as in a run.
Which labels are scored, the scenario's options say, or the metadata of mat-json: "content_annotations": ["PER"].
Files of brat need their texts beside them: NAME.txt for NAME.ann.
Where tokens are marked, with the label lex unless the options name another, there are scores by token as well.
"""

_PLAIN_TITLES = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "macro_precision": "Macro precision",
    "macro_recall": "Macro recall",
    "macro_f1": "Macro F1",
    "token_precision": "Precision, tokens",
    "token_recall": "Recall, tokens",
    "token_f1": "F1, tokens",
    "tag_sensitive_accuracy": "Accuracy of tokens and their tags",
    "tag_sensitive_error_rate": "Error rate of tokens and their tags",
    "tag_blind_accuracy": "Accuracy of tokens, whatever their tags",
    "tag_blind_error_rate": "Error rate of tokens, whatever their tags",
}
# What has to agree in two spans that are compared, in few words.
_SCHEMA_TITLES = {
    "strict": "same label and extent",
    "exact": "same extent",
    "partial": "half for an overlap",
    "type": "same label, any overlap",
}


def score_titles() -> dict[str, str]:
    """A title for each score, in the order in which they are shown."""
    by_schema = {
        f"{schema}_{name}": f"{title}, {_SCHEMA_TITLES[schema]}"
        for schema in SCHEMAS
        for name, title in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"))
    }
    return _PLAIN_TITLES | by_schema


def unit(options: Options) -> tuple[str, str]:
    """What a row of counts stands for, in singular and plural."""
    return "document", "documents"


# The example: one document of four words, of which the first and the third are spans.
_NAME = "report-1"
_ENDINGS = {"mat-json": ".json", "xml-inline": ".xml", "raw": ".txt", "brat": ".ann"}
_TEXT = "Mirelle left Gorloin."
_WORDS = ((0, 7), (8, 12), (13, 20), (20, 21))
_SPANS = (_WORDS[0], _WORDS[2])
# A label that needs no escaping in any format: it is the name of an XML element, and one word in BRAT's lines.
_PLAIN_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


def example(options: Options) -> dict[str, bytes]:
    """One document with two spans of a label that counts, as {path: content} of an upload."""
    content, token = _labels(options)
    format_ = options["system_format"]
    # A name from which the task's suffix can be taken off, so that the example fits the gold's naming.
    name = _NAME + (options["suffix_off"] or _ENDINGS[format_])
    if format_ == "mat-json":
        return {name: _json(content, token).encode()}
    if format_ == "xml-inline":
        return {name: _xml(content, token).encode()}
    if format_ == "raw":
        return {name: _TEXT.encode()}
    # Of BRAT, files with another ending are no documents.
    stem = name.removesuffix(".ann")
    return {f"{stem}.ann": _brat(content).encode(), f"{stem}.txt": _TEXT.encode()}


def _labels(options: Options) -> tuple[str, str]:
    """A label of content and one of tokens that these options score; with common names where they leave it open."""
    content, tokens = options["content_annotations"] or (), options["token_annotations"] or ()
    if options["task_file"]:
        task = read_task(options["task_file"], options["task"])
        content, tokens = task.content or content, task.tokens or tokens
    plain = [next(filter(_PLAIN_LABEL.fullmatch, labels), None) for labels in (content, tokens)]
    return plain[0] or "PER", plain[1] or "lex"


def _json(content: str, token: str) -> str:
    """A mat-json document; its metadata make it a gold, too, that needs no list of labels."""
    sets = [{"type": token, "annots": _WORDS}, {"type": content, "annots": _SPANS}]
    metadata = {"content_annotations": [content]}
    return json.dumps({"version": 2, "metadata": metadata, "signal": _TEXT, "asets": sets})


def _xml(content: str, token: str) -> str:
    """The words as token elements, and the spans as content elements around them."""
    words = []
    for start, end in _WORDS:
        word = f"<{token}>{_TEXT[start:end]}</{token}>"
        words.append(f"<{content}>{word}</{content}>" if (start, end) in _SPANS else word)
    first, second, third, stop = words
    return f"<doc>{first} {second} {third}{stop}</doc>\n"


def _brat(content: str) -> str:
    """The lines of an .ann file; BRAT has no tokens."""
    lines = [f"T{n}\t{content} {start} {end}\t{_TEXT[start:end]}\n" for n, (start, end) in enumerate(_SPANS, start=1)]
    return "".join(lines)
