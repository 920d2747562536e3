"""The forms that an owner fills in on the page of people."""

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.challenges.models import Organiser

ROLES = Organiser.Role
RIGHTS = {
    ROLES.VIEWER: gettext_lazy("sees everything, including gold and hidden boards, and changes nothing"),
    ROLES.ORGANISER: gettext_lazy("changes everything except this list"),
    ROLES.OWNER: gettext_lazy("also invites and removes people"),
}


def _with_rights() -> list[tuple[str, str]]:
    return [(role.value, f"{role.label}: {rights}") for role, rights in RIGHTS.items()]


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=pgettext_lazy("of an organiser", "Role"), choices=Organiser.Role)


class InvitationForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        help_text=gettext_lazy(
            "We send a link there, which works only for the account with this address. People "
            "without an account create one on the way. An owner's link is valid for a day, "
            "others for two weeks."
        ),
    )
    role = forms.ChoiceField(
        label=pgettext_lazy("of an organiser", "Role"),
        choices=_with_rights,
        widget=forms.RadioSelect,
        initial=ROLES.ORGANISER,
    )

    def clean_email(self) -> str:
        return self.cleaned_data["email"].lower()
