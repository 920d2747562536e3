"""The files of eHealth-KD: layouts, sentences, and every line that is not as it should be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import SubmissionError
from scoring.readers.ehealthkd import fold, read_gold, read_system, scenarios
from scoring.readers.ehealthkd.lines import MalformedLine, parse_phrase, parse_relation
from scoring.readers.ehealthkd.parsing import parse_phrases, parse_relations
from tests.thoroughness import n_inputs

SENTENCES = "Las vías respiratorias del niño\nOtra frase con cáncer de piel\n"
PHRASES = "1\t4 8;9 22\tConcept\tx\n2\t27 31\tConcept\tx\n3\t32 36\tReference\tx\n"
RELATIONS = "is-a\t1\t2\n"


def make_files(sentences=SENTENCES, phrases=PHRASES, relations=RELATIONS, stem="input", folder=""):
    contents = {stem: sentences, "output_a": phrases, "output_b": relations}
    return {
        f"{folder}{name}_scenario1.txt": content if isinstance(content, bytes) else content.encode()
        for name, content in contents.items()
        if content is not None
    }


GOLD = read_gold(make_files(), 1)


def problems_of(**changes):
    with pytest.raises(SubmissionError) as refused:
        read_system(make_files(**changes), GOLD, 1)
    return refused.value.problems


def places(problems):
    return [(problem.file, problem.line) for problem in problems]


def test_spans_are_local_to_their_sentence():
    assert GOLD.phrases.spans(0) == [(4, 8), (9, 22)]
    assert GOLD.phrases.spans(2) == [(0, 4)]
    assert GOLD.phrases.sentence.tolist() == [0, 0, 1]


@pytest.mark.parametrize("folder", ["", "scenario1-main/", "run/", "a/b/c/", "a/b/c/scenario1-main/"])
def test_files_are_found_inside_up_to_three_folders(folder):
    files = make_files(folder=folder) | {"a/readme.txt": b"", "notes.txt": b""}
    assert len(read_gold(files, 1).phrases) == 3
    assert scenarios(files) == [1]


@pytest.mark.parametrize("folder", ["a/b/c/d/", "Scenario1/", "scenario_2/my run/"])
def test_files_are_found_by_their_names_wherever_they_lie(folder):
    files = make_files(folder=folder) | {"other/notes.txt": b""}
    assert scenarios(files) == [1]
    assert len(read_system(files, GOLD, 1).phrases) == 3


def test_files_of_one_scenario_may_lie_in_different_folders():
    files = {f"{name[7:9]}/{name}": content for name, content in make_files().items()}
    assert len(read_system(files, GOLD, 1).relations) == len(GOLD.relations)


def test_of_files_with_one_name_in_two_folders_one_has_to_go():
    with pytest.raises(SubmissionError) as refused:
        scenarios(make_files(folder="run1/") | make_files(folder="run2/"))
    assert [str(problem) for problem in refused.value.problems] == [
        "run1/output_a_scenario1.txt: 2 files have this name, keep one of them: "
        "run1/output_a_scenario1.txt, run2/output_a_scenario1.txt"
    ]


def test_a_missing_file_is_looked_for_among_names_that_are_nearly_its_own():
    files = make_files()
    files["Output_A_scenario1.txt"] = files.pop("output_a_scenario1.txt")
    files["output_b_scenario2.txt"] = files.pop("output_b_scenario1.txt")
    with pytest.raises(SubmissionError) as refused:
        read_system(files, GOLD, 1)
    assert [problem.message for problem in refused.value.problems] == [
        "missing file output_a_scenario1.txt: is it the file called Output_A_scenario1.txt? Rename it",
        "missing file output_b_scenario1.txt: put it beside the others",
    ]


def test_other_scenarios_of_the_upload_are_not_looked_at():
    files = make_files(folder="scenario1-main/") | {"scenario2-taskA/output_a_scenario2.txt": b"broken"}
    assert len(read_gold(files, 1).phrases) == 3
    assert scenarios(files) == [1, 2]


def test_files_both_at_the_top_and_in_the_folder_are_refused():
    with pytest.raises(SubmissionError, match="keep one of them"):
        read_gold(make_files() | make_files(folder="scenario1-main/"), 1)


def test_every_missing_file_is_named():
    problems = problems_of(phrases=None, relations=None)
    assert places(problems) == [("output_a_scenario1.txt", None), ("output_b_scenario1.txt", None)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_end_at_a_line_feed_a_carriage_return_or_both(line_end):
    files = {name: content.replace(b"\n", line_end.encode()) for name, content in make_files().items()}
    gold = read_gold(files, 1)
    assert gold.sentences.texts == GOLD.sentences.texts
    assert gold.phrases.ids.tolist() == [1, 2, 3]


def test_other_line_ends_of_unicode_stay_inside_a_sentence():
    text = "uno\fdos\u2028tres\x85cuatro\n"
    assert read_gold(make_files(sentences=text, phrases="", relations=""), 1).sentences.texts == [text.strip()]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\t4 8\tConcept", "Line has 3 columns, 4 are needed (ID, spans, label, text)."),
        ("1\t4 8\tConcept\t ", "Line has 3 columns"),
        ("1\t\t4 8\tConcept\tx", "Line has 5 columns"),
        ("", "Line is empty, 4 columns are needed"),
        ("ID\t4 8\tConcept\tx", "The ID 'ID' is not an integer."),
        ("1\t4-8\tConcept\tx", "In the spans, '4-8' is not two integers."),
        ("1\t4 8;\tConcept\tx", "In the spans, '' is not two integers."),
        ("1\t4 8 9\tConcept\tx", "In the spans, '4 8 9' is not two integers."),
        ("1\t4 x\tConcept\tx", "In the spans, '4 x' is not two integers."),
    ],
)
def test_a_bad_phrase_line_says_what_is_wrong(line, message):
    problems = problems_of(phrases=f"{PHRASES}{line}\n{PHRASES}")
    assert places(problems) == [("output_a_scenario1.txt", 4)]
    assert problems[0].message.startswith(message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("is-a\t1", "Line has 2 columns, 3 are needed (label, source ID, target ID)."),
        ("is-a 1 2", "Line has 1 column,"),
        ("is-a\tone\t2", "The source ID 'one' is not an integer."),
        ("is-a\t1\t9", "There is no phrase with the target ID 9."),
    ],
)
def test_a_bad_relation_line_says_what_is_wrong(line, message):
    problems = problems_of(relations=f"{RELATIONS}{line}\n")
    assert places(problems) == [("output_b_scenario1.txt", 2)]
    assert problems[0].message.startswith(message)


def test_all_problems_of_a_file_are_told_in_the_order_of_its_lines():
    problems = problems_of(phrases=f"x\n{PHRASES}9\t500 600\tConcept\tx\ny\n", relations="z\n")
    assert places(problems) == [
        *(("output_a_scenario1.txt", line) for line in (1, 5, 6)),
        ("output_b_scenario1.txt", 1),
    ]


def test_a_hundred_problems_of_a_file_are_enough():
    problems = problems_of(phrases="x\n" * 250)
    assert len(problems) == 101
    assert problems[-1].message == "and 150 more"


@pytest.mark.parametrize("name", ["sentences", "phrases", "relations"])
def test_bytes_that_are_not_utf_8_are_refused_with_their_line(name):
    problems = problems_of(**{name: b"a\r\nb\rc\xe9\n"})
    assert [(problem.line, "0xe9" in problem.message) for problem in problems] == [(3, True)]


@pytest.mark.parametrize("name", ["sentences", "phrases", "relations"])
def test_a_byte_order_mark_is_refused(name):
    text = {"sentences": SENTENCES, "phrases": PHRASES, "relations": RELATIONS}[name]
    problems = problems_of(**{name: "\ufeff" + text})
    assert problems[0].line == 1
    assert problems[0].message == "Save as UTF-8 without byte order mark."


def test_a_moved_sentence_is_recognised():
    first, second = SENTENCES.splitlines(keepends=True)
    problems = problems_of(sentences=second + first)
    assert "this is line 2 of the input" in problems[0].message
    assert "this is line 1 of the input" in problems[1].message


def test_a_sentence_is_shown_around_the_first_difference():
    gold = read_gold(make_files(sentences="a" * 200 + "b" + "c" * 200, phrases="", relations=""), 1)
    with pytest.raises(SubmissionError) as refused:
        read_system(make_files(sentences="a" * 200 + "X" + "c" * 200, phrases="", relations=""), gold, 1)
    assert f"“…{'a' * 40}X{'c' * 39}…”" in str(refused.value)


def test_twenty_altered_sentences_are_listed():
    gold = read_gold(make_files(sentences="a\n" * 50, phrases="", relations=""), 1)
    with pytest.raises(SubmissionError) as refused:
        read_system(make_files(sentences="b\n" * 50, phrases="", relations=""), gold, 1)
    assert [problem.line for problem in refused.value.problems] == [*range(1, 21), None]
    assert refused.value.problems[-1].message == "and 30 more"


def test_sentences_that_differ_are_left_out_where_the_original_is_followed():
    system = read_system(make_files(sentences="Otra\nOtra frase con cáncer de piel\n"), GOLD, 1, "official")
    assert system.comparison.left_out == [0]
    assert [warning.line for warning in system.comparison.warnings] == [1]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("a\u00a0b", "a b", True), ("nin\u0303o", "niño", True), ("ﬁn", "fin", False), ("a\tb", "a b", False)],
)
def test_composition_and_kinds_of_blanks_are_folded_and_nothing_else(a, b, same):
    assert (fold(a) == fold(b)) is same


def test_an_id_that_is_no_64_bit_integer_is_still_an_id():
    system = read_system(
        make_files(phrases=f"{10**30}\t4 8\tConcept\tx\n-7\t9 22\tConcept\tx\n", relations=f"is-a\t{10**30}\t-7\n"),
        GOLD,
        1,
    )
    assert system.relations.source.tolist() == [0]
    assert system.phrases.ids.tolist() == [10**30, -7]


def test_oddities_are_accepted_with_a_warning_at_their_line():
    system = read_system(
        make_files(
            phrases="1\t4 80\tConcept\tx\n2\t31 36\tConcept\tx\n3\t8 8\tConcept\tx\n3\t4 8\tThing\tx\n",
            relations="is-a\t1\t2\nlikes\t1\t3\nlikes\t1\t3\n",
        ),
        GOLD,
        1,
    )
    assert [(warning.line, warning.message[:20]) for warning in system.warnings] == [
        (4, "ID 3 is used twice: "),
        (1, "END lies past the se"),
        (2, "START lies before th"),
        (3, "a span is empty or r"),
        (4, "the label 'Thing' is"),
        (1, "the relation joins t"),
        (2, "the label 'likes' is"),
        (None, "relations that repea"),
    ]


LINES = (PHRASES, RELATIONS, "7\t4 8\tConcept\tx y\n", "causes\t12\t3\n")
# Pieces that lines are made of, whole and broken, so that random lines are often nearly right.
PIECES = st.sampled_from(
    [
        *"\t\t\t\t \n\n;01x",
        "12",
        "4 8",
        "4 8;9 22",
        "Concept",
        "is-a",
        "é",
        "\u00a0",
        "\0",
        "123456789",
        "-3",
        "+1",
        *LINES,
        *LINES,
    ]
)
texts = st.lists(PIECES, max_size=60).map("".join)
anything = st.one_of(st.binary(max_size=80), texts.map(str.encode))


WELL_FORMED = st.sampled_from(
    [
        *LINES,
        "1_0\t+4 008 ;9\u00a022\tConcept\t x\r\n",
        "99999999999999999999\t-3 4; 5 6\t\u00e9\tx\r",
        "1\t0 9999999999999\tConcept\tx\n",
        "IS-A\t99999999999999999999\t-1 \n",
    ]
)


@settings(max_examples=n_inputs(300), deadline=None, derandomize=True)
@given(text=st.one_of(texts, st.lists(WELL_FORMED, max_size=9).map("".join)))
def test_many_lines_are_read_as_each_line_alone(text):
    for parse_line, parse_all in ((parse_phrase, parse_phrases), (parse_relation, parse_relations)):
        raw, problems = parse_all(text.encode(), "file")
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        expected, refused = {}, []
        for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, start=1):
            try:
                expected[number] = parse_line(line)
            except MalformedLine:
                refused.append(number)
        assert [problem.line for problem in problems] == refused
        assert raw.lines.tolist() == list(expected)
        assert [raw.labels[code] for code in raw.label] == [line.label for line in expected.values()]
        if parse_line is parse_relation:
            assert raw.source.tolist() == [line.source for line in expected.values()]
            assert raw.target.tolist() == [line.target for line in expected.values()]
        else:
            assert raw.ids.tolist() == [line.id for line in expected.values()]
            spans = list(zip(raw.starts.tolist(), raw.ends.tolist(), strict=True))
            bounds = zip(raw.first[:-1], raw.first[1:], strict=True)
            assert [spans[a:b] for a, b in bounds] == [line.spans for line in expected.values()]


@settings(max_examples=n_inputs(300), derandomize=True)
@given(sentences=anything, phrases=anything, relations=anything, scenario=st.sampled_from((1, 2, 3)))
def test_whatever_the_bytes_are_only_a_refusal_escapes(sentences, phrases, relations, scenario):
    contents = {"input": sentences, "output_a": phrases, "output_b": relations}
    files = {f"{stem}_scenario{scenario}.txt": content for stem, content in contents.items()}
    for refusal in (
        refusal_of(read_gold, files, scenario),
        refusal_of(read_system, make_files(sentences, phrases, relations), GOLD, 1),
        refusal_of(read_system, make_files(sentences, phrases, relations), GOLD, 1, "official"),
    ):
        assert all(message and "\n" not in message for message in refusal)


def refusal_of(read, *arguments):
    """The problems as text, none if the files are accepted."""
    try:
        read(*arguments)
    except SubmissionError as refused:
        return list(map(str, refused.problems)) or [""]
    return []


@pytest.mark.parametrize("n_lost", [1, 3])
def test_lost_sentences_are_told_in_one_line_with_the_place_of_the_first(n_lost):
    texts = [f"Frase número {k} sobre la economía." for k in range(300)]
    gold = read_gold(make_files("\n".join(texts), "", ""), 1)
    kept = texts[:120] + texts[120 + n_lost :]
    with pytest.raises(SubmissionError) as caught:
        read_system(make_files("\n".join(kept), "", ""), gold, 1)
    [problem] = caught.value.problems
    assert "line 121, “Frase número 120 sobre la economía.”" in problem.message
    assert problem.line == 121


def test_added_and_altered_sentences_beside_a_lost_one_are_told_each():
    texts = [f"Frase {k}" for k in range(40)]
    gold = read_gold(make_files("\n".join(texts), "", ""), 1)
    changed = [*texts[:3], *texts[4:20], "Otra", *texts[20:30], "Cambiada\u200b", *texts[31:], "Final"]
    with pytest.raises(SubmissionError) as caught:
        read_system(make_files("\n".join(changed), "", ""), gold, 1)
    words = [str(problem.message) for problem in caught.value.problems]
    assert words[0] == "a sentence of the input is missing: line 4, “Frase 3”"
    assert words[1] == "2 sentences are not of the input, the first is “Otra”"
    assert "found “Cambiada\\u200b”" in words[2]
    assert len(words) == 3
