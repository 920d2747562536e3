"""An item, or the items of a group: which labels of the gold a run gives, and which others."""

from collections.abc import Iterator

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import OFF, RIGHT, Annotation, Layer, Outcome, Record, with_distinct_keys
from evalsite.wording import score, signed


def layers(record: Record) -> list[Layer]:
    """Return a layer for each item, with what people read of it."""
    return [
        Layer(item["id"], "", list(with_distinct_keys(_outcomes(item, record["task"]))), list(_facts(item)))
        for item in record["items"]
    ]


def _facts(item: Record) -> Iterator[tuple[str, str]]:
    yield from ((column, text) for column, text in item["texts"] if text)
    if item["slice"]:
        yield gettext("Slice"), item["slice"]


def _outcomes(item: Record, task: str) -> Iterator[Outcome]:
    """Yield every label of a set, or the one label; then shares, and the second label."""
    if task == "multi":
        yield from _of_set(item)
    else:
        yield _first(item, is_ranked=task == "ranked")
    yield from _shares(item)
    if second := item["second"]:
        column, label = second["column"], second["system"]
        annotation = Annotation(column, label) if label else None
        kind, title = _verdict(second["right"])
        yield Outcome("second", kind, title, Annotation(column, second["gold"]), annotation, annotation)


def _verdict(is_right: bool) -> tuple[str, str]:
    return (RIGHT, gettext("Right")) if is_right else ("missing", gettext("Wrong"))


def _first(item: Record, *, is_ranked: bool) -> Outcome:
    """Return the outcome of the one label, or of the first guess with those behind it."""
    kind, title = _verdict(item["correct"])
    rank = next((rank for rank, guess in enumerate(item["system"], start=1) if guess["right"]), 1)
    if item["missing"]:
        title = gettext("Not in the run")
    elif is_ranked and rank > 1:
        title = gettext("Found at %(rank)s") % {"rank": rank}
    guesses = [guess["label"] for guess in item["system"]]
    numbered = ", ".join(f"{place}. {label}" for place, label in enumerate(guesses, start=1))
    credit = "" if item["credit"] is None else score(item["credit"])
    annotation = Annotation(credit, numbered if is_ranked else guesses[0]) if guesses else None
    credits = [f"{row['label']} {score(row['credit'])}" for row in item["credits"]]
    return Outcome("label", kind, title, Annotation("", ", ".join(credits or item["gold"])), annotation, annotation)


def _shares(item: Record) -> Iterator[Outcome]:
    """Yield what each label has on both sides, and how far the run's share is off."""
    for row in item["shares"]:
        gold, system = (Annotation(score(row[side]), row["label"]) for side in ("gold", "system"))
        kind = RIGHT if row["gold"] == row["system"] else OFF
        if not item["missing"]:
            yield Outcome(("share", row["label"]), kind, signed(row["system"] - row["gold"]), gold, system, system)
        else:
            yield Outcome(("share", row["label"]), "missing", gettext("Not in the run"), gold, None)


def _of_set(item: Record) -> Iterator[Outcome]:
    absent = gettext("Not in the run") if item["missing"] else gettext("Missing")
    if item["missing"] and not item["gold"]:
        yield Outcome("row", "missing", absent, None, None)
    labels = dict.fromkeys(row["label"] for row in item["system"])
    golds = set(item["gold"])
    for label in item["gold"]:
        is_found = label in labels
        title = gettext("Found") if is_found else absent
        annotation = Annotation("", label)
        yield Outcome(
            ("label", label), RIGHT if is_found else "missing", title, annotation, annotation if is_found else None
        )
    for label in labels:
        if label not in golds:
            yield Outcome(("label", label), "spurious", gettext("Spurious"), None, Annotation("", label))
