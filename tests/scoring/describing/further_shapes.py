"""Further wrong files: left-over columns, letters that look alike, objects for labels, counts that begin anew."""

import json
import re
from bisect import bisect_right

from tests.scoring.describing.shapes import (
    ANSWERED,
    LABELS,
    PHRASES,
    REFUSED,
    SEGMENTED,
    TEXTS,
    Shape,
    json_lines,
    phrases,
    spoken,
    table,
    texts,
)

WRONG: list[Shape] = []
RIGHT: list[Shape] = []


def _add(task, name, files, words, kind=REFUSED, scenario=1):
    WRONG.append(Shape(task, name, files, scenario, kind, words))


_NUMBERED = "id\tn\n" + "".join(f"{record['id']}\t{k}\n" for k, record in enumerate(TEXTS))
_add(
    "text", "a column of numbers left over", {"run.tsv": _NUMBERED}, "no column text: the first line names the columns"
)
_add("text", "one word", texts(lambda text: text.split()[0]), "have a single word", "traces")
_add("text", "numbers", texts(lambda text: str(len(text))), "have nothing but a number", "traces")
_add("text", "commas", texts(lambda text: ", ".join(text.split())), "have commas between all words", "traces")
_add("transcripts", "one word", spoken(lambda text: text.split()[0] if text else ""), "have a single word", "traces")
_WHOLE: dict[str, str] = {}
for _record in TEXTS:
    _document = _record["id"].rpartition("-")[0]
    _WHOLE[_document] = " ".join(filter(None, [_WHOLE.get(_document), _record["text"]]))
_FOR_ALL = [record | {"text": _WHOLE[record["id"].rpartition("-")[0]]} for record in TEXTS]
_add(
    "text", "the document for all", texts(str, _FOR_ALL), "In 24 of 24 documents all segments have the same", "constant"
)

for _name, _files, _words in (
    (
        "labels",
        {"run.csv": table([[name, label.replace("e", "\u0435")] for name, label in LABELS], ("id", "intent"))},
        "",
    ),
    ("a column", {"run.csv": table(LABELS, ("id", "int\u0435nt"))}, "letter 4 of"),
    ("a key", {"run.jsonl": json_lines({"id": name, "int\u0435nt": label} for name, label in LABELS)}, "letter 4 of"),
    (
        "ids",
        {"run.csv": table([["\u0442" + name[1:], label] for name, label in LABELS], ("id", "intent"))},
        "for those of another alphabet that look alike all 260 fit",
    ),
    (
        "an id",
        {"run.csv": table([["\u0442" + LABELS[0][0][1:], "ask"], *LABELS[1:]], ("id", "intent"))},
        "has a letter that is not Latin: letter 1 of",
    ),
):
    _add("labels", f"Cyrillic letters in {_name}", _files, _words or "is Cyrillic, and ")
_add(
    "ehealthkd",
    "Cyrillic letters",
    phrases(2, lambda label: label.replace("C", "\u0421")),
    "letter 1 of '\u0421oncept' is Cyrillic",
    "labels",
    2,
)
_add(
    "ehealthkd",
    "no predicate",
    phrases(2, lambda label: label.replace("Predicate", "Action")),
    "Predicate",
    "labels",
    2,
)

_OBJECTS = [{"id": name, "intent": {"label": label, "score": 0.9}} for name, label in LABELS]
_add("labels", "an object for a label", {"run.jsonl": json_lines(_OBJECTS)}, "not an object with 'label', 'score'")
_IN_CELLS = [[record["id"], json.dumps(record["intent"])] for record in _OBJECTS]
_add("labels", "an object in a cell", {"run.csv": table(_IN_CELLS, ("id", "intent"))}, "the label stands in an object")
_NAMED = {"model": "mine", "predictions": [{"id": name, "intent": label} for name, label in LABELS]}
_add("labels", "rows behind a name", {"run.json": json.dumps(_NAMED)}, "rows inside of an object")
_add(
    "labels", "values in an object", {"run.json": json.dumps({"predictions": dict(LABELS)})}, "rows inside of an object"
)
_KEYED = "".join(json.dumps({name: label}) + "\n" for name, label in LABELS)
_add("labels", "ids for keys", {"run.jsonl": _KEYED}, "an id for the only key of each line")

_PLAIN = [line.split(":")[0] for line in ANSWERED]
for _sign in ",;\t":
    _add(
        "qac",
        f"a table with {_sign!r}",
        {"run.csv": "".join(f"{name}{_sign}1881\n" for name in _PLAIN)},
        "a table without",
    )


def _in_lines(record, _):
    """Count the offsets of annotations from the beginning of their line."""
    for several in record["asets"]:
        for row in several.get("annots", []):
            begin = record["signal"].rfind("\n", 0, row[0]) + 1
            row[:2] = [row[0] - begin, row[1] - begin]
    return record


_ANEW = {path: json.dumps(_in_lines(json.loads(text), path)) for path, text in SEGMENTED.items()}
_add("mat", "offsets in paragraphs", _ANEW, "begin anew in each line or paragraph?", "offsets")


def _numbered_anew(first):
    """Return the phrases numbered from 1 in each sentence, and relations with these numbers."""
    files = dict(PHRASES)
    source, path = (next(path for path in files if f"scenario1-main/{name}" in path) for name in ("input", "output_a"))
    starts = [0, *(match.end() for match in re.finditer("\n", files[source]))]
    numbers, counts, rows = {}, {}, []
    for line in files[path].splitlines():
        name, *cells = line.split("\t")
        sentence = bisect_right(starts, int(cells[0].split()[0]))
        counts[sentence] = counts.get(sentence, 0) + 1
        numbers[name] = first(counts[sentence])
        rows.append("\t".join([numbers[name], *cells]))
    relations = path.replace("output_a", "output_b")
    joined = (line.split("\t") for line in files[relations].splitlines())
    if first(2) != first(1):
        files[relations] = "".join(f"{label}\t{numbers[one]}\t{other}\n" for label, one, other in joined)
        files[relations] = re.sub(r"\d+$", lambda match: numbers[match[0]], files[relations], flags=re.MULTILINE)
    return files | {path: "\n".join(rows) + "\n"}


_add(
    "ehealthkd",
    "numbers anew in each sentence",
    _numbered_anew(str),
    "phrases have an ID that an earlier one has",
    "ids",
)
_add("ehealthkd", "one number for all", _numbered_anew(lambda _: "1"), "461 of 462 phrases have an ID")
