"""What a run's files have is what is scored and what is told to be left aside, however they were made."""

import json
import random
import re

import pytest

import scoring
from demo.plan import read_task
from scoring.readers.archive import Made
from tests.scoring.describing.shapes import ANNOTATED, ANSWERED, PHRASES, SEGMENTED, gold_of, json_lines

SEEDS = range(6)


@pytest.fixture
def describe(tmp_path):
    def described(task, number, files):
        gold, scenario = gold_of(task, number), read_task(task).scenarios[number - 1]
        (tmp_path / gold.name).write_bytes(gold.content)
        (tmp_path / "run").mkdir(exist_ok=True)
        for path, text in files.items():
            (tmp_path / "run" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "run" / path).write_text(text)
        system = tmp_path / "run"
        return scoring.describe(scenario.family, options=scenario.options, gold=tmp_path / gold.name, system=system)

    return described


def told(description):
    """The first number of the sentence about what is left aside."""
    match = re.search(r"\. ([\d,]+) of [\d,]+ ", description.summary)
    return int(match[1].replace(",", "")) if match else 0


@pytest.mark.parametrize("seed", SEEDS)
def test_relations_are_scored_or_told_of(describe, seed):
    draw = random.Random(seed)
    files = dict(PHRASES)
    path = next(path for path in files if path.endswith("output_b_scenario1.txt"))
    ids = [line.split("\t")[0] for line in files[path.replace("_b_", "_a_")].splitlines()]
    near = [(ids[k], ids[k + draw.choice([1, 1, 2, 30])]) for k in draw.sample(range(len(ids) - 30), 90)]
    files[path] = "".join(f"subject\t{source}\t{target}\n" for source, target in near)
    description = describe("ehealthkd", 1, files)
    assert description.counts["relations"] + told(description) == len(near)
    assert told(description) > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_are_ranked_or_told_of(describe, seed):
    draw = random.Random(seed)
    lines = [line + ', "?", 0' * draw.choice([0, 0, 1, 9]) for line in ANSWERED]
    description = describe("qac", 1, {"run.txt": "".join(f"{line}\n" for line in lines)})
    given = [len(re.findall('"[^"]*"', line)) for line in lines]
    assert told(description) == sum(max(n - 5, 0) for n in given)
    assert description.counts["answers"] == sum(given)


def test_a_few_that_are_left_aside_are_told_without_a_question(describe):
    lines = [*ANSWERED[:-1], ANSWERED[-1] + ', "?", 0' * 5]
    description = describe("qac", 1, {"run.txt": "".join(f"{line}\n" for line in lines)})
    assert told(description) > 0
    assert description.oddities == []


def test_spans_that_count_characters_are_no_tokens(describe):
    """The places of characters lie behind the number of tokens in any document."""
    records = [json.loads(line) for line in ANNOTATED]
    moved = []
    for record in records:
        starts = [0]
        for word, space in zip(record["words"], record["spaces"], strict=True):
            starts.append(starts[-1] + len(word) + space)
        spans = [
            (starts[first] + 1, starts[last - 1] + len(record["words"][last - 1]), label)
            for first, last, label in record["ents"]
        ]
        moved.append({"id": record["id"], "ents": [span for span in spans if span[0] < span[1]]})
    description = describe("spacy", 1, {"run.jsonl": json_lines(moved)})
    assert "tokens" not in str([oddity.suggestion for oddity in description.oddities])


def read_of(family, gold, run, options):
    """What is read of a run beside a gold, both as {path: text}."""
    sides = [Made({path: text.encode() for path, text in files.items()}) for files in (gold, run)]
    return scoring.describe(family, gold=sides[0], system=sides[1], options=options)


def rows(draw, names, values, head):
    """A table with a heading, its rows in any order."""
    lines = [f"{name},{draw.choice(values)}\n" for name in names]
    draw.shuffle(lines)
    return head + "".join(lines)


def names_of(draw, letter, most=9):
    return [f"{letter}{k:02}" for k in range(draw.randint(3, most))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("family", "options", "head", "values", "things"),
    [
        ("labels", {"unknown_ids": "ignore", "missing": "wrong"}, "id,label\n", ["ask", "tell"], "labels"),
        ("numbers", {"unknown_ids": "ignore", "missing": 0}, "id,value\n", ["1.5", "-2", "7"], "numbers"),
        ("given", {"unknown_ids": "ignore", "missing": 0}, "unit,score\n", ["0.5", "1", "0"], "scores"),
    ],
)
def test_rows_are_scored_or_told_of(seed, family, options, head, values, things):
    draw = random.Random(seed)
    inside, outside = names_of(draw, "a"), names_of(draw, "b")
    gold = rows(draw, inside, values, head)
    given = draw.sample(inside, draw.randint(1, len(inside))) + outside
    description = read_of(family, {"gold.csv": gold}, {"run.csv": rows(draw, given, values, head)}, options)
    assert description.counts[things] + told(description) == len(given)
    assert told(description) == len(outside)


@pytest.mark.parametrize("seed", SEEDS)
def test_documents_are_ranked_for_queries_of_the_task_or_told_of(seed):
    draw = random.Random(seed)
    inside, outside = names_of(draw, "a"), names_of(draw, "b")
    gold = "".join(f"{query} 0 d1 1\n" for query in inside)
    lines = [f"{query} Q0 d{k} 1 {9 - k} x\n" for query in inside + outside for k in range(draw.randint(1, 5))]
    description = read_of("ranking", {"qrels.txt": gold}, {"run.txt": "".join(lines)}, {})
    assert description.counts["documents"] + told(description) == len(lines)
    assert told(description) > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_snippets_are_of_questions_of_the_task_or_told_of(seed):
    draw = random.Random(seed)
    snippet = {"document": "7", "beginSection": "title", "endSection": "title"}
    snippet |= {"offsetInBeginSection": 0, "offsetInEndSection": 5}
    inside, outside = names_of(draw, "a"), names_of(draw, "b")
    questions = [{"id": name, "body": "?", "type": "factoid", "snippets": [snippet]} for name in inside + outside]
    gold = {"gold.json": json.dumps({"questions": questions[: len(inside)]})}
    description = read_of(
        "ranking", gold, {"run.json": json.dumps({"questions": questions})}, {"items": "snippets", "unknown": "warn"}
    )
    assert description.counts["snippets"] + told(description) == len(questions)
    assert told(description) == len(outside)


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_are_to_questions_of_the_task_or_told_of(seed):
    draw = random.Random(seed)
    inside, outside = ([f"QAC{letter}-{k}-01" for k in range(draw.randint(3, 9))] for letter in "12")
    gold = "".join(f"{name}\n" for name in inside)
    sizes = [draw.randint(0, 3) for _ in inside + outside]
    lines = [
        name + (":" + ", ".join([' "?", 0'] * size) if size else "") + "\n"
        for name, size in zip(inside + outside, sizes, strict=True)
    ]
    description = read_of("qac", {"gold.tsv": gold}, {"run.txt": "".join(lines)}, {"task": 2})
    assert told(description) == sum(sizes[len(inside) :])
    assert description.counts["answers"] == sum(sizes)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("singletons", ["keep", "remove"])
def test_mentions_are_in_entities_that_count_or_told_of(seed, singletons):
    draw = random.Random(seed)
    entities = [[f"m{k}-{j}" for j in range(draw.choice([1, 1, 2, 4]))] for k in range(8)] + [["x", "y"]]
    again = [mentions + mentions[: draw.choice([0, 1])] for mentions in entities]
    gold, run = (
        {"a.json": json.dumps({"type": "clusters", "clusters": {str(k): of for k, of in enumerate(side)}})}
        for side in (entities, again)
    )
    description = read_of("coreference", gold, run, {"singletons": singletons})
    all_told = sum(int(n.replace(",", "")) for n in re.findall(r"\. ([\d,]+) of [\d,]+ ", description.summary))
    assert description.counts["mentions"] + all_told == sum(map(len, again))
    assert all_told > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_annotations_are_of_types_that_count_or_told_of(describe, seed):
    draw = random.Random(seed)
    n = 0
    files = {}
    for path, text in SEGMENTED.items():
        record = json.loads(text)
        for kind in record["asets"]:
            if kind["type"] != "lex":  # tokens are neither scored nor left aside
                kind["type"] = draw.choice([kind["type"], "PARAGRAPH"])
                n += len(kind["annots"])
        files[path] = json.dumps(record)
    description = describe("mat", 1, files)
    assert description.counts["spans"] + told(description) == n


def test_layers_that_a_scenario_does_not_score_are_told_of(describe):
    description = describe("spacy", 3, {"run.jsonl": "\n".join(ANNOTATED)})
    beside = [json.loads(line) for line in ANNOTATED]
    entities = sum(len(record["ents"]) for record in beside)
    assert f"Not scored here: {sum(len(record['tags']) for record in beside):,} tags" in description.summary
    assert f"{entities} entities" in description.summary
