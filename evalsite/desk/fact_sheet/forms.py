"""The parts of the page of the fact sheet: fields of one's own, and until when teams change what they tell."""

from django.utils.translation import gettext, gettext_lazy, ngettext

from evalsite.challenges.forms.own_fields import OwnFieldsField
from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import FactSheet
from evalsite.desk.sections import MomentForm, SectionForm


class FieldsForm(SectionForm):
    key, heading = "fields", gettext_lazy("Fields of your own")
    template = "desk/fact_sheet/_fields.html"
    own = OwnFieldsField(label=gettext_lazy("Fields"))

    class Meta:
        model = FactSheet
        fields = ("own",)

    @property
    def stored_summary(self) -> str:
        n = len(self.stored("own") or [])
        return ngettext("%(n)d field", "%(n)d fields", n) % {"n": n} if n else gettext("none")


class UntilForm(MomentForm):
    key, heading, moment = "until", gettext_lazy("Until when"), "edited_until"
    edited_until = MomentField(
        label=gettext_lazy("Teams change it until"),
        required=False,
        help_text=gettext_lazy("Empty: until the results of a run's phase are released. Each change is in the log."),
    )
    field_order = ("zone", "edited_until")

    class Meta:
        model = FactSheet
        fields = ("edited_until",)
