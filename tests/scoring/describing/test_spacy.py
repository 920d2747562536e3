"""Perfect runs of tokens, trees, entities and categories broken in one way each."""

import json

import pytest

import scoring
from demo.plan import read_task
from tests.scoring.describing.oddities import one_oddity

GOLD = [json.loads(line) for line in read_task("spacy").gold("test", 1).content.splitlines()]
NAMES = [{"name": "ner"}]
TREES = [{"name": "parser"}, {"name": "tagger"}]
TOPICS = [{"name": "textcat_multilabel"}]


def write(path, documents):
    path.write_text(
        "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents), encoding="utf-8"
    )
    return path


@pytest.fixture
def describe(tmp_path):
    def described(system, scores=NAMES, gold=GOLD):
        paths = {"gold": write(tmp_path / "gold.jsonl", gold), "system": write(tmp_path / "system.jsonl", system)}
        return scoring.describe("spacy", **paths, options={"scores": scores})

    return described


def without(*keys):
    return [{key: value for key, value in document.items() if key not in keys} for document in GOLD]


def with_ents(change):
    return [document | {"ents": [change(*ent) for ent in document["ents"]]} for document in GOLD]


def in_characters(move=lambda text, start, end: (start, end)):
    """Entities by characters; those that would leave their text are left out."""
    documents = []
    for document in GOLD:
        places, at = [], 0
        for word, space in zip(document["words"], document["spaces"], strict=True):
            places.append((at, at + len(word)))
            at += len(word) + space
        ents = [
            [*move(document["text"], places[s][0], places[e - 1][1]), label] for s, e, label, *_ in document["ents"]
        ]
        ents = [ent for ent in ents if 0 <= ent[0] < ent[1] <= len(document["text"])]
        documents.append({"id": document["id"], "ents": ents})
    return documents


@pytest.mark.parametrize(
    ("scores", "things"),
    [(NAMES, "entities"), (TREES, "tags, 236 sentences and 2,806 heads"), (TOPICS, "values of categories")],
)
def test_a_perfect_run_is_summed_up_and_nothing_is_odd(scores, things, describe):
    description = describe(GOLD, scores)
    assert things in description.summary
    assert " of 76 documents. Not scored here: " in description.summary
    assert description.oddities == []


def test_entities_by_characters_are_counted_as_others(describe):
    description = describe(in_characters())
    assert description.oddities == []
    assert description.counts["entities"] == sum(len(document["ents"]) for document in GOLD)


@pytest.mark.parametrize(
    ("move", "question"),
    [
        (lambda text, start, end: (start + 1, end + 1), "counted from 1?"),
        (lambda text, start, end: (start, end - 1), "name the last character"),
        (lambda text, start, end: (start - 3, end - 3), "something before the text left out"),
    ],
)
def test_entities_by_characters_off_their_words_are_told(move, question, describe):
    oddity = one_oddity(describe(in_characters(move)), "offsets", question)
    assert oddity.line


def test_offsets_through_the_whole_corpus_are_refused_by_evaluate_already(describe):
    run, before = [], 0
    for document, own in zip(GOLD, in_characters(), strict=True):
        run.append(own | {"ents": [[start + before, end + before, label] for start, end, label in own["ents"]]})
        before += len(document["text"]) + 1
    with pytest.raises(scoring.SubmissionError, match="lies outside the document"):
        describe(run)


def test_labels_in_another_case_are_asked_about(describe):
    one_oddity(describe(with_ents(lambda start, end, label, *_: [start, end, label.lower()])), "case", "did you mean")


def test_labels_of_another_inventory_are_told(describe):
    oddity = one_oddity(describe(with_ents(lambda start, end, label, *_: [start, end, f"X{len(label)}"])), "labels")
    assert oddity.n == oddity.of


def test_labels_of_heads_are_compared_in_lower_case_where_scores_are(describe):
    run = [document | {"deps": [label.upper() for label in document["deps"]]} for document in GOLD]
    assert describe(run, TREES).oddities == []


def test_tags_in_lower_case_and_one_tag_for_all_are_told(describe):
    lower = [document | {"tags": [tag.lower() for tag in document["tags"]]} for document in GOLD]
    one_oddity(describe(lower, TREES), "case")


def test_one_tag_for_all_words_is_told(describe):
    run = [document | {"tags": ["NN"] * len(document["words"])} for document in GOLD]
    one_oddity(describe(run, TREES), "constant")


def test_a_few_tags_that_this_gold_lacks_are_ordinary(describe):
    run = [document | {"tags": ["PRP$$", *document["tags"][1:]]} for document in GOLD[:20]] + GOLD[20:]
    assert describe(run, TREES).oddities == []


@pytest.mark.parametrize(("key", "name"), [("tags", "tag"), ("heads", "head")])
def test_a_scored_layer_that_is_absent_everywhere_is_told(key, name, describe):
    run = without(key, *(["deps"] if key == "heads" else []))
    oddities = describe(run, TREES).oddities
    assert {oddity.kind for oddity in oddities} == {"layer"}
    assert any(oddity.message.startswith(f"There is no {name} in any of the 76 documents") for oddity in oddities)


def test_a_run_without_what_is_scored_is_empty_and_told_what_is_there(describe):
    one_oddity(describe(without("ents")), "empty", "which this scenario does not score")


def test_the_same_categories_for_all_are_told(describe):
    oddity = one_oddity(describe([document | {"cats": GOLD[0]["cats"]} for document in GOLD], TOPICS), "constant")
    assert oddity.n == 76


def test_categories_in_another_case_are_told(describe):
    run = [
        document | {"cats": {label.lower(): value for label, value in document["cats"].items()}} for document in GOLD
    ]
    one_oddity(describe(run, TOPICS), "case")


def test_lemmas_in_a_wrong_encoding_are_told(describe):
    gold = [document | {"lemmas": ["él"] * len(document["words"])} for document in GOLD]
    run = [document | {"lemmas": ["Ã©l"] * len(document["words"])} for document in GOLD]
    one_oddity(describe(run, [{"name": "lemmatizer"}], gold), "encoding", '"Ã©l", probably "él"')


def test_groups_of_spans_that_repeat_themselves_are_told(describe):
    gold = [
        document | {"spans": {"sc": [[0, 1, "A"], [1, 2, "B"], [0, 2, "A"]][: 1 + k % 3]}}
        for k, document in enumerate(GOLD)
    ]
    run = [document | {"spans": {"sc": document["spans"]["sc"] * 2}} for document in gold]
    one_oddity(describe(run, [{"name": "spancat", "key": "sc"}], gold), "duplicates")


def test_the_description_is_the_same_whatever_the_gold_annotates(tmp_path):
    labels = sorted({ent[2] for document in GOLD for ent in document["ents"]})
    tags, deps = (sorted({value for document in GOLD for value in document[key]}) for key in ("tags", "deps"))
    other = []
    for k, document in enumerate(GOLD):
        n = len(document["words"])
        other.append(
            document
            | {
                "ents": [[0, 1, labels[k % len(labels)]]],
                "tags": [tags[(k + i) % len(tags)] for i in range(n)],
                "heads": [0] * n,
                "deps": [deps[(k + i) % len(deps)] for i in range(n)],
                "cats": {label: float(k % 2) for label in document["cats"]},
            }
        )
    golds = [write(tmp_path / name, documents) for name, documents in (("one.jsonl", GOLD), ("other.jsonl", other))]
    for scores in (NAMES, TREES, TOPICS):
        for run in (GOLD, in_characters(lambda text, start, end: (start + 1, end + 1))):
            if scores is not NAMES and run is not GOLD:
                continue
            system = write(tmp_path / "run.jsonl", run)
            one, another = (
                scoring.describe("spacy", gold=gold, system=system, options={"scores": scores}) for gold in golds
            )
            assert one == another
