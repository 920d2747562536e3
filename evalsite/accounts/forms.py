"""Forms of sign-up, log-in and profile, and of teams."""

from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.account.adapter import get_adapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.socialaccount import forms as socialaccount
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.fields import LONGEST_GIVEN, require_few_marks
from evalsite.accounts.models import Team, User
from evalsite.accounts.names import cleaned
from evalsite.accounts.services import is_taken


class NameField(forms.CharField):
    """A name in any script, without the invisible characters that could reorder or hide what stands beside it."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value)
        # Checked before it is cleaned, which takes minutes for a letter with a million accents.
        if len(text) > LONGEST_GIVEN * self.max_length:
            most = gettext("Use at most %(most)s characters; these are %(given)s.")
            raise forms.ValidationError(most % {"most": self.max_length, "given": len(text)})
        return cleaned(text)

    def validate(self, value: str) -> None:
        super().validate(value)
        require_few_marks(value)
        if value and not any(char.isalnum() for char in value):
            raise forms.ValidationError(gettext("Use at least one letter or digit."))


Labels = dict[str, tuple[str | Promise, str | Promise]]  # {field: (label, help)}


class _OwnWords(forms.Form):
    """A form of allauth with the site's words, and labels instead of placeholders."""

    words: ClassVar[Labels] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.error_messages |= {
                "required": gettext("Fill this in."),
                "invalid": gettext("Write an address like name@example.org."),
            }
            if name in self.words:
                field.label, field.help_text = self.words[name]


_EMAIL = gettext_lazy("E-mail address")
_STRENGTH = gettext_lazy("At least 8 characters. A few unrelated words are strong and easy to remember.")
_NEW_PASSWORD = {
    "password1": (gettext_lazy("New password"), _STRENGTH),
    "password2": (gettext_lazy("New password, again"), ""),
}
_CODE = {"code": (gettext_lazy("Code"), gettext_lazy("Six digits from your app, or one of your recovery codes."))}


def _name_field() -> NameField:
    return NameField(
        label=gettext_lazy("Name"),
        max_length=150,
        help_text=gettext_lazy("As team mates and organisers should see it."),
    )


def _affiliation_field() -> NameField:
    return NameField(
        label=gettext_lazy("Affiliation"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("University, company or institute."),
    )


class SignupForm(_OwnWords, account.SignupForm):
    name = _name_field()
    affiliation = _affiliation_field()
    field_order: ClassVar[list[str]] = ["name", "affiliation", "email", "password1"]
    words: ClassVar[Labels] = {
        "email": (
            _EMAIL,
            gettext_lazy("You log in with it. We will send a link to it now. It is never shown on a board."),
        ),
        "password1": (gettext_lazy("Password"), _STRENGTH),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["affiliation"].widget.attrs["autocomplete"] = "organization"

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Hash the password in either case, so that timing does not reveal which addresses have accounts."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)


class ProviderSignupForm(_OwnWords, socialaccount.SignupForm):
    """Asks who comes by a provider for what that has not told."""

    name = _name_field()
    affiliation = _affiliation_field()
    field_order: ClassVar[list[str]] = ["name", "affiliation", "email"]
    words: ClassVar[Labels] = {
        "email": (_EMAIL, gettext_lazy("We send mail to it. It is never shown on a board. You confirm it with a link."))
    }


class LoginForm(_OwnWords, account.LoginForm):
    words: ClassVar[Labels] = {
        "login": (_EMAIL, ""),
        "password": (gettext_lazy("Password"), ""),
        "remember": (gettext_lazy("Keep me logged in on this device"), ""),
    }


class EmailForm(_OwnWords, account.AddEmailForm):
    words: ClassVar[Labels] = {
        "email": (
            gettext_lazy("New e-mail address"),
            gettext_lazy("It takes effect once you have followed the link that we send to it."),
        )
    }

    def save(self, request: HttpRequest) -> Any:
        """Tell the present address at once, while its owner can still do something about it."""
        asked = super().save(request)
        get_adapter().send_notification_mail("account/email/email_change_asked", request.user)
        return asked


class ChangePasswordForm(_OwnWords, account.ChangePasswordForm):
    words: ClassVar[Labels] = {"oldpassword": (gettext_lazy("Current password"), "")} | _NEW_PASSWORD


class SetPasswordForm(_OwnWords, account.SetPasswordForm):
    words = _NEW_PASSWORD


class ResetPasswordForm(_OwnWords, account.ResetPasswordForm):
    words: ClassVar[Labels] = {"email": (_EMAIL, "")}


class ResetPasswordKeyForm(_OwnWords, account.ResetPasswordKeyForm):
    words = _NEW_PASSWORD


class ReauthenticateForm(_OwnWords, account.ReauthenticateForm):
    words: ClassVar[Labels] = {"password": (gettext_lazy("Password"), "")}


class SecondFactorForm(_OwnWords, mfa.AuthenticateForm):
    words = _CODE


class SecondFactorAgainForm(_OwnWords, mfa.ReauthenticateForm):
    words = _CODE


class ActivateAppForm(_OwnWords, ActivateTOTPForm):
    words: ClassVar[Labels] = {"code": (gettext_lazy("Code"), gettext_lazy("The six digits that the app shows now."))}


class ProfileForm(forms.ModelForm):
    name = _name_field()
    affiliation = _affiliation_field()
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        help_text=gettext_lazy("The language of pages and of mail to you."),
    )

    class Meta:
        model = User
        fields = ("name", "affiliation", "language")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", gettext_lazy("As set in the browser")), *settings.LANGUAGES]


class TeamForm(forms.ModelForm):
    """A new team of `user`, or a change of one; whether its tasks have the name free is found when it is saved."""

    name = NameField(
        label=gettext_lazy("Name"),
        max_length=100,
        help_text=gettext_lazy("Shown on the boards of the tasks that the team enters."),
    )
    affiliation = NameField(
        label=gettext_lazy("Affiliation"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("University, company or institute."),
    )

    class Meta:
        model = Team
        fields = ("name", "affiliation")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        owned = Team.objects.filter(memberships__user=self.user, memberships__is_owner=True)
        if self.instance._state.adding and owned.count() >= settings.MAX_TEAMS_OWNED:
            enough = gettext("You own %(n)s teams, which is the limit for one person. Delete one or hand it over.")
            raise forms.ValidationError(enough % {"n": settings.MAX_TEAMS_OWNED})
        if is_taken(name, owned, besides=self.instance):
            raise forms.ValidationError(
                gettext("Another team of yours has this name. Add something that tells them apart.")
            )
        return name
