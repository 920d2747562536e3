"""The sample of each scenario of the demo's tasks enters it unasked for, in each format and beside other files."""

import json

import pytest

import scoring as engine
from demo.plan import FOLDER, read_task
from evalsite.submissions import engine_jobs
from scoring.messages import from_data
from scoring.readers.archive import open_files
from tests.factories import zip_upload

TASKS = sorted(path.name for path in FOLDER.iterdir() if path.name != "judgements")
SCENARIOS = [(task, number) for task in TASKS for number in range(1, len(read_task(task).scenarios) + 1)]
LEFT_BEHIND = ("Thumbs.db", "desktop.ini", "~$run.csv", "__MACOSX/._run.csv", ".DS_Store", "train.log", "plot.png")


@pytest.fixture
def check(tmp_path):
    """The numbers of the scenarios that files of a task enter, and the problems."""

    def checked(task, files):
        plan = read_task(task)
        scenarios = []
        for number, scenario in enumerate(plan.scenarios, start=1):
            gold = plan.gold("development", number)
            path = tmp_path / f"{number}-{gold.name}"
            path.write_bytes(gold.content)
            named = [str(path), gold.name]
            scenarios.append(
                {
                    "number": number,
                    "family": scenario.family,
                    "options": scenario.options,
                    "is_judged": False,
                    "is_input": False,
                    "gold": named,
                }
            )
        ((name, content),) = files.items() if len(files) == 1 else [("upload.zip", zip_upload(files).read())]
        (tmp_path / "upload").write_bytes(content)
        arguments = {"upload": [str(tmp_path / "upload"), name], "own_archive": None, "chosen": [], "at_once": 10**9}
        arguments |= {"describes": True, "gold_is_open": True, "hides_labels": False, "scenarios": scenarios}
        parts = engine_jobs.check(arguments, lambda step: None)["parts"]
        entered = [part["scenario"] + 1 for part in parts if part["scenario"] is not None]
        return entered, [from_data(problem["message"]) for part in parts for problem in part["problems"]]

    return checked


def sample_of(tmp_path, task, number):
    plan = read_task(task)
    scenario, gold = plan.scenarios[number - 1], plan.gold("development", number)
    family = engine.family_of(scenario.family, scenario.options)
    (place := tmp_path / gold.name).write_bytes(gold.content)
    return family.files.sample(open_files(place), family.configure(scenario.options))


def rows_of(text, sign):
    first, *others = (line.split(sign) for line in text.splitlines())
    return [dict(zip(first, map(plain, cells), strict=True)) for cells in others]


def plain(cell):
    """A cell as JSON has it."""
    return float(cell) if cell.isdigit() else cell


def written(records):
    """Records as a list, as JSON Lines, and by their ids, as {name of the file: text}."""
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    return {"run.json": f"[{', '.join(lines)}]", "run.jsonl": "\n".join(lines), "run.ndjson": "\n".join(lines)}


def in_all_formats(task, files):
    """The one file of a sample in the formats of its layout; other samples as they are."""
    if len(files) > 1:
        return {"as it is": files}
    ((path, content),) = files.items()
    folder, _, name = path.rpartition("/")
    text, others = content.decode(), {}
    if name == "run.csv":
        others = {"run.tsv": text.replace(",", "\t"), **written(rows_of(text, ","))}
    elif task == "text":
        records = [json.loads(line) for line in text.splitlines()]
        columns = ["id\ttext"] + [f"{record['id']}\t{record['text']}" for record in records]
        others = {**written(records), "run.tsv": "\n".join(columns), "run.txt": "\n".join("a text" for _ in records)}
    elif task == "transcripts":
        records = rows_of(text, "\t")
        trn = "".join(f"{record['text']} ({record['id']})\n" for record in records)
        kaldi = "".join(f"{record['id']} {record['text']}\n" for record in records)
        others = {"run.jsonl": written(records)["run.jsonl"], "run.trn": trn, "text": kaldi}
    elif task == "spacy":
        others = written([json.loads(line) for line in text.splitlines()])
    elif task == "ranking":
        cells = [line.split() for line in text.splitlines()]
        lists = {query: [document] for query, _, document, *_ in cells}
        tabs = "".join(f"{row[0]}\t{row[2]}\t{row[3]}\n" for row in cells)
        others = {"run.tsv": tabs, "run.json": json.dumps(lists), "run.trec": "\t".join(text.split(" "))}
    place = f"{folder}/" if folder else ""
    return {"as it is": files} | {name: {place + name: other.encode()} for name, other in others.items()}


@pytest.mark.parametrize(("task", "number"), SCENARIOS)
def test_a_scenario_s_sample_enters_it_in_each_format_without_being_asked_for(tmp_path, check, task, number):
    for name, files in in_all_formats(task, sample_of(tmp_path, task, number)).items():
        entered, problems = check(task, files)
        assert number in entered, name
        assert problems == [], name


@pytest.mark.parametrize(("task", "number"), SCENARIOS)
def test_a_sample_enters_its_scenario_beside_what_systems_and_programs_leave_behind(tmp_path, check, task, number):
    sample = sample_of(tmp_path, task, number)
    folder = next(iter(sample)).rpartition("/")[0]
    beside = {f"{folder}/{name}".lstrip("/"): b"\x00\x01" for name in LEFT_BEHIND}
    entered, problems = check(task, sample | beside)
    assert number in entered
    assert problems == []


def test_a_table_of_all_languages_is_told_where_to_put_each(check):
    _, [problem] = check("languages", {"run.csv": b"id,label\nen-001,mixed\nde-001,mixed\n"})
    assert "add a column language that says en, for example, in each row" in problem
    assert "divide it into files such as en.csv" in problem


def together(samples):
    """Files of several scenarios in one upload: where two of them have one name, each is in a folder of its own."""
    paths = [path for sample in samples for path in sample]
    apart = any(len({sample.get(path) for sample in samples} - {None}) > 1 for path in paths)
    return {f"{k}/{path}" if apart else path: sample[path] for k, sample in enumerate(samples) for path in sample}


@pytest.mark.parametrize("task", TASKS)
def test_the_samples_of_all_scenarios_together_enter_them_all_in_each_format(tmp_path, check, task):
    numbers = [*range(1, len(read_task(task).scenarios) + 1)]
    in_formats = [in_all_formats(task, sample_of(tmp_path, task, number)) for number in numbers]
    for name in in_formats[0].keys() & in_formats[-1].keys():
        files = together([formats[name] for formats in in_formats])
        assert check(task, files) == (numbers, []), name


def test_runs_on_the_same_questions_are_told_apart_by_the_task_in_their_names(check):
    questions = [line.split(b"\t")[0] for line in read_task("qac").gold("development", 1).content.splitlines()]
    runs = {f"task{task}.txt": b"".join(name + b"\n" for name in dict.fromkeys(questions)) for task in (1, 2)}
    runs["task2.txt"] = runs["task2.txt"].replace(b"\n", b': "Ise", SE0001\n')
    assert check("qac", runs) == ([1, 2], [])
    runs["run2.txt"] = runs.pop("task2.txt").replace(b"Ise", b"Tsu")
    _, problems = check("qac", {**runs, "run1.txt": b"#\n" + runs["task1.txt"], "task1.txt": b"#\n"})
    assert "expected exactly one file" in problems[0]
