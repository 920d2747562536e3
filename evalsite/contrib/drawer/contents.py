"""The files of a task's drawer, with all that organisers may see."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet, Sum
from django.utils import timezone, translation

from evalsite.board_pages.board.access import PhaseAccess, accesses_of
from evalsite.challenges.access import Role
from evalsite.challenges.models import EntryRules, Participation, Task
from evalsite.challenges.precision import precision_for
from evalsite.challenges.storage.zip_streams import Member
from evalsite.contrib.drawer.boards import boards_of, files_of, runs_on
from evalsite.contrib.drawer.draft import as_latex, as_markdown, draft
from evalsite.contrib.drawer.participation import participation_of
from evalsite.contrib.drawer.readme import Text, with_readme
from evalsite.contrib.drawer.runs import citations_of, scores_of, sheets_of
from evalsite.contrib.drawer.uploads import uploads_of
from evalsite.desk.ending.open_ends import open_ends
from evalsite.desk.entry.export import as_csv as answers_as_csv
from evalsite.desk.teams.export import as_csv
from evalsite.desk.teams.listing import teams_of
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.files import members_of

ROLE = Role.VIEWER  # who sees everything
MOST_BYTES = 5 * 2**30  # of all uploads of a task in one zip


def files_of_task(task: Task, *, with_uploads: bool) -> Iterator[Member]:
    """Yield the files; the texts are in English, as the tables and the draft of the paper are."""
    with translation.override(None):
        remarks = [f"Still open: {phase.name}: {doubt.text}" for phase, doubt in open_ends(task)]
        title = f"{task.title}: files for the overview"
        yield from with_readme(title, remarks, timezone.now(), _members(task, remarks))
    if with_uploads:
        yield from members_of(uploads(task), "runs/")


def uploads(task: Task) -> QuerySet[Submission]:
    return Submission.objects.filter(phase__task=task)


def n_bytes(task: Task) -> int:
    return uploads(task).aggregate(all=Sum("size"))["all"] or 0


def _members(task: Task, remarks: Sequence[str]) -> Iterator[Text]:
    accesses = accesses_of(task, ROLE)
    boards = list(boards_of(accesses))
    phases = [access.phase for access in accesses]
    entered = Participation.objects.filter(task=task, banned=None).count()
    parts = draft(task, boards, participation_of(phases), entered)
    about = "a draft of the overview's section on results; its sentences claim what the tests allow"
    yield Text("results.tex", as_latex(parts, remarks).encode(), about=f"{about} (LaTeX)")
    yield Text("results.md", as_markdown(parts, remarks).encode(), about=f"{about} (Markdown)")
    year = min((phase.opens for phase in phases), default=task.created).year
    yield citations_of(task, year, runs_on(boards).values())
    teams = as_csv(task, teams_of(task), with_addresses=False)
    yield Text("teams.csv", teams.encode(), about="teams with their members and affiliations, without addresses")
    if EntryRules.objects.filter(task=task).exclude(questions=[]).exists():
        answers = answers_as_csv(task, with_addresses=False)
        yield Text("entries.csv", answers.encode(), about="what teams answered when they entered, without addresses")
    yield sheets_of(task, uploads(task).filter(reference=""))
    yield from uploads_of(task, phases)
    for board in boards:
        yield from files_of(board)
    yield from _runs(task, accesses)


def _runs(task: Task, accesses: Sequence[PhaseAccess]) -> Iterator[Text]:
    for access in accesses:
        for golds in access.golds:
            if golds.in_force.phase == access.phase:
                precision = precision_for(ROLE, access.phase, golds.in_force.scenario)
                yield from scores_of(golds, uploads(task), precision)
