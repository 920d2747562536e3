"""Sentences of an annotated document with the trees of both sides, and spans that are paired over its text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsite.results.units import spacy_layers as layers_module
from evalsite.results.units.arcs import Arc, Side, trees
from evalsite.results.units.spacy_layers import Places, layers
from evalsite.results.units.spacy_sentences import MOST_DRAWN, sentences
from scoring.families.spacy import SPACY
from tests.evalsite.families import GOLD_SENTENCES, SENTENCES, lines


def record(gold: list[dict], system: list[dict], unit: str = "d1", **options: object) -> dict:
    files = ({"gold.jsonl": lines(gold).encode()}, {"run.jsonl": lines(system).encode()})
    return SPACY.views.unit_record(*files, unit, SPACY.configure(options))


def document(words: list[str], heads: list[int] | None = None, **values: object) -> dict:
    made = {"id": "d1", "words": words, **values}
    return made | ({"heads": heads, "deps": ["x"] * len(words)} if heads else {})


def end_of(path: str) -> float:
    """Return where an arc arrives."""
    return float(re.findall(r"Q[\d.]+,[\d.]+ ([\d.]+),", path)[-1])


def test_each_side_has_its_tree_and_each_arc_says_whether_the_other_side_has_it():
    first, second = sentences(record(GOLD_SENTENCES, SENTENCES))
    [(gold_name, gold), (system_name, system)] = first.trees
    assert (gold_name, system_name) == ("Gold", "System")
    assert [edge.kind for edge in gold.edges] == ["right", "right", "right", "heads", "heads", "heads", "right"]
    assert [edge.label for edge in system.edges][3:6] == ["× det", "× obj", "× flat"]
    assert (second.counts["labels"], second.counts["heads"]) == (1, 0)
    assert [word.tag for word in system.words][:2] == ["NNP", "×\N{NO-BREAK SPACE}NN"]


def test_a_sentence_on_which_both_sides_agree_has_one_tree():
    [sentence] = sentences(record(GOLD_SENTENCES, SENTENCES, "d 2/3"))
    assert [name for name, _ in sentence.trees] == ["Both sides"]
    assert sentence.n_wrong == 0


def test_tokens_are_compared_value_by_value():
    first, _ = sentences(record(GOLD_SENTENCES, SENTENCES))
    assert first.columns == ["tag", "morph", "lemma", "head"]
    wrong = [(row.text, value.gold, value.system) for row in first.rows for value in row.values if not value.is_right]
    assert wrong == [
        ("Lee", "NNP", "NN"),
        ("visits", "visit", "visits"),
        ("the", "det ← 6 zoo", "det ← 5 Bern"),
        ("Bern", "compound ← 6 zoo", "obj ← 3 visits"),
        ("zoo", "obj ← 3 visits", "flat ← 5 Bern"),
    ]


def test_what_the_gold_does_not_say_is_not_wrong():
    gold = document(["a", "b"], tags=["X", ""], heads=None) | {"heads": [0, 0], "deps": ["ROOT", ""]}
    system = document(["a", "b"], [1, 1], tags=["X", "Y"])
    [sentence] = sentences(record([gold], [system]))
    assert [row.is_right for row in sentence.rows] == [False, True]


def test_sentences_that_an_arc_of_the_system_joins_stay_together():
    gold = document(["a", "b", "c", "d"], [0, 0, 2, 2])
    apart = document(["a", "b", "c", "d"], [0, 0, 2, 2])
    joined = document(["a", "b", "c", "d"], [0, 0, 1, 2])
    assert len(list(sentences(record([gold], [apart])))) == 2
    assert len(list(sentences(record([gold], [joined])))) == 1


def test_other_tokens_are_compared_where_both_sides_have_the_same():
    gold = document(["a", "b", "c", "d"], [2, 2, 2, 2], tags=["X", "X", "Y", "Z"])
    system = document(["ab", "c", "d"], [1, 1, 1], tags=["X", "Y", "W"])
    [sentence] = sentences(record([gold], [system]))
    assert [row.values[0].system for row in sentence.rows] == [None, None, "Y", "W"]
    assert [edge.kind for edge in dict(sentence.trees)["System"].edges] == ["right", "right"]
    assert [edge.kind for edge in dict(sentence.trees)["Gold"].edges] == ["absent", "absent", "right", "right"]


def test_a_system_without_trees_is_told_from_one_with_wrong_trees():
    [sentence] = sentences(record([document(["a", "b"], [1, 1])], [document(["a", "b"])]))
    assert [name for name, _ in sentence.trees] == ["Gold"]
    assert [row.values[0].system for row in sentence.rows] == ["", ""]


def test_a_very_long_sentence_is_listed_and_not_drawn():
    words = ["w"] * (MOST_DRAWN + 1)
    [sentence] = sentences(record([document(words, [0] * len(words))], [document(words, [0] * len(words))]))
    assert sentence.trees == []
    assert len(sentence.rows) == MOST_DRAWN + 1


def test_nothing_is_shown_where_neither_tags_nor_trees_are_compared():
    gold = document(["a"], ents=[[0, 1, "X"]])
    assert list(sentences(record([gold], [gold]))) == []


def heads_of(sizes: list[int]) -> list[int]:
    """A tree: each word's head is some word before it."""
    return [min(size, number - 1) if number else 0 for number, size in enumerate(sizes)]


@given(st.lists(st.integers(0, 11), min_size=1, max_size=12).map(heads_of))
def test_arcs_arrive_at_their_words_and_none_runs_along_another(heads):
    arcs = [Arc(head, word, "label") for word, head in enumerate(heads)]
    words = [f"w{number}" for number in range(len(heads))]
    [drawn] = trees([Side(words, [""] * len(words), arcs)])
    tops = {}
    for arc, edge in zip(arcs, drawn.edges, strict=True):
        if arc.head != arc.dependent:
            assert abs(end_of(edge.path) - drawn.words[arc.dependent].x) <= 10
            tops[arc] = edge.y
    for arc, top in tops.items():
        for other, other_top in tops.items():
            low, high = (
                max(min(arc.head, arc.dependent), min(other.head, other.dependent)),
                min(max(arc.head, arc.dependent), max(other.head, other.dependent)),
            )
            assert arc is other or low >= high or top != other_top
    assert all(edge.y - 14 >= 0 for edge in drawn.edges)
    assert all(left.x < right.x for left, right in zip(drawn.words, drawn.words[1:], strict=False))


def test_words_stand_at_the_same_places_on_both_sides():
    words, tags = ["a", "b", "c"], ["", "", ""]
    first, second = trees([Side(words, tags, [Arc(0, 1, "a very long label")]), Side(words, tags, [Arc(1, 2, "y")])])
    assert [word.x for word in first.words] == [word.x for word in second.words]


def test_words_that_are_written_from_the_right_are_drawn_from_the_right():
    words, tags = ["קראתי", "ספר", "."], ["", "", ""]
    [drawn] = trees([Side(words, tags, [Arc(0, 1, "obj")])])
    assert drawn.words[0].x > drawn.words[1].x > drawn.words[2].x > 0
    assert abs(end_of(drawn.edges[0].path) - drawn.words[1].x) <= 10


def test_spans_are_paired_with_their_equal_then_by_extent_then_by_overlap():
    entities, *groups = layers(record(GOLD_SENTENCES, SENTENCES))
    assert [layer.title for layer in groups] == ["Spans: sc", "Spans: parts & more"]
    assert [(row.kind, row.gold and row.gold["content"], row.system and row.system["content"])
            for row in entities.text.rows] == [
        ("tagclash", "Ann Lee", "Ann Lee"),
        ("spanclash", "the Bern zoo", "Bern zoo"),
        ("spurious", None, "It"),
        ("missing", "<hard>", None),
    ]  # fmt: skip


def test_equal_spans_that_repeat_are_paired_one_by_one():
    gold = document(["a", "b"], spans={"sc": [[0, 1, "X"], [0, 1, "X"], [0, 2, "X"]]})
    system = document(["a", "b"], spans={"sc": [[0, 1, "X"]]})
    [layer] = layers(record([gold], [system]))
    assert sorted(row.kind for row in layer.text.rows) == ["match", "missing", "missing"]


def test_spans_off_the_tokens_are_shown_where_they_are():
    gold = document(["Ann", "Lee"], spaces=[True, False], ents=[[0, 2, "PER"]])
    [layer] = layers(record([gold], [{"id": "d1", "ents": [[0, 6, "PER"]]}]))
    [row] = layer.text.rows
    assert (row.kind, row.system["content"]) == ("spanclash", "Ann Le")


def test_anchors_of_several_layers_differ():
    found = list(layers(record(GOLD_SENTENCES, SENTENCES)))
    pieces = [piece for layer in found for passage in layer.text.passages for piece in passage.gold]
    anchors = [mark.anchor for piece in pieces for mark in piece.closing]
    assert len(set(anchors)) == len(anchors) == 6


def test_too_many_spans_are_not_tried_for_overlaps(monkeypatch):
    monkeypatch.setattr(layers_module, "MOST_COMPARED", 0)
    gold, system = document(["a", "b"], ents=[[0, 1, "X"]]), document(["a", "b"], ents=[[0, 2, "X"]])
    [layer] = layers(record([gold], [system]))
    assert sorted(row.kind for row in layer.text.rows) == ["missing", "spurious"]


@pytest.mark.parametrize(
    ("gold", "system", "place", "expected"),
    [
        ("ab cd", "abcd", (2, 4), (3, 5)),
        ("abcd", "ab  cd", (0, 6), (0, 4)),
        ("a b", "A B", (2, 3), (2, 3)),
        ("\u0130x y", "i\u0307x y", (2, 3), (1, 2)),
        ("ab", "ab", (0, 1), (0, 1)),
    ],
)
def test_places_of_the_system_are_found_in_the_text_of_the_gold(gold, system, place, expected):
    assert Places(gold, system).of(*place) == expected
