"""Files that look odd and mean what they say."""

import json
import re

from tests.scoring.describing.shapes import (
    ANNOTATED,
    ANSWERED,
    CHAINS,
    LABELS,
    MARKS,
    NUMBERS,
    PHRASES,
    RANKED,
    SEGMENTED,
    SPOKEN,
    SUBJECTS,
    TEXTS,
    Shape,
    annotated,
    chains,
    json_lines,
    ranked,
    spoken,
    table,
    texts,
)

RIGHT: list[Shape] = []


def _add(task, name, files, scenario=1):
    found = files if isinstance(files, dict) else {"run.csv": files}
    RIGHT.append(Shape(task, name, found, scenario))


_INTENTS = ("id", "intent")
_add("labels", "as it is", table(LABELS, _INTENTS))
_add("labels", "mark and ends of Windows", "\ufeff" + table(LABELS, _INTENTS).replace("\n", "\r\n"))
_add("labels", "all between quotes", "\n".join(f'"{name}","{label}"' for name, label in [_INTENTS, *LABELS]))
_add("labels", "turned upside down", table(LABELS[::-1], _INTENTS))
_add("labels", "sorted by label", table(sorted(LABELS, key=lambda row: row[1]), _INTENTS))
_add("labels", "with an index of pandas", table([[k, *row] for k, row in enumerate(LABELS)], ("", *_INTENTS)))
_add("labels", "columns the other way round", table([row[::-1] for row in LABELS], _INTENTS[::-1]))
_add("labels", "blank lines at the end", table(LABELS, _INTENTS) + "\n\n\n")
_add("labels", "blanks around labels", table([[name, f" {label} "] for name, label in LABELS], _INTENTS))
_add("labels", "one label a line", {"run.txt": "".join(f"{label}\n" for _, label in LABELS)})
_add("labels", "named as Windows shows it", {"run.csv.txt": table(LABELS, _INTENTS)})
_RECORDS = json_lines({"intent": label, "id": name, "p": 0.5} for name, label in LABELS)
_add("labels", "JSON Lines with more keys", {"run.jsonl": _RECORDS})
_add(
    "labels",
    "a few labels hardly used",
    table([[row[0], "ask"] if k % 40 else row for k, row in enumerate(LABELS)], _INTENTS),
)
_add(
    "labels",
    "subjects of few",
    table([row if k % 3 else [row[0], ""] for k, row in enumerate(SUBJECTS)], ("id", "subjects")),
    2,
)

_VALUES = ("id", "value")
_add("numbers", "as they are", table(NUMBERS, _VALUES))
_add("numbers", "in powers of ten", table([[name, f"{float(value):.3e}"] for name, value in NUMBERS], _VALUES))
_add("numbers", "with a plus", table([[name, f"+{value}"] for name, value in NUMBERS], _VALUES))
_add("numbers", "whole numbers", table([[name, round(float(value))] for name, value in NUMBERS], _VALUES))
_add("numbers", "sorted as rows", table(sorted(NUMBERS, key=lambda row: float(row[1])), _VALUES))
_add(
    "numbers",
    "a little beyond the scale",
    table([[name, float(value) * 1.1 - 0.2] for name, value in NUMBERS], _VALUES),
)
_add("numbers", "close to their mean", table([[name, 2 + float(value) / 5] for name, value in NUMBERS], _VALUES))
_add(
    "numbers",
    "three outliers",
    table([[row[0], 40] if k in (3, 90, 91) else row for k, row in enumerate(NUMBERS)], _VALUES),
)
_add("numbers", "by chance", table([[name, 37 * k % 101 / 20.2] for k, (name, _) in enumerate(NUMBERS)], _VALUES))
_add("judgements", "as they are", table(MARKS, ("unit", "score")))
_add("judgements", "low marks", table([[name, float(mark) / 4] for name, mark in MARKS], ("unit", "score")))

_add("text", "as it is", texts(str))
_add("text", "some between quotes", texts(lambda text: f'"{text}"' if len(text) % 4 == 0 else text))
_add("text", "talk", texts(lambda text: f'"{text}" said she, "or {len(text)}."'))
_add("text", "an ampersand", texts(lambda text: f"{text} Reeds & Co, Q&A; <3 {len(text)}"))
_add("text", "dashes and dots", texts(lambda text: f"{text} … – — [sic] (see {len(text)})"))
_add("text", "one courtesy", texts(lambda text: "Here is the list: " + text if text == TEXTS[3]["text"] else text))
_add(
    "text", "Here at the beginning of some", texts(lambda text: "Here we are. " + text if len(text) % 5 == 0 else text)
)
_add("text", "hashes and stars", texts(lambda text: f"{text} C# ## * @home @ {len(text)}"))
_add("text", "lines inside", texts(lambda text: text.replace(". ", ".\n")))
_add("text", "one that is empty", texts(lambda text: "" if text == TEXTS[7]["text"] else text))
_add("text", "plain lines", {"run.hyp": "".join(each["text"].replace("\n", " ") + "\r\n" for each in TEXTS)})
_add("text", "JSON Lines named as Windows shows it", {"run.jsonl.txt": texts(str)["run.jsonl"]})
_add("text", "numbers first in some", texts(lambda text: f"12. {text}" if len(text) % 3 == 0 else text))

_add("transcripts", "as they are", spoken(str))
_add("transcripts", "in capitals", spoken(str.upper))
_add("transcripts", "with filled pauses", spoken(lambda text: f"uh {text} um"))
_add("transcripts", "with digits and times", spoken(lambda text: f"{text} at 17:20 on line {len(text)}"))
_add("transcripts", "some unheard", spoken(lambda text: text if len(text) % 6 else ""))
_KALDI = "".join(f"{name} {text}\n" for name, text in SPOKEN)
_add("transcripts", "as in Kaldi", {"text": _KALDI})
_add("transcripts", "as in trn", {"run.trn": "".join(f"{text} ({name})\n" for name, text in SPOKEN)})

_add("ranking", "as it is", ranked(list))
_add("ranking", "with tabs", {"run.txt": "".join("\t".join(row) + "\n" for row in RANKED)})
_add("ranking", "negative scores", ranked(lambda row: [*row[:4], str(float(row[4]) - 100), row[5]]))
_add("ranking", "turned upside down", {"run.txt": "".join(" ".join(row) + "\n" for row in RANKED[::-1])})
_add("ranking", "few documents of each", ranked(lambda row: row if int(row[3]) <= 3 else None))
_add("ranking", "some queries without any", ranked(lambda row: row if int(row[0][2:]) % 6 else None))

_add("qac", "as they are", {"run.txt": "\n".join(ANSWERED)})
_add("qac", "comments and blank lines", {"run.txt": "# ours\n\n" + "\n\n".join(ANSWERED)})
_add(
    "qac",
    "some unanswered",
    {"run.txt": "\n".join(line if k % 5 else line.split(":")[0] for k, line in enumerate(ANSWERED))},
)
_add(
    "qac",
    "years alone",
    {
        "run.txt": "\n".join(
            re.sub(r'"[^"]*"', lambda found: f'"{1700 + len(found[0]) * 7}"', line) for line in ANSWERED
        )
    },
)
_add(
    "qac",
    "with articles and dots",
    {"run.txt": "\n".join(re.sub(r'"([^"]*)"', r'"the \1."', line) for line in ANSWERED)},
)

_add("coreference", "as they are", {"run.conll": CHAINS})
_add("coreference", "blanks for tabs", {"run.conll": re.sub(r"\t", "   ", CHAINS)})
_add("coreference", "other numbers", chains(lambda cell: re.sub(r"\d+", lambda found: f"{int(found[0]) + 40}", cell)))
_add("spacy", "as it is", annotated(lambda record, _: {}))
_add("spacy", "one list", {"run.json": "[" + ",\n".join(ANNOTATED) + "]"})
_add("spacy", "turned upside down", {"run.jsonl": "\n".join(ANNOTATED[::-1])})
_add("spacy", "documents without entities", annotated(lambda record, k: {"ents": record["ents"] if k % 5 else []}))
_add(
    "spacy",
    "sure values",
    annotated(lambda record, _: {"cats": {label: round(value) for label, value in record["cats"].items()}}),
    3,
)
_add("ehealthkd", "as it is", PHRASES, 2)
_add(
    "ehealthkd",
    "mark of Windows",
    {path: "\ufeff" + text if "output" in path else text for path, text in PHRASES.items()},
    2,
)
_add(
    "ehealthkd",
    "turned upside down",
    {path: "\n".join(text.splitlines()[::-1]) if "output_a" in path else text for path, text in PHRASES.items()},
    2,
)
_add("ehealthkd", "other scenarios beside", PHRASES, 3)
_add("mat", "as it is", SEGMENTED)
_add("mat", "indented", {path: json.dumps(json.loads(text), indent=2) for path, text in SEGMENTED.items()})
_add("mat", "in another order", dict(reversed(SEGMENTED.items())))
