"""The site's answers, for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from scoring.display.causes import causes_text
from scoring.display.printable import one_line
from scoring.display.tables import aligned
from scoring.scale import Scale
from scoring.score import titled

Answer = Mapping[str, Any]


def state_lines(run: Answer) -> Iterator[str]:
    """Yield the lines of a run, scenario by scenario: its scores with intervals, or its state."""
    for part in run["scenarios"]:
        state = "waiting for the judge" if part.get("awaits_judge") else part["state"]
        state = "waiting for gold" if part.get("awaits_gold") else state
        yield one_line(f"Scenario {part['scenario']}, {part['name']}: {state}")
        if part["scores"]:
            yield indent(aligned(_scores(part)), "  ")
        if part["state"] == "scored" and not part["scores"]:
            yield "  Scores are shown when the results are released."
        if part["state"] == "failed":
            yield one_line(f"  We could not score it. Write to the organisers, and quote {part['reference']}.")
    yield one_line(str(run["address"]))


def _scores(part: Answer) -> list[tuple[str, str]]:
    return [
        (
            titled(score["title"], lower_is_better=score.get("lower_is_better", False)),
            _scale(score.get("scale")).text(score["value"], _interval(score["interval"])),
        )
        for score in part["scores"]
    ]


def _scale(given: Answer | None) -> Scale:
    """Return how a score is said; as a share where the site does not tell."""
    return Scale(decimals=given["decimals"], is_percent=given["is_percent"]) if given else Scale()


def _interval(given: Sequence[float] | None) -> tuple[float, float] | None:
    return (given[0], given[1]) if given else None


def refusal_text(run: Answer) -> str:
    """Return why scenarios of the run were refused, each cause once."""
    return causes_text(cause | {"scenario_name": part["name"]} for part in run["scenarios"] for cause in part["causes"])


def steps(run: Answer) -> tuple[float, str]:
    """Return how far it is, from 0 to 1, and what is being done."""
    order = {"queued": 0.0, "reading": 0.25, "matching": 0.5, "intervals": 0.75}
    parts = run["scenarios"]
    shares = [order.get(part["step"] or part["state"], 0.1 if part["state"] == "running" else 1.0) for part in parts]
    now = next((part["step"] or part["state"] for part in parts if part["state"] in ("queued", "running")), "done")
    return sum(shares) / max(len(shares), 1), now


def board_lines(board: Answer) -> Iterator[str]:
    """Return the finding and the table, as `compare` writes it."""
    scenario = board["scenario"]
    number = "" if board.get("combined") else f"scenario {scenario['number']}: "
    yield one_line(f"{board['task']}, {board['phase']}, {number}{scenario['name']}")
    if not board["entries"]:
        yield "Nothing is ranked yet."
        return
    if board["finding"]:
        yield one_line(board["finding"])
    yield ""
    headline, lower = board["headline"], board.get("lower_is_better", ())
    title = titled(board.get("titles", {}).get(headline, headline), lower_is_better=headline in lower)
    scale = _scale(board.get("scale")).fitted(*_numbers(board))
    rows = (_cells(entry, headline, scale) for entry in board["entries"])
    yield from aligned([["place", "team", title, "group", "method"], *rows]).split("\n")


def _numbers(board: Answer) -> tuple[list[float | None], list[tuple[float, float] | None]]:
    """Return the scores that rank, and their intervals."""
    entries, headline = board["entries"], board["headline"]
    intervals = [_interval(entry["intervals"].get(headline)) for entry in entries]
    return [entry["scores"].get(headline) for entry in entries], intervals


def _cells(entry: Answer, headline: str, scale: Scale) -> list[str]:
    team, kind = entry["team"], entry["reference"]
    name = f"{team} ({kind})" if team and kind else team or kind or ""
    low, high = entry["rank_range"] or (entry["rank"], entry["rank"])
    places = (str(low) if low == high else f"{low}–{high}") if entry["rank"] else "–"
    score, interval = entry["scores"].get(headline), _interval(entry["intervals"].get(headline))
    return [places, name, scale.text(score, interval), entry["group"] or "–", entry["method"] or ""]
