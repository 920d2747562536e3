"""Further wrong files: left-over columns, letters that look alike, objects for labels, counts that begin anew."""

import json
import re
import unicodedata
from bisect import bisect_right

from tests.scoring.describing.shapes import (
    ANNOTATED,
    ANSWERED,
    CHAINS,
    LABELS,
    NUMBERS,
    PHRASES,
    RANKED,
    REFUSED,
    SEGMENTED,
    TEXTS,
    Shape,
    annotated,
    json_lines,
    phrases,
    spoken,
    table,
    texts,
)

WRONG: list[Shape] = []
RIGHT: list[Shape] = []


def _with_ids(name):
    return {"run.csv": table([[name(k), label] for k, (_, label) in enumerate(LABELS)], ("id", "intent"))}


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


_PLAIN_LABELS = [label for _, label in LABELS]
_add("labels", "a list of labels", {"run.json": json.dumps(_PLAIN_LABELS)}, "a list of values without ids")
_add("labels", "a list of pairs", {"run.json": json.dumps(LABELS)}, "a list of lists, and not of objects")
for _name, _change, _words in (
    ("with a character that nobody sees", lambda label: label + "\u200b", "a character that nobody sees, in"),
    ("full-width", lambda label: "".join(chr(ord(c) + 0xFEE0) for c in label), "is full-width, and"),
):
    _rows = [[name, _change(label)] for name, label in LABELS]
    _add("labels", f"labels {_name}", {"run.csv": table(_rows, ("id", "intent"))}, _words)
_add(
    "numbers",
    "commas between thousands",
    {"run.csv": table([[name, f"{1000 * float(value) + 1000:,.0f}"] for name, value in NUMBERS], ("id", "value"))},
    "no commas between thousands",
)
_add(
    "numbers",
    "texts in JSON",
    {"run.jsonl": json_lines({"id": name, "value": value} for name, value in NUMBERS)},
    "and not a text: take the quotes around",
)
_add("text", "as in addresses", texts(lambda text: text.replace(" ", "%20")), "a programming language writes", "traces")
_add(
    "transcripts", "a time before each", spoken(lambda text: f"00:01 {text}"), "have a time at the beginning", "traces"
)
_THREE = table([[row[0], row[2], row[4]] for row in RANKED], ("query", "document", "score"))
_add("ranking", "CSV of three columns", {"run.csv": _THREE}, "the file is CSV")
_EXCHANGED = "".join(" ".join([row[2], row[1], row[0], *row[3:]]) + "\n" for row in RANKED)
_add("ranking", "queries and documents exchanged", {"run.txt": _EXCHANGED}, "no query of the run is in the gold")
for _name, _quotes in (("curly", "“”"), ("single", "''")):
    _lines = (re.sub(r'"([^"]*)"', rf"{_quotes[0]}\1{_quotes[1]}", line) for line in ANSWERED)
    _add("qac", f"{_name} quotes", {"run.txt": "\n".join(_lines)}, "has other quotation marks than")
_add("coreference", "commas for tabs", {"run.csv": CHAINS.replace("\t", ",")}, "the file is CSV")
_ALONE = {
    path: re.sub(r"(?m)^(\S+)\t(\d+)\t\d+$", r"\1\t\2\t\2", text) if "output_b" in path else text
    for path, text in PHRASES.items()
}
_add("ehealthkd", "phrases with themselves", _ALONE, "185 of 185 relations join a phrase with itself", "direction")
_ROOTS = annotated(lambda record, _: {"heads": [*range(len(record["heads"]))]})
_add("spacy", "roots alone", _ROOTS, "words are their own heads", "constant", 2)
_SHARES = [json.loads(line) for line in ANNOTATED]
for _record in _SHARES:
    _sum = sum(_record["cats"].values())
    _record["cats"] = {label: 1 - value / _sum for label, value in _record["cats"].items()}
_add("spacy", "1 minus probabilities", {"run.jsonl": json_lines(_SHARES)}, "take each from 1?", "range", 3)


_STATEMENTS = "".join(f"INSERT INTO runs VALUES ('{name}', '{label}');\n" for name, label in LABELS)
_ARRAY = json.dumps([{"id": name, "intent": label} for name, label in LABELS])
for _name, _files, _words in (
    ("statements of SQL", {"run.csv": _STATEMENTS}, "statements of SQL"),
    ("lists in lines", {"run.jsonl": "".join(f"{json.dumps(row)}\n" for row in LABELS)}, "a list on each line"),
    ("a comma too many", {"run.json": f"{_ARRAY[:-1]},]"}, "a comma before the end, where nothing follows"),
    ("an end that is lost", {"run.json": _ARRAY[:-300]}, "breaks off before its end"),
):
    _add("labels", _name, _files, _words)
_ROWS = json_lines({"qid": row[0], "pid": row[2], "s": row[4]} for row in RANKED)
_add("ranking", "an object for each document", {"run.jsonl": _ROWS}, "each line is an object with 'qid', 'pid', 's'")


def _of_one_character(record):
    for several in record["asets"]:
        for row in several.get("annots", []):
            row[1] = row[0] + 1
    return record


_FIRST = {path: json.dumps(_of_one_character(json.loads(text))) for path, text in SEGMENTED.items()}
_add("mat", "one character each", _FIRST, "are a single character", "offsets")

# What programs and people leave in answers, in place of rows, or instead of a file.
_add("labels", "dots for rows", {"run.csv": table(LABELS[:9], ("id", "intent")) + "...\n"}, "rows that were left out")
_add(
    "labels", "a mark inside", {"run.csv": table(LABELS, ("id", "intent")).replace("t130", "\ufefft130")}, "nobody sees"
)
_add("labels", "NaN", {"run.json": _ARRAY.replace('"ask"', "NaN", 1)}, "not JSON: it has NaN, which JSON does not have")
_add("labels", "ids from 0", _with_ids(lambda k: f"t{k:03}"), "are yours counted from 0, and the task's from 1?")
_add("labels", "places from 0", _with_ids(str), "with 1 added to each number")
_add("labels", "signs in ids", _with_ids(lambda k: f"T-{k + 1:03}"), "with the task's signs between all 260 fit")
_add("labels", "wide digits", _with_ids(lambda k: f"t{k + 1:03}".replace("0", "\uff10")), "that look alike all")
_SCORES = json.dumps({"macro_f1": 0.81, "accuracy": 0.83})
_SPLIT = json.dumps({"columns": ["id", "intent"], "index": [0, 1], "data": LABELS})
_AWAY = '{"message": "Not Found", "documentation_url": "https://example.org", "status": 404}'
_REPORT = (
    "              precision    recall  f1-score   support\n\n         ask       0.76      0.81      0.78        21\n"
)
_TREEBANK = "".join(f"{k}\tword\t_\t_\tNN\t_\t1\tdep\t_\t_\n" for k in range(1, 9))
for _task, _name, _files, _words in (
    ("labels", "scores", {"scores.json": _SCORES}, "the file is scores, and not what a system answers"),
    ("labels", "a report of scores", {"run.txt": _REPORT}, "the file is scores, and not what a system answers"),
    ("labels", "columns of pandas", {"run.json": _SPLIT}, "JSON column by column"),
    ("labels", "an answer of a server", {"run.json": _AWAY}, "what a server answers instead of a file"),
    ("spacy", "a treebank", {"run.conllu": f"# id = a\n{_TREEBANK}"}, "the file is CoNLL-U"),
):
    _add(_task, _name, _files, _words)
for _name, _change, _words in (
    ("from 0 to 50", lambda value: 10 * value, "divide them by 10?"),
    ("degrees", lambda value: 36 * value, "bring them to the task's scale"),
    ("from 1 to 6", lambda value: round(value) + 1, "subtract 1 from each?"),
):
    _changed = [[name, _change(float(value))] for name, value in NUMBERS]
    _add("numbers", _name, {"run.csv": table(_changed, ("id", "value"))}, _words, "range", 2)
for _name, _change, _words in (
    ("a model's thoughts", "Okay, the user wants plain words. {}".format, "a model's reasoning"),
    ("twice without a blank", "{0}{0}".format, "all of it twice"),
    ("first letters lost", lambda text: text[1:], "a small letter at the beginning"),
):
    _add("text", _name, texts(_change), _words, "traces")
_add("transcripts", "a score behind a blank", spoken("{} 0.93".format), "what a program writes beside a text", "traces")
_add("text", "read wrongly", texts("{} Caf\u00c3\u00a9".format), 'probably "\u2026', "encoding")
_REFUSED = re.sub(r'"[^"]*"', '"No answer"', "".join(f"{line}\n" for line in ANSWERED[::3]))
_UNKNOWN = {"run.txt": _REFUSED + "".join(f"{line}\n" for k, line in enumerate(ANSWERED) if k % 3)}
_add("qac", "no answer in words", _UNKNOWN, "a word that stands for nothing", "traces")
_add(
    "ranking",
    "heads cut",
    {"run.txt": "".join(" ".join(row) + "\n" for row in RANKED if int(row[3]) > 30)},
    "rank 1",
    "partial",
)
_FIRST_WORDS = annotated(lambda record, _: {"heads": [0] * len(record["words"])})
_add("spacy", "one head", _FIRST_WORDS, "the one head of nearly all words", "constant", 2)
_APART = {path: unicodedata.normalize("NFD", text) if "input" in path else text for path, text in PHRASES.items()}
_add("ehealthkd", "accents apart in the input", _APART, "(NFD) left out of your count?", "offsets")

# Right files that look like some of these.
_TIMED = [each | {"text": "10:30 is the time." if k == 3 else each["text"]} for k, each in enumerate(TEXTS)]
_SOFT = [json.loads(line) for line in ANNOTATED]
for _record in _SOFT:
    _sum = sum(_record["cats"].values())
    _record["cats"] = {label: value / _sum for label, value in _record["cats"].items()}
_FROM_1000 = {
    path: re.sub(
        r"(?m)^\d+(?=\t)" if "output_a" in path else r"(?<=\t)\d+",
        lambda match: str(int(match[0]) + 1000),
        text,
    )
    if "output" in path
    else text
    for path, text in PHRASES.items()
}
RIGHT += [
    Shape(
        "text",
        "a few like thoughts",
        texts(str, [e | {"text": "Okay, so far."} if k == 3 else e for k, e in enumerate(TEXTS)]),
    ),
    Shape(
        "numbers",
        "whole numbers from 1 to 5",
        {"run.csv": table([[name, max(1, round(float(value)))] for name, value in NUMBERS], ("id", "value"))},
        2,
    ),
    Shape(
        "ranking",
        "ranks from 0",
        {"run.txt": "".join(" ".join([*r[:3], str(int(r[3]) - 1), *r[4:]]) + "\n" for r in RANKED)},
    ),
    Shape("text", "a text with a time", texts(str, _TIMED)),
    Shape("text", "texts of three words", texts(lambda text: " ".join(text.split()[:3]))),
    Shape(
        "text",
        "one text for two segments",
        texts(str, [e | {"text": TEXTS[k // 2 * 2]["text"]} for k, e in enumerate(TEXTS)]),
    ),
    Shape("transcripts", "one word for a half", spoken(lambda text: text.split()[0] if len(text) % 2 else text)),
    Shape("spacy", "shares of categories", {"run.jsonl": json_lines(_SOFT)}, 3),
    Shape("ehealthkd", "numbers from 1000", _FROM_1000),
    Shape(
        "labels",
        "further columns",
        {"run.csv": table([[*row, 0.5, "a, b"] for row in LABELS], ("id", "intent", "p", "text"))},
    ),
    Shape(
        "numbers",
        "whole numbers",
        {"run.csv": table([[name, round(float(value))] for name, value in NUMBERS], ("id", "value"))},
    ),
    Shape("ranking", "in another order", {"run.txt": "".join(" ".join(row) + "\n" for row in RANKED[::-1])}),
]
