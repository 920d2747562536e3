"""One language of several, by a folder or by a column, is scored as if its files came alone."""

import json
from dataclasses import replace

import numpy as np
import pytest

import scoring
from scoring.families.parts import for_part, reading_parts
from scoring.family import Option
from scoring.readers.archive import Made
from scoring.readers.parts import inside

FOLDERS = [name for name in scoring.FAMILIES if name != "given"]


def specimen(family: str):
    record = scoring.FAMILIES[family]
    options = record.configure({})
    return record.offer.specimen(options) if record.offer.specimen else None


def same(one: scoring.Evaluation, other: scoring.Evaluation) -> bool:
    return one.scores == other.scores and one.units == other.units and one.intervals == other.intervals


@pytest.mark.parametrize("family", [name for name in FOLDERS if specimen(name)])
def test_the_files_of_a_folder_are_scored_as_if_they_came_alone(family):
    small = specimen(family)
    alone = scoring.evaluate(family, gold=Made(small.gold), system=Made(small.run), n_resamples=200)
    run = {f"run/{language}/{path}": content for language in ("en", "de") for path, content in small.run.items()}
    gold = {f"{language}/{path}": content for language in ("en", "de") for path, content in small.gold.items()}
    for given in (gold, small.gold):
        found = scoring.evaluate(family, gold=Made(given), system=Made(run), options={"folder": "de"}, n_resamples=200)
        assert same(alone, found)
        assert found.signature == alone.signature


@pytest.mark.parametrize("family", [name for name in FOLDERS if specimen(name)])
def test_what_a_site_makes_of_a_gold_for_one_language_is_looked_for_where_it_is_put(family):
    small, record = specimen(family), reading_parts(scoring.FAMILIES[family])
    options = record.configure({"folder": "de"})
    gold = Made(small.gold)
    for made in (
        record.files.gold_as_submission(gold, options),
        record.files.sample(gold, options),
        record.example(options),
    ):
        assert all(path.startswith("de/") for path in made)
        assert record.files.has_files(Made(made), options)
    assert not scoring.check(
        family, gold=gold, system=Made(record.files.sample(gold, options)), options={"folder": "de"}
    )
    perfect = scoring.evaluate(
        family, gold=gold, system=Made(record.files.gold_as_submission(gold, options)), options={"folder": "de"}
    )
    own = scoring.evaluate(family, gold=gold, system=Made(small.run))
    assert perfect.scores[perfect.headline] != own.scores[own.headline]


@pytest.mark.parametrize("quotes", [b"", b'"several\n""lines""",0,xx\n'])
@pytest.mark.parametrize("family", ["labels", "numbers"])
def test_the_rows_of_a_language_are_scored_as_if_they_came_alone(family, quotes):
    noun = {"labels": "label", "numbers": "value"}[family]
    rng = np.random.default_rng(1)
    head = f"id,{noun},lang\n".encode()
    alone_gold, alone_run, gold, run = f"id,{noun}\n", f"id,{noun}\n", [], []
    for number, (truth, answer) in enumerate(rng.integers(0, 3, (80, 2)).tolist()):
        alone_gold += f"{number},{truth}\n"
        alone_run += f"{number},{answer}\n"
        gold += [f"{number},{truth},{each}\n" for each in ("de", "en")]
        run += [f"{number},{answer if each == 'en' else truth},{each}\n" for each in ("de", "en")]
    whole = Made({"gold.csv": head + "".join(gold).encode() + quotes})
    system = Made({"run.csv": head + "".join(run[::-1]).encode() + quotes})
    options = {"unknown_labels": "wrong"} if family == "labels" else {}
    alone = scoring.evaluate(
        family,
        gold=Made({"g.csv": alone_gold.encode()}),
        system=Made({"r.csv": alone_run.encode()}),
        options=options,
    )
    found = scoring.evaluate(family, gold=whole, system=system, options=options | {"rows": "lang=en"})
    assert found.scores == alone.scores
    assert found.units == alone.units
    assert (
        found.gold_digest
        != scoring.evaluate(family, gold=whole, system=system, options=options | {"rows": "lang=de"}).gold_digest
    )


def test_rows_of_json_lines_are_told_apart_by_a_key():
    lines = [{"id": k, "text": "a bridge", "lang": each} for each in ("en", "de") for k in range(3)]
    run = Made({"run.jsonl": "\n".join(map(json.dumps, lines)).encode()})
    gold = Made({"gold.tsv": b"id\tref\n" + b"".join(b"%d\ta bridge\n" % k for k in range(3))})
    assert scoring.evaluate("text", gold=gold, system=run, options={"rows": "lang=de"}).scores["chrf"] == 100


@pytest.mark.parametrize("indent", [None, 1])
def test_one_type_of_question_is_taken_out_of_one_json_of_all_types(indent):
    answers = [("q1", "yesno", "yes"), ("q2", "factoid", [["a", "b"]]), ("q3", "yesno", "no"), ("q4", "summary", None)]
    options = {"id": "questions[].id", "label": "questions[].exact_answer", "rows": "questions[].type=yesno"}

    def file(*changed):
        questions = [{"id": name, "type": kind, "exact_answer": answer} for name, kind, answer in (*answers, *changed)]
        return Made({"run.json": json.dumps({"questions": questions}, indent=indent).encode()})

    found = scoring.evaluate("labels", gold=file(), system=file(), options=options)
    assert (found.units, found.scores["accuracy"]) == (["q1", "q3"], 1)
    with pytest.raises(scoring.SubmissionError, match=r"id 'q9' is not in the gold"):
        scoring.evaluate("labels", gold=file(), system=file(("q9", "yesno", "no")), options=options)
    labels = reading_parts(scoring.FAMILIES["labels"])
    sample = labels.files.sample(file(), labels.configure(options))
    assert scoring.check("labels", gold=file(), system=Made(sample), options=options) == []


@pytest.mark.parametrize(
    ("options", "files", "problem"),
    [
        ({"folder": "es"}, {"run/en/a.csv": "", "run/de/a.csv": ""}, "there is no folder 'es', and no file named so; "
         "there are de/, en/"),
        ({"rows": "lang=eng"}, {"run.csv": "id,label,lang\n1,A,en\n2,B,de\n"}, "run.csv: no row has 'eng' in column "
         "'lang'; there are 'en', 'de'; did you mean 'en'?"),
        ({"rows": "lang=en"}, {"run.csv": "id,label,Lang\n1,A,en\n"}, "run.csv:1: column "
         "'lang' not found; the header has 'id', 'label', 'Lang'; did you mean 'Lang'? Rename it to 'lang'"),
        ({"rows": "lang=en"}, {"run.csv": "id,label,lang\n1,A,en\n2,B,\n"}, "run.csv:3: empty lang"),
        ({"rows": "lang=en"}, {"run.csv": "id,label,lang\n9,A,de\n1,C,en\n"}, "run.csv:3: unknown label 'C'"),
        ({"rows": "lang=en"}, {"run.csv": 'id,label,lang\n"9\n",A,de\n1,C,en\n'}, "run.csv:4: unknown label 'C'"),
        ({"rows": "lang=en"}, {"run.txt": "A\nB\n"}, "run.txt: a file of one value a line has no column 'lang': send "
         "csv, tsv or jsonl"),
    ],
)  # fmt: skip
def test_problems_name_the_folder_the_value_and_the_line_of_the_upload(options, files, problem):
    system = Made({path: content.encode() for path, content in files.items()})
    problems = scoring.check("labels", gold=Made({"g.csv": b"id,label\n1,A\n2,B\n"}), system=system, options=options)
    assert str(problems[0]) == problem


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["en/a.csv", "de/en.csv"], ["en/a.csv"]),  # a folder before a file
        (["run/EN/a.csv", "run/De/a.csv"], ["run/EN/a.csv"]),
        (["en.csv", "my_en_run.csv"], ["en.csv"]),  # the whole name before a part of it
        (["pred_eng.csv", "pred_en.csv"], ["pred_en.csv"]),
        (["men/a.csv", "open.csv"], []),
    ],
)
def test_a_language_is_found_by_folder_by_name_and_by_a_word_of_the_name(paths, found):
    chosen = inside(Made(dict.fromkeys(paths, b"")), "en")
    assert list(chosen or []) == found


@pytest.mark.parametrize("options", [{"folder": "../x"}, {"folder": "a//b"}, {"rows": "lang"}, {"rows": "=en"},
                                     {"rows": "lang=en", "header": "no"}])  # fmt: skip
def test_a_part_that_cannot_be_is_refused(options):
    with pytest.raises(scoring.ConfigurationError):
        scoring.evaluate("labels", gold="x", system="x", options=options)


def test_an_option_that_a_family_calls_so_itself_stays_its_own():
    labels = scoring.FAMILIES["labels"]
    own = replace(
        labels,
        options=(*labels.options, Option("folder", None, (), "its own")),
        files=replace(labels.files, has_columns=False),
    )
    assert for_part(own, {"folder": "en"}) is own
    assert for_part(scoring.FAMILIES["given"], {"folder": "en"}) is scoring.FAMILIES["given"]


def test_rows_without_a_value_are_told_by_an_empty_one():
    gold = {"a": {"label": "A"}, "b": {"label": "B", "kind": ["x", "a"]}, "c": {"label": "B", "kind": None}}
    run = {name: {"label": row["label"]} for name, row in gold.items()}
    sides = {"gold": Made({"g.json": json.dumps(gold).encode()}), "system": Made({"r.json": json.dumps(run).encode()})}
    found = scoring.evaluate("labels", **sides, options={"rows": "kind=", "unknown_ids": "ignore"})
    assert found.units == ["a", "c"]
    with pytest.raises(scoring.GoldError, match="kind must be a string or an integer"):
        scoring.evaluate("labels", **sides, options={"rows": "kind=x"})
    csv = Made({"t.csv": b"id,label,kind\n1,A,\n2,B,x\n"})
    assert scoring.evaluate("labels", gold=csv, system=csv, options={"rows": "kind="}).units == ["1"]


def test_a_name_may_mean_one_of_a_list():
    gold = [{"id": "a", "label": "A"}, {"id": "b", "label": "B", "from": ["kind", "a"]}]
    sides = {name: Made({"t.json": json.dumps(gold).encode()}) for name in ("gold", "system")}
    found = scoring.evaluate("labels", **sides, options={"original": "from[1]"})
    assert found.scores["faithfulness"] == 1
    gold[1]["from"] = "a"
    wrong = Made({"t.json": json.dumps(gold).encode()})
    with pytest.raises(scoring.GoldError, match=r"from\[1\] must be a string or an integer"):
        scoring.evaluate("labels", gold=wrong, system=sides["system"], options={"original": "from[1]"})
