"""The plan of the demo task with tokens, trees, entities and categories."""

from typing import Any

from demo import spacy
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its announcements come out of a hand-made grammar; the city, its
trams and its festivals do not exist, and no team or score is real. Format and measures follow the documentation of
spaCy's scorer.

Systems read the announcements of a tram company and find

- **names** of stops, streets, lines and events, dates and times;
- the **tag** of each word and the **tree** of each sentence;
- what an announcement is about: any of eight **categories**, each with a score from 0 to 1.

The words are given and stay as they are. One file can be entered in all scenarios.
"""


def _scenario(
    name: str, description: str, headline: str, items: list[dict[str, Any]], *shown_scores: str
) -> ScenarioPlan:
    options = {"scores": items, "headline": headline, "tokens": "gold", "format": "jsonl"}
    return ScenarioPlan(name, description, "spacy", options, shown_scores)


def _gold(phase: str, number: int) -> File:
    return File("gold.jsonl", spacy.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    return [input_of(phase, "The announcements as words, without annotation.", spacy.inputs(phase))]


def _runs(phase: str) -> list[Run]:
    return runs_of(spacy.systems(phase), "jsonl")


TASK = TaskPlan(
    slug="spacy-demo",
    title="Names, trees and topics of tram announcements",
    summary="Find entities, parse sentences and tell categories. Synthetic data in JSON Lines, scored as spaCy does.",
    description=_DESCRIPTION,
    scenarios=(
        _scenario(
            "Names",
            "Entities of six kinds; extent and label have to be right. F1 over all kinds ranks.",
            "ents_f",
            [{"name": "ner"}, {"name": "nervaluate"}, {"name": "confusion"}],
            *("ents_f", "ents_p", "ents_r", "nervaluate_partial_f", "nervaluate_type_f"),
        ),
        _scenario(
            "Tags and trees",
            "Tags, heads and labels of all words; punctuation has no part in the trees. Labelled heads rank.",
            "dep_las",
            [{"name": "parser"}, {"name": "tagger"}],
            *("dep_las", "dep_uas", "tag_acc", "sents_f"),
        ),
        _scenario(
            "Categories",
            "A score for each of eight categories; the mean area under the curve ranks.",
            "cats_score",
            [{"name": "textcat_multilabel"}],
            *("cats_score", "cats_macro_f", "cats_micro_f", "cats_micro_p", "cats_micro_r"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
