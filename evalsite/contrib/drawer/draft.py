"""A draft of the results section of a task's overview, as LaTeX and Markdown: it claims what the tests allow, no more.

It is in English, as the tables are, and its numbers are those of the boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from evalsite.board_pages.board.exports import in_markdown
from evalsite.board_pages.board.power import power_of
from evalsite.board_pages.board.rows import Row
from evalsite.board_pages.board.sentence import tested_in_words, units_in_words
from evalsite.challenges.models import Phase, Task
from evalsite.contrib.drawer.boards import DrawerBoard
from evalsite.contrib.drawer.participation import Participation
from evalsite.leaderboard.combined_score import CombinedScore
from evalsite.translating.engine import from_engine
from evalsite.wording import MOST_NAMED, about, amount, enumerated, interval, percent, score
from scoring.comparing.places import unpacked
from scoring.display.tables import escaped
from scoring.significance.limits import FEWEST_UNITS

_COUNTS = {
    Phase.Counts.BEST: "the best of its runs, chosen by its score on this very test set, stands on the board",
    Phase.Counts.LAST: "the last of its runs stands on the board",
    Phase.Counts.CHOSEN: "the run that the team has chosen stands on the board",
    Phase.Counts.TWO: "the better of up to two runs that the team has chosen stands on the board",
}
_REFERENCES = {"baseline": "The baseline", "human": "The human run"}
_JACKKNIFE = "jackknife"
_METHODS = {
    "percentile": "percentile",
    "bca": "bias-corrected and accelerated (BCa)",
    "mover": "MOVER (Zou and Donner 2008, rare labels by Wilson's formula)",
    _JACKKNIFE: _JACKKNIFE,
}


@dataclass(frozen=True)
class Part:
    """A part of the draft: paragraphs, and the board whose table stands in it."""

    title: str
    paragraphs: Sequence[str]
    board: DrawerBoard | None = None


def draft(
    task: Task, boards: Sequence[DrawerBoard], taking_part: Mapping[UUID, Participation], n_entered: int
) -> list[Part]:
    """Return the parts: who took part, each board, and how the numbers were made."""
    parts = [Part("Participation", list(_on_participation(task, boards, taking_part, n_entered)))]
    parts += [Part(board.title, list(_on_board(board)), board) for board in boards]
    return [*parts, Part("How scores were compared", list(_on_method(boards)))]


def _on_participation(
    task: Task, boards: Sequence[DrawerBoard], taking_part: Mapping[UUID, Participation], n_entered: int
) -> Iterator[str]:
    yield f"{_n(n_entered, 'team')} entered {task.title}."
    for phase in dict.fromkeys(board.shown.phase for board in boards):
        participation = taking_part.get(phase.pk, Participation())
        further = [f"{amount(participation.n_scored)} of them got a score"]
        if participation.n_withdrawn:
            further.append(f"{amount(participation.n_withdrawn)} withdrawn")
        if participation.n_late:
            further.append(f"{amount(participation.n_late)} late")
        uploads = f"{_n(participation.n_teams, 'team')} uploaded {_n(participation.n_runs, 'run')}"
        sentence = f"In {phase.name}, {uploads} ({', '.join(further)})."
        yield f"{sentence} Of each team {_COUNTS[Phase.Counts(phase.counts)]}."
        of_phase = [board for board in boards if board.shown.phase == phase]
        if len(of_phase) > 1:
            yield f"{phase.name} is decided by {of_phase[0].shown.scenario}."


def _on_board(board: DrawerBoard) -> Iterator[str]:
    shown, ranked = board.shown, board.ranked
    headline = shown.titles[shown.scenario.headline]
    yield f"{headline} ranks {_n(len(ranked), 'system')}. {shown.sentence}".strip()
    facts = shown.edition.comparison
    if facts and len(ranked) > 2 and facts["n_units"] >= FEWEST_UNITS:  # of two the finding says all
        separated = unpacked(facts["separated"], len(ranked), len(ranked))
        n_pairs = len(ranked) * (len(ranked) - 1) // 2
        yield f"{amount(int(separated.sum()))} of {_n(n_pairs, 'pair')} of systems can be told apart."
        yield " ".join(board.entry(row).sentence for row in ranked[:MOST_NAMED])
    yield from _on_references(board)
    yield from _on_power(board)


def _on_references(board: DrawerBoard) -> Iterator[str]:
    shown, n_ranked = board.shown, len(board.ranked)
    for row in shown.rows:
        if not row.reference or row.is_of_team or not row.is_compared:
            continue
        sentence = f"{_REFERENCES.get(row.reference, 'The reference')} {_scored(row)} stands outside the ranks"
        against = shown.edition.comparison.get("references", {}).get(row.entry["submission"])
        if against:
            n_ahead, n_behind = (int(unpacked(against[name], n_ranked).sum()) for name in ("worse", "better"))
            sentence += (
                f"; of {_n(n_ranked, 'ranked system')}, {n_ahead} tested as better than it and {n_behind} as worse"
            )
        yield f"{sentence}."


def _scored(row: Row) -> str:
    ends = f" {interval(row.interval, row.scale)}" if row.interval else ""
    return f"{row.name} ({score(row.headline, row.scale)}{ends})"


def _on_power(board: DrawerBoard) -> Iterator[str]:
    shown = board.shown
    scale = shown.edition.precision.roughly(shown.scenario.scale)
    power = power_of(shown.edition, shown.scenario.unit, scale=scale)
    if power and power.test and not power.is_few:
        units, size = f"{amount(power.n_units)} {power.unit_words[1]}", about(power.test.detectable, power.scale)
        yield f"With {units}, a difference of about {size} is detected four times out of five."


def _on_method(boards: Sequence[DrawerBoard]) -> Iterator[str]:
    for board in boards:
        if text := _intervals(board):
            yield f"{board.title}: {text}"
        if tested := _tests(board):
            yield f"{board.title}: {tested}"
    yield (
        "All systems of a board are scored on the same resamples. A range of ranks holds every place that the tests "
        "leave open; systems of one letter cannot be told apart from the first of them. That two systems are not told "
        "apart does not mean that they are equal."
    )


def _intervals(board: DrawerBoard) -> str:
    """Say how intervals were made; "" unless all were made alike."""
    entries = [row.entry for row in board.shown.rows if row.is_compared]
    made = {(entry["n_units"], entry["n_resamples"], entry["confidence_level"]) for entry in entries}
    methods = sorted({_METHODS[how] for entry in entries if (how := entry["interval_method"]) in _METHODS})
    if len(made) != 1 or not methods:
        return ""
    ((n_units, n_resamples, level),) = made
    if methods == [_JACKKNIFE]:
        return (
            f"brackets hold {percent(level)} intervals by a grouped jackknife over {amount(n_units)} blocks of units, "
            "as the judge gives each run one total."
        )
    units = units_in_words(n_units, board.shown.scenario.unit)
    return (
        f"brackets hold {percent(level)} {enumerated(methods)} bootstrap intervals of {amount(n_resamples)} resamples "
        f"of {units}."
    )


def _tests(board: DrawerBoard) -> str:
    facts = board.shown.edition.comparison
    if not facts or len(board.ranked) < 2:
        return ""
    seed = f" (seed {facts['seed']})" if facts.get("seed") else ""
    warnings = " ".join(from_engine(warning) for warning in facts.get("warnings", ()))
    sentence = (
        f"all pairs of ranked systems were compared by a step-down max-T test on {tested_in_words(facts)}, with "
        f"{amount(facts['n_resamples'])} resamples{seed}, so that with {percent(facts['confidence_level'])} confidence "
        "all differences that the board claims are there."
    )
    apart = " References were tested apart from these." if facts["references"] else ""
    return f"{sentence}{apart} {warnings}".strip()


def _n(number: int, noun: str) -> str:
    """Return a number of things, whose plural in English ends with an s."""
    return f"{amount(number)} {noun}{'' if number == 1 else 's'}"


def as_latex(parts: Sequence[Part], remarks: Sequence[str]) -> str:
    lines = [*(f"% {' '.join(remark.split())}" for remark in remarks), r"\section{Results}", ""]
    for part in parts:
        lines += [rf"\subsection{{{escaped(part.title)}}}", ""]
        for paragraph in part.paragraphs:
            lines += [escaped(" ".join(paragraph.split())), ""]
        if part.board:
            lines += _table(part.board)
    return "\n".join(lines)


def _table(board: DrawerBoard) -> list[str]:
    name = "combined" if isinstance(board.shown.scenario, CombinedScore) else f"scenario{board.shown.scenario.number}"
    return [
        r"\begin{table}",
        r"\centering",
        rf"\input{{{board.path}.tex}}",
        rf"\caption{{{escaped(board.title)}.}}",
        rf"\label{{tab:{board.shown.phase.slug}-{name}}}",
        r"\end{table}",
        "",
    ]


def as_markdown(parts: Sequence[Part], remarks: Sequence[str]) -> str:
    lines = ["# Results", "", *(f"> {in_markdown(remark)}\n" for remark in remarks)]
    for part in parts:
        lines += [f"## {in_markdown(part.title)}", ""]
        for paragraph in part.paragraphs:
            lines += [in_markdown(paragraph), ""]
        if part.board:
            lines += [f"Table: [{part.board.path}.md]({part.board.path}.md)", ""]
    return "\n".join(lines)
