"""Spans, trees, entities and answers as other programs write and count them, and right files that look odd."""

import json
import re
import unicodedata

from tests.scoring.describing.shapes import (
    ANNOTATED,
    ANSWERED,
    CHAINS,
    PHRASES,
    REFUSED,
    SEGMENTED,
    Shape,
    annotated,
    chains,
    json_lines,
    of_types,
    phrases,
    run_of,
    segmented,
)

WRONG: list[Shape] = []
RIGHT: list[Shape] = []
_RECORDS = [json.loads(line) for line in ANNOTATED]


def _add(task, name, files, words, kind=REFUSED, scenario=1):
    WRONG.append(Shape(task, name, files, scenario, kind, words))


def _characters(record):
    starts, at = [], 0
    for word, space in zip(record["words"], record["spaces"], strict=True):
        starts.append((at, at + len(word)))
        at += len(word) + space
    return [[starts[start][0], starts[end - 1][1], label] for start, end, label in record["ents"]]


def _text(record):
    return "".join(word + " " * space for word, space in zip(record["words"], record["spaces"], strict=True))


def _tags(record):
    tags = ["O"] * len(record["words"])
    for start, end, label in record["ents"]:
        tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return tags


def _objects(record):
    return [{"start": start, "end": end, "label": label} for start, end, label in _characters(record)]


for _name, _make, _words in (
    ("Prodigy", lambda record: {"text": _text(record), "spans": _objects(record)}, "an export of Prodigy"),
    ("Doccano", lambda record: {"text": _text(record), "label": _characters(record)}, "an export of Doccano"),
    (
        "Hugging Face",
        lambda record: {"id": record["id"], "tokens": record["words"], "ner_tags": _tags(record)},
        "words with a tag each",
    ),
    ("spaCy 2", lambda record: [_text(record), {"entities": _characters(record)}], "training data of spaCy 2"),
    (
        "a pipeline",
        lambda record: {"id": record["id"], "entities": [{"entity_group": "LINE", "start": 1, "end": 2}]},
        "a pipeline of Transformers",
    ),
):
    _add("spacy", _name, {"run.jsonl": json_lines(map(_make, _RECORDS))}, _words)
_STUDIO = [{"id": 1, "data": {"text": "a"}, "annotations": [{"result": [{"value": {"start": 0}}]}]}]
_add("spacy", "Label Studio", {"run.json": json.dumps(_STUDIO)}, "an export of Label Studio")
_add("spacy", "displaCy", {"run.html": '<div class="entities">A</div>'}, "a picture of displaCy")
_add("spacy", "CoNLL-U", {"run.conllu": "# newdoc id = a\n1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n"}, "is CoNLL-U")
_add("spacy", "CSV", {"run.csv": "id,start,end,label\n" + "a,1,2,LINE\n" * 9}, "is CSV")
_add("spacy", "characters", annotated(lambda record, _: {"ents": _characters(record)}), "look counted in characters")
_LENGTHS = annotated(lambda record, _: {"ents": [[start, end - start, label] for start, end, label in record["ents"]]})
_add("spacy", "lengths", _LENGTHS, "is the second number a length?")
_SPLIT = {
    "run.jsonl": json_lines({"id": record["id"], "words": _text(record).split(), "ents": []} for record in _RECORDS)
}
_add("spacy", "words between blanks", _SPLIT, "where the task has")
for _name, _move, _words in (
    ("from 1", lambda place, head: head + 1, "are they counted from 1?"),
    ("from 1, a root at 0", lambda place, head: 0 if head == place else head + 1, "are they counted from 1?"),
    ("a root at -1", lambda place, head: -1 if head == place else head, "does -1 stand for none?"),
    ("relative", lambda place, head: head - place, "are they counted from each token?"),
):
    _add(
        "spacy",
        f"heads {_name}",
        annotated(
            lambda record, _, move=_move: {"heads": [move(place, head) for place, head in enumerate(record["heads"])]}
        ),
        _words,
        scenario=2,
    )


_add("coreference", "square brackets", {"run.conll": CHAINS.replace("(", "[").replace("[report", "(report")}, "write -")
_add("coreference", "stars", {"run.conll": re.sub(r"\t-$", "\t*", CHAINS, flags=re.MULTILINE)}, "write - for no")
_ADDED = re.sub(r"\t([^\t\n]+)$", r"\t\1\t_", CHAINS, flags=re.MULTILINE)
_add("coreference", "a column more", {"run.conll": _ADDED}, "before the last column", "unread")
_add("coreference", "CSV", {"run.csv": "doc,start,end,entity\n" + "a,1,2,3\n" * 9}, "is CSV")


_SERIES = [line for line in run_of("qac", 5).splitlines() if line and not line.startswith("#")]


def _renamed(change, lines=ANSWERED):
    return {"run.txt": "".join(re.sub(r"^[\w-]+", lambda name: change(name[0]), line) + "\n" for line in lines)}


_add("qac", "ids of two parts", _renamed(lambda name: name[:-3]), "such as SAR2-")
_RANKED = "".join(f"{line.split(':')[0]} Q0 SE0001 1 0.5 run\n" for line in ANSWERED)
_add("qac", "TREC", {"run.txt": _RANKED}, "a ranking of documents, as of TREC")
_KEY = "".join(f"{line.split(':')[0]}\t1\tan answer\tSE0001\n" for line in ANSWERED)
_add("qac", "the gold", {"run.txt": _KEY}, "questions with their gold answers")


def _marked(change):
    """Change each row of annotations that are no tokens."""

    def changed(record, _):
        text = record["signal"]
        asets = [
            one
            if one["type"] == "lex"
            else one | {"annots": [[*change(text, *row[:2]), *row[2:]] for row in one["annots"]]}
            for one in record["asets"]
        ]
        return record | {"asets": asets}

    return segmented(changed)


def _in_words(text, start, end):
    return len(text[:start].split()), len(text[:end].split())


_add("mat", "tokens", _marked(_in_words), "do your offsets count tokens?", "offsets")
_add("mat", "lengths", _marked(lambda _, start, end: (start, end - start)), "is the second number a length?")
_FEEDS = _marked(lambda text, start, end: (start + text[:start].count("\n"), end + text[:end].count("\n")))
_add("mat", "line ends of two", _FEEDS, "do your line ends count as two characters (CRLF)?")
_BEHIND = _marked(lambda text, start, end: (max(0, start - 14), max(1, end - 14)))
_add("mat", "without the heading", _BEHIND, "add 14 to all offsets", "offsets")
_add("mat", "no text", segmented(lambda record, _: record | {"signal": ""}), "the signal is empty")
_add(
    "mat",
    "one line end",
    segmented(lambda record, _: record | {"signal": record["signal"].replace("\n\n", "\n")}),
    "where the task has",
)
_MISNAMED = segmented(lambda record, _: {"signal": record["signal"], "annotations": record["asets"]})
_add("mat", "annotations elsewhere", _MISNAMED, 'has "asets"', "unread")
_add("mat", "one file", {"run.jsonl": "".join(text + "\n" for text in SEGMENTED.values())}, "a file for each of its 64")
_add(
    "mat",
    "other labels",
    segmented(of_types({"PERSON": "PER", "PLACE": "LOC", "ORGANISATION": "ORG"})),
    "PERSON, PLACE",
    "labels",
)
_WEBANNO = {name.replace(".json", ".tsv"): "#FORMAT=WebAnno TSV 3.3\n\n#Text=a\n1-1\t0-1\ta\t_\n" for name in SEGMENTED}
_add("mat", "WebAnno", _WEBANNO, "WebAnno's columns")


_INPUT = next(text for path, text in PHRASES.items() if path.endswith("input_scenario2.txt"))


def _counted(count):
    """Offsets that say how much stands before them."""
    return phrases(1, lambda spans: re.sub(r"\d+", lambda at: str(count(_INPUT[: int(at[0])])), spans))


for _name, _count, _words in (
    ("bytes", lambda before: len(before.encode()), "are your offsets bytes of UTF-8?"),
    ("accents apart", lambda before: len(unicodedata.normalize("NFD", before)), "(NFD)"),
    ("line ends of two", lambda before: len(before) + before.count("\n"), "(CRLF)"),
):
    _add("ehealthkd", _name, _counted(_count), _words, scenario=2)
_add("ehealthkd", "tokens", _counted(lambda before: len(before.split())), "count tokens?", "offsets", 2)
_TO_LENGTHS = phrases(1, lambda spans: re.sub(r"(\d+) (\d+)", lambda at: f"{at[1]} {int(at[2]) - int(at[1])}", spans))
_add("ehealthkd", "lengths", _TO_LENGTHS, "are the second numbers lengths?", "offsets", 2)
_TURNED = {
    path: re.sub(r"^(\d+)\t([^\t]+)\t([^\t]+)", r"\1\t\3\t\2", text, flags=re.MULTILINE) if "output_a" in path else text
    for path, text in PHRASES.items()
}
_add("ehealthkd", "labels before spans", _TURNED, "has the columns in another order", scenario=2)
_SWAPPED = {
    path.replace("output_a", "OUT").replace("output_b", "output_a").replace("OUT", "output_b"): text
    for path, text in PHRASES.items()
}
_add("ehealthkd", "files exchanged", _SWAPPED, "is relations, and not phrases")


def _right(task, name, files, scenario=1):
    RIGHT.append(Shape(task, name, files, scenario))


_right("coreference", "parts", {"run.conll": re.sub(r"(#begin document \(.*\);)", r"\1 part 000", CHAINS)})
_right("mat", "names in capitals", {path.upper(): text for path, text in SEGMENTED.items()})
_SMALL_ENDING = {path.upper().replace(".TXT", ".txt"): text for path, text in PHRASES.items()}
_right("ehealthkd", "names in capitals", _SMALL_ENDING)
_right("qac", "questions that open series", {"run.txt": "".join(f"{line}\n" for line in _SERIES)}, 3)
_TWICE = {f"{folder}/{path}": text for folder in ("1", "2") for path, text in SEGMENTED.items()}
_right("mat", "a folder for each scenario", _TWICE)
_ALONE = json_lines({"id": record["id"], "ents": _characters(record)} for record in _RECORDS)
_right("spacy", "entities alone", {"run.jsonl": _ALONE})
_FURTHER = chains(lambda cell: re.sub(r"\d+", lambda number: f"1{number[0]}", cell))
_right("coreference", "other numbers of entities", _FURTHER)
