"""A question, or the questions of a series: which answers were found at which rank, and what else was put out."""

from collections.abc import Iterator

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record, with_distinct_keys


def layers(record: Record) -> list[Layer]:
    """Return a layer for each scored question."""
    return [
        Layer(_title(question), "", list(with_distinct_keys(_outcomes(question)))) for question in record["questions"]
    ]


def _title(question: Record) -> str:
    return f"{question['question']}: {question['text']}" if question["text"] else str(question["question"])


def _outcomes(question: Record) -> Iterator[Outcome]:
    if question["no_answer"]:
        is_right = not question["system"]
        annotation = Annotation("", gettext("no answer"))
        kind, title = (RIGHT, gettext("Right")) if is_right else ("missing", gettext("Wrong"))
        yield Outcome("no answer", kind, title, annotation, annotation if is_right else None)
    for answer in question["gold"]:
        number = answer["number"]
        met = next((row for row in question["system"] if row["correct"] and row["number"] == number), None)
        kind = RIGHT if met else "missing"
        title = gettext("Found at %(rank)s") % {"rank": met["rank"]} if met else gettext("Not found")
        gold = Annotation(str(number), answer["wordings"][0]["answer"])
        yield Outcome(("answer", number), kind, title, gold, _output(met) if met else None)
    for row in question["system"]:
        if not row["correct"]:
            title = gettext("Wrong, at %(rank)s") % {"rank": row["rank"]}
            yield Outcome(("output", row["answer"]), "spurious", title, None, _output(row))


def _output(row: Record) -> Annotation:
    return Annotation("", row["answer"])
