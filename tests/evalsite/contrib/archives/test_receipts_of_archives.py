"""Tests that `verify` says of which runs receipts prove something, and names every run of which they prove nothing."""

import json
import time
import zipfile

import pytest

from evalsite.challenges.models import Phase
from scoring.cli.main import main
from tests.evalsite.contrib.archives.finished import changed, make_finished, members_of, rewritten, write

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def written() -> list[bytes]:
    return []


@pytest.fixture
def archive(written, request, tmp_path):
    """Return a copy of one archive: it is written for the first who asks."""
    path = tmp_path / "wood.zip"
    if not written:
        task = make_finished(request.getfixturevalue("olga"))
        written.append(write(task, path).read_bytes())
    path.write_bytes(written[0])
    return path


@pytest.fixture
def forge(archive, tmp_path):
    def forged(members: dict[str, bytes]):
        return rewritten(archive, members, tmp_path / "forged.zip")

    return forged


def verified(capsys, path) -> tuple[int, dict, str]:
    """Return exit status, report and text."""
    status = main(["verify", str(path), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert main(["verify", str(path)]) == status
    return status, report, capsys.readouterr().out


def without_line(content: bytes, place: int) -> bytes:
    lines = content.splitlines(keepends=True)
    return b"".join(lines[:place] + lines[place + 1 :])


def test_the_first_line_says_how_many_runs_have_receipts(archive, capsys):
    status, report, text = verified(capsys, archive)
    assert text.startswith("7 of 7 runs have receipts; ")
    assert (status, report["n_receipts"], report["n_runs"]) == (0, 7, 7)
    assert (report["n_links"], report["n_other_links"]) == (7, 0)
    assert "Of 7 links of the chain, 0 belong to no receipt here." in text
    assert text.endswith("Nothing differs.\n")


def test_a_run_that_was_put_back_in_time_without_its_receipt_is_not_verified(archive, forge, capsys):
    members = members_of(archive)
    before = json.loads(members["archive.json"])["runs"][0]["arrived"]
    earlier = before.replace("20", "19", 1)
    for name in [name for name in members if name == "archive.json" or name.startswith("boards/")]:
        members[name] = members[name].replace(before.encode(), earlier.encode())
    members["receipts.txt"] = without_line(members["receipts.txt"], 0)
    status, report, text = verified(capsys, forge(members))
    assert status == 1
    assert (report["problems"], report["differences"]) == ([], []), "all of it is consistent"
    reason = "run 1 (Team Ada): it has no receipt, so nothing shows that it was uploaded, and when"
    assert report["skipped"] == [reason]
    assert text.startswith("6 of 7 runs have receipts; ")
    assert f"Not verified (1):\n  {reason}" in text
    assert "Of 7 links of the chain, 1 belongs to no receipt here." in text
    assert text.endswith("Nothing differs of what was verified.\n")


def test_a_run_that_nobody_uploaded_is_not_verified(archive, forge, capsys):
    members = members_of(archive)
    contents = json.loads(members["archive.json"])
    copied = contents["runs"][1] | {"number": 8, "run": "8d2c6a52-0000-4000-8000-000000000000", "team": "Team Dot"}
    evaluations = [each | {"run": 8} for each in contents["evaluations"] if each["run"] == 2]
    contents["runs"].append(copied)
    contents["evaluations"] += evaluations
    status, report, text = verified(capsys, forge(members | {"archive.json": json.dumps(contents).encode()}))
    assert status == 1
    assert [line.partition(":")[0] for line in report["skipped"]] == ["run 8 (Team Dot)"]
    assert text.startswith("7 of 8 runs have receipts; ")


def test_an_archive_without_receipts_is_not_verified(archive, forge, capsys):
    members = members_of(archive)
    bare = changed(members, "archive.json", lambda found: found.update(receipts=None))
    status, report, text = verified(capsys, forge(bare))
    assert status == 1
    assert len(report["skipped"]) == 6
    assert report["without_receipts"] == ["1 references, which are the organisers' own runs"]
    assert text.startswith("0 of 7 runs have receipts; ")


def test_two_runs_cannot_stand_behind_one_receipt(archive, forge, capsys):
    members = members_of(archive)

    def refused(change) -> str:
        assert main(["verify", str(forge(changed(members, "archive.json", change)))]) == 2
        return capsys.readouterr().err

    same_id = refused(lambda found: found["runs"][2].update(run=found["runs"][1]["run"]))
    assert "runs[2]: run 3, " in same_id
    assert "stands twice" in same_id
    assert "runs[2]: run 2, " in refused(lambda found: found["runs"][2].update(number=2))
    doubled = members | {"receipts.txt": members["receipts.txt"] + members["receipts.txt"].splitlines(True)[0]}
    status, report, _ = verified(capsys, forge(doubled))
    assert status == 1
    assert report["problems"] == ["receipts.txt:8: run 1 has another receipt"]


def test_lines_that_are_no_receipts_are_named(archive, forge, capsys):
    members = members_of(archive)
    lines = [b"[" * 100_000, b'{"number": [], "run": "x"}', b'{"number": 1, "run": {}}', b"7" * 5000, b"\xff", b"[]"]
    odd = members | {"receipts.txt": members["receipts.txt"] + b"\n".join(lines)}
    status, report, _ = verified(capsys, forge(odd))
    assert status == 1
    assert report["problems"] == [f"receipts.txt:{line}: it is no receipt" for line in range(8, 14)]


def test_a_phase_whose_receipts_would_tell_who_its_teams_are_is_excepted_with_the_reason(olga, tmp_path, capsys):
    task = make_finished(olga)
    Phase.objects.update(is_anonymous=True)
    status, report, text = verified(capsys, write(task, tmp_path / "hidden.zip"))
    assert (status, report["skipped"], report["n_receipts"]) == (0, [], 0)
    assert text.startswith("0 of 7 runs have receipts; ")
    slug = task.phases.get().slug
    assert f"  6 runs of phase {slug}, where receipts would tell whose run is whose\n" in text
    assert text.endswith("Nothing differs. Of 7 runs nothing shows that they were uploaded, and when.\n")
    status, report, _ = verified(capsys, write(task, tmp_path / "all.zip", shows_all=True))
    assert (status, report["n_receipts"]) == (0, 7)
    # Archives of former versions say only whether teams were named.
    members = members_of(tmp_path / "hidden.zip")
    older = changed(members, "archive.json", lambda found: [each.pop("has_receipts") for each in found["phases"]])
    assert verified(capsys, rewritten(tmp_path / "hidden.zip", older, tmp_path / "older.zip"))[0] == 0


@pytest.mark.parametrize("engine", ["²", "7" * 5000, "1." * 5000, "", "1.2\x1b[2J"])
def test_an_engine_that_is_no_version_is_refused_in_words(archive, forge, capsys, engine):
    odd = changed(members_of(archive), "archive.json", lambda found: found.update(engine=engine))
    assert main(["verify", str(forge(odd))]) == 2
    said = capsys.readouterr().err
    assert said.startswith("archive.json: engine: expected a version such as 1.2.0, found ")
    assert len(said) < 200


def test_a_number_of_five_thousand_digits_is_refused_in_words(archive, forge, capsys):
    members = members_of(archive)
    many = members["archive.json"].replace(b'"number": 1', b'"number": ' + b"7" * 5000, 1)
    assert main(["verify", str(forge(members | {"archive.json": many}))]) == 2
    assert "archive.json: no JSON: " in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_stands_twice_is_named_at_once_among_many(tmp_path, capsys):
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(20_000):
            archive.writestr(f"{number}", b"")
        archive.writestr("19999", b"")
    before = time.process_time()
    assert main(["verify", str(path)]) == 2
    assert time.process_time() - before < 5
    assert "19999 is in it twice" in capsys.readouterr().err


def test_a_name_in_an_archive_neither_steers_the_terminal_nor_adds_a_line(archive, forge, capsys):
    name = "\x1b[2J\x1b]0;x\x07\x9b\u202e\nNothing differs."
    members = members_of(archive)
    for board in [each for each in members if each.startswith("boards/")]:
        members = changed(members, board, lambda found: [each.update(team=name, rank=9) for each in found["entries"]])
    members = changed(members, "archive.json", lambda found: found.update(receipts=None))
    members = changed(members, "archive.json", lambda found: [each.update(team=name) for each in found["runs"]])
    status, report, text = verified(capsys, forge(members))
    assert (status, bool(report["differences"])) == (1, True)
    assert [sign for sign in text if not sign.isprintable() and sign != "\n"] == []
    assert "Nothing differs." not in text.splitlines()
    assert "\\u001b[2J" in text
