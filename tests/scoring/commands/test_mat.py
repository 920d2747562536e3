import base64
import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scoring.commands import mat

REFERENCE = Path(__file__).parents[1] / "reference" / "mat"
CONTENT = ("--content_annotations", "PER,LOC")
CONFIDENCE = ("_mean", "_variance", "_stddev")
TASK = """<tasks><task name="Names"><tags><tag name="PER"/><tag name="LOC"/><tag name="lex" category="token"/></tags>
</task><task name="Places"><tags><tag name="LOC"/></tags></task></tasks>"""


def reference_cases():
    for path in sorted(REFERENCE.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            for number, call in enumerate(case.get("cli", [])):
                yield pytest.param(case, call, id=f"{case['id']}-{number}")


@pytest.mark.parametrize(("case", "call"), [*reference_cases()])
def test_the_command_does_what_the_documentation_says(case, call, tmp_path, capsys):
    write_inputs(tmp_path, case["inputs"])
    places = {name: str(tmp_path / name) for name in ("gold", "system", "out")} | {"task": str(tmp_path / "task.xml")}

    status = mat.main([re.sub(r"\{(\w+)\}", lambda found: places[found[1]], text) for text in call["args"]])

    printed = capsys.readouterr()
    assert status == call["exit"]
    assert printed.out == call.get("stdout", "")
    if "csv" in call:
        assert_same_tables(tmp_path / "out", case["runs"][0]["expected"], call)


def assert_same_tables(folder, expected, call):
    for table, name in (("by_tag", "bytag.csv"), ("by_token", "bytoken.csv"), ("details", "details.csv")):
        path = folder / name
        is_asked_for = table == "by_tag" or f"--{table}" in call["args"]
        assert path.exists() == (is_asked_for and table in expected)
        if path.exists():
            header, *rows = calculated(path, call["csv"])
            shown = [place for place, column in enumerate(header) if not column.endswith(CONFIDENCE)]
            columns = [
                column.replace("_toks", " toks").replace("_docs", " docs") for column in expected[table]["columns"]
            ]
            assert [header[place] for place in shown] == columns
            assert (len(header) > len(shown)) == (call["csv"] == "confidence" and table != "details")
            for row, values in zip(rows, expected[table]["rows"], strict=True):
                assert_same_row([row[place] for place in shown], values)


def assert_same_row(row, values):
    for cell, value in zip(row, values, strict=True):
        if isinstance(value, int | float):
            assert float(cell) == pytest.approx(value, abs=1e-9)
        else:
            text = re.sub("^'(?=[ ']*[=+\\-@\t\r\n＝＋－＠])", "", cell)
            assert text == ("" if value is None else value)


def calculated(path, separator):
    """The rows of a CSV file, formulas replaced by their values."""
    rows = rows_of(path)
    if separator in (",", ";"):
        assert path.name == "details.csv" or any(str(cell).startswith("=IF(") for row in rows for cell in row)
    return [[value_of(cell, rows) for cell in row] for row in rows]


def value_of(cell, rows):
    """Formulas as Python, with the few functions that they may use."""
    if not cell.startswith("="):
        return cell
    text = cell[1:].replace(";", ",")
    text = re.sub(
        r"([A-Z]+)(\d+):\1(\d+)", lambda m: ",".join(f"{m[1]}{n}" for n in range(int(m[2]), int(m[3]) + 1)), text
    )
    text = re.sub(r"(?<![<>])=", "==", text)
    text = re.sub(r"\b([A-Z]+)(\d+)\b", lambda m: f"at({column(m[1])}, {int(m[2]) - 1})", text)
    text = re.sub(r"IF\((.*),1,(.*)\)$", r"(1 if \1 else \2)", text)
    text = re.sub(r"IF\((.*),0,(.*)\)$", r"(0 if \1 else \2)", text)

    def at(place, row):
        return float(value_of(rows[row][place], rows))

    return str(eval(text, {"at": at, "SUM": lambda *values: sum(values)}))


def column(letters):
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


@pytest.fixture
def command(tmp_path, capsys):
    """Call the command on small sides; it has to end with this status, and what it prints is returned."""
    write_small(tmp_path)

    def called(status, *arguments):
        assert mat.main([*folders(tmp_path), *arguments]) == status
        return capsys.readouterr()

    return called


def test_the_package_hands_over_to_the_command(tmp_path):
    write_small(tmp_path)
    finished = subprocess.run(
        [sys.executable, "-m", "scoring", "mat", *folders(tmp_path), *CONTENT, "--details"],
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "latin-1", "PYTHONPATH": str(Path(mat.__file__).parents[2])},
    )
    assert "Zoë Müller" in finished.stdout.decode("utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--file", "{system}/a.json"],
        ["--file", "{system}/a.json", "--ref_dir", "{gold}"],
        ["--file", "{system}/a.json", "--ref_file", "{gold}/a.json", "--dir", "{system}", "--ref_dir", "{gold}"],
        ["--file", "{system}", "--ref_file", "{gold}"],
        ["--dir", "{system}/a.json", "--ref_dir", "{gold}"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--file_type", "text"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--xml_translate_all"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--xml_input_is_overlay", "--ref_file_type", "xml-inline"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--ref_xml_translate_all", "--file_type", "xml-inline"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--ref_xml_input_is_overlay"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--detail"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--tokens", "mine"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--pairing", "3"],
        ["--dir", "{system}", "--ref_dir", "{gold}", "--seed", "x"],
    ],
)
def test_arguments_that_do_not_fit_together_are_wrong_usage(arguments, tmp_path, capsys):
    write_small(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        mat.main([*(text.format(gold=tmp_path / "gold", system=tmp_path / "system") for text in arguments), *CONTENT])
    assert stopped.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "content annotations unknown"),
        ([*CONTENT, "--file_re", "("], "system_pattern"),
        ([*CONTENT, "--seed", "-1"], "seed"),
        (["--task", "Names"], "no task 'Names'"),
        (["--task_file", "elsewhere.xml"], "elsewhere.xml"),
    ],
)
def test_what_the_caller_has_to_fix_ends_with_status_2(arguments, message, monkeypatch, command, tmp_path):
    monkeypatch.chdir(tmp_path)
    printed = command(2, *arguments)
    assert printed.out == ""
    assert message in printed.err


def test_xml_options_may_stand_before_the_type(tmp_path, capsys):
    text = "<d><PER>Ann</PER> met <i>Bo</i></d>"
    write_inputs(tmp_path, {"gold": {"a.xml": text}, "system": {"a.xml": text}})
    arguments = ["--xml_input_is_overlay", "--ref_xml_input_is_overlay", "--file_type", "xml-inline"]
    assert mat.main([*folders(tmp_path), *arguments, "--ref_file_type", "xml-inline", *CONTENT, "--details"]) == 0
    assert "a.xml match      PER        3      6" in capsys.readouterr().out


def test_a_file_and_its_reference_may_have_any_names(tmp_path, capsys):
    write_small(tmp_path)
    (tmp_path / "gold" / "a.json").rename(tmp_path / "gold" / "reference.json")
    files = ["--file", str(tmp_path / "system" / "a.json"), "--ref_file", str(tmp_path / "gold" / "reference.json")]
    assert mat.main([*files, *CONTENT, "--details"]) == 0
    assert "a.json" in capsys.readouterr().out


def test_folders_may_be_packed(command, tmp_path, capsys):
    loose = command(0, *CONTENT).out
    with zipfile.ZipFile(tmp_path / "system.zip", "w") as archive:
        archive.write(tmp_path / "system" / "a.json", "run/a.json")
    assert mat.main(["--dir", str(tmp_path / "system.zip"), "--ref_dir", str(tmp_path / "gold"), *CONTENT]) == 0
    assert capsys.readouterr().out == loose


@pytest.mark.parametrize(("absent", "status"), [("system", 1), ("gold", 2)])
def test_a_side_that_is_not_there_decides_the_status(absent, status, command, tmp_path):
    (tmp_path / absent).rename(tmp_path / "elsewhere")
    printed = command(status, *CONTENT)
    assert printed.out == ""
    assert "no such file or folder" in printed.err


@pytest.mark.parametrize(("broken", "status"), [("system", 1), ("gold", 2)])
def test_a_broken_file_is_named_with_its_line(broken, status, command, tmp_path):
    (tmp_path / broken / "a.json").write_text('{"version": 2,\n"signal" "x"}')
    printed = command(status, *CONTENT)
    assert printed.out == ""
    assert re.search(r"^a\.json:2:\d+: not valid JSON", printed.err, re.MULTILINE)


def test_the_reference_is_refused_first(command, tmp_path):
    for side in ("gold", "system"):
        (tmp_path / side / "a.json").write_text("{")
    command(2, *CONTENT)


def test_documents_without_partner_are_left_out_with_a_warning(command, tmp_path):
    alone = command(0, *CONTENT).out
    (tmp_path / "gold" / "only-gold.json").write_text(document("Bo", PER=[[0, 2]]))
    (tmp_path / "system" / "only-system.json").write_text("{")
    printed = command(0, *CONTENT)
    assert printed.out == alone
    assert re.search("^warning: only-gold.json", printed.err, re.MULTILINE)
    assert re.search("^warning: only-system.json", printed.err, re.MULTILINE)


def test_hypotheses_without_any_reference_are_refused(command, tmp_path):
    (tmp_path / "system" / "a.json").rename(tmp_path / "system" / "b.json")
    printed = command(1, *CONTENT)
    assert printed.out == ""
    assert "no document" in printed.err


def test_a_pattern_and_suffixes_say_which_files_belong_together(command, tmp_path):
    (tmp_path / "gold" / "a.json").rename(tmp_path / "gold" / "a.gold")
    (tmp_path / "system" / "notes.txt").write_text("x")
    arguments = ["--file_re", r".*\.json", "--ref_fsuff_off", ".json", "--ref_fsuff_on", ".gold"]
    printed = command(0, *CONTENT, *arguments)
    assert "<all>         1" in printed.out
    assert "notes.txt" not in printed.err


@pytest.mark.parametrize("argument", ["--compute_confidence_data", "--no_csv_formulas", "--oo_separator", "--csv_bom"])
def test_arguments_for_csv_are_ignored_with_a_warning_where_text_is_printed(argument, command):
    expected = command(0, *CONTENT).out
    printed = command(0, *CONTENT, argument)
    assert printed.out == expected
    assert f"warning: {argument} is ignored" in printed.err


def test_csv_files_lie_in_a_folder_that_is_made_and_nothing_is_printed(command, tmp_path):
    out = tmp_path / "new" / "out"
    assert command(0, *CONTENT, "--csv_output_dir", str(out)).out == ""
    assert [path.name for path in out.iterdir()] == ["bytag.csv"]
    assert rows_of(out / "bytag.csv")[1][6] == "=SUM(E2,F2)"


def test_formulas_may_have_the_other_separator_or_give_way_to_values(tmp_path):
    write_small(tmp_path)
    arguments = [*folders(tmp_path), *CONTENT, "--csv_output_dir", str(tmp_path / "out")]
    assert mat.main([*arguments, "--oo_separator"]) == 0
    assert rows_of(tmp_path / "out" / "bytag.csv")[1][6] == "=SUM(E2;F2)"
    assert mat.main([*arguments, "--no_csv_formulas"]) == 0
    assert rows_of(tmp_path / "out" / "bytag.csv")[1][6] == "1"


def test_a_byte_order_mark_is_written_on_demand(tmp_path):
    write_small(tmp_path)
    arguments = [*folders(tmp_path), *CONTENT, "--details", "--csv_output_dir", str(tmp_path)]
    for extra, start in (([], b"file,"), (["--csv_bom"], b"\xef\xbb\xbffile,")):
        assert mat.main([*arguments, *extra]) == 0
        assert (tmp_path / "details.csv").read_bytes().startswith(start)


def test_an_output_folder_that_cannot_be_made_ends_with_status_2(command, tmp_path):
    (tmp_path / "taken").write_text("")
    assert "taken" in command(2, *CONTENT, "--csv_output_dir", str(tmp_path / "taken")).err


def test_confidence_data_follow_from_the_seed(tmp_path):
    write_several(tmp_path)
    arguments = [*folders(tmp_path), *CONTENT, "--by_token", "--compute_confidence_data", "--csv_output_dir"]
    written = {}
    for name, seed in (("first", ["--seed", "1"]), ("again", ["--seed", "1"]), ("other", ["--seed", "2"]), ("own", [])):
        assert mat.main([*arguments, str(tmp_path / name), *seed]) == 0
        written[name] = [(tmp_path / name / file).read_bytes() for file in ("bytag.csv", "bytoken.csv")]
    assert written["first"] == written["again"]
    assert written["first"] != written["other"]
    assert written["first"] != written["own"]
    header, first, *_ = rows_of(tmp_path / "first" / "bytag.csv")
    assert header[12:16] == ["precision", "precision_mean", "precision_variance", "precision_stddev"]
    assert first[12].startswith("=IF(")
    assert float(first[15]) == pytest.approx(float(first[14]) ** 0.5)


def test_without_a_token_table_its_block_is_left_out_with_a_warning(tmp_path, capsys):
    write_inputs(
        tmp_path,
        {"gold": {"a.json": document("Ann met Bo", PER=[[0, 3]])}, "system": {"a.json": document("Ann met Bo")}},
    )
    assert mat.main([*folders(tmp_path), *CONTENT, "--by_token", "--details"]) == 0
    printed = capsys.readouterr()
    assert "By token:" not in printed.out
    assert "\n\nDetails:\n\n" in printed.out
    assert "warning: " in printed.err
    assert mat.main([*folders(tmp_path), *CONTENT, "--by_token", "--csv_output_dir", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["bytag.csv"]


def test_the_hypotheses_tokens_count_unless_others_are_asked_for(tmp_path, capsys):
    signal, gold_tokens, system_tokens = "Ann met Bo", [[0, 3], [4, 7], [8, 10]], [[0, 3], [8, 10]]
    write_inputs(
        tmp_path,
        {
            "gold": {"a.json": document(signal, PER=[[0, 3]], lex=gold_tokens)},
            "system": {"a.json": document(signal, PER=[[0, 3]], lex=system_tokens)},
        },
    )
    for tokens, number in (([], 2), (["--tokens", "system"], 2), (["--tokens", "gold"], 3)):
        assert mat.main([*folders(tmp_path), *CONTENT, *tokens]) == 0
        printed = capsys.readouterr()
        assert re.search(rf"^<all> +1 +{number} ", printed.out, re.MULTILINE)
        assert ("tokens" in printed.err) == (number == 2)
    assert mat.main([*folders(tmp_path), *CONTENT, "--tokens", "equal"]) == 1
    assert "a.json: tokens differ from gold" in capsys.readouterr().err


def test_equal_tokens_give_no_warning(command):
    assert command(0, *CONTENT).err == ""


def test_the_later_pairing_keeps_duplicates(tmp_path, capsys):
    twice = document("Ann met Bo", PER=[[0, 3], [0, 3]])
    write_inputs(tmp_path, {"gold": {"a.json": twice}, "system": {"a.json": twice}})
    for pairing, number in (("1.2", 1), ("2.x", 2)):
        assert mat.main([*folders(tmp_path), *CONTENT, "--pairing", pairing]) == 0
        assert re.search(rf"^<all> +1 +0 +{number} ", capsys.readouterr().out, re.MULTILINE)


def test_a_task_is_looked_for_here_then_one_folder_below(monkeypatch, command, tmp_path):
    monkeypatch.chdir(tmp_path)
    for folder, content in (("b", TASK), ("a", TASK.replace("Places", "Others")), (".c", TASK), ("d/e", TASK)):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "task.xml").write_text(content)
    assert "PER" not in command(0, "--task", "Places").out
    (tmp_path / "b" / "task.xml").unlink()
    assert "Places" in command(2, "--task", "Places").err
    (tmp_path / "task.xml").write_text("no XML")
    assert "PER" in command(0, "--task", "Names").out
    (tmp_path / "task.xml").write_text(TASK.replace('<tag name="PER"/>', '<tag name="PER" category="zone"/>'))
    assert "PER" not in command(0, "--task", "Names").out


@pytest.mark.parametrize("where", ["tasks", "tasks/task.xml"])
def test_a_named_task_file_is_not_looked_for(where, monkeypatch, command, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "task.xml").write_text(TASK)
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "task.xml").write_text(TASK.replace("Names", "Other"))
    command(0, "--task", "Other", "--task_file", where)
    command(2, "--task", "Names", "--task_file", where)


def test_lists_of_annotations_are_ignored_with_a_task(monkeypatch, command, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "task.xml").write_text(TASK)
    arguments = ["--task", "Places", "--content_annotations", "PER", "--token_annotations", "x"]
    printed = command(0, *arguments)
    assert "PER" not in printed.out
    assert "warning: --content_annotations is ignored" in printed.err
    assert "warning: --token_annotations is ignored" in printed.err


def folders(parent):
    return ["--dir", str(parent / "system"), "--ref_dir", str(parent / "gold")]


def write_small(parent):
    signal, tokens = "Zoë Müller met Bo", [[0, 3], [4, 10], [11, 14], [15, 17]]
    gold = document(signal, PER=[[0, 10]], LOC=[[15, 17]], lex=tokens)
    system = document(signal, PER=[[0, 10], [15, 17]], lex=tokens)
    write_inputs(parent, {"gold": {"a.json": gold}, "system": {"a.json": system}})


def write_several(parent):
    signal, tokens = "Ann met Bo", [[0, 3], [4, 7], [8, 10]]
    gold = document(signal, PER=[[0, 3]], LOC=[[8, 10]], lex=tokens)
    systems = [[[0, 3]], [[8, 10]], [[0, 3], [4, 7]], [], [[0, 7]]]
    names = [f"{number}.json" for number in range(len(systems))]
    found = [document(signal, PER=spans, lex=tokens) for spans in systems]
    write_inputs(parent, {"gold": dict.fromkeys(names, gold), "system": dict(zip(names, found, strict=True))})


def document(signal, **annotations):
    sets = [{"type": name, "attrs": [], "annots": spans} for name, spans in annotations.items()]
    return json.dumps({"version": 2, "signal": signal, "asets": sets})


def write_inputs(parent, inputs):
    for side in ("gold", "system"):
        (parent / side).mkdir()
        for name, content in inputs[side].items():
            (parent / side / name).write_bytes(as_bytes(content))
    if "task.xml" in inputs:
        (parent / "task.xml").write_bytes(as_bytes(inputs["task.xml"]))


def as_bytes(content):
    if isinstance(content, str):
        return content.encode()
    return base64.b64decode(content["base64"]) if "base64" in content else json.dumps(content).encode()


def rows_of(path):
    return [*csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline=""))]
