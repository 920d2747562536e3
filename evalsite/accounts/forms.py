"""Forms of sign-up, log-in and profile, and of teams."""

import unicodedata
from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms

from evalsite.accounts.models import Team, User
from evalsite.accounts.services import is_taken

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"  # spelling needs them, in Persian for one


class NameField(forms.CharField):
    """A name in any script, without the invisible characters that could reorder or hide what stands beside it."""

    def to_python(self, value: Any) -> str:
        text = " ".join(unicodedata.normalize("NFC", super().to_python(value)).split())
        return "".join(char for char in text if char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf"})

    def validate(self, value: str) -> None:
        super().validate(value)
        if value and not any(char.isalnum() for char in value):
            raise forms.ValidationError("Use at least one letter or digit.")


class _Worded(forms.Form):
    """A form of allauth with the site's words, and labels instead of placeholders."""

    words: ClassVar[dict[str, tuple[str, str]]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.error_messages |= {"required": "Fill this in.", "invalid": "Write an address like name@example.org."}
            if name in self.words:
                field.label, field.help_text = self.words[name]


_EMAIL = "E-mail address"
_STRENGTH = "At least 8 characters. A few unrelated words are strong and easy to keep in mind."
_NEW_PASSWORD = {"password1": ("New password", _STRENGTH), "password2": ("New password, again", "")}
_CODE = {"code": ("Code", "Six digits from your app, or one of your recovery codes.")}


class SignupForm(_Worded, account.SignupForm):
    name = NameField(max_length=150, help_text="As team mates and organisers should see it.")
    affiliation = NameField(max_length=200, required=False, help_text="University, company or institute.")
    field_order: ClassVar[list[str]] = ["name", "affiliation", "email", "password1"]
    words: ClassVar[dict[str, tuple[str, str]]] = {
        "email": (_EMAIL, "You log in with it. We send a link to it now, and never show it on a board."),
        "password1": ("Password", _STRENGTH),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["affiliation"].widget.attrs["autocomplete"] = "organization"


class LoginForm(_Worded, account.LoginForm):
    words: ClassVar[dict[str, tuple[str, str]]] = {
        "login": (_EMAIL, ""),
        "password": ("Password", ""),
        "remember": ("Keep me logged in on this device", ""),
    }


class EmailForm(_Worded, account.AddEmailForm):
    words: ClassVar[dict[str, tuple[str, str]]] = {
        "email": ("New e-mail address", "It counts once you have followed the link that we send to it.")
    }


class ChangePasswordForm(_Worded, account.ChangePasswordForm):
    words: ClassVar[dict[str, tuple[str, str]]] = {"oldpassword": ("Current password", "")} | _NEW_PASSWORD


class SetPasswordForm(_Worded, account.SetPasswordForm):
    words = _NEW_PASSWORD


class ResetPasswordForm(_Worded, account.ResetPasswordForm):
    words: ClassVar[dict[str, tuple[str, str]]] = {"email": (_EMAIL, "")}


class ResetPasswordKeyForm(_Worded, account.ResetPasswordKeyForm):
    words = _NEW_PASSWORD


class ReauthenticateForm(_Worded, account.ReauthenticateForm):
    words: ClassVar[dict[str, tuple[str, str]]] = {"password": ("Password", "")}


class SecondFactorForm(_Worded, mfa.AuthenticateForm):
    words = _CODE


class SecondFactorAgainForm(_Worded, mfa.ReauthenticateForm):
    words = _CODE


class ActivateAppForm(_Worded, ActivateTOTPForm):
    words: ClassVar[dict[str, tuple[str, str]]] = {"code": ("Code", "The six digits that the app shows now.")}


class ProfileForm(forms.ModelForm):
    name = NameField(max_length=150, help_text="As team mates and organisers should see it.")
    affiliation = NameField(max_length=200, required=False, help_text="University, company or institute.")

    class Meta:
        model = User
        fields = ("name", "affiliation")


class TeamForm(forms.ModelForm):
    """A new team of `user`, or a change of one; whether its tasks have the name free is found when it is saved."""

    name = NameField(max_length=100, help_text="Stands on the boards of the tasks that the team enters.")
    affiliation = NameField(max_length=200, required=False, help_text="University, company or institute.")

    class Meta:
        model = Team
        fields = ("name", "affiliation")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        owned = Team.objects.filter(memberships__user=self.user, memberships__is_owner=True)
        if is_taken(name, owned, besides=self.instance):
            raise forms.ValidationError("Another team of yours has this name. Add something that tells them apart.")
        return name
