"""The demonstration data of the search task: complete, and graded as meant."""

import pytest

import scoring
from demo import ranking
from demo.ranking.task import TASK

PHASES = ("development", "test")


def scores(tmp_path, phase):
    (tmp_path / "qrels.txt").write_text(ranking.gold(phase), encoding="utf-8")
    found = {}
    for system in ranking.systems(phase):
        (tmp_path / "run.txt").write_text(system.content, encoding="utf-8")
        options = TASK.scenarios[0].options
        result = scoring.evaluate("ranking", gold=tmp_path / "qrels.txt", system=tmp_path / "run.txt", options=options)
        assert len(result.units) >= 20
        found[f"{system.team} {system.run}"] = result.scores["ndcg_10"]
    return found


def test_systems_are_graded_from_weak_to_good(tmp_path):
    found = scores(tmp_path, "test")
    assert len(found) >= 9
    assert found["Quill run1"] == min(found.values()) < 0.55
    assert found["Organisers archivists"] == max(found.values()) < 0.95
    assert found["Faro NLP run1"] < found["Faro NLP run2"] < found["Marginalia run1"]


@pytest.mark.parametrize("phase", PHASES)
def test_participants_get_every_topic_and_no_grade(phase):
    topics = [line.split("\t")[0] for line in ranking.inputs(phase)["topics.tsv"].splitlines()]
    assert topics == sorted({line.split()[0] for line in ranking.gold(phase).splitlines()})
    assert not any("qrels" in name for name in ranking.inputs(phase))


def test_the_phases_share_no_topic():
    asked = [{line.split("\t")[1] for line in ranking.inputs(phase)["topics.tsv"].splitlines()} for phase in PHASES]
    assert not asked[0] & asked[1]
