"""Pools: what the runs of a phase answer, for those who judge it; made in the background, a run in a child each.

A pool has the first answers of each run, no answer twice and in the order of the alphabet, so that nothing in it tells
whose run gave what, or how many did.
"""

from collections.abc import Iterator

from django.core.files.base import ContentFile
from django.db.models import Exists, OuterRef, QuerySet

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.requesting import latest_job, start_job
from evalsite.background.services import ReportProgress
from evalsite.base.spreadsheets import tabbed
from evalsite.challenges.models import Gold, Participation, Scenario
from evalsite.challenges.storage.files import checked_path
from evalsite.contrib.collecting import child
from evalsite.jobs import sandbox
from evalsite.submissions.checking import limits
from evalsite.submissions.lifecycle.candidates import runs_of
from evalsite.submissions.models import Choice, Submission
from scoring.readers.archive import Named

KIND = "pool"
Pair = tuple[str, str]
MOST_ITEMS = 2_000_000  # of a pool, more than anybody judges


def may_be_pooled(scenario: Scenario) -> bool:
    """Return whether its answers are pairs that people can judge one by one."""
    return scenario.engine_family.files.answers is not None


def start(gold: Gold, *, depth: int, runs: int, by: User) -> Job | None:
    """Start the job; return None while one is at work for the gold. `runs` are those of a team that are pooled."""
    arguments = {"depth": depth, "runs": runs}
    return start_job(KIND, subject=gold.pk, task=gold.phase.task, by=by, arguments=arguments)


def pool_of(gold: Gold) -> Job | None:
    """Return the newest pool that is made."""
    return Job.objects.filter(kind=KIND, subject=gold.pk, state=Job.State.DONE).exclude(file="").first()


def work_of(gold: Gold) -> Job | None:
    """Return the job that is at work, or the one that has failed since the newest pool was made."""
    job = latest_job(KIND, gold.pk)
    return job if job and job.state != Job.State.DONE else None


def pooled_runs(gold: Gold, most: int) -> Iterator[Submission]:
    """Yield so many runs of each team by their priority: chosen ones, then primary ones, then the latest; and all
    baselines and human runs."""
    banned = Participation.objects.filter(task=gold.phase.task_id, team=OuterRef("team"), banned__isnull=False)
    standing: QuerySet[Submission] = runs_of(gold).filter(~Exists(banned), withdrawn=None, is_beyond_limit=False)
    chosen = Choice.objects.filter(submission=OuterRef("pk"), scenario=gold.scenario)
    by_priority = standing.exclude(reference=Submission.Reference.TRIAL).annotate(is_chosen=Exists(chosen))
    n_of_team: dict[object, int] = {}
    for run in by_priority.order_by("-is_chosen", "is_contrastive", "-created", "pk"):
        n = n_of_team[run.team_id] = n_of_team.get(run.team_id, 0) + (not run.reference)
        if run.reference or n <= most:
            yield run


def make_pool(job: Job, report: ReportProgress) -> bool:
    """Read the runs one by one, and store the table."""
    gold = Gold.objects.filter(pk__in=[job.subject]).select_related("phase__task", "scenario").first()
    if gold is None or not may_be_pooled(gold.scenario):
        return True
    pairs: set[Pair] = set()
    runs, n_unread = list(pooled_runs(gold, job.arguments["runs"])), 0
    for number, run in enumerate(runs, 1):
        of_run = _answers(gold, run, job.arguments["depth"])
        n_unread += of_run is None
        pairs.update(of_run or ())
        if len(pairs) > MOST_ITEMS:
            raise ValueError(f"more than {MOST_ITEMS} answers")
        report(number, len(runs))
    job.file.save("pool.tsv", ContentFile(tabbed(["item", "answer"], sorted(pairs)).encode()), save=False)
    result = {"runs": len(runs) - n_unread, "unread": n_unread, "answers": len(pairs)}
    if not job.leased.update(file=job.file.name, result=result):
        job.file.storage.delete(job.file.name or "")  # another worker has taken the job over
        return False
    return True


def _answers(gold: Gold, run: Submission, depth: int) -> set[Pair] | None:
    """Return what a run answers; None where it cannot be read, or only with more than a scoring may have."""
    scenario = gold.scenario
    with checked_path(gold.file, gold.sha256) as gold_path, checked_path(run.file, run.sha256) as run_path:
        arguments = {
            "family": scenario.family,
            "options": scenario.options,
            "gold": Named(str(gold_path), gold.file_name),
            "system": Named(str(run_path), run.file_name),
            "depth": depth,
        }
        try:
            answer = sandbox.run(
                child.answers,
                arguments,
                limits.of_scoring(),
                loads=[scenario.family],
                reads=[str(gold_path), str(run_path)],
            )
        except sandbox.LimitBroken:
            return None
    return None if answer["pairs"] is None else {(item, text) for item, text in answer["pairs"]}
