"""Version 1 of the API. Its reference is our own page, so that nothing is loaded from elsewhere."""

from django.conf import settings
from django.utils.translation import gettext_noop as _
from ninja import NinjaAPI

from evalsite.api.endpoints import boards, submissions, tasks, uploading
from evalsite.api.problems import answer_problems
from evalsite.base.contrib import api_routers

api = NinjaAPI(
    title=settings.SITE_NAME,
    version="1",
    description=_("Tasks, runs, scores and boards for programs, by the same rules as the pages."),
    urls_namespace="api",
    docs_url=None,
)
# Runs of a task come before its phases, since a phase's slug could match their addresses.
for router in (submissions.router, uploading.router, boards.router, *api_routers(), tasks.router):
    api.add_router("", router)
answer_problems(api)
