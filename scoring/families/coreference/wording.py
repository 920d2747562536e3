"""Holds what people read about the family: its title, the titles of its scores, and what to upload."""

from collections.abc import Collection

from scoring.families.coreference.scores import ALL_METRICS
from scoring.family import HiddenMeaning, Options, OptionWords, Use
from scoring.messages import Message

TITLE = "Coreference: MUC, B³, CEAF, BLANC and the CoNLL average"

USES = (
    Use(
        "coreference",
        "Coreference",
        "Systems find which names, descriptions and pronouns of a text mean the same.",
    ),
)

# For organisers.
GOLD_LAYOUT = """\
All documents with all their entities, in the format that runs have to have: one file, or several in a zip archive.
In JSON a file for each document, named after it; columns and CorefUD may hold all documents in one file.
Columns and CorefUD need every token of the text.
"""

_METRIC_TITLES = {
    "muc": "MUC",
    "b_cubed": "B³",
    "ceaf_m": "CEAF, mentions",
    "ceaf_e": "CEAF, entities",
    "blanc": "BLANC",
    "lea": "LEA",
    "mention": "Mentions",
}
_PART_TITLES = {"recall": "recall", "precision": "precision", "f1": "F1"}

# Their order is that in which a site offers columns: each metric, F1 first.
SCORE_TITLES = {
    "conll_f1": "CoNLL average",
    **{
        f"{metric}_{part}": f"{_METRIC_TITLES[metric]}, {_PART_TITLES[part]}"
        for metric in ALL_METRICS
        for part in ("f1", "recall", "precision")
    },
}

_COUNT_TITLES = Message.words(
    {
        "gold_mentions": "Mentions of the gold",
        "system_mentions": "Mentions of the system",
        "common_mentions": "Mentions of both",
        "gold_entities": "Entities of the gold",
        "system_entities": "Entities of the system",
        "gold_singletons": "Entities of one mention, gold",
        "system_singletons": "Entities of one mention, system",
        "added_singletons": "Singletons added to the gold",
        "documents": "Documents",
        "missing_documents": "Documents not in the run",
        "muc_correct": "MUC: links of both",
        "muc_gold": "MUC: links of the gold",
        "muc_system": "MUC: links of the system",
        "b_cubed_recall_sum": "B³: sum of the mentions' recall",
        "b_cubed_precision_sum": "B³: sum of the mentions' precision",
        "ceaf_m_sum": "CEAF: mentions in matched entities",
        "ceaf_e_sum": "CEAF: similarity of matched entities",
        "blanc_coreference_correct": "BLANC: coreference links of both",
        "blanc_coreference_gold": "BLANC: coreference links of the gold",
        "blanc_coreference_system": "BLANC: coreference links of the system",
        "blanc_non_coreference_correct": "BLANC: other links of both",
        "blanc_non_coreference_gold": "BLANC: other links of the gold",
        "blanc_non_coreference_system": "BLANC: other links of the system",
        "lea_recall_sum": "LEA: sum for recall",
        "lea_precision_sum": "LEA: sum for precision",
    }
)

# Shown by a site wherever something can be uploaded.
LAYOUT = """\
One file, or several in one folder or zip archive, in UTF-8 and in the format of the gold. Documents are paired
with the gold's by their names.
JSON: one document a file, named after the file. Either
{"type": "clusters", "clusters": {"0": ["m1", "m2"], "1": ["m3"]}} or
{"type": "graph", "mentions": ["m1", "m2", "m3"], "links": [["m1", "m2"]]}.
CoNLL-2012 columns: documents between "#begin document (NAME); part 000" and "#end document", a token a line,
blank lines between sentences, and in the last column the entities that open or close: "(0", "0)", "(0)", "-".
CorefUD: CoNLL-U with "# newdoc id = NAME" and Entity=... in the tenth column.
A mention belongs to one entity. Columns need all tokens of the gold.
"""


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; singletons are added to the gold in the protocol `scorch` alone."""
    adds = options["protocol"] == "scorch"
    return {name: title for name, title in _COUNT_TITLES.items() if adds or name != "added_singletons"}


OPTION_WORDS: OptionWords = {
    "protocol": {
        "reference": "counted as the CoNLL reference scorer does",
        "scorch": "counted as scorch does",
        "scorch-functions": "counted as the functions of scorch do",
    },
    "singletons": {"keep": "entities of one mention count", "remove": "entities of one mention are left out"},
    "match": {"partial": "mentions match in part, with their head", "head": "mentions match by their heads"},
    "zeros": {"dependent": "empty nodes match by what they depend on"},
    "missing": {"refuse": "every document is needed", "empty": "missing documents count as empty"},
    "repeated": {"first": "a mention that is marked twice counts once", "refuse": "no mention may be marked twice"},
    "format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "json": "JSON",
        "conll": "CoNLL columns",
        "corefud": "CorefUD",
    },
}
