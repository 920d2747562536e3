"""Exports the site's condition to Prometheus as gauges, read from the database at each scrape."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import redis
from django.conf import settings
from django.http import HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

import scoring as engine
from evalsite.base import queues
from evalsite.celery import app
from evalsite.monitoring.condition import Condition, condition
from evalsite.monitoring.health import service_health

PREFIX = "evalsite_"
QUANTILES = (0.5, 0.95)


def exposition() -> HttpResponse:
    """Answer with all metrics in the text format of Prometheus."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _Collector:
    def collect(self) -> Iterator[Metric]:
        answers = service_health()
        yield _labelled(
            "up", "Whether a part of the site answers.", "part", {name: float(up) for name, up in answers.items()}
        )
        yield _labelled("build_info", "The version of the engine.", "engine", {engine.__version__: 1.0})
        if answers["broker"] and app.conf.broker_url.startswith(("redis:", "rediss:")):
            yield _labelled("queue_messages", "Messages in a queue of the broker.", "queue", _queue_lengths())
        if settings.STORAGES["default"]["BACKEND"].endswith(".DurableStorage"):
            free = shutil.disk_usage(_nearest_existing(Path(settings.MEDIA_ROOT))).free
            yield _gauge("disk_free_bytes", "Room left where uploads and results are stored.", float(free))
        if all(answers[name] for name in ("database", "migrations")):
            yield from _condition_metrics(condition())


def _condition_metrics(measured: Condition) -> Iterator[Metric]:
    states = {"queued": float(measured.n_queued), "running": float(measured.n_running)}
    yield _labelled("scorings", "Scorings that have not ended.", "state", states)
    yield _gauge(
        "scorings_oldest_seconds",
        "Age of the scoring that waits longest, 0 without any, apart from those that lack a file.",
        measured.oldest.total_seconds() if measured.oldest else 0.0,
    )
    yield _gauge(
        "scorings_lacking",
        "Queued scorings that miss a file of theirs, until it is brought back.",
        float(measured.n_lacking),
    )
    ended = {state: float(measured.n_ended.get(state, 0)) for state in ("scored", "refused", "failed", "cancelled")}
    yield _labelled("scorings_ended_last_hour", "Scorings that ended within the last hour.", "state", ended)
    durations = {str(share): seconds for share in QUANTILES if (seconds := measured.duration(share)) is not None}
    yield _labelled("scoring_seconds", "Quantiles of the last scorings, from begin to end.", "quantile", durations)
    yield _gauge("uploads_last_hour", "Uploads taken within the last hour.", float(measured.n_uploads))
    yield _gauge("boards_stale", "Boards that miss a result.", float(measured.n_stale_boards))
    yield _gauge(
        "boards_lag_seconds",
        "For how long the board that lags most has missed a result, 0 where none does.",
        measured.stalest.total_seconds() if measured.stalest else 0.0,
    )


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(PREFIX + name, text, value=value)


def _labelled(name: str, text: str, label: str, values: dict[str, float]) -> Metric:
    family = GaugeMetricFamily(PREFIX + name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _queue_lengths() -> dict[str, float]:
    """Return the number of waiting messages by queue; a queue of Celery is a list of Redis."""
    with redis.Redis.from_url(app.conf.broker_url, socket_timeout=1, socket_connect_timeout=1) as client:
        return {name: float(client.llen(name)) for name in queues.ALL}


def _nearest_existing(path: Path) -> Path:
    """Return the path, or its nearest ancestor that exists."""
    return path if path.exists() else _nearest_existing(path.parent)
