"""The entry for a WSGI server: `gunicorn evalsite.wsgi`."""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from evalsite.jobs import sandbox
from evalsite.upkeep import writable
from scoring.families import FAMILIES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")

application = get_wsgi_application()
# Load views, addresses and the engine's families before the first request, which would otherwise take some seconds and
# make others wait.
reverse("home")
tuple(FAMILIES.values())
if settings.PRODUCTION:
    writable.log_at_start()
sandbox.start()

# What is loaded now stays forever. Without freeze() the garbage collector traverses it again and again, and a large
# board takes twice as long whenever that happens during its request.
gc.collect()
gc.freeze()
# A page makes some ten thousand objects, nearly all of which are freed without the collector. With the default
# threshold of 700 the search for the few cycles among them costs a tenth of the page.
gc.set_threshold(50_000, 20, 20)
