"""A whole evaluation in small: questions about a made-up valley, their answers, and a run that misses some."""

import json
import re

from scoring.family import Options, Specimen

# A question of a series in each paragraph; of an answer its wordings, and the article that says so. The run's answers
# stand behind the sign >, the likeliest first.
_SERIES = """\
Which river runs through the Alder valley? = the Lorn / Lorn @ A-01 > Lorn @ A-01
How long is it? = 84 km / 84 kilometres @ A-01 > 84 km @ A-01, 48 km @ A-02
Where does it rise? = Lake Wen @ A-02 > Mount Tor @ A-03, Lake Wen @ A-02

Which towns lie in the valley? = Harl @ A-01; Brennick @ A-04 > Harl @ A-01
What is the older one known for? = bells / church bells @ A-05 > bells @ A-05
When was it founded? = 1142 / in 1142 @ A-05 > 1421 @ A-05

Who drew the first map of the valley? = Ilse Marn / Marn @ A-06 > Ilse Marn @ A-06
In which year? = 1603 @ A-06 > 1603 @ A-06
Where is the map kept? = > Harl @ A-04

Which birds nest at Lake Wen? = grebes @ A-07; black terns / terns @ A-07 > grebes @ A-07, terns @ A-07
When do they leave? = in September / September @ A-07 > September @ A-07
Who counts them? = the Alder Society / Alder Society @ A-08 >
"""


# Passage, and its questions: answers behind =, the prediction behind >.
_PASSAGES = """\
The Lorn rises at Lake Wen and runs for 84 km to Harl, the oldest town of the Alder valley.
Where does the Lorn rise? = at Lake Wen / Lake Wen > Lake Wen
How long is the Lorn? = 84 km > for 84 km to Harl
Who named the Lorn? = > Harl

Ilse Marn drew the first map of the valley in 1603, and was paid with a barrel of honey.
Who drew the first map? = Ilse Marn / Marn > Marn
In which year? = 1603 / in 1603 > in 1603
What was she paid? = a barrel of honey >
How large is the map? = >
"""


def specimen(options: Options) -> Specimen:
    if options["format"] == "squad":
        return _of_passages()
    if options["format"] == "trec":
        return _of_patterns(options)
    gold, run = [], []
    for series, paragraph in enumerate(_SERIES.strip().split("\n\n"), start=1):
        for number, line in enumerate(paragraph.splitlines(), start=1):
            question = f"QAC1-{1000 + series}-{number:02d}"
            text, answers, found = re.split(r" ?= ?| ?> ?", line)
            gold += [f"{question}\t?\t{text}\n", *_gold_lines(question, answers)]
            run.append(_run_line(question, found))
    return Specimen(
        gold={"gold.tsv": "".join(gold).encode(options["gold_encoding"])},
        run={"run.txt": "".join(run).encode(options["encoding"])},
    )


def _gold_lines(question: str, answers: str) -> list[str]:
    """A line for each wording of each answer; the ID alone where there is none."""
    lines = []
    for number, answer in enumerate(filter(None, answers.split("; ")), start=1):
        wordings, article = _parts(answer)
        lines += [f"{question}\t{number}\t{wording}\t{article}\n" for wording in wordings.split(" / ")]
    return lines or [f"{question}\n"]


def _run_line(question: str, found: str) -> str:
    parts = [_parts(answer) for answer in filter(None, found.split(", "))]
    said = ", ".join(f'"{text}", {article}' for text, article in parts)
    return f"{question}: {said}\n" if said else f"{question}\n"


def _parts(answer: str) -> tuple[str, str]:
    text, _, article = answer.partition(" @ ")
    return text, article


def _of_passages() -> Specimen:
    paragraphs, predictions = [], {}
    for number, paragraph in enumerate(_PASSAGES.strip().split("\n\n"), start=1):
        passage, *lines = paragraph.splitlines()
        asked = []
        for place, line in enumerate(lines, start=1):
            question = f"alder-{number}-{place}"
            words, answers, predictions[question] = re.split(r" ?= ?| ?> ?", line)
            texts = list(filter(None, answers.split(" / ")))
            found = [{"text": text, "answer_start": passage.index(text)} for text in texts]
            asked.append({"id": question, "question": words, "answers": found, "is_impossible": not found})
        paragraphs.append({"context": passage, "qas": asked})
    gold = {"version": "v2.0", "data": [{"title": "Alder valley", "paragraphs": paragraphs}]}
    return Specimen(
        gold={"gold.json": json.dumps(gold, ensure_ascii=False, indent=1).encode()},
        run={"predictions.json": json.dumps(predictions, ensure_ascii=False, indent=1).encode()},
    )


def _of_patterns(options: Options) -> Specimen:
    """The questions of the series with a pattern for each answer; a wording that is part of another stands for both."""
    gold, run = [], []
    for series, paragraph in enumerate(_SERIES.strip().split("\n\n"), start=1):
        for number, line in enumerate(paragraph.splitlines(), start=1):
            question = f"{series}.{number}"
            _, answers, found = re.split(r" ?= ?| ?> ?", line)
            own = [_parts(answer) for answer in filter(None, answers.split("; "))]
            gold += [f"{question} {min(text.split(' / '), key=len)}\tALDER2026-{at}\n" for text, at in own]
            said = [_parts(answer) for answer in filter(None, found.split(", "))]
            gold += [] if own else [f"{question} NIL\n"]
            run += [f"{question} example ALDER2026-{at} {text}\n" for text, at in said] or [f"{question} example NIL\n"]
    return Specimen(
        gold={"gold.txt": "".join(gold).encode(options["gold_encoding"])},
        run={"run.txt": "".join(run).encode(options["encoding"])},
    )
