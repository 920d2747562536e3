"""The measures of rankings in plain Python: one query at a time, one document after the other."""

import math
import struct

LEAST = 0.00001


def ordered(documents, options):
    """Names of documents {name: score}, the best first."""

    def score(name):
        return single(documents[name]) if options["precision"] == "single" else documents[name]

    names = sorted(documents, key=lambda name: (score(name), name.encode()), reverse=True)
    return names[: options["depth"]]


def single(value):
    """Rounded to IEEE single precision."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def measures(judged, documents, options):
    """{score: value} of one query, given {document: grade} and {document: score}; gm_map is the logarithm."""
    names = ordered(documents, options)
    if options["judged_only"]:
        names = [name for name in names if judged.get(name, -1) >= 0]
    grades = [max(judged.get(name, -1), -1) for name in names]
    least = options["relevance"]
    n_relevant = sum(grade >= least for grade in judged.values())
    n_other = sum(0 <= grade < least for grade in judged.values())
    found = {
        "ndcg": ndcg(grades, judged, len(grades) + len(judged), options),
        "map": average_precision(grades, least, n_relevant, len(grades)),
        "mrr": reciprocal(grades, least, len(grades)),
        "rprec": share(sum(grade >= least for grade in grades[:n_relevant]), n_relevant),
        "bpref": bpref(grades, least, n_relevant, n_other),
    }
    found["gm_map"] = math.log(max(found["map"], LEAST))
    for k in options["cutoffs"]:
        n_found = sum(grade >= least for grade in grades[:k])
        found |= {
            f"ndcg_{k}": ndcg(grades, judged, k, options),
            f"map_{k}": average_precision(grades, least, n_relevant, k),
            f"mrr_{k}": reciprocal(grades, least, k),
            f"p_{k}": n_found / k,
            f"r_{k}": share(n_found, n_relevant),
            f"success_{k}": float(n_found > 0),
            f"judged_{k}": share(sum(grade >= 0 for grade in grades[:k]), min(k, len(grades))),
        }
    return found


def ndcg(grades, judged, k, options):
    def gain(grade):
        return 0.0 if grade <= 0 else float(grade) if options["gain"] == "linear" else 2.0**grade - 1

    def discounted(values):
        return sum(gain(grade) / math.log2(rank + 1) for rank, grade in enumerate(values[:k], start=1))

    return share(discounted(grades), discounted(sorted(judged.values(), reverse=True)))


def average_precision(grades, least, n_relevant, k):
    n_found, total = 0, 0.0
    for rank, grade in enumerate(grades[:k], start=1):
        if grade >= least:
            n_found += 1
            total += n_found / rank
    return share(total, n_relevant)


def reciprocal(grades, least, k):
    return next((1 / rank for rank, grade in enumerate(grades[:k], start=1) if grade >= least), 0.0)


def bpref(grades, least, n_relevant, n_other):
    n_above, total = 0, 0.0
    for grade in grades:
        if grade >= least:
            total += 1 - min(n_above, n_relevant) / min(n_other, n_relevant) if n_above else 1.0
        elif grade >= 0:
            n_above += 1
    return share(total, n_relevant)


def share(number, of):
    return number / of if of else 0.0
