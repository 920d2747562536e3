"""An item, or the items of a group: which labels of the gold a run gives, and which others."""

from collections.abc import Iterator

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record, with_distinct_keys


def layers(record: Record) -> list[Layer]:
    """Return a layer for each item."""
    return [
        Layer(_title(item), "", list(with_distinct_keys(_outcomes(item, record["task"])))) for item in record["items"]
    ]


def _title(item: Record) -> str:
    """Return the id, and the first of the columns that people read."""
    text = next((text for _, text in item["texts"] if text), "")
    return f"{item['id']}: {text}" if text else str(item["id"])


def _outcomes(item: Record, task: str) -> Iterator[Outcome]:
    """Yield every label of a set; of one label, or of ranked guesses, the gold's with the run's first one."""
    if task == "multi":
        yield from _of_set(item)
        return
    first = item["system"][0] if item["system"] else None
    said = Annotation(first["label"], "") if first else None
    is_right = item["correct"]
    kind, title = (RIGHT, gettext("Right")) if is_right else ("missing", gettext("Wrong"))
    if item["missing"]:
        title = gettext("Not in the run")
    gold = Annotation(first["label"] if is_right and first else ", ".join(item["gold"]), "")
    yield Outcome("label", kind, title, gold, said, said)


def _of_set(item: Record) -> Iterator[Outcome]:
    said = dict.fromkeys(row["label"] for row in item["system"])
    known = set(item["gold"])
    for label in item["gold"]:
        is_found = label in said
        title = gettext("Found") if is_found else gettext("Missing")
        own = Annotation(label, "")
        yield Outcome(("label", label), RIGHT if is_found else "missing", title, own, own if is_found else None)
    for label in said:
        if label not in known:
            yield Outcome(("label", label), "spurious", gettext("Spurious"), None, Annotation(label, ""))
