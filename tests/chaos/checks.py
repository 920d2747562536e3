"""Checks what must be true when all is over: `python -m tests.chaos.inside checks FOLDER` writes `report.json` there.

Each check is a function that takes what is known and gives rows of the table. A row that has a limit fails where what
was found is above it; one without a limit only tells.
"""

import hashlib
import json
import sys
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

from evalsite.leaderboard.making.draws import draws_of
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.upkeep.tidying import tidy
from scoring.comparing.ranking import ranks
from tests.chaos.client import FORM, LAST_LOG_IN, LOG_IN, NOT_TAKEN, TAKEN, Journal
from tests.chaos.planning import DONE, IMPOSSIBLE, MISSED, WENT_WRONG
from tests.chaos.reading_logs import unexpected_in
from tests.chaos.seeding import Numbers, digest_of, numbers_of

PROMISED = 60.0  # seconds after the last fault, or the last upload, in which everything is final
PATIENCE = 150.0  # seconds, to tell how late it was
SHOWN = ("submission", "team", "headline", "n_runs", "rank")  # of an entry of a board
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
    """The client and the faults have written this, and the site has it."""

    folder: Path

    def __post_init__(self) -> None:
        self.facts = json.loads((self.folder / "facts.json").read_text())
        self.uploads = Journal(self.folder / "uploads.jsonl").read()
        self.looks = Journal(self.folder / "looks.jsonl").read()
        self.faults = Journal(self.folder / "faults.jsonl").read()
        self.taken = [each for each in self.uploads if each["told"][-1][1] == TAKEN]

    @cached_property
    def undisturbed(self) -> dict[tuple[int, int], Numbers]:
        return numbers_of(self.facts["runs"])

    @cached_property
    def submissions(self) -> dict[tuple[str, str], list[Submission]]:
        """Return the submissions by team and digest."""
        found: dict[tuple[str, str], list[Submission]] = {}
        for each in Submission.objects.order_by("created"):
            found.setdefault((str(each.team_id), each.sha256), []).append(each)
        return found

    def broken_at(self, look: dict[str, Any]) -> set[str]:
        """Return what was broken, by any fault, while somebody looked, or shortly before."""
        began, ended = look["began"], look["began"] + look["took"]
        return {each["breaks"] for each in self.faults if each["began"] - 1 < ended and began < each["ended"] + 5}

    def stored(self, upload: dict[str, Any]) -> list[Submission]:
        return self.submissions.get((upload["team"], upload["sha256"]), [])

    @cached_property
    def quiet_since(self) -> float:
        """Return when the last fault was over and the last upload was taken, in seconds of the clock."""
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
    yield _row("uploads never taken", [each for each in known.uploads if each not in known.taken], _told)
    answers = [(status, words) for each in known.uploads for _, status, words in each["told"]]
    failed = [answer for answer in answers if answer[0] >= 500 and answer[1] not in (LOG_IN, FORM)]
    on_the_way = [answer for answer in answers if answer[0] >= 500 and answer[1] in (LOG_IN, FORM)]
    yield Row("attempts that had no answer", sum(status == 0 for status, _ in answers))
    yield Row("pages on the way to an upload that had 5xx", len(on_the_way))
    yield Row("answers 5xx to uploads", len(failed))
    silent = [answer for answer in failed if answer != (503, NOT_TAKEN)]
    yield _row("of these without 503 and “This upload was not accepted”", silent, str)
    refused = [each for each in known.uploads if _was_told(each, 200, 413, 422)]
    yield _row("uploads that were refused for a while, though nothing is wrong with them", refused, _told)
    locked = [each for each in known.uploads if _was_told(each, 429)]
    yield _row("uploads that were told to wait for others (429)", locked, _told)


def _was_told(upload: dict[str, Any], *statuses: int) -> bool:
    return any(status in statuses for _, status, _ in upload["told"])


def _told(upload: dict[str, Any]) -> str:
    return f"{upload['name']}: {upload['told']}"


def rows_of_uploads(known: Known) -> Iterator[Row]:
    yield _row("uploads taken and lost", [each for each in known.taken if not known.stored(each)], _told)
    doubled = [each for each in known.taken if len(known.stored(each)) > 1]
    yield _row("uploads stored twice (team and digest)", doubled, _told)
    stored = [(each, submission) for each in known.taken for submission in known.stored(each)]
    other_bytes = [each for each, submission in stored if _digest(submission) != each["sha256"]]
    yield _row("uploads stored with other bytes", other_bytes, _told)
    other_scenarios = [each for each, submission in stored if _scenarios(submission) != each["scenarios"]]
    yield _row("uploads with other scenarios", other_scenarios, _told)
    ended = Scoring.objects.exclude(state=Scoring.State.SCORED).exclude(state__in=Scoring.UNFINISHED)
    yield _row("scorings refused, failed or cancelled", ended, lambda each: f"{each.pk} {each.state}: {each.error}")
    yield Row("scorings", Scoring.objects.count())
    yield Row("scorings with more than one attempt", Scoring.objects.filter(attempts__gt=1).count())


def _digest(submission: Submission) -> str:
    """The SHA-256 of its bytes, or why there are none."""
    try:
        with submission.file.open() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        return str(error)


def _scenarios(submission: Submission) -> list[int]:
    return sorted(submission.scorings.values_list("scenario__number", flat=True))


def numbers(known: Known) -> Iterator[Row]:
    """Scores, intervals, counts, draws and headline, beside those of an undisturbed run."""
    runs = {submission.pk: each["run"] for each in known.uploads for submission in known.stored(each)}
    unlike: list[str] = []
    results = Result.objects.select_related("scoring__scenario", "scoring__submission")
    for result in results:
        run = runs[result.scoring.submission_id], result.scoring.scenario.number
        stored = vars(result) | {"draws": digest_of(draws_of(result))}
        other = [name for name, value in known.undisturbed[run].items() if stored[name] != value]
        if other:
            unlike.append(f"{result.pk}, run {run}: {', '.join(other)}")
    yield Row("results", len(results))
    yield _row("results unlike the undisturbed run", unlike, str)


def boards(known: Known) -> Iterator[Row]:
    """Entries, ranks and number of runs as the undisturbed results say, and all of them compared."""
    wrong, uncompared = [], []
    for board in Board.objects.select_related("phase", "scenario").order_by("scenario__number"):
        edition = board.editions.first()
        entries = edition.entries if edition else []
        expected = sorted(_expected_entries(known, board.scenario.number))
        shown = sorted(tuple(each[name] for name in SHOWN) for each in entries)
        if shown != expected:
            wrong.append(f"{board}: {shown} instead of {expected}")
        if not edition or not edition.comparison or any(each["rank_low"] is None for each in entries):
            uncompared.append(str(board))
    yield Row("boards", Board.objects.count())
    yield _row("boards with other entries than the results say", wrong, str)
    yield _row("boards that are not compared", uncompared, str)


def _expected_entries(known: Known, scenario: int) -> list[tuple[str, str, float, int, int]]:
    """SHOWN of each team; of equal runs of a team the earlier one stands."""
    by_team: dict[str, list[tuple[float, Submission]]] = {}
    for upload in known.uploads:
        for submission in known.stored(upload) if scenario in upload["scenarios"] else ():
            score = known.undisturbed[upload["run"], scenario]["headline"]
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
    """Check what those saw who only looked, and whether everybody can come in."""
    bad = [each for each in known.looks if each["status"] not in (200, TAKEN)]
    yield Row("looks at pages, log-ins among them", len(known.looks))
    yield Row("of these without a page", len(bad))
    yield Row("looks while Redis alone was away", sum(known.broken_at(each) == {REDIS} for each in known.looks))
    yield _row("of these without a page", [each for each in bad if known.broken_at(each) == {REDIS}], str)
    refused = [each for each in known.looks if each["what"] == LOG_IN and each["status"] in (200, 403, 429)]
    yield _row("log-ins refused with the right password", refused, str)
    out = [each for each in known.looks if each["what"] == LAST_LOG_IN and each["status"] != TAKEN]
    yield _row("people who cannot log in afterwards", out, str)


def logs(known: Known) -> Iterator[Row]:
    unexpected = [f"{n} x {kind}" for kind, n in unexpected_in(known.folder / "logs").most_common()]
    yield _row("kinds of tracebacks that no fault explains", unexpected, str)


def _row(what: str, found: Iterable[Any], say: Callable[[Any], str]) -> Row:
    """Return the row of something that must not be."""
    listed = list(found)
    return Row(what, len(listed), 0, [say(each) for each in listed[:MOST_TOLD]])


CHECKS = (settled, faults, uploads, rows_of_uploads, numbers, boards, files, looks, logs)

if __name__ == "__main__":
    main(Path(sys.argv[1]))
