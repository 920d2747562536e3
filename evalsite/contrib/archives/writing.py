"""Writes a task's archive: its bundle, all runs, their evaluations, every edition of its boards, receipts and digests.

docs/archive.md says what stands where. Members are made when it is their turn, so that memory does not grow with runs.
Of teams it has the names that their boards show; where a phase doesn't show them, neither times nor receipts tell who
uploaded, unless the organisers want everything in it.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any
from uuid import UUID

import yaml
from django.db.models import QuerySet

from evalsite.base.file_names import stored_name
from evalsite.base.moment import database_now
from evalsite.board_pages.board.rows import rows_of
from evalsite.board_pages.board.sentence import sentence_of
from evalsite.board_pages.board.visibility import Visibility, team_names_of
from evalsite.challenges.access import Role, sees_names
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.challenges.storage.zip_streams import CHUNK, Member
from evalsite.contrib.bundles.problems import SETTINGS
from evalsite.contrib.bundles.writing import Bundle, with_digests
from evalsite.contrib.receipts.models import Receipt, ReceiptLink
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.leaderboard.making.editions import complete
from evalsite.leaderboard.models import Combined, Edition
from evalsite.submissions.models import Judgement, Result, Scoring, Submission
from scoring.receipts import FIRST_HEAD
from scoring.signature import __version__

FORMAT = 1
CONTENTS = "archive.json"
_OF_PHASE = ("slug", "name", "counts", "is_anonymous")
_OF_RUN = ("method", "reference", "is_late", "is_beyond_limit", "is_reported", "sha256")
_OF_RESULT = (
    *("headline", "scores", "intervals", "interval_methods", "counts", "signature", "gold_digest", "n_units"),
    *("n_resamples", "confidence_level"),
)
Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Archive:
    """A finished task as the members of an archive; `shows_all`: with all names and times of teams."""

    task: Task
    shows_all: bool = False

    def members(self, report: Report = lambda done, total: None) -> Iterator[Member]:
        """Yield all members, and last their digests; `report` is told how many runs are done."""
        return with_digests(self._members(report))

    def _members(self, report: Report) -> Iterator[Member]:
        yield CONTENTS, [_as_json(self._contents())]
        yield from self.bundle.members()
        yield "teams.json", [_as_json(self._teams())]
        for done, run in enumerate(self.runs.iterator(chunk_size=200)):
            report(done, len(self.numbers))
            if run.pk in self.numbers and self._has_file(run):
                yield self._path_of(run), _chunks(run)
        for judgement in self._judgements().iterator(chunk_size=200):
            yield self._path_of_judgement(judgement), _chunks(judgement)
        for result in self._results().select_related("stored_tables").iterator(chunk_size=50):
            yield self._place_of(result), [_as_json(_figures(result))]
        for path, edition in self._editions():
            yield path, [_as_json(self._board(edition))]
        for combined in self._combined():
            yield f"boards/{combined.phase.slug}/combined.json", [_as_json(self._combined_board(combined))]
        if self._links:
            yield "receipts.txt", self._receipts()
            yield "chain.txt", self._chain()

    @cached_property
    def bundle(self) -> Bundle:
        return Bundle(self.task)

    @cached_property
    def phases(self) -> dict[UUID, Phase]:
        return {phase.pk: phase for phase in self.task.phases.select_related("task").order_by("opens", "slug")}

    @cached_property
    def scenarios(self) -> list[Scenario]:
        return list(self.task.scenarios.select_related("task").order_by("number"))

    @property
    def runs(self) -> QuerySet[Submission]:
        """Return all runs but trials, which organisers alone see."""
        runs = Submission.objects.filter(phase__task=self.task).exclude(reference=Submission.Reference.TRIAL)
        return runs.order_by("created", "pk")

    @cached_property
    def numbers(self) -> dict[UUID, int]:
        """Return the number by which the archive calls each run: in the order of their arrival."""
        return {pk: number for number, pk in enumerate(self.runs.values_list("pk", flat=True), start=1)}

    def visibility(self, phase: Phase) -> Visibility:
        """Return what the archive shows of a phase: all numbers, and the names that a stranger sees."""
        shows_names = self.shows_all or sees_names(Role.STRANGER, phase)
        return Visibility(self.task, Role.OWNER, phase, shows_names, frozenset())

    @cached_property
    def _names(self) -> dict[UUID, dict[str, str]]:
        """Return by phase the shown name of each team."""
        return {
            pk: {team: name for team, (name, _) in team_names_of(self.visibility(phase)).items()}
            for pk, phase in self.phases.items()
        }

    def _is_named(self, phase: UUID) -> bool:
        return self.visibility(self.phases[phase]).shows_names

    def _contents(self) -> dict[str, Any]:
        files = self._gold_files()
        return {
            "evalsite_archive": FORMAT,
            "engine": __version__,
            "made": database_now().isoformat(),
            "task": {"slug": self.task.slug, "title": self.task.title},
            "phases": [
                _fields(phase, _OF_PHASE) | _times(phase) | {"has_receipts": self._is_named(pk)}
                for pk, phase in self.phases.items()
            ],
            "scenarios": [
                _fields(scenario, ("number", "name", "options")) | {"family": scenario.engine_family.name}
                for scenario in self.scenarios
            ],
            "golds": [self._gold(gold, files) for gold in self._golds()],
            "runs": [self._run(run) for run in self.runs.select_related("team").iterator(chunk_size=200)],
            "evaluations": [
                self._basis(result)
                | {"run": self.numbers[result.scoring.submission_id], "file": self._place_of(result)}
                | self._judged(result.scoring)
                for result in self._results().iterator(chunk_size=200)
            ],
            "boards": [
                {
                    "phase": edition.board.phase.slug,
                    "scenario": edition.board.scenario.number,
                    "gold": edition.gold.version if edition.gold else None,
                    "engine": edition.engine,
                    "file": path,
                }
                for path, edition in self._editions(only_keys=True)
            ],
            "combined": [
                _fields(combined, ("kind", "formula", "lower_is_better"))
                | {"missing": "zero" if combined.missing == Combined.Missing.LAST else "unranked"}
                | {"phase": combined.phase.slug, "golds": self._in_force(combined.phase)}
                | {"file": f"boards/{combined.phase.slug}/combined.json"}
                for combined in self._combined()
            ],
            "receipts": {"before": self._head_before, "links": "chain.txt", "receipts": "receipts.txt"}
            if self._links
            else None,
        }

    # Gold

    def _golds(self) -> QuerySet[Gold]:
        golds = Gold.objects.filter(phase__task=self.task, state=Gold.State.PUBLISHED, is_input=False)
        return golds.select_related("phase", "scenario").order_by("phase__opens", "scenario__number", "version")

    def _gold_files(self) -> dict[tuple[str, int, int], str]:
        """Return the path of each version of the gold in the bundle, as its settings have it."""
        settings = yaml.safe_load(self.bundle.texts[SETTINGS])
        return {
            (phase["slug"], gold["scenario"], gold.get("version", 1)): gold["file"]
            for phase in settings.get("phases", ())
            for gold in phase.get("gold", ())
        }

    def _gold(self, gold: Gold, files: dict[tuple[str, int, int], str]) -> dict[str, Any]:
        place = (gold.phase.slug, gold.scenario.number, gold.version)
        return {
            "phase": gold.phase.slug,
            "scenario": gold.scenario.number,
            "version": gold.version,
            "file": files.get(place),
            "file_name": gold.file_name,
            "sha256": gold.sha256,
            "engine": gold.engine,
            "keeps": gold.keeps,
            "part": gold.part_for_engine,
        }

    def _in_force(self, phase: Phase) -> dict[str, list[Any]]:
        golds = Gold.objects.in_force().filter(phase=phase, is_input=False).select_related("scenario")
        golds = golds.order_by("scenario__number")
        return {str(gold.scenario.number): [gold.version, gold.engine] for gold in golds}

    # Runs and evaluations

    def _run(self, run: Submission) -> dict[str, Any]:
        is_named = self._is_named(run.phase_id)
        return {
            "number": self.numbers[run.pk],
            "run": str(run.pk),
            "phase": self.phases[run.phase_id].slug,
            "team": self._names[run.phase_id].get(str(run.team_id), ""),
            **_fields(run, _OF_RUN),
            "description": run.description if run.shows_description and is_named else "",
            "arrived": _public_time(run.created.isoformat(), is_named),
            "withdrawn": _public_time(run.withdrawn.isoformat(), is_named) if run.withdrawn else None,
            "file": self._path_of(run) if self._has_file(run) else None,
            "file_name": run.file_name,
            "bytes": run.size,
        }

    def _has_file(self, run: Submission) -> bool:
        return bool(run.file.storage.exists(run.file.name or ""))

    def _path_of(self, run: Submission) -> str:
        return f"uploads/{self.numbers[run.pk]}/{stored_name('upload', run.file_name)}"

    def _results(self) -> QuerySet[Result]:
        results = Result.objects.filter(
            scoring__submission__phase__task=self.task, scoring__gold__state=Gold.State.PUBLISHED
        ).exclude(scoring__submission__reference=Submission.Reference.TRIAL)
        return results.select_related("scoring__scenario", "scoring__gold").order_by(
            "scoring__submission__created", "scoring__scenario__number", "pk"
        )

    def _judgements(self) -> QuerySet[Judgement]:
        judgements = Judgement.objects.filter(submission__in=self.runs.order_by(), gold__state=Gold.State.PUBLISHED)
        return judgements.select_related("gold__scenario").order_by("submission__created", "pk")

    def _path_of_judgement(self, judgement: Judgement) -> str:
        place = f"{judgement.gold.scenario.number}-v{judgement.gold.version}"
        return f"judgements/{self.numbers[judgement.submission_id]}/{place}-{judgement.file_name}"

    def _judged(self, scoring: Scoring) -> dict[str, Any]:
        """Return what is scored in place of the upload, where a judge elsewhere has scored it."""
        if not scoring.scenario.is_judged:
            return {}
        judgement = scoring.source
        assert isinstance(judgement, Judgement)
        judgement.gold = scoring.gold
        judgement.gold.scenario = scoring.scenario
        file = {"file": self._path_of_judgement(judgement), "options": scoring.options}
        return {"judged": file | {"file_name": judgement.file_name, "sha256": judgement.sha256}}

    def _basis(self, result: Result) -> dict[str, Any]:
        scoring = result.scoring
        return {
            "phase": self.phases[scoring.gold.phase_id].slug,
            "scenario": scoring.scenario.number,
            "gold": scoring.gold.version,
            "engine": scoring.engine_version,
        }

    def _place_of(self, result: Result) -> str:
        basis = self._basis(result)
        number = self.numbers[result.scoring.submission_id]
        return f"evaluations/{number}/{basis['scenario']}-v{basis['gold']}-{basis['engine']}.json"

    # Boards

    def _editions(self, *, only_keys: bool = False) -> Iterator[tuple[str, Edition]]:
        """Yield the editions that have places, each with its path; the newest of a board is the last."""
        editions = Edition.objects.filter(board__phase__task=self.task, is_compared=True)
        editions = editions.select_related("board__phase__task", "board__scenario__task", "gold")
        editions = editions.order_by("board__phase__opens", "board__scenario__number", "changes", "made")
        if only_keys:
            editions = editions.defer("entries", "comparison", "further")
        number, board = 0, None
        for edition in editions.iterator(chunk_size=1):
            number = number + 1 if edition.board_id == board else 1
            board = edition.board_id
            place = f"boards/{edition.board.phase.slug}/{edition.board.scenario.number}"
            yield f"{place}/{number}-{edition.day.isoformat()}.json", edition

    def _board(self, edition: Edition) -> dict[str, Any]:
        phase = self.phases[edition.board.phase_id]
        edition.board.phase = phase
        complete(edition)
        entries = [self._entry(entry, phase) for entry in edition.entries]
        return {
            **_fields(edition, ("is_final", "is_void", "comparison", "changes")),
            "day": edition.day.isoformat(),
            "made": edition.made.isoformat(),
            "sentence": self._sentence(edition, edition.board.scenario, phase),
            "entries": entries,
        }

    def _entry(self, entry: dict[str, Any], phase: Phase) -> dict[str, Any]:
        is_named = self._is_named(phase.pk)
        team = self._names[phase.pk].get(entry["team"], "")
        return entry | {"team": team, "date": _public_time(entry["date"], is_named)}

    def _sentence(self, edition: Edition, scored: Scored, phase: Phase) -> str:
        return str(sentence_of(edition, rows_of(edition, scored, self.visibility(phase))) or "")

    def _combined(self) -> list[Combined]:
        rankings = Combined.objects.filter(phase__task=self.task).select_related("phase__task").order_by("phase__opens")
        return [ranking for ranking in rankings if ranking.board.get("entries")]

    def _combined_board(self, combined: Combined) -> dict[str, Any]:
        phase = self.phases[combined.phase_id]
        golds = Gold.objects.in_force().filter(phase=phase, is_input=False).select_related("scenario__task")
        scored = CombinedScore(
            combined, sorted((gold.scenario for gold in golds), key=lambda scenario: scenario.number)
        )
        entries = [self._entry(entry, phase) for entry in combined.board["entries"]]
        sentence = self._sentence(scored.edition, scored, phase)
        return {"sentence": sentence, "entries": entries, "comparison": combined.board["comparison"]}

    def _teams(self) -> list[dict[str, Any]]:
        """Return the names of the teams that have runs, by phase, as they are shown."""
        return [
            {"phase": phase.slug, "teams": sorted({*self._names[pk].values()}), "are_named": self._is_named(pk)}
            for pk, phase in self.phases.items()
        ]

    # Receipts

    @cached_property
    def _links(self) -> tuple[int, int] | None:
        """Return the numbers of the first and the last receipt of the task's runs; None without any."""
        numbers = list(self._own_receipts().values_list("link_id", flat=True))
        return (numbers[0], numbers[-1]) if numbers else None

    def _own_receipts(self) -> QuerySet[Receipt]:
        named = [pk for pk in self.phases if self._is_named(pk)]
        receipts = Receipt.objects.filter(submission__in=self.runs.order_by(), submission__phase__in=named)
        return receipts.order_by("link_id")

    @cached_property
    def _head_before(self) -> str:
        assert self._links is not None
        before = ReceiptLink.objects.filter(number=self._links[0] - 1).values_list("head", flat=True).first()
        return before or FIRST_HEAD

    def _receipts(self) -> Iterator[bytes]:
        for text in self._own_receipts().values_list("text", flat=True).iterator(chunk_size=1000):
            yield f"{text}\n".encode()

    def _chain(self) -> Iterator[bytes]:
        """Yield the links from the first receipt to the last, those of other tasks among them, which say nothing."""
        assert self._links is not None
        links = ReceiptLink.objects.filter(number__range=self._links).order_by("number")
        for number, digest, head, day in links.values_list("number", "digest", "head", "day").iterator(chunk_size=2000):
            yield f"{number} {digest} {head} {day.isoformat()}\n".encode()


def _as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1).encode() + b"\n"


def _fields(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _times(phase: Phase) -> dict[str, str | None]:
    return {"opens": phase.opens.isoformat(), "closes": phase.closes.isoformat() if phase.closes else None}


def _public_time(time: str, is_named: bool) -> str:
    """Return the time, or the day alone where a time may tell who uploaded."""
    return time if is_named else time[: len(date.min.isoformat())]


def _chunks(run: Submission | Judgement) -> Iterator[bytes]:
    with run.file.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def _figures(result: Result) -> dict[str, Any]:
    """Return all figures of a result, in full precision."""
    return {
        **_fields(result, _OF_RESULT),
        "warnings": [str(warning) for warning in result.warnings],
        "tables": result.tables,
        "table_intervals": result.table_intervals,
    }
