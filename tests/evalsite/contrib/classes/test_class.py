"""A class: the list of students, what they see of each other, the target, and marks."""

import csv
import io

import pytest
from django.core import mail
from django.urls import reverse

from evalsite.challenges.models import EntryRules, Event, Phase, Task
from evalsite.challenges.taking_part import entering
from evalsite.contrib.classes.models import Student, Target
from evalsite.contrib.classes.reading import MAX_STUDENTS, Line, read_students
from tests.evalsite.access.cast import address, addresses, make_people, make_world, parts
from tests.evalsite.conftest import logged_in
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_run, make_submission, make_team, make_user, run_files, scored

pytestmark = pytest.mark.django_db
ANA, LEO = Line("ana@uni.example", "Ana Pérez", "12"), Line("leo@uni.example", "Leo, the second", "")


@pytest.fixture
def school(task) -> Task:
    Task.objects.filter(pk=task.pk).update(is_class=True)
    task.refresh_from_db()
    return task


def send(client, task, text, **more):
    return client.post(reverse("desk_class_list", args=[task.slug]), {"students": text} | more)


@pytest.mark.parametrize(
    "text",
    [
        'Ana Pérez,ana@uni.example,12\n"Leo, the second",LEO@uni.example\n',
        "\ufeffAna Pérez;ana@uni.example;12\r\nLeo, the second;leo@uni.example;\r\n\r\n",
        "Ana Pérez\tana@uni.example\t12\nLeo, the second\tleo@uni.example\n",
        "Number;E-mail;Group;Name\n12;ana@uni.example;A;Ana Pérez\n;leo@uni.example;B;Leo, the second\n",
        "Ana Pérez;ana@uni.example;12\nAna Pérez;Ana@uni.example;12\nLeo, the second;leo@uni.example;",
    ],
    ids=["commas", "BOM and semicolons", "tabs", "headings", "a line twice"],
)
def test_a_list_is_read_however_a_spreadsheet_writes_it(text):
    read = read_students(text)
    assert (read.students, read.problems) == ([ANA, LEO], [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ana;ana@uni.example\nLeo;leo\n", "Line 2: “leo” is no e-mail address"),
        ("Ana;ana@uni.example;1\nAna;ana@uni.example;2\n", "Line 2: ana@uni.example is on line 1 already"),
        (";ana@uni.example\n", "Line 1, ana@uni.example: name or number cannot be used"),
        ("\u202e\u200b;ana@uni.example\n", "name or number cannot be used"),
        ("a@b.example\nBcc: x@y.example;a@b.example", "is no e-mail address"),
        ("", "There is nobody on the list."),
        ("\n".join(f"N;n{n}@uni.example" for n in range(MAX_STUDENTS + 1)), f"at most {MAX_STUDENTS} are possible"),
        ('Ana;"ana@uni.example', "Line 1: unexpected end of data"),
    ],
    ids=range(8),
)
def test_each_problem_of_a_list_is_told_with_its_line(text, told):
    assert told in " ".join(read_students(text).problems)


def test_a_line_that_is_there_twice_is_told_and_counts_once(as_olga, school):
    text = "Ana Pérez;ana@uni.example;12\nLeo;leo@uni.example;\nAna Pérez;ANA@uni.example;12\n"
    page = send(as_olga, school, text).content.decode()
    assert "2 new students get" in page
    assert "1 line repeats an earlier one and counts once: line 3." in page


def test_a_list_is_shown_first_then_taken_over_and_each_student_gets_one_mail(as_olga, school):
    text = "Ana Pérez;ana@uni.example;12\nLeo;leo@uni.example;\n"
    page = send(as_olga, school, text).content.decode()
    assert "2 new students get" in page
    assert not Student.objects.exists()
    assert not mail.outbox
    assert send(as_olga, school, text, **{"import": "yes"}).status_code == 302
    assert {(each.email, each.name, each.number) for each in Student.objects.all()} == {
        ("ana@uni.example", "Ana Pérez", "12"),
        ("leo@uni.example", "Leo", ""),
    }
    assert sorted(letter.to for letter in mail.outbox) == [["ana@uni.example"], ["leo@uni.example"]]
    assert all("leo" not in letter.body.lower() for letter in mail.outbox if letter.to == ["ana@uni.example"])
    again = text.replace("Leo", "Leonor") + "Eva;eva@uni.example\n"
    page = send(as_olga, school, again).content.decode()
    assert "1 new student gets" in page
    assert "1 gets another name" in page
    assert "1 is already on the list" in page
    send(as_olga, school, again, **{"import": "yes"})
    assert mail.outbox[-1].to == ["eva@uni.example"]
    assert len(mail.outbox) == 3
    assert "@" not in str(list(Event.objects.values_list("detail", flat=True))), "viewers read the log"


@pytest.mark.thorough
def test_a_list_with_a_problem_changes_nothing(as_olga, school):
    answer = send(as_olga, school, "Ana;ana@uni.example\nLeo;leo\n", **{"import": "yes"})
    assert answer.status_code == 422
    assert "No student was added." in answer.content.decode()
    assert "ana@uni.example" in answer.content.decode(), "what was pasted is not lost"
    assert not Student.objects.exists()
    assert not mail.outbox


@pytest.mark.thorough
def test_the_preview_does_not_tell_which_addresses_have_an_account(as_olga, school, alice):
    page = send(as_olga, school, "Alice;alice@example.org\n").content.decode()
    other = send(as_olga, school, "Alice;nobody@example.org\n").content.decode()
    assert _bare(page, "alice@example.org") == _bare(other, "nobody@example.org")


def _bare(page: str, email: str) -> str:
    return "\n".join(line for line in page.replace(email, "").splitlines() if "csrfmiddlewaretoken" not in line)


@pytest.mark.thorough
def test_nobody_is_invited_to_a_task_that_is_not_public(as_olga, school):
    Task.objects.update(is_published=False)
    answer = send(as_olga, school, "Ana;ana@uni.example\n", **{"import": "yes"})
    assert "Publish the task first" in answer.content.decode()
    assert not mail.outbox


@pytest.mark.thorough
def test_who_is_on_the_list_enters_without_the_link_and_others_do_not(school, alice, charlie, strangers, team):
    Student.objects.create(task=school, email="alice@example.org", name="Alice")
    rules = EntryRules.objects.create(task=school, way="link")
    assert entering.refusal(rules, alice) == ""
    assert "with a link" in entering.refusal(rules, charlie)
    alice.emailaddress_set.update(verified=False)
    assert "with a link" in entering.refusal(rules, alice)


@pytest.mark.thorough
def test_no_student_and_no_stranger_reads_of_another_at_any_address_at_any_time(client):
    """Two students, after the release, at every address by GET: neither the name nor the run of the other."""
    ana, leo, olga = make_user("Ana"), make_user("Leo"), make_user("Olga", may_create_tasks=True)
    world = make_world("school", olga, make_team("Zarzuela", ana), ana, ana)
    make_people(world)
    Task.objects.update(is_class=True)
    make_run(world.phase, make_team("Quijote", leo), run_files(relations=""), method="Rocinante")
    Phase.objects.update(results_released="2020-01-01T00:00Z", gold_released=True)
    refresh_all()
    asked = 0
    for name, wanted in addresses():
        if name.startswith(("account", "social", "mfa", "orcid", "github", "openid", "admin")):
            continue
        where = address(name, parts(name, wanted, world), world)
        for visitor in (client, logged_in(leo)):
            answer = visitor.get(where)
            text = answer.getvalue() if answer.streaming else answer.content
            asked += answer.status_code == 200
            for word in (b"Zarzuela", str(world.run.pk).encode(), b"Alice and Bob"):
                is_asked = word in where.encode() or name in NAMED_BY_LINK  # a page may repeat its own address
                assert is_asked or word not in text, (name, word)
    assert asked > 50
    board = logged_in(olga).get(reverse("board", args=["school", world.phase.slug, 1])).content.decode()
    assert "Zarzuela" in board
    assert "Rocinante" in board


NAMED_BY_LINK = {"team_join"}  # whoever has a team's own invitation is invited by it


@pytest.mark.thorough
def test_one_reads_the_own_score_and_the_target_but_no_place(as_alice, school, scenario, phase, team, strangers):
    Task.objects.update(is_class=True)
    baseline = scored(
        make_submission(phase, None, school.organiser_rows.get().user, run_files(""), reference="baseline")
    )
    Target.objects.create(phase=phase, run=baseline)
    phase.refresh_from_db()
    run = make_run(phase, strangers, run_files(relations=""))
    own = make_run(phase, team)
    refresh_all()
    page = as_alice.get(reverse("submission", args=[own.pk])).content.decode()
    assert "Target" in page
    assert "everybody sees their own scores alone" in page
    assert strangers.name not in page
    assert as_alice.get(reverse("submission", args=[run.pk])).status_code == 404
    assert as_alice.get(reverse("board", args=[school.slug, phase.slug, 1])).status_code == 403


def test_marks_have_a_line_for_each_student_and_equal_the_board(as_olga, school, scenario, phase, team, alice, bob):
    Student.objects.create(task=school, email="alice@example.org", name="=Alice", number="007")
    Student.objects.create(task=school, email="late@uni.example", name="Late", number="8")
    run = make_run(phase, team)
    answer = as_olga.get(reverse("desk_class_marks", args=[school.slug, phase.slug]))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["number"], row["name"], row["run"] != "") for row in rows] == [
        ("007", "'=Alice", True),
        ("8", "Late", False),
        ("", "Bob", True),
    ]
    result = run.scorings.get().result
    assert float(rows[0]["score"]) == result.headline
    assert (rows[0]["run"], rows[0]["late"], rows[0]["above_target"]) == (str(run.pk), "no", "")


@pytest.mark.thorough
def test_marks_say_whether_the_target_is_reached(as_olga, olga, school, scenario, phase, team):
    weak = scored(make_submission(phase, None, olga, run_files("", relations=""), reference="baseline"))
    as_olga.post(reverse("desk_class_target", args=[school.slug, phase.slug]), {f"{phase.slug}-run": str(weak.pk)})
    assert Target.objects.get().run == weak
    make_run(phase, team)
    answer = as_olga.get(reverse("desk_class_marks", args=[school.slug, phase.slug]))
    assert {row["above_target"] for row in csv.DictReader(io.StringIO(answer.content.decode()))} <= {"yes", "no"}


@pytest.mark.thorough
def test_a_students_run_is_no_target(as_olga, school, phase, team):
    run = make_run(phase, team)
    as_olga.post(reverse("desk_class_target", args=[school.slug, phase.slug]), {f"{phase.slug}-run": str(run.pk)})
    assert not Target.objects.exists()


@pytest.mark.thorough
def test_viewers_read_no_address(school, phase, as_olga):
    Student.objects.create(task=school, email="ana@uni.example", name="Ana")
    viewer = make_user("Vera")
    school.organiser_rows.create(user=viewer, role="viewer")
    client = logged_in(viewer)
    assert "ana@uni.example" not in client.get(reverse("desk_class", args=[school.slug])).content.decode()
    assert client.get(reverse("desk_class_marks", args=[school.slug, phase.slug])).status_code == 403
    assert "ana@uni.example" in as_olga.get(reverse("desk_class", args=[school.slug])).content.decode()
