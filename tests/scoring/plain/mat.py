"""Plain-Python evaluation of span annotations (mat): independent oracle of tests, baseline of the benchmark.

Every rule of `scoring/families/mat/` is written out in loops, span by span; the engine counts the same in arrays.
"""

import argparse
import json
import random
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from pathlib import Path

BASIC = ("match", "refclash", "missing", "hypclash", "spurious")
KINDS = ("correct", "incorrect", "partial", "missing", "spurious")
SCHEMAS = ("strict", "exact", "partial", "type")
RATIOS = ("precision", "recall", "fmeasure")
ACCURACIES = (
    "tag_sensitive_accuracy",
    "tag_sensitive_error_rate",
    "tag_blind_accuracy",
    "tag_blind_error_rate",
)
LABEL, START, END = range(3)  # a span: (label, start, end)


class Document:
    """Both sides of a document: `gold` and `system` are lists of spans, `tokens` sorted (start, end)."""

    def __init__(self, name, text, gold, system, tokens):
        self.name, self.text, self.gold, self.system, self.tokens = name, text, gold, system, tokens


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, help="folder of mat-json documents")
    parser.add_argument("system", type=Path, help="the same documents")
    parser.add_argument("--content", required=True, help="labels with commas between them")
    parser.add_argument("--resamples", type=int, default=0, help="for mean and variance")
    parser.add_argument("--output", type=Path, help="receives all tables as JSON")
    arguments = parser.parse_args(argv)
    documents = read(arguments.gold, arguments.system, set(arguments.content.split(",")))
    rng, indices = random.Random(0), range(len(documents))
    draws = (rng.choices(indices, k=len(documents)) for _ in range(arguments.resamples))
    result = evaluate(documents, draws=draws)
    if arguments.output:
        arguments.output.write_text(json.dumps(result), encoding="utf-8")
    print(json.dumps(result["scores"]))
    return 0


def read(gold_folder, system_folder, content):
    found = []
    for path in sorted(gold_folder.iterdir(), key=lambda path: path.name):
        text, gold, tokens = read_document(path, content)
        system_text, system, _ = read_document(system_folder / path.name, content)
        if text != system_text:
            raise SystemExit(f"{path.name}: signal differs from gold")
        found.append(Document(path.name, text, gold, system, tokens))
    return found


def read_document(path, content):
    document = json.loads(path.read_bytes())
    spans, tokens = [], []
    for annotations in document["asets"]:
        label = annotations["type"]
        if label in content:
            spans += [(label, row[0], row[1]) for row in annotations["annots"]]
        elif label == "lex":
            tokens += [(row[0], row[1]) for row in annotations["annots"]]
    for _, start, end in spans:
        if not 0 <= start < end <= len(document["signal"]):
            raise SystemExit(f"{path.name}: offset out of range")
    return document["signal"], spans, sorted(tokens)


def evaluate(documents, pairing="1.2", draws=()):
    """Tables, scores and counts as plain values; rows are lists of cells in the order of the columns.

    `draws` are lists of documents' indices, for the moments.
    """
    by_label, by_label_token, schemes, confusion = defaultdict(Counter), defaultdict(Counter), Counter(), Counter()
    with_tokens = have_token_table(documents)
    counted = [count(document, pairing, with_tokens) for document in documents]
    result = {"by_document": [], "details": []}
    for document, (counts, rows, token_counts) in zip(documents, counted, strict=True):
        add(by_label, counts)
        add(by_label_token, token_counts)
        result["by_document"].append(document_row(document.name, counts))
        result["details"] += rows
        count_partial(document, schemes, confusion)
    n_tokens = sum(len(document.tokens) for document in documents)
    totals = len(documents), n_tokens
    result["by_tag"] = [row(label, totals, counts) for label, counts in labelled(by_label)]
    result["by_token"] = []
    if with_tokens:
        result["by_token"] = [token_row(label, totals, counts) for label, counts in labelled(by_label_token)]
    result["partial"] = [[schema, *scheme_row(schemes, schema)] for schema in SCHEMAS]
    result["confusion"] = confusion_rows(confusion)
    result["moments"] = moments(counted, [len(document.tokens) for document in documents], draws, with_tokens)
    result["scores"] = scores(result, by_label)
    result["counts"] = {name: sum(counts[name] for counts in by_label.values()) for name in BASIC}
    result["counts"] |= {f"{schema}_{kind}": schemes[schema, kind] for schema in SCHEMAS for kind in KINDS}
    return result


def have_token_table(documents):
    if not any(document.tokens for document in documents):
        return False
    for document in documents:
        edges = {edge for token in document.tokens for edge in token}
        for _, start, end in document.gold + document.system:
            if start not in edges or end not in edges:
                return False
    return True


def add(totals, counts):
    for label, row in counts.items():
        totals[label].update(row)


def labelled(by_label):
    """The counts of each label in order, then their sum."""
    used = [(label, by_label[label]) for label in sorted(by_label) if sum(by_label[label].values())]
    return [*used, ("<all>", sum((counts for _, counts in used), Counter()))]


def count(document, pairing, with_tokens):
    """Tag counts by label, rows of details, token counts by label."""
    if pairing == "2.x":
        pairs, gold, system = assign(document.gold, document.system)
        tags, kinds = count_assigned(pairs, gold, system)
        tokens = count_assigned_tokens(pairs, gold, system, document.tokens) if with_tokens else {}
        return tags, detail_rows(document, kinds), tokens
    tags, kinds = count_tags(set(document.gold), set(document.system))
    tokens = count_tokens(document) if with_tokens else {}
    return tags, detail_rows(document, kinds), tokens


def count_tags(gold, system):
    """Counts by label, and (gold span, system span) pairs for the details, None for no partner."""
    counts, rows = defaultdict(Counter), []
    gold_partners = partners(gold, system)
    system_partners = partners(system, gold)
    listed = set()  # spans that have a row among the pairs of clashes
    for span in gold:
        kind = "match" if span in system else "refclash" if gold_partners[span] else "missing"
        counts[span[LABEL]][kind] += 1
        if kind == "match":
            rows.append((span, span))
        elif kind == "missing":
            rows.append((span, None))
        else:
            for other in gold_partners[span]:
                if other not in gold:
                    rows.append((span, other))
                    listed.add(("gold", span))
                    listed.add(("system", other))
            if ("gold", span) not in listed:
                rows.append((span, best(span, gold_partners[span])))
    for span in system:
        if span in gold:
            continue
        kind = "hypclash" if system_partners[span] else "spurious"
        counts[span[LABEL]][kind] += 1
        if kind == "spurious":
            rows.append((None, span))
        elif ("system", span) not in listed:
            rows.append((best(span, system_partners[span]), span))
    return counts, rows


def partners(spans, others):
    """The others that overlap each span."""
    others = sorted(others, key=lambda other: other[START])
    starts = [other[START] for other in others]
    longest = max((other[END] - other[START] for other in others), default=0)
    found = {}
    for span in spans:
        low = bisect_right(starts, span[START] - longest)
        high = bisect_left(starts, span[END])
        found[span] = [other for other in others[low:high] if other[END] > span[START]]
    return found


def best(span, others):
    return min(others, key=lambda other: (-overlap(span, other), other[START], other[END], other[LABEL]))


def overlap(a, b):
    return min(a[END], b[END]) - max(a[START], b[START])


def detail_rows(document, pairs):
    rows = []
    for gold, system in pairs:
        first, second = gold or system, system or gold
        key = (*first[START:], *second[START:], first[LABEL], second[LABEL], kind_of(gold, system))
        rows.append((key, detail_row(document, gold, system)))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def detail_row(document, gold, system):
    ends = [*(gold or (None,) * 3), *(system or (None,) * 3)]
    contents = [document.text[span[START] : span[END]] if span else None for span in (gold, system)]
    return [document.name, kind_of(gold, system), *ends, *contents]


def kind_of(gold, system):
    if system is None:
        return "missing"
    if gold is None:
        return "spurious"
    if gold[LABEL] == system[LABEL]:
        return "match" if gold == system else "spanclash"
    return "tagclash" if gold[START:] == system[START:] else "bothclash"


def count_tokens(document):
    gold = labels_of_tokens(set(document.gold), document.tokens)
    system = labels_of_tokens(set(document.system), document.tokens)
    counts = defaultdict(Counter)
    for i in gold.keys() | system.keys():
        r, h = gold.get(i, set()), system.get(i, set())
        for label in r & h:
            counts[label]["match"] += 1
        for label in r - h:
            counts[label]["refclash" if h else "missing"] += 1
        for label in h - r:
            counts[label]["hypclash" if r else "spurious"] += 1
    return counts


def labels_of_tokens(spans, tokens):
    starts = [start for start, _ in tokens]
    found = {}
    for label, start, end in spans:
        for i in range(bisect_left(starts, start), bisect_left(starts, end)):
            found.setdefault(i, set()).add(label)
    return found


def assign(gold, system):
    """The one-to-one pairs with the greatest sum of similarities, and the spans left over on both sides."""
    pairs, gold_left, system_left = [], [], []
    for run_gold, run_system in runs(gold, system):
        similarities = [[similarity(r, h) for h in run_system] for r in run_gold]
        chosen = assignment(similarities)
        taken = set()
        for i, r in enumerate(run_gold):
            j = chosen.get(i)
            if j is not None and similarities[i][j] > 0:
                pairs.append((r, run_system[j]))
                taken.add(j)
            else:
                gold_left.append(r)
        system_left += [h for j, h in enumerate(run_system) if j not in taken]
    return pairs, gold_left, system_left


def runs(gold, system):
    """The spans of both sides, cut where no span goes on."""
    both = [(0, span) for span in gold] + [(1, span) for span in system]
    run, reached = ([], []), 0
    for side, span in sorted(both, key=lambda entry: entry[1][START]):
        if span[START] >= reached:
            yield run
            run = [], []
        run[side].append(span)
        reached = max(reached, span[END])
    yield run


def similarity(r, h):
    if overlap(r, h) <= 0:
        return 0
    if r == h:
        return 1
    union = max(r[END], h[END]) - min(r[START], h[START])
    return 0.1 * (r[LABEL] == h[LABEL]) + 0.9 * overlap(r, h) / union


def assignment(values):
    """Row -> column with the greatest sum: rows are added one by one along the cheapest way to a free column."""
    if not values or not values[0]:
        return {}
    if len(values) > len(values[0]):
        turned = assignment([list(column) for column in zip(*values, strict=True)])
        return {row: column for column, row in turned.items()}
    n_columns = len(values[0])
    row_price, column_price = [0.0] * len(values), [0.0] * n_columns
    owner = [None] * n_columns
    for new in range(len(values)):
        cheapest, before, seen = [float("inf")] * n_columns, [None] * n_columns, set()
        row, column = new, None
        while True:
            step, following = float("inf"), None
            for j in range(n_columns):
                if j in seen:
                    continue
                cost = -values[row][j] - row_price[row] - column_price[j]
                if cost < cheapest[j]:
                    cheapest[j], before[j] = cost, column
                if cheapest[j] < step:
                    step, following = cheapest[j], j
            row_price[new] += step
            for j in range(n_columns):
                if j in seen:
                    row_price[owner[j]] += step
                    column_price[j] -= step
                else:
                    cheapest[j] -= step
            column = following
            if owner[column] is None:
                break
            seen.add(column)
            row = owner[column]
        while column is not None:
            earlier = before[column]
            owner[column] = new if earlier is None else owner[earlier]
            column = earlier
    return {row: column for column, row in enumerate(owner) if row is not None}


def count_assigned(pairs, gold, system):
    counts = defaultdict(Counter)
    for r, h in pairs:
        if r == h:
            counts[r[LABEL]]["match"] += 1
        else:
            counts[r[LABEL]]["refclash"] += 1
            counts[h[LABEL]]["hypclash"] += 1
    for r in gold:
        counts[r[LABEL]]["missing"] += 1
    for h in system:
        counts[h[LABEL]]["spurious"] += 1
    return counts, [*pairs, *((r, None) for r in gold), *((None, h) for h in system)]


def count_assigned_tokens(pairs, gold, system, tokens):
    """Counts by label; whatever of the spans is no common part of a pair is cut into pieces."""
    counts = defaultdict(Counter)
    gold, system = list(gold), list(system)
    for r, h in pairs:
        start, end = max(r[START], h[START]), min(r[END], h[END])
        n = tokens_within(tokens, start, end)
        count_pair(counts, r[LABEL], h[LABEL], n)
        gold += outside(r, start, end)
        system += outside(h, start, end)
    cuts = sorted({edge for _, *ends in gold + system for edge in ends})
    for start, end in zip(cuts, cuts[1:], strict=False):
        n = tokens_within(tokens, start, end)
        r = Counter(label for label, first, last in gold if first <= start and end <= last)
        h = Counter(label for label, first, last in system if first <= start and end <= last)
        if n and (r or h):
            count_piece(counts, r, h, n)
    return counts


def outside(span, start, end):
    label, first, last = span
    return [(label, a, b) for a, b in ((first, start), (end, last)) if a < b]


def tokens_within(tokens, start, end):
    first = bisect_left(tokens, (start, start))
    return sum(token_end <= end for _, token_end in tokens[first : bisect_left(tokens, (end, end))])


def count_pair(counts, r, h, n):
    if r == h:
        counts[r]["match"] += n
    else:
        counts[r]["refclash"] += n
        counts[h]["hypclash"] += n


def count_piece(counts, r, h, n):
    for label in (r & h).elements():
        count_pair(counts, label, label, n)
    rest_r, rest_h = sorted((r - h).elements()), sorted((h - r).elements())
    paired = min(len(rest_r), len(rest_h))
    for first, second in zip(rest_r[:paired], rest_h[:paired], strict=True):
        count_pair(counts, first, second, n)
    for label in rest_r[paired:]:
        counts[label]["missing"] += n
    for label in rest_h[paired:]:
        counts[label]["spurious"] += n


def count_partial(document, schemes, confusion):
    gold, system = set(document.gold), set(document.system)
    overlapping = [(r, h) for r, others in partners(gold, system).items() for h in others]
    taken_gold, taken_system = set(), set()
    for r, h in sorted(overlapping, key=partial_order):
        if r in taken_gold or h in taken_system:
            continue
        taken_gold.add(r)
        taken_system.add(h)
        confusion[r[LABEL], h[LABEL]] += 1
        same_label, same_extent = r[LABEL] == h[LABEL], r[START:] == h[START:]
        schemes["strict", "correct" if r == h else "incorrect"] += 1
        schemes["exact", "correct" if same_extent else "incorrect"] += 1
        schemes["partial", "correct" if same_extent else "partial"] += 1
        schemes["type", "correct" if same_label else "incorrect"] += 1
    for r in gold - taken_gold:
        confusion[r[LABEL], None] += 1
    for h in system - taken_system:
        confusion[None, h[LABEL]] += 1
    for schema in SCHEMAS:
        schemes[schema, "missing"] += len(gold) - len(taken_gold)
        schemes[schema, "spurious"] += len(system) - len(taken_system)


def partial_order(pair):
    r, h = pair
    same_label, same_extent = r[LABEL] == h[LABEL], r[START:] == h[START:]
    ends = (*r[START:], r[LABEL], *h[START:], h[LABEL])
    return not (same_label and same_extent), not same_extent, not same_label, -overlap(r, h), *ends


def row(label, totals, counts):
    match, refclash, missing, hypclash, spurious = (counts[name] for name in BASIC)
    refonly, hyponly = refclash + missing, hypclash + spurious
    gold_cells = [match, refclash, missing, refonly, refonly + match]
    return [label, *totals, *gold_cells, hypclash, spurious, hyponly, hyponly + match, *ratios(counts)]


def ratios(counts):
    match = counts["match"]
    reftotal = match + counts["refclash"] + counts["missing"]
    hyptotal = match + counts["hypclash"] + counts["spurious"]
    return precision_recall_f(match, hyptotal, reftotal)


def precision_recall_f(credit, hyptotal, reftotal):
    precision = credit / hyptotal if hyptotal else 1.0
    recall = credit / reftotal if reftotal else 1.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def token_row(label, totals, counts):
    return [*row(label, totals, counts), *accuracies(counts, totals[1])]


def accuracies(counts, n_tokens):
    if n_tokens == 0:
        return 1.0, 0.0, 1.0, 0.0
    blind = (n_tokens - counts["missing"] - counts["spurious"]) / n_tokens
    sensitive = (n_tokens - counts["refclash"] - counts["missing"] - counts["spurious"]) / n_tokens
    return sensitive, 1 - sensitive, blind, 1 - blind


def document_row(name, by_label):
    counts = sum(by_label.values(), Counter())
    reftotal = counts["match"] + counts["refclash"] + counts["missing"]
    hyptotal = counts["match"] + counts["hypclash"] + counts["spurious"]
    return [name, *(counts[kind] for kind in BASIC), reftotal, hyptotal, *ratios(counts)]


def scheme_row(schemes, schema):
    correct, incorrect, partial, missing, spurious = (schemes[schema, kind] for kind in KINDS)
    possible = correct + incorrect + partial + missing
    actual = correct + incorrect + partial + spurious
    found = precision_recall_f(correct + 0.5 * partial, actual, possible)
    return [correct, incorrect, partial, missing, spurious, possible, actual, *found]


def confusion_rows(confusion):
    def order(entry):
        (gold, system), _ = entry
        return gold is None, gold or "", system is None, system or ""

    return [[gold, system, n] for (gold, system), n in sorted(confusion.items(), key=order)]


def scores(result, by_label):
    found = dict(zip(("precision", "recall", "f1"), result["by_tag"][-1][12:], strict=True))
    found |= macro(by_label)
    token_names = ("token_precision", "token_recall", "token_f1", *ACCURACIES)
    token_cells = result["by_token"][-1][12:] if result["by_token"] else [None] * len(token_names)
    found |= dict(zip(token_names, token_cells, strict=True))
    for schema, *cells in result["partial"]:
        names = (f"{schema}_{name}" for name in ("precision", "recall", "f1"))
        found |= dict(zip(names, cells[7:], strict=True))
    return found


def macro(by_label):
    rows = []
    for counts in by_label.values():
        match = counts["match"]
        if match + counts["refclash"] + counts["missing"]:
            precision, recall, f1 = ratios(counts)
            rows.append(
                (precision, recall, f1) if match + counts["hypclash"] + counts["spurious"] else (0.0, recall, 0.0)
            )
    names = ("macro_precision", "macro_recall", "macro_f1")
    if not rows:
        return dict.fromkeys(names)
    return {name: sum(values) / len(rows) for name, values in zip(names, zip(*rows, strict=True), strict=True)}


def moments(counted, n_tokens, draws, with_tokens):
    """[mean, variance] of each metric: table -> label -> metric; a label without any count in a draw is left out."""
    columns = columns_of([tags for tags, _, _ in counted]), columns_of([tokens for _, _, tokens in counted])
    values = {"by_tag": {}, "by_token": {}}
    for draw in draws:
        collect(values["by_tag"], summed(columns[0], draw), None)
        if with_tokens:
            collect(values["by_token"], summed(columns[1], draw), sum([n_tokens[i] for i in draw]))
    return {
        table: {
            label: {metric: mean_and_variance(found) for metric, found in metrics.items()}
            for label, metrics in labels.items()
        }
        for table, labels in values.items()
    }


def columns_of(counted):
    """The counts of each label and kind, document by document."""
    nothing = Counter()
    return {
        label: {kind: [counts.get(label, nothing)[kind] for counts in counted] for kind in BASIC}
        for label in sorted({label for counts in counted for label in counts})
    }


def summed(by_label, draw):
    totals = {
        label: {kind: sum([column[i] for i in draw]) for kind, column in columns.items()}
        for label, columns in by_label.items()
    }
    return {**totals, "<all>": {kind: sum(counts[kind] for counts in totals.values()) for kind in BASIC}}


def collect(values, totals, n_tokens):
    for label, counts in totals.items():
        if label != "<all>" and not any(counts.values()):
            continue
        metrics = dict(zip(RATIOS, ratios(counts), strict=True))
        if n_tokens is not None:
            metrics |= zip(ACCURACIES, accuracies(counts, n_tokens), strict=True)
        for metric, value in metrics.items():
            values.setdefault(label, {}).setdefault(metric, []).append(value)


def mean_and_variance(values):
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
