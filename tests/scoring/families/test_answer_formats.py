"""Questions and answers in the files of TREC and of SQuAD, and patterns as answers."""

import json

import pytest

import scoring
from scoring.families.qac import QAC
from scoring.readers.archive import Made, open_files

PATTERNS = """\
66.1 Tsu( City)?\tNYT19990326.0303
66.1 Mie\tAPW20000908.0100
66.2 (in )?18[0-9]{2} NYT19990326.0303
67.1 NIL
"""
RANKED = """\
66.1 A NYT19990326.0303 Nara
66.1 A APW20000908.0100 the town of Tsu City
66.1 A NYT19990326.0303 tsu
66.1 A APW20000908.0100 Mie
66.2 A NYT19990326.0303 1962
66.2 A NYT19990326.0303 1963
66.2 A NYT19990326.0303 1964
66.2 A NYT19990326.0303 1965
66.2 A NYT19990326.0303 1966
66.2 A NYT19990326.0303 in 1862
67.1 A APW20000908.0100 Kobe
67.1 A NIL
"""
DATASET = {
    "version": "v2.0",
    "data": [
        {
            "title": "Tsu",
            "paragraphs": [
                {
                    "context": "Tsu lies on the bay.",
                    "qas": [
                        {"id": "where", "question": "Where?", "answers": [{"text": "on the bay"}, {"text": "bay"}]},
                        {"id": "who", "question": "Who?", "answers": []},
                    ],
                }
            ],
        },
        {"title": "Ise", "paragraphs": [{"qas": [{"id": "when", "answers": [{"text": "in 1862"}]}]}]},
    ],
}
PREDICTIONS = {"where": "the Bay!", "who": "Ada", "when": "1862 or so"}
LIKELIHOODS = {"when": 0.1, "where": 0.5, "who": 0.5}


def write(folder, gold, *system):
    (folder / "gold.txt").write_text(gold if isinstance(gold, str) else json.dumps(gold))
    (folder / "run").mkdir()
    for number, content in enumerate(system):
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / "run" / f"{number}.txt").write_text(text)
    return {"gold": folder / "gold.txt", "system": folder / "run"}


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, [1 / 2, 0, 1 / 2]),
        ({"ranks": 10}, [1 / 2, 1 / 6, 1 / 2]),
        ({"ranks": 1}, [0, 0, 0]),
        ({"article": "require"}, [1 / 4, 0, 1 / 2]),
        ({"answers": "patterns_any_case", "article": "require"}, [1 / 3, 0, 1 / 2]),
        ({"answers": "strings"}, [1 / 4, 0, 1 / 2]),
    ],
)
def test_the_first_output_in_which_a_pattern_is_found_counts_by_its_rank(options, points, tmp_path):
    result = scoring.evaluate("qac", **write(tmp_path, PATTERNS, RANKED), options={"format": "trec", **options})
    assert [row["reciprocal_rank"] for row in result.tables["questions"]] == pytest.approx(points)
    assert result.scores["mrr"] == pytest.approx(sum(points) / 3)
    assert [row["series"] for row in result.tables["questions"]] == ["66", "66", "67"]
    assert ("hit_at_10" in result.scores) == (options.get("ranks") == 10)


def test_each_pattern_of_a_list_is_an_answer_of_its_own(tmp_path):
    sides = write(tmp_path, PATTERNS, RANKED)
    result = scoring.evaluate("qac", **sides, options={"format": "trec", "task": 2})
    assert result.tables["questions"][0]["correct"] == 2
    assert result.scores["recall"] == pytest.approx(3 / 3)


def test_patterns_may_stand_in_the_qacs_own_files(tmp_path):
    sides = write(tmp_path, "Q-1-1\t1\t^Tsu\\b.*y$\t5\n", 'Q-1-1: "Tsu  City", 5\n')
    assert scoring.evaluate("qac", **sides, options={"answers": "patterns"}).scores["mrr"] == 1
    assert scoring.evaluate("qac", **sides).scores["mrr"] == 0


def test_documents_are_told_from_the_words_of_a_pattern():
    gold = {"g": b"1 DC-10 jet NYT19990326.0303 AP880212-0001\n2 FT911-3\n"}
    read = QAC.read_gold(gold, QAC.configure({"format": "trec"}))
    assert [*zip(read.answers, read.articles, strict=True)] == [
        ("DC-10 jet", "NYT19990326.0303"),
        ("DC-10 jet", "AP880212-0001"),
        ("FT911-3", ""),
    ]


def test_ranks_of_older_runs_decide_their_order():
    run = {"r": b"1 Q0 D2 2 .5 A second\n1 Q0 D1 1 .1 A first one\n"}
    options = QAC.configure({"format": "trec"})
    gold = QAC.read_gold({"g": b"1 first one\n"}, options)
    assert QAC.read_system(run, gold, options).answers == ["first one", "second"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [("Tsu(?! City)", "cannot be matched in linear time"), ("Tsu(", "not a regular expression")],
)
def test_a_pattern_that_cannot_be_matched_in_time_is_refused_with_the_gold(pattern, message, tmp_path):
    with pytest.raises(scoring.GoldError, match=f"answer 1 of 7: {message}"):
        scoring.evaluate("qac", **write(tmp_path, f"7 {pattern}\n", RANKED), options={"format": "trec"})


def test_a_pattern_that_python_tries_in_all_ways_takes_no_time(tmp_path):
    sides = write(tmp_path, "7 ^(a+)+$\n", f"7 A D1 {'a' * 50_000}b\n")
    assert scoring.evaluate("qac", **sides, options={"format": "trec"}).scores["mrr"] == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("7", "expected question, run, document and answer, found 1 columns"),
        ("7 A D1", "no answer behind the document"),
        ("7 Q0 D1 x .5 A Tsu", "a rank must be an integer of at most 9 digits, not 'x'"),
        ("7 Q0 D1 1 .5", "found 5 columns"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line, message, tmp_path):
    problems = scoring.check("qac", **write(tmp_path, PATTERNS, f"# run\n{line}\n"), options={"format": "trec"})
    assert [problem.line for problem in problems] == [2]
    assert message in problems[0].message


def test_predictions_have_the_numbers_of_squads_script(tmp_path):
    result = scoring.evaluate("qac", **write(tmp_path, DATASET, PREDICTIONS), options={"format": "squad"})
    # "or so" are two tokens more than "1862", and "in" is missing: 1 of 3 and 1 of 2.
    assert result.headline == "token_f1"
    assert result.scores == {
        "exact_match": pytest.approx(1 / 3),
        "token_f1": pytest.approx((1 + 0.4) / 3),
        "has_answer_exact_match": 0.5,
        "has_answer_token_f1": pytest.approx(0.7),
        "no_answer_exact_match": 0,
        **dict.fromkeys(result.scores.keys() - set(list(result.scores)[:5])),
    }
    assert result.options["squad_version"] == "2.0"
    assert result.counts["unanswerable_questions"] == 1


def test_likelihoods_of_no_answer_give_the_best_thresholds(tmp_path):
    sides = write(tmp_path, DATASET, PREDICTIONS, LIKELIHOODS)
    result = scoring.evaluate("qac", **sides, options={"format": "squad"}, n_resamples=200)
    # Without any answer one is right; 1862 adds .4 of F1, the bay 1; Ada, with the same likelihood, takes 1 away.
    assert result.scores["best_token_f1"] == pytest.approx(2.4 / 3)
    assert result.scores["best_token_f1_threshold"] == 0.5
    assert result.scores["best_exact_match"] == pytest.approx(2 / 3)
    low, high = result.intervals["best_token_f1"]
    assert low <= 0.8 <= high
    below = scoring.evaluate("qac", **sides, options={"format": "squad", "na_threshold": 0.3})
    assert below.scores["no_answer_exact_match"] == 1
    assert below.scores["best_token_f1"] == result.scores["best_token_f1"]


def test_the_first_version_knows_no_empty_answer(tmp_path):
    data = {"version": "1.1", "data": [{"paragraphs": [{"qas": [{"id": "a", "answers": [{"text": "the"}]}]}]}]}
    sides = write(tmp_path, data, {"a": "a"})
    first = scoring.evaluate("qac", **sides, options={"format": "squad"})
    second = scoring.evaluate("qac", **sides, options={"format": "squad", "squad_version": "2.0"})
    assert (first.scores["exact_match"], first.scores["token_f1"]) == (1, 0)
    assert (second.scores["exact_match"], second.scores["token_f1"]) == (1, 1)
    assert "squad_version:1.1" in first.signature


def test_an_article_is_what_intervals_may_draw(tmp_path):
    sides = write(tmp_path, DATASET, PREDICTIONS, LIKELIHOODS)
    result = scoring.evaluate("qac", **sides, options={"format": "squad", "unit": "series"}, n_resamples=50)
    assert result.units == ["Ise", "Tsu"]
    assert result.scores["best_token_f1"] == pytest.approx(2.4 / 3)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (['{"a": "x", "a": "y"}'], "key 'a' twice"),
        (['{"a": 1'], "not JSON"),
        (["[]"], "expected one JSON object of questions and texts"),
        (['{"a": ["x"]}'], "question a: expected a text"),
        (['{"a": "x"}', '{"b": 1}'], "question a has a prediction, and no no-answer probability"),
        (['{"a": "x"}', '{"a": 0.5, "b": "x"}'], "question b: expected a number"),
        (['{"a": "x"}', '{"a": NaN}'], "not JSON: NaN"),
        (['{"a": "\\ud800"}'], "half of a surrogate pair"),
        (['{"a": "x"}'] * 3, "found 3 files"),
    ],
)
def test_predictions_that_cannot_be_read_are_refused(files, message, tmp_path):
    problems = scoring.check("qac", **write(tmp_path, DATASET, *files), options={"format": "squad"})
    assert message in problems[0].message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the file has no list 'data'"),
        ({"data": [{"paragraphs": [{"qas": [{"id": 3, "answers": []}]}]}]}, '"id" must be a text'),
        ({"data": [{"paragraphs": [{"qas": [{"id": "a"}]}]}]}, '"answers" must be a list'),
        ({"data": [{"paragraphs": [{"qas": [{"id": "a", "answers": []}] * 2}]}]}, "question twice: a"),
        ({"data": [{"paragraphs": [{"context": "x"}]}]}, r"data\[0\].paragraphs\[0\] has no list 'qas'"),
        ({"data": []}, "no question"),
    ],
)
def test_a_dataset_that_cannot_be_read_names_the_place(data, message, tmp_path):
    with pytest.raises(scoring.GoldError, match=message):
        scoring.evaluate("qac", **write(tmp_path, data, PREDICTIONS), options={"format": "squad"})


@pytest.mark.parametrize("options", [{"format": "squad"}, {"format": "trec"}])
def test_what_is_made_of_a_gold_is_read_again(options, tmp_path):
    chosen = QAC.configure(options)
    gold = QAC.offer.specimen(chosen).gold
    run = QAC.files.gold_as_submission(gold, chosen)
    for number, files in enumerate(
        (gold, run, QAC.files.sample(gold, chosen), QAC.files.gold_of_inputs(QAC.files.inputs(gold, chosen), chosen))
    ):
        (tmp_path / str(number)).mkdir()
        for name, content in files.items():
            (tmp_path / str(number) / name).write_bytes(content)
    assert (
        scoring.evaluate("qac", gold=tmp_path / "0", system=tmp_path / "1", options=options).scores[
            QAC.headline(chosen)
        ]
        == 1
    )
    assert scoring.check("qac", gold=tmp_path / "0", system=tmp_path / "2", options=options) == []
    assert scoring.check("qac", gold=tmp_path / "3", system=tmp_path / "2", options=options) == []


def test_the_input_of_squad_tells_no_answer():
    chosen = QAC.configure({"format": "squad"})
    given = json.loads(QAC.files.inputs(QAC.offer.specimen(chosen).gold, chosen)["gold.json"])
    asked = [each for paragraph in given["data"][0]["paragraphs"] for each in paragraph["qas"]]
    assert {key for each in asked for key in each} == {"id", "question"}


def test_a_question_shows_its_passage(tmp_path):
    sides = write(tmp_path, DATASET, PREDICTIONS)
    options = QAC.resolve_options(
        QAC.read_gold(open_files(sides["gold"]), QAC.configure({"format": "squad"})), QAC.configure({"format": "squad"})
    )
    shown = QAC.views.unit_record(open_files(sides["gold"]), open_files(sides["system"]), "where", options)[
        "questions"
    ][0]
    assert shown["passage"] == "Tsu lies on the bay."
    assert [row["correct"] for row in shown["system"]] == [True]


@pytest.mark.parametrize(("given", "kept"), [(20.0, 20), ("20", 20), (5, None), ("", None)])
def test_ranks_are_an_integer_however_they_are_written(given, kept):
    assert QAC.configure({"ranks": given})["ranks"] == kept


@pytest.mark.parametrize(
    "given",
    [{"ranks": 0}, {"ranks": 2.5}, {"ranks": True}, {"ranks": "many"}, {"format": "squad", "task": 2}]
    + [{"format": "trec", "task": 3}, {"format": "squad", "answers": "patterns"}, {"na_threshold": "nan"}],
)
def test_options_that_do_not_go_together_are_refused(given):
    with pytest.raises(scoring.ConfigurationError):
        QAC.configure(given)


BIOASQ = {"format": "bioasq"}


def questions(*own):
    named = [dict(zip(("id", "type", "exact_answer"), each, strict=True)) for each in own]
    return Made({"q.json": json.dumps({"questions": named}).encode()})


FACTS = (("a", "factoid", [["Tsu", "Tsu City"]]), ("b", "factoid", [["Ise"]]), ("c", "yesno", "yes"))
LISTS = (("d", "list", [["x"], ["y", "why"], ["z"]]), ("e", "list", [["u"]]))


def test_factoids_of_bioasq_are_right_in_any_case_and_by_their_first_text():
    run = questions(
        ("a", "factoid", [["Nara", "Tsu"], ["tsu city"]]), ("b", "factoid", [["ISE"]]), ("c", "yesno", "no")
    )
    scores = scoring.evaluate("qac", gold=questions(*FACTS, *LISTS), system=run, options=BIOASQ).scores
    assert (scores["mrr"], scores["hit_at_1"], scores["hit_at_5"]) == (0.75, 0.5, 1)
    assert "average_recall" not in scores


def test_lists_of_bioasq_have_means_over_questions_in_which_a_repeated_answer_is_wrong():
    run = questions(("d", "list", [["why"], ["y"], ["x"], ["v"]]))
    result = scoring.evaluate("qac", gold=questions(*FACTS, *LISTS), system=run, options=BIOASQ | {"task": 2})
    scores = [result.scores[name] for name in ("average_precision", "average_recall", "average_f1")]
    assert scores == pytest.approx([(2 / 4) / 2, (2 / 3) / 2, (2 * 2 / 7) / 2])


@pytest.mark.parametrize("answer", ["Ise", ["Ise"], [["Ise"]]])
@pytest.mark.parametrize("kind", ["factoid", None, "list"])
def test_a_text_in_place_of_a_list_is_one_answer_whatever_type_a_run_names(answer, kind):
    run = questions(("a", kind, "tsu"), ("b", kind, answer), ("c", None, "yes"))
    result = scoring.evaluate("qac", gold=questions(*FACTS, *LISTS), system=run, options=BIOASQ)
    assert result.scores["mrr"] == 1
    assert not result.warnings


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ({"questions": [{"id": "a", "exact_answer": {}}]}, '"exact_answer" must be a list of lists of texts'),
        ({"questions": [{"id": "a", "exact_answer": 0}]}, '"exact_answer" must be a list of lists of texts'),
        ({"questions": [{"id": "a", "type": ["factoid"]}]}, 'questions[0]: "type" must be a text'),
        ({"answers": []}, "q.json: expected {"),
        ({"questions": [{"id": 1}]}, 'questions[0]: "id" must be a text'),
        ({"questions": [{"id": "a"}, {"id": "a"}]}, "questions[1]: question twice: a"),
        ({"questions": [{"id": "a", "exact_answer": [["x", 3]]}]}, '"exact_answer" must be a list of lists of texts'),
        ({"questions": [{"id": "a", "exact_answer": [[]]}]}, '"exact_answer" must be a list of lists of texts'),
    ],
)
def test_a_run_of_bioasq_that_cannot_be_read_is_refused_with_its_place(system, expected):
    run = Made({"q.json": json.dumps(system).encode()})
    [problem] = scoring.check("qac", gold=questions(*FACTS), system=run, options=BIOASQ)
    assert expected in str(problem)


def test_a_gold_of_bioasq_needs_questions_of_the_type_and_strings():
    with pytest.raises(scoring.GoldError, match="no question of the type list"):
        scoring.evaluate("qac", gold=questions(*FACTS), system=questions(), options=BIOASQ | {"task": 2})
    untyped = questions(*FACTS, ("d", None, [["x"]]))
    with pytest.raises(scoring.GoldError, match=r'questions\[3\]: "type" must be a text'):
        scoring.evaluate("qac", gold=untyped, system=questions(), options=BIOASQ)
    with pytest.raises(scoring.ConfigurationError, match="strings without articles"):
        scoring.FAMILIES["qac"].configure(BIOASQ | {"answers": "patterns"})
