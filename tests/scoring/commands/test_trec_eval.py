"""The arguments and the lines of trec_eval."""

import pytest

from scoring.commands import trec_eval

GOLD = """\
q1 0 d1 2
q1 0 d2 0
q1 0 d3 1
q1 0 d4 0
q1 0 d5 1
q1 0 d6 -1
q2 0 d1 1
q3 0 d9 0
"""
RUN = """\
q1 Q0 d2 1 3.0 ours
q1 Q0 dx 2 2.0 ours
q1 Q0 d1 3 1.5 ours
q1 Q0 d3 4 1.5 ours
q1 Q0 d4 5 1.0 ours
q4 Q0 d1 1 1.0 ours
"""


@pytest.fixture
def printed(tmp_path, capsys):
    def lines(*arguments, run=RUN):
        (tmp_path / "qrels").write_text(GOLD)
        (tmp_path / "run").write_text(run)
        assert trec_eval.main([*arguments, str(tmp_path / "qrels"), str(tmp_path / "run")]) == 0
        return [tuple(line.split("\t")) for line in capsys.readouterr().out.splitlines()]

    return lines


def values(lines, query="all"):
    return {name.rstrip(): value for name, of, value in lines if of == query}


def test_the_official_measures_are_printed_in_the_order_of_trec_eval(printed):
    lines = printed()
    assert [name for name, _, _ in lines[:3]] == [
        "runid                 ",
        "num_q                 ",
        "num_ret               ",
    ]
    found = values(lines)
    assert list(found)[3:] == [
        *("num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
        *(f"iprec_at_recall_{level / 10:.2f}" for level in range(11)),
        *(f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    ]
    assert (found["runid"], found["num_q"], found["num_ret"], found["map"]) == ("ours", "1", "5", "0.2778")


def test_missing_queries_count_nothing_with_c(printed):
    found = values(printed("-c", "-m", "map", "-m", "gm_map", "-m", "ndcg"))
    assert (found["num_q"], found["num_rel"], found["map"]) == ("3", "4", "0.0926")
    assert (found["gm_map"], found["ndcg"]) == ("0.0003", "0.1449")


def test_queries_have_lines_of_their_own_with_q(printed):
    lines = printed("-q", "-n", "-m", "ndcg_cut.3", "-m", "gm_map", "-m", "success.1,3")
    assert values(lines, "q1") == {
        **{"num_ret": "5", "num_rel": "3", "num_rel_ret": "2"},
        **{"ndcg_cut_3": "0.1597", "success_1": "0.0000", "success_3": "1.0000"},
    }
    assert values(lines) == {}


def test_level_depth_and_judged_documents_are_chosen_as_there(printed):
    assert values(printed("-l", "2", "-m", "map"))["map"] == "0.2500"
    assert values(printed("-J", "-m", "map"))["map"] == "0.3889"
    assert values(printed("-M", "3", "-m", "map"))["num_ret"] == "3"


def test_a_run_without_tag_has_no_name(printed):
    assert "runid" not in values(printed(run="q1\td1\t1.0\n"))


@pytest.mark.parametrize("measure", ["infAP", "P.x", "P.0", "mapx"])
def test_other_measures_are_wrong_usage(measure):
    with pytest.raises(SystemExit) as stopped:
        trec_eval.main(["-m", measure, "qrels", "run"])
    assert stopped.value.code == 2


def test_a_broken_run_ends_with_1_and_a_broken_gold_with_2(tmp_path, capsys):
    (tmp_path / "good").write_text(GOLD)
    (tmp_path / "bad").write_text("q1 Q0 d1 1 nan x\n")
    assert trec_eval.main([str(tmp_path / "good"), str(tmp_path / "bad")]) == 1
    assert trec_eval.main([str(tmp_path / "bad"), str(tmp_path / "bad")]) == 2
    assert "score 'nan' is not a finite number" in capsys.readouterr().err
