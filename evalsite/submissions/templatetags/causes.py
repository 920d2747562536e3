"""Why files are refused, and what a team has left, in the visitor's language."""

from django import template

from evalsite.submissions import wording

register = template.Library()

register.filter(wording.allowance)
register.filter(wording.cause_lines)
register.filter(wording.cause_message)
register.filter(wording.suggested)
register.filter(wording.uploads_left)
