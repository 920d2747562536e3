"""No text that somebody types takes more than n log n to be looked at, in whatever field of a form it stands."""

import contextlib
import inspect
import random
from functools import partial

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse

from evalsite.accounts import forms as of_accounts
from evalsite.desk.combined import views as of_combined
from evalsite.desk.phases import forms as of_phases
from evalsite.desk.runs import forms as of_runs
from evalsite.desk.texts import forms as of_texts
from evalsite.submissions import forms as of_submissions
from tests.doubling import growth_of_time
from tests.scoring.growing.cases import RUNS
from tests.thoroughness import is_thorough

# As long as a request's fields may be in all, before it is refused unread.
SIZES = [2**14, 2**16, 2**18] if is_thorough() else [2**12, 2**14]
FIELDS = {
    f"{module.__name__.split('.')[-2]}-{name}-{field_name}": field
    for module in (of_accounts, of_combined, of_phases, of_runs, of_submissions, of_texts)
    for name, form in inspect.getmembers(module, inspect.isclass)
    if issubclass(form, forms.BaseForm) and form.__module__ == module.__name__
    for field_name, field in form.base_fields.items()
    if isinstance(field, forms.CharField)
}


def test_fields_of_all_rooms_are_tried():
    assert {"accounts-SignupForm-name", "accounts-TeamForm-name", "submissions-WithdrawalForm-reason"} <= set(FIELDS)
    assert {name.split("-")[0] for name in FIELDS} == {
        *("accounts", "combined", "phases", "runs", "submissions", "texts")
    }


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_looked_at_in_time_that_grows_with_its_text(name):
    growths = {what: growth_of_time(partial(cleaning, FIELDS[name], run), SIZES) for what, run in RUNS.items()}
    assert [f"{what}: {growth}" for what, growth in growths.items() if not growth.is_linear] == []


def cleaning(field, run, n):
    text = run(n)

    def clean():
        with contextlib.suppress(ValidationError):
            field.clean(text)

    return clean


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["account_signup", "account_login", "account_reset_password"])
def test_a_strangers_form_is_answered_in_time_that_grows_with_its_text(client, address):
    """The whole request, for the worst of texts: marks that have to be put in order."""

    def work(n):
        text = RUNS["combining marks"](n)
        data = dict.fromkeys(("name", "affiliation", "email", "login", "password", "password1", "password2"), text)
        client.defaults["REMOTE_ADDR"] = f"10.0.{random.randrange(256)}.{random.randrange(256)}"
        return lambda: client.post(reverse(address), data)

    growth = growth_of_time(work, [size // 8 for size in SIZES])
    assert growth.is_linear, str(growth)
