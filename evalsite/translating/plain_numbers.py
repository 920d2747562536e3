"""Renders templates in which a bare number stays a number: `x="0.5"` of a chart must not become `x="0,5"`.

Numbers for people go through evalsite.wording, which knows the visitor's language.
"""

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.context import make_context
from django.utils.safestring import SafeString


class PlainNumbers(DjangoTemplates):
    def from_string(self, template_code: str) -> "_Template":
        return _Template(self.engine.from_string(template_code), self)

    def get_template(self, template_name: str) -> "_Template":
        try:
            return _Template(self.engine.get_template(template_name), self)
        except TemplateDoesNotExist as error:
            reraise(error, self)
            raise


class _Template(Template):
    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> SafeString:
        bound = make_context(context, request, autoescape=self.backend.engine.autoescape)
        bound.use_l10n = False
        try:
            return self.template.render(bound)
        except TemplateDoesNotExist as error:
            reraise(error, self.backend)
            raise
