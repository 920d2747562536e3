"""One task in several languages: set up from one scenario, filled from one gold, entered by one upload."""

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.accounts.models import Team
from evalsite.challenges.models import Gold
from evalsite.submissions.models import Submission
from tests.factories import make_phase, make_scenario, make_task, make_team, scored, work_off, zip_upload
from tests.forms import filled

pytestmark = pytest.mark.django_db

LANGUAGES = {"en": 30, "de": 24, "es": 21}


@pytest.fixture
def labels(olga):
    task = make_task("mood", olga)
    make_scenario(task, 1, name="English", family="labels", options={"headline": "accuracy"}, digits="percent1")
    return task


def table(language: str, every: int = 1) -> str:
    rows = [f"{number},{'AB'[number // every % 2]}" for number in range(LANGUAGES[language])]
    return "\n".join(["id,label", *rows, ""])


def one_table(languages, every: int = 1) -> str:
    rows = [f"{line},{each}" for each in languages for line in table(each, every).splitlines()[1:]]
    return "\n".join(["id,label,lang", *rows, ""])


def add_languages(as_olga, task, **fields):
    address = reverse("desk_scenarios_languages", args=[task.slug, 1])
    values = {"own": "en", "languages": "de = German\nes", "told_by": "folder"} | fields
    return as_olga.post(address, filled(as_olga.get(address), "languages_form", **values))


def add_gold(as_olga, phase, file, **fields):
    """Though it has few rows."""
    address = reverse("desk_gold_add", args=[phase.task.slug, phase.slug])
    sent = as_olga.post(address, filled(as_olga.get(address), "gold_form", file=file, **fields))
    assert sent.status_code == 302
    if "waiting" in sent.url:
        as_olga.post(sent.url, {"take": "yes"})


def send(client, phase, team, user, file, **fields):
    client.force_login(user)
    address = reverse("submit", args=[phase.task.slug, phase.slug])
    return client.post(address, {"files": file, "team": team.pk, "method": "Rules"} | fields, follow=True)


@pytest.mark.parametrize("told_by", ["folder", "column"])
def test_languages_are_set_up_filled_and_entered_at_once(as_olga, labels, alice, told_by):
    assert add_languages(as_olga, labels, told_by=told_by).status_code == 302
    scenarios = list(labels.scenarios.order_by("number"))
    assert [each.name for each in scenarios] == ["English", "German", "es"]
    assert {each.digits for each in scenarios} == {"percent1"}
    phase = make_phase(labels)
    if told_by == "folder":
        gold = zip_upload({f"gold/{each}/gold.csv": table(each) for each in LANGUAGES}, "gold.zip")
        runs = [
            zip_upload({"run/en/mine.csv": table("en", 2), "run/de/mine.csv": table("de", 3)}),
            SimpleUploadedFile("es.csv", table("es", 2).encode()),
        ]
    else:
        gold = SimpleUploadedFile("gold.csv", one_table(LANGUAGES).encode())
        runs = [SimpleUploadedFile("run.csv", one_table(each, 2).encode()) for each in (["en", "de"], ["es"])]
    add_gold(as_olga, phase, gold)
    assert {gold.scenario.name: gold.n_units for gold in Gold.objects.filter(phase=phase)} == {
        "English": 30,
        "German": 24,
        "es": 21,
    }
    team = make_team("Alpha", alice)
    for run, entered in zip(runs, [{"English", "German"}, {"es"}], strict=True):
        send(as_olga, phase, team, alice, run)
        submission = Submission.objects.latest("created")
        scored(submission)
        states = {each.scenario.name: each.state for each in submission.scorings.all()}
        assert states == dict.fromkeys(entered, "scored")


def test_a_file_of_no_language_is_refused_with_the_folders_that_there_could_be(as_olga, labels, alice):
    add_languages(as_olga, labels)
    phase = make_phase(labels)
    add_gold(as_olga, phase, zip_upload({f"{each}/gold.csv": table(each) for each in LANGUAGES}, "gold.zip"))
    page = send(as_olga, phase, make_team("Alpha", alice), alice, SimpleUploadedFile("run.csv", table("en").encode()))
    assert "was found by its name, but the ids tell what the files are for. Rename them." in page.content.decode()
    assert not Submission.objects.exists()
    some = zip_upload({"de/run.csv": table("de", 3), "eng/run.csv": table("en", 2)})
    client_page = send(as_olga, phase, Team.objects.get(name="Alpha"), alice, some, confirm="").content.decode()
    assert "1 of 2 files are of none of the languages, such as eng/run.csv" in client_page
    assert not Submission.objects.exists()


@pytest.mark.thorough
def test_rows_of_no_language_are_asked_back_about(as_olga, labels, alice):
    add_languages(as_olga, labels, told_by="column")
    phase = make_phase(labels)
    add_gold(as_olga, phase, SimpleUploadedFile("gold.csv", one_table(LANGUAGES).encode()))
    team = make_team("Alpha", alice)
    n_read, n_unread = (one_table([each]).count("\n") - 1 for each in ("de", "en"))
    content = one_table(["de", "en"]).replace("en", "eng" * 1000)
    page = send(as_olga, phase, team, alice, SimpleUploadedFile("run.csv", content.encode()), confirm="")
    asked = f"{n_unread} of {n_read + n_unread} rows are of none of the languages, such as those of 'engeng"
    said = unescape(page.content.decode())
    assert asked in said
    assert "eng" * 1000 not in said, "a long value is cut"
    assert not Submission.objects.exists()
    whole = SimpleUploadedFile("run.csv", one_table(["de", "es"], 2).encode())
    send(as_olga, phase, team, alice, whole, confirm="")
    assert Submission.objects.exists()


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("ca = Irony, Catalan\nes", ["Irony, Catalan", "es"]),
        ("ca, es", ["ca", "es"]),
        ("ca = Catalan, es = Spanish", ["Catalan", "Spanish"]),
    ],
)
def test_a_comma_ends_a_language_but_not_in_a_name(as_olga, labels, written, names):
    assert add_languages(as_olga, labels, languages=written).status_code == 302
    assert [scenario.name for scenario in labels.scenarios.all()][1:] == names


def test_a_line_of_several_languages_that_cannot_be_told_from_a_name_is_refused(as_olga, labels):
    refused = add_languages(as_olga, labels, languages="de = German, es = Spanish, ca = Irony, Catalan")
    assert refused.status_code == 422
    assert "Write one language per line: de = German" in refused.text
    assert labels.scenarios.count() == 1


@pytest.mark.thorough
def test_a_language_that_is_there_already_and_one_that_is_no_code_are_refused_in_words(as_olga, labels):
    refused = add_languages(as_olga, labels, languages="en\nde = English\n../x")
    assert refused.status_code == 422
    assert "../x is not the code of a language" in refused.content.decode()
    refused = add_languages(as_olga, labels, languages="en\nde = English")
    assert "A scenario of this task is called English already." in refused.content.decode()
    assert "en is the language of this scenario." in refused.content.decode()
    assert labels.scenarios.count() == 1


@pytest.mark.parametrize("told_by", ["folder", "column"])
def test_an_archive_of_all_languages_adds_gold_to_those_alone_that_have_changed(as_olga, labels, alice, told_by):
    add_languages(as_olga, labels, told_by=told_by)
    phase, mended = make_phase(labels), table("en").replace("0,A", "0,B", 1)
    if told_by == "folder":
        golds = [
            zip_upload({f"{each}/gold.csv": table(each) for each in LANGUAGES}, "gold.zip"),
            zip_upload({"all/en.csv": mended, "all/de.csv": table("de"), "all/es.csv": table("es")}, "gold2.zip"),
        ]
    else:
        whole = one_table(LANGUAGES)
        golds = [
            SimpleUploadedFile("gold.csv", whole.encode()),
            SimpleUploadedFile("new.csv", whole.replace("0,A,en", "0,B,en", 1).encode()),
        ]
    for gold in golds:
        add_gold(as_olga, phase, gold)
    newest = {each.scenario.name: each.version for each in Gold.objects.filter(phase=phase).order_by("version")}
    assert newest == {"English": 2, "German": 1, "es": 1}


def candidates_of_two_languages(as_olga, labels, alice):
    """Return the phase, in which English and German have new gold of one file, with a note, and Spanish none."""
    add_languages(as_olga, labels)
    phase = make_phase(labels)
    add_gold(as_olga, phase, zip_upload({f"{each}.csv": table(each) for each in LANGUAGES}, "gold.zip"))
    run = zip_upload({f"{each}/mine.csv": table(each, 2) for each in LANGUAGES})
    send(as_olga, phase, make_team("Alpha", alice), alice, run)
    scored(Submission.objects.get())
    as_olga.force_login(labels.organisers.get())
    mended = {each: table(each).replace("0,A", "0,B", 1) for each in ("en", "de")} | {"es": table("es")}
    files = {f"{each}.csv": text for each, text in mended.items()}
    add_gold(as_olga, phase, zip_upload(files, "gold2.zip"), note="two labels corrected")
    work_off()
    return phase


def states(phase):
    golds = Gold.objects.filter(phase=phase).order_by("scenario__number", "version")
    return [(gold.scenario.name, gold.version, gold.state) for gold in golds if gold.version > 1]


@pytest.mark.thorough
def test_candidates_of_one_upload_are_published_together_with_the_note_of_the_upload(as_olga, labels, alice):
    phase = candidates_of_two_languages(as_olga, labels, alice)
    assert states(phase) == [("English", 2, "candidate"), ("German", 2, "candidate")]
    address = reverse("desk_gold_version", args=[labels.slug, Gold.objects.get(scenario__number=1, version=2).pk])
    page = as_olga.get(address)
    assert page.context["publishing"].initial["note"] == "two labels corrected"
    assert "Together with the others from the same file: German" in page.content.decode()

    as_olga.post(address, {"publish": "1", "note": "two labels corrected", "together": "on"})

    assert states(phase) == [("English", 2, "published"), ("German", 2, "published")]
    assert set(Gold.objects.filter(version=2).values_list("public_note", flat=True)) == {"two labels corrected"}


@pytest.mark.thorough
def test_one_candidate_of_an_upload_can_be_decided_alone(as_olga, labels, alice):
    phase = candidates_of_two_languages(as_olga, labels, alice)
    english, german = Gold.objects.filter(version=2).order_by("scenario__number")

    as_olga.post(reverse("desk_gold_version", args=[labels.slug, english.pk]), {"publish": "1", "note": "mistakes"})

    assert states(phase) == [("English", 2, "published"), ("German", 2, "candidate")]
    as_olga.post(reverse("desk_gold_version", args=[labels.slug, german.pk]), {"discard": "1", "reason": "not yet"})
    assert states(phase) == [("English", 2, "published"), ("German", 2, "discarded")]


@pytest.mark.thorough
def test_of_candidates_that_are_published_together_one_that_is_not_ready_keeps_all_back(as_olga, labels, alice):
    phase = candidates_of_two_languages(as_olga, labels, alice)
    english, german = Gold.objects.filter(version=2).order_by("scenario__number")
    german.scorings.all().delete()
    address = reverse("desk_gold_version", args=[labels.slug, english.pk])

    answer = as_olga.post(address, {"publish": "1", "note": "mistakes", "together": "on"})

    assert "German: It cannot be published" in answer.content.decode()
    assert states(phase) == [("English", 2, "candidate"), ("German", 2, "candidate")]
