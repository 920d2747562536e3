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
from evalsite.monitoring.health import service_health
from evalsite.monitoring.status import status_lines

CACHE_SECONDS = 5  # for which a condition is shown again, however many ask
_NOT_FOR_ROBOTS = ("/accounts/", "/admin/", "/api/", "/teams/", "/submissions/")


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    try:
        measured = cache.get_or_set("condition", condition, CACHE_SECONDS)
    except DatabaseError:
        measured = None
    answers = service_health()
    lines = status_lines(measured, stores=answers["storage"], writes=answers["writes"]) if measured else []
    is_well = all(line.is_well for line in lines)
    context = {"lines": lines, "at": measured and measured.at, "is_well": is_well}
    response = render(request, "monitoring/status.html", context, status=200 if measured else 503)
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@cache_control(max_age=24 * 3600, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _NOT_FOR_ROBOTS), f"Allow: {reverse('home')}"]
    lines.append(f"Sitemap: {request.build_absolute_uri(reverse('sitemaps'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


class Favicon(RedirectView):
    """Browsers ask for this name where no page has named another icon, as for a file."""

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("favicon.svg")
