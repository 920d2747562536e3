import io
import json
import re
import subprocess
import sys

import pytest

from scoring.commands import scorch
from tests.scoring.coreference_cases import REFERENCE, cases_of, write_side

CASES = {case["id"]: case for case in cases_of(REFERENCE / "json.jsonl") if "scorch_stdout" in case}
NUMBER = re.compile(r"(?<=[= ])[0-9][0-9.e-]*(?=[\t\n])")
GOLD = {"type": "clusters", "clusters": {"0": ["a", "b", "c"], "1": ["d"]}}
SYSTEM = {"type": "clusters", "clusters": {"0": ["a", "b"], "1": ["d"]}}
PRINTED = """\
MUC:\tR=0.5\tP=1.0\tF₁=0.6666666666666666
B³:\tR=0.5833333333333333\tP=1.0\tF₁=0.7368421052631579
CEAF_m:\tR=0.75\tP=1.0\tF₁=0.8571428571428572
CEAF_e:\tR=0.9\tP=0.9\tF₁=0.8999999999999999
BLANC:\tR=0.5\tP=1.0\tF₁=0.65
CoNLL-2012 average score: 0.7678362573099414
"""


@pytest.mark.parametrize("name", CASES)
def test_the_printed_text_is_that_of_scorch(name, tmp_path, capsys):
    gold, system = (write_side(tmp_path / side, CASES[name][side]) for side in ("gold", "system"))
    assert scorch.main([str(gold), str(system)]) == 0
    printed, expected = capsys.readouterr().out, CASES[name]["scorch_stdout"]
    numbers, wanted = NUMBER.findall(printed), NUMBER.findall(expected)
    assert NUMBER.sub("#", printed) == NUMBER.sub("#", expected)
    assert len(numbers) == 16
    assert [number for number in numbers if number in ("0", "0.0")] == [n for n in wanted if n in ("0", "0.0")]
    assert list(map(float, numbers)) == pytest.approx(list(map(float, wanted)), abs=1e-12)


def test_two_files_are_scored_whatever_their_names(tmp_path, capsys):
    gold, system = write_pair(tmp_path)
    assert scorch.main([gold, system]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (PRINTED, "")


def test_the_package_hands_over_to_the_command_without_numpy(tmp_path):
    gold, system = write_pair(tmp_path)
    program = (
        "import sys, scoring.__main__ as main; status = main.main(sys.argv[1:]);"
        "sys.exit(status or 'numpy' in sys.modules or 'scipy' in sys.modules)"
    )
    finished = subprocess.run([sys.executable, "-c", program, "scorch", gold, system], capture_output=True, check=True)
    assert finished.stdout.decode() == PRINTED
    finished = subprocess.run(
        [sys.executable, "-m", "scoring", "scorch", gold, system], capture_output=True, check=True
    )
    assert finished.stdout.decode() == PRINTED


@pytest.mark.parametrize("place", [0, 1])
def test_a_side_may_come_from_the_standard_input(place, tmp_path, capsys, monkeypatch):
    paths = list(write_pair(tmp_path))
    with open(paths[place], "rb") as content:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.read())))
    paths[place] = "-"
    assert scorch.main(paths) == 0
    assert capsys.readouterr().out == PRINTED


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_a_file_may_be_written_and_begin_with_a_byte_order_mark(bom, tmp_path, capsys):
    gold, system = write_pair(tmp_path)
    with open(gold, "rb") as file:
        content = file.read()
    with open(gold, "wb") as file:
        file.write(bom + content)
    assert scorch.main([gold, system, str(tmp_path / "out.txt")]) == 0
    assert (tmp_path / "out.txt").read_bytes() == PRINTED.encode()
    assert capsys.readouterr().out == ""


def test_a_refusal_leaves_an_older_output_as_it_was(tmp_path, capsys):
    gold, system = write_pair(tmp_path)
    (tmp_path / "out.txt").write_text("older")
    (tmp_path / "system.json").write_text("{")
    assert scorch.main([gold, system, str(tmp_path / "out.txt")]) == 1
    assert (tmp_path / "out.txt").read_text() == "older"
    assert capsys.readouterr().err.startswith(f"{system}:1:2: not JSON")


def test_documents_of_folders_pair_by_exact_names_and_gold_ones_may_be_left_out(tmp_path, capsys):
    gold = write_folder(tmp_path / "gold", {"d1.json": GOLD, "d10.json": SYSTEM, "d1.part.json": SYSTEM})
    system = write_folder(tmp_path / "system", {"d1.txt": SYSTEM})
    assert scorch.main([gold, system]) == 0
    printed = capsys.readouterr()
    assert printed.out == PRINTED
    assert "left out: d1.part, d10" in printed.err


def test_a_flood_of_invented_mentions_is_told(tmp_path, capsys):
    gold, system = write_pair(tmp_path)
    flood = {"type": "clusters", "clusters": {str(number): [f"invented {number}"] for number in range(9)}}
    (tmp_path / "system.json").write_text(json.dumps(flood))
    assert scorch.main([gold, system]) == 0
    assert "9 singletons were added to 4 mentions of the gold" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        ({"a.json": GOLD}, {"a.json": GOLD, "b.json": GOLD}, 'system/b.json: document "b" is not in the gold'),
        ({"a.json": GOLD}, {"a.json": GOLD, "a.txt": GOLD}, 'system/a.txt: document "a" twice (also in a.json)'),
        ({"a.json": GOLD}, {"a.json": GOLD, "b/c.json": GOLD}, "system/b/c.json: folder inside the submission"),
        ({"a.json": []}, {"a.json": GOLD}, "gold/a.json: the top level must be an object"),
        ({"a.json": {"type": "clusters", "clusters": {"0": "ab"}}}, {"a.json": GOLD}, 'cluster "0" must be a list'),
        ({"a.json": "#begin document (a);\n#end document\n"}, {"a.json": GOLD}, "gold/a.json:1:1: not JSON"),
        ({}, {"a.json": GOLD}, "gold"),
    ],
)
def test_what_scorch_takes_or_fails_on_is_refused(gold, system, message, tmp_path, capsys):
    assert scorch.main([write_folder(tmp_path / "gold", gold), write_folder(tmp_path / "system", system)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err


def test_a_folder_and_a_file_do_not_go_together(tmp_path, capsys):
    gold, _ = write_pair(tmp_path)
    assert scorch.main([gold, str(tmp_path)]) == 1
    assert "two files or two folders" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [[], ["a"], ["a", "b", "c", "d"], ["-", "-"], ["--fast", "a", "b"]])
def test_wrong_usage_ends_with_status_1_and_the_usage(argv, capsys):
    assert scorch.main(argv) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("usage: python -m scoring scorch GOLD SYS [OUT]")


def test_what_does_not_exist_or_cannot_be_written_ends_with_status_1(tmp_path, capsys):
    gold, system = write_pair(tmp_path)
    assert scorch.main([gold, str(tmp_path / "absent.json")]) == 1
    assert "absent.json: cannot be read" in capsys.readouterr().err
    assert scorch.main([gold, system, str(tmp_path / "absent" / "out")]) == 1
    printed = capsys.readouterr()
    assert (printed.out, "cannot be written" in printed.err) == ("", True)


def test_help_is_the_usage(capsys):
    assert scorch.main(["--help"]) == 0
    assert "GOLD SYS [OUT]" in capsys.readouterr().out


def write_pair(folder):
    for name, value in (("gold", GOLD), ("system", SYSTEM)):
        (folder / f"{name}.json").write_text(json.dumps(value))
    return str(folder / "gold.json"), str(folder / "system.json")


def write_folder(folder, files):
    return str(write_side(folder, {"files": files}))
