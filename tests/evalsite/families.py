"""Tasks of other families with a scored run: documents with spans, and questions with answers."""

import json
import re

from evalsite.accounts.models import Team, User
from evalsite.submissions.models import Submission
from tests.factories import make_gold, make_phase, make_scenario, make_submission, make_task, scored

QUESTIONS = (
    "QAC1-1001-01\t?\tWhere is Mie University?\n"
    "QAC1-1001-01\t1\tTsu\t990101001\nQAC1-1001-01\t1\tTsu City\t990101002\nQAC1-1001-01\t2\tMie\t990101003\n"
    "QAC1-1002-01\t1\tthe elder\t990807065\nQAC1-1003-01\n"
)
# Right at the second place, with an article that the gold lacks; one question left out; one rightly without answer.
ANSWERS = 'QAC1-1001-01: "Nagoya", 990101009, "Tsu", 990101009\nQAC1-1003-01\n'

TEXT = "Mirelle left Gorloin harbour. Ilmen & Kestrel sang.\nNobody <b>heard</b> Velmira."


def document(*spans: tuple[str, int, int], text: str = TEXT) -> str:
    """A document in MAT's JSON with spans (label, start, end), and its words and signs as tokens."""
    sets = [
        {"type": label, "annots": [[start, end] for each, start, end in spans if each == label]}
        for label in sorted({label for label, _, _ in spans})
    ]
    tokens = {"type": "lex", "annots": [token.span() for token in re.finditer(r"</?b>|\w+|[^\w\s]", text)]}
    return json.dumps({"version": 2, "metadata": {}, "signal": text, "asets": [tokens, *sets]})


# A match, another extent, another label, a missing and a spurious one, and two spans that cross.
GOLD_SPANS = (("PER", 0, 7), ("LOC", 13, 20), ("PER", 30, 35), ("PER", 38, 45), ("ORG", 30, 45), ("PER", 72, 79))
SYSTEM_SPANS = (("PER", 0, 7), ("LOC", 13, 28), ("LOC", 30, 35), ("ORG", 30, 45), ("MISC", 59, 67), ("ORG", 38, 50))
GOLD_DOCUMENTS = {
    "one.json": document(*GOLD_SPANS),
    "the second document.json": document(("PER", 0, 3), text="Ann"),
}
DOCUMENTS = {
    "one.json": document(*SYSTEM_SPANS),
    "the second document.json": document(("PER", 0, 3), text="Ann"),
}


def make_answered(organiser: User, team: Team, uploader: User, *, task: int = 1, **phase: object) -> Submission:
    """A scored run of the qac family."""
    files = ({"gold.txt": QUESTIONS}, {"run.txt": ANSWERS})
    return _scored_run("questions", "qac", {"task": task}, *files, organiser, team, uploader, phase)


def make_annotated(organiser: User, team: Team, uploader: User, **phase: object) -> Submission:
    """A scored run of the mat family."""
    options = {"content_annotations": "PER,LOC,ORG,MISC"}
    return _scored_run("spans", "mat", options, GOLD_DOCUMENTS, DOCUMENTS, organiser, team, uploader, phase)


def _scored_run(slug, family, options, gold, run, organiser, team, uploader, phase) -> Submission:
    task = make_task(slug, organiser)
    scenario = make_scenario(task, family=family, options=options)
    entered = make_phase(task, **phase)
    make_gold(entered, scenario, gold)
    return scored(make_submission(entered, team, uploader, run))
