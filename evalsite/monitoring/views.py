"""The page that says how the site is, and two files that browsers and search engines ask for."""

from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.generic.base import RedirectView

from evalsite.monitoring.condition import condition
from evalsite.monitoring.parts import parts
from evalsite.monitoring.status import said_of

_STANDS_FOR = 5  # seconds for which a condition is told again, however many ask
_NOT_FOR_ROBOTS = ("/accounts/", "/admin/", "/api/", "/teams/", "/submissions/")


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    try:
        found = cache.get_or_set("condition", condition, _STANDS_FOR)
    except DatabaseError:
        found = None
    answers = parts()
    said = said_of(found, stores=answers["storage"], writes=answers["writes"]) if found else []
    facts = {"said": said, "at": found and found.at, "is_well": bool(said) and all(each.is_well for each in said)}
    response = render(request, "monitoring/status.html", facts, status=200 if found else 503)
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@cache_control(max_age=24 * 3600, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _NOT_FOR_ROBOTS), f"Allow: {reverse('home')}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


class Favicon(RedirectView):
    """Browsers ask for it by this name where no page has named another one, as for a file."""

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("favicon.svg")
