"""Tests archives of finished tasks: what is in them, and that `verify` computes all of it again and finds forgeries."""

import json
import random
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from evalsite.challenges.models import Phase
from scoring.cli.main import main
from tests.evalsite.contrib.archives.finished import DIGESTS, changed, make_finished, members_of, rewritten, write
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, run_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(olga):
    return make_finished(olga)


@pytest.fixture(scope="module")
def written() -> list[bytes]:
    return []


@pytest.fixture
def archive(written, request, tmp_path):
    """Return a copy of the task's archive: the task is made and its archive written for the first who asks."""
    path = tmp_path / "wood.zip"
    if not written:
        written.append(write(request.getfixturevalue("task"), path).read_bytes())
    path.write_bytes(written[0])
    return path


def verified(capsys, path, *arguments: str) -> tuple[int, dict]:
    status = main(["verify", str(path), "--format", "json", *arguments])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else {"said": err}


def test_all_figures_of_an_archive_are_computed_again_and_none_differs(archive, capsys):
    status, report = verified(capsys, archive)
    assert (report["problems"], report["differences"], report["skipped"]) == ([], [], [])
    assert status == 0
    assert report["n_runs"] == 7, "the trial is the organisers' alone"
    assert report["n_evaluations"] == 7
    assert report["n_boards"] >= 3
    assert report["n_figures"] > 500
    assert len(report["heads"]) == 1
    assert main(["verify", str(archive)]) == 0
    assert "Nothing differs." in capsys.readouterr().out


@pytest.mark.thorough
def test_tables_of_single_items_which_a_site_does_not_store_are_no_difference(olga, team, tmp_path, capsys):
    phase = make_phase(make_task("phrases", olga))
    make_gold(phase, make_scenario(phase.task))
    make_run(phase, team)
    make_run(phase, team, run_files())
    path = write(phase.task, tmp_path / "phrases.zip")
    status, report = verified(capsys, path)
    assert (status, report["problems"], report["differences"], report["n_evaluations"]) == (0, [], [], 2)


def test_the_archive_has_runs_as_uploaded_evaluations_boards_teams_and_receipts_and_no_addresses(archive):
    members = members_of(archive)
    contents = json.loads(members["archive.json"])
    assert contents["task"] == {"slug": "wood", "title": "Task wood"}
    assert [run["team"] for run in contents["runs"]] == [
        *("Team Ada", "Team Ada", "Team Bo", "Team Bo", "Team Cleo", "Team Cleo"),
        "",
    ]
    assert all(run["file"] in members for run in contents["runs"])
    board = json.loads(members[contents["boards"][-1]["file"]])
    assert board["is_final"]
    assert "Team Ada" in board["sentence"]
    assert len(members["receipts.txt"].splitlines()) == 7
    assert "task.yaml" in members, "it is also a bundle"
    everything = b"".join(content for name, content in members.items() if not name.endswith(".zip"))
    assert b"example.org" not in everything


@pytest.mark.thorough
def test_where_teams_are_not_named_neither_names_nor_times_nor_receipts_tell_who_they_are(task, tmp_path, capsys):
    Phase.objects.update(is_anonymous=True)
    path = write(task, tmp_path / "hidden.zip")
    texts = b"".join(content for name, content in members_of(path).items() if name.endswith((".json", ".txt")))
    assert b"Team Ada" not in texts
    assert re.search(rb"Team \d", texts)
    run = task.phases.get().submissions.exclude(reference="trial").first()
    assert run.created.isoformat().encode() not in texts
    assert str(run.team_id).encode() not in texts
    status, report = verified(capsys, path)
    assert (status, report["problems"], report["differences"]) == (0, [], [])
    told = members_of(write(task, tmp_path / "all.zip", shows_all=True))
    assert b"Team Ada" in told["archive.json"]


def figures_in(members: dict[str, bytes]) -> list[tuple[str, re.Match[bytes]]]:
    """Return the digits of all stored figures: numbers with a fraction in evaluations and boards."""
    found = []
    for name, content in members.items():
        if name.startswith(("evaluations/", "boards/")):
            found += [(name, each) for each in re.finditer(rb"-?\d+\.\d+(e-?\d+)?(?=[,\s\]}])", content)]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_one_digit_that_was_changed_anywhere_is_found_and_named(archive, tmp_path, capsys, seed):
    """Also where the forger has computed all digests anew, so that only computing the figure again can find it."""
    members = members_of(archive)
    rng = random.Random(seed)
    name, figure = rng.choice(figures_in(members))
    at = rng.choice([figure.start() + k for k, sign in enumerate(figure[0]) if chr(sign).isdigit() and k])
    digit = str((int(chr(members[name][at])) + rng.randint(1, 9)) % 10).encode()
    content = members[name][:at] + digit + members[name][at + 1 :]
    forged = rewritten(archive, members | {name: content}, tmp_path / "forged.zip")
    status, report = verified(capsys, forged)
    if float(content[figure.start() : figure.end()]) == float(figure[0]):
        assert status == 0, "the digit is beyond what a number holds"
        return
    assert status == 1
    assert any(each["file"] == name for each in report["differences"]), report
    plain = rewritten(archive, members | {name: content}, tmp_path / "plain.zip", with_digests=False)
    assert any(line.startswith(f"{name}: its SHA-256") for line in verified(capsys, plain)[1]["problems"])


def _entry(value):
    return value["entries"][0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("field", "value"),
    [("rank", 2), ("rank_low", 3), ("rank_high", 1), ("group", "b"), ("date", "2001-01-01"), ("identical_to", "x")],
)
def test_a_place_a_range_or_a_group_that_was_changed_is_named_with_entry_and_values(
    archive, tmp_path, capsys, field, value
):
    members = members_of(archive)
    name = json.loads(members["archive.json"])["boards"][-1]["file"]
    before = _entry(json.loads(members[name]))[field]
    value = value if value != before else 9
    forged = changed(members, name, lambda board: _entry(board).update({field: value}))
    status, report = verified(capsys, rewritten(archive, forged, tmp_path / "forged.zip"))
    assert status == 1
    about = {(each["name"], each["stored"], each["recomputed"]) for each in report["differences"]}
    assert (field, value, before) in about


def test_a_run_that_was_exchanged_is_found_by_its_digest_its_receipt_and_its_scores(archive, tmp_path, capsys):
    members = members_of(archive)
    first, _, third = json.loads(members["archive.json"])["runs"][:3]
    forged = members | {first["file"]: members[third["file"]]}
    status, report = verified(capsys, rewritten(archive, forged, tmp_path / "swapped.zip"))
    assert status == 1
    assert f"{first['file']}: its SHA-256 is {third['sha256']}" in report["problems"][0]
    assert any(each["about"].startswith("run 1,") for each in report["differences"])
    honest = changed(forged, "archive.json", lambda found: found["runs"][0].update(sha256=third["sha256"]))
    status, report = verified(capsys, rewritten(archive, honest, tmp_path / "swapped.zip"))
    assert report["problems"] == [
        f"receipts.txt:1: sha256 of run 1: the receipt has '{first['sha256']}', archive.json '{third['sha256']}'"
    ]


@pytest.mark.thorough
def test_a_receipt_or_a_link_that_was_changed_is_found(archive, tmp_path, capsys):
    members = members_of(archive)
    lines = members["chain.txt"].splitlines(keepends=True)
    dropped = members | {"chain.txt": b"".join(lines[:2] + lines[3:])}
    status, report = verified(capsys, rewritten(archive, dropped, tmp_path / "forged.zip"))
    assert status == 1
    assert "chain.txt:3: link 4 follows link 2" in report["problems"]
    later = members["receipts.txt"].replace(b'"arrived":"20', b'"arrived":"19', 1)
    status, report = verified(capsys, rewritten(archive, members | {"receipts.txt": later}, tmp_path / "forged.zip"))
    assert "receipts.txt:1: the chain's link 1 is of another receipt" in report["problems"]


def test_broken_archives_are_refused_at_the_place(archive, tmp_path, capsys):
    members, path = members_of(archive), tmp_path / "broken.zip"

    def said(content: dict[str, bytes] | bytes, *arguments: str) -> str:
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            rewritten(archive, content, path)
        status, report = verified(capsys, path, *arguments)
        assert status == 2, report
        return report["said"]

    whole = archive.read_bytes()
    for share in (2, 3, 5, 9):
        assert "as if it had been cut short" in said(whole[: -len(whole) // share])
    assert "'../../etc/passwd' is no path inside the archive" in said(members | {"../../etc/passwd": b"x"})
    assert "'/etc/passwd' is no path" in said(members | {"/etc/passwd": b"x"})
    assert "GB are read (--limit)" in said(members, "--limit", "0.000001")
    newer = changed(members, "archive.json", lambda found: found.update(engine="99.1.0"))
    assert "archive.json: the archive was made by the engine 99.1.0" in said(newer)
    newer = changed(members, "archive.json", lambda found: found.update(evalsite_archive=2))
    assert "archive.json: the archive has the format 2" in said(newer)
    assert "archive.json: it is missing" in said({name: each for name, each in members.items() if "arch" not in name})
    assert "archive.json:1:2: no JSON" in said(members | {"archive.json": b"{x"})
    odd = changed(members, "archive.json", lambda found: found["runs"][2].update(bytes="many"))
    assert "archive.json: runs[2].bytes: expected a whole number, found 'many'" in said(odd)
    odd = changed(members, "archive.json", lambda found: found["evaluations"][0].update(run=99))
    assert "archive.json: evaluations[0].run: there is no run 99" in said(odd)
    assert "there is no such file" in _of_nothing(tmp_path, capsys)


def _of_nothing(tmp_path, capsys) -> str:
    return verified(capsys, tmp_path / "nothing.zip")[1]["said"]


@pytest.mark.thorough
def test_files_that_are_missing_unlisted_or_cut_are_named(archive, tmp_path, capsys):
    members = members_of(archive)
    evaluation = next(name for name in members if name.startswith("evaluations/"))
    less = {name: content for name, content in members.items() if name != evaluation}
    status, report = verified(capsys, rewritten(archive, less, tmp_path / "less.zip", with_digests=False))
    assert status == 1
    assert f"{evaluation}: {DIGESTS} lists it, and it is missing" in report["problems"]
    more = rewritten(archive, members | {"extra.txt": b"x"}, tmp_path / "more.zip", with_digests=False)
    assert f"extra.txt: {DIGESTS} does not list it" in verified(capsys, more)[1]["problems"]
    whole = bytearray(archive.read_bytes())
    with_upload = whole.index(b"uploads/1/")
    whole[with_upload + 60] ^= 0xFF
    (tmp_path / "flipped.zip").write_bytes(whole)
    assert any("uploads/1/" in line for line in verified(capsys, tmp_path / "flipped.zip")[1]["problems"])


def test_figures_of_an_older_engine_are_not_passed_off_as_verified(archive, tmp_path, capsys):
    def age(found):
        found["evaluations"][0]["engine"] = "0.9.0"

    older = changed(members_of(archive), "archive.json", age)
    status, report = verified(capsys, rewritten(archive, older, tmp_path / "older.zip"))
    assert status == 1
    assert any("by the engine 0.9.0: verify it with that one" in line for line in report["skipped"])


@pytest.mark.thorough
def test_rounding_of_another_processor_can_be_let_pass(archive, tmp_path, capsys):
    members = members_of(archive)
    name = next(name for name in members if name.startswith("evaluations/"))
    rounded = changed(members, name, lambda found: found.update(headline=found["headline"] * (1 + 4e-16)))
    path = rewritten(archive, rounded, tmp_path / "rounded.zip")
    assert main(["verify", str(path)]) == 1
    assert "as the rounding of another processor may" in capsys.readouterr().out
    assert main(["verify", str(path), "--tolerance", "1e-12"]) == 0
    assert "1 figures differ within the tolerance" in capsys.readouterr().out


@pytest.mark.thorough
def test_the_command_writes_an_archive_of_a_task_that_is_over_alone(task, tmp_path, capsys):
    path = tmp_path / "made.zip"
    call_command("archivetask", "wood", path)
    assert main(["verify", str(path)]) == 0
    with pytest.raises(CommandError, match="is there already"):
        call_command("archivetask", "wood", path)
    with pytest.raises(CommandError, match="There is no task tree"):
        call_command("archivetask", "tree", path)
    Phase.objects.update(closes=timezone.now() + timedelta(days=1))
    with pytest.raises(CommandError, match="The task is not over"):
        call_command("archivetask", "wood", tmp_path / "early.zip")
