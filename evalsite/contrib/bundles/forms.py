"""The form by which a bundle is sent."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext, gettext_lazy

from evalsite.desk.making.forms import use_choices
from evalsite.wording import size


class UseForm(forms.Form):
    """How runs of a competition are scored here; asked once it is known that the bundle is one."""

    use = forms.ChoiceField(
        label=gettext_lazy("What its systems do"),
        help_text=gettext_lazy(
            "Its scoring program is named but never run: one of this site's ways of scoring is used instead."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["use"].choices = [("", "–"), *use_choices()[1:]]


class BundleForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("Bundle"))

    def __init__(self, *args: Any, is_too_large: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_too_large = is_too_large
        most = gettext("A zip archive of at most %(size)s. The site's administrators can import larger ones.")
        self.fields["file"].help_text = most % {"size": size(settings.MAX_UPLOAD_BYTES)}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.is_too_large:
            self.errors.pop("file", None)
            most = gettext("The file is too large: at most %(size)s. The site's administrators can import larger ones.")
            self.add_error("file", most % {"size": size(settings.MAX_UPLOAD_BYTES)})
        return cleaned
