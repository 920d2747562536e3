"""Tuples in tables: by hand, in the layouts of tasks, and what they share with the gold's beside sets of places."""

import json
from collections import defaultdict

import numpy as np
import pytest

import scoring
from scoring.errors import ConfigurationError, SubmissionError
from scoring.families.mat import MAT
from scoring.readers.archive import Made

TABLES = {"gold_format": "table", "system_format": "table"}
RELATIONS = {**TABLES, "fields": "head,tail"}
HEAD = "filename\tlabel\thead\ttail\n"
GOLD = f"{HEAD}a\tTREATS\taspirin\theadache\na\tTREATS\ttea\tcold\na\tCAUSES\tsmoke\tcough\nb\t\t\t\n"
TRIPLETS = {
    "columns": "id,-",
    "content_annotations": "T",
    "fields": "t[].a,t[].o",
    "values": "t[].va#1,t[].va#2",
    "value_range": "1,9",
    "case": "ignore",
}
CAUSES = {**TABLES, "columns": "talk,emotion,start,end", "fields": "of,by", "overlap": True}


def table(text, name="run.tsv"):
    return Made({name: text.encode()})


def evaluate(system, gold=GOLD, ending="tsv", n_resamples=0, **options):
    sides = {"gold": table(gold, f"gold.{ending}"), "system": table(system, f"run.{ending}")}
    return scoring.evaluate("mat", **sides, options=RELATIONS | options, n_resamples=n_resamples, seed=3)


def problems_of(system, gold=GOLD, **options):
    with pytest.raises(SubmissionError) as raised:
        evaluate(system, gold, **options)
    return [(each.line, each.message) for each in raised.value.problems]


def causes(rows):
    return "talk\temotion\tstart\tend\tof\tby\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows)


def test_a_tuple_is_right_if_its_document_its_label_and_all_its_fields_are():
    result = evaluate(
        f"{HEAD}a\tTREATS\taspirin\theadache\na\tCAUSES\ttea\tcold\na\tCAUSES\tsmoke\tfire\nb\tTREATS\ttea\tcold\n"
    )
    assert {key: result.scores[key] for key in ("precision", "recall", "f1")} == pytest.approx(
        {"precision": 1 / 4, "recall": 1 / 3, "f1": 2 / 7}
    )
    # Without regard to the label tea | cold is right as well.
    assert result.scores["exact_f1"] == pytest.approx(4 / 7)
    # TREATS: precision 1/2, recall 1/2; CAUSES: none.
    assert result.scores["macro_f1"] == pytest.approx(1 / 4)
    assert result.scores["weighted_f1"] == pytest.approx(2 / 3 * 1 / 2)
    details = [
        (row["file"], row["type"], row["reflabel"], row["hyplabel"], row["refcontent"] or row["hypcontent"])
        for row in result.tables["details"]
    ]
    assert details == [
        ("a", "match", "TREATS", "TREATS", "aspirin | headache"),
        ("a", "tagclash", "TREATS", "CAUSES", "tea | cold"),
        ("a", "missing", "CAUSES", None, "smoke | cough"),
        ("a", "spurious", None, "CAUSES", "smoke | fire"),
        ("b", "spurious", None, "TREATS", "tea | cold"),
    ]
    assert not any(key.startswith(("token_", "tag_", "paired_")) for key in result.scores)
    assert result.scores.keys() == MAT.scores.titles_with(result.options).keys()
    assert not any("token" in str(warning) for warning in result.warnings)


@pytest.mark.parametrize(
    ("ending", "gold", "run", "options"),
    [
        (
            "tsv",
            "7\tINHIBITOR\tArg1:T1\tArg2:T5\n7\tAGONIST\tArg1:T2\tArg2:T5\n8\t\t\t\n",
            "7\tINHIBITOR\tArg1:T1\tArg2:T5\n8\tAGONIST\tArg1:T2\tArg2:T5\n",
            {"columns": "1,2", "fields": "3,4", "header": False},
        ),
        (
            "jsonl",
            '{"ID": "r1", "Quads": [{"A": "soup", "O": "good", "C": "FOOD"}, {"A": null, "O": "loud", "C": "ROOM"}]}\n'
            '{"ID": "r2", "Quads": []}\n',
            '{"ID": "r1", "Quads": [{"A": "soup", "O": "good", "C": "FOOD"}]}\n'
            '{"ID": "r2", "Quads": [{"A": "soup", "O": "good", "C": "FOOD"}]}\n',
            {"columns": "ID,Quads[].C", "fields": "Quads[].A,Quads[].O"},
        ),
        (
            "csv",
            'filename,head,tail\nx,"tea, green",cold\nx,rum,cold\ny,,\n',
            'filename,head,tail\nx,"tea, green",cold\ny,rum,cold\n',
            {"columns": "filename,-", "content_annotations": "HELPS"},
        ),
    ],
)
def test_tuples_are_read_from_the_files_of_tasks(ending, gold, run, options):
    result = evaluate(run, gold, ending, **options)
    assert [result.counts[key] for key in ("match", "missing", "spurious", "documents")] == [1, 1, 1, 2]


def test_fields_may_stand_in_any_order_where_relations_have_no_direction():
    run = f"{HEAD}a\tTREATS\theadache\taspirin\n"
    assert evaluate(run).counts["match"] == 0
    assert evaluate(run, field_order="any").counts["match"] == 1


def test_a_tuple_that_stands_twice_counts_once_and_is_told():
    result = evaluate(f"{HEAD}" + "a\tTREATS\ttea\tcold\n" * 3)
    assert result.counts["match"] == result.counts["hyptotal"] == 1
    assert "system: 2 annotations repeat another one of the same label and extent, counted once" in [
        str(warning) for warning in result.warnings
    ]


def test_rows_that_are_no_tuples_are_named_by_their_lines():
    assert problems_of(f"{HEAD}a\tTREATS\t\t\na\t\tx\ty\nc\tTREATS\tx\ty\n") == [
        (2, "all fields of it are empty"),
        (3, "empty label"),
        (4, "document 'c' is not in the gold"),
    ]


def test_offsets_of_tuples_have_to_lie_in_what_a_task_may_count():
    gold = causes([("1", "joy", 0, 8, 3, 1)])
    rows = [("1", "joy", *places, 3, 1) for places in ((4, 4), (-1, 2), (0, 10_001), ("x", 2), (0, 10_000))]
    assert problems_of(causes(rows), gold, **CAUSES) == [
        (2, "zero-length annotation: from 4 to 4"),
        (3, "offset out of range: from -1 to 2"),
        (4, "offset out of range: from 0 to 10001"),
        (5, "the offset 'x' is not an integer"),
    ]
    wide = causes([("1", "joy", 0, 10_000, k, 1) for k in range(1_700)])
    ((line, message),) = problems_of(wide, gold, **CAUSES)
    assert line is None
    assert message.startswith("the offsets of all tuples together reach over more than 16,777,216 places")


def test_the_gold_goes_as_a_run_and_its_input_names_the_documents_alone():
    files = {"gold.tsv": GOLD.encode()}
    options = MAT.configure(RELATIONS)
    assert MAT.files.inputs(files, options) == {"spans.tsv": f"{HEAD}a\t\t\t\nb\t\t\t\n".encode()}
    assert evaluate(GOLD).scores["f1"] == 1
    renamed = MAT.configure(RELATIONS | {"suffix_off": ".x"})
    run = MAT.files.gold_as_submission(files, renamed)
    assert evaluate(run["run.tsv"].decode(), suffix_off=".x").scores["f1"] == 1


def test_the_page_of_a_document_has_a_line_for_each_tuple():
    gold, run = {"g.tsv": causes([("1", "joy", 2, 4, 3, 1)]).encode()}, causes([("1", "joy", 1, 4, 3, 1)])
    record = MAT.views.unit_record(gold, {"r.tsv": run.encode()}, "1", MAT.configure(CAUSES))
    assert record["text"] == "3 | 1 ····"
    assert record["gold"] == [{"start": 8, "end": 10, "label": "joy", "match": "spanclash"}]
    assert [record["pairs"][0][key] for key in ("type", "refcontent", "hypcontent")] == [
        "spanclash",
        "3 | 1 2–4",
        "3 | 1 1–4",
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"gold_format": "brat"}, "fields needs the format table"),
        ({"columns": "a,b,c"}, "two or four names"),
        ({"columns": "a,b,c,d,e"}, "two or four names"),
        ({"overlap": True}, "it needs the columns of start and end"),
        ({"probability": "p"}, "neither with text_column nor with probability"),
        ({"values": "v"}, "both or none"),
        ({"values": "v", "value_range": "9,1"}, "the lesser first"),
        ({"fields": None, "case": "ignore"}, "with fields alone"),
        ({"columns": "id,m[].t", "fields": "m[].a,b"}, "in the list of spans"),
    ],
)
def test_what_does_not_go_with_tuples_is_said(options, said):
    with pytest.raises(ConfigurationError, match=said.replace("[", r"\[")):
        MAT.configure(RELATIONS | options)


def test_the_example_of_the_document_comes_out_in_proportion_to_the_best_match():
    gold = causes([("1", "joy", 0, 8, 3, 1), ("1", "joy", 10, 14, 3, 1)])
    run = causes([("1", "joy", 0, 4, 3, 1), ("1", "joy", 2, 12, 3, 1)])
    scores = evaluate(run, gold, **CAUSES).scores
    expected = {
        "f1": 0,
        "paired_precision": 10 / 14,
        "paired_recall": 0.5,
        "paired_f1": 20 / 34,
        "proportional_precision": 10 / 12,
    }
    assert {key: scores[key] for key in expected} == pytest.approx(expected)


@pytest.mark.parametrize("order", [1, -1])
def test_of_equal_parts_the_first_of_the_file_is_the_best_match(order):
    gold = causes([("1", "joy", 3, 4, 2, 1), ("1", "joy", 0, 1, 2, 1)][::order])
    run = causes([("1", "joy", 0, 1, 2, 1), ("1", "joy", 0, 8, 2, 1)])
    assert evaluate(run, gold, **CAUSES).scores["paired_recall"] == pytest.approx(1 if order == 1 else 2 / 3)


def triplets(*own):
    """Return a file of one document with a triplet of these numbers for each "aspect opinion numbers"."""
    made = [dict(zip(("a", "o", "va"), each.split(), strict=True)) for each in own]
    return json.dumps({"id": "r1", "t": made}) + "\n"


def test_a_tuple_counts_by_how_near_its_numbers_are():
    gold = "id,label,a,o,v,w\nr,FOOD,soup,good,7.5,6.8\nr,SERVICE,staff,rude,2,7\n"
    run = "id,label,a,o,v,w\nr,FOOD,soup,good,6.5,6.8\nr,FOOD,bread,good,8,7\nr,SERVICE,staff,rude,2,7\n"
    options = {"columns": "id,label", "fields": "a,o", "values": "v,w", "value_range": "1,9"}
    result = evaluate(run, gold, "csv", headline="continuous_f1", **options)
    near = 1 - 128**-0.5
    expected = {
        "continuous_precision": (near + 1) / 3,
        "continuous_recall": (near + 1) / 2,
        "continuous_f1": 2 * (near + 1) / 5,
        "macro_continuous_f1": (2 * near / 3 + 1) / 2,
        "f1": 0.8,
    }
    assert {key: result.scores[key] for key in expected} == pytest.approx(expected)
    assert result.scores.keys() == MAT.scores.titles_with(result.options).keys()
    rows = {row["tag"]: (row["gold_tuples"], row["system_tuples"]) for row in result.tables["continuous"]}
    assert rows == {"FOOD": (1, 2), "SERVICE": (1, 1), "<all>": (2, 3)}


@pytest.mark.parametrize(
    ("gold", "run", "precision", "recall"),
    [
        (["soup good 9#9"], ["Soup GOOD 9#9"], 1, 1),
        (["soup good 9#9"], ["soup good 1#1"], 0, 0),
        (["soup good 9#9"], ["soup good 9#9", "soup good 9#9"], 0, 0),
        (["soup good 1#1", "soup good 9#9"], ["soup good 9#9"], 1, 1 / 2),
        (["soup good 1#1", "soup good 9#9"], ["soup good 9#9", "soup good 1#1"], 1, 1),
        (["soup good 1#1"], [], 1, 0),
    ],
)
def test_numbers_count_once_for_each_tuple_of_the_gold(gold, run, precision, recall):
    scores = evaluate(triplets(*run), triplets(*gold), "jsonl", **TRIPLETS).scores
    assert [scores["continuous_precision"], scores["continuous_recall"]] == pytest.approx([precision, recall])


def test_numbers_of_tuples_have_to_be_numbers_of_the_range():
    gold = {"gold.jsonl": triplets("soup good 9#9").encode()}
    made = [triplets(f"soup good {said}") for said in ("9#x", "9", "0.5#9.5", "5#5")]
    run = {"run.jsonl": "".join(made).encode()}
    with pytest.raises(SubmissionError) as raised:
        scoring.evaluate("mat", gold=Made(gold), system=Made(run), options=RELATIONS | TRIPLETS)
    assert [(each.line, each.message) for each in raised.value.problems] == [
        (1, "'x' is not a number"),
        (2, "'9' has no part 2: 't[].va#2' takes parts with # between them"),
        (2, "empty value"),
        (3, "0.5 lies outside the range from 1 to 9"),
    ]


def plain(gold, run):
    """Return the scores weighed by label, and of all labels, from loops over tuples."""
    sums = defaultdict(lambda: np.zeros(3))
    chosen = set()
    for talk, label, start, end, *fields in run:
        best = max(
            (
                (len(shared) / (own[3] - own[2]), len(shared), -place)
                for place, own in enumerate(gold)
                if [own[0], own[1], *own[4:]] == [talk, label, *fields]
                if (shared := range(max(start, own[2]), min(end, own[3])))
            ),
            default=None,
        )
        sums[label] += (0, end - start, 0)
        if best:
            own = gold[-best[2]]
            chosen.add(own)
            sums[label] += (own[3] - own[2], 0, best[1])
    for own in set(gold) - chosen:
        sums[own[1]] += (own[3] - own[2], 0, 0)
    weights = {label: sum(own[1] == label for own in gold) / len(gold) for label in sums}
    by_label = {label: weights[label] * f1(*own) for label, own in sums.items()}
    return {"paired_f1": f1(*sum(sums.values())), "weighted_paired_f1": sum(by_label.values())}


def f1(gold, system, shared):
    return 2 * shared / (gold + system)


def world(seed):
    """Return tuples of gold and run, by talk; those of the gold of one label and fields do not overlap."""
    rng = np.random.default_rng(seed)

    def some(n, *, apart):
        found = {}
        for talk, label, of, start, length in rng.integers([0, 0, 1, 0, 1], [5, 2, 3, 20, 9], (n, 5)).tolist():
            own = (str(talk), ("joy", "fear")[label], start, start + length, of, 1)
            clashes = (
                each[:2] == own[:2] and each[4] == of and each[2] < own[3] and own[2] < each[3] for each in found
            )
            if not (apart and any(clashes)):
                found[own] = None
        return sorted(found)

    gold = some(40, apart=True)
    # Of equal parts the first of the file counts, wherever it stands in the text.
    gold = [gold[k] for k in rng.permutation(len(gold))]
    return gold, sorted({*some(60, apart=False), *gold[::3]})


@pytest.mark.parametrize("seed", range(6))
def test_what_tuples_share_with_their_best_match_is_what_loops_over_them_say(seed):
    gold, run = world(seed)
    found = evaluate(causes(run), causes(gold), **CAUSES).scores
    expected = plain(gold, run)
    assert {key: found[key] for key in expected} == pytest.approx(expected)


def test_scores_of_resamples_are_those_of_the_documents_drawn():
    gold, run = world(1)
    result = evaluate(causes(run), causes(gold), n_resamples=100, **CAUSES)
    assert result.intervals.keys() >= {"f1", "weighted_f1", "paired_f1", "weighted_paired_f1"}
    again = MAT.metrics(np.tensordot([1, 0, 0, 1, 1], result.rows, 1), result.options)
    expected = plain(*([own for own in side if own[0] in "034"] for side in (gold, run)))
    assert {key: float(again[key]) for key in expected} == pytest.approx(expected)
    rows = {row["tag"]: row for row in result.tables["overlap"]}
    assert rows["<all>"]["paired_f1"] == result.scores["paired_f1"]
    assert json.dumps(result.as_dict())


ROWS = [(f"d{k // 3}", ["POS", "NEG"][k % 2], f"aspect {k}", f"opinion {k}") for k in range(30)]
LISTS = [
    {"ID": name, "Quad": [{"Label": label, "A": one, "O": other} for of, label, one, other in ROWS if of == name]}
    for name in dict.fromkeys(row[0] for row in ROWS)
]
IN_LISTS = {**TABLES, "columns": "ID,Quad[].Label", "fields": "Quad[].A,Quad[].O"}


def problem_of_lists(text, ending="jsonl"):
    gold = "".join(json.dumps(record) + "\n" for record in LISTS)
    sides = {"gold": table(gold, "gold.jsonl"), "system": table(text, f"run.{ending}")}
    return [str(each.message) for each in scoring.check("mat", **sides, options=IN_LISTS)]


@pytest.mark.parametrize(
    "change",
    [
        lambda quads: [[*quad.values()] for quad in quads],
        lambda quads: [str((*quad.values(),)) for quad in quads],
        lambda quads: quads[0],
    ],
    ids=["lists", "texts", "one alone"],
)
def test_tuples_that_are_no_objects_are_told_what_one_looks_like(change):
    text = "".join(json.dumps(record | {"Quad": change(record["Quad"])}) + "\n" for record in LISTS)
    assert set(problem_of_lists(text)) == {
        'Quad must be a list of objects, such as [{"Label": "…", "A": "…", "O": "…"}]'
    }


def test_a_tuple_on_each_line_is_told_to_stand_in_a_list():
    text = "".join(json.dumps({"ID": name, "Label": label, "A": a, "O": o}) + "\n" for name, label, a, o in ROWS)
    [message] = {*problem_of_lists(text)}
    assert message.startswith("no list \"Quad\": the line is a single row; write one object for each 'ID'")


def test_tuples_in_rows_of_a_table_are_told_the_names_by_which_they_are_read():
    rows = "".join(",".join(row) + "\n" for row in ROWS)
    messages = problem_of_lists(f"ID,Label,A,O\n{rows}", "csv")
    assert [message.rpartition("; ")[2] for message in messages] == [
        f"did you mean '{name}'? Rename it to 'Quad[].{name}'" for name in ("Label", "A", "O")
    ]
    assert problem_of_lists(f"ID,Quad[].Label,Quad[].A,Quad[].O\n{rows}", "csv") == []


def test_documents_that_are_spelt_otherwise_or_stand_in_another_column_are_told_once():
    spelt = "".join(json.dumps(record | {"ID": f"x{record['ID']}"}) + "\n" for record in LISTS)
    [message] = {*problem_of_lists(spelt)}
    assert message.endswith("without 'x' in front all 10 fit")
    exchanged = "".join(f"{label},{name},{a},{o}\n" for name, label, a, o in ROWS)
    [message] = problem_of_lists(f"ID,Quad[].Label,Quad[].A,Quad[].O\n{exchanged}", "csv")
    assert message.startswith("the ids stand under 'Quad[].Label', such as 'd0'")
