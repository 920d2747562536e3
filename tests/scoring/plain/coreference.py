"""Plain-Python evaluation of coreference: independent oracle of tests.

Every rule of `scoring/families/coreference/` is written out over sets of mentions, as the papers define it, and
computed in exact fractions; the engine computes the same from a sparse table. For small documents only: BLANC lists
all pairs of mentions, and CEAF tries all one-to-one matchings of entities.

An entity is a frozenset of mentions, a side of a document a list of disjoint entities, and a document a pair of sides
(gold, system).
"""

from fractions import Fraction
from itertools import combinations

METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")


def evaluate(documents, protocol, *, is_file=False):
    """All 22 scores; `is_file` if the one document was not in a folder, so that scorch averages nothing."""
    summed = totals(documents)
    scores = of_counts(summed) if protocol == "reference" else averaged(documents, protocol == "scorch", is_file)
    scores["lea"] = prf(summed, "lea_recall_sum", "gold_mentions", "lea_precision_sum", "system_mentions")
    scores["mention"] = prf(summed, "common_mentions", "gold_mentions", "common_mentions", "system_mentions")
    named = {
        f"{metric}_{part}": value
        for metric, values in scores.items()
        for part, value in zip(("recall", "precision", "f1"), values, strict=True)
    }
    return named | {"conll_f1": (named["muc_f1"] + named["b_cubed_f1"] + named["ceaf_e_f1"]) / 3}


def totals(documents):
    """The counts of all documents, added up."""
    counts = [counts_of(gold, system) for gold, system in documents]
    return {kind: sum(one[kind] for one in counts) for kind in counts[0]}


def counts_of(gold, system):
    """Every count of one document."""
    common = mentions_of(gold) & mentions_of(system)
    gold_links, system_links = links_of(gold), links_of(system)
    gold_others, system_others = pairs_of(mentions_of(gold)) - gold_links, pairs_of(mentions_of(system)) - system_links
    return {
        "gold_mentions": len(mentions_of(gold)),
        "system_mentions": len(mentions_of(system)),
        "common_mentions": len(common),
        "gold_entities": len(gold),
        "system_entities": len(system),
        "muc_correct": muc_correct(gold, system),
        "muc_gold": sum(len(entity) - 1 for entity in gold),
        "muc_system": sum(len(entity) - 1 for entity in system),
        "b_cubed_recall_sum": b_cubed(gold, system),
        "b_cubed_precision_sum": b_cubed(system, gold),
        "ceaf_m_sum": best_matching(gold, system, lambda k, s: len(k & s)),
        "ceaf_e_sum": best_matching(gold, system, lambda k, s: Fraction(2 * len(k & s), len(k) + len(s))),
        "blanc_coreference_correct": len(gold_links & system_links),
        "blanc_coreference_gold": len(gold_links),
        "blanc_coreference_system": len(system_links),
        "blanc_non_coreference_correct": len(gold_others & system_others),
        "blanc_non_coreference_gold": len(gold_others),
        "blanc_non_coreference_system": len(system_others),
        "gold_singletons": sum(len(entity) == 1 for entity in gold),
        "system_singletons": sum(len(entity) == 1 for entity in system),
        "lea_recall_sum": lea(gold, system),
        "lea_precision_sum": lea(system, gold),
    }


def mentions_of(entities):
    return frozenset().union(*entities)


def pairs_of(mentions):
    return {frozenset(pair) for pair in combinations(mentions, 2)}


def links_of(entities):
    """All pairs of mentions in one entity."""
    return set().union(*map(pairs_of, entities))


def muc_correct(gold, system):
    """Return each gold entity's size less the number of pieces into which the system cuts it (Vilain et al. 1995)."""
    correct = 0
    for entity in gold:
        pieces = {entity & other for other in system if entity & other}
        alone = entity - mentions_of(system)
        correct += len(entity) - (len(pieces) + len(alone))
    return correct


def b_cubed(own, other):
    """Return each mention's share of its entity that its entity on the other side has (Bagga and Baldwin 1998)."""
    return sum(
        Fraction(len(entity & another), len(entity))
        for entity in own
        for mention in entity
        for another in other
        if mention in another
    )


def best_matching(gold, system, weight):
    """The greatest sum of weights of entities matched one to one, all matchings tried (Luo 2005)."""
    if not gold:
        return 0
    first, *rest = gold
    alone = best_matching(rest, system, weight)
    return max(
        [alone]
        + [
            weight(first, entity) + best_matching(rest, system[:index] + system[index + 1 :], weight)
            for index, entity in enumerate(system)
            if first & entity
        ]
    )


def lea(own, other):
    """Size times resolution of each entity; a singleton has one link, to itself (Moosavi and Strube 2016)."""
    resolved = Fraction(0)
    for entity in own:
        links = lea_links(entity)
        resolved += len(entity) * Fraction(sum(len(links & lea_links(another)) for another in other), len(links))
    return resolved


def lea_links(entity):
    return pairs_of(entity) or {entity}


def of_counts(counts):
    """The five metrics from counts, as the reference scorer."""
    return {
        "muc": prf(counts, "muc_correct", "muc_gold", "muc_correct", "muc_system"),
        "b_cubed": prf(counts, "b_cubed_recall_sum", "gold_mentions", "b_cubed_precision_sum", "system_mentions"),
        "ceaf_m": prf(counts, "ceaf_m_sum", "gold_mentions", "ceaf_m_sum", "system_mentions"),
        "ceaf_e": prf(counts, "ceaf_e_sum", "gold_entities", "ceaf_e_sum", "system_entities"),
        "blanc": blanc(counts),
    }


def blanc(counts):
    """The mean over the kinds of links that the gold has."""
    kinds = [
        prf(counts, f"blanc_{kind}_correct", f"blanc_{kind}_gold", f"blanc_{kind}_correct", f"blanc_{kind}_system")
        for kind in ("coreference", "non_coreference")
        if counts[f"blanc_{kind}_gold"]
    ]
    return tuple(sum(values) / len(kinds) for values in zip(*kinds, strict=True)) if kinds else (0, 0, 0)


def averaged(documents, adds_singletons, is_file):
    """The five metrics of each document, averaged as by scorch.

    Recall is weighted by gold mentions, precision by system mentions, F1 by both.
    """
    scores, weights = [], []
    for gold, system in documents:
        added = mentions_of(system) - mentions_of(gold) if adds_singletons else []
        extended = [*gold, *(frozenset([mention]) for mention in added)]
        counts = counts_of(extended, system)
        scores.append(of_counts(counts) | {"blanc": scorch_blanc(extended, system, counts)})
        gold_mentions, system_mentions = counts["gold_mentions"], counts["system_mentions"]
        weights.append((gold_mentions, system_mentions, gold_mentions + system_mentions))
    if is_file:
        return scores[0]
    return {
        metric: tuple(
            divided(
                sum(weight[part] * score[metric][part] for weight, score in zip(weights, scores, strict=True)),
                sum(weight[part] for weight in weights),
            )
            for part in range(3)
        )
        for metric in METRICS
    }


def scorch_blanc(gold, system, counts):
    """Count as the reference scorer, except where a side or both have no links of the kind that counts."""
    if len(gold) == len(system) == len(mentions_of(gold)) == len(mentions_of(system)) == 1:
        return (1, 1, 1) if gold == system else (0, 0, 0)
    if not counts["blanc_coreference_gold"] and not counts["blanc_non_coreference_gold"]:
        return (0, 0, 0) if counts["blanc_non_coreference_system"] else (1, 1, 1)
    return blanc(counts)


def prf(counts, found, gold, right, system):
    recall, precision = divided(counts[found], counts[gold]), divided(counts[right], counts[system])
    return recall, precision, divided(2 * recall * precision, recall + precision)


def divided(numerator, denominator):
    return Fraction(numerator) / denominator if denominator else Fraction(0)
