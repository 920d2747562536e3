"""The counts of one document, from its table of common mentions: everything that the metrics are made of.

Plain Python, because the command `scorch` ends before NumPy would be imported.
"""

from scoring.families.coreference.measures import b_cubed, blanc, ceaf, lea, muc
from scoring.families.coreference.measures.overlap import Overlap

# {kind of count: number}; sums of fractions are floats, all others integers.
Counts = dict[str, int | float]

# In the order in which `document_counts` gives them.
COUNT_KINDS = (
    # The sizes of both sides.
    "gold_mentions",
    "system_mentions",
    "common_mentions",
    "gold_entities",
    "system_entities",
    # Links that keep entities together, one less than mentions.
    "muc_correct",
    "muc_gold",
    "muc_system",
    # The recall and the precision of all mentions.
    "b_cubed_recall_sum",
    "b_cubed_precision_sum",
    # The weight of the best one-to-one matching of entities: by common mentions, and by the share of them.
    "ceaf_m_sum",
    "ceaf_e_sum",
    # Pairs of mentions in one entity, and pairs of mentions in two.
    "blanc_coreference_correct",
    "blanc_coreference_gold",
    "blanc_coreference_system",
    "blanc_non_coreference_correct",
    "blanc_non_coreference_gold",
    "blanc_non_coreference_system",
    # Entities of one mention.
    "gold_singletons",
    "system_singletons",
    # The resolution of all entities, each times its size.
    "lea_recall_sum",
    "lea_precision_sum",
)


def document_counts(overlap: Overlap) -> Counts:
    """Return all COUNT_KINDS of a document as it stands in the files."""
    lea_recall_sum, lea_precision_sum = lea.sums(overlap)
    return metric_counts(overlap) | {
        "gold_singletons": overlap.gold_sizes.count(1),
        "system_singletons": overlap.system_sizes.count(1),
        "lea_recall_sum": lea_recall_sum,
        "lea_precision_sum": lea_precision_sum,
    }


def metric_counts(overlap: Overlap) -> Counts:
    """Return what MUC, B³, CEAF and BLANC are made of; the table may have singletons added to the gold.

    LEA and the counts of singletons are not among these: every protocol takes them from the files as they are.
    """
    muc_correct, muc_gold, muc_system = muc.links(overlap)
    recall_sum, precision_sum = b_cubed.sums(overlap)
    coreference = blanc.coreference(overlap)
    non_coreference = blanc.non_coreference(overlap, coreference)
    return {
        "gold_mentions": overlap.gold_mentions,
        "system_mentions": overlap.system_mentions,
        "common_mentions": overlap.common_mentions,
        "gold_entities": overlap.gold_entities,
        "system_entities": overlap.system_entities,
        "muc_correct": muc_correct,
        "muc_gold": muc_gold,
        "muc_system": muc_system,
        "b_cubed_recall_sum": recall_sum,
        "b_cubed_precision_sum": precision_sum,
        "ceaf_m_sum": ceaf.mention_sum(overlap),
        "ceaf_e_sum": ceaf.entity_sum(overlap),
        "blanc_coreference_correct": coreference.correct,
        "blanc_coreference_gold": coreference.gold,
        "blanc_coreference_system": coreference.system,
        "blanc_non_coreference_correct": non_coreference.correct,
        "blanc_non_coreference_gold": non_coreference.gold,
        "blanc_non_coreference_system": non_coreference.system,
    }
