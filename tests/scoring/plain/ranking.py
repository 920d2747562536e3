"""The measures of rankings in plain Python: one query at a time, one document after the other."""

import math
import struct

from scoring.families.ranking.names import score_names

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
    measures = options["measures"] or ()
    if "dcg" in measures:
        found |= {f"dcg{end}": dcg(grades, k, options) for end, k in ends(options)}
    if "rbp" in measures:
        found |= {f"rbp{end}": rbp(grades[:k], least, options["persistence"]) for end, k in ends(options)}
    if "f1" in measures:
        found |= {f"f1_{k}": harmonic(found[f"p_{k}"], found[f"r_{k}"]) for k in options["cutoffs"]}
    if "relative_p" in measures:
        for k in options["cutoffs"]:
            found[f"relative_p_{k}"] = share(sum(grade >= least for grade in grades[:k]), min(k, n_relevant))
    if "sets" in measures:
        n_found = sum(grade >= least for grade in grades)
        precision, recall = share(n_found, len(grades)), share(n_found, n_relevant)
        found |= {"set_p": precision, "set_r": recall, "set_f1": harmonic(precision, recall)}
        found["set_map"] = precision * recall
    if "iprec" in measures:
        levels = [interpolated(grades, least, n_relevant, level / 100) for level in range(0, 101, 10)]
        found |= {f"iprec_{10 * step}": value for step, value in enumerate(levels)}
        found["eleven_points"] = sum(levels) / 11
    if "gm_bpref" in measures:
        found["gm_bpref"] = math.log(max(found["bpref"], LEAST))
    if "bioasq" in measures:
        summed = found["map"] * n_relevant
        found["bioasq_map"] = share(summed, min(10, n_relevant))
        found["bioasq_gm_map"] = math.log(found["bioasq_map"] + LEAST)
    return {name: found[name] for name in score_names(options)}


def ends(options):
    return [("", None), *((f"_{k}", k) for k in options["cutoffs"])]


def harmonic(precision, recall):
    return share(2 * precision * recall, precision + recall)


def rbp(grades, least, persistence):
    return (1 - persistence) * sum(persistence**place for place, grade in enumerate(grades) if grade >= least)


def interpolated(grades, least, n_relevant, level):
    """The best precision at any rank by which enough relevant documents are found."""
    wanted = max(math.floor(level * n_relevant + 0.5), 1)
    n_found, best = 0, 0.0
    for rank, grade in enumerate(grades, start=1):
        n_found += grade >= least
        if n_found >= wanted:
            best = max(best, n_found / rank)
    return best


def gain(grade, options):
    return 0.0 if grade <= 0 else float(grade) if options["gain"] == "linear" else 2.0**grade - 1


def dcg(grades, k, options):
    return sum(gain(grade, options) / math.log2(rank + 1) for rank, grade in enumerate(grades[:k], start=1))


def ndcg(grades, judged, k, options):
    return share(dcg(grades, k, options), dcg(sorted(judged.values(), reverse=True), k, options))


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
