"""The entry for a WSGI server: `gunicorn evalsite.wsgi`."""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from evalsite.base import garbage
from evalsite.jobs import sandbox
from evalsite.upkeep import writable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")
garbage.collect_seldom()

application = get_wsgi_application()
# Load views and addresses before the first request, which would otherwise take some seconds and make others wait.
reverse("home")
if settings.PRODUCTION:
    writable.log_at_start()
sandbox.start()

# What is loaded now stays forever. Without freeze() the garbage collector traverses it again and again, and a large
# board takes twice as long whenever that happens during its request. Hardly any garbage is among it.
gc.freeze()
