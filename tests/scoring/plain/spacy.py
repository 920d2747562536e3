"""The scores of family `spacy` in plain Python, one document and one token at a time.

The oracle of tests: it takes documents in the regular form of JSON Lines, as dictionaries, and shares no code with the
engine. spaCy itself is the other oracle, where it is installed
(tests/scoring/families/spacy/test_spacy_against_original.py).
"""

from itertools import accumulate

TOKEN_LISTS = {"tag": "tags", "pos": "pos", "lemma": "lemmas", "morph": "morphs"}


def scores(item, gold, system):
    """{score: value} of one item with all its arguments; None where nothing was scored."""
    pairs = [(own, other, aligned(own["words"], other["words"])) for own, other in zip(gold, system, strict=True)]
    return ITEMS[item["name"]](pairs, item)


def aligned(gold, system):
    """The gold tokens of each system token, from the words of both sides."""
    gold_text = [(c, j) for j, word in enumerate(gold) for c in word.lower()]
    system_text = [(c, i) for i, word in enumerate(system) for c in word.lower()]
    x2y = [set() for _ in system]
    i = j = 0
    while i < len(system_text) and j < len(gold_text):
        (a, token), (b, gold_token) = system_text[i], gold_text[j]
        if a == b:
            x2y[token].add(gold_token)
            i, j = i + 1, j + 1
        elif a.isspace():
            i += 1
        elif b.isspace():
            j += 1
        else:
            raise ValueError("the texts differ")
    return [sorted(tokens) for tokens in x2y]


class Counts:
    """tp, fp and fn, summed over documents."""

    def __init__(self):
        self.tp = self.fp = self.fn = 0

    def compare(self, gold, system):
        self.tp += len(gold & system)
        self.fp += len(system - gold)
        self.fn += len(gold - system)

    @property
    def prf(self):
        p, r = divided(self.tp, self.tp + self.fp), divided(self.tp, self.tp + self.fn)
        return p, r, divided(2 * p * r, p + r)

    def named(self, prefix, *, none_if_empty=True):
        """PREFIX_p, PREFIX_r and PREFIX_f."""
        empty = none_if_empty and not self.tp + self.fp + self.fn
        return {f"{prefix}_{letter}": None if empty else value for letter, value in zip("prf", self.prf, strict=True)}


def summed(counts):
    total = Counts()
    for one in counts:
        total.tp, total.fp, total.fn = total.tp + one.tp, total.fp + one.fp, total.fn + one.fn
    return total


def divided(a, b):
    return a / b if b else 0.0


def mean(values):
    return divided(sum(values), len(values))


def spaces_of(document):
    return document["spaces"] or [True] * len(document["words"])


def characters(document):
    """(start, end) of each token in its own document's text."""
    steps = [len(word) + space for word, space in zip(document["words"], spaces_of(document), strict=True)]
    starts = [0, *accumulate(steps)]
    return [(start, start + len(word)) for start, word in zip(starts, document["words"], strict=False)]


def tokenization(pairs, item):
    n_inside = n_other = 0
    spans = Counts()
    for gold, system, x2y in pairs:
        if gold["spaces"] is None:
            continue
        proper = [i for i, word in enumerate(system["words"]) if not word.isspace()]
        n_inside += sum(len(x2y[i]) == 1 for i in proper)
        n_other += sum(len(x2y[i]) != 1 for i in proper)
        gold_words = zip(characters(gold), gold["words"], strict=True)
        spans.compare(
            {span for span, word in gold_words if not word.isspace()}, {characters(system)[i] for i in proper}
        )
    if not n_inside + n_other:
        return dict.fromkeys(("token_acc", "token_p", "token_r", "token_f"))
    return {"token_acc": n_inside / (n_inside + n_other)} | spans.named("token", none_if_empty=False)


def values_of(document, attr):
    """The value of each token, None where it is unset."""
    values = document.get(TOKEN_LISTS[attr]) or [None] * len(document["words"])
    if attr == "morph":
        return [None if value is None else "|".join(sorted(features(value))) or "_" for value in values]
    return [value or None for value in values]


def features(morph):
    """Each feature with its values sorted."""
    named = dict(feature.split("=") for feature in morph.split("|") if "=" in feature)
    return [f"{field}={','.join(sorted(values.split(',')))}" for field, values in named.items()]


def token_attr(pairs, item):
    counts = Counts()
    for gold, system, x2y in pairs:
        gold_values = values_of(gold, item["attr"])
        answers = zip(system["words"], x2y, values_of(system, item["attr"]), strict=True)
        counts.compare(
            {(i, value) for i, value in enumerate(gold_values) if value is not None},
            {
                (tokens[0], value)
                for word, tokens, value in answers
                if not word.isspace() and len(tokens) == 1 and gold_values[tokens[0]] is not None
            },
        )
    return {f"{item['attr']}_acc": counts.named("")["_f"]}


def morph_per_feat(pairs, item):
    counts = Counts()
    for gold, system, x2y in pairs:
        gold_morphs = [features(value or "") for value in values_of(gold, "morph")]
        answers = zip(system["words"], x2y, values_of(system, "morph"), strict=True)
        counts.compare(
            {(i, feature) for i, own in enumerate(gold_morphs) for feature in own},
            {
                (tokens[0], feature)
                for word, tokens, value in answers
                if not word.isspace() and len(tokens) == 1 and gold_morphs[tokens[0]]
                for feature in features(value or "")
            },
        )
    return counts.named("morph_micro")


def missing_tokens(document):
    return {i for start, end in document.get("ents_missing", ()) for i in range(start, end)}


def has_ents(document):
    n = len(document["words"])
    return not n or (document["ents"] is not None and len(missing_tokens(document)) < n)


def entity_pairs(pairs):
    """Return for each document with annotated entities those of the gold and of the system on gold tokens."""
    for gold, system, x2y in pairs:
        if not has_ents(gold):
            continue
        missing = missing_tokens(gold)
        on_gold_tokens = []
        for start, end, label, *_ in sorted(system["ents"] or ()):
            tokens = [token for i in range(start, end) for token in x2y[i]]
            if tokens and not missing & set(range(tokens[0], tokens[-1] + 1)):
                on_gold_tokens.append((tokens[0], tokens[-1] + 1, label))
        yield sorted((start, end, label) for start, end, label, *_ in gold["ents"] or ()), sorted(on_gold_tokens)


def ner(pairs, item):
    counts = Counts()
    for gold, system in entity_pairs(pairs):
        for entity in system:
            if entity in gold:
                gold.remove(entity)
                counts.tp += 1
            else:
                counts.fp += 1
        counts.fn += len(gold)
    return counts.named("ents")


def sentence_starts(document):
    """1, -1 or 0 for each token; without any given, the leftmost token of each labelled root's tree starts one."""
    words, heads = document["words"], document.get("heads")
    if document.get("sent_starts") is not None:
        return document["sent_starts"]
    if heads is None:
        return [0] * len(words)
    starts = [-1] * len(words)
    seen = set()
    for token in range(len(words)):
        root = token
        while heads[root] != root:
            root = heads[root]
        if root not in seen and document["deps"][root]:
            starts[token] = 1
        seen.add(root)
    return starts


def spans_of(document, attr):
    """The (start, end, label) of a document, and whether it has them annotated."""
    if attr == "ents":
        return [(start, end, label) for start, end, label, *_ in sorted(document["ents"] or ())], has_ents(document)
    if attr == "sents":
        n, starts = len(document["words"]), sentence_starts(document)
        begins = [i for i in range(n) if i == 0 or starts[i] == 1]
        return [(i, j, "") for i, j in zip(begins, [*begins[1:], n], strict=False)], n <= 1 or any(starts[1:])
    groups = document.get("spans") or {}
    key = attr.removeprefix("spans_")
    return [(start, end, label) for start, end, label, *_ in groups.get(key, ())], key in groups


def compared_text(document, start, end):
    words, spaces = document["words"][start:end], spaces_of(document)[start:end]
    text = "".join(word + " " * space for word, space in zip(words[:-1], spaces[:-1], strict=True)) + words[-1]
    return text.lower().strip().replace(" ", "")


def spans(pairs, item):
    counts = Counts()
    for gold, system, x2y in pairs:
        gold_spans, is_annotated = spans_of(gold, item["attr"])
        system_spans, system_is_annotated = spans_of(system, item["attr"])
        if item["has_annotation"] and not is_annotated:
            continue
        if item["has_annotation"] and not system_is_annotated:
            system_spans = []
        taken, kept = set(), []
        for start, end, label in system_spans:
            tokens = [token for i in range(start, end) for token in x2y[i]]
            if not item["allow_overlap"]:
                tokens = [token for token in tokens if token not in taken]
            if not tokens:
                continue
            low, high = tokens[0], tokens[-1] + 1
            if compared_text(gold, low, high) == compared_text(system, start, end):
                kept.append((low, high, label))
                taken.update(tokens)
        size = 3 if item["labeled"] else 2
        counts.compare({span[:size] for span in gold_spans}, {span[:size] for span in kept})
    return counts.named(item["attr"])


def deps(pairs, item):
    uas, las = Counts(), Counts()
    missing = set()  # spaCy never empties it between documents
    for gold, system, x2y in pairs:
        gold_heads, gold_labels = tree_of(gold, item)
        heads, labels = tree_of(system, item)
        asked = set()
        for token, (head, label) in enumerate(zip(gold_heads, gold_labels, strict=True)):
            if not label or label in item.get("missing_values", ()):
                missing.add(token)
            elif label not in item["ignore_labels"]:
                asked.add((token, head, label))
        answers = set()
        for token, (head, label) in enumerate(zip(heads, labels, strict=True)):
            if system["words"][token].isspace() or label in item["ignore_labels"]:
                continue
            gold_token = x2y[token][0] if len(x2y[token]) == 1 else None
            gold_head = x2y[head][0] if len(x2y[head]) == 1 else None
            if gold_token in missing:
                continue
            if gold_token is None or gold_head is None:
                uas.fp += 1
                las.fp += 1
            else:
                answers.add((gold_token, gold_head, label))
        las.compare(asked, answers)
        uas.compare({edge[:2] for edge in asked}, {edge[:2] for edge in answers})
    if not uas.tp + uas.fp + uas.fn:
        return {"dep_uas": None, "dep_las": None}
    return {"dep_uas": uas.prf[2], "dep_las": las.prf[2]}


def tree_of(document, item):
    n = len(document["words"])
    labels = document.get("deps") or [""] * n
    return document.get("heads") or list(range(n)), [label.lower() if item["lowercase"] else label for label in labels]


def cats(pairs, item):
    labels = item["labels"]
    counts = {label: Counts() for label in labels}
    values = {label: [] for label in labels}  # (value of the system, value of the gold)
    for gold, system, _ in pairs:
        own = {label: value for label, value in gold["cats"].items() if label in labels}
        other = {label: value for label, value in system["cats"].items() if label in labels}
        for label in labels:
            if label in own or not item["multi_label"]:
                values[label].append((other.get(label, 0.0), own.get(label, 0.0)))
        if item["multi_label"]:
            for label, value in own.items():
                is_claimed = other.get(label, 0.0) >= item["threshold"]
                counts[label].tp += is_claimed and value > 0
                counts[label].fp += is_claimed and value == 0
                counts[label].fn += not is_claimed and value > 0
        elif other:
            best = max(other, key=other.get)
            wanted = max(own, key=own.get) if own else None
            if best == wanted:
                counts[best].tp += 1
            else:
                counts[best].fp += 1
                if wanted is not None:
                    counts[wanted].fn += 1
    return cats_scores(counts, values, item)


def cats_scores(counts, values, item):
    micro = summed(counts.values())
    macro = [mean([one.prf[k] for one in counts.values()]) for k in range(3)]
    areas = [area(values[label]) for label in item["labels"]]
    macro_auc = None if "NaN" in areas else mean([value or 0.0 for value in areas])
    if item["multi_label"]:
        score = macro_auc
    elif item["positive_label"] and len(counts) == 2:
        score = counts[item["positive_label"]].prf[2]
    else:
        score = macro[2]
    named = {f"cats_macro_{letter}": value for letter, value in zip("prf", macro, strict=True)}
    return micro.named("cats_micro", none_if_empty=False) | named | {"cats_macro_auc": macro_auc, "cats_score": score}


def area(values):
    """The share of pairs of a positive and another value that are in order; None or "NaN" where there is none."""
    if len({gold for _, gold in values}) != 2:
        return None
    positive = [value for value, gold in values if gold == 1]
    negative = [value for value, gold in values if gold != 1]
    if not positive:
        return "NaN"
    return mean([1.0 if a > b else 0.5 if a == b else 0.0 for a in positive for b in negative])


def links(pairs, item):
    by_type, strict_right, of_system, of_gold = {}, 0, 0, 0
    no_entry = set(item["negative_labels"])
    for gold, system, _ in pairs:
        own, other = linked(gold), linked(system)
        of_system += sum(kb not in no_entry for _, kb in other.values())
        of_gold += sum(kb not in no_entry for _, kb in own.values())
        for span, (_, system_kb) in other.items():
            if span not in own:
                continue
            label, kb = own[span]
            counts = by_type.setdefault(label, Counts())
            if kb in no_entry and system_kb in no_entry:
                continue
            counts.tp += kb == system_kb
            counts.fp += kb != system_kb and system_kb not in no_entry
            counts.fn += kb != system_kb and kb not in no_entry
            strict_right += kb == system_kb
    micro, strict = summed(by_type.values()), Counts()
    strict.tp, strict.fp, strict.fn = strict_right, of_system - strict_right, of_gold - strict_right
    macro = {f"nel_macro_{letter}": mean([one.prf[k] for one in by_type.values()]) for k, letter in enumerate("prf")}
    named = micro.named("nel_micro", none_if_empty=False) | macro | strict.named("nel_strict", none_if_empty=False)
    return named | {"nel_score": named["nel_micro_f"]}


def linked(document):
    """{characters: (label, id)} of the entities."""
    tokens = characters(document)
    return {
        (tokens[start][0], tokens[end - 1][1]): (label, kb[0] if kb else "")
        for start, end, label, *kb in document["ents"] or ()
    }


def nervaluate(pairs, item):
    counts = {scheme: dict.fromkeys(KINDS, 0) for scheme in ("strict", "exact", "partial", "type")}
    for gold, system in entity_pairs(pairs):
        for scheme, own in counts.items():
            free = list(gold)
            for entity in system:
                taken, kind = match(scheme, entity, free, item["min_overlap"])
                own[kind] += 1
                if taken is not None:
                    free.remove(taken)
            own["missed"] += len(free)
    named = {}
    for scheme, own in counts.items():
        taken = own["correct"] + own["incorrect"] + own["partial"]
        credit = own["correct"] + 0.5 * own["partial"]
        p, r = divided(credit, taken + own["spurious"]), divided(credit, taken + own["missed"])
        prf = zip("prf", (p, r, divided(2 * p * r, p + r)), strict=True)
        named |= {f"nervaluate_{scheme}_{letter}": value for letter, value in prf}
    return named


KINDS = ("correct", "incorrect", "partial", "missed", "spurious")


def match(scheme, entity, free, min_overlap):
    """The free entity of the gold that one of the system takes, and as what it counts."""
    start, end, label = entity
    near = [other for other in free if shares(entity, other, min_overlap)]
    if scheme == "strict":
        right = [other for other in free if other == entity]
    elif scheme == "type":
        same_type = [other for other in near if other[2] == label]
        right = sorted(same_type, key=lambda other: abs(other[0] - start) + abs(other[1] - end))
    else:
        right = [other for other in free if other[:2] == entity[:2]]
    if right:
        return right[0], "correct"
    if near:
        return near[0], "partial" if scheme == "partial" else "incorrect"
    return None, "spurious"


def shares(entity, gold, min_overlap):
    shared = min(entity[1], gold[1]) - max(entity[0], gold[0])
    return shared > 0 and 100 * shared / (gold[1] - gold[0]) >= min_overlap


def seqeval(pairs, item):
    """All but the accuracy."""
    by_type = {}
    for gold, system in entity_pairs(pairs):
        for label in {entity[2] for entity in gold + system}:
            counts = by_type.setdefault(label, Counts())
            counts.compare({e for e in gold if e[2] == label}, {e for e in system if e[2] == label})
    micro = summed(by_type.values())
    named = micro.named("seqeval_micro", none_if_empty=False)
    for k, letter in enumerate("prf"):
        named[f"seqeval_macro_{letter}"] = mean([one.prf[k] for one in by_type.values()])
        weighted = [(one.prf[k], one.tp + one.fn) for one in by_type.values()]
        named[f"seqeval_weighted_{letter}"] = divided(sum(v * n for v, n in weighted), sum(n for _, n in weighted))
    return named


ITEMS = {
    "tokenization": tokenization,
    "token_attr": token_attr,
    "morph_per_feat": morph_per_feat,
    "ner": ner,
    "spans": spans,
    "deps": deps,
    "cats": cats,
    "links": links,
    "nervaluate": nervaluate,
    "seqeval": seqeval,
}
