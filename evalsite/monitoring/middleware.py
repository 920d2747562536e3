"""Answers /healthz, /readyz and /metrics before all else: a load balancer has no name of ours and no HTTPS."""

import hmac
import json
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

from evalsite.monitoring.health import NEEDED, service_health

Next = Callable[[HttpRequest], HttpResponse]


class MonitoringMiddleware:
    """It stands first: other requests cost a look into a dictionary, and it works whatever else is away."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = _ANSWERS.get(request.path_info)
        if answer is None or request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        response = answer(request)
        response["Cache-Control"] = "no-store"
        return response


def _healthz(request: HttpRequest) -> HttpResponse:
    """Answer that the process lives, whatever else is away."""
    return HttpResponse("ok\n", content_type="text/plain")


def _readyz(request: HttpRequest) -> HttpResponse:
    """Say whether pages can be answered here: 503 if the database is away, or not yet migrated.

    Without broker, cache or storage pages are answered all the same, so these are only listed, and listed for nobody
    but those who run the site.
    """
    health = service_health()
    is_ready = all(health[name] for name in NEEDED)
    text = json.dumps({"ready": is_ready} | (health if _has_token(request) else {})) + "\n"
    return HttpResponse(text, status=200 if is_ready else 503, content_type="application/json")


def _metrics(request: HttpRequest) -> HttpResponse:
    """Answer only with the token of the settings; without one there is no such page, and nothing is loaded for it."""
    if not _has_token(request):
        return HttpResponse("Not found\n", status=404, content_type="text/plain")
    answer: HttpResponse = import_string("evalsite.monitoring.metrics.exposition")()
    return answer


def _has_token(request: HttpRequest) -> bool:
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(sent.encode(), settings.METRICS_TOKEN.encode())


_ANSWERS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": _healthz,
    "/readyz": _readyz,
    "/metrics": _metrics,
}
