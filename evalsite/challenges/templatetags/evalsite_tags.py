"""Tags and filters of all apps' templates: numbers and times in words, Markdown, the controls of forms."""

import re
from datetime import UTC, datetime
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect, Select
from django.template import Context
from django.template.base import Node, NodeList, Parser, TextNode, Token, TokenType
from django.template.loader import render_to_string
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from evalsite import wording
from evalsite.accounts.organisers import is_organiser
from evalsite.base import contrib
from evalsite.challenges.forms.zones import in_zone
from evalsite.challenges.gold.remarks import remark_in_words
from evalsite.challenges.models import Scenario, Task
from evalsite.challenges.option_words import options_in_words
from evalsite.challenges.texts import markdown as markdown_
from evalsite.challenges.texts.pictures import address_of_picture
from evalsite.challenges.wording import (
    closing_moved,
    detail_told,
    in_state,
    notice_of_brought,
    phase_state,
    uploads_allowed,
)
from evalsite.translating.engine import from_engine

register = template.Library()

_FILTERS = (
    *(
        from_engine,
        options_in_words,
        in_zone,
        closing_moved,
        uploads_allowed,
        phase_state,
        in_state,
        detail_told,
        remark_in_words,
    ),
    *(wording.score, wording.signed, wording.interval, wording.about, wording.gap, wording.fitted, wording.share),
    *(
        wording.signed_interval,
        wording.leader_interval,
        wording.told_apart,
        wording.utc,
        wording.minute,
        wording.day,
        wording.exact,
    ),
    *(wording.exact, wording.exactly, wording.at_least, wording.amount, wording.in_digits, wording.inside_sentence),
    *(wording.relative, wording.duration, wording.roughly, wording.size, wording.names),
)
for _filter in _FILTERS:
    register.filter(_filter)
register.filter("organises", is_organiser)
register.simple_tag(wording.scored)
register.simple_tag(notice_of_brought)


@register.simple_tag(takes_context=True)
def data_language(context: Context) -> str:
    """Return the language of the texts of gold and runs on this page: that of its scenario, else the task's if it has
    one alone; "" is HTML's "not known".
    """
    scenario = context.get("scenario") or getattr(context.get("section"), "scenario", None)
    if isinstance(scenario, Scenario):
        return scenario.data_language
    language = str(getattr(context.get("task"), "data_language", ""))
    return language if " " not in language else ""


@register.simple_tag(takes_context=True)
def panels(context: Context, place: str) -> SafeString:
    """Render what apps of contrib have for this place, with the variables of the page."""
    rendered = []
    for name, more in contrib.panels_at(contrib.Place(place)):
        with context.push(**more(context)):
            rendered.append(context.template.engine.get_template(name).render(context))  # type: ignore[union-attr]
    return mark_safe("".join(rendered))


@register.simple_tag(takes_context=True)
def written_time(context: Context) -> SafeString:
    """Return `time` as an element of HTML, as includes/_time.html says; pages have many."""
    time: datetime | None = context.get("time")
    if not time:
        return SafeString("–")
    relative = ""
    if context.get("relative"):
        words = conditional_escape(wording.relative(time))
        relative = f'<span class="relative">{words}</span> <span aria-hidden="true">·</span> '
    words = conditional_escape((wording.minute if context.get("to_the_minute") else wording.utc)(time))
    alone = '="alone"' if context.get("alone") else ""
    return SafeString(f'{relative}<time datetime="{time.astimezone(UTC).isoformat()}" data-local{alone}>{words}</time>')


@register.simple_tag
def site_name() -> str:
    """Return the site's name from the settings, so that error pages made without a request have it too."""
    return str(settings.SITE_NAME)


@register.simple_tag
def site_about() -> bool:
    """Return whether the owner of the site has a text about it."""
    return bool(settings.ABOUT_FILE)


@register.simple_tag
def site_source() -> str:
    return str(settings.SOURCE_URL)


@register.simple_tag
def site_prints_mail() -> bool:
    """Return whether mails are printed where the site runs, as in the demo, instead of being sent."""
    return str(settings.MAIL_TRANSPORT).endswith(".console.EmailBackend")


@register.simple_tag
def site_contact() -> str:
    """Return the contact as an address to link to; "" if there is none."""
    contact = str(settings.CONTACT)
    return f"mailto:{contact}" if "@" in contact and ":" not in contact else contact


@register.filter
def markdown(text: str, task: Task | None = None) -> SafeString:
    """Render a text of the task, with the task's own pictures."""
    shown = markdown_.render(text, address_of_picture(task)) if task else markdown_.render(text)
    return mark_safe(shown)  # noqa: S308 - sanitised there


@register.filter
def control(field: BoundField) -> SafeString:
    """Render the field's widget with Bootstrap's class of its kind, and the widget's own classes."""
    widget = field.field.widget
    if isinstance(widget, CheckboxInput):
        return field.as_widget()
    classes = widget.attrs.get("class", "")
    kind = "form-select" if isinstance(widget, Select) else "form-control"
    return field.as_widget(attrs={"class": f"{kind} {classes}".strip()})


@register.filter
def is_checkbox(field: BoundField) -> bool:
    return isinstance(field.field.widget, CheckboxInput)


@register.filter
def is_choices(field: BoundField) -> bool:
    """Return whether the field is a group of radio buttons or of checkboxes."""
    return isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)


@register.simple_block_tag
def empty_state(content: str, title: str, url: str = "", action: str = "") -> SafeString:
    """Render an empty state: a title, the text inside and, if there is a way to begin, a link to it."""
    return render_to_string("includes/_empty.html", {"title": title, "text": content, "url": url, "action": action})


@register.tag
def joined(parser: Parser, token: Token) -> Node:
    """Join the lines inside, for text that must have no blank but the ones that are meant.

    A line break beside a tag, of HTML or of Django, goes with the indentation after it; one between two words becomes a
    blank. At the end of a template the last line break goes too, so that a full stop can follow where the template is
    included. This happens once, when the template is read.
    """
    nodes = parser.parse(("endjoined",))
    parser.delete_first_token()
    rest: list[Token] = parser.tokens  # type: ignore[assignment]
    if len(rest) == 1 and rest[0].token_type == TokenType.TEXT and rest[0].contents.isspace():
        rest.clear()
    texts: list[TextNode] = nodes.get_nodes_by_type(TextNode)  # type: ignore[assignment]
    for text in texts:
        text.s = _without_breaks(text.s)
    return JoinedNode(nodes)


class JoinedNode(Node):
    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: template.Context) -> Any:
        return self.nodelist.render(context)


def _without_breaks(text: str) -> str:
    return re.sub(r"\s*\n\s*", "", re.sub(r"(?<=[^\s>])[ \t]*\n\s*(?=[^\s<])", " ", text))
