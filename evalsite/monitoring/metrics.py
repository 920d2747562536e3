"""The site's condition for Prometheus: gauges, read from the database when they are asked for."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import redis
from django.conf import settings
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

import scoring as engine
from evalsite.base import queues
from evalsite.celery import app
from evalsite.monitoring.condition import Condition, condition
from evalsite.monitoring.parts import parts

PREFIX = "evalsite_"
QUANTILES = (0.5, 0.95)


def exposition() -> bytes:
    """All metrics in the text format of Prometheus."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    return generate_latest(registry)


class _Collector:
    def collect(self) -> Iterator[Metric]:
        answers = parts()
        yield _by(
            "up", "Whether a part of the site answers.", "part", {name: float(up) for name, up in answers.items()}
        )
        yield _by("build_info", "The version of the engine.", "engine", {engine.__version__: 1.0})
        if answers["broker"] and app.conf.broker_url.startswith(("redis:", "rediss:")):
            yield _by("queue_messages", "Messages in a queue of the broker.", "queue", _lengths())
        if settings.STORAGES["default"]["BACKEND"].endswith(".DurableStorage"):
            free = shutil.disk_usage(_existing(Path(settings.MEDIA_ROOT))).free
            yield _one("disk_free_bytes", "Room left where uploads and results are stored.", float(free))
        if all(answers[name] for name in ("database", "migrations")):
            yield from _of_condition(condition())


def _of_condition(found: Condition) -> Iterator[Metric]:
    states = {"queued": float(found.n_queued), "running": float(found.n_running)}
    yield _by("scorings", "Scorings that have not ended.", "state", states)
    yield _one(
        "scorings_oldest_seconds",
        "Age of the scoring that waits longest, 0 without any, apart from those that lack a file.",
        found.oldest.total_seconds() if found.oldest else 0.0,
    )
    yield _one(
        "scorings_lacking",
        "Queued scorings that miss a file of theirs, until it is brought back.",
        float(found.n_lacking),
    )
    ended = {state: float(found.n_ended.get(state, 0)) for state in ("scored", "refused", "failed", "cancelled")}
    yield _by("scorings_ended_last_hour", "Scorings that ended within the last hour.", "state", ended)
    durations = {str(share): seconds for share in QUANTILES if (seconds := found.duration(share)) is not None}
    yield _by("scoring_seconds", "Quantiles of the last scorings, from begin to end.", "quantile", durations)
    yield _one("uploads_last_hour", "Uploads taken within the last hour.", float(found.n_uploads))
    yield _one("boards_stale", "Boards that miss a result.", float(found.n_stale_boards))
    yield _one(
        "boards_lag_seconds",
        "For how long the board that lags most has missed a result, 0 where none does.",
        found.stalest.total_seconds() if found.stalest else 0.0,
    )


def _one(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(PREFIX + name, text, value=value)


def _by(name: str, text: str, label: str, values: dict[str, float]) -> Metric:
    family = GaugeMetricFamily(PREFIX + name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _lengths() -> dict[str, float]:
    """How many messages wait, by queue; a queue of Celery is a list of Redis."""
    with redis.Redis.from_url(app.conf.broker_url, socket_timeout=1, socket_connect_timeout=1) as client:
        return {name: float(client.llen(name)) for name in queues.ALL}


def _existing(path: Path) -> Path:
    """The path, or the nearest folder above it that is there."""
    return path if path.exists() else _existing(path.parent)
