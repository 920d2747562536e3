"""Makes the board of somebody's table of systems and units, without storing anything."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import structlog
from django.conf import settings
from django.utils.translation import gettext as _

import scoring as engine
from evalsite.board_pages.board.charts import Axis, axis_of
from evalsite.board_pages.board.power import Plan
from evalsite.board_pages.board.sentence import BoardSentence, sentence_tested, units_in_words
from evalsite.comparisons.all_pairs import BLOCK, Matrix, matrix_among
from evalsite.comparisons.guide import Line, line_of
from evalsite.contrib.audit import work
from evalsite.jobs import sandbox
from evalsite.submissions.causes import explanation_from_json
from evalsite.submissions.checking import limits
from evalsite.submissions.engine_jobs import COMPARISONS
from evalsite.submissions.uploads import Upload
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE, better_low
from scoring.messages import Message
from scoring.readers.explanations import Explanation
from scoring.scale import Scale

log = structlog.get_logger()


class NotAudited(Exception):
    """There is no board; `causes` are those of the problems of the table, if it has any, and `words` else say why."""

    def __init__(self, words: str = "", causes: Sequence[Explanation] = ()) -> None:
        super().__init__(words)
        self.words = words
        self.causes = causes


@dataclass(frozen=True)
class System(Line):
    """A row of the board, with what a matrix of all pairs takes of it."""

    head: str  # the first of its group
    rough: Scale  # how differences are said

    key = own_mark = reference = ""
    is_own = False
    rough_share = SHARE

    @property
    def headline(self) -> float:
        return self.score


@dataclass(frozen=True)
class Audit:
    """The board of a table, the best system first."""

    lines: list[System]
    axis: Axis
    scale: Scale
    finding: BoardSentence
    plan: Plan | None
    matrix: Matrix
    unit: tuple[str, str]  # what is drawn, in the visitor's language
    facts: dict[str, Any]  # the child's answer

    @property
    def title(self) -> str:
        return better_low(_("Score"), lower_is_better=self.facts["lower_is_better"])

    @property
    def svg_address(self) -> str:
        return _address("image/svg+xml", self.facts["svg"])

    @property
    def latex_address(self) -> str:
        return _address("application/x-tex", self.facts["latex"])


def audit(upload: Upload, headings: Mapping[str, str], *, lower_is_better: bool) -> Audit:
    """Return the board of a table, or raise NotAudited; `headings` are keywords of the reader's `Headings`."""
    arguments = {
        "table": upload.named,
        "names": upload.names,
        "headings": headings,
        "n_resamples": settings.N_RESAMPLES_OF_TRIALS,
        "lower_is_better": lower_is_better,
        "most": BLOCK,
    }
    try:
        answer = sandbox.run(work.audit, arguments, limits.of_check(), loads=[COMPARISONS], reads=[str(upload.path)])
    except sandbox.LimitBroken as error:
        raise NotAudited(from_engine(limits.broken_audit(error.kind))) from error
    except (sandbox.Crashed, sandbox.NotStarted) as error:
        log.exception("a table could not be audited")
        raise NotAudited(_("The program that compares the systems stopped without an answer. Try again.")) from error
    if "error" in answer:
        raise NotAudited(from_engine(answer["error"]))
    if "causes" in answer:
        raise NotAudited(causes=[*map(explanation_from_json, answer["causes"])])
    return _audit(answer)


def _audit(answer: dict[str, Any]) -> Audit:
    table, unit = answer["table"], _GROUP if answer["is_grouped"] else _UNIT
    names, scores = [row["name"] for row in table], [row["score"] for row in table]
    intervals = {name: (low, high) for name, (low, high) in answer["intervals"].items()}
    axis = axis_of([*scores, *(end for ends in intervals.values() for end in ends)], scale=_SCALE)
    assert axis is not None
    scale = _SCALE.fitted(scores, intervals.values())
    separated = np.array(answer["separated"], dtype=bool)
    heads: dict[str, str] = {}
    for row in table:
        heads.setdefault(row["group"], row["name"])
    lines = [System(**vars(line_of(row, intervals, axis)), head=heads[row["group"]], rough=scale) for row in table]
    power = answer["power"]
    return Audit(
        lines=lines,
        axis=axis,
        scale=scale,
        finding=sentence_tested(
            *(names, scores, separated, units_in_words(answer["n_units"], unit), answer["n_units"], scale),
            lower_is_better=answer["lower_is_better"],
        ),
        plan=Plan(engine.Power(**power), unit) if power else None,
        matrix=matrix_among(lines, separated, np.array(answer["p_adjusted"])),
        unit=(from_engine(unit[0]), from_engine(unit[1])),
        facts=answer,
    )


_SCALE = Scale(decimals=None)
_UNIT, _GROUP = Message.noun("unit", "units"), Message.noun("group", "groups")


def _address(kind: str, content: str) -> str:
    """Return an address that holds the content itself, since nothing is stored that one could lead to."""
    return f"data:{kind};base64,{base64.b64encode(content.encode()).decode()}"
