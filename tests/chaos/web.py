"""The site's WSGI application, whose clock can jump."""

from evalsite.wsgi import application
from tests.chaos.jumping import follow_clock

__all__ = ("application",)

follow_clock()
