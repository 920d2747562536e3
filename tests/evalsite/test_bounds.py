"""What a row may hold is said by its model, and holds at each door: forms, clones and plain writes.

The fields are walked, so that a new one is tried as soon as it is there.
"""

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.forms import modelform_factory

from evalsite.accounts.fields import LineField
from evalsite.accounts.models import Team, User
from evalsite.base.fields import (
    LONGEST_TEXT,
    LimitField,
    MarkdownField,
    MomentField,
    SpanField,
)
from evalsite.base.validation import messages_of, require_valid
from evalsite.challenges.models import Announcement, Phase, Task
from evalsite.desk.making.cloning import COPIED, clone
from evalsite.submissions.models import Submission
from tests.factories import make_task
from tests.whole_task import make_whole_task

DIRTY = "Sea\r\nBcc: x@y.example\x0b\x07 \u202egnp\u2066 \u200bz\x00"[:-1]
CLEAN = "Sea Bcc: x@y.example gnp z"
PILED = "a" + "\u0301" * 9
TOO_EARLY, TOO_LATE = datetime(1989, 12, 31, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)
# Lines that are no words of people: keys, codes and signs that a form offers or a program makes.
NO_LINES = {
    *(
        "language",
        "data_language",
        "contact",
        "zone",
        "slug",
        "family",
        "use",
        "separator",
        "formula",
        "file_name",
        "doi",
    ),
    *("link", "code", "sha256", "digest", "name_key", "look_key", "secret", "invitation", "engine", "candidate_engine"),
    *("email", "password", "kind", "basis"),
}
# What organisers write themselves, and what others do.
OF_TASKS = [*COPIED, Announcement, Submission]
MODELS = [*OF_TASKS, Team, User]


def columns(model):
    return [field for field in model._meta.concrete_fields if not field.is_relation and field.name != "id"]


ALL = [(model, field) for model in MODELS for field in columns(model)]


def ids(pairs):
    return [f"{model.__name__}.{field.name}" for model, field in pairs]


@pytest.mark.parametrize(("model", "field"), ALL, ids=ids(ALL))
def test_each_field_bounds_what_it_holds(model, field):
    """A new field is one of those of the site's own, or is named here."""
    if isinstance(field, models.DateTimeField):
        assert model in (Team, User) or not field.editable or isinstance(field, MomentField)
    elif isinstance(field, models.DurationField):
        assert isinstance(field, SpanField)
    elif isinstance(field, models.CharField) and not field.choices:
        is_picture = field.name == "name" and model.__name__ == "Picture"  # a name in addresses, checked as one
        assert isinstance(field, LineField) or field.name in NO_LINES or is_picture
    elif type(field) in (models.PositiveIntegerField, models.PositiveSmallIntegerField, models.IntegerField):
        pytest.fail("SQLite holds numbers that PostgreSQL does not")
    elif isinstance(field, models.IntegerField) and field.name.endswith("_limit"):
        assert isinstance(field, LimitField)


def bad_values(field):
    """Yield values that no door may take."""
    if isinstance(field, models.DateTimeField):
        yield from (TOO_EARLY, TOO_LATE)
    elif isinstance(field, models.DurationField):
        yield from (timedelta(days=999_999_999), timedelta(0), timedelta(days=-1), timedelta(days=367))
    elif isinstance(field, models.IntegerField):
        yield from (2**63, -1)
        if not isinstance(field, models.BigIntegerField | models.PositiveBigIntegerField):
            yield 2**31
    elif isinstance(field, models.CharField) and field.choices:
        yield "no choice"
    elif isinstance(field, models.CharField):
        yield "x" * (field.max_length + 1)
        if isinstance(field, LineField):
            yield PILED
            yield "\u202e\u200b" * 3 if not field.blank else PILED
    elif isinstance(field, MarkdownField):
        yield "x" * (LONGEST_TEXT + 1)


BOUNDED = [
    (model, field)
    for model in OF_TASKS
    for field in columns(model)
    if any(True for _ in bad_values(field)) and field.editable
]


@pytest.mark.parametrize(("model", "field"), BOUNDED, ids=ids(BOUNDED))
def test_the_model_refuses_each_bad_value(model, field):
    for value in bad_values(field):
        row = model(**{field.attname: value})
        others = {each.name for each in columns(model)} - {field.name}
        with pytest.raises(ValidationError) as caught:
            row.clean_fields(exclude=others | {each.name for each in model._meta.fields if each.is_relation})
        assert messages_of(caught.value)[0][0] == field.name


FORMED = [(model, field) for model, field in BOUNDED if not isinstance(field, models.FileField | models.URLField)]


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "field"), FORMED, ids=ids(FORMED))
def test_a_form_of_the_model_refuses_each_bad_value_beside_its_field(model, field):
    formed = [each for each in columns(model) if each.editable and not isinstance(each, models.URLField)]
    form_class = modelform_factory(model, fields=[each.name for each in formed])
    for value in bad_values(field):
        form = form_class({field.name: value})
        assert not form.is_valid()
        assert field.name in form.errors


LINES = [
    (model, field)
    for model in apps.get_models()
    for field in model._meta.concrete_fields
    if isinstance(field, LineField)
]


@pytest.mark.parametrize(("model", "field"), LINES, ids=ids(LINES))
def test_a_line_is_clean_whoever_stores_it(model, field):
    assert field.clean(DIRTY, None) == CLEAN
    assert field.get_prep_value(DIRTY) == CLEAN
    row = model(**{field.attname: DIRTY})
    assert (field.pre_save(row, add=True), getattr(row, field.attname)) == (CLEAN, CLEAN)
    assert field.deconstruct()[1] == "django.db.models.CharField"


@pytest.mark.django_db
def test_plain_writes_store_clean_lines_and_look_them_up(olga):
    task = make_task("sea", olga)
    Task.objects.filter(pk=task.pk).update(title=DIRTY)
    assert Task.objects.get(title=DIRTY).title == CLEAN
    Phase.objects.bulk_create([Phase(task=task, slug="p", name=DIRTY, opens=datetime(2026, 9, 1, tzinfo=UTC))])
    assert task.phases.get(slug="p").name == CLEAN
    assert Team.objects.create(name=DIRTY, affiliation=DIRTY).affiliation == CLEAN


@pytest.fixture
def whole(olga, team) -> Task:
    return make_whole_task(olga)


@pytest.mark.django_db
@pytest.mark.parametrize("opens", [TOO_EARLY, TOO_LATE, datetime(2100, 12, 31, tzinfo=UTC)])
def test_a_clone_whose_times_move_out_of_range_is_refused_and_leaves_nothing(whole, olga, opens):
    with pytest.raises(ValidationError):
        clone(whole, "Again", opens, with_gold=True, by=olga)
    assert Task.objects.get() == whole


@pytest.mark.django_db
def test_the_page_of_a_clone_says_so(whole, as_olga):
    form = {"title": "Again", "opens_0": "9999-12-31", "opens_1": "12:00", "opens_2": "UTC", "with_gold": "on"}
    answer = as_olga.post(f"/tasks/{whole.slug}/organise/clone/", form)
    assert answer.status_code == 422
    assert Task.objects.get() == whole


def test_what_a_row_computes_when_it_is_saved_may_be_empty_before():
    require_valid(Team(name="Faro NLP"))
    with pytest.raises(ValidationError):
        require_valid(Submission(method="x" * 101, created=TOO_LATE))


@pytest.mark.django_db
def test_lines_of_before_are_cleaned_once(olga):
    task = make_task("sea", olga)
    for title in (DIRTY, "\u202e"):
        with connection.cursor() as cursor:  # as it came past the forms
            cursor.execute("UPDATE challenges_task SET title = %s", [title])
        import_module("evalsite.challenges.migrations.0053_clean_lines").clean(apps, connection.schema_editor())
        assert Task.objects.get(pk=task.pk).title == (CLEAN if title == DIRTY else title)
