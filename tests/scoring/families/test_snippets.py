"""Snippets of questions: the example by hand, what is one snippet, what is refused. 300 figures are BioASQ's own."""

import json

import pytest

import scoring
from scoring.families.ranking import RANKING
from scoring.readers.archive import Made

SNIPPETS = {"items": "snippets"}


def snippet(document, section, start, end, **more):
    both = {"beginSection": section, "endSection": section}
    return {"document": document, **both, "offsetInBeginSection": start, "offsetInEndSection": end, **more}


def questions(**own):
    return Made({"run.json": json.dumps({"questions": [{"id": key, "snippets": own[key]} for key in own]}).encode()})


GOLD = [snippet("http://x/7", "abstract", 10, 29), snippet("http://x/7", "abstract", 50, 59)]
RUN = [snippet("7", "sections.0", 20, 39), snippet("8", "title", 0, 9), snippet("7", "abstract", 90, 99)]


def evaluate(gold, run, **options):
    return scoring.evaluate("ranking", gold=gold, system=run, options=SNIPPETS | options)


def test_the_example_of_the_document_comes_out():
    scores = evaluate(questions(q1=GOLD), questions(q1=RUN)).scores
    assert scores == pytest.approx(
        {
            "snippet_f1": 2 * 10 / (40 + 30),
            "snippet_p": 0.25,
            "snippet_r": 10 / 30,
            "snippet_map": 0.375,
            "snippet_gm_map": 0.37501,
        }
    )


def test_snippets_that_overlap_are_one_wherever_they_stand():
    whole = [snippet("7", "abstract", 10, 29), snippet("7", "title", 0, 3)]
    pieces = [snippet("7", "abstract", 20, 29), whole[1], snippet("7", "abstract", 10, 20)]
    assert evaluate(questions(q1=whole), questions(q1=pieces)).scores["snippet_f1"] == 1
    assert evaluate(questions(q1=GOLD), questions(q1=[*GOLD, *GOLD])).scores["snippet_map"] == 1


def test_two_pieces_of_one_snippet_have_an_average_precision_above_1():
    pieces = [snippet("7", "abstract", 10, 12), snippet("7", "abstract", 15, 18)]
    assert evaluate(questions(q1=GOLD[:1]), questions(q1=pieces)).scores["snippet_map"] == 2


@pytest.mark.parametrize(
    ("options", "f1"),
    [({}, 1 / 3), ({"missing": "skip"}, 1 / 2), ({"empty_queries": "skip"}, 1 / 2)],
)
def test_questions_that_lack_snippets_count_as_the_options_say(options, f1):
    result = evaluate(questions(a=GOLD, b=GOLD, c=[]), questions(a=GOLD, c=GOLD, d=GOLD), **options)
    assert result.scores["snippet_f1"] == pytest.approx(f1)
    assert [str(each) for each in result.warnings] == [
        "1 question is not in the run",
        "1 question is not in the gold",
        "gold: 1 question has no snippet",
    ]


def test_a_run_of_more_snippets_than_the_depth_is_refused_or_cut():
    with pytest.raises(scoring.SubmissionError, match="question 'q1' has 3 snippets, at most 2 are allowed"):
        evaluate(questions(q1=GOLD), questions(q1=RUN), depth=2)
    assert evaluate(questions(q1=GOLD), questions(q1=RUN), depth=1, over_depth="cut").scores["snippet_p"] == 0.5


FORM = "questions[0].snippets[0]: expected the texts"


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ([{**GOLD[0], "offsetInEndSection": 9}], FORM),
        ([{**GOLD[0], "offsetInBeginSection": "10"}], FORM),
        ([{**GOLD[0], "document": ""}], FORM),
        ([{key: value for key, value in GOLD[0].items() if key != "endSection"}], FORM),
        (["7"], FORM),
        ({"7": 1}, 'questions[0]: "snippets" must be a list'),
    ],
)
def test_a_snippet_that_cannot_be_read_is_refused_with_its_place(wrong, expected):
    [problem] = scoring.check("ranking", gold=questions(q1=GOLD), system=questions(q1=wrong), options=SNIPPETS)
    assert problem.message.startswith(expected)


def test_a_gold_without_snippets_and_a_run_of_other_questions_are_refused():
    with pytest.raises(scoring.GoldError, match="no question has a snippet"):
        evaluate(questions(q1=[]), questions(q1=GOLD))
    with pytest.raises(scoring.SubmissionError, match="no query of the run is in the gold"):
        evaluate(questions(q1=GOLD), questions(q2=GOLD))


def test_the_page_of_a_question_says_which_snippets_were_found():
    options = RANKING.configure(SNIPPETS)
    record = RANKING.views.unit_record(questions(q1=GOLD), questions(q1=RUN), "q1", options)
    assert [(each["snippet"], each["characters"], each["shared"]) for each in record["ranking"]] == [
        ("7 abstract 20–39", 20, 10),
        ("8 title 0–9", 10, 0),
        ("7 abstract 90–99", 10, 0),
    ]
    assert [(each["snippet"], each["characters"], each["shared"]) for each in record["gold"]] == [
        ("7 abstract 10–29", 20, 10),
        ("7 abstract 50–59", 10, 0),
    ]
    with pytest.raises(KeyError):
        RANKING.views.unit_record(questions(q1=GOLD), questions(q1=RUN), "q2", options)
