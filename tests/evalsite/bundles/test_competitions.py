"""Bundles of CodaLab and Codabench become tasks as far as they map, and what did not is told; no program is run."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evalsite.bundles.importing import import_bundle
from evalsite.bundles.problems import BundleError
from evalsite.bundles.unpacking.html_pages import as_markdown
from evalsite.challenges.models import Task
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
    assert "Not taken, and never run: scoring_program (program.zip)." in notes
    assert "Columns of its leaderboard: F-score." in notes
    assert "Not taken: image." in notes
    assert "The data of Final is no gold for" in notes
    assert not final.golds.exists()


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
    assert "never run: scoring_program" in capsys.readouterr().out


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
