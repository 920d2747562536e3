"""One document of gold and system turned into counts."""

from scoring.families.coreference import b_cubed, blanc, ceaf, lea, muc
from scoring.families.coreference.overlap import Overlap

Counts = dict[str, int | float]

# In the order in which `metric_counts` and `counts` give them.
KINDS = (
    "gold_mentions",
    "system_mentions",
    "common_mentions",
    "gold_entities",
    "system_entities",
    "muc_correct",
    "muc_gold",
    "muc_system",
    "b_cubed_recall_sum",
    "b_cubed_precision_sum",
    "ceaf_m_sum",
    "ceaf_e_sum",
    "blanc_coreference_correct",
    "blanc_coreference_gold",
    "blanc_coreference_system",
    "blanc_non_coreference_correct",
    "blanc_non_coreference_gold",
    "blanc_non_coreference_system",
    "gold_singletons",
    "system_singletons",
    "lea_recall_sum",
    "lea_precision_sum",
)


def counts(overlap: Overlap) -> Counts:
    """All KINDS, of a document as it stands in the files."""
    lea_recall_sum, lea_precision_sum = lea.sums(overlap)
    return metric_counts(overlap) | {
        "gold_singletons": overlap.gold.count(1),
        "system_singletons": overlap.system.count(1),
        "lea_recall_sum": lea_recall_sum,
        "lea_precision_sum": lea_precision_sum,
    }


def metric_counts(overlap: Overlap) -> Counts:
    """What MUC, B³, CEAF and BLANC are made of."""
    muc_correct, muc_gold, muc_system = muc.links(overlap)
    recall_sum, precision_sum = b_cubed.sums(overlap)
    coreference = blanc.coreference(overlap)
    others = blanc.non_coreference(overlap, coreference)
    return {
        "gold_mentions": overlap.gold_mentions,
        "system_mentions": sum(overlap.system),
        "common_mentions": overlap.common,
        "gold_entities": overlap.gold_entities,
        "system_entities": len(overlap.system),
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
        "blanc_non_coreference_correct": others.correct,
        "blanc_non_coreference_gold": others.gold,
        "blanc_non_coreference_system": others.system,
    }
