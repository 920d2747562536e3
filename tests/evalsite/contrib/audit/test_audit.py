"""Somebody's table of systems and units becomes a board without an account; nothing is stored."""

import base64
import json
import re
import shlex
import xml.etree.ElementTree as ET
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from evalsite.challenges.models import Event
from evalsite.jobs.slots import slot
from evalsite.submissions.models import KeptUpload, Submission
from scoring.__main__ import main
from tests.evalsite.board_pages import pages

pytestmark = pytest.mark.django_db

RIGHT = {"good": 55, "fair": 52, "poor": 12}  # so many of 60 units, the first ones
WIDE = "item,good,fair,poor\n" + "".join(
    f"u{unit},{','.join(str(int(unit < n)) for n in RIGHT.values())}\n" for unit in range(60)
)
LONG = "question,model,value,text\n" + "".join(
    f"u{unit},{system},{int(unit < n)},t{unit // 2}\n" for unit in range(60) for system, n in RIGHT.items()
)
LONG_HEADINGS = {"system": "model", "score": "value", "unit": "question"}


@pytest.fixture
def send(client):
    def send(content, name="table.csv", language="en", **fields):
        body = content.encode() if isinstance(content, str) else content
        values = {"table": SimpleUploadedFile(name, body)} | fields
        return client.post(reverse("audit"), values, headers={"Accept-Language": language})

    return send


def command_of(response) -> str:
    return unescape(re.search(r'<pre class="command">(evalsite audit .*?--seed \d+)</pre>', page_of(response)).group(1))


def page_of(response) -> str:
    return response.content.decode()


def text(response) -> str:
    return pages.text(page_of(response))


def file_of(response, name: str) -> str:
    found = re.search(rf'href="data:[^;]+;base64,([^"]+)" download="{name}"', page_of(response))
    return base64.b64decode(unescape(found.group(1))).decode()


def places_of(response) -> dict[str, str]:
    """Return the range of places of each system, from the first table."""
    rows = re.findall(
        r'class="place" data-label="Place">(.*?)</td>.*?<bdi class="name">(.*?)</bdi>', page_of(response), re.S
    )
    return {name: place for place, name in rows}


def test_a_stranger_gets_the_finding_places_groups_pairs_and_power(send):
    response = send(WIDE)
    assert response.status_code == 200
    said = text(response)
    finding = re.search(r'<p class="finding">(.*?)</p>', page_of(response), re.DOTALL)[1]
    assert pages.text(finding) == (
        "Shared first: good (0.92) and fair (0.87). 60 units cannot tell them apart; good is better than poor."
    )
    assert places_of(response) == {"good": "1–2", "fair": "1–2", "poor": "3"}
    assert "2 of 3 pairs can be told apart." in said
    assert re.search(r"With 60 units, a difference of about 0\.\d+ is detected four times out of five", said)
    assert "60 units, 2,000 resamples, max-T step-down test of 3 pairs." in said
    assert "poor is worse than" not in said  # the words are those of the cells
    assert re.search(r'title="poor is worse than good: −0\.7\d+, adjusted p &lt; 0\.001"', page_of(response))


@pytest.mark.parametrize(("content", "fields"), [(WIDE, {"lower_is_better": "on"}), (LONG, LONG_HEADINGS)])
def test_the_command_on_the_page_makes_the_same_board_again(send, tmp_path, monkeypatch, capsys, content, fields):
    response = send(content, "-my table.csv", **fields)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-my table.csv").write_text(content)
    assert main([*shlex.split(command_of(response))[1:], "--format", "latex"]) == 0
    again = capsys.readouterr().out.partition("\n")[2]  # behind the command, which is written as it was called
    assert file_of(response, "board.tex").partition("\n")[2] == again
    assert "good" in again


@pytest.mark.thorough
def test_the_drawing_and_the_latex_table_are_files_that_need_no_address(send):
    response = send(WIDE)
    drawn = ET.fromstring(file_of(response, "board.svg"))
    assert {"good", "fair", "poor"} <= {part.strip() for part in drawn.itertext()}
    assert file_of(response, "board.tex").startswith("% evalsite audit table.csv --resamples 2000 ")


def test_a_heading_with_a_line_break_does_not_leave_the_comment_of_the_latex_table(send):
    heading = "mo\n\\input{x}"
    response = send(LONG.replace("model", f'"{heading}"', 1), **LONG_HEADINGS | {"system": heading})
    comment, *others = file_of(response, "board.tex").splitlines()
    assert "\\input{x}" in comment
    assert not any("input{x}" in line for line in others)


@pytest.mark.thorough
def test_less_is_better_where_it_is_said(send):
    said = text(send(WIDE, lower_is_better="on"))
    assert "First: poor (0.200), better than all 2 others." in said
    assert "Score ↓" in said


@pytest.mark.thorough
def test_units_of_a_group_are_drawn_together(send):
    said = text(send(LONG, **LONG_HEADINGS, group="text"))
    assert "30 groups, 2,000 resamples" in said


@pytest.mark.thorough
@pytest.mark.parametrize("content", ["model,accuracy\nA,0.9\nB,0.8\n", "system,score\nA,0.9\nB,0.8\n"])
def test_totals_are_answered_by_what_cannot_be_said(send, content):
    response = send(content)
    assert response.status_code == 422
    assert "Totals of systems, without units: whether they differ cannot be said" in text(response)


BAD = {
    "ragged": ("unit,A,B\nu1,1,0\nu2,1\n", "2 fields instead of 3", "line 3"),
    "nan": ("unit,A,B\nu1,1,0\nu2,1,nan\n", "Score of 'B': 'nan' is not a number", "line 3"),
    "infinite": ("unit,A,B\nu1,1,1e999\n", "Score of 'B': 1e999 is not a finite number", "line 2"),
    "missing": (
        "unit,system,score\nu1,A,1\nu1,B,0\nu2,B,0\n",
        "Unit 'u2' has scores of 1 of 2 systems; that of 'A' is missing",
        "line 4",
    ),
    "many": (
        ",".join(["unit", *(f"s{k}" for k in range(10_000))]) + "\nu1,x\n",
        "10000 systems, expected at most 300",
        "line 1",
    ),
    "empty": ("", "The file is empty", ""),
    "headings": ("unit,A,B\n", "No rows", ""),
    "binary": (bytes(range(256)) * 40, "Not valid UTF-8: byte 0x80", "line 3"),
    "latin": ("unit,A,B\nñ1,1,0\n".encode("latin-1"), "Not valid UTF-8: byte 0xf1", "line 2"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_table_is_told_at_its_place(send, name):
    content, words, place = BAD[name]
    response = send(content)
    assert response.status_code == 422
    said = text(response)
    assert "No board can be made of this table" in said
    assert words in said
    assert place in said
    assert "table.csv" in said


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "words"), [("table.xlsx", "an Excel file: save the sheet as CSV"), ("table.zip", "damaged")]
)
def test_a_file_of_another_kind_is_refused_in_words(send, name, words):
    response = send(b"PK\x03\x04" + bytes(100), name)
    assert response.status_code == 422
    assert words in text(response)


def logs(n_right: int, system: str) -> SimpleUploadedFile:
    samples = [{"id": k, "scores": {"match": {"value": "C" if k < n_right else "I"}}} for k in range(60)]
    log = {"eval": {"model": system, "task": "made-up"}, "samples": samples}
    return SimpleUploadedFile(f"{system}.json", json.dumps(log).encode())


@pytest.mark.thorough
def test_several_logs_of_a_harness_become_one_board(client):
    files = [logs(n, system) for system, n in RIGHT.items()]
    response = client.post(reverse("audit"), {"table": files})
    assert places_of(response) == {"good": "1–2", "fair": "1–2", "poor": "3"}
    assert command_of(response).startswith("evalsite audit good.json fair.json poor.json ")


@pytest.mark.thorough
def test_logs_of_systems_with_other_units_are_told(client):
    log = {"eval": {"model": "b", "task": "made-up"}, "samples": [{"id": 1, "scores": {"match": {"value": 1}}}]}
    lacking = SimpleUploadedFile("b.json", json.dumps(log).encode())
    response = client.post(reverse("audit"), {"table": [logs(9, "a"), lacking]})
    assert response.status_code == 422
    assert "System 'b' has 1 of 60 units" in text(response)


@pytest.mark.thorough
def test_names_of_columns_that_are_not_there_or_serve_twice_are_told(send):
    assert "No column 'text'; the table has 'item', 'good', 'fair', 'poor'" in text(send(WIDE, group="text"))
    twice = send(WIDE, group="item")
    assert twice.status_code == 422
    assert "column 'item' cannot serve for two things" in text(twice)


def test_names_of_systems_are_only_text(send):
    response = send(WIDE.replace("good", "<script>alert(1)</script>"))
    assert response.status_code == 200
    assert "<script>alert" not in page_of(response)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page_of(response)


@pytest.mark.thorough
def test_few_units_and_a_constant_system_are_told(send):
    said = text(send("unit,A,B\n" + "".join(f"u{k},1,{k % 2}\n" for k in range(12))))
    assert "Highest score: A" in said
    assert "12 units are too few to tell systems apart." in said
    assert "A has the score 1 for each unit" in said


@pytest.mark.thorough
def test_of_many_systems_the_best_forty_are_set_against_each_other(send):
    names = [f"s{k:02}" for k in range(60)]
    rows = "".join(f"u{u},{','.join(str((u * 7 + k) % 11) for k in range(60))}\n" for u in range(40))
    response = send(f"unit,{','.join(names)}\n{rows}")
    assert len(places_of(response)) == 60
    assert "Of 60 systems the best 40 are shown" in text(response)
    assert page_of(response).count('<td class="self">') == 40


@pytest.mark.thorough
def test_the_page_speaks_spanish(send):
    said = text(send(WIDE, language="es"))
    assert "¿Es eso una clasificación?" in said
    assert "60 unidades no permiten distinguirlos" in said
    assert "Totales de sistemas, sin unidades" in text(send("model,accuracy\nA,0.9\n", language="es"))


def test_nothing_is_stored(send):
    before = Submission.objects.count(), Event.objects.count()
    for content in (WIDE, "unit,A,B\nu1,1\n"):
        send(content)
    assert (Submission.objects.count(), Event.objects.count()) == before
    assert not KeptUpload.objects.exists()


def test_a_form_without_a_table_says_so(client):
    response = client.post(reverse("audit"))
    assert response.status_code == 422
    assert "Choose the file of your table." in text(response)


@pytest.mark.thorough
def test_a_stranger_s_form_is_protected_against_other_sites():
    client = Client(enforce_csrf_checks=True)
    assert client.post(reverse("audit"), {"table": SimpleUploadedFile("t.csv", WIDE.encode())}).status_code == 403


def test_tables_and_checks_of_an_address_are_counted_together(send, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"open_check": "2/10m/ip"}
    answers = [send("unit,A\n") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [422, 422, 429]
    assert 500 < int(answers[-1]["Retry-After"]) <= 600


@pytest.mark.thorough
def test_one_address_has_one_table_compared_at_a_time(send):
    with slot("address-127.0.0.1", is_guest=True):
        assert send(WIDE).status_code == 503
    assert send(WIDE).status_code == 200


def test_a_larger_table_than_is_compared_here_is_not_read(send, settings):
    settings.MAX_OPEN_CHECK_BYTES = 512
    response = send(WIDE)
    assert response.status_code == 413
    assert "The table is larger than 512 bytes" in text(response)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024
    assert "more than the form accepts" in text(send(bytes(4096)))


@pytest.mark.thorough
def test_a_table_that_takes_too_long_is_told_so(send, settings):
    settings.N_RESAMPLES_OF_TRIALS, settings.CHECK_SECONDS = 1_000_000, 1
    rows = "".join(f"u{u},{','.join(str((u * 7 + k) % 11) for k in range(20))}\n" for u in range(500))
    response = send(f"unit,{','.join(f's{k}' for k in range(20))}\n{rows}")
    assert response.status_code == 422
    assert "Comparing these systems needs more" in text(response)


def test_it_needs_no_query_of_the_database(send, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert send(WIDE).status_code == 200


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["help", "how_to_read"])
def test_help_leads_to_it(client, name):
    assert f'href="{reverse("audit")}"' in page_of(client.get(reverse(name)))
