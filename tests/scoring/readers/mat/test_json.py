"""MAT's JSON: what is read, and what is refused in which words, with the fast parser and without it."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import SubmissionError
from scoring.readers.mat.formats import json_text, mat_json
from tests.scoring.readers.mat.documents import (
    annotation_set,
    document,
    gold_of,
    messages_of,
    problems_of,
    spans_of,
    system_of,
    tokens_of,
)
from tests.thoroughness import n_inputs


@pytest.fixture(params=["fast", "standard"], autouse=True)
def parser(request, monkeypatch):
    if request.param == "standard":
        monkeypatch.setattr(json_text, "fast_loads", None)


def refused(text):
    return messages_of(system_of, {"a.json": text})


def rows(name, text, **more):
    """A document with these rows, as they are written."""
    filled = json.dumps(document(annotation_set(name, **more)))
    return filled.replace('"annots": []', f'"annots": {text}')


def test_spans_and_tokens_become_columns_by_document_and_labels_are_sorted():
    gold = gold_of(
        {
            "b.json": document(annotation_set("PER", (0, 7), (0, 7)), annotation_set("LOC", (13, 20))),
            "a.json": document(annotation_set("lex", (8, 12), (0, 7)), annotation_set("PER", (0, 12))),
        }
    )
    assert gold.documents == ["a.json", "b.json"]
    assert gold.labels == ["LOC", "PER"]
    assert spans_of(gold) == [(0, "PER", 0, 12), (1, "PER", 0, 7), (1, "PER", 0, 7), (1, "LOC", 13, 20)]
    assert tokens_of(gold) == [(0, 0, 7), (0, 8, 12)]
    assert gold.paths == ["a.json", "b.json"]


def test_the_systems_labels_continue_those_of_the_gold():
    gold = {"a.json": document(annotation_set("PER", (0, 7)))}
    system = {
        "a.json": document(annotation_set("Z", (0, 7)), annotation_set("A", (0, 7)), annotation_set("PER", (8, 12)))
    }
    read = system_of(system, gold, content_annotations=("PER", "Z", "A"))
    assert read.labels == ["PER", "A", "Z"]
    assert spans_of(read) == [(0, "Z", 0, 7), (0, "A", 0, 7), (0, "PER", 8, 12)]


@pytest.mark.parametrize("attributes", [["type", "kind"], [{"name": "type", "type": "string"}, {"name": "kind"}]])
def test_rows_hold_an_id_and_attributes_of_either_version_and_may_be_short(attributes):
    own = annotation_set("PER", (0, 7, "e1", "x"), (8, 12, "e2"), (13, 20, None, "x", 3), hasID=True, attrs=attributes)
    assert [span[2:] for span in spans_of(gold_of({"a.json": document(own)}))] == [(0, 7), (8, 12), (13, 20)]


def test_sets_without_extent_and_absent_sets_are_no_annotation():
    spanless = annotation_set("PER", ("e1",), ("e2", "x", 1, 2), hasSpan=False, hasID=True)
    assert spans_of(gold_of({"a.json": document(spanless), "b.json": {"signal": "x"}})) == []


def test_a_byte_order_mark_is_dropped():
    assert gold_of({"a.json": b"\xef\xbb\xbf" + b'{"signal": "x"}'}).signals == ["x"]


def test_annotations_of_other_types_are_counted_and_ignored_wherever_they_lie():
    system = system_of({"a.json": document(annotation_set("zone", (0, 29), (5, 99)), annotation_set("PER", (0, 7)))})
    assert system.n_ignored == 2
    assert spans_of(system) == [(0, "PER", 0, 7)]
    assert system.warnings == ["system: 2 annotations ignored, their types do not count"]


def test_the_systems_tokens_and_metadata_are_not_looked_at():
    odd = document(annotation_set("lex", (5, 3), (0, "x"), ()), metadata=7)
    system = system_of({"a.json": odd})
    assert tokens_of(system) == []
    assert system.n_ignored == 0


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        (b"", "not valid JSON", 1, 1),
        (b"{}x", "not valid JSON", 1, 3),
        (b'{"signal": "x",\n "asets": [}', "not valid JSON", 2, 12),
        (b'{"signal": "a\\ud800"}', "not valid JSON: lone surrogate", 1, 14),
        (b'{"signal": "\\udc00\\ud800"}', "not valid JSON: lone surrogate", 1, 13),
        (b'{"signal": "x",\n "\\uD800\\uD800\\uDC00": 1}', "not valid JSON: lone surrogate", 2, 3),
        (b'{"signal": "\xff"}', "not valid UTF-8", 1, 13),
        ('{"signal": "é\n'.encode() + b'\xff"}', "not valid UTF-8", 2, 1),
        ('{"signal": "é"}'.encode("utf-16"), "not valid UTF-8", 1, 1),
        (
            b'{"signal": "x", "deep": ' + b"[" * 5000 + b"]" * 5000 + b"}",
            "not valid JSON: nested too deeply",
            None,
            None,
        ),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text, message, line, column):
    [found] = problems_of(system_of, {"a.json": text})
    assert found[3].startswith(message)
    assert found[:3] == ("a.json", line, column)


def test_a_pair_of_escaped_surrogates_and_an_escaped_backslash_are_text():
    signals = gold_of({"a.json": b'{"signal": "\\ud83d\\ude42 \\\\ud800 \\u00e9"}'}).signals
    assert signals == ["🙂 \\ud800 é"]


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "[]",
        "null",
        "{}",
        '{"signal": 5}',
        '{"signal": null, "asets": []}',
        '{"signal": "x", "asets": {}}',
        '{"signal": "x", "asets": null}',
        '{"signal": "x", "asets": [5]}',
        '{"signal": "x", "asets": [{"annots": []}]}',
        '{"signal": "x", "asets": [{"type": 1, "annots": []}]}',
        '{"signal": "x", "asets": [{"type": "PER"}]}',
        '{"signal": "x", "asets": [{"type": "PER", "annots": {}}]}',
        '{"signal": "x", "asets": [{"type": "PER", "annots": [], "hasID": 1}]}',
        '{"signal": "x", "asets": [{"type": "PER", "annots": [], "hasSpan": null}]}',
        '{"signal": "x", "asets": [{"type": "PER", "annots": [], "attrs": "type"}]}',
        '{"signal": "x", "asets": [{"type": "PER", "annots": [], "attrs": [{"nom": "x"}]}]}',
        '{"signal": "x", "asets": [], "more": [NaN]}',
        '{"signal": "x", "asets": [], "more": -Infinity}',
    ],
)
def test_json_of_another_shape_is_refused(text):
    [message] = messages_of(system_of, {"a.json": text}, {"a.json": document(signal="x")})
    assert message.startswith("not a mat-json document: ")


@pytest.mark.parametrize(
    "row",
    ["[]", "[0]", "[0, 7, 1]", "5", "null", '"ab"', '{"a": 0, "b": 7}', "[true, 7]", "[0, false]", "[0, 7.0]"]
    + ["[0, 1.5]", '["0", 7]', "[null, 7]", "[[0], 7]", "[0, 1e0]", "[0, NaN]"],
)
@pytest.mark.parametrize("others", ["", "[0, 7], ", "[8, 12], [13, 20], "])
def test_rows_of_another_shape_are_refused(row, others):
    [message] = refused(rows("PER", f"[{others}{row}]"))
    assert message.startswith("not a mat-json document: ")
    if row != "[0, NaN]":
        assert f"asets[0].annots[{others.count('[')}]: " in message


def test_a_row_needs_its_id_and_has_no_more_values_than_attributes():
    assert refused(rows("PER", "[[0, 7]]", hasID=True)) == [
        "not a mat-json document: asets[0].annots[0]: the row has 2 values, 3 are expected"
    ]
    assert refused(rows("PER", "[[0, 7], [8, 12, 1, 2]]", attrs=["type"])) == [
        "not a mat-json document: asets[0].annots[1]: the row has 4 values, 2 to 3 are expected"
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[3, 3]", "zero-length annotation: PER from 3 to 3"),
        ("[29, 29]", "zero-length annotation"),
        ("[-3, 3]", "offset out of range: PER from -3 to 3"),
        ("[20, 30]", "offset out of range: PER from 20 to 30"),
        ("[0, 9223372036854775807]", "offset out of range"),
        ("[0, 9223372036854775808]", "offset out of range"),
        ("[0, 99999999999999999999999999]", "offset out of range"),
        ("[-99999999999999999999999999, 7]", "offset out of range"),
        ("[0, " + "9" * 5000 + "]", "offset out of range"),
    ],
)
def test_places_outside_the_text_are_refused(row, message):
    [found] = refused(rows("PER", f"[{row}]"))
    assert found.startswith(message)
    assert refused(rows("PER", f"[[0, 7], {row}]")) == [found]


def test_ends_before_starts_are_called_exchanged_where_all_are():
    assert refused(rows("PER", "[[5, 3]]")) == ["ends before it begins: exchange start and end: PER from 5 to 3"]
    assert refused(rows("PER", "[[0, 7], [5, 3]]")) == ["offset out of range: PER from 5 to 3"]


def test_every_problem_of_every_document_is_reported():
    system = {
        "a.json": document(annotation_set("PER", (0, 0), (0, 40), (8, 12)), annotation_set("LOC", (0, 1.5), (1,))),
        "b.json": document(annotation_set("PER", (5, 3)), signal="Mirelle lost"),
        "c.json": "[",
    }
    found = problems_of(system_of, system, {name: document() for name in system})
    assert [(file, message.split(":")[0]) for file, _, _, message in found] == [
        ("a.json", "not a mat-json document"),
        ("a.json", "not a mat-json document"),
        ("a.json", "zero-length annotation"),
        ("a.json", "offset out of range"),
        ("b.json", "signal differs from gold at offset 9"),
        ("b.json", "offset out of range"),
        ("c.json", "not valid JSON"),
    ]


def test_a_document_lists_at_most_a_hundred_problems_of_a_kind():
    found = refused(rows("PER", "[" + ", ".join(["[1]"] * 150) + "]"))
    assert len(found) == 101
    assert found[-1] == "and 50 more"


def test_offsets_may_count_utf16_code_units():
    signal = "🙂ok 𝒳eno"
    own = annotation_set("PER", (0, 4), (5, 10))
    plain = document(annotation_set("LOC", (0, 2)), signal="ok")
    gold = gold_of({"a.json": document(own, signal=signal), "b.json": plain}, offset_unit="utf16")
    assert spans_of(gold) == [(0, "PER", 0, 3), (0, "PER", 4, 8), (1, "LOC", 0, 2)]
    for row in ((1, 4), (0, 6), (0, 11)):
        broken = {"a.json": document(annotation_set("PER", row), signal=signal)}
        [message] = messages_of(gold_of, broken, offset_unit="utf16")
        assert message == f"offset out of range: PER from {row[0]} to {row[1]}"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | st.sampled_from(["PER", "lex", "x", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["signal", "asets", "type", "annots", "attrs", "hasID", "hasSpan", "name", "metadata"]),
            inner,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=n_inputs(300))
@given(data=st.binary(max_size=80) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_arbitrary_documents_are_refused_and_nothing_else(data):
    for read in (gold_of, system_of):
        with contextlib.suppress(SubmissionError):
            read({"a.json": data})


FULL = json.dumps(
    document(
        annotation_set("lex", (0, 7), (8, 12)),
        annotation_set("PER", (0, 7, "x"), (8, 12), attrs=["type"]),
        annotation_set("LOC", (13, 20, 1), hasID=True),
    )
).encode()


@settings(max_examples=n_inputs(500))
@given(
    changes=st.lists(st.tuples(st.integers(0, len(FULL) - 1), st.sampled_from(b'0-9.,[]{}"\\e\xff')), max_size=3),
    cut=st.none() | st.integers(0, len(FULL)),
)
def test_fast_and_standard_parser_accept_and_refuse_the_same(changes, cut):
    data = bytearray(FULL)
    for place, value in changes:
        data[place] = value
    found = []
    for fast in (json_text.fast_loads, None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_text, "fast_loads", fast)
            try:
                gold = gold_of({"a.json": bytes(data[:cut])})
                found.append((spans_of(gold), tokens_of(gold), gold.signals))
            except SubmissionError as error:
                found.append(error.problems)
    assert found[0] == found[1]


def test_the_fast_and_the_careful_path_read_the_same_from_regular_rows(monkeypatch):
    def read():
        gold = gold_of(
            {"a.json": FULL, "b.json": document(annotation_set("PER"), annotation_set("LOC", (0, 7), (8, 12)))}
        )
        return spans_of(gold), tokens_of(gold), gold.labels

    fast = read()
    monkeypatch.setattr(mat_json, "_fast_columns", lambda rows, least, most: None)
    assert read() == fast
