"""The demonstration data of the announcement task: real trees, readable texts, and grades as meant."""

import json
import re
from collections import Counter
from itertools import pairwise

import pytest

import scoring
from demo import spacy
from demo.spacy import more_notices, notices
from demo.spacy.task import TASK
from demo.spacy.trees import read as read_tree
from demo.spacy.trees import sentences_of

PHASES = ("development", "test")


def read(text):
    """{id: document}, parsed from a file alone."""
    documents = [json.loads(line) for line in text.splitlines()]
    assert len({document["id"] for document in documents}) == len(documents)
    return {document["id"]: document for document in documents}


def sentences(document):
    """[(first token, end)] of the sentences, which end with a full stop."""
    ends = [i + 1 for i, word in enumerate(document["words"]) if word == "."]
    return list(pairwise([0, *ends]))


def evaluations(tmp_path, phase, scenario, **arguments):
    (tmp_path / "gold.jsonl").write_text(spacy.gold(phase), encoding="utf-8")
    found = {}
    for system in spacy.systems(phase):
        if scenario in system.scenarios:
            (tmp_path / "run.jsonl").write_text(system.content, encoding="utf-8")
            found[f"{system.team} {system.run}"] = scoring.evaluate(
                "spacy",
                gold=tmp_path / "gold.jsonl",
                system=tmp_path / "run.jsonl",
                options=TASK.scenarios[scenario - 1].options,
                **arguments,
            )
    return found


def headlines(evaluations):
    return {name: evaluation.scores[evaluation.headline] for name, evaluation in evaluations.items()}


def test_there_are_enough_sentences():
    found = {phase: [len(sentences(each)) for each in read(spacy.gold(phase)).values()] for phase in PHASES}
    assert sum(found["test"]) >= 200
    assert sum(found["development"]) >= 100
    assert {2, 3, 4} == set(found["test"]) == set(found["development"])


def test_announcements_read_as_prose_and_seldom_repeat_a_sentence():
    said = []
    for phase in PHASES:
        for document in read(spacy.gold(phase)).values():
            text = document["text"]
            assert not re.search(r"[{}<>\[\]|/]|  |\b[Aa] [aeiou]| [.,;]|\.\w", text)
            said += re.split(r"(?<=[a-z\d])\. ", text)
    counted = Counter(said)
    assert len(counted) > 0.75 * len(said)
    assert max(counted.values()) <= 7


@pytest.mark.parametrize("phase", PHASES)
def test_each_sentence_is_one_tree_that_crosses_no_other_arc(phase):
    for document in read(spacy.gold(phase)).values():
        heads, deps = document["heads"], document["deps"]
        for start, end in sentences(document):
            roots = [i for i in range(start, end) if heads[i] == i]
            assert [deps[i] for i in roots] == ["ROOT"]
            arcs = [sorted((i, heads[i])) for i in range(start, end) if heads[i] != i]
            assert all(start <= head < end for arc in arcs for head in arc)
            assert not any(a < c < b < d for a, b in arcs for c, d in arcs)


@pytest.mark.parametrize("phase", PHASES)
def test_labels_of_trees_agree_with_tags(phase):
    wanted = {"det": "DT", "aux": "MD TO VB", "auxpass": "VB", "punct": ". , :", "nummod": "CD", "poss": "PRP$"}
    wanted |= {"cc": "CC", "prep": "IN", "mark": "IN", "pobj": "N CD PRP", "compound": "N", "amod": "JJ VB"}
    wanted |= {"nsubj": "N PRP DT W", "nsubjpass": "N WDT", "dobj": "N PRP", "prt": "RP", "neg": "RB", "advcl": "V JJ"}
    for document in read(spacy.gold(phase)).values():
        for word, tag, dep in zip(document["words"], document["tags"], document["deps"], strict=True):
            if dep in wanted:
                assert tag.startswith(tuple(wanted[dep].split())), (word, tag, dep)


@pytest.mark.parametrize("phase", PHASES)
def test_a_passive_subject_hangs_on_a_verb_with_a_passive_auxiliary(phase):
    for document in read(spacy.gold(phase)).values():
        heads, deps = document["heads"], document["deps"]
        passive = {head for head, dep in zip(heads, deps, strict=True) if dep == "auxpass"}
        assert {head for head, dep in zip(heads, deps, strict=True) if dep == "nsubjpass"} <= passive
        assert not passive & {head for head, dep in zip(heads, deps, strict=True) if dep == "nsubj"}


def test_every_sentence_of_the_grammar_is_used():
    pools = (notices.DELAY, notices.WORKS, notices.LIFT, notices.EVENT)
    pools += (more_notices.WEATHER, more_notices.FARES, more_notices.CONDUCT, more_notices.REMARKS)
    labels = {label for pool in pools for said, _ in sentences_of(pool.replace("--\n", "")) for label in said.split()}
    assert labels == set(notices.LABELS)
    assert sum(1 for pool in pools for _ in sentences_of(pool.replace("--\n", ""))) > 100


def test_a_group_without_a_head_or_with_two_is_refused():
    with pytest.raises(ValueError, match="no head of nsubj"):
        read_tree("[nsubj det:the] runs", {"the": "DT", "runs": "VBZ"})
    with pytest.raises(ValueError, match="two heads, tram and runs"):
        read_tree("det:the tram runs", {"the": "DT", "tram": "NN", "runs": "VBZ"})


@pytest.mark.parametrize("phase", PHASES)
def test_all_entities_and_categories_occur(phase):
    documents = read(spacy.gold(phase)).values()
    seen = Counter(label for document in documents for _, _, label in document["ents"])
    assert set(seen) == {"DATE", "EVENT", "LINE", "STOP", "STREET", "TIME"}
    held = Counter(label for document in documents for label, value in document["cats"].items() if value)
    assert set(held) == set(notices.LABELS)
    assert all(4 <= number < len(documents) / 2 for number in held.values())


def test_a_stop_and_a_street_may_share_their_name():
    names = {"STOP": set(), "STREET": set()}
    for document in read(spacy.gold("test")).values():
        for start, end, label in document["ents"]:
            names.get(label, set()).add(" ".join(document["words"][start:end]))
    assert names["STOP"] & names["STREET"]


@pytest.mark.parametrize("scenario", [1, 2, 3])
def test_gold_scores_one_against_itself(tmp_path, scenario):
    path = tmp_path / "gold.jsonl"
    path.write_text(spacy.gold("test"), encoding="utf-8")
    evaluation = scoring.evaluate("spacy", gold=path, system=path, options=TASK.scenarios[scenario - 1].options)
    assert set(evaluation.scores.values()) == {1.0}
    assert evaluation.headline == TASK.scenarios[scenario - 1].options["headline"]
    assert evaluation.warnings == []


def test_participants_get_the_announcements_without_annotation():
    given = spacy.inputs("test")
    assert "synthetic data" in given["README.txt"]
    assert all(set(document) == {"id", "text", "words", "spaces"} for document in read(given["test.jsonl"]).values())
    assert list(read(given["test.jsonl"])) == list(read(spacy.gold("test")))


def test_runs_hold_what_their_scenarios_look_at():
    for system in spacy.systems("test"):
        keys = set(next(iter(read(system.content).values())))
        assert ("ents" in keys, "heads" in keys, "cats" in keys) == tuple(n in system.scenarios for n in (1, 2, 3))


ORDERS = {
    1: ["Mind the Gap", "Faro NLP run2", "Faro NLP run1", "Third Rail", "Night Bus"],
    2: ["Terminus", "Faro NLP run2", "Faro NLP run1", "Depot", "Night Bus"],
    3: ["Third Rail", "Mind the Gap", "Faro NLP run2", "Faro NLP run1", "Depot"],
}


@pytest.mark.parametrize("scenario", [1, 2, 3])
def test_grades_are_spread_in_the_order_that_is_meant(tmp_path, scenario):
    found = evaluations(tmp_path, "test", scenario)
    values = headlines(found)
    ranked = sorted(values, key=values.get, reverse=True)
    teams = [name if name.startswith("Faro") else name.removesuffix(" run1") for name in ranked]
    assert teams == ["Organisers annotator", *ORDERS[scenario], "Organisers baseline"]
    assert 0.95 < values["Organisers annotator"] < 1
    assert all(0.003 < values[higher] - values[lower] < 0.06 for higher, lower in pairwise(ranked[1:-1]))
    assert not any(evaluation.warnings for evaluation in found.values())


def test_the_area_under_the_curve_has_an_interval(tmp_path):
    for evaluation in evaluations(tmp_path, "test", 3, n_resamples=200).values():
        low, high = evaluation.intervals["cats_score"]
        assert low < evaluation.scores["cats_score"] < high


def test_systems_err_in_every_way(tmp_path):
    names = evaluations(tmp_path, "test", 1)
    trees = evaluations(tmp_path, "test", 2)
    assert names["Third Rail run1"].scores["ents_r"] > names["Third Rail run1"].scores["ents_p"]
    assert names["Night Bus run1"].scores["ents_p"] > names["Night Bus run1"].scores["ents_r"] + 0.05
    counts = names["Faro NLP run1"].counts
    assert all(counts[f"nervaluate_strict_{kind}"] > 5 for kind in ("incorrect", "missed", "spurious"))
    confused = {(row["gold"], row["system"]) for row in names["Faro NLP run1"].tables["ents_confusion"]}
    assert confused >= {("STREET", "STOP"), ("STOP", "STREET")}
    assert all(each.scores["dep_uas"] > each.scores["dep_las"] for each in trees.values())
    assert trees["Terminus run1"].scores["sents_f"] > trees["Night Bus run1"].scores["sents_f"]
