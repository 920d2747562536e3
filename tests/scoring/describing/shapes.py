"""Good runs of the demo's tasks as rows and records, and how they are written to files again."""

import csv
import io
import json
import re
from dataclasses import dataclass
from functools import cache

from demo.plan import read_task

REFUSED = "refused"
_PHASE = "test"


@dataclass(frozen=True)
class Shape:
    task: str
    name: str  # what has happened to the file
    files: dict[str, str]
    scenario: int = 1
    kind: str = ""  # of the oddity
    words: str = ""  # of what is said

    def __str__(self) -> str:
        return f"{self.task}-{self.name}".replace(" ", "-")


@cache
def run_of(task: str, number: int) -> str | dict[str, str]:
    """Return the text of a run of a demo task, or its texts by their paths."""
    plan = read_task(task)
    file = plan.file_of(plan.runs(_PHASE)[number], _PHASE)
    return file.texts() if file.name.endswith(".zip") else file.content.decode()


def gold_of(task: str, scenario: int):
    return read_task(task).gold(_PHASE, scenario)


def table(rows, head=None, sign=","):
    written = io.StringIO()
    csv.writer(written, delimiter=sign, lineterminator="\n").writerows([head, *rows] if head else rows)
    return written.getvalue()


def json_lines(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


_LABELLED = list(csv.reader(io.StringIO(run_of("labels", 1))))[1:]
LABELS = [row[:2] for row in _LABELLED]
SUBJECTS = [[row[0], row[2]] for row in _LABELLED]
NUMBERS = list(csv.reader(io.StringIO(run_of("numbers", 1))))[1:]
MARKS = [
    [line.split(",")[0], f"{40 + 7 * k % 55}.5"]
    for k, line in enumerate(gold_of("judgements", 1).content.decode().splitlines()[1:])
]
TEXTS = list(map(json.loads, run_of("text", 1).splitlines()))
SPOKEN = [line.split("\t")[:2] for line in run_of("transcripts", 1).splitlines()[1:]]
RANKED = [line.split() for line in run_of("ranking", 0).splitlines()]
ANSWERED = [line for line in run_of("qac", 3).splitlines() if line and not line.startswith("#")]
CHAINS = run_of("coreference", 2)
ANNOTATED = run_of("spacy", 2).splitlines()
PHRASES = run_of("ehealthkd", 2)
SEGMENTED = run_of("mat", 2)


def texts(change, given=TEXTS):
    return {"run.jsonl": json_lines({"id": each["id"], "text": change(each["text"])} for each in given)}


def spoken(change, spell=str):
    lines = (f"{spell(name)}\t{change(text)}\n" for name, text in SPOKEN)
    return {"run.tsv": "id\ttext\n" + "".join(lines)}


def answers(change):
    lines = (
        re.sub(r'"([^"]*)"', lambda found: json.dumps(change(found[1]), ensure_ascii=False), line) for line in ANSWERED
    )
    return {"run.txt": "".join(f"{line}\n" for line in lines)}


def ranked(change, file="run.txt"):
    return {file: "".join(" ".join(changed) + "\n" for row in RANKED if (changed := change(row)))}


def chains(change):
    """Change the last column of each line that has a mention."""
    return {"run.conll": re.sub(r"\t([(|)\d]+)$", lambda found: "\t" + change(found[1]), CHAINS, flags=re.MULTILINE)}


def annotated(change, number=None):
    records = map(json.loads, ANNOTATED)
    return {"run.jsonl": json_lines(record | change(record, k) for k, record in enumerate(records))}


def moved(by):
    return lambda record, _: {"ents": [[start + by, end + by, label] for start, end, label in record["ents"]]}


def valued(change):
    return lambda record, _: {"cats": {label: change(value) for label, value in record["cats"].items()}}


def phrases(column, change, scenario=2):
    files = dict(PHRASES)
    for path in files:
        if "output_a" in path:
            rows = (line.split("\t") for line in files[path].splitlines())
            changed = ([*row[:column], change(row[column]), *row[column + 1 :]] for row in rows)
            files[path] = "".join("\t".join(row) + "\n" for row in changed)
    return files


def segmented(change):
    return {path: json.dumps(change(json.loads(text), k)) for k, (path, text) in enumerate(SEGMENTED.items())}


def of_types(names):
    return lambda record, _: (
        record | {"asets": [each | {"type": names.get(each["type"], each["type"])} for each in record["asets"]]}
    )
