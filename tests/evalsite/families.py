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


QRELS = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d4 1\nq3 0 d5 0\n"
# The best at the second place, one missing; a query left out, and one without a relevant document.
RANKED = "q1 Q0 d3 1 3.5 ours\nq1 Q0 d1 2 2.5 ours\nq1 Q0 <d9> 3 1.5 ours\nq3 Q0 d5 1 1.0 ours\n"


def make_ranked(organiser: User, team: Team, uploader: User, **phase: object) -> Submission:
    """A scored run of the ranking family."""
    files = ({"qrels.txt": QRELS}, {"run.txt": RANKED})
    return _scored_run("searches", "ranking", {}, *files, organiser, team, uploader, phase)


NOTICES = "id,value,kind,said\nn1,1,short,Well & good.\nn2,2.5,short,So\nn3,4,long,Then\nn4,5,long,Now\n"
# Exactly right, near enough, too low, too high.
JUDGED = "id,value\nn1,1\nn2,2.25\nn3,2\nn4,7\n"


def make_judged(organiser: User, team: Team, uploader: User, **phase: object) -> Submission:
    """A scored run of the numbers family."""
    options = {"tolerance": 0.5, "slices": "kind", "text": "said", "headline": "rmse"}
    files = ({"gold.csv": NOTICES}, {"run.csv": JUDGED})
    return _scored_run("judgements", "numbers", options, *files, organiser, team, uploader, phase)


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


# One bracket a mention: "(1 Anna) sees (2 (1 her) mother)". The system misses the brother and the judge, finds
# Nobody, gives one of the lawyer's mentions to Anna, and splits the brother.
GOLD_CHAINS = {
    "the trial": (
        "(1 Anna Berg) met (2 (3 the lawyer) 's brother) in (4 the old court) .",
        "(1 She) gave (2 him) (5 a <letter>) for (3 her) .",
        "(2 He) read (5 it) aloud , and (3 the lawyer) smiled at (2 (1 her) friend) .",
        "Nobody in (4 the court) had seen (6 a judge) leave .",
    ),
    "a letter": ("(1 Anna) sees (2 (1 her) mother) .", "(2 She) waves ."),
}
CHAINS = {
    "the trial": (
        "(1 Anna Berg) met (2 the lawyer) 's brother in (3 the old court) .",
        "(1 She) gave (4 him) (5 a <letter>) for (1 her) .",
        "(4 He) read (5 it) aloud , and (2 the lawyer) smiled at (6 (1 her) friend) .",
        "(7 Nobody in (3 the court)) had seen a judge leave .",
    ),
    "a letter": GOLD_CHAINS["a letter"],
}


def columns(documents: dict[str, tuple[str, ...]]) -> str:
    """The documents as CoNLL-2012 columns."""
    return "".join(
        f"#begin document ({name});\n" + "\n".join(map(_rows, sentences)) + "\n#end document\n"
        for name, sentences in documents.items()
    )


def _rows(sentence: str) -> str:
    rows, opening, inside = [], [], []
    for part in sentence.split():
        if part.startswith("("):
            opening.append(part)
            continue
        word = part.rstrip(")")
        inside += [each[1:] for each in opening]
        closing = [f"{inside.pop()})" for _ in range(len(part) - len(word))]
        rows.append(f"{word}\t{'|'.join(opening + closing) or '-'}\n")
        opening = []
    return "".join(rows)


CHAINS_AS_JSON = (
    {"type": "clusters", "clusters": {"k": ["m1", "m2", "m3"], "l": ["m4", "m5"], "m": ["m6"]}},
    {"type": "clusters", "clusters": {"x": ["m1", "m2"], "y": ["m3", "m4", "m7"]}},
)

GOLD_SENTENCES = (
    {
        "id": "d1",
        "words": ["Ann", "Lee", "visits", "the", "Bern", "zoo", ".", "It", "rains", "<hard>", "."],
        "spaces": [True, True, True, True, True, False, True, True, True, False, False],
        "tags": ["NNP", "NNP", "VBZ", "DT", "NNP", "NN", ".", "PRP", "VBZ", "RB", "."],
        "lemmas": ["Ann", "Lee", "visit", "the", "Bern", "zoo", ".", "it", "rain", "hard", "."],
        "morphs": ["Number=Sing", "Number=Sing", "Number=Sing|Person=3", "_", "Number=Sing", "Number=Sing"]
        + ["_", "Person=3", "Number=Sing|Person=3", "_", "_"],
        "heads": [2, 0, 2, 5, 5, 2, 2, 8, 8, 8, 8],
        "deps": ["nsubj", "flat", "ROOT", "det", "compound", "obj", "punct", "nsubj", "ROOT", "advmod", "punct"],
        "ents": [[0, 2, "PER", "Q1"], [3, 6, "ORG", "Q2"], [9, 10, "MISC"]],
        "spans": {"sc": [[0, 6, "VISIT"], [3, 6, "PLACE"]], "parts & more": [[0, 1, "FIRST"]]},
        "cats": {"TRAVEL": 1.0, "WEATHER": 1.0, "SPORT": 0.0},
    },
    {
        "id": "d 2/3",
        "words": ["Basel", "wins"],
        "spaces": [True, False],
        "tags": ["NNP", "VBZ"],
        "lemmas": ["Basel", "win"],
        "morphs": ["Number=Sing", "Number=Sing|Person=3"],
        "heads": [1, 1],
        "deps": ["nsubj", "ROOT"],
        "ents": [[0, 1, "ORG"]],
        "spans": {"sc": [], "parts & more": []},
        "cats": {"TRAVEL": 0.0, "WEATHER": 0.0, "SPORT": 1.0},
    },
)
# Other tags, lemmas, heads and labels; entities of another type and extent, and one too many; a missing span.
SENTENCES = (
    GOLD_SENTENCES[0]
    | {
        "tags": ["NNP", "NN", "VBZ", "DT", "NNP", "NN", ".", "PRP", "VBZ", "JJ", "."],
        "lemmas": ["Ann", "Lee", "visits", "the", "Bern", "zoo", ".", "it", "rain", "hard", "."],
        "heads": [2, 0, 2, 4, 2, 4, 2, 8, 8, 8, 8],
        "deps": ["nsubj", "flat", "ROOT", "det", "obj", "flat", "punct", "expl", "ROOT", "advmod", "punct"],
        "ents": [[0, 2, "ORG"], [4, 6, "ORG", "Q2"], [7, 8, "PER"]],
        "spans": {"sc": [[0, 6, "VISIT"]], "parts & more": [[0, 2, "FIRST"]]},
        "cats": {"TRAVEL": 0.8, "WEATHER": 0.3, "SPORT": 0.1},
    },
    GOLD_SENTENCES[1] | {"cats": {"TRAVEL": 0.2, "WEATHER": 0.1, "SPORT": 0.9}},
)
ITEMS = [
    *({"name": name} for name in ("tokenization", "tagger", "lemmatizer", "parser", "ner", "links", "seqeval")),
    *({"name": name} for name in ("nervaluate", "confusion", "textcat_multilabel")),
    {"name": "token_attr", "attr": "morph"},
    {"name": "morph_per_feat"},
    {"name": "spancat", "key": "sc"},
    {"name": "spancat", "key": "parts & more"},
]


def lines(documents: tuple[dict[str, object], ...]) -> str:
    """The documents as JSON Lines."""
    return "".join(json.dumps(each) + "\n" for each in documents)


def make_chained(organiser: User, team: Team, uploader: User, **phase: object) -> Submission:
    """A scored run of the coreference family, over texts."""
    files = ({"gold.conll": columns(GOLD_CHAINS)}, {"run.conll": columns(CHAINS)})
    return _scored_run("chains", "coreference", {}, *files, organiser, team, uploader, phase)


def make_listed(organiser: User, team: Team, uploader: User, **phase: object) -> Submission:
    """A scored run of the coreference family, mentions without a text."""
    files = ({"one.json": json.dumps(each)} for each in CHAINS_AS_JSON)
    return _scored_run("lists", "coreference", {}, *files, organiser, team, uploader, phase)


def make_parsed(organiser: User, team: Team, uploader: User, beta: float = 1, **phase: object) -> Submission:
    """A scored run of the spacy family, with nearly everything that it scores."""
    files = ({"gold.jsonl": lines(GOLD_SENTENCES)}, {"run.jsonl": lines(SENTENCES)})
    options = {"scores": ITEMS, "headline": "ents_f", "beta": beta}
    return _scored_run("trees", "spacy", options, *files, organiser, team, uploader, phase)


# A multiword token, which the run takes for a word, and a head, a feature and a document without an id that differ.
TREEBANK = """\
# newdoc id = d1
1\tLéa\tLéa\tPROPN\t_\tNumber=Sing\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\t_\tNumber=Sing|Tense=Pres\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\tDefinite=Def\t5\tdet\t_\t_
5\tpain\tpain\tNOUN\t_\tNumber=Sing\t2\tobl:arg\t_\t_

# newdoc id = d2
1\tOui\toui\tINTJ\t_\t_\t0\troot\t_\t_

"""
PARSED_TEXT = """\
# newdoc
1\tLéa\tLéa\tPROPN\t_\tNumber=Sing\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\t_\tNumber=Plur|Tense=Pres\t0\troot\t_\t_
3\tdu\tdu\tADP\t_\t_\t2\tcase\t_\t_
4\tpain\tpain\tNOUN\t_\tNumber=Sing\t2\tobl\t_\t_

1\tOui\toui\tINTJ\t_\t_\t0\troot\t_\t_

"""


def make_treebank(organiser: User, team: Team, uploader: User, **phase: object) -> Submission:
    """A scored run of the spacy family, by the metrics of Universal Dependencies."""
    options = {"scores": [{"name": "ud"}], "format": "conllu", "headline": "ud_las"}
    files = ({"gold.conllu": TREEBANK}, {"run.conllu": PARSED_TEXT})
    return _scored_run("treebank", "spacy", options, *files, organiser, team, uploader, phase)


SAID = (
    "a-1\tMind the 'gap', please\tanna\na-2\t\tanna\na-3\tthe <train> is late\tanna\n"
    "b-1\tyes\tbob\nb-2\twhere is it\tbob\nb-3\tplatform nine\tbob\n"
)
HEARD = "a-1\tmind gap please now\na-2\t\na-3\tthe <train> is late\nb-1\tyes\nb-2\twhere was it\nb-3\tplatform mine\n"


def make_transcribed(organiser: User, team: Team, uploader: User, **phase: object) -> Submission:
    """A scored run of the transcripts family, with two speakers."""
    options = {"case": "lower", "punctuation": "remove"}
    files = ({"gold.tsv": SAID}, {"run.tsv": HEARD})
    return _scored_run("calls", "transcripts", options, *files, organiser, team, uploader, phase)
