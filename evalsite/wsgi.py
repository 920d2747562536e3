"""The entry for a WSGI server: `gunicorn evalsite.wsgi`."""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from evalsite.jobs import limited
from evalsite.upkeep import writable
from scoring.families import FAMILIES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")

application = get_wsgi_application()
# Before the first request, as its visitor would wait for some seconds else, and whoever comes meanwhile for longer: the
# pages, the addresses that they link to, and the engine's families.
reverse("home")
tuple(FAMILIES.values())
if settings.PRODUCTION:
    writable.log_at_start()
limited.start()

# What is loaded now stays for ever. Left to the garbage collector, it is gone through again and again, and a large
# board takes twice as long whenever that falls into its request.
gc.collect()
gc.freeze()
# A page makes some ten thousand objects, nearly all of which go by themselves. Looked for at every 700th, the few that
# refer to each other in a circle cost a tenth of the page.
gc.set_threshold(50_000, 20, 20)
