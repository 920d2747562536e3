"""The editions of 2020 and 2021 beside that of 2019: their files, their rules, and the converter between them.

The sentences are made up. The numbers were printed by the challenge's program of 2020 (commit 7cafdae of
knowledge-learning/ehealthkd-2020) for these very files; where a test says so, they were worked out by hand.
"""

import pytest

import scoring
from scoring.commands import ehealthkd_convert
from scoring.readers.ehealthkd.brat.lines import parse_annotation

# The second line is empty: it is no sentence, and offsets do not count it.
TEXT = "El asma afecta las vías respiratorias.\n\nLa gripe causa fiebre alta y tos.\nEl reposo alivia el dolor.\n"
GOLD = """\
T1\tConcept 3 7\tasma
T2\tAction 8 14\tafecta
T3\tConcept 19 23;24 37\tvías respiratorias
T4\tConcept 68 71\ttos
T5\tConcept 54 65\tfiebre alta
T6\tConcept 42 47\tgripe
T7\tConcept 54 60\tfiebre
T8\tAction 83 89\talivia
T9\tConcept 76 82\treposo
T10\tConcept 93 98\tdolor
R0\tsubject Arg1:T2 Arg2:T1
R1\ttarget Arg1:T2 Arg2:T3
R2\tcauses Arg1:T6 Arg2:T5
R3\tcauses Arg1:T6 Arg2:T4
*\tsame-as T5 T7
E1\tAction:T8 Subject:T9 Target:T10
A1\tNegated T8
#1\tNote T8\tx
"""
# T12 overlaps T5 and T4, and stands before T11, which overlaps T7 and T5: by their spans T11 comes first.
RUN = """\
T12\tConcept 61 71\talta y tos
T11\tConcept 54 67\tx
T1\tConcept 3 7\tasma
T2\tConcept 8 14\tafecta
T3\tConcept 19 37\tvías respiratorias
T6\tConcept 42 47\tgripe
T8\tAction 83 89\talivia
T9\tAction 73 82\tx
T10\tConcept 90 98\tdolor
R1\ttarget Arg1:T2 Arg2:T3
R2\tCauses Arg1:T6 Arg2:T11
R3\tcauses Arg1:T6 Arg2:T11
R4\tcauses Arg1:T6 Arg2:T12
*\tsame-as T12 T11
E1\tAction:T8 Target1:T10
"""
# Without the second sentence, and what stands in it.
SHORTER_TEXT = "El asma afecta las vías respiratorias.\nEl reposo alivia el dolor.\n"
SHORTER = """\
T1\tConcept 3 7\tasma
T2\tConcept 8 14\tafecta
T3\tConcept 19 37\tvías respiratorias
T8\tAction 49 55\talivia
T9\tAction 39 48\tx
T10\tConcept 56 64\tdolor
R1\ttarget Arg1:T2 Arg2:T3
E1\tAction:T8 Target1:T10
"""
KINDS = (
    *("correct_A", "incorrect_A", "partial_A", "spurious_A", "missing_A"),
    *("correct_B", "spurious_B", "missing_B"),
)


@pytest.fixture
def write(tmp_path):
    def folder(name, files):
        for path, text in files.items():
            place = tmp_path / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path / name

    return folder


@pytest.fixture
def evaluate(write):
    """A run against the gold, both as pairs of one name in one folder; other options and names may be given."""

    def scored(text, annotations, gold=GOLD, run="scenario1-main/scenario", **options):
        own = {f"{run}.ann": annotations} | ({f"{run}.txt": text} if text is not None else {})
        pair = {"scenario1-main/scenario.txt": TEXT, "scenario1-main/scenario.ann": gold}
        options = {"rules": "2020", **options}
        return scoring.evaluate("ehealthkd", gold=write("gold", pair), system=write("run", own), options=options)

    return scored


def counted(result):
    return [result.counts[kind] for kind in KINDS]


@pytest.mark.parametrize("rules", ["2020", "2021"])
@pytest.mark.parametrize("sentences", ["checked", "official"])
def test_a_run_is_counted_as_by_the_program_of_2020(evaluate, rules, sentences):
    result = evaluate(TEXT, RUN, rules=rules, sentences=sentences)
    assert counted(result) == [4, 1, 3, 1, 2, 3, 3, 4]
    assert result.scores["f1"] == pytest.approx(0.53125, abs=1e-12)
    assert [each for each in result.warnings if "left" in each] == []


@pytest.mark.parametrize(
    ("text", "annotations", "counts"),
    [
        (SHORTER_TEXT, SHORTER, [3, 1, 1, 1, 5, 1, 1, 6]),
        # All offsets behind the second blank are those of the gold, and so wrong by one.
        (TEXT.replace("causa fiebre", "causa  fiebre"), RUN, [3, 1, 4, 1, 2, 3, 3, 4]),
        # By hand: behind an additional sentence nothing is found, ten phrases and seven relations.
        ("Nueva.\n" + TEXT, "T1\tConcept 0 5\tNueva\n", [0, 0, 0, 0, 10, 0, 0, 7]),
    ],
    ids=["a sentence dropped", "a blank doubled", "a sentence added"],
)
def test_altered_sentences_are_refused_and_officially_aligned(evaluate, text, annotations, counts):
    with pytest.raises(scoring.SubmissionError, match=r"scenario\.txt"):
        evaluate(text, annotations)
    assert counted(evaluate(text, annotations, sentences="official")) == counts


def test_what_is_not_aligned_is_told(evaluate):
    warnings = "\n".join(evaluate(SHORTER_TEXT, SHORTER, sentences="official").warnings)
    assert "sentence 2 of the input is not found: all in it is missing" in warnings


def test_a_problem_names_the_line_of_the_file_and_not_the_sentence(evaluate):
    with pytest.raises(scoring.SubmissionError) as refused:
        evaluate(TEXT.replace("gripe", "tos"), RUN)
    assert [problem.line for problem in refused.value.problems] == [3]


@pytest.mark.parametrize(
    "run", ["scenario", "output", "main/scenario", "run1/scenario1-main/output", "a/b/medline.25", "scenario1-main/x"]
)
def test_the_pair_is_found_in_its_folder_or_alone(evaluate, run):
    assert counted(evaluate(TEXT, RUN, run=run))[0] == 4


def test_without_sentences_those_of_the_gold_are_taken(evaluate):
    assert counted(evaluate(None, RUN)) == counted(evaluate(TEXT, RUN))


def test_scenario_3_may_leave_the_phrases_to_the_gold(write):
    files = {"scenario3-taskB/output.txt": TEXT, "scenario3-taskB/output.ann": GOLD}
    relations = "".join(line for line in GOLD.splitlines(keepends=True) if line[0] in "R*")
    gold, run = write("gold", files), write("run", {"scenario3-taskB/output.ann": relations})
    result = scoring.evaluate("ehealthkd", gold=gold, system=run, options={"scenario": 3, "rules": "2021"})
    # By hand: five of seven relations.
    assert (result.scores["precision"], result.scores["recall"]) == (1, pytest.approx(5 / 7))


def test_an_upload_enters_the_scenarios_whose_folders_it_has(write):
    has_files = scoring.FAMILIES["ehealthkd"].files.has_files
    run = write("run", {f"r/{folder}/scenario.ann": RUN for folder in ("scenario1-main", "scenario4-transfer")})
    entered = [n for n in (1, 2, 3, 4) if has_files(run, {"scenario": n, "rules": "2020"})]
    assert entered == [1, 4]
    assert not has_files(run, {"scenario": 4, "rules": "2021"})


def test_scenario_4_is_scored_by_phrases_and_relations_as_the_first_is(write):
    in_folder = {1: "scenario1-main", 4: "scenario4-transfer"}
    found = [
        scoring.evaluate(
            "ehealthkd",
            gold=write(f"gold{number}", {f"{folder}/scenario.txt": TEXT, f"{folder}/scenario.ann": GOLD}),
            system=write(f"run{number}", {f"{folder}/scenario.txt": TEXT, f"{folder}/scenario.ann": RUN}),
            options={"scenario": number, "rules": "2020"},
        )
        for number, folder in in_folder.items()
    ]
    assert found[1].scores == found[0].scores
    assert None not in found[1].scores.values()


def test_several_pairs_are_not_told_apart(evaluate, write):
    write("run", {"scenario1-main/output.ann": RUN})
    with pytest.raises(scoring.SubmissionError, match="2 files could be meant"):
        evaluate(TEXT, RUN)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1 Concept 3 7 asma", "Line has 1 column, 3 are needed (ID, label and spans, text)"),
        ("Tx\tConcept 3 7\tasma", "The ID 'Tx' is not T and a number."),
        ("T1\tConcept 3\tasma", "In the spans, '3' is not two integers."),
        ("T1\t 3 7\tasma", "There is no label in front of the spans."),
        ("R1\tis-a Arg1:T1", "The relation is not written R1, tab, label Arg1:T1 Arg2:T2."),
        ("R1\tis-a Arg1:T1 T2", "'T2' has no colon between role and phrase, as in Arg1:T1."),
        ("R1\tis-a Arg1:1 Arg2:T2", "'1' is no reference to a phrase, such as T1."),
        ("E1\tAction:E2 Target:T1", "There is no event E2 further up."),
        ("R1\tis-a Arg1:T1 Arg2:T7", "There is no phrase with the target ID T7."),
        ("1\t3 7\tConcept\tasma", "Line begins with '1'; phrases begin with T, relations with R or *."),
        ("T2\tConcept 999 1000\tx", "START 999 lies past the end of the text, which has 99 characters."),
    ],
)
def test_a_line_that_cannot_be_read_is_explained(evaluate, line, message):
    with pytest.raises(scoring.SubmissionError) as refused:
        evaluate(TEXT, f"T1\tConcept 3 7\tasma\n{line}\n")
    [problem] = refused.value.problems
    assert (problem.file, problem.line) == ("scenario1-main/scenario.ann", 2)
    assert message in problem.message


def test_what_refers_to_nothing_is_left_out_where_the_program_of_2021_does(evaluate):
    annotations = RUN + "T99\tConcept 999 1000\tx\nR9\tis-a Arg1:T1 Arg2:T7\n"
    left_out = evaluate(TEXT, annotations, rules="2021", sentences="official")
    assert counted(left_out) == counted(evaluate(TEXT, RUN))
    assert len([each for each in left_out.warnings if "left out:" in each]) == 2


def test_a_tab_behind_a_relation_and_a_zero_before_a_number_change_nothing(evaluate):
    """brat writes the tab."""
    ends = {"R": "\t\n", "*": "\t\n"}
    written = "".join(line + ends.get(line[0], "\n") for line in RUN.splitlines()).replace("T1\t", "T01\t")
    assert counted(evaluate(TEXT, written)) == counted(evaluate(TEXT, RUN))
    assert parse_annotation("T01\tConcept 3 7\tasma") == parse_annotation("T1\tConcept 3 7\tasma")


def test_a_sentence_is_shown_with_its_phrases_in_the_order_of_their_spans():
    files = {"scenario.txt": TEXT.encode(), "scenario.ann": GOLD.encode()}
    run = {"scenario.ann": RUN.encode()}
    family = scoring.FAMILIES["ehealthkd"]
    record = family.views.unit_record(files, run, "sentence 2", family.configure({"rules": "2020"}))
    assert [phrase["id"] for phrase in record["system"]] == [6, 11, 12]
    assert [pair["kind"] for pair in record["phrases"]] == ["correct", "partial", "partial", "missing"]


@pytest.mark.parametrize("scenario", [1, 2, 3])
@pytest.mark.parametrize("name", ["develop", "training", "trial"])
def test_files_of_2019_keep_the_names_of_their_phase(write, name, scenario):
    texts = ("Uno dos\n", "1\t0 3\tConcept\tUno\n2\t4 7\tConcept\tdos\n", "is-a\t1\t2\n")
    stems = (f"input_{name}.txt", f"output_a_{name}.txt", f"output_b_{name}.txt")
    gold = write("gold", dict(zip(stems, texts, strict=True)))
    run = write("run", {"mine/" + stem: text for stem, text in zip(stems[1:], texts[1:], strict=True)})
    assert scoring.evaluate("ehealthkd", gold=gold, system=run, options={"scenario": scenario}).scores["f1"] == 1
    write("gold", {"output_a_test.txt": texts[1]})
    with pytest.raises(scoring.GoldError, match="files of several phases"):
        scoring.evaluate("ehealthkd", gold=gold, system=run)


def test_files_are_converted_there_and_back(write, tmp_path, capsys):
    a = "1\t4 8;9 22\tConcept\tvías respiratorias\n2\t33 37\tReference\tOtra\n"
    files = {"input_scenario1.txt": "Las vías respiratorias del niño\n\nOtra frase\n", "output_a_scenario1.txt": a}
    files["output_b_scenario1.txt"] = "is-a\t1\t1\nsame-as\t2\t2\n"
    tables = write("tables/scenario1-main", files).parent
    pairs, back = tmp_path / "pairs", tmp_path / "back"
    assert ehealthkd_convert.main([str(tables), str(pairs), "--to", "2020"]) == 0
    assert (pairs / "scenario1-main" / "scenario.ann").read_text(encoding="utf-8").splitlines() == [
        "T1\tConcept 4 8;9 22\tvías respiratorias",
        "T2\tReference 32 36\tOtra",  # without the empty line
        "R1\tis-a Arg1:T1 Arg2:T1",
        "*\tsame-as T2 T2",
    ]
    assert ehealthkd_convert.main([str(pairs), str(back), "--to", "2019"]) == 0
    results = [scoring.evaluate("ehealthkd", gold=each, system=each).counts for each in (tables, back)]
    assert {**results[0], "sentences": 2} == results[1]
    capsys.readouterr()
    write("tables/scenario1-main", {"output_a_scenario1.txt": a.replace("1\t4", "-1\t4")})
    assert ehealthkd_convert.main([str(tables), str(tmp_path / "none"), "--to", "2021"]) == 1
    assert "output_a_scenario1.txt:1: The ID -1 is negative" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("rules", ["2019", "2020", "2021"])
@pytest.mark.parametrize("scenario", [1, 2, 3])
def test_examples_samples_and_kits_are_in_the_edition_s_files(write, rules, scenario):
    """What an organiser and a participant are handed works with the rules that it was made for."""
    family = scoring.FAMILIES["ehealthkd"]
    options = family.configure({"rules": rules, "scenario": scenario})
    specimen = family.offer.specimen(options)
    gold = write("specimen", specimen.gold)

    def score(name, files):
        given = {"rules": rules, "scenario": scenario}
        return scoring.evaluate("ehealthkd", gold=gold, system=write(name, files), options=given).scores["f1"]

    assert score("gold", specimen.gold) == 1
    assert 0 < score("run", specimen.run) < 1
    assert score("sample", family.files.sample(specimen.gold, options)) < 0.5
    given = family.files.inputs(specimen.gold, options)
    assert (
        family.files.input_keys(given, options, "gold")
        == family.files.input_keys(specimen.gold, options, "gold")
        != set()
    )
    empty = family.read_gold(family.files.gold_of_inputs(given, options), options)
    assert not len(empty.relations)
    assert family.files.has_files(write("example", family.example(options)), options)
    assert set(family.files.file_names(options)) <= set(specimen.run)
