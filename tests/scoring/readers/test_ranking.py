"""Files of rankings: the kinds, both paths, and what is refused in which words."""

import json
import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scoring
from scoring.families.ranking import RANKING
from scoring.readers.ranking import ranking_of, read_gold, read_system, sides

GOLD = b"q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n"
OPTIONS = RANKING.configure({})


def read(run, gold=GOLD, **options):
    return read_system({"run.txt": run}, read_gold({"qrels.txt": gold}), RANKING.configure(options))


def messages(run, gold=GOLD, **options):
    with pytest.raises(scoring.SubmissionError) as refused:
        read(run, gold, **options)
    return [str(problem) for problem in refused.value.problems]


def messages_of_gold(gold):
    with pytest.raises(scoring.SubmissionError) as refused:
        read_gold({"qrels.txt": gold})
    return [str(problem) for problem in refused.value.problems]


def columns(run):
    return [run.queries, *(getattr(run, name).tolist() for name in ("n_documents", "unit", "rank", "grade"))]


def world(seed):
    """Lines of a run in which some scores tie and names are not all ASCII."""
    rng = random.Random(seed)
    lines = []
    for query in range(30):
        for document in rng.sample([*"abcdefgh", "é", "𐀀"], 6):
            lines.append(f"q{query} Q0 {document} 1 {rng.randint(-2, 2)}.5 run\n")
    return lines


@pytest.mark.parametrize("block", [1, 50, 2**18])
@pytest.mark.parametrize("seed", range(3))
def test_both_paths_read_the_same(seed, block, monkeypatch):
    monkeypatch.setattr("scoring.readers.ranking.fast._BLOCK", block)
    lines = world(seed)
    scattered = random.Random(seed).sample(lines, len(lines))
    gold = b"".join(b"q%d 0 %b %d\n" % (k, name, k % 3) for k in range(25) for name in (b"a", "é".encode(), b"h"))
    fast = [columns(read("".join(each).encode(), gold)) for each in (lines, scattered)]
    monkeypatch.setattr(sides, "_read_fast", lambda *arguments: False)
    assert [columns(read("".join(each).encode(), gold)) for each in (lines, scattered)] == fast
    assert fast[0] == fast[1]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n \t\n# a comment\n"])
def test_line_ends_blank_lines_and_comments_change_nothing(ends):
    plain = columns(read(b"q1 Q0 a 1 2.0 t\nq1 Q0 b 2 3.0 t\n"))
    assert columns(read(ends.join(["\ufeffq1 Q0 a 1 2.0 t", "q1\tQ0\tb 2   3.0 t", ""]).encode())) == plain
    assert columns(read(ends.join(["q1\ta \t 2.0", "q1\tb\t3.0"]).encode())) == plain


def test_blanks_of_unicode_and_inside_columns_with_tabs_belong_to_names():
    gold = "q\u00a01 0 a 1\n".encode()
    assert read("q\u00a01 Q0 a 1 2.0 t\n".encode(), gold).rank.tolist() == [1]
    assert read(b"q 1\tnew york\t2", b"q 1\tnew york\t1").rank.tolist() == [1]


@pytest.mark.parametrize("heading", ["query-id\tcorpus-id\tscore", "QID\tdocno\tRank", " topic \tpid\tsim"])
def test_a_heading_of_three_columns_is_no_line(heading):
    assert read(f"{heading}\nq1\ta\t1\n".encode()).queries == [b"q1"]


def test_json_says_the_same_as_lines():
    of_lines = columns(read(b"q1 Q0 a 1 2.0 t\nq1 Q0 b 2 3 t\nq2 Q0 c 1 -1e3 t\n"))
    found = {"q2": {"c": -1e3}, "q1": {"b": 3, "a": 2.0}, "q9": {}}
    assert columns(read(json.dumps(found).encode())) == of_lines


@pytest.mark.parametrize(
    "content",
    [
        b'{"q1": {"a": 1, "b": 2.5e1, "\\u00e9": -0.0}, "q2": {"c": 1}, "q3": {}}',
        b'{"q1": {"a": 1}, "q1": {"b": 1}}',
        b'{"q1": {"a": 1, "b": {"c": 1}}}',
        b'{"q1": {"a": 1e999}, "q2": {"": 1}}',
        b'{"q1": {"a": ' + b"9" * 5000 + b'}, "": {}, "q2": []}',
        b'{"a": 1}',
        b'\xef\xbb\xbf {"q1": {"a": true}} x',
    ],
)
def test_both_paths_of_json_read_the_same(content, monkeypatch):
    found = []
    for _ in range(2):
        try:
            found.append(columns(read(content)))
        except scoring.SubmissionError as error:
            found.append(list(map(str, error.problems)))
        monkeypatch.setattr(sides, "_read_fast", lambda *arguments: False)
    assert found[0] == found[1]


def test_a_third_column_may_be_a_rank_but_scores_of_trec_are_never():
    assert read(b"q1\ta\t2\nq1\tb\t1\n", order="rank").rank.tolist() == [1, 2]
    assert read(b"q1\ta\t2\nq1\tb\t1\n", order="rank").grade.tolist() == [0, 1]
    assert read(b"q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n", order="rank").grade.tolist() == [1, 0]


@pytest.mark.parametrize("text", ["1", "+1.5", "-.5", "5.", "1e3", "1E-3", "0" * 5000 + "1"])
def test_numbers_of_this_format_are_read(text):
    assert read(f"q1 Q0 a 1 {text} t\n".encode()).rank.tolist() == [1]


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "1_000", "0x1p3", "--1", "e5", ".", "1e"])
def test_other_numbers_are_refused(text):
    assert messages(f"q1 Q0 b 1 1 t\nq1 Q0 a 2 {text} t\n".encode()) == [
        f"run.txt:2: score {text!r} is not a finite number"
    ]


@pytest.mark.parametrize(
    ("run", "problems"),
    [
        (b"", ["run.txt: the run is empty"]),
        (b"# nothing\n\n", ["run.txt: the run is empty"]),
        (b"{}", ["run.txt: the run is empty"]),
        (b"x Q0 a 1 1 t\n", ["run.txt: no query of the run is in the gold"]),
        (b"\xff\xfeq\x00", ["run.txt: is in UTF-16; save the file as UTF-8"]),
        (b"q1 Q0 \xff 1 1 t\nq1 Q0 b 1 x t\n", ["not UTF-8", "run.txt:2: score 'x'"]),
        (b"q1 Q0 a 1 1 one\nq1 Q0 b 2 0 two\nq1 Q0 c 2 0 three\n", ["run.txt:2: several run tags: 'one' (line 1)"]),
        (b"q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n", ["run.txt:2: document 'a' of query 'q1' twice (first on line 1)"]),
        (b"q1 a 1 2 t\n", ["run.txt:1: 5 columns instead of 6"]),
        (b"q1\ta\t2\nq1\tb\n", ["run.txt:2: 2 columns instead of 3"]),
        (b"q1\ta\t2\nq1\t \t1\n", ["run.txt:2: empty query or document"]),
        (b'{"q1": {"a": 1}', ["not JSON"]),
        (b'{"q1": {"a": NaN}}', ["score 'NaN' is not a finite number"]),
        (b'{"q1": [1.5]}', ["query 'q1': must be an object of documents"]),
        (b'{"q1": ["a"], "q1": ["b"]}', ["query 'q1' twice"]),
        (b'{"q1": ["a", "a"]}', ["document 'a' of query 'q1' twice"]),
        (b'{"q1": {"a": 1, "a": 2}}', ["document 'a' of query 'q1' twice"]),
        (b'{"q1": {"a": "x", "b": true, "c": null}}', ['"x" is not a number', "true is not", "null is not"]),
        (b'{"q1": {"\\ud800": 1}}', ["not UTF-8"]),
        (b'{"a":' * 100_000, ["not JSON"]),
    ],
)
def test_what_is_wrong_is_said(run, problems):
    found = messages(run)
    assert len(found) == len(problems)
    for message, words in zip(found, problems, strict=True):
        assert words in message


def test_all_that_is_wrong_is_said_at_once():
    found = messages(b"q1 Q0 a 1 x t\nq1 Q0 a 1 1 u\nq1 a\n" + b"q1 b\n" * 200)
    assert len(found) == 101
    assert found[-1].endswith("and 104 more")


def test_too_many_documents_are_refused_or_cut():
    run = b"q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 c 1 1 t\n"
    assert messages(run, depth=1) == ["run.txt: query 'q1' has 2 documents, at most 1 are allowed"]
    assert read(run, depth=1, over_depth="cut").n_documents.tolist() == [2, 1]


def test_unknown_queries_may_be_refused():
    assert messages(b"q1 Q0 a 1 2 t\nq7 Q0 b 2 1 t\n", unknown="refuse") == ["run.txt: query 'q7' is not in the gold"]


@pytest.mark.parametrize(
    ("gold", "words"),
    [
        (b"q1 0 a 0.5\n", "qrels.txt:1: relevance '0.5' is not an integer"),
        (b"q1 0 a 1001\n", "qrels.txt:1: relevance 1001 is beyond 1000"),
        (b"q1 0 a -1001\n", "relevance -1001 is beyond -1000"),
        (b"q1 0 a " + b"9" * 5000 + b"\n", "is beyond 1000"),
        (b'{"q1": {"a": 1.0}}', "relevance '1.0' is not an integer"),
        (b"q1 a 1\n", "qrels.txt:1: 3 columns instead of 4"),
        (b"q1 0 a 1 x\n", "5 columns instead of 4"),
        (b"q1 0 a 1\nq1 0 a 0\n", "qrels.txt:2: document 'a' of query 'q1' twice (first on line 1)"),
        (b"", "no judgement"),
        (b'{"q1": {}}', "no judgement"),
        (b"q\x001 0 a 1\n", "query 'q\\x001' has a NUL character"),
    ],
)
def test_what_is_wrong_with_a_gold_is_said(gold, words):
    [message] = messages_of_gold(gold)
    assert words in message


def test_several_files_are_refused():
    with pytest.raises(scoring.SubmissionError, match="expected exactly one file"):
        read_system({"a": b"", "b": b""}, read_gold({"qrels.txt": GOLD}), OPTIONS)


PIECES = st.sampled_from(
    [b"q1", b"q2", b" ", b"\t", b"\n", b"\r", b"a", b"1", b"-1.5", b"#", b"{", b'"', b":", b",", b"}", b"Q0", b"\xff"]
)


@given(st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=40).map(b"".join)))
@example(b"{" * 3000)
@example(b"q1\ta\t1\n#\t\t\n\t\t\n")
def test_random_bytes_are_read_or_refused(content):
    for reader in (lambda: read(content), lambda: read_gold({"qrels.txt": content})):
        try:
            reader()
        except scoring.SubmissionError:
            continue


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("0123"))), st.booleans())
def test_both_paths_say_the_same_of_what_they_take(lines, has_tabs):
    form = "{0}\t{1}\t{2}\n" if has_tabs else "{0} 0 {1} {2}\n"
    content = "".join(form.format(*line) for line in lines).encode()
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for _ in range(2):
            try:
                gold = read_gold({"qrels.txt": content})
                found.append(
                    (gold.queries, gold.starts.tolist(), sorted(gold.documents), np.sort(gold.grades).tolist())
                )
            except scoring.SubmissionError as error:
                found.append(list(map(str, error.problems)))
            patch.setattr(sides, "_read_fast", lambda *arguments: False)
    assert found[0] == found[1]


QUESTIONS = [{"id": "q1", "type": "list", "documents": ["http://x/1", "http://x/2"]}, {"id": "q2", "documents": ["d"]}]


@pytest.mark.parametrize("indent", [None, 1])
def test_questions_in_one_object_are_lists_of_documents(indent):
    text = json.dumps({"username": "u", "questions": QUESTIONS}, indent=indent).encode()
    gold = read_gold({"g.json": text})
    assert gold.queries == [b"q1", b"q2"]
    assert gold.grades.tolist() == [1, 1, 1]
    assert ranking_of({"r.json": text}, b"q1", OPTIONS) == [(b"http://x/1", 2.0), (b"http://x/2", 1.0)]


def test_a_question_without_documents_is_told_with_its_line():
    wrong = json.dumps({"questions": [*QUESTIONS, {"id": "q3", "documents": 3}]}, indent=1).encode()
    with pytest.raises(scoring.SubmissionError, match=r"r.json:17: no documents: one of contexts"):
        ranking_of({"r.json": wrong}, b"q1", OPTIONS)


def test_an_object_with_a_query_and_a_list_is_a_line_though_it_stands_alone():
    assert ranking_of({"r.json": b'{"qid": "q1", "docs": ["a", "b"]}'}, b"q1", OPTIONS) == [(b"a", 2.0), (b"b", 1.0)]


@pytest.mark.parametrize("indent", [None, 1])
def test_queries_of_one_object_may_each_have_a_list_of_names_or_numbers(indent):
    text = json.dumps({"q1": [7, "b"], "q2": []}, indent=indent).encode()
    assert ranking_of({"r.json": text}, b"q1", OPTIONS) == [(b"7", 2.0), (b"b", 1.0)]
    assert read_gold({"g.json": text}).grades.tolist() == [1, 1]
