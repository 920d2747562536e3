"""The public page of an entry after the release: whose it is, what it did, its scores, and what the tests say of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import numpy as np
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from evalsite.accounts.sign_in.orcids import Researcher, in_note, researchers_of
from evalsite.board_pages.board.access import PhaseAccess
from evalsite.board_pages.board.rows import Row, rows_of, scale_among
from evalsite.board_pages.board.sentence import tested_in_words
from evalsite.challenges.taking_part.own_fields import own_fields
from evalsite.challenges.task_page.citing import bibtex, bibtex_authors
from evalsite.leaderboard.combined_score import Scored
from evalsite.leaderboard.making.editions import NEWEST, EditionQuery, edition_of
from evalsite.leaderboard.models import Edition, Predecessor
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.describing import sheet_of
from evalsite.translating.engine import from_engine
from evalsite.wording import MOST_NAMED, NOTHING, better_low, interval, listed, score
from scoring.comparing.places import unpacked
from scoring.display.tables import escaped, tabular


@dataclass(frozen=True)
class Standing:
    """How the tests tell the entry from the other ranked ones of a board, by their names in the order of the board."""

    better_than: list[str]
    worse_than: list[str]
    open: list[str]  # from which it cannot be told apart
    tested: str  # on what, as "120 sentences"


@dataclass(frozen=True)
class EntryOnBoard:
    edition: Edition
    scenario: Scored
    row: Row
    rows: Sequence[Row]
    address: str

    @property
    def scores(self) -> list[tuple[str, str, str]]:
        """Return title, value and interval of each score that the visitor may read, the one that ranks first."""
        titles = dict.fromkeys([self.scenario.headline, *self.scenario.score_titles])
        return [self._score(name) for name in titles if name in self.row.entry["scores"]]

    def _score(self, name: str) -> tuple[str, str, str]:
        title = from_engine(self.scenario.score_titles.get(name, name))
        scale = scale_among(self.scenario, name, [self.row.entry])
        ends = self.row.interval_of(name)
        shown = better_low(title, lower_is_better=name in self.scenario.lower_scores)
        return shown, score(self.row.score(name), scale), interval(ends, scale) if ends else ""

    @property
    def standing(self) -> Standing | None:
        """Return None where the entry is not ranked, or nothing was compared."""
        ranked = [row for row in self.rows if row.rank is not None]
        facts = self.edition.comparison
        if self.row.rank is None or not facts or len(ranked) < 2:
            return None
        separated = unpacked(facts["separated"], len(ranked), len(ranked))
        at = next(number for number, row in enumerate(ranked) if row is self.row)
        apart = separated | separated.T
        np.fill_diagonal(apart, val=True)
        better, worse, between = (
            [ranked[number].name for number in np.flatnonzero(group)]
            for group in (separated[at], separated[:, at], ~apart[at])
        )
        return Standing(better, worse, between, tested_in_words(facts))

    @property
    def sentence(self) -> str:
        """Say what the tests allow to claim of the entry; "" where nothing was tested."""
        standing = self.standing
        if standing is None:
            return ""
        parts = [
            _named(gettext("better than %(systems)s"), standing.better_than),
            _named(gettext("worse than %(systems)s"), standing.worse_than),
            _named(gettext("not told apart from %(systems)s"), standing.open),
        ]
        words = gettext("By a test on %(units)s, %(system)s is %(parts)s.")
        values = {"units": standing.tested, "system": self.row.name, "parts": listed([part for part in parts if part])}
        return words % values


def _named(words: str, names: Sequence[str]) -> str:
    return words % {"systems": listed(names[:MOST_NAMED], of=len(names))} if names else ""


@dataclass(frozen=True)
class Replaced:
    """A board on which the run stood until another one of its team took its place."""

    successor: Row  # that stands there now
    address: str
    before: EntryOnBoard | None  # on the last day whose board has the run; None where it stood for less than a day

    @property
    def scenario(self) -> Scored:
        return self.successor.scenario


@dataclass(frozen=True)
class EntryPage:
    submission: Submission
    boards: list[EntryOnBoard]
    replaced: list[Replaced]
    facts: list[tuple[str, str]]
    researchers: list[Researcher]  # members of the team with an ORCID iD

    @property
    def tex(self) -> str:
        """Return the results as LaTeX: for each board a sentence that its test allows, and a table of all scores."""
        with translation.override("en"):
            return "\n".join(results_in_latex(board) for board in self.boards)

    def bibtex(self, address: str) -> str:
        return bibtex_of_run(self.submission, address, self.researchers)


def bibtex_of_run(run: Submission, address: str, researchers: Sequence[Researcher]) -> str:
    """Return the citation of a run, whose page is at the address; `researchers` are members with an ORCID iD."""
    task = run.phase.task
    fields = {
        "author": bibtex_authors([run.team.name]),
        "title": f"{{{escaped(f'{run.method}: {task.title}, {run.phase.name}')}}}",
        "year": str(run.created.year),
        "howpublished": escaped(f"Leaderboard, {settings.SITE_NAME}"),
        "url": address,
    }
    if researchers:
        fields["note"] = escaped(in_note(researchers))
    return bibtex(f"{task.slug}-{run.phase.slug}-{str(run.pk)[:8]}", fields)


def results_in_latex(board: EntryOnBoard) -> str:
    """Return a sentence that the test of the board allows, and a table of all scores."""
    place = board.row.reference_word or board.row.rank_range or NOTHING
    head = [f"{board.scenario}: place {place}", str(board.edition.comparison.get("signature", ""))]
    sentence = f"{escaped(board.sentence)}\n\n" if board.sentence else ""
    rows = [[title, value, ends or NOTHING] for title, value, ends in board.scores]
    return sentence + tabular([line for line in head if line], "lrl", ["score", board.row.name, "interval"], rows)


def entry_page(access: PhaseAccess, pk: UUID) -> EntryPage | None:
    """Return the page of a run that stands on boards of the phase, or stood there before another one of its team; None
    of others."""
    boards = [on_board for scored in access.boards if (on_board := _on_board(access, scored, pk))]
    run = Submission.objects.filter(pk=pk, phase=access.phase).select_related("team", "phase__task").first()
    if run is None:
        return None
    shown = {board.scenario.number for board in boards}
    replaced = _replaced(access, run) if len(boards) < len(access.boards) else []
    replaced = [board for board in replaced if board.scenario.number not in shown]
    if not (boards or replaced):
        return None
    fields = own_fields(sheet_of(access.phase.task).own)
    facts = [(field.title, field.in_words(run.facts.get(field.key))) for field in fields]
    return EntryPage(run, boards, replaced, [fact for fact in facts if fact[1]], researchers_behind(run))


def researchers_behind(run: Submission) -> list[Researcher]:
    """Return those of its team; none of the organisers' own runs."""
    return [] if run.reference else researchers_of(run.team)


def _on_board(
    access: PhaseAccess, scored: Scored, pk: UUID, query: EditionQuery = NEWEST, at: str = ""
) -> EntryOnBoard | None:
    edition = edition_of(access.phase, scored, query)
    rows = rows_of(edition, scored, access.visibility)
    row = next((row for row in rows if row.entry["submission"] == str(pk) and not row.is_gold), None)
    return EntryOnBoard(edition, scored, row, rows, f"{access.address_of(scored)}{at}") if row else None


def _replaced(access: PhaseAccess, run: Submission) -> list[Replaced]:
    """Return the boards on which a later run of the team found this one; none of a run that was withdrawn, or of a team
    that no longer stands there."""
    if run.withdrawn or run.reference:
        return []
    by_key = {scenario.pk: scenario for scenario in access.scenarios}
    later = Predecessor.objects.filter(before=run, run__team=run.team_id, scenario__in=by_key)
    latest = {row.scenario_id: row.run.created for row in later.select_related("run").order_by("run__created")}
    boards = []
    for key, until in latest.items():
        if successor := successor_of(access, by_key[key], run):
            day = until.date() - timedelta(days=1)
            before = _on_board(access, by_key[key], run.pk, EditionQuery(day=day), f"?on={day}")
            boards.append(Replaced(successor, access.address_of(by_key[key]), before))
    return boards


def successor_of(access: PhaseAccess, scenario: Scored, run: Submission) -> Row | None:
    """Return the row of the run's team on the board as it is now."""
    rows = rows_of(edition_of(access.phase, scenario), scenario, access.visibility)
    return next((row for row in rows if row.is_of_team and row.entry["team"] == str(run.team_id)), None)
