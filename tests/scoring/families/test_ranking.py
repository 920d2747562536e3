"""Rankings against trec_eval and against plain Python, on random worlds; and what holds for every run."""

import json
import math
import random

import pytest
import pytrec_eval
from ir_measures import Success, calc_aggregate, nDCG

import scoring
from scoring.families.ranking import RANKING
from scoring.families.ranking.names import score_names
from scoring.readers.archive import Made, open_files
from tests.scoring.plain import ranking as plain

CUTOFFS = [1, 3, 7, 100]
# trec_eval's names of our scores.
NAMES = {
    **{"ndcg": "ndcg", "map": "map", "mrr": "recip_rank", "rprec": "Rprec", "bpref": "bpref"},
    **{f"ndcg_{k}": f"ndcg_cut_{k}" for k in CUTOFFS},
    **{f"map_{k}": f"map_cut_{k}" for k in CUTOFFS},
    **{f"p_{k}": f"P_{k}" for k in CUTOFFS},
    **{f"r_{k}": f"recall_{k}" for k in CUTOFFS},
    **{f"success_{k}": f"success_{k}" for k in CUTOFFS},
}
MEASURES = {
    *("ndcg", "map", "recip_rank", "Rprec", "bpref"),
    *(f"{name}.{','.join(map(str, CUTOFFS))}" for name in ("ndcg_cut", "map_cut", "P", "recall", "success")),
}
FURTHER = {
    **{"set_p": "set_P", "set_r": "set_recall", "set_f1": "set_F", "set_map": "set_map"},
    **{f"relative_p_{k}": f"relative_P_{k}" for k in CUTOFFS},
}
VARIANTS = [
    {"measures": "dcg,f1,rbp,relative_p,sets,iprec,gm_bpref,bioasq", "relevance": 2},
    {"measures": "dcg,rbp", "persistence": 0.5, "gain": "exponential", "judged_only": True},
    {"relevance": 2},
    {"judged_only": True},
    {"depth": 4, "over_depth": "cut"},
    {"depth": 5, "over_depth": "cut", "judged_only": True},
    {"gain": "exponential"},
    {"precision": "single"},
    {"missing": "skip"},
    {"empty_queries": "skip"},
]


def world(seed):
    """Judgements and a run: negative grades, ties, queries that either side lacks."""
    rng = random.Random(seed)
    names = [f"d{k}" for k in range(40)] + ["é1", "Z", "𐀀", "\uffee"]
    gold, run = {}, {}
    for query in map(str, range(12)):
        judged = rng.sample(names, rng.randint(1, 15))
        gold[query] = {name: rng.choice([-1, 0, 0, 0, 1, 1, 2, 3]) for name in judged}
        if rng.random() < 0.85:
            levels = rng.choice([3, 1000])
            ranked = rng.sample(names, rng.randint(1, 25))
            run[query] = {name: rng.randint(0, levels) / 4 for name in ranked}
    return gold, {**run, "unknown": {"d1": 1.0}}


def write(folder, gold, run):
    (folder / "qrels.txt").write_text(
        "".join(f"{query} 0 {name} {grade}\n" for query, own in gold.items() for name, grade in own.items()),
        encoding="utf-8",
    )
    (folder / "run.txt").write_text(
        "".join(f"{query} Q0 {name} 0 {score} x\n" for query, own in run.items() for name, score in own.items()),
        encoding="utf-8",
    )
    return {"gold": folder / "qrels.txt", "system": folder / "run.txt"}


def evaluate(folder, gold, run, **options):
    return scoring.evaluate("ranking", **write(folder, gold, run), options=options)


@pytest.mark.parametrize("seed", range(12))
def test_every_query_is_scored_as_trec_eval_scores_it(seed, tmp_path):
    gold, run = world(seed)
    level = 1 + seed % 2
    # trec_eval 9 keeps scores in single precision; these are the same in both.
    found = pytrec_eval.RelevanceEvaluator(gold, MEASURES, relevance_level=level).evaluate(run)
    result = evaluate(tmp_path, gold, run, cutoffs=CUTOFFS, relevance=level)
    by_query = RANKING.metrics(result.rows, result.options)
    for query, values in found.items():
        k = result.units.index(query)
        ours = {theirs: by_query[name][k] for name, theirs in NAMES.items()}
        assert ours == pytest.approx({name: values[name] for name in ours}, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_further_measures_are_those_of_trec_eval(seed, tmp_path):
    gold, run = world(seed)
    level = 1 + seed % 2
    asked = {"set_P", "set_recall", "set_F", "set_map", "relative_P.1,3,7,100"}
    found = pytrec_eval.RelevanceEvaluator(gold, asked, relevance_level=level).evaluate(run)
    result = evaluate(tmp_path, gold, run, cutoffs=CUTOFFS, relevance=level, measures="sets,relative_p")
    by_query = RANKING.metrics(result.rows, result.options)
    for query, values in found.items():
        k = result.units.index(query)
        ours = {theirs: by_query[name][k] for name, theirs in FURTHER.items()}
        assert ours == pytest.approx({name: values[name] for name in ours}, abs=1e-9)


def test_further_measures_of_the_worked_example_come_out(tmp_path):
    gold = {"q1": {"d1": 2, "d2": 0, "d3": 1, "d4": 0, "d5": 1, "d6": -1}}
    run = {"q1": {"d2": 3.0, "dx": 2.0, "d1": 1.5, "d3": 1.5, "d4": 1.0}}
    scores = evaluate(tmp_path, gold, run, cutoffs="3,5", measures="dcg,f1,rbp,iprec").scores
    assert (scores["dcg_3"], scores["f1_5"], scores["rbp"]) == pytest.approx((0.5, 0.5, 0.2304))
    assert [scores[f"iprec_{level}"] for level in (0, 80, 90, 100)] == [0.5, 0.5, 0.0, 0.0]
    assert scores["eleven_points"] == pytest.approx(4.5 / 11)


def test_persistence_belongs_to_rank_biased_precision_and_is_signed_with_it(tmp_path):
    gold, run = world(1)
    assert "persistence" not in evaluate(tmp_path, gold, run).signature
    assert "|persistence:0.8|" in evaluate(tmp_path, gold, run, measures="rbp").signature
    for options in ({"persistence": 0.5}, {"measures": "rbp", "persistence": 1}, {"measures": "rbp,err"}):
        with pytest.raises(scoring.ConfigurationError):
            RANKING.configure(options)


def test_judged_documents_alone_are_scored_as_trec_eval_scores_them(tmp_path):
    gold, run = world(99)
    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"ndcg", "map"}, judged_docs_only_flag=True)
    found = evaluator.evaluate(run)
    result = evaluate(tmp_path, gold, run, judged_only=True)
    for row in result.tables["queries"]:
        if row["query"] in found:
            assert (row["ndcg"], row["map"]) == pytest.approx(
                (found[row["query"]]["ndcg"], found[row["query"]]["map"]), abs=1e-9
            )


def test_means_over_all_queries_are_those_of_ir_measures(tmp_path):
    gold, run = world(7)
    found = calc_aggregate([nDCG @ 10, Success @ 5], gold, run)
    scores = evaluate(tmp_path, gold, run).scores
    # It takes means over the queries of the gold, as we do.
    assert scores["ndcg_10"] == pytest.approx(found[nDCG @ 10], abs=1e-9)
    assert scores["success_5"] == pytest.approx(found[Success @ 5], abs=1e-9)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_options_do_what_the_plain_program_does(options, tmp_path):
    gold, run = world(str(options))
    result = evaluate(tmp_path, gold, run, cutoffs=CUTOFFS, **options)
    means = {name: [] for name in score_names(result.options)}
    for query in sorted(gold, key=str.encode):
        values = plain.measures(gold[query], run.get(query, {}), result.options)
        is_empty = not any(grade >= result.options["relevance"] for grade in gold[query].values())
        if (query in run or options.get("missing") != "skip") and not (is_empty and "empty_queries" in options):
            for name, value in values.items():
                means[name].append(value)
    expected = {name: math.fsum(values) / len(values) for name, values in means.items()}
    expected |= {name: math.exp(value) for name, value in expected.items() if "gm_" in name}
    assert result.scores == pytest.approx(expected, abs=1e-9)


def test_scores_that_differ_in_double_precision_alone_tie_in_single(tmp_path):
    gold, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}
    assert evaluate(tmp_path, gold, run, precision="double").scores["p_1"] == 1
    assert evaluate(tmp_path, gold, run, precision="single").scores["p_1"] == 0
    huge = {"q": {"a": 2e300, "b": 1e300}}
    assert evaluate(tmp_path, gold, huge, precision="single").scores["p_1"] == 0


def test_the_order_of_lines_says_nothing(tmp_path):
    gold, run = world(3)
    files = write(tmp_path, gold, run)
    before = scoring.evaluate("ranking", **files)
    for path in files.values():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        random.Random(1).shuffle(lines)
        path.write_text("".join(lines), encoding="utf-8")
    after = scoring.evaluate("ranking", **files)
    assert (after.scores, after.counts, after.units) == (before.scores, before.counts, before.units)
    assert after.warnings == before.warnings


def test_only_the_order_of_scores_counts(tmp_path):
    gold, run = world(4)
    rising = {query: {name: math.exp(score / 300) for name, score in own.items()} for query, own in run.items()}
    assert evaluate(tmp_path, gold, rising).scores == evaluate(tmp_path, gold, run).scores


@pytest.mark.parametrize("seed", range(4))
def test_a_further_document_at_the_end_lowers_nothing_that_counts_what_is_found(seed, tmp_path):
    gold, run = world(seed)
    longer = {query: {**own, "d-last": min(own.values()) - 1} for query, own in run.items()}
    before, after = evaluate(tmp_path, gold, run).scores, evaluate(tmp_path, gold, longer).scores
    for name in ("ndcg", "map", "r_10", "r_100", "ndcg_10"):
        assert after[name] >= before[name] - 1e-12


def test_the_gold_as_a_run_has_full_ndcg_wherever_something_is_to_be_found(tmp_path):
    gold, _ = world(5)
    result = evaluate(tmp_path, gold, gold)
    for row in result.tables["queries"]:
        is_there = any(grade > 0 for grade in gold[row["query"]].values())
        assert row["ndcg"] == pytest.approx(float(is_there))


@pytest.mark.parametrize("options", [{}, {"depth": 3}, {"order": "rank"}])
@pytest.mark.parametrize("name", ["d1", "of two words"])
def test_the_perfect_upload_is_valid_and_perfect(options, name, tmp_path):
    (tmp_path / "gold.json").write_text(f'{{"q 1": {{"{name}": 1, "b": 3, "c": 0}}, "q2": {{"{name}": 2}}}}')
    configured = RANKING.configure(options)
    for make, ndcg in ((RANKING.files.gold_as_submission, 1.0), (RANKING.files.sample, 0.0)):
        [(file, content)] = make(open_files(tmp_path / "gold.json"), configured).items()
        (tmp_path / file).write_bytes(content)
        result = scoring.evaluate("ranking", gold=tmp_path / "gold.json", system=tmp_path / file, options=options)
        assert result.scores["ndcg"] == pytest.approx(ndcg)
        assert result.warnings == []


def test_queries_that_are_left_out_keep_their_row_and_runs_can_be_compared(tmp_path):
    gold, run = world(6)
    results = {}
    for name, own in {"all": run, "some": dict(list(run.items())[:5])}.items():
        (tmp_path / name).mkdir()
        results[name] = scoring.evaluate("ranking", **write(tmp_path / name, gold, own), options={"missing": "skip"})
    assert results["all"].units == results["some"].units
    assert results["some"].counts["num_q"] == 5
    assert sorted(scoring.compare(results, n_resamples=200).names) == ["all", "some"]


def test_without_a_scored_query_there_is_no_score(tmp_path):
    result = evaluate(tmp_path, {"q": {"a": 0}}, {"q": {"a": 1}}, empty_queries="skip")
    assert set(result.scores.values()) == {None}
    assert "no query is scored" in result.warnings
    assert result.counts["num_q"] == 0


@pytest.mark.parametrize(
    "given",
    [{"cutoffs": "1,x"}, {"cutoffs": ""}, {"cutoffs": list(range(1, 22))}, {"cutoffs": [True]}, {"relevance": 0}]
    + [{"depth": 0}, {"depth": 1.5}, {"headline": "p_11"}, {"gain": "none"}, {"judged_only": "perhaps"}],
)
def test_other_values_are_refused(given):
    with pytest.raises(scoring.ConfigurationError):
        RANKING.configure(given)


def test_options_may_be_texts_and_what_a_form_makes_of_numbers():
    options = RANKING.configure({"cutoffs": "10, 5,5", "relevance": 2.0, "depth": "none", "judged_only": "true"})
    assert (options["cutoffs"], options["relevance"], options["depth"]) == ([5, 10], 2, None)
    assert options["judged_only"] is True
    assert RANKING.configure({"cutoffs": 3})["headline"] == "ndcg"


def test_scores_have_titles_whatever_the_cutoffs(tmp_path):
    result = evaluate(tmp_path, {"q": {"a": 1}}, {"q": {"a": 1}}, cutoffs="7")
    titles = RANKING.titles(result.options)
    assert list(titles) == list(result.scores)
    assert titles["ndcg_7"] == "nDCG@7"


def test_the_page_of_a_query_has_what_was_found_and_what_was_missed(tmp_path):
    files = write(
        tmp_path, {"q": {"a": 2, "b": 1, "c": 0, "d": -1}}, {"q": {"x": 3, "a": 2, "d": 2, "c": 1}, "p": {"a": 1}}
    )
    gold, system = (open_files(files[side]) for side in ("gold", "system"))
    record = RANKING.views.unit_record(gold, system, "q", RANKING.configure({}))
    shown = [(row["rank"], row["document"], row["grade"], row["judged"], row["relevant"]) for row in record["ranking"]]
    assert shown == [
        *((1, "x", None, False, False), (2, "d", -1, False, False)),
        *((3, "a", 2, True, True), (4, "c", 0, True, False)),
    ]
    assert [row["document"] for row in record["missed"]] == ["b"]
    with pytest.raises(KeyError):
        RANKING.views.unit_record(gold, system, "p", RANKING.configure({}))


def test_the_page_of_a_query_leaves_out_what_nobody_judged_far_down(tmp_path):
    files = write(tmp_path, {"q": {"last": 1}}, {"q": {**{f"x{k:03}": 999 - k for k in range(150)}, "last": 1}})
    gold, system = (open_files(files[side]) for side in ("gold", "system"))
    record = RANKING.views.unit_record(gold, system, "q", RANKING.configure({}))
    assert [record["ranking"][-1]["rank"], len(record["ranking"]), record["left_out"]] == [151, 51, 100]


def remarks(gold, **options):
    return [str(each) for each in RANKING.offer.gold_remarks(Made({"qrels.txt": gold}), RANKING.configure(options))]


def test_organisers_are_told_what_is_odd_in_their_judgements():
    assert remarks(b"q1 0 a 1\nq1 0 b 0\n") == []
    found = remarks(b"q1 0 a 1\nq1 0 b 1\n", depth=1, headline="bpref")
    assert ["bpref" in found[0], "no run finds all" in found[1], len(found)] == [True, True, 2]
    assert remarks(b"q1 0 a 1\nq1 0 b 1\n") == []


def test_the_report_has_the_lines_of_trec_eval(tmp_path):
    gold = {"q1": {"d1": 2, "d2": 0, "d3": 1, "d4": 0, "d5": 1, "d6": -1}, "q2": {"d1": 1}, "q3": {"d9": 0}}
    run = {"q1": {"d2": 3.0, "dx": 2.0, "d1": 1.5, "d3": 1.5, "d4": 1.0}, "q4": {"d1": 1.0}}
    result = evaluate(tmp_path, gold, run)
    lines = RANKING.table_notes.exports[0].make(result.tables, result.options).decode().splitlines()
    assert "num_q                 \tall\t3" in lines
    assert "map                   \tq1\t0.2778" in lines
    assert lines[-6:] == [
        *("map                   \tall\t0.0926", "Rprec                 \tall\t0.1111"),
        *("bpref                 \tall\t0.1111", "recip_rank            \tall\t0.1111"),
        *("ndcg                  \tall\t0.1449", "gm_map                \tall\t0.0003"),
    ]


def test_lists_of_documents_in_json_lines_are_rankings(tmp_path):
    (tmp_path / "qrels.txt").write_text("c1 0 d1 1\nc2 0 d4 1\n")
    records = [
        {
            "task_id": "c1",
            "contexts": [{"document_id": "d2", "score": 2.5, "text": "…"}, {"document_id": "d1", "score": 1}],
        },
        {"task_id": "c2", "contexts": ["d3", "d4"]},
    ]
    run = tmp_path / "run.jsonl"
    run.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert scoring.evaluate("ranking", gold=tmp_path / "qrels.txt", system=run).scores["mrr"] == 0.5
    del records[0]["contexts"][1]["score"]
    run.write_text("".join(json.dumps(record) + "\n" for record in records))
    problems = scoring.check("ranking", gold=tmp_path / "qrels.txt", system=run)
    assert [str(each) for each in problems] == [
        "run.jsonl:1: document 2 has no score, and others of this query have one"
    ]


@pytest.mark.parametrize("run", [{"q1": {}}, {"q1": {}, "q2": {}, "q9": {}}])
def test_a_run_that_answers_its_queries_with_nothing_is_worth_nothing(tmp_path, run):
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps({"q1": {"a": 1}, "q2": {"b": 1}}))

    def evaluated(run):
        (tmp_path / "run.json").write_text(json.dumps(run))
        return scoring.evaluate("ranking", gold=gold, system=tmp_path / "run.json")

    result = evaluated(run)
    assert (result.scores["map"], result.counts["num_ret"]) == (0, 0)
    assert any("2 queries are not in the run" in warning for warning in result.warnings)
    with pytest.raises(scoring.SubmissionError, match="no query of the run is in the gold"):
        evaluated({"q9": {}})


def test_documents_and_snippets_of_empty_questions_go_by_one_rule(tmp_path):
    snippet = {"document": "d", "beginSection": "title", "endSection": "title"}
    gold = {"id": "q", "documents": ["d"], "snippets": [snippet | {"offsetInBeginSection": 0, "offsetInEndSection": 9}]}
    gold_path, run_path = tmp_path / "gold.json", tmp_path / "run.json"
    gold_path.write_text(json.dumps({"questions": [gold]}))
    run_path.write_text(json.dumps({"questions": [{"id": "q", "documents": [], "snippets": []}]}))
    for options, score in (({"items": "snippets"}, "snippet_f1"), ({}, "map")):
        result = scoring.evaluate("ranking", gold=gold_path, system=run_path, options=options)
        assert result.scores[score] == 0
        assert result.warnings
    run_path.write_text(json.dumps({"questions": []}))
    for options in ({"items": "snippets"}, {}):
        with pytest.raises(scoring.SubmissionError):
            scoring.evaluate("ranking", gold=gold_path, system=run_path, options=options)


def test_queries_whose_scores_are_all_equal_are_warned_of(tmp_path):
    gold = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    run = {"q1": {"a": 1.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}, "q3": {"c": 1.0}}
    said = "in 1 query all scores are equal: its order is that of the names"
    assert said in evaluate(tmp_path, gold, run).warnings
    run["q1"]["a"] = 2.0
    assert said not in evaluate(tmp_path, gold, run).warnings
