"""A broken bundle is refused with file and line for everything that is wrong, and leaves nothing behind."""

import contextlib
import hashlib
import io
import zipfile
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command

from evalsite.challenges.models import Event, Task
from evalsite.contrib.bundles import storing
from evalsite.contrib.bundles.importing import import_bundle, opened
from evalsite.contrib.bundles.problems import BundleError
from evalsite.submissions.models import Submission
from tests.archives import zip_of
from tests.doubling import growth_of_time
from tests.factories import run_files
from tests.whole_task import picture

SETTINGS = """\
evalsite_bundle: 1
slug: hunt
title: Hunt
summary: Find them.
description: texts/description.md
pictures:
- {name: map.png, file: pictures/map.png}
scenarios:
- number: 1
  name: English
  family: ehealthkd
  options: {scenario: "1"}
phases:
- slug: test
  name: Test
  opens: 2026-09-01 00:00:00Z
  closes: 2026-09-15 12:00:00+02:00
  combined: {formula: mean(*.f1)}
  gold:
  - {scenario: 1, version: 1, file: gold/gold.zip}
  runs:
  - {reference: baseline, method: Rules, created: 2026-09-02 00:00:00Z, file: runs/run.zip, scenarios: [1]}
downloads:
- title: Input
  phase: test
  available_from: 2026-09-01 00:00:00Z
  file: data/input.txt
"""
LINES = {line: number for number, line in enumerate(SETTINGS.splitlines(), start=1)}


@pytest.fixture
def members() -> dict[str, bytes]:
    return {
        "task.yaml": SETTINGS.encode(),
        "texts/description.md": b"Find *them*.",
        "pictures/map.png": picture("map.png").read(),
        "gold/gold.zip": zip_of(run_files()),
        "runs/run.zip": zip_of(run_files(relations="")),
        "data/input.txt": b"Text.",
    }


@pytest.fixture
def attempt(olga, tmp_path):
    """Import an archive; return what is told of it, and look that nothing is left behind."""

    def import_it(archive: bytes) -> list[str]:
        path = tmp_path / "hunt.zip"
        path.write_bytes(archive)
        try:
            import_bundle(path, "hunt.zip", by=olga)
        except BundleError as error:
            assert not Task.objects.exists()
            assert not Submission.objects.exists()
            assert not Event.objects.exists()
            assert not [each for each in Path(site.MEDIA_ROOT).rglob("*") if each.is_file()]
            return list(map(str, error.problems))
        return []

    return import_it


def test_a_bundle_that_was_written_by_hand_is_taken(attempt, members):
    assert attempt(zip_of(members)) == []
    task = Task.objects.get()
    assert (task.description, task.phases.get().closes.isoformat()) == ("Find *them*.", "2026-09-15T10:00:00+00:00")


def test_a_bundle_may_be_packed_with_its_folder_and_what_systems_leave_in_it(attempt, members):
    packed = {f"hunt/{path}": content for path, content in members.items()}
    assert attempt(zip_of({**packed, "__MACOSX/hunt/._task.yaml": b"x", "hunt/.DS_Store": b"x"})) == []


# What is replaced in the settings, by what, and what is told, with "@" for the line of the replaced text.
WRONG_SETTINGS = {
    "an unknown key": ("summary:", "sumary:", ["task.yaml:@: Unknown key sumary. Did you mean summary?"]),
    "an impossible date": (
        "opens: 2026-09-01 00:00:00Z",
        "opens: 2026-02-31 00:00:00Z",
        ["task.yaml:@: opens: There is no such time: “2026-02-31 00:00:00Z”."],
    ),
    "a time without a zone": (
        "2026-09-15 12:00:00+02:00",
        "2026-09-15 12:00:00",
        ["task.yaml:@: closes: A time with its zone is needed"],
    ),
    "a phase that closes before it opens": (
        "2026-09-15 12:00:00+02:00",
        "2026-08-15 12:00:00Z",
        ["task.yaml:@: The phase has to close after it opens."],
    ),
    "an unknown family": (
        "family: ehealthkd",
        "family: ehealth",
        ["task.yaml:@: family: Value 'ehealth' is not a valid choice.", "This family is unknown."],
    ),
    "an unknown option": (
        '{scenario: "1"}',
        '{scenari: "1"}',
        ["task.yaml:@: Unknown option 'scenari'. The options are"],
    ),
    "a value that an option has not": ('{scenario: "1"}', '{scenario: "9"}', ["task.yaml:@: "]),
    "a text where a number is needed": (
        "number: 1",
        "number: one",
        ["task.yaml:@: number: A whole number is needed, not “one”."],
    ),
    "a list where a value is needed": (
        "title: Hunt",
        "title: [Hunt]",
        ["task.yaml:@: title: One value is needed, not a list."],
    ),
    "a key that is there twice": (
        "slug: hunt\n",
        "slug: hunt\nslug: hunt\n",
        ["task.yaml:3: The key slug is there already, in line 2."],
    ),
    "a missing key": ("summary: Find them.\n", "", ["task.yaml:1: The key summary is missing."]),
    "a missing file": (
        "texts/description.md",
        "texts/other.md",
        ["task.yaml:@: There is no file “texts/other.md” in the archive."],
    ),
    "a path upwards": (
        "data/input.txt",
        "../../etc/passwd",
        ["task.yaml:@: There is no file “../../etc/passwd” in the archive."],
    ),
    "an unknown scenario": (
        "{scenario: 1, version",
        "{scenario: 2, version",
        ["task.yaml:@: There is no “2” here. Known are: 1."],
    ),
    "an unknown phase": ("phase: test", "phase: tset", ["task.yaml:@: There is no “tset” here. Known are: test."]),
    "a version of gold that is there twice": (
        "  - {scenario: 1, version: 1, file: gold/gold.zip}",
        "  - {scenario: 1, version: 1, file: gold/gold.zip}\n  - {scenario: 1, version: 1, file: gold/gold.zip}",
        ["task.yaml:21: Version 1 of the gold of scenario 1 is there twice."],
    ),
    "two candidates": (
        "  - {scenario: 1, version: 1, file: gold/gold.zip}",
        "  - {scenario: 1, version: 1, file: gold/gold.zip}\n"
        "  - {scenario: 1, version: 2, state: candidate, file: gold/gold.zip}\n"
        "  - {scenario: 1, version: 3, state: candidate, file: gold/gold.zip}",
        ["task.yaml:22: A scenario has one candidate in a phase, and this is a second one."],
    ),
    "an alias": ("title: Hunt", "title: &a Hunt", ["task.yaml:@: Anchors (&) and aliases (*) are not taken"]),
    "a tag": ("title: Hunt", "title: !!python/name:os.system Hunt", ["task.yaml:@: Tags (!) are not taken"]),
    "a tag of a list": ("options: {", "options: !!set {", ["task.yaml:@: Tags (!) are not taken"]),
    "a character that cannot be stored": (
        "title: Hunt",
        'title: "Hu\\0nt"',
        ["task.yaml:@: The value has a character that cannot be stored."],
    ),
    "no YAML": ("title: Hunt", "title: {Hunt", ["task.yaml:4: This is not YAML"]),
    "another version": (
        "evalsite_bundle: 1",
        "evalsite_bundle: 2",
        ["task.yaml:@: This site reads bundles of version 1, not “2”."],
    ),
    "an infinite option": ('{scenario: "1"}', "{scenario: .inf}", ["task.yaml:@: A number has to be finite."]),
    "an unknown zone": (
        "summary: Find",
        "zone: Mars/Base\nsummary: Find",
        ["task.yaml:@: There is no time zone Mars/Base."],
    ),
    "a formula of unknown scores": ("mean(*.f1)", "mean(*.f9)", ["task.yaml:@: "]),
    "a run that is none of the organisers": (
        "reference: baseline",
        'reference: ""',
        ["The reference of a run is baseline or human."],
    ),
    "a run without scenarios": (
        "scenarios: [1]}",
        "scenarios: []}",
        ["The scenarios that the run enters are missing."],
    ),
    "an address that the site needs": (
        "slug: test",
        "slug: new",
        ["task.yaml:@: The site needs the address new itself.", "There is no “test” here. Known are: new."],
    ),
    "closings that are none": (
        "  name: Test",
        "  name: Test\n  former_closings: [1]",
        ["task.yaml:16: A list of pairs of times is needed"],
    ),
    "questions that are none": (
        "summary: Find them.",
        "summary: Find them.\nentry_rules: {questions: [{key: a}]}",
        ["task.yaml:5: questions: A list of fields is needed"],
    ),
}


@pytest.mark.parametrize("what", WRONG_SETTINGS)
def test_settings_are_refused_with_line_for(what, attempt, members):
    before, after, told = WRONG_SETTINGS[what]
    assert before in SETTINGS
    line = SETTINGS[: SETTINGS.index(before)].count("\n") + 1
    members["task.yaml"] = SETTINGS.replace(before, after, 1).encode()
    problems = attempt(zip_of(members))
    for each in told:
        assert any(each.replace("@", str(line)) in problem for problem in problems), problems


def test_two_phases_of_one_address_are_refused(attempt, members):
    second = "- {slug: test, name: Again, opens: 2026-10-01 00:00:00Z}\n"
    members["task.yaml"] = SETTINGS.replace("downloads:\n", f"{second}downloads:\n").encode()
    assert attempt(zip_of(members)) == ["task.yaml:23: slug test is there already, in line 14."]


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_lines(attempt, members):
    text = SETTINGS.replace("summary:", "sumary:").replace("number: 1", "number: x").replace("data/input", "data/out")
    members["task.yaml"] = text.encode()
    problems = attempt(zip_of(members))
    lines = [int(problem.split(":")[1]) for problem in problems]
    assert lines == sorted(lines)
    assert {1, 4, 9, 27} <= set(lines)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[" * 500 + b"]" * 500, "Lists and objects lie inside each other more than 16 deep."),
        (b"a: [" + b"1," * 60_000 + b"]", "The file has more than 50000 values."),
        (b"a: " + b"x" * 2**20, "The file has more than 1048576 bytes."),
        (b"a: \xff\n", "task.yaml:1: This is not UTF-8."),
        (b"a: 1\n---\nb: 1\n", "task.yaml:2: A second document begins here"),
        (b"- a\n", "An object of keys and values is needed."),
        (b"", "An object of keys and values is needed."),
        (b"a: &a [1]\nb: &b [*a, *a]\n", "Anchors (&) and aliases (*) are not taken"),
    ],
)
def test_settings_that_would_cost_much_are_refused_before_they_are_read(content, told, attempt, members):
    assert told in attempt(zip_of({**members, "task.yaml": content}))[0]


def test_of_very_many_problems_a_hundred_are_told(attempt, members):
    many = "".join(f"titel{number}: x\n" for number in range(5000))
    assert len(attempt(zip_of({**members, "task.yaml": f"{SETTINGS}{many}".encode()}))) == 100


def test_files_that_do_not_fit_are_told_at_the_line_that_names_them(attempt, members):
    gold = zip_of({"input_scenario1.txt": "x"})
    assert all(
        line.startswith(f"task.yaml:{LINES['  - {scenario: 1, version: 1, file: gold/gold.zip}']}: ")
        for line in attempt(zip_of({**members, "gold/gold.zip": gold}))
    )
    assert attempt(zip_of({**members, "gold/gold.zip": gold}))
    told = attempt(zip_of({**members, "pictures/map.png": b"<script>"}))
    assert told == ["task.yaml:7: This is not a PNG, JPEG or WebP picture, whatever its name says."]
    told = attempt(zip_of({**members, "texts/description.md": b"\xff"}))
    assert told == ["task.yaml:5: description: texts/description.md, line 1: this is not UTF-8."]
    told = attempt(zip_of({**members, "texts/description.md": b"x" * 60_000}))
    assert told == ["task.yaml:5: description: texts/description.md has more than 50000 characters."]


def digests(members: dict[str, bytes]) -> bytes:
    return "".join(f"{hashlib.sha256(each).hexdigest()}  {path}\n" for path, each in members.items()).encode()


def test_digests_are_checked_line_by_line(attempt, members):
    listed = {**members, "digests.sha256": digests(members)}
    assert attempt(zip_of({**listed, "data/input.txt": b"Other."}))[0].startswith(
        "digests.sha256:6: data/input.txt has been changed"
    )
    short = {path: each for path, each in listed.items() if path != "data/input.txt"}
    assert attempt(zip_of(short)) == ["digests.sha256:6: data/input.txt is not in the archive."]
    assert attempt(zip_of({**listed, "more.txt": b""})) == [
        "digests.sha256: more.txt is in the archive and not listed."
    ]
    odd = {**members, "digests.sha256": b"abc\n" + digests(members)}
    assert attempt(zip_of(odd)) == ["digests.sha256:1: A digest, two blanks and a path are needed."]
    assert attempt(zip_of(listed)) == []


def raw_zip(entries: list[tuple[str, bytes]], **fields) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, content in entries:
            member = zipfile.ZipInfo(path)
            for name, value in fields.items():
                setattr(member, name, value)
            archive.writestr(member, content)
    return stream.getvalue()


def test_archives_that_nobody_should_open_are_refused(attempt, members):
    entries = list(members.items())
    whole = zip_of(members)
    assert "unsafe path in archive: it has .." in attempt(raw_zip([*entries, ("../x", b"")]))[0]
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = raw_zip([*entries, ("data/input.txt", b"Other.")])
    assert attempt(twice) == ["data/input.txt: occurs 2 times in the archive: keep one"]
    assert "is a link" in attempt(raw_zip(entries, external_attr=0o120777 << 16))[0]
    encrypted = bytearray(whole)
    at = encrypted.index(b"PK\x01\x02")
    encrypted[at + 8] |= 1
    assert "is encrypted" in attempt(bytes(encrypted))[0]
    assert "damaged or cut off" in attempt(whole[: len(whole) // 2])[0]
    assert "damaged or cut off" in attempt(b"PK\x03\x04")[0]
    assert "no zip archive" in attempt(b"evalsite_bundle: 1")[0]
    assert "There is no task.yaml" in attempt(zip_of({"other.txt": b""}))[0]
    assert "inflates to more than" in attempt(zip_of({**members, "bomb": bytes(30 * 2**20)}))[0]
    damaged = bytearray(whole)
    damaged[damaged.index(b"data/input.txt") + len("data/input.txt") + 2] ^= 0xFF
    assert "is damaged in the archive" in attempt(bytes(damaged))[0]


def test_an_archive_of_too_many_members_is_refused_before_its_directory_is_read(attempt, monkeypatch):
    many = zip_of({"task.yaml": b"", **{f"{number:09d}{'x' * 500}": b"" for number in range(17_000)}})
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert "more than 20000 files" in attempt(many)[0]


@pytest.mark.parametrize("step", ["_check_combined", "_store_run", "_store_rows"])
def test_whatever_breaks_nothing_is_left_behind(step, attempt, members, monkeypatch, olga):
    def fail(*args, **kwargs):
        raise BundleError([])

    monkeypatch.setattr(storing, step, fail)
    attempt(zip_of(members))
    assert not Task.objects.exists()


def test_a_run_whose_import_fails_later_leaves_no_file(attempt, members, monkeypatch):
    def fail(*args, **kwargs):
        raise BundleError([])

    monkeypatch.setattr(storing, "after_commit", fail)
    attempt(zip_of(members))


def test_the_command_tells_each_problem_on_a_line(olga, members, tmp_path):
    members["task.yaml"] = SETTINGS.replace("summary:", "sumary:").encode()
    path = tmp_path / "hunt.zip"
    path.write_bytes(zip_of(members))
    with pytest.raises(CommandError, match=r"task.yaml:4: Unknown key sumary[^\n]*\nNothing was imported"):
        call_command("importtask", str(path), "--owner", olga.email)
    with pytest.raises(CommandError, match="no account nobody"):
        call_command("importtask", str(path), "--owner", "nobody@example.org")


REFERENCES = {
    "downloads that name their phases": lambda n: [
        "phases:",
        *(f"- {{slug: p{k}, name: P, opens: 2026-09-01 00:00:00Z}}" for k in range(n)),
        "downloads:",
        *(f"- {{title: T, available_from: 2026-09-01 00:00:00Z, phase: p{k}, file: a}}" for k in range(n)),
    ],
    "versions of one gold": lambda n: [
        "scenarios: [{number: 1, name: A, family: ehealthkd, options: {scenario: '1'}}]",
        "phases:",
        "- slug: p",
        "  name: P",
        "  opens: 2026-09-01 00:00:00Z",
        "  gold:",
        *(f"  - {{scenario: 1, version: {k}, file: a}}" for k in range(1, n)),
    ],
    "phases that are named wrong": lambda n: [
        "phases:",
        *(f"- {{slug: p{k}, name: P, opens: 2026-09-01 00:00:00Z}}" for k in range(n)),
        "downloads:",
        *(f"- {{title: T, available_from: 2026-09-01 00:00:00Z, phase: q{k}, file: a}}" for k in range(99)),
    ],
}


@pytest.mark.parametrize("what", REFERENCES)
def test_settings_are_read_in_time_that_grows_with(what, tmp_path):
    start = ["evalsite_bundle: 1", "slug: hunt", "title: Hunt", "summary: Find them."]

    def work(n):
        path = tmp_path / f"{n}.zip"
        path.write_bytes(zip_of({"task.yaml": "\n".join([*start, *REFERENCES[what](n), ""]), "a": b""}))

        def read():
            with contextlib.suppress(BundleError), opened(path, "hunt.zip"):
                pass

        return read

    growth = growth_of_time(work, [600, 2400])
    assert growth.is_linear, str(growth)
