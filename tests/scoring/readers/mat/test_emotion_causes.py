"""Pairs of emotions and causes are read as the task of SemEval-2024 writes them."""

import json

import pytest

import scoring

TEXTS = ("I am , well , late again .", "So am I .")
OPTIONS = {
    "gold_format": "table",
    "system_format": "table",
    "columns": "conversation_ID,emotion-cause_pairs[].emotion,emotion-cause_pairs[].start,emotion-cause_pairs[].end",
    "fields": "emotion-cause_pairs[].emotion_utterance,emotion-cause_pairs[].cause_utterance",
    "content_annotations": "anger,joy",
    "overlap": "true",
}


@pytest.fixture
def score(tmp_path):
    def score_it(gold, run, **further):
        for name, pairs in (("gold.json", gold), ("run.json", run)):
            talk = [{"utterance_ID": k, "text": text} for k, text in enumerate(TEXTS, start=1)]
            rows = [
                {"conversation_ID": 1, "conversation": talk, "emotion-cause_pairs": pairs},
                {"conversation_ID": 2, "conversation": talk, "emotion-cause_pairs": []},
            ]
            (tmp_path / name).write_text(json.dumps(rows, indent=1))
        options = {**OPTIONS, **further}
        return scoring.evaluate("mat", gold=tmp_path / "gold.json", system=tmp_path / "run.json", options=options)

    return score_it


def test_words_of_a_cause_are_found_by_their_tokens_without_the_signs_around_them(score):
    result = score([["2_joy", "1_late again ."], ["U2_anger", "U2_am"]], [["2_joy", "1_5_7"], ["2_anger", "2_1_2"]])
    assert result.scores["f1"] == 1
    assert len(result.units) == 2  # the conversation without a pair, too


def test_a_place_beside_that_of_the_words_is_wrong_and_shares_what_it_covers(score):
    result = score([["2_joy", "1_late again"]], [["2_joy", "1_6_8"]])
    assert result.scores["f1"] == 0
    assert result.scores["paired_f1"] == 0.5


@pytest.mark.parametrize("words", ["never said", ".", ""])
def test_words_that_stand_nowhere_are_missed_whatever_a_run_has(score, words):
    result = score([["2_joy", f"1_{words}"], ["2_joy", "2_So"]], [["2_joy", "1_0_8"], ["2_joy", "2_0_1"]])
    assert result.scores["recall"] == 0.5


def test_causes_may_be_whole_utterances(score):
    columns = "conversation_ID,emotion-cause_pairs[].emotion"
    result = score([["2_joy", "1"], ["2_joy", "2"]], [["2_joy", "1"]], columns=columns, overlap="false")
    assert (result.scores["precision"], result.scores["recall"]) == (1, 0.5)


@pytest.mark.parametrize("pair", ["2_joy", ["2_joy"], ["joy", "1_0_1"], ["2_joy", 1], ["2_joy", "x_0_1"]])
def test_what_is_no_such_pair_is_refused(score, pair):
    with pytest.raises(scoring.SubmissionError, match="emotion-cause_pairs must be a list of objects"):
        score([["2_joy", "1_late"]], [pair])
