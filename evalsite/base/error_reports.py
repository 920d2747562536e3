"""Reports errors of the site to Sentry, without the visitor, the content of requests, and secrets of addresses."""

from typing import Any

import sentry_sdk

from evalsite.base.logs import hide_secrets


def start(dsn: str) -> None:
    """Begin to report, in web processes and workers alike; the library finds Django and Celery itself."""
    sentry_sdk.init(
        dsn,
        send_default_pii=False,
        include_local_variables=False,  # files and gold are among them
        max_request_body_size="never",
        before_send=_without_secrets,
        before_breadcrumb=_without_secrets,
    )


def _without_secrets(event: Any, hint: dict[str, Any]) -> Any:
    return hide_secrets(None, "", event)
