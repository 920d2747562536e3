"""What people read: the family's title, the titles of its scores, the layout of an upload, a small example.

Scores that have no title here, such as those of span groups with other names, are shown by their keys.
"""

import json

from scoring.families.spacy.score_config import SCHEMES, UD_METRICS, UD_NAMES, file_format
from scoring.family import CLASSIFICATION, Options, Use

TITLE = "spaCy 3.8: tokens, tags, trees, entities, spans and categories"

USES = (
    Use(
        "named-entities",
        "Named entities",
        "Systems mark names in texts, such as those of people and places, and say of which kind each is.",
        {"scores": [{"name": "ner"}]},
    ),
    Use(
        "categories",
        "Categories of texts",
        "Systems say to which categories each text belongs.",
        {"scores": [{"name": "textcat_multilabel"}]},
        area=CLASSIFICATION,
    ),
    Use(
        "tags-and-trees",
        "Tags and trees",
        "Systems give each word its tag, its head and its part in the sentence.",
        {"scores": [{"name": "parser"}, {"name": "tagger"}], "headline": "dep_las"},
    ),
    Use(
        "universal-dependencies",
        "Universal Dependencies",
        "Systems cut raw text into sentences and words, and give each word its features, its lemma and its head.",
        {"scores": [{"name": "ud"}], "format": "conllu", "headline": "ud_las"},
    ),
    Use(
        "entity-links",
        "Links to a knowledge base",
        "Systems mark names in texts and say which entry of a knowledge base each one means.",
        {"scores": [{"name": "entity_linker"}, {"name": "ner"}]},
    ),
    Use(
        "annotated-texts",
        "Texts with several annotations",
        "Systems annotate texts in any of these ways, and with lemmas, morphology, sentences or spans.",
    ),
)

LAYOUT = """\
One file with all documents, alone or in a folder or zip archive:
JSON Lines (.jsonl), a document a line: {"id": "d1", "words": ["Ann", "Lee", "runs"], "ents": [[0, 2, "PER"]]}, and
with it any of "spaces", "tags", "pos", "lemmas", "morphs", "heads", "deps", "sent_starts", "spans" and "cats";
or what Doc.to_json() gives, with an "id"; or {"id": "d1", "ents": [[0, 7, "PER"]]} with characters of the gold's text.
CoNLL-U (.conllu), or columns with the word first and the tag, such as B-PER or O, last (.conll, .iob, .tsv, .txt).
Every document of the gold has to be there once, under its id. Tokens may differ, the text may not.
Several files are read if all are JSON Lines. Files in spaCy's own binary format are not read.
"""

# For organisers.
GOLD_LAYOUT = """\
One file with all documents and all that is scored in them: JSON Lines (.jsonl), CoNLL-U (.conllu) or columns (.conll).
Each document has an id of its own and its words, with "spaces" where the text between them matters.
A document in which nothing is to be found has an empty list, such as "ents": []; one without the key is not scored.
Files in spaCy's own binary format are not read.
"""

_PARTS = {"p": "precision", "r": "recall", "f": "F1"}


def _three(prefix: str, title: str) -> dict[str, str]:
    """The titles of PREFIX_p, PREFIX_r and PREFIX_f."""
    return {f"{prefix}_{letter}": f"{title}, {part}" for letter, part in _PARTS.items()}


# The order is that of tables of scores.
SCORE_TITLES = {
    **_three("ents", "Entities"),
    **_three("spans_sc", "Spans"),
    "dep_las": "Labelled heads (LAS)",
    "dep_uas": "Heads (UAS)",
    "tag_acc": "Tags",
    "pos_acc": "Parts of speech",
    "morph_acc": "Morphology",
    **_three("morph_micro", "Morphological features"),
    "lemma_acc": "Lemmas",
    **_three("sents", "Sentences"),
    "cats_score": "Categories",
    **_three("cats_micro", "Categories, micro"),
    **_three("cats_macro", "Categories, macro"),
    "cats_macro_auc": "Categories, mean area under the curve",
    "nel_score": "Links",
    **_three("nel_micro", "Links, micro"),
    **_three("nel_macro", "Links, macro"),
    **_three("nel_strict", "Links of all entities"),
    "token_acc": "Tokens, accuracy",
    **_three("token", "Tokens"),
    **{
        key: title
        for scheme in SCHEMES
        for key, title in _three(f"nervaluate_{scheme}", f"Entities, {scheme} match").items()
    },
    **_three("seqeval_micro", "Entities, exact, micro"),
    **_three("seqeval_macro", "Entities, exact, macro"),
    **_three("seqeval_weighted", "Entities, exact, weighted"),
    "seqeval_accuracy": "Entity tags, accuracy",
    # By the names of the shared task; the first words tell them from spaCy's.
    **{f"ud_{metric}": f"UD {UD_NAMES[metric]}" for metric in reversed(UD_METRICS)},
}

# Shown beside the headline on a board whose organisers have not chosen others, as far as they are scored.
MAIN_SCORES = ("ents_f", "dep_las", "cats_score", "tag_acc", "sents_f", "token_f") + (
    "ud_las",
    "ud_mlas",
    "ud_blex",
    "ud_clas",
    "ud_upos",
    "ud_words",
)

# What the gold of the example annotates, as JSON Lines; the other formats hold what they can of it.
_EXAMPLE = (
    {
        "id": "d1",
        "words": ["Ann", "Lee", "runs", "."],
        "spaces": [True, True, False, False],
        "tags": ["NNP", "NNP", "VBZ", "."],
        "heads": [2, 0, 2, 2],
        "deps": ["nsubj", "flat", "ROOT", "punct"],
        "ents": [[0, 2, "PER", "Q1"]],
        "spans": {"sc": [[0, 2, "NAME"], [0, 3, "CLAUSE"]]},
        "cats": {"SPORT": 1.0, "POLITICS": 0.0},
    },
    {
        "id": "d2",
        "words": ["Bern", "votes"],
        "spaces": [True, False],
        "tags": ["NNP", "VBZ"],
        "heads": [1, 1],
        "deps": ["nsubj", "ROOT"],
        "ents": [[0, 1, "LOC", "Q70"]],
        "spans": {"sc": [[0, 2, "CLAUSE"]]},
        "cats": {"SPORT": 0.0, "POLITICS": 1.0},
    },
)


def example(options: Options) -> dict[str, bytes]:
    """Two sentences with everything but lemmas and morphology, in the format that the options ask for."""
    if file_format(options) == "conllu":
        return {"example.conllu": _CONLLU.encode()}
    if options["format"] == "columns":
        return {"example.conll": b"Ann B-PER\nLee I-PER\nruns O\n. O\n\nBern B-LOC\nvotes O\n"}
    lines = (json.dumps(document, ensure_ascii=False) + "\n" for document in _EXAMPLE)
    return {"example.jsonl": "".join(lines).encode()}


_CONLLU = """\
# sent_id = d1
1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t3\tnsubj\t_\tEntity=B-PER
2\tLee\tLee\tPROPN\tNNP\tNumber=Sing\t1\tflat\t_\tEntity=I-PER
3\truns\trun\tVERB\tVBZ\tNumber=Sing|Person=3\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\tSpaceAfter=No

# sent_id = d2
1\tBern\tBern\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=B-LOC
2\tvotes\tvote\tVERB\tVBZ\tNumber=Sing|Person=3\t0\troot\t_\tSpaceAfter=No

"""
