"""Tests what all pages share: the frame, numbers and times, forms, and the rules of the strict policy."""

import re
from datetime import UTC, datetime

import django_tables2 as tables
import pytest
from django import forms
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.paginator import Paginator
from django.template import Context, Template
from django.template.loader import get_template
from django.test import Client
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from evalsite.challenges.models import Participation
from evalsite.wording import names, scored, sentences
from tests.factories import make_user

STATIC = settings.BASE_DIR / "static"
TEMPLATES = settings.BASE_DIR / "templates"
NOW = datetime(2026, 12, 9, 12, 0, tzinfo=UTC)


# Scores


def test_a_value_keeps_its_full_precision_in_the_title():
    html = scored(0.6394812, (0.608, 0.672))

    assert 'title="0.6394812"' in html
    assert "<b>0.639</b>" in html
    assert "[0.608, 0.672]" in html


def test_a_missing_value_has_no_interval():
    html = scored(None, None)

    assert "<b>–</b>" in html
    assert "interval" not in html


# Templates and style sheets


def test_no_line_of_a_template_or_style_sheet_is_longer_than_120_characters():
    files = [*TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.txt"), *STATIC.rglob("*.css"), *STATIC.rglob("*.js")]
    own = [file for file in files if STATIC / "vendor" not in file.parents]
    too_long = [
        f"{file.relative_to(settings.BASE_DIR)}:{number}"
        for file in own
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        if len(line) > 120
    ]

    assert len(own) > 200
    assert too_long == []


def rendered(source: str, **context: object) -> str:
    return Template("{% load evalsite_tags %}" + source).render(Context(context))


def test_joined_lines_have_no_blank_beside_a_tag_and_one_between_two_words():
    source = """{% joined %}
      <b class="score"
        id="first">
        {{ value }}
      </b>
      {% if value %}, which ranks,{% endif %}
      {% for name in names %} <i>{{ name }}</i>{% endfor %}
      and more
      of them.
    {% endjoined %}"""

    html = rendered(source, value="0.639", names=["a b", "c"])

    assert html == '<b class="score" id="first">0.639</b>, which ranks, <i>a b</i> <i>c</i>and more of them.'


def test_a_full_stop_can_follow_an_included_time():
    source = '{% include "includes/_time.html" with time=time relative=True %}. So {% include "includes/_time.html" %}.'
    html = rendered(source, time=datetime(2026, 12, 2, 19, 0, 46, tzinfo=UTC))
    assert html.count("2 Dec 2026, 19:00:46 UTC</time>.") == 2
    minutes = rendered(
        '{% include "includes/_time.html" with to_the_minute=True %}', time=datetime(2026, 12, 2, 19, 0, 46, tzinfo=UTC)
    )
    assert ">2 Dec 2026, 19:00 UTC<" in minutes


def test_joined_lines_leave_values_as_they_are():
    assert rendered("{% joined %}\n  {{ value }}\n{% endjoined %}", value="one\n two") == "one\n two"


def test_an_empty_state_says_what_will_be_there_and_how_to_begin():
    html = rendered(
        '{% empty_state "No runs" url=url action="Upload" %}The runs of {{ team }}.{% endempty_state %}',
        url="/upload/",
        team="<b>",
    )

    assert "<h2>No runs</h2>" in html
    assert "<p>The runs of &lt;b&gt;.</p>" in html
    assert '<a class="btn btn-primary" href="/upload/">Upload</a>' in html
    assert "<a" not in rendered('{% empty_state "No runs" %}None yet.{% endempty_state %}')


def test_names_stand_with_commas_between_them():
    assert strip_tags(names(["Ann & Co", "<b>"])) == "Ann &amp; Co, &lt;b&gt;"
    assert names([]) == ""


def test_empty_sentences_are_left_out_and_text_is_escaped():
    assert sentences(["One.", "", SafeString("<i>Two.</i>"), "3 < 4."]) == "One. <i>Two.</i> 3 &lt; 4."


# Forms


class RunForm(forms.Form):
    method = forms.CharField(help_text="As on the board.")
    link = forms.URLField(required=False, assume_scheme="https")
    scenarios = forms.MultipleChoiceField(
        choices=[("1", "Main"), ("2", "Phrases")], widget=forms.CheckboxSelectMultiple
    )
    team = forms.ChoiceField(choices=[("a", "A")], widget=forms.Select(attrs={"class": "own"}))
    agree = forms.BooleanField(label="I agree")
    token = forms.CharField(widget=forms.HiddenInput, required=False)


def test_help_and_errors_are_bound_to_their_control():
    html = str(RunForm({}))

    control = re.search(r'<input type="text" name="method"[^>]*>', html)[0]
    described_by = re.search(r'aria-describedby="([^"]*)"', control)[1].split()
    assert described_by == ["id_method_helptext", "id_method_error"]
    assert all(f'id="{name}"' in html for name in described_by)
    assert 'aria-invalid="true"' in control


def test_the_summary_of_errors_links_to_each_field():
    html = str(RunForm({}))
    summary = html[html.index("error-summary") : html.index('<div class="field')]

    targets = re.findall(r'href="#([^"]+)"', summary)
    assert targets == ["id_method", "id_scenarios_0", "id_team", "id_agree"]
    assert all(f'id="{target}"' in html for target in targets)


def test_a_form_without_errors_has_no_summary():
    assert "error-summary" not in str(RunForm())


def test_controls_have_the_class_of_their_kind_beside_their_own():
    html = str(RunForm())

    assert 'class="form-control"' in re.search(r'<input type="text" name="method"[^>]*>', html)[0]
    assert 'class="form-select own"' in html
    assert 'type="hidden" name="token"' in html
    assert html.count('name="token"') == 1


def test_every_control_has_a_label_and_optional_ones_say_so():
    html = str(RunForm())

    ids = re.findall(r'<(?:input|select)[^>]* id="([^"]+)"', html)
    visible = [name for name in ids if name != "id_token"]
    assert visible == ["id_method", "id_link", "id_scenarios_0", "id_scenarios_1", "id_team", "id_agree"]
    assert all(f'<label for="{name}">' in html for name in visible)
    assert html.count("(optional)") == 1


def test_what_a_visitor_typed_is_escaped_in_form_and_summary():
    html = str(RunForm({"scenarios": ["<b>x</b>"], "method": "<b>y</b>"}))

    assert "<b>" not in html


def test_the_admin_keeps_its_own_forms(client, administering):
    client.force_login(administering)
    content = client.get("/admin/accounts/user/add/").content.decode()

    assert "vTextField" in content
    assert "form-control" not in content


# The frame


def test_pages_leave_nothing_to_inline_scripts_and_styles(as_alice, phase, team):
    Participation.objects.create(task=phase.task, team=team, number=1)

    for path in ("/", "/tasks/health/", "/nowhere/"):
        response = as_alice.get(path)
        content = response.content.decode()
        assert "default-src 'self'" in response["Content-Security-Policy"]
        assert "unsafe" not in response["Content-Security-Policy"]
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*(\ssrc=|ld.json))", content)
        assert not re.search(r'(?:src|href)="(?:https?:)?//', content)


@pytest.mark.parametrize("path", ["/", "/nowhere/", "/api/v1/tasks", "/static/favicon.svg", "/?a=%00"])
def test_every_answer_says_what_pages_may_not_do_and_stands_in_no_other_site_s(client, db, path):
    answer = client.get(path)
    policy = answer["Permissions-Policy"].split(", ")
    assert {"camera=()", "geolocation=()", "microphone=()", "payment=()", "usb=()"} < set(policy)
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    if not path.startswith("/static/"):
        directives = answer["Content-Security-Policy"].split("; ")
        assert {"script-src 'self'", "connect-src 'self'", "frame-src 'none'", "object-src 'none'"} < set(directives)
    answer.close()


def test_every_static_file_of_a_page_exists(client, phase):
    for path in ("/", "/tasks/health/"):
        files = re.findall(r'(?:src|href)="/static/([^"#]+)', client.get(path).content.decode())
        assert len(set(files)) > 8
        assert [file for file in files if not finders.find(file)] == []


def test_every_icon_that_a_template_names_is_in_the_sprite():
    symbols = set(re.findall(r'<symbol id="([^"]+)"', (STATIC / "icons.svg").read_text()))
    used = {
        name
        for template in TEMPLATES.rglob("*.html")
        for name in re.findall(r'_icon\.html" with name="([^"]+)"', template.read_text())
    }

    assert used
    assert used <= symbols


def test_vendored_files_name_no_source_map_and_carry_their_licence():
    for folder in (path for path in (STATIC / "vendor").iterdir() if path.is_dir()):
        assert (folder / "LICENSE").is_file()
    assert all(b"sourceMappingURL" not in file.read_bytes() for file in STATIC.rglob("*.css"))


def test_logging_out_is_a_post(as_alice):
    content = as_alice.get("/mine/?page=/").content.decode()

    assert re.search(r'<form method="post" action="/accounts/logout/">\s*<input type="hidden" name="csrf', content)
    assert 'href="/accounts/logout/"' not in content


def test_the_way_to_the_desk_is_shown_to_organisers_only(as_alice, as_olga):
    assert 'href="/organise/"' not in as_alice.get("/").content.decode()
    assert re.search(r'href="/organise/"\s*>\s*Organise</a>', as_olga.get("/").content.decode())


def test_a_long_or_foreign_name_is_cut_with_the_whole_in_its_title(client, db):
    client.force_login(make_user("محمد " * 20 + "<b>", email="long@example.org"))

    assert f'title="{"محمد " * 20}&lt;b&gt;"' in client.get("/mine/?page=/").content.decode()


def test_links_to_further_pages_keep_the_rest_of_the_query(rf):
    html = get_template("includes/_pagination.html").render(
        {"page": Paginator(range(30), 10).page(2)}, rf.get("/?q=a&page=2")
    )

    assert re.findall(r'href="(\?[^"]+)"', html) == ["?q=a&amp;page=1", "?q=a&amp;page=3"]
    assert "Page 2 of 3" in html


class RunTable(tables.Table):
    caption = "Runs of the team"
    method = tables.Column()
    score = tables.Column(orderable=False, attrs={"td": {"class": "num"}})


def test_a_table_says_how_it_is_sorted_and_links_to_its_other_pages(rf):
    request = rf.get("/?q=a&sort=-method")
    table = RunTable([{"method": f"<b>{number}</b>", "score": number} for number in range(30)])
    tables.RequestConfig(request, paginate={"per_page": 10}).configure(table)

    html = table.as_html(request)

    assert "<caption>Runs of the team</caption>" in html
    assert len(re.findall(r'<th scope="col"[^>]* aria-sort="descending"', html)) == 1
    assert 'href="?q=a&amp;sort=method"' in html
    assert 'href="?q=a&amp;sort=-method&amp;page=2"' in html
    assert "Page 1 of 3" in html
    assert '<td class="num">9</td>' in html
    assert "<b>" not in html


# Error pages


def test_a_wrong_address_gives_a_page_of_ours(client, db):
    response = client.get("/nowhere/")

    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()


def test_the_page_for_our_own_errors_needs_no_request():
    content = get_template("500.html").render()

    assert "Something broke on our side." in content
    assert "Evalsite</title>" in content
    assert "Log in" not in content


def test_a_form_without_its_token_gives_a_page_of_ours(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = client.post("/accounts/logout/")

    assert response.status_code == 403
    assert "This form is no longer valid." in response.content.decode()


@pytest.mark.parametrize("code", [400, 403, 404])
def test_every_error_page_says_what_to_do_next(rf, code):
    content = get_template(f"{code}.html").render({}, rf.get("/"))

    assert f"Error {code}" in content
    assert 'href="/">To the tasks' in content


# Colours

PAIR = re.compile(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")


def luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast_on_every_surface(theme):
    pairs = PAIR.findall((STATIC / "css/theme.css").read_text())
    colours = {name: light if theme == "light" else dark for name, light, dark in pairs}
    surfaces = ["paper", "paper-raised", "paper-sunken", "accent-soft", "good-soft", "warn-soft", "bad-soft"]

    assert all(contrast(colours["ink"], colours[surface]) >= 7 for surface in surfaces)
    for ink in ("ink-soft", "accent", "accent-strong", "good", "warn", "bad"):
        assert all(contrast(colours[ink], colours[surface]) >= 4.5 for surface in surfaces[:3])
    for state in ("good", "warn", "bad", "accent"):
        assert contrast(colours[state], colours[f"{state}-soft"]) >= 4.5
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    assert contrast(colours["on-accent"], colours["accent-strong"]) >= 4.5
    assert contrast(colours["field-edge"], colours["paper"]) >= 3
