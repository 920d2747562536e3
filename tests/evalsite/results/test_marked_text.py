"""Tests how spans of two sides are laid over a text, whatever they do to each other."""

from hypothesis import given
from hypothesis import strategies as st

from evalsite.results.units import marked_text as module
from evalsite.results.units.marked_text import KINDS, marked_text
from evalsite.results.units.passages import DEEPEST


def span(label: str, start: int, end: int) -> dict:
    return {"start": start, "end": end, "label": label}


def pair(kind: str, gold: dict | None, system: dict | None) -> dict:
    """A row as the engine's table of details has it."""
    row = {"type": kind}
    for prefix, side in (("ref", gold), ("hyp", system)):
        for name in ("label", "start", "end"):
            row[prefix + name] = side[name] if side else None
        row[f"{prefix}content"] = "" if side else None
    return row


def one_sided(text: str, *spans: dict) -> dict:
    """A record in which the system has nothing."""
    return {"text": text, "gold": list(spans), "system": [], "pairs": [pair("missing", each, None) for each in spans]}


def over(pieces) -> list[tuple[str, list[str]]]:
    return [(piece.text, [mark.label for mark in piece.marks]) for piece in pieces]


def test_nested_spans_lie_on_lines_of_their_own_the_outer_one_lowest():
    [passage] = marked_text(one_sided("a b c", span("OUT", 0, 5), span("IN", 2, 3))).passages
    assert over(passage.gold) == [("a ", ["OUT"]), ("b", ["OUT", "IN"]), (" c", ["OUT"])]
    assert {mark.label: mark.lane for mark in passage.gold[1].marks} == {"OUT": 1, "IN": 0}
    assert passage.depth == 2


def test_crossing_spans_are_cut_at_all_their_boundaries_and_end_once():
    [passage] = marked_text(one_sided("abcdef", span("X", 0, 4), span("Y", 2, 6))).passages
    assert over(passage.gold) == [("ab", ["X"]), ("cd", ["X", "Y"]), ("ef", ["Y"])]
    assert [[mark.label for mark in piece.closing] for piece in passage.gold] == [[], ["X"], ["Y"]]


def test_spans_beside_each_other_share_a_line():
    [passage] = marked_text(one_sided("abcd", span("X", 0, 2), span("Y", 2, 4))).passages
    assert passage.depth == 1


def test_a_span_over_a_line_end_goes_on_in_the_next_passage_and_is_named_there_alone():
    first, second = marked_text(one_sided("ab\ncd", span("X", 1, 4))).passages
    assert over(first.gold) == [("a", []), ("b", ["X"])]
    assert over(second.gold) == [("c", ["X"]), ("d", [])]
    assert [piece.closing for piece in first.gold] == [[], []]
    assert [mark.label for mark in second.gold[0].closing] == ["X"]


def test_a_span_that_ends_with_the_line_end_is_named_on_that_line():
    first, _ = marked_text(one_sided("ab\ncd", span("X", 0, 3))).passages
    assert [mark.label for mark in first.gold[-1].closing] == ["X"]


def test_long_lines_are_cut_after_sentences_but_never_inside_a_span():
    sentence = "Nobody heard a word of it, and nobody asked. "
    crossing = span("X", len(sentence) * 2 - 8, len(sentence) * 2 + 6)
    passages = marked_text(one_sided(sentence * 6, crossing)).passages
    assert [len("".join(piece.text for piece in each.gold)) // len(sentence) for each in passages] == [1, 2, 1, 1, 1]


def test_blank_lines_are_no_passages():
    assert len(marked_text(one_sided("a\n\n \nb")).passages) == 2


def both_sides() -> dict:
    right, wrong, lost, added = span("A", 0, 1), span("A", 2, 3), span("A", 4, 5), span("B", 6, 7)
    other = span("B", 2, 3)
    return {
        "text": "a b\nc d",
        "gold": [right, wrong, lost],
        "system": [right, other, added],
        "pairs": [
            pair("match", right, right),
            pair("tagclash", wrong, other),
            pair("missing", lost, None),
            pair("spurious", None, added),
        ],
    }


def test_every_kind_is_counted_whatever_is_shown():
    assert marked_text(both_sides(), "missing").counts == {
        "match": 1,
        "spanclash": 0,
        "tagclash": 1,
        "bothclash": 0,
        "missing": 1,
        "spurious": 1,
    }


def test_only_the_wanted_kind_is_marked_and_passages_without_it_are_left_out():
    shown = marked_text(both_sides(), "tagclash")
    [passage] = shown.passages
    assert over(passage.gold) == [("a ", []), ("b", ["A"])]
    assert over(passage.system) == [("a ", []), ("b", ["B"])]
    assert [row.kind for row in shown.rows] == ["tagclash"]
    assert passage.gold[1].marks[0].pair == f"pair-{shown.rows[0].number}"


def test_errors_are_all_but_matches():
    assert [row.kind for row in marked_text(both_sides(), "errors").rows] == ["tagclash", "missing", "spurious"]


def test_an_unknown_wish_shows_everything():
    assert len(marked_text(both_sides(), "<script>").rows) == 4


def test_a_span_with_several_partners_bears_the_nearest_kind_and_is_found_by_each():
    gold, near, far = span("A", 0, 5), span("A", 0, 2), span("B", 3, 5)
    record = {
        "text": "abcde",
        "gold": [gold],
        "system": [near, far],
        "pairs": [pair("bothclash", gold, far), pair("spanclash", gold, near)],
    }
    [mark] = marked_text(record).passages[0].gold[0].marks
    assert mark.kind == "spanclash"
    [mark] = marked_text(record, "bothclash").passages[0].gold[0].marks
    assert mark.kind == "bothclash"


def test_equal_spans_share_their_rows_out():
    twice = span("A", 0, 1)
    record = {
        "text": "a",
        "gold": [twice, twice],
        "system": [twice],
        "pairs": [pair("match", twice, twice), pair("missing", twice, None)],
    }
    [piece] = marked_text(record).passages[0].gold
    assert sorted(mark.kind for mark in piece.marks) == ["match", "missing"]


def test_of_a_very_long_document_the_rest_is_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_PASSAGES", 2)
    monkeypatch.setattr(module, "MOST_PAIRS", 1)
    shown = marked_text(one_sided("a\nb\nc", span("X", 0, 1), span("X", 2, 3), span("X", 4, 5)))
    assert (len(shown.passages), shown.n_passages_left_out) == (2, 1)
    assert (len(shown.rows), shown.n_rows_left_out) == (1, 2)


@st.composite
def records(draw) -> dict:
    text = draw(st.text(alphabet="ab .\n", min_size=1, max_size=60))
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).filter(lambda ends: ends[0] != ends[1])
    spans = draw(st.lists(st.tuples(st.sampled_from("XY"), ends), max_size=8))
    return one_sided(text, *(span(label, min(ends), max(ends)) for label, ends in spans))


@given(records())
def test_no_character_is_lost_and_each_lies_under_exactly_its_spans(record):
    shown = marked_text(record)
    text, at = record["text"], 0
    ended: list[str] = []
    for passage in shown.passages:
        for piece in passage.gold:
            ended += [mark.anchor for mark in piece.closing]
            # Which of several blanks one is cannot be told, since lines without a word or a span are not shown.
            for character in "".join(piece.text.split()):
                at = next(k for k in range(at, len(text)) if text[k] == character and not text[at:k].strip())
                over_it = sorted(each["label"] for each in record["gold"] if each["start"] <= at < each["end"])
                assert sorted(mark.label for mark in piece.marks) == over_it
                at += 1
            lanes = [mark.lane for mark in piece.marks]
            assert len(set(lanes)) == len(lanes) or max(lanes) == DEEPEST - 1
    assert not text[at:].strip()
    assert sorted(ended) == sorted(f"gold-{number}" for number in range(1, len(record["gold"]) + 1))


def test_every_kind_but_a_match_has_a_word_of_its_own():
    words = [word for kind, word in KINDS.items() if kind != "match"]
    assert all(words)
    assert len(set(words)) == len(words)
