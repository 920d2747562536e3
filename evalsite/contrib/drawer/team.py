"""The drawer of one team: its own runs, rows, pairs and citations, as far as its members may see them now."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.db.models import QuerySet, Sum
from django.utils import timezone, translation

from evalsite.accounts.models import Team
from evalsite.board_pages.board.access import PhaseAccess, accesses_of
from evalsite.board_pages.board.exports import as_csv
from evalsite.board_pages.board.rows import Row
from evalsite.board_pages.entry import results_in_latex
from evalsite.challenges.access import Role, sees_own_scores
from evalsite.challenges.models import FormerParticipation, Task
from evalsite.challenges.precision import precision_for
from evalsite.challenges.storage.zip_streams import Member
from evalsite.contrib.drawer.boards import PAIRS, DrawerBoard, boards_of, pairs_of
from evalsite.contrib.drawer.readme import Text, with_readme
from evalsite.contrib.drawer.runs import citations_of, scores_of, sheets_of
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.files import members_of
from evalsite.wording import size
from scoring.display.tables import csv_of

MOST_BYTES = 500 * 2**20  # of all uploads of a team in one zip


def drawer_of(task: Task, team: Team, role: Role) -> Iterator[Member]:
    """Yield the files of a team for a member of this role; what organisers see beyond their team's stays out.

    All texts are made before the first is yielded, so that only the uploads can fail on the way.
    """
    with translation.override(None):  # numbers have a point, and words are English, as in the files of boards
        texts = list(_texts(task, team, min(role, Role.PARTICIPANT)))
    yield from texts
    runs = _runs(task, team)
    if _n_bytes(task, team) <= MOST_BYTES:
        yield from members_of(runs, "runs/")


def _runs(task: Task, team: Team) -> QuerySet[Submission]:
    return Submission.objects.filter(phase__task=task, team=team)


def _texts(task: Task, team: Team, role: Role) -> Iterator[Member]:
    former = FormerParticipation.objects.filter(task=task, team=team).values_list("former", flat=True)
    accesses = accesses_of(task, role, frozenset(map(str, [team.pk, *former])))
    members = _members(task, team, role, accesses)
    remarks = list(_remarks(task, team, accesses))
    yield from with_readme(f"{team.name} in {task.title}", remarks, timezone.now(), members)


def _remarks(task: Task, team: Team, accesses: Sequence[PhaseAccess]) -> Iterator[str]:
    for access in accesses:
        if not access.is_allowed:
            yield f"{access.phase.name}: the boards are not shown to participants yet."
        elif not access.visibility.shows_names:
            yield f"{access.phase.name}: other teams have numbers instead of names until the results are released."
    if (n_bytes := _n_bytes(task, team)) > MOST_BYTES:
        yield f"The uploads have {size(n_bytes)} together, so they are not in here: each run's page gives its own."


def _n_bytes(task: Task, team: Team) -> int:
    return _runs(task, team).aggregate(all=Sum("size"))["all"] or 0


def _members(task: Task, team: Team, role: Role, accesses: Sequence[PhaseAccess]) -> Iterator[Text]:
    runs = _runs(task, team)
    for access in accesses:
        if not sees_own_scores(role, access.phase):
            continue
        for golds in access.golds:
            if golds.in_force.phase == access.phase:
                scenario = golds.in_force.scenario
                yield from scores_of(golds, runs, precision_for(role, access.phase, scenario))
    standing = []
    for board in boards_of(accesses):
        own_rows = [row for row in board.shown.rows if row.is_own]
        if own_rows:
            yield from _of_board(board, own_rows)
        if board.shown.phase.is_released:
            standing += [row.entry["submission"] for row in own_rows]
    yield sheets_of(task, runs)
    year = min((access.phase.opens for access in accesses), default=task.created).year
    cited = runs.filter(pk__in=standing).select_related("team", "phase__task")
    yield citations_of(task, year, cited.order_by("created"))


def _of_board(board: DrawerBoard, rows: Sequence[Row]) -> Iterator[Text]:
    about = f"{board.title}: your rows of the board, with ranks, groups and all scores"
    yield Text(f"{board.path}.csv", as_csv(replace(board.shown, rows=rows)).encode(), about=about)
    with translation.override("en"):
        text = "\n".join(results_in_latex(board.entry(row)) for row in rows)
    about = f"{board.title}: your results for a paper (LaTeX); its sentences claim what the tests allow"
    yield Text(f"{board.path}.tex", text.encode(), about=about)
    if pairs := list(pairs_of(board, [row.entry["submission"] for row in rows])):
        about = f"{board.title}: your runs beside every other ranked one, with the outcome of the test of all pairs"
        yield Text(f"{board.path}-pairs.csv", csv_of(PAIRS, pairs), about=about)
