"""JSON Lines with their aliases, CoNLL-U and columns: what is read, and what is refused with which words."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.errors import SubmissionError
from scoring.families.spacy import SPACY
from scoring.readers.problems import ProblemCollector
from scoring.readers.spacy.conllu import sentences
from tests.thoroughness import n_inputs

CONFORMANCE = Path(__file__).parent.parent / "reference/spacy/conformance.jsonl"

GOLD = (
    b'{"id": "a", "words": ["Ann", "Lee", "runs"], "spaces": [true, true, false], "tags": ["N", "N", "V"], '
    b'"heads": [2, 0, 2], "deps": ["nsubj", "flat", "ROOT"], "ents": [[0, 2, "PER", "Q1"]], '
    b'"spans": {"sc": [[0, 3, "X"]]}, "cats": {"A": 1.0, "B": 0}}\n'
)
DOCUMENT = json.loads(GOLD)
CONLLU = (
    b"# sent_id = s1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\tCase=Nom\t2\tcase\t_\tNE=B-X\n"
    b"2\tle\t_\tDET\tD\t_\t0\troot\t_\tSpaceAfter=No|NE=I-X\n2.1\tnull\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
)


def options(**given):
    return SPACY.configure(given)


def read_gold(content, name="gold.jsonl", **given):
    return SPACY.read_gold({name: content}, options(**given))


def read_system(content, name="system.jsonl", gold=GOLD, gold_name="gold.jsonl", **given):
    chosen = options(**given)
    gold_side = SPACY.read_gold({gold_name: gold}, chosen)
    return SPACY.read_system({name: content}, gold_side, SPACY.resolve_options(gold_side, chosen))


def line(**changes):
    """The gold's document with other values; None takes a key away."""
    return json.dumps({key: value for key, value in (DOCUMENT | changes).items() if value is not None}).encode() + b"\n"


def problems_of(content, read=read_system, **given):
    with pytest.raises(SubmissionError) as refused:
        read(content, **given)
    return [(problem.line, problem.message) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": None}, 'no "id"'),
        ({"id": ""}, 'no "id"'),
        ({"id": True}, 'no "id"'),
        ({"entities": []}, "unknown key 'entities'; did you mean 'ents'?"),
        ({"tags": ["N", "N", 3]}, '"tags" must be a list of strings'),
        ({"tags": "NNV"}, '"tags" must be a list of strings'),
        ({"tags": ["N", "N", "V", "V"]}, '"tags" has 4 entries for 3 words'),
        ({"words": ["Ann", "", "runs"]}, "word 1 is empty"),
        ({"words": ["Ann", 1, "runs"]}, '"words" must be a list of strings'),
        ({"spaces": [1, 1, 0]}, '"spaces" must be a list of true and false'),
        ({"heads": [2, 0, 7]}, "head 7 of token 2 lies outside the document"),
        ({"heads": [2, 0, -2]}, "head -2 of token 2 lies outside the document"),
        ({"heads": [2, 0, True]}, '"heads" must be a list of integers'),
        (
            {"heads": [1, 2, 1]},
            '"heads" are no trees: are they counted from 1? Count tokens from 0, and let a root be its own head',
        ),
        ({"heads": None}, '"deps" without "heads": say which token each label leads to'),
        ({"deps": ["nsubj", None, "ROOT"]}, '"deps" must be a list of strings'),
        ({"sent_starts": [1, 2, 0]}, '"sent_starts" must be a list of 1, 0 and -1'),
        ({"ents": [[3, 3, "PER"]]}, "span 3..3 lies outside the document (length 3)"),
        ({"ents": [[2, 2, "PER"]]}, "span 2..2 is empty: if your ends name the last token, add 1 to each"),
        ({"ents": [[0, 4, "PER"]]}, "span 0..4 lies outside the document (length 3)"),
        ({"ents": [[0, 2, "PER"], [1, 3, "PER"]]}, "entity 1..3 overlaps another entity"),
        ({"ents": [[0, 2, "PER"], [0, 2, "PER"]]}, "entity 0..2 overlaps another entity"),
        ({"ents": [[0, 2]]}, '"ents" must be a list of [start, end, label], not [0, 2]'),
        ({"ents_missing": [[1, 2]]}, 'entity 0..2 touches a token of "ents_missing"'),
        ({"spans": {"sc": [[2, 1, "X"]]}}, "span 2..1 ends before it begins: exchange start and end"),
        ({"spans": []}, '"spans" must be an object of keys and lists of spans'),
        ({"cats": {"A": "1"}}, "value of category 'A' must be a finite number"),
        ({"cats": {"A": True}}, "value of category 'A' must be a finite number"),
        ({"cats": {"A": float("nan")}}, "value of category 'A' must be a finite number"),
        ({"text": "Ann Lee  runs"}, '"text" is not made of "words" and "spaces"'),
    ],
)
def test_each_defect_of_a_document_has_its_words(changes, message):
    assert (1, message) in problems_of(line(**changes))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{oops\n", "not JSON: Expecting property name enclosed in double quotes (column 2)"),
        (b"[]\n", "a line must be a JSON object"),
        (b'{"id": "a", "words": ["\xff"]}\n', "not UTF-8: byte 0xff; save the file as UTF-8"),
        (b'{"id": "a", "words": ["\\ud800"]}\n', "not JSON: half of a surrogate pair"),
        (b"[" * 100_000 + b"\n", "not JSON: nested too deeply"),
        (b'{"id": "a", "words": [], "cats": {"A": 1e999}}\n', "value of category 'A' must be a finite number"),
        (
            b'{"id": "a", "words": [], "cats": {"A": 99999999999999999999}}\n',
            "not JSON: the integer 99999999999999999999… is beyond 64 bits",
        ),
    ],
)
def test_what_is_no_json_is_said_so(content, message):
    assert (1, message) in problems_of(content)


def test_a_problem_has_the_line_of_its_document_and_all_are_listed():
    content = b"\n" + line(id="x") + b"\n" + line(tags=["N"]) + line(id="x") + line(id="y", heads=[9, 9, 9])
    assert problems_of(content) == [
        (4, '"tags" has 1 entries for 3 words'),
        (5, "duplicate id 'x' (first on line 2)"),
        (6, "head 9 of token 0 lies outside the document"),
        (6, "head 9 of token 1 lies outside the document"),
        (6, "head 9 of token 2 lies outside the document"),
        (2, "id 'x' is not in the gold data"),
    ]


def test_a_missing_document_and_another_text_are_told():
    assert problems_of(b"") == [(None, "document 'a' is missing")]
    assert problems_of(line(words=["Ann", "Leo", "runs"])) == [
        (1, "document 'a': the text differs from the gold text at character 6: 'eo runs…' against 'ee runs…'")
    ]


def test_capitals_white_space_and_tokens_may_differ():
    words = ["ANN", "\n", "lee", "ru", "ns"]
    alignment = read_system(json.dumps({"id": "a", "words": words, "cats": {"A": 1}}).encode()).alignment
    assert alignment.single.tolist() == [0, -1, 1, 2, 2]


def test_the_option_tokens_asks_for_the_same_tokens():
    content = json.dumps({"id": "a", "words": ["Ann", "Lee", "ru", "ns"], "cats": {"A": 1}}).encode()
    words = "the tokens differ from the gold tokens: token 2 is 'ru', where the task has 'runs'"
    assert problems_of(content, tokens="gold") == [(1, f"document 'a': {words}")]


def test_exclusive_categories_ask_for_an_answer():
    assert (1, "document 'a' has no categories") in problems_of(line(cats={}))


@pytest.mark.parametrize(
    "changes",
    [
        {"id": 1},
        {"_note": {"anything": []}},
        {"tags": [None, "", "V"]},
        {"ents": [{"start": 0, "end": 2, "label": "PER", "kb_id": None}]},
        {"ents": [[0, 1, "PER"], [1, 2, "PER", "Q1"]]},
        {"sent_starts": [True, False, None]},
        {"morphs": [None, "_", "Case=Nom|Gender=Fem"]},
        {"text": "Ann Lee runs  "},
        {"ents": [], "ents_missing": [[0, 2], [2, 3]]},
    ],
)
def test_other_ways_to_write_a_document_are_read(changes):
    assert len(read_gold(line(**changes))) == 1


def test_booleans_of_sent_starts_are_one_minus_one_and_zero():
    assert read_gold(line(sent_starts=[True, False, None])).sent_start.tolist() == [1, -1, 0]


def test_the_order_of_features_says_nothing():
    first, second, third = read_gold(line(morphs=["A=2,1|B=1", "B=1|A=1,2", ""])).morph.tolist()
    assert first == second != third != 0


def test_documents_without_a_key_get_its_default():
    content = line() + b'{"id": "b", "words": ["x", "y"]}\n' + line(id="c")
    gold = read_gold(content)
    assert gold.head.tolist() == [2, 0, 2, 0, 1, 2, 0, 2]
    assert gold.tag.astype(bool).tolist() == [True] * 3 + [False] * 2 + [True] * 3
    assert gold.knows_spaces.tolist() == [True, False, True]


def test_to_json_of_spacy_is_read():
    document = {
        "id": "a",
        "text": "Ann Lee runs",
        "ents": [{"start": 0, "end": 7, "label": "PER"}],
        "sents": [{"start": 0, "end": 12}],
        "cats": {"A": 0.5},
        "spans": {"sc": [{"start": 4, "end": 12, "label": "X", "kb_id": ""}]},
        "tokens": [
            {"id": 0, "start": 0, "end": 3, "tag": "N", "morph": "", "dep": "nsubj", "head": 2},
            {"id": 1, "start": 4, "end": 7, "dep": "flat", "head": 0},
            {"id": 2, "start": 8, "end": 12, "tag": "V", "dep": "ROOT", "head": 2},
        ],
        "settings": {"whatever": 1},
    }
    found = read_system(json.dumps(document).encode()).documents
    texts = found.strings.texts
    assert found.words(0) == ["Ann", "Lee", "runs"]
    assert found.spaces(0) == [True, True, False]
    assert [texts[code] for code in found.tag] == ["N", "", "V"]
    assert [texts[code] for code in found.morph] == ["_", "", ""]
    assert (found.ents.start.tolist(), found.ents.end.tolist()) == ([0], [2])
    assert (found.spans.start.tolist(), found.spans.end.tolist()) == ([1], [3])
    assert found.sent_start.tolist() == [1, -1, -1]
    document["ents"][0]["end"] = 6
    assert problems_of(json.dumps(document).encode()) == [(1, "span 0..6 does not begin and end where tokens do")]


def test_no_tokens_at_all_are_an_empty_document():
    gold = read_gold(b'{"id": "a", "tokens": []}\n{"id": "b", "words": ["x"]}\n')
    assert gold.lengths.tolist() == [0, 1]


def test_offsets_lie_on_the_tokens_of_the_gold_and_others_are_kept_apart():
    system = read_system(b'{"id": "a", "ents": [[0, 7, "PER"], [8, 10, "LOC"]], "cats": {"A": 1}}').documents
    assert (system.ents.start.tolist(), system.ents.end.tolist()) == ([0], [2])
    assert (system.off_boundary.start.tolist(), system.off_boundary.end.tolist()) == ([8], [10])
    assert problems_of(b'{"id": "a", "ents": [[0, 9, "PER"], [8, 10, "LOC"]], "cats": {"A": 1}}') == [
        (1, "entity 8..10 overlaps another entity")
    ]
    assert problems_of(b'{"id": "a", "text": "Ann Leo", "cats": {"A": 1}}') == [
        (1, "document 'a': the text differs from the gold text at character 6: 'eo' against 'ee runs'")
    ]


def test_a_gold_without_tokens_may_have_categories_alone():
    assert read_gold(b'{"id": "a", "text": "Ann runs", "cats": {"A": 1}}').words(0) == ["Ann runs"]
    (problem,) = problems_of(b'{"id": "a", "text": "Ann runs", "ents": []}', read=read_gold)
    assert problem[1].startswith("gold needs tokens")


def test_conllu_gives_all_its_columns():
    found = read_gold(CONLLU, name="gold.conllu")
    texts = found.strings.texts
    assert found.ids == ["s1"]
    assert found.words(0) == ["de", "le"]
    assert found.spaces(0) == [True, False]
    assert [texts[code] for code in found.tag] == ["ADP", "D"]
    assert [texts[code] for code in found.lemma] == ["de", ""]
    assert [texts[code] for code in found.dep] == ["case", "ROOT"]
    assert found.head.tolist() == [1, 1]
    assert (found.ents.start.tolist(), found.ents.end.tolist()) == ([0], [2])


def test_sentences_of_a_document_are_joined():
    content = b"# newdoc id = d\n" + CONLLU + CONLLU.replace(b"s1", b"s2") + b"# newdoc\n" + CONLLU
    found = read_gold(content, name="gold.conllu")
    assert found.ids == ["d", "s1"]
    assert found.head.tolist() == [1, 1, 3, 3, 1, 1]
    assert found.sent_start.tolist() == [1, -1, 1, -1, 1, -1]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (b"case\t_\tNE=B-X", b"case\t_", (3, "9 columns instead of 10")),
        (b"\t2\tcase", b"\tx\tcase", (3, "HEAD 'x' is not a number")),
        (b"\t2\tcase", b"\t5\tcase", (3, "HEAD 5 lies outside the sentence (length 2)")),
        (b"2\tle", b"3\tle", (4, "ID '3' instead of 2")),
    ],
)
def test_defects_of_conllu_have_the_line_of_their_token(old, new, problem):
    assert problem in problems_of(CONLLU.replace(old, new), read=read_gold, name="gold.conllu")


def _sentences(*texts, first=""):
    """CoNLL-U in which words hang on the first of their sentence."""
    lines = [first] if first else []
    for text in texts:
        words = enumerate(text.split(), start=1)
        lines += ["\t".join([str(k), word, *"____", str(int(k > 1)), "dep", "_", "_"]) for k, word in words] + [""]
    return "\n".join(lines).encode() + b"\n"


_NAMED = b"# newdoc id = a\n" + _sentences("b c", "d") + b"# newdoc id = b\n" + _sentences("e f")


@pytest.mark.parametrize(
    "run", [_sentences("b c", "d", "e f", first="# newdoc"), _sentences("bc", "d", "ef", first="# sent_id = 1")]
)
def test_documents_of_a_parser_that_knows_no_ids_are_told_by_their_texts(run):
    system = read_system(run, gold=_NAMED, name="run.conllu", gold_name="gold.conllu").documents
    assert system.ids == ["a", "b"]
    assert ["".join(system.words(k)) for k in (0, 1)] == ["bcd", "ef"]
    assert system.head.tolist()[-1] == 0
    (warning,) = system.warnings
    assert warning.startswith("run.conllu: no id is one of the gold's (the gold has 2 documents, this file ")
    assert warning.endswith("documents were paired by their texts")


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (_sentences("b c", "d e f"), "the sentence in line 4 goes on where document 'a' of the gold has ended"),
        (_sentences("b c", "d", "e"), "their texts are 4 characters long instead of 5, blanks aside"),
    ],
)
def test_documents_without_ids_that_cannot_be_told_apart_are_refused_in_one_sentence(run, reason):
    ((line, message),) = problems_of(run, gold=_NAMED, name="run.conllu", gold_name="gold.conllu")
    assert line is None
    assert reason in message
    assert message.endswith("write a line '# newdoc id = …' before each document")


def test_documents_with_ids_of_their_own_are_not_paired_by_texts():
    problems = problems_of(
        _NAMED.replace(b"id = b", b"id = x"), gold=_NAMED, name="run.conllu", gold_name="gold.conllu"
    )
    assert [message for _, message in problems] == ["id 'x' is not in the gold data", "document 'b' is missing"]


def test_where_no_id_fits_the_numbers_of_documents_are_told():
    problems = problems_of(line(id="x") + line(id="y"))
    assert problems[0] == (None, "no id is one of the gold's; documents of the gold: 1, of this submission: 2")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_lines_cut_together_are_cut_as_one_by_one(ending):
    content = CONLLU + b"\n\n" + CONLLU.replace(b"s1", b"s2") + b"# newdoc id = c\n" + CONLLU
    usual = content.replace(b"\n\n\n\n", b"\n\n").decode().replace("\n", ending).encode()
    found, other = sentences._at_once(usual), sentences._line_by_line(usual, "x", ProblemCollector())
    for name in ("each", "first", "lines", "ranges"):
        assert getattr(found, name) == getattr(other, name)
    assert [list(column) for column in found.columns] == [list(column) for column in other.columns]
    # A further blank line is unusual.
    assert sentences._at_once(content) is None


@pytest.mark.parametrize(
    ("tags", "entities"),
    [
        ("B-X I-X O", [[0, 2]]),
        ("I-X I-X O", [[0, 2]]),
        ("B-X B-X L-X", [[0, 1], [1, 3]]),
        ("U-X S-X O", [[0, 1], [1, 2]]),
        ("B-X I-Y E-Y", [[0, 1], [1, 3]]),
        ("O E-X E-X", [[1, 2], [2, 3]]),
    ],
)
def test_tags_are_read_leniently(tags, entities):
    content = "".join(f"w{i} {tag}\r\n" for i, tag in enumerate(tags.split())).encode()
    ents = read_gold(content, name="gold.conll").ents
    assert [list(pair) for pair in zip(ents.start.tolist(), ents.end.tolist(), strict=True)] == entities


def test_tags_that_continue_nothing_are_warned_of_or_refused():
    content = b"-DOCSTART- O\n\nw O\n\nw I-X\nw I-Y\n"
    found = read_gold(content, name="gold.conll")
    assert found.ids == ["1", "2"]
    assert found.warnings == [
        "gold.conll: 2 tags continue no entity of their type and were read as the beginning of one"
    ]
    assert problems_of(content, read=read_gold, name="gold.conll", invalid_tags="refuse") == [
        (5, "tag 'I-X' continues no entity"),
        (6, "tag 'I-Y' continues no entity"),
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [("gold", GOLD), ("gold", CONLLU), ("gold", b"w B-X\n"), ("gold.txt", b"w B-X\n"), ("gold.NDJSON", GOLD)],
)
def test_the_format_is_told_by_name_or_content(name, content):
    assert len(read_gold(content, name=name)) == 1


def test_several_files_are_read_if_all_are_json_lines():
    chosen = options()
    gold = SPACY.read_gold({"b.jsonl": line(id="b"), "a.jsonl": b"\xef\xbb\xbf" + GOLD}, chosen)
    assert gold.ids == ["a", "b"]
    with pytest.raises(SubmissionError, match="only JSON Lines may come in several files"):
        SPACY.read_gold({"b.conllu": CONLLU, "a.jsonl": GOLD}, chosen)


@pytest.mark.parametrize(
    ("name", "content"), [("gold.spacy", b"x"), ("gold.jsonl", b"\x78\x9c123"), ("gold", b"\x80\x04K\x01.")]
)
def test_binary_files_are_refused_with_the_converter(name, content):
    ((_, message),) = problems_of(content, read=read_gold, name=name)
    assert "convert them to JSON Lines" in message
    assert "DocBin().from_disk" in message


SEEDS = [
    GOLD,
    CONLLU,
    b"w B-X\nw I-X\n\nw O\n",
    b'{"id": "a", "ents": [[0, 3, "X"]], "spans": {"sc": []}, "cats": {"A": 1}}',
    b'{"id": "a", "text": "x y", "tokens": [{"start": 0, "end": 1, "head": 0, "dep": "x"}, {"start": 2, "end": 3}]}',
]
PIECES = [b"", b"0", b"-1", b"9", b"null", b"[", b"]", b"{}", b'""', b",", b"\n", b"\t", b"true", b"1.5"]


@st.composite
def mutated(draw):
    content = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.integers(0, 3))] = draw(st.sampled_from(PIECES))
    return bytes(content)


@settings(max_examples=n_inputs(400))
@given(content=mutated() | st.binary(max_size=60), name=st.sampled_from(["x", "x.jsonl", "x.conllu", "x.conll"]))
@example(content=b'{"id": "a", "words": ["a"], "spans": {"sc": {"start": 0}}}', name="x.jsonl")
@example(content=b'{"id": "a", "tokens": [{"start": 0, "end": 1}], "text": "a", "cats": 3}', name="x.jsonl")
@example(content=b'{"id": "a", "cats": [1]}', name="x.jsonl")
def test_any_bytes_are_read_or_refused(content, name):
    for read in (read_gold, read_system):
        with suppress(SubmissionError):
            read(content, name=name)
