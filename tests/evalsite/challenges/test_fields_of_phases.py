"""A field of a phase is where organisers, programs and writers of bundles look for it; a test names one that is not."""

import re

from django.conf import settings

from evalsite.api.schemas import PhaseDescribed
from evalsite.challenges.models import Phase
from evalsite.desk.making.cloning import COPIED
from evalsite.desk.phases import forms, rules

# What organisers set elsewhere, or nobody does.
_NOT_ON_THE_FORMS = {
    "counts_is_usual": "follows from whether organisers have chosen `counts`",
    "results_released": "on the page of the release",
    "is_former_season": "set when a new season begins",
}
# What programs are told otherwise, or not at all.
_NOT_IN_THE_API = {
    **dict.fromkeys(("window_limit", "window", "year_limit", "year", "total_limit"), "as `limits`"),
    "upload_megabytes": "a larger upload is refused with the limit",
    **dict.fromkeys(("board_audience", "is_ladder"), "as `shows_board`"),
    "gold_released": "as `gold_is_released`",
    "results_released": "as `shows_scores`",
    "members_only": "whom it keeps out gets no data",
    "is_anonymous": "names of teams are left out then",
    **dict.fromkeys(("ranks_late", "counts_is_usual", "is_former_season"), "rules of the board, which its rows follow"),
}


def test_each_field_of_a_phase_is_on_a_form_of_the_desk():
    classes = [each for module in (forms, rules) for each in vars(module).values() if hasattr(each, "base_fields")]
    shown = {name for form in classes for name in form.base_fields}
    assert set(COPIED[Phase]) - shown == _NOT_ON_THE_FORMS.keys()


def test_each_field_of_a_phase_is_in_the_api():
    assert set(COPIED[Phase]) - set(PhaseDescribed.model_fields) == _NOT_IN_THE_API.keys()


def test_each_field_of_a_phase_is_described_for_bundles():
    text = (settings.BASE_DIR / "docs" / "bundle.md").read_text(encoding="utf-8")
    assert [name for name in COPIED[Phase] if not re.search(rf"\b{name}\b", text)] == []
