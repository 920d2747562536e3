"""Bundles of CodaLab and Codabench become tasks as far as they map, and what did not is told; no program is run."""

import warnings
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Scenario, Task, WaitingGold
from evalsite.contrib.bundles.importing import import_bundle
from evalsite.contrib.bundles.problems import BundleError
from evalsite.contrib.bundles.unpacking.html_pages import as_markdown
from tests.archives import zip_of

CODALAB = """\
title: Boats
description: Find <b>boats</b>.
has_registration: True
html: {overview: overview.html, terms: terms.html, data: data.html}
end_date: 2026-12-01
image: logo.png
phases:
  1: {label: Practice, start_date: 2026-09-01, max_submissions: 100, max_submissions_per_day: 3,
      scoring_program: program.zip, reference_data: reference.zip, public_data: texts.zip, input_data: texts.zip}
  2: {label: Final, start_date: 2026-10-01 12:00:00+02:00, max_submissions: 2, reference_data: odd.zip}
leaderboard:
  leaderboards: {Results: &R {label: Results, rank: 1}}
  columns: {f: {leaderboard: *R, label: F-score, rank: 1}}
"""
CODABENCH = """\
version: 2
title: Boats
description: Find boats.
registration_auto_approve: True
docker_image: some/image:1
terms: pages/terms.md
pages:
- {title: Overview, file: pages/overview.md}
- {title: Rules, file: pages/rules.md}
- {title: Lost, file: pages/lost.md}
solutions: []
solutions: []
tasks:
- {index: 0, name: English, scoring_program: scoring/, reference_data: reference/english}
- {index: 1, name: German, scoring_program: scoring/, reference_data: reference/german/}
phases:
- {index: 0, name: Test, start: 9-15-2026, end: 12-31-2026, max_submissions_per_day: 0, tasks: [0, 1],
   starting_kit: kit}
leaderboards:
- {title: Results, key: main, columns: [{title: Accuracy, key: acc, sorting: desc}]}
"""
GOLD = "id,label\na,x\nb,y\n"


@pytest.fixture
def codalab() -> dict[str, bytes | str]:
    return {
        "competition.yaml": CODALAB,
        "overview.html": "<h1>Boats</h1><script>alert(1)</script><p>Find <em>them</em> <a href='https://b.example'>here</a>.",
        "terms.html": "<p>For research.</p>",
        "data.html": "<ul><li>one<li>two</ul>",
        "program.zip": zip_of({"evaluate.py": "raise SystemExit"}),
        "reference.zip": zip_of({"gold.csv": GOLD}),
        "odd.zip": zip_of({"gold.h5": "x"}),
        "texts.zip": zip_of({"texts.csv": "id,text\na,A\nb,B\n"}),
    }


@pytest.fixture
def codabench() -> dict[str, bytes | str]:
    return {
        "competition.yaml": CODABENCH,
        "pages/terms.md": "For research.",
        "pages/overview.md": "# Boats",
        "pages/rules.md": "Be fair.",
        "reference/english/gold.csv": GOLD,
        "reference/german/gold.csv": GOLD.replace("y", "x"),
        "kit/run.csv": GOLD,
        "kit/README.md": "Read me.",
    }


@pytest.fixture
def imported(olga, tmp_path):
    def import_it(members, use="text-classification"):
        path = Path(tmp_path, "boats.zip")
        path.write_bytes(zip_of(members))
        return import_bundle(path, "boats.zip", by=olga, use=use)

    return import_it


def test_a_bundle_of_codalab_maps_as_far_as_it_goes(imported, codalab):
    made = imported(codalab)
    task = made.task
    assert (task.title, task.summary, task.is_published) == ("Boats", "Find **boats**.", False)
    assert task.description == "# Boats\n\nFind *them* [here](https://b.example)."
    assert [(page.title, page.text) for page in task.pages.all()] == [("Data", "* one\n* two")]
    assert (task.entry_rules.way, task.entry_rules.terms) == ("approval", "For research.")
    practice, final = task.phases.order_by("opens")
    assert (practice.opens, practice.closes) == (datetime(2026, 9, 1, tzinfo=UTC), final.opens)
    assert (final.opens, final.closes) == (datetime(2026, 10, 1, 10, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
    assert [(phase.total_limit, phase.window_limit) for phase in (practice, final)] == [(100, 3), (2, 5)]
    assert (task.scenarios.get().family, practice.golds.get().n_units) == ("labels", 2)
    assert [(each.title, each.file_name) for each in task.downloads.all()] == [("Data", "texts.zip")]
    notes = " ".join(made.notes)
    assert "Ignored: scoring_program (program.zip). This site never runs scoring programs." in notes
    assert "Columns of its leaderboard: F-score." in notes
    assert "Ignored: image." in notes
    assert "The data of Final is no gold for" in notes
    assert not final.golds.exists()


def test_a_gold_that_cannot_be_read_waits_on_the_desk_and_is_checked_again(imported, codalab, as_olga):
    codalab["odd.zip"] = zip_of({"gold.csv": "id,kind\na,x\nb,y\n"})
    final = imported(codalab).task.phases.order_by("opens")[1]
    waiting = final.waiting_golds.get()
    address = reverse("desk_gold_waiting", args=["boats", waiting.pk])
    assert "waits on the page Gold" not in as_olga.get(reverse("desk", args=["boats"])).content.decode()
    assert (
        "the gold odd.zip of the bundle cannot be read" in as_olga.get(reverse("desk", args=["boats"])).content.decode()
    )
    page = as_olga.post(address, {"take": "yes"}).content.decode()
    assert "It cannot be read yet." in page
    assert "column &#x27;label&#x27; not found" in page
    Scenario.objects.update(options={"gold_label": "kind"})
    WaitingGold.objects.update(created=timezone.now() - timedelta(days=3))
    as_olga.post(address, {"take": "yes"})  # what looks odd is shown first
    as_olga.post(address, {"take": "yes"})
    assert (final.golds.get().n_units, WaitingGold.objects.count()) == (2, 0)


@pytest.mark.parametrize(
    ("name", "gold", "options"),
    [
        ("iris_test.solution", "x\ny\n", {"gold_format": "lines"}),
        ("testing_label", "x\ny\n", {"gold_format": "lines"}),
        ("gold.csv", "filename,label\na.jpg,x\nb.jpg,y\n", {"id": ["filename"]}),
        ("gold.csv", "text;user_id;class\n1;a;x\n2;a;y\n1;b;x\n", {"id": ["user_id", "text"], "label": "class"}),
    ],
)
def test_gold_is_read_by_what_its_heading_or_its_name_tells(imported, codalab, name, gold, options):
    codalab |= {"reference.zip": zip_of({name: gold}), "odd.zip": zip_of({name: gold})}
    made = imported(codalab)
    assert options.items() <= made.task.scenarios.get().options.items()
    assert [phase.golds.count() for phase in made.task.phases.all()] == [1, 1]
    assert "got options by which its gold is read" in " ".join(made.notes)


def test_what_is_never_read_may_be_there_twice_or_damaged(olga, tmp_path, codabench):
    path = tmp_path / "boats.zip"
    path.write_bytes(zip_of(codabench))
    with zipfile.ZipFile(path, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in ("one", "two"):
            archive.writestr("scoring/metadata", text)
    assert import_bundle(path, "boats.zip", by=olga, use="text-classification").task.slug == "boats"
    with zipfile.ZipFile(path, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("reference/english/gold.csv", GOLD)
    with pytest.raises(BundleError, match="reference/english/gold.csv: occurs 2 times"):
        import_bundle(path, "boats.zip", by=olga, use="text-classification")


def test_a_bundle_of_codabench_has_a_scenario_for_each_task_of_a_phase(imported, codabench):
    made = imported(codabench)
    task, phase = made.task, made.task.phases.get()
    assert [scenario.name for scenario in task.scenarios.all()] == ["English", "German"]
    assert (phase.opens.isoformat(), phase.closes.isoformat()) == (
        "2026-09-15T00:00:00+00:00",
        "2026-12-31T00:00:00+00:00",
    )
    assert phase.golds.count() == 2
    assert [page.title for page in task.pages.all()] == ["Rules"]
    assert task.downloads.get().file_name == "kit.zip"
    assert (task.entry_rules.way, task.entry_rules.terms) == ("open", "For research.")
    notes = " ".join(made.notes)
    assert "The page pages/lost.md is not in the archive." in notes
    assert "docker_image (some/image:1)" in notes


FACTS = """\
fact_sheet: {
  "own": {"key": "own", "type": "checkbox", "title": "Own data?", "selection": [True, False], "is_required": "false"},
  "open": {"key": "open", "type": "select", "title": "Open", "selection": [True, False], "is_required": "true"},
  "size": {"key": "size", "type": "select", "title": "Size", "selection": ["", "small", "large"]},
  "more": {"key": "more", "type": "text", "title": "size", "selection": "", "is_required": "false"}
}
"""


def test_the_fact_sheet_of_codabench_becomes_the_tasks(imported, codabench):
    made = imported(codabench | {"competition.yaml": CODABENCH + FACTS})
    assert [(row["text"], row["kind"], row["choices"], row["is_required"]) for row in made.task.fact_sheet.own] == [
        ("Own data?", "yes_no", [], False),
        ("Open", "yes_no", [], True),
        ("Size", "choice", ["small", "large"], False),
        ("more", "text", [], False),
    ]
    assert "Imported: fields of the fact sheet 4." in made.notes


def test_fields_for_which_a_fact_sheet_has_no_room_are_named(imported, codabench):
    fields = ", ".join(f"fact{n}: {{type: text, title: Fact {n}}}" for n in range(9))
    made = imported(codabench | {"competition.yaml": f"{CODABENCH}fact_sheet: {{{fields}}}\n"})
    assert len(made.task.fact_sheet.own) == 8
    assert "Ignored: fact8 of the fact sheet, which has at most 8 fields here." in made.notes


@pytest.mark.parametrize("value", ["[]", "null", "no", "{a: b}", "{[1]: {}}"])
def test_what_is_no_fact_sheet_is_left_out(imported, codabench, value):
    made = imported(codabench | {"competition.yaml": f"{CODABENCH}fact_sheet: {value}\n"})
    assert not hasattr(made.task, "fact_sheet")


def test_a_note_stands_once_whatever_it_is_about(imported, codalab):
    settings = CODALAB.replace("public_data: texts.zip", "public_data: lost.zip")
    settings = settings.replace(
        "max_submissions: 2,", "max_submissions: 2, public_data: lost.zip, auto_migration: True,"
    )
    settings += "  columns: {f: {leaderboard: *R, label: F1, rank: 1}, g: {leaderboard: *R, label: F1, rank: 2}}\n"
    notes = imported(codalab | {"competition.yaml": settings}).notes
    assert len(notes) == len(set(notes))
    assert "Columns of its leaderboard: F1. The board shows the scores of the scenario instead." in notes
    assert "Ignored: auto_migrate. Runs stay in their phase here." in notes


def test_of_a_gold_that_waits_the_report_has_the_first_problem(imported, codalab):
    codalab["odd.zip"] = zip_of({"gold.csv": "id,label\na,\nb,\nc,\n"})
    (note,) = (note for note in imported(codalab).notes if "is no gold for" in note)
    assert note.endswith("… and 2 more.")
    assert "\n" not in note


def test_what_systems_do_has_to_be_chosen(imported, codalab):
    with pytest.raises(BundleError, match="Choose what its systems do"):
        imported(codalab, use="")
    assert not Task.objects.exists()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "start_date: 2026-09-01,",
            "start_date: 2026-02-31,",
            "competition.yaml:8: There is no such time: “2026-02-31”.",
        ),
        ("start_date: 2026-09-01,", "", "competition.yaml:8: The phase Practice has no time at which it opens."),
        ("title: Boats", "titel: Boats", "competition.yaml: The key title is missing."),
        ("phases:", "stages:", "competition.yaml: The key phases is missing."),
        ("html: {", "html: [", "competition.yaml:4: This is not YAML"),
    ],
)
def test_a_competition_that_cannot_be_read_is_told_with_its_line(before, after, told, imported, codalab):
    codalab["competition.yaml"] = CODALAB.replace(before, after, 1)
    with pytest.raises(BundleError) as caught:
        imported(codalab)
    assert told in str(caught.value)
    assert not Task.objects.exists()


def test_the_command_needs_a_use_that_there_is(olga, tmp_path, codalab, capsys):
    path = tmp_path / "boats.zip"
    path.write_bytes(zip_of(codalab))
    with pytest.raises(CommandError, match="No system does boats. Known are: .*text-classification"):
        call_command("importtask", str(path), "--owner", olga.email, "--use", "boats")
    call_command("importtask", str(path), "--owner", olga.email, "--use", "text-classification")
    assert "Ignored: scoring_program" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>A</h2>b<br>c", "## A\n\nb\nc"),
        ("<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>", "1. a\n\n   * b\n\n2. c"),
        ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
        ("<table><tr><td>a<td>b</table>", "| a | b"),
        ("<style>a</style>a &lt; b", "a < b"),
        ("</li></ul></a></pre>a", "```\n\na"),
    ],
)
def test_pages_of_html_become_markdown(html, markdown):
    assert [line.strip() for line in as_markdown(html).split("\n")] == [line.strip() for line in markdown.split("\n")]
