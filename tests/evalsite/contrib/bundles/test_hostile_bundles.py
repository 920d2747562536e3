"""A bundle that is made to cost much costs its sender an answer: no web process opens it, and mail goes on."""

import os
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.challenges.models import Task
from evalsite.challenges.services import delete_download
from evalsite.contrib.bundles import importing, unpacked
from evalsite.contrib.bundles.importing import KIND, import_bundle
from evalsite.contrib.bundles.problems import BundleError
from evalsite.contrib.bundles.unpacking.html_pages import DEEPEST, MOST_BYTES, as_markdown
from evalsite.contrib.bundles.unpacking.settings_file import as_table, from_table, parsed
from evalsite.jobs import sandbox
from evalsite.jobs.sandbox import LimitBroken
from tests.archives import zip_of
from tests.doubling import growth_of_memory, growth_of_time
from tests.factories import work_off

PAGE = "/organise/bundle/"
HTML = {
    **{
        mark: mark.__mul__
        for mark in (
            *(
                "<a ",
                "<a x=",
                '<a x="',
                "<a href=x>",
                "<!--",
                "<![CDATA[",
                "<!",
                "<?",
                "<",
                "</",
                "&",
                "&#1",
                "\n",
                " ",
            ),
            *("<ul>", "<ul><li>", "<ol><li>x", "</ul>", "<div>", "<b>", "<b><p>", "<pre>", "<table><tr><td>", "</a>"),
            *("<script>", "<style>x</style>", "<svg><p>", "<template>", "<textarea>", "<title>", "a\u0301\u0327"),
        )
    },
    "lists and then items": lambda n: "<ul>" * n + "<li>" * n,
    "digits of one reference": lambda n: f"&#{'1' * n};",
    "blanks in an attribute": lambda n: f"<a href{' ' * n}>",
    "addresses in an attribute": lambda n: "<a" + " href" * n + ">",
    "an attribute with brackets": lambda n: '<a title="' + "<" * n + '">',
    "marks that differ": lambda n: "".join(f"<p><b id={k}>x</p>" for k in range(n)),
}


@pytest.mark.parametrize("shape", HTML)
def test_a_page_becomes_markdown_in_time_and_memory_that_grow_with_it(shape):
    def work(n):
        text = HTML[shape](n)
        return lambda: as_markdown(text)

    growth = growth_of_time(work, [2**12, 2**14, 2**16])
    assert growth.is_linear, str(growth)
    growth = growth_of_memory(work, 2**14)
    assert growth.is_linear, str(growth)


def test_lists_have_eight_levels_and_deeper_ones_stand_on_the_last():
    lines = as_markdown("<ul><li>x" * 20 + "</ul>" * 20 + "<p>y").splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines if line.endswith("x")]
    assert indents == [3 * min(level, DEEPEST - 1) for level in range(20)]
    assert lines[-1] == "y"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (f"a &#{'1' * 5000}; b &#x{'f' * 5000}; c &#65;", "a \ufffd b \ufffd c A"),
        ("<a href='javascript:alert(1)'>x</a>", "[x]"),
        ("<a href='data.html'>x</a> <a href='MAILTO:a@b.example'>y</a>", "[x](data.html) [y](MAILTO:a@b.example)"),
        ("<a href='x) [y](z'>a</a>", "[a](x%29%20[y]%28z)"),
        ("a <script>alert('</p>')</script>b<script>c", "a b"),
        ("<a title='>' href=\"x\">y</a>", "[y](x)"),
        ("a < b<c> d", "a < b d"),
        ("a\x1b\x07b", "ab"),
    ],
)
def test_pages_are_read_as_browsers_would(html, markdown):
    assert as_markdown(html) == markdown


def competition(**more: str) -> dict[str, str]:
    text = "title: Boats\nphases:\n- {name: Test, start: 2026-09-15}\n"
    return {"competition.yaml": text, **more}


@pytest.fixture
def attempt(olga, tmp_path):
    def import_it(members, use="text-classification"):
        path = Path(tmp_path, "boats.zip")
        path.write_bytes(zip_of(members))
        return import_bundle(path, "boats.zip", by=olga, use=use)

    return import_it


def test_a_page_that_is_too_large_is_left_out_unread(attempt):
    members = competition(**{"a.html": "<p>" + "x" * (MOST_BYTES - 3), "b.html": "<p>" + "x" * MOST_BYTES})
    members["competition.yaml"] += "pages: [{title: A, file: a.html}, {title: B, file: b.html}]\n"
    made = attempt(members)
    assert (made.task.description[:2], made.task.pages.count()) == ("xx", 0)
    assert "The page b.html is too large." in made.notes


def test_a_description_that_many_phases_share_is_converted_once(attempt):
    phases = "".join(f"- {{name: P{k}, start: 2026-09-{k:02d}, description: *d}}\n" for k in range(2, 30))
    text = "<ul><li>x" * 5_000
    first = f"- {{name: P1, start: 2026-09-01, description: &d '{text}'}}\n"
    members = {"competition.yaml": f"title: Boats\nphases:\n{first}{phases}"}
    task = attempt(members).task
    assert {phase.description.count("x") for phase in task.phases.all()} == {task.phases.first().description.count("x")}
    members["competition.yaml"] = members["competition.yaml"].replace(text, "x" * (MOST_BYTES + 1))
    made = attempt(members)
    assert {phase.description for phase in made.task.phases.all()} == {""}
    assert "The description of P1 is too large." in made.notes


def test_nodes_that_aliases_share_stay_one_and_may_hold_themselves():
    content = b"a: &a [1, &b {x: *a}]\nb: [*b, *b]\n" + b"".join(
        b"c%d: &c%d [%s]\n" % (k, k, b", ".join([b"*c%d" % (k - 1) if k else b"1"] * 9)) for k in range(12)
    )
    table = as_table(parsed(content, has_aliases=True))
    assert len(table) < 200
    root = from_table(table)
    values = {key.value: value for key, value in root.value}
    assert values["b"].value[0] is values["b"].value[1] is values["a"].value[1]
    assert values["c11"].start_mark.line == 13


def test_an_archive_that_takes_too_long_is_told_so_and_is_tried_once(attempt, monkeypatch):
    def stop(*arguments, **more):
        raise LimitBroken("time")

    monkeypatch.setattr(sandbox, "run", stop)
    with pytest.raises(BundleError, match=r"boats.zip: Reading this archive took too long"):
        attempt(competition())


def test_gold_is_scored_in_a_child_and_told_at_its_line_where_that_takes_too_long(olga, tmp_path, monkeypatch):
    path = tmp_path / "hunt.zip"
    path.write_bytes(zip_of(bundle(1)))
    run = sandbox.run

    def stop(function, *arguments, **more):
        if function is unpacked.child.score_gold:
            raise LimitBroken("memory")
        return run(function, *arguments, **more)

    monkeypatch.setattr(sandbox, "run", stop)
    with pytest.raises(
        BundleError, match="task.yaml:12: Scoring this gold against itself took too much time or memory"
    ):
        import_bundle(path, "hunt.zip", by=olga)


GOLD = "id,label\na,x\nb,y\n"


def bundle(n: int, content: bytes | str = b"Text.") -> dict[str, bytes | str]:
    """A bundle that names one member `n` times, as a download and as the run of a baseline."""
    lines = [
        *("evalsite_bundle: 1", "slug: hunt", "title: Hunt", "summary: Find them."),
        "scenarios: [{number: 1, name: A, family: labels, options: {id: id, label: label}}]",
        *("phases:", "- slug: test", "  name: Test", "  opens: 2026-09-01 00:00:00Z", "  closes: 2026-09-15 12:00:00Z"),
        *("  gold:", "  - {scenario: 1, version: 1, file: gold.csv}"),
        "  runs:",
        *(
            f"  - {{reference: baseline, method: M{k}, created: 2026-09-02 00:00:00Z, file: gold.csv, scenarios: [1]}}"
            for k in range(n)
        ),
        "downloads:",
        *(f"- {{title: D{k}, available_from: 2026-09-01 00:00:00Z, file: data/{k % 2}.txt}}" for k in range(n)),
    ]
    return {"task.yaml": "\n".join([*lines, ""]), "gold.csv": GOLD, "data/0.txt": content, "data/1.txt": content}


def stored() -> Counter[int]:
    """How many names each stored file has."""
    return Counter(os.stat(path).st_ino for path in Path(site.MEDIA_ROOT).rglob("*") if path.is_file())


def test_equal_members_are_one_stored_file_which_stays_until_its_last_row_goes(
    attempt, django_capture_on_commit_callbacks
):
    task = attempt(bundle(6)).task
    assert sorted(stored().values()) == [6, 7]  # downloads; gold and runs
    first, *others = task.downloads.all()
    with django_capture_on_commit_callbacks(execute=True):
        delete_download(first, by=None)
    assert sorted(stored().values()) == [5, 7]
    for download in others:
        with download.file.open() as stream:
            assert stream.read() == b"Text."


def test_what_an_import_stores_is_bounded_over_its_rows(attempt):
    with pytest.raises(
        BundleError, match=r"task.yaml:\d+: The files that the settings name are larger than 10 MB in total"
    ):
        attempt(bundle(4, bytes(4 * 2**20)))
    assert not Task.objects.exists()
    assert not stored()
    attempt(bundle(2, bytes(4 * 2**20)))


def sent(members=None) -> dict[str, SimpleUploadedFile]:
    return {"file": SimpleUploadedFile("hunt.zip", zip_of(members or bundle(1)))}


def test_no_web_process_opens_a_bundle(as_olga, monkeypatch):
    def refuse(*arguments, **more):
        raise AssertionError("a web process reads a bundle")

    for module, name in ((importing, "opened"), (importing, "unpacked"), (sandbox, "run")):
        monkeypatch.setattr(module, name, refuse)
    answer = as_olga.post(PAGE, {"file": SimpleUploadedFile("hunt.zip", b"no zip at all")})
    assert (answer.status_code, Job.objects.get().kind) == (302, KIND)


def test_a_person_imports_one_bundle_at_a_time(as_olga, as_alice, olga, alice):
    alice.may_create_tasks = True
    alice.save()
    assert as_olga.post(PAGE, sent()).status_code == 302
    answer = as_olga.post(PAGE, sent())
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert "Another bundle of yours is being imported." in answer.content.decode()
    assert as_alice.post(PAGE, sent()).status_code == 302
    work_off()
    assert as_olga.post(PAGE, sent()).status_code == 302


def test_a_person_imports_ten_bundles_in_an_hour(as_olga, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"import_bundle": "3/h"}
    for _ in range(3):
        assert as_olga.post(PAGE, sent({"task.yaml": "x"})).status_code == 302
        work_off()
    answer = as_olga.post(PAGE, sent())
    assert answer.status_code == 429
    assert "You have sent too many bundles recently." in answer.content.decode()


def test_files_of_drafts_count_towards_their_owners_storage(as_olga, attempt, settings, olga):
    task = attempt(bundle(2, bytes(2**20))).task
    settings.MAX_DRAFT_BYTES = 2**21 + 1000
    answer = as_olga.post(PAGE, {"file": SimpleUploadedFile("hunt.zip", bytes(2000))})
    assert answer.status_code == 422
    assert "The files of your drafts take up 2 MB" in answer.content.decode()
    with pytest.raises(BundleError, match="The files of your drafts take up 2 MB"):
        attempt(bundle(1, bytes(2000)))
    Task.objects.filter(pk=task.pk).update(is_published=True)
    attempt(bundle(1, bytes(2000)))


def test_a_full_disk_refuses_a_bundle_before_it_is_stored(as_olga, settings):
    settings.MIN_FREE_BYTES = 2**60
    answer = as_olga.post(PAGE, sent())
    assert (answer.status_code, Job.objects.count()) == (503, 0)
    assert "the disk of this site is full" in answer.content.decode()


def test_bundles_are_imported_one_after_the_other_so_that_mail_has_its_workers(as_olga, as_alice, alice):
    alice.may_create_tasks = True
    alice.save()
    for person in (as_olga, as_alice):
        person.post(PAGE, sent())
    first, second = Job.objects.order_by("created")
    now = timezone.now()
    held = {"lease": first.pk, "lease_ends": now + timedelta(hours=1), "started": now - timedelta(seconds=1)}
    Job.objects.filter(pk=first.pk).update(state="running", **held)
    assert services.work(second.pk) == "queued"
    Job.objects.filter(pk=first.pk).update(state="done", lease=None)
    Job.objects.update(not_before=None)
    assert services.work(second.pk) == "done"
