"""What must be true when everything is over: `python -m tests.chaos.inside checks FOLDER` writes `report.json` there.

Each check is a function that takes what is known and gives rows of the table. A row that has a limit fails where what
was found is above it; one without a limit only tells.
"""

import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from django.apps import apps
from django.core.files.storage import default_storage
from django.db.models import FileField

from evalsite.leaderboard.draws import draws_of
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.upkeep.tidying import tidy
from scoring.comparing.ranking import ranks
from tests.chaos.client import FORM, LOG_IN, NOT_TAKEN, TAKEN, Journal
from tests.chaos.injecting import DONE, IMPOSSIBLE, MISSED, WENT_WRONG
from tests.chaos.reading_logs import unexpected_in
from tests.chaos.undisturbed import COMPARED, Numbers, digest_of, numbers_of

PROMISED = 60.0  # seconds after the last fault, or the last upload, in which everything is final
PATIENCE = 150.0  # seconds, to tell how late it was
MOST_TOLD = 20  # pieces of evidence of a row
REDIS = "redis"  # what faults break, after which nothing but Redis is away


@dataclass
class Row:
    what: str
    found: float
    limit: float | None = None  # None: nothing is promised
    evidence: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        return self.limit is None or self.found <= self.limit


@dataclass
class Known:
    """What the client and the faults have written, and what the site has."""

    folder: Path

    def __post_init__(self) -> None:
        self.facts = json.loads((self.folder / "facts.json").read_text())
        self.uploads = Journal(self.folder / "uploads.jsonl").read()
        self.looks = Journal(self.folder / "looks.jsonl").read()
        self.faults = Journal(self.folder / "faults.jsonl").read()
        self.taken = [each for each in self.uploads if each["told"][-1][1] == TAKEN]

    @cached_property
    def undisturbed(self) -> dict[tuple[int, int], Numbers]:
        with tempfile.TemporaryDirectory() as folder:
            return numbers_of(self.facts["runs"], Path(folder))

    @cached_property
    def submissions(self) -> dict[tuple[str, str], list[Submission]]:
        """By team and digest."""
        found: dict[tuple[str, str], list[Submission]] = {}
        for each in Submission.objects.order_by("created"):
            found.setdefault((str(each.team_id), each.sha256), []).append(each)
        return found

    def stored(self, upload: dict[str, Any]) -> list[Submission]:
        return self.submissions.get((upload["team"], upload["sha256"]), [])

    @cached_property
    def quiet_since(self) -> float:
        """When the last fault was over and the last upload was taken, in seconds of the clock."""
        ended = [each["ended"] for each in self.faults]
        return max([*ended, *(each["told"][-1][0] for each in self.taken)])


def main(folder: Path) -> None:
    known = Known(folder)
    rows = [row for check in CHECKS for row in check(known)]
    report = [asdict(row) | {"is_kept": row.is_kept} for row in rows]
    (folder / "report.json").write_text(json.dumps(report, indent=1))


def settled(known: Known) -> Iterator[Row]:
    """Waits until everything is final, and then until all boards are fresh."""
    unfinished = Scoring.objects.filter(state__in=Scoring.UNFINISHED)
    seconds = _seconds_until(lambda: not unfinished.exists(), known)
    evidence = [f"{each.pk} {each.state}, attempt {each.attempts}: {each.error}" for each in unfinished[:MOST_TOLD]]
    yield Row("seconds after the last fault until every upload was final", seconds, PROMISED, evidence)
    seconds = _seconds_until(lambda: all(map(_is_fresh, Board.objects.all())), known)
    stale = [str(board) for board in Board.objects.all() if not _is_fresh(board)]
    yield Row("seconds after the last fault until every board was fresh", seconds, PROMISED, stale)


def _seconds_until(condition: Callable[[], bool], known: Known) -> float:
    while not condition() and time.time() - known.quiet_since < PATIENCE:
        time.sleep(0.5)
    return round(time.time() - known.quiet_since, 1)


def _is_fresh(board: Board) -> bool:
    return min(board.made, board.compared) >= board.wanted


def faults(known: Known) -> Iterator[Row]:
    outcomes = Counter(each["outcome"] for each in known.faults)
    yield Row("faults", outcomes[DONE])
    yield Row("faults that this machine cannot have, or that met nothing", outcomes[IMPOSSIBLE] + outcomes[MISSED])
    yield _row("faults that did not end as they should", [x for x in known.faults if x["outcome"] == WENT_WRONG], str)


def uploads(known: Known) -> Iterator[Row]:
    yield Row("uploads sent", len(known.uploads))
    never = [each for each in known.uploads if each not in known.taken]
    yield _row("uploads never taken", never, _told)
    answers = Counter(told[1] for each in known.uploads for told in each["told"])
    yield Row("attempts that had no answer", answers[0])
    failed = [
        told for each in known.uploads for told in each["told"] if told[1] >= 500 and told[2] not in (LOG_IN, FORM)
    ]
    silent = [told for told in failed if told[2] != NOT_TAKEN or told[1] != 503]
    yield Row(
        "pages on the way to an upload that had 5xx",
        sum(n for status, n in answers.items() if status >= 500) - len(failed),
    )
    yield Row("answers 5xx to uploads", len(failed))
    yield _row("of these without 503 and “This upload was not taken”", silent, str)
    refusals = [each for each in known.uploads if any(told[1] in (200, 413, 422) for told in each["told"])]
    yield _row("uploads that were refused for a while, though nothing is wrong with them", refusals, _told)
    locked = [each for each in known.uploads if any(told[1] == 429 for told in each["told"])]
    yield _row("uploads that were told to wait for others (429)", locked, _told)


def _told(upload: dict[str, Any]) -> str:
    return f"{upload['name']}: {upload['told']}"


def rows_of_uploads(known: Known) -> Iterator[Row]:
    yield _row("uploads taken and lost", [each for each in known.taken if not known.stored(each)], _told)
    doubled = [each for each in known.taken if len(known.stored(each)) > 1]
    yield _row("uploads stored twice (team and digest)", doubled, _told)
    yield _row(
        "uploads stored with other bytes", [each for each in known.taken if _has_other_bytes(known, each)], _told
    )
    yield _row(
        "uploads with other scenarios", [each for each in known.taken if _has_other_scenarios(known, each)], _told
    )
    ended = Scoring.objects.exclude(state=Scoring.State.SCORED).exclude(state__in=Scoring.UNFINISHED)
    yield _row(
        "scorings refused, failed or cancelled", list(ended), lambda each: f"{each.pk} {each.state}: {each.error}"
    )
    attempts = Counter(Scoring.objects.values_list("attempts", flat=True))
    spread = [f"{number}: {n}" for number, n in sorted(attempts.items())]
    yield Row("scorings", attempts.total())
    yield Row("scorings with more than one attempt", attempts.total() - attempts[1], None, spread)


def _has_other_bytes(known: Known, upload: dict[str, Any]) -> bool:
    for submission in known.stored(upload):
        try:
            with submission.file.open() as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != upload["sha256"]:
                    return True
        except OSError:
            return True
    return False


def _has_other_scenarios(known: Known, upload: dict[str, Any]) -> bool:
    return any(
        sorted(each.scorings.values_list("scenario__number", flat=True)) != upload["scenarios"]
        for each in known.stored(upload)
    )


def numbers(known: Known) -> Iterator[Row]:
    """Scores, intervals, counts and draws, beside those of an undisturbed run."""
    runs = {submission.pk: each["run"] for each in known.uploads for submission in known.stored(each)}
    found = Result.objects.select_related("scoring__scenario", "scoring__submission")
    unlike: list[str] = []
    n_without_draws = 0
    for result in found:
        key = runs[result.scoring.submission_id], result.scoring.scenario.number
        expected = known.undisturbed[key]
        draws = draws_of(result)
        n_without_draws += draws is None
        other = [name for name in COMPARED if getattr(result, name) != expected.values[name]]
        if draws is not None and digest_of(draws) != expected.draws:
            other.append("draws")
        if other:
            unlike.append(f"{result.pk}, run {key}: {', '.join(other)}")
    yield Row("results", len(found))
    yield Row("results unlike the undisturbed run", len(unlike), 0, unlike[:MOST_TOLD])
    yield Row("results without draws", n_without_draws, 0)


def boards(known: Known) -> Iterator[Row]:
    """Entries, ranks and number of runs as the undisturbed results say, and all of them compared."""
    wrong, uncompared = [], []
    found = Board.objects.select_related("phase", "scenario").order_by("scenario__number")
    for board in found:
        edition = board.editions.first()
        entries = edition.entries if edition else []
        expected = _expected_entries(known, board)
        shown = [(each["submission"], each["team"], each["headline"], each["n_runs"], each["rank"]) for each in entries]
        if sorted(shown) != sorted(expected):
            wrong.append(f"{board}: {sorted(shown)} instead of {sorted(expected)}")
        if not edition or not edition.comparison or any(each["rank_low"] is None for each in entries):
            uncompared.append(str(board))
    yield Row("boards", len(found))
    yield Row("boards with other entries than the results say", len(wrong), 0, wrong)
    yield Row("boards that are not compared", len(uncompared), 0, uncompared)


def _expected_entries(known: Known, board: Board) -> list[tuple[str, str, float, int, int]]:
    """Submission, team, score, number of runs and rank; of equal runs of a team the earlier one stands."""
    number = board.scenario.number
    by_team: dict[str, list[tuple[float, Submission]]] = {}
    for upload in known.uploads:
        for submission in known.stored(upload) if number in upload["scenarios"] else ():
            score = known.undisturbed[upload["run"], number].headline
            by_team.setdefault(upload["team"], []).append((score, submission))
    best = {team: min(runs, key=lambda run: (-run[0], run[1].created)) for team, runs in by_team.items()}
    in_order = sorted(best, key=lambda team: -best[team][0])
    numbers = ranks(np.array([best[team][0] for team in in_order]))
    return [
        (str(best[team][1].pk), team, best[team][0], len(by_team[team]), rank)
        for team, rank in zip(in_order, numbers, strict=True)
    ]


def files(known: Known) -> Iterator[Row]:
    rows = _names_of_rows()
    stored = set(_names_of_files(""))
    yield _row("rows without their file", sorted(rows - stored), str)
    yield Row("files without a row", len(stored - rows))
    with patch("evalsite.upkeep.tidying.AGE", timedelta(0)):
        tidy(even_if_most=True)
    left = set(_names_of_files("")) - _names_of_rows()
    yield _row("files without a row, after tidy", sorted(left), str)


def _names_of_rows() -> set[str]:
    return {
        name
        for model in apps.get_models()
        for each in model._meta.get_fields()
        if isinstance(each, FileField)
        for name in model._default_manager.values_list(each.name, flat=True)
        if name
    }


def _names_of_files(folder: str) -> Iterator[str]:
    folders, names = default_storage.listdir(folder)
    yield from (f"{folder}{name}" for name in names)
    for each in folders:
        yield from _names_of_files(f"{folder}{each}/")


def looks(known: Known) -> Iterator[Row]:
    """What those saw who only looked, and whether everybody can come in."""
    bad = [each for each in known.looks if each["status"] not in (200, TAKEN)]
    yield Row("looks at pages, log-ins among them", len(known.looks))
    yield Row("of these without a page", len(bad))
    alone = [each for each in known.looks if known_as_away(known, each) == {REDIS}]
    failed = [each for each in alone if each["status"] not in (200, TAKEN)]
    yield Row("looks while Redis alone was away", len(alone))
    yield _row("of these without a page", failed, str)
    log_ins = [each for each in known.looks if each["what"] == LOG_IN]
    refused = [each for each in log_ins if each["status"] in (200, 403, 429)]
    yield _row("log-ins refused with the right password", refused, str)
    statuses = json.loads((known.folder / "log-ins.json").read_text())
    out = [f"{email}: {status}" for email, status in statuses.items() if status != TAKEN]
    yield _row("people who cannot log in afterwards", out, str)


def known_as_away(known: Known, look: dict[str, Any]) -> set[str]:
    """What was broken, by any fault, while somebody looked, or shortly before."""
    began, ended = look["began"], look["began"] + look["took"]
    return {each["breaks"] for each in known.faults if each["began"] - 1 < ended and began < each["ended"] + 5}


def logs(known: Known) -> Iterator[Row]:
    found = unexpected_in(known.folder / "logs")
    evidence = [f"{n} x {kind}" for kind, n in found.most_common(MOST_TOLD)]
    yield Row("tracebacks that no fault explains", found.total(), 0, evidence)


def mails(known: Known) -> Iterator[Row]:
    path = known.folder / "mails"
    subjects = [line for line in path.read_text(errors="replace").splitlines() if line.startswith("Subject:")]
    yield Row("mails", len(subjects), None, [f"{n} x {line}" for line, n in Counter(subjects).items()])


def _row(what: str, found: Iterable[Any], say: Callable[[Any], str]) -> Row:
    """Of something that must not be."""
    listed = list(found)
    return Row(what, len(listed), 0, [say(each) for each in listed[:MOST_TOLD]])


CHECKS: tuple[Callable[[Known], Iterator[Row]], ...] = (
    settled,
    faults,
    uploads,
    rows_of_uploads,
    numbers,
    boards,
    files,
    looks,
    logs,
    mails,
)

if __name__ == "__main__":
    main(Path(sys.argv[1]))
