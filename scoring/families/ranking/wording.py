"""Holds what people read: the layout of both files, an example of a run, and the titles of scores and counts."""

from collections.abc import Collection

from scoring.families.ranking.names import FURTHER, SNIPPETS, score_names, title_of
from scoring.family import HiddenMeaning, Options, OptionWords, Use, no_text
from scoring.messages import Message

USES = (
    Use("retrieval", "Retrieval", "Systems rank the documents of a collection for each query, the best first."),
    Use(
        "reranking",
        "Reranking",
        "Systems put a given list of documents or passages for each query into a better order.",
        {"cutoffs": "1,5,10", "headline": "mrr_10", "depth": 100},
    ),
    Use(
        "answer-retrieval",
        "Retrieval for question answering",
        "Systems rank passages for each question; what counts is whether one with the answer is among the first.",
        {"cutoffs": "1,5,20,100", "headline": "success_20"},
    ),
    Use(
        "link-prediction",
        "Link prediction",
        "Systems rank the entities that may complete a fact of a knowledge graph (hits at k are success at k).",
        {"cutoffs": "1,3,10", "headline": "mrr"},
    ),
    Use(
        "recommendation",
        "Recommendation",
        "Systems rank items for each user.",
        {"cutoffs": "5,10,20", "headline": "ndcg_10"},
    ),
    Use(
        "semantic-search",
        "Matching texts",
        "Systems rank texts by how well they match another one: duplicates, evidence for a claim, earlier fact-checks.",
        {"cutoffs": "1,5,10", "headline": "map"},
    ),
    Use(
        "documents-of-questions",
        "Documents of questions, as in BioASQ",
        "Systems rank up to ten documents for each question, in one JSON with all their answers.",
        {"measures": "sets,bioasq", "headline": "bioasq_map", "depth": 10, "cutoffs": "10"},
    ),
    Use(
        "snippets-of-questions",
        "Snippets of questions, as in BioASQ",
        "Systems rank up to ten stretches of texts for each question, in one JSON with all their answers.",
        {"items": "snippets", "depth": 10},
    ),
)

LAYOUT = """\
One text file in UTF-8, alone or in a zip archive, with a line for each document of each query, in TREC's six columns
(query, Q0, document, rank, score, name of the run), with blanks between:
q1 Q0 d07 1 9.25 ours
Documents are ordered by falling score; the rank says nothing. Of equal scores the higher name comes first.
Or three columns with tabs between: query, document, score. Or JSON: {"q1": {"d07": 9.25}}.
Blank lines, and lines that begin with #, are skipped.
As in BioASQ: its file of JSON, with the documents of each question, the best first; or with its snippets, each with
document, both sections and both offsets, where the task ranks these.
The gold says which documents are relevant to a query, in the same kinds of file.
"""

# For organisers.
GOLD_LAYOUT = """\
One text file of judgements (qrels) in TREC's four columns (query, 0, document, relevance), with blanks between:
q1 0 d07 2
Or three columns with tabs between: query, document, relevance. Or JSON: {"q1": {"d07": 2}}.
Relevance is an integer: 0 is not relevant, more is better; below 0 it is not judged.
The queries of this file are those that are scored.
"""

# Titles of the scores with the cutoffs that people use; whatever others are chosen, `score_titles` says.
_USUAL_CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
_NAMES = [*score_names({"cutoffs": _USUAL_CUTOFFS, "measures": FURTHER}), *SNIPPETS]
SCORE_TITLES = {name: title_of(name) for name in _NAMES}

_COUNT_TITLES = Message.words(
    {
        "queries": "Queries",
        "num_q": "Queries scored",
        "num_ret": "Documents retrieved",
        "num_rel": "Relevant documents",
        "num_rel_ret": "Relevant documents retrieved",
        "gold_characters": "Characters of the gold",
        "run_characters": "Characters of the run",
        "shared_characters": "Characters of both",
        "missing_queries": "Queries not in the run",
        "ignored_queries": "Queries of the run not in the gold",
        "empty_queries": "Queries without a relevant document",
        "cut_documents": "Documents beyond the depth, left out",
    }
)


def unit(options: Options) -> tuple[str, str]:
    """Return what a row of counts stands for, in singular and plural."""
    return Message.noun("query", "queries")


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; what was cut says something only where there is a depth."""
    is_deep = options["depth"] is None or options["over_depth"] == "refuse"
    of_snippets = [name for name in _COUNT_TITLES if name.endswith("_characters")]
    of_documents = ["num_ret", "num_rel", "num_rel_ret", "cut_documents"]
    others = of_documents if options.get("items") == "snippets" else of_snippets
    others = [*others, "cut_documents"] if is_deep else others
    return {name: title for name, title in _COUNT_TITLES.items() if name not in others}


def score_titles(options: Options) -> dict[str, str]:
    """Return {score: its name for people}, in the order of display."""
    return {name: title_of(name) for name in score_names(options)}


OPTION_WORDS: OptionWords = {
    "items": {
        "documents": HiddenMeaning("documents"),
        "snippets": "snippets are ranked, by the characters that they share",
    },
    "missing": {"zero": "queries that are not in a run count 0", "skip": "queries that are not in a run are left out"},
    "over_depth": {"refuse": "runs with more are refused", "cut": "what follows is left out"},
    "gain": {"linear": "gain is the grade", "exponential": "gain grows exponentially with the grade"},
    "empty_queries": {
        "zero": "queries without a relevant document count 0",
        "skip": "queries without a relevant document are left out",
    },
    "judged_only": {"true": "documents that are not judged are taken out"},
    "precision": {"double": "scores in double precision", "single": "scores in single precision"},
    "order": {"score": "three columns and JSON hold scores", "rank": "three columns and JSON hold ranks"},
    "unknown": {"warn": HiddenMeaning("they are left aside with a warning"), "refuse": "no further query is taken"},
    "headline": no_text,  # the page says by what the board is ranked
    "cutoffs": no_text,  # the names of the scores say them
    "measures": no_text,
    "persistence": lambda persistence: Message(
        "persistence-said",
        "a user goes on to the next document with probability {persistence}",
        persistence=persistence,
    ),
    "relevance": lambda grade: Message("relevance-said", "relevant from grade {grade} on", grade=grade),
    "depth": lambda depth: Message("depth-said", "the first {depth} documents count", depth=depth),
}
