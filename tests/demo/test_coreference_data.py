"""The demonstration data of the coreference task: well-formed, readable, and graded as meant."""

import re
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

import scoring
from demo import coreference
from demo.coreference.task import TASK
from scoring.readers.archive import open_files

PHASES = ("development", "test")
PRONOUNS = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their"}


def read(text):
    """{document: ([sentence of words], {entity: {(first, last)}})}, parsed from a file alone."""
    documents = {}
    for block in text.split("#end document\n")[:-1]:
        name = re.match(r"#begin document \((.+)\);\n", block)[1]
        sentences, entities, opened, token = [], defaultdict(set), defaultdict(list), 0
        for sentence in block.split("\n", 1)[1].strip().split("\n\n"):
            rows = [line.split("\t") for line in sentence.split("\n")]
            sentences.append([row[3] for row in rows])
            for row in rows:
                for number in re.findall(r"\((\d+)", row[4]):
                    opened[number].append(token)
                for number in re.findall(r"(\d+)\)", row[4]):
                    entities[number].add((opened[number].pop(), token))
                token += 1
        assert not any(opened.values())
        documents[name] = (sentences, dict(entities))
    return documents


def mentions_of(text):
    """[(words of the mention, size of its entity)]"""
    found = []
    for sentences, entities in read(text).values():
        words = [word for sentence in sentences for word in sentence]
        found += [
            (" ".join(words[first : last + 1]), len(spans)) for spans in entities.values() for first, last in spans
        ]
    return found


def evaluations(tmp_path, phase, scenario):
    (tmp_path / "gold.conll").write_text(coreference.gold(phase), encoding="utf-8")
    found = {}
    for system in coreference.systems(phase):
        if scenario not in system.scenarios:
            continue
        (tmp_path / "run.conll").write_text(system.content, encoding="utf-8")
        found[f"{system.team} {system.run}"] = scoring.evaluate(
            "coreference",
            gold=tmp_path / "gold.conll",
            system=tmp_path / "run.conll",
            options=TASK.scenarios[scenario - 1].options,
        )
    return found


def headlines(evaluations):
    return {name: evaluation.scores[evaluation.headline] for name, evaluation in evaluations.items()}


def test_there_are_enough_reports_of_four_to_ten_sentences():
    assert len(read(coreference.gold("test"))) >= 40
    assert len(read(coreference.gold("development"))) >= 20
    for phase in PHASES:
        for sentences, _ in read(coreference.gold(phase)).values():
            assert 4 <= len(sentences) <= 10
            assert all(words[0][0].isupper() and words[-1] in (".", "?") for words in sentences)


def test_reports_read_as_prose_that_does_not_repeat_itself():
    said = [
        " ".join(words)
        for phase in PHASES
        for sentences, _ in read(coreference.gold(phase)).values()
        for words in sentences
    ]
    assert len(set(said)) > 0.97 * len(said)
    assert not any(re.search(r"[{}<>\[\]|~@]|, ,|, \.|\b[Aa] [aeiou](?!ne-)", sentence) for sentence in said)


@pytest.mark.parametrize("phase", PHASES)
def test_chains_have_names_descriptions_and_pronouns_and_many_entities_stand_alone(phase):
    mentions = mentions_of(coreference.gold(phase))
    sizes = Counter(size for _, size in mentions)
    assert sizes[1] > 0.2 * len(mentions)
    assert max(sizes) >= 10
    chained = [words.lower() for words, size in mentions if size > 1]
    assert sum(words in PRONOUNS for words in chained) > 0.2 * len(chained)
    assert sum(words.startswith("the ") for words in chained) > 0.25 * len(chained)


@pytest.mark.parametrize("phase", PHASES)
def test_every_personal_pronoun_of_the_gold_belongs_to_a_chain(phase):
    """All but those of the weather, and those that mean two people who were mentioned apart."""
    loose = Counter()
    for sentences, entities in read(coreference.gold(phase)).values():
        words = [word.lower() for sentence in sentences for word in sentence]
        chained = {span for spans in entities.values() if len(spans) > 1 for span in spans}
        loose.update(word for i, word in enumerate(words) if word in PRONOUNS and (i, i) not in chained)
    assert set(loose) <= {"it", "them"}
    assert loose["it"] <= 6
    assert loose["them"] <= 3


@pytest.mark.parametrize("scenario", [1, 2])
def test_gold_scores_one_against_itself(tmp_path, scenario):
    path = tmp_path / "gold.conll"
    path.write_text(coreference.gold("test"), encoding="utf-8")
    evaluation = scoring.evaluate("coreference", gold=path, system=path, options=TASK.scenarios[scenario - 1].options)
    assert set(evaluation.scores.values()) == {1.0}
    assert evaluation.warnings == []


def test_participants_get_the_reports_without_annotation():
    given = coreference.inputs("test")
    assert "synthetic data" in given["README.txt"]
    gold = read(coreference.gold("test"))
    assert read(given["test.conll"]) == {name: (sentences, {}) for name, (sentences, _) in gold.items()}


def test_a_report_can_be_shown_with_its_text(tmp_path):
    (tmp_path / "gold.conll").write_text(coreference.gold("test"), encoding="utf-8")
    files = open_files(tmp_path / "gold.conll")
    family = scoring.FAMILIES["coreference"]
    shown = family.unit_record(files, files, "report-001", family.configure({"format": "conll"}))
    sentences, entities = read(coreference.gold("test"))["report-001"]
    assert shown["text"].splitlines() == [" ".join(words) for words in sentences]
    assert len(shown["gold"]) == sum(map(len, entities.values()))


@pytest.mark.parametrize("phase", PHASES)
def test_runs_are_read_without_warnings(tmp_path, phase):
    for evaluation in evaluations(tmp_path, phase, 1).values():
        assert evaluation.warnings == []
        assert evaluation.counts["missing_documents"] == 0


ORDERS = {
    1: ["Antecedent", "Who's Who", "Faro NLP run2", "Ditto", "Sieve & Sons", "Faro NLP run1"],
    2: ["Antecedent", "Faro NLP run1", "Who's Who", "Faro NLP run2", "Hereinafter", "Sieve & Sons"],
}


@pytest.mark.parametrize("scenario", [1, 2])
def test_grades_are_spread_in_the_order_that_is_meant(tmp_path, scenario):
    values = headlines(evaluations(tmp_path, "test", scenario))
    ranked = sorted(values, key=values.get, reverse=True)
    teams = [name if name.startswith("Faro") else name.removesuffix(" run1") for name in ranked]
    assert teams == ["Organisers annotator", *ORDERS[scenario], "Organisers baseline"]
    assert 0.92 < values["Organisers annotator"] < 1
    assert 0.2 < values["Organisers baseline"] < 0.4
    assert all(0.005 < values[higher] - values[lower] < 0.06 for higher, lower in pairwise(ranked[1:-1]))


def test_systems_err_in_every_way(tmp_path):
    found = evaluations(tmp_path, "test", 1)
    errors = {
        name: {row["error"]: row["mentions"] for row in evaluation.tables["errors"]}
        for name, evaluation in found.items()
    }
    assert all(errors["Ditto run1"].values())
    assert errors["Who's Who run1"]["conflated_entities"] > 1.8 * errors["Antecedent run1"]["conflated_entities"]
    assert errors["Sieve & Sons run1"]["divided_entity"] > 1.5 * errors["Ditto run1"]["divided_entity"]
    assert errors["Faro NLP run1"]["missing_entity"] >= 317
    assert found["Ditto run1"].scores["mention_precision"] < found["Faro NLP run2"].scores["mention_precision"]
