"""Tags for what a page offers to try: commands that can be typed as they stand."""

from django import template

from evalsite.challenges.starter_kit import samples, wheel

register = template.Library()
register.simple_tag(samples.check_command)
register.simple_tag(samples.input_command)
register.simple_tag(samples.engine_address)
register.simple_tag(wheel.extras_of)
