"""What templates of all rooms use: numbers and times in words, Markdown, the controls of forms."""

from django import template
from django.conf import settings
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect, Select
from django.utils.safestring import SafeString, mark_safe

from evalsite import wording
from evalsite.challenges import markdown as markdown_

register = template.Library()

register.filter(wording.score)
register.filter(wording.signed)
register.filter(wording.interval)
register.filter(wording.option_value)
register.filter(wording.utc)
register.filter(wording.relative)
register.filter(wording.duration)
register.filter(wording.size)


@register.simple_tag
def site_name() -> str:
    """From the settings, so that error pages made without a request have it too."""
    return str(settings.SITE_NAME)


@register.filter
def markdown(text: str) -> SafeString:
    return mark_safe(markdown_.render(text))  # noqa: S308 - sanitised there


@register.filter
def control(field: BoundField) -> SafeString:
    """The field's widget with Bootstrap's class of its kind; the widget's own classes stay."""
    widget = field.field.widget
    if isinstance(widget, CheckboxInput):
        return field.as_widget()
    own = widget.attrs.get("class", "")
    kind = "form-select" if isinstance(widget, Select) else "form-control"
    return field.as_widget(attrs={"class": f"{kind} {own}".strip()})


@register.filter
def is_checkbox(field: BoundField) -> bool:
    return isinstance(field.field.widget, CheckboxInput)


@register.filter
def is_choices(field: BoundField) -> bool:
    """Whether the field is a group of radio buttons or of checkboxes."""
    return isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)
