"""Runs in a drawer: all their scores, what their teams tell of them, and how they are cited."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from evalsite.board_pages.entry import bibtex_of_run, researchers_behind
from evalsite.challenges.gold.versions import Golds
from evalsite.challenges.models import Task
from evalsite.challenges.precision import Precision
from evalsite.challenges.taking_part.own_fields import own_fields
from evalsite.challenges.task_page.citing import citation_of_task
from evalsite.contrib.drawer.readme import Text
from evalsite.results.disclosure import disclose_scores
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD, foremost
from evalsite.submissions.runs.describing import sheet_of
from evalsite.wording import NOTHING, interval, score
from scoring.display.tables import csv_of, tabular

SHEET = (
    *("phase", "team", "method", "uploaded", "affiliation", "is_contrastive", "description", "description_is_public"),
    *("paper_or_code", "code"),
)
_FACTS = ("team", "method", "reference", "is_late", "is_beyond_limit", "is_reported", "is_contrastive", "withdrawn")
_LARGE = ("counts", "distribution", "warnings", "interval_methods")  # columns of results


def scores_of(golds: Golds, runs: QuerySet[Submission], precision: Precision) -> Iterator[Text]:
    """Yield two tables of the runs in a scenario, with what the precision lets their reader know; nothing of none."""
    scenario, phase = golds.in_force.scenario, golds.in_force.phase
    counted = list(_counted(golds, runs.filter(phase=phase)))
    if not counted:
        return
    for scoring in counted:
        if scoring.state == Scoring.State.SCORED:
            disclose_scores(scoring.result, precision)
    path = f"boards/{phase.slug}/scenario{scenario.number}-runs"
    title = f"{phase.name}, {scenario}"
    table = _table(counted, [scenario.headline, *scenario.score_titles])
    yield Text(f"{path}.csv", table, about=f"{title}: every run with all scores and intervals, withdrawn ones too")
    yield Text(f"{path}.tex", _latex(counted).encode(), about=f"{title}: every scored run, the best first (LaTeX)")


def _counted(golds: Golds, runs: QuerySet[Submission]) -> Iterator[Scoring]:
    """Yield the scoring that counts of each of the runs, by team and time."""
    gold = golds.in_force
    scorings = Scoring.objects.filter(ON_PUBLISHED_GOLD, submission__in=runs, scenario=gold.scenario)
    related = scorings.select_related("submission__team", "scenario", "gold", "result")
    light = related.defer(*(f"result__{name}" for name in _LARGE))
    ordered = light.order_by("submission__team__name", "submission__created", "submission__pk")
    for _, group in groupby(ordered, key=lambda scoring: scoring.submission_id):
        yield foremost(group, gold)[0]


def _result(scoring: Scoring) -> Result | None:
    return scoring.result if scoring.state == Scoring.State.SCORED else None


def _table(counted: Sequence[Scoring], titles: Iterable[str]) -> bytes:
    scored_names = {name for scoring in counted if (result := _result(scoring)) for name in result.scores}
    names = [name for name in dict.fromkeys(titles) if name in scored_names]
    ends = [heading for name in names for heading in (name, f"{name}_low", f"{name}_high")]
    columns = ["run", *_FACTS, "uploaded", "gold_version", "engine", "state", *ends]
    return csv_of(columns, ([*_facts(scoring), *_numbers(_result(scoring), names)] for scoring in counted))


def _facts(scoring: Scoring) -> list[Any]:
    run = scoring.submission
    marks = (run.is_late, run.is_beyond_limit, run.is_reported, run.is_contrastive, run.withdrawn)
    return [
        *(str(run.pk), run.team.name, run.method, run.reference),
        *("true" if mark else "" for mark in marks),
        *(run.created.isoformat(), scoring.gold.version, scoring.engine_version, scoring.state),
    ]


def _numbers(result: Result | None, names: Iterable[str]) -> Iterator[float | None]:
    for name in names:
        yield result.scores.get(name) if result else None
        yield from (result.intervals.get(name) if result else None) or (None, None)


def _latex(counted: Sequence[Scoring]) -> str:
    scenario = counted[0].scenario
    results = [result for scoring in counted if (result := _result(scoring)) and result.headline is not None]
    results.sort(key=lambda result: result.headline or 0.0, reverse=not scenario.lower_is_better)
    scale = scenario.scale.fitted([result.headline for result in results])
    rows = []
    for result in results:
        run, ends = result.scoring.submission, result.intervals.get(scenario.headline)
        shown = score(result.headline, scale) + (f" {interval(ends, scale)}" if ends else "")
        rows.append([run.team.name, run.method, shown, _remarks(run) or NOTHING])
    return tabular([], "llll", ["team", "run", scenario.score_titles[scenario.headline], "remarks"], rows)


def _remarks(run: Submission) -> str:
    remarks = {
        run.reference: bool(run.reference),
        "late": run.is_late,
        "beyond the limits": run.is_beyond_limit,
        "as the team reports": run.is_reported,
        "withdrawn": run.withdrawn is not None,
    }
    return ", ".join(words for words, applies in remarks.items() if applies)


def sheets_of(task: Task, runs: QuerySet[Submission]) -> Text:
    """Return what the teams tell of their runs, a line each."""
    fields = own_fields(sheet_of(task).own)
    columns = [*SHEET, *(field.text for field in fields)]
    ordered = runs.select_related("team", "phase").order_by("phase__opens", "team__name", "created", "pk")
    lines = (
        [
            *(run.phase.slug, run.team.name, run.method, run.created.isoformat(), run.affiliation),
            *("true" if run.is_contrastive else "", run.description, "true" if run.shows_description else ""),
            *(run.link, run.code, *(field.for_programs(run.facts.get(field.key)) for field in fields)),
        ]
        for run in ordered
    )
    return Text("fact-sheets.csv", csv_of(columns, lines), about="what teams tell of their runs, a line for each run")


def citations_of(task: Task, year: int, runs: Iterable[Submission]) -> Text:
    """Return BibTeX of the task and of the runs, whose pages are public from the release of the results on."""
    entries = [citation_of_task(task, year, settings.SITE_URL + task.get_absolute_url()).bibtex]
    for run in runs:
        address = reverse("entry", args=[task.slug, run.phase.slug, run.pk])
        entries.append(bibtex_of_run(run, settings.SITE_URL + address, researchers_behind(run)))
    return Text("citations.bib", "\n\n".join([*entries, ""]).encode(), about="the task and its entries as BibTeX")
