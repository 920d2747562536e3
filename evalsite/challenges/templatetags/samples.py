"""What a page offers to try the way with: a command that can be typed as it stands."""

from django import template

from evalsite.challenges.starter_kit import samples

register = template.Library()
register.simple_tag(samples.check_command)
register.simple_tag(samples.input_command)
register.simple_tag(samples.engine_address)
