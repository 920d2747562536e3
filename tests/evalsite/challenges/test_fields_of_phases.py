"""A field of a phase is where organisers and programs look for it; a test names one that is not.

Public pages that show it are in `CHANGES` of `public_pages/test_freshness.py`, or its `NOT_SHOWN` says why none does.
"""

from django.utils.functional import Promise

from evalsite.api.schemas import PhaseDescribed
from evalsite.challenges.models import Phase
from evalsite.desk.phases import forms, rules
from tests.forgotten import assert_all_are_listed

_FIELDS = {field.name for field in Phase._meta.concrete_fields} - {"id", "task", "version", "created"}
# What organisers set elsewhere, or nobody does.
_NOT_ON_THE_FORMS = {
    **dict.fromkeys(("gold_due", "results_released"), "on the page of the release"),
    **dict.fromkeys(("gold_released_since", "former_closings"), "noted when another field is saved"),
    **dict.fromkeys(("is_paused", "pause_reason"), "by a button of the page"),
    "counts_is_usual": "follows from whether organisers have chosen `counts`",
    "is_former_season": "set when a new season begins",
    "mend_days": "on the page of runs before gold, of an app of contrib",
}
# What programs are told otherwise, or not at all.
_NOT_IN_THE_API = {
    **dict.fromkeys(("window_limit", "window", "year_limit", "year", "total_limit"), "as `limits`"),
    "upload_megabytes": "a larger upload is refused with the limit",
    **dict.fromkeys(("board_audience", "is_ladder"), "as `shows_board`"),
    "gold_released": "as `gold_is_released`",
    **dict.fromkeys(("gold_released_since", "gold_due"), "a plan of the organisers, or a note of the site"),
    "is_paused": "as `state`",
    "results_released": "as `shows_scores`",
    "members_only": "whom it keeps out gets no data",
    "is_anonymous": "names of teams are left out then",
    "mend_days": "whoever may mend a run is told until when",
    **dict.fromkeys(("ranks_late", "counts_is_usual", "is_former_season"), "rules of the board, which its rows follow"),
}


def test_each_field_of_a_phase_is_on_a_form_of_the_desk():
    forms_of_pages = [
        form for module in (forms, rules) for form in vars(module).values() if hasattr(form, "base_fields")
    ]
    shown = {name for form in forms_of_pages for name in form.base_fields}
    where = "add it to a form in evalsite/desk/phases/forms.py, or say in _NOT_ON_THE_FORMS where it is set"
    assert_all_are_listed(_FIELDS - shown, _NOT_ON_THE_FORMS, where)


def test_each_field_of_a_phase_is_in_the_api():
    where = "add it to PhaseDescribed in evalsite/api/schemas.py, or say in _NOT_IN_THE_API how programs learn it"
    assert_all_are_listed(_FIELDS - PhaseDescribed.model_fields.keys(), _NOT_IN_THE_API, where)


def test_each_field_of_a_phase_has_a_name_for_the_log():
    shown = [field for field in Phase._meta.concrete_fields if field.editable and field.name != "doi"]
    unnamed = [field.name for field in shown if not isinstance(field.verbose_name, Promise)]
    assert unnamed == [], "give the field a first argument gettext_lazy(…): the log of the task calls it so"
