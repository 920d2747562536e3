"""Configures the storage of files from one address: a bucket that speaks S3, or else a local folder."""

from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

FORM = "s3://KEY:SECRET@HOST/BUCKET?region=REGION"
_WORDS = {"region", "endpoint", "addressing"}


def storage(address: str) -> dict[str, Any]:
    """Return the entry of Django's STORAGES; "" is the local folder. Raise ImproperlyConfigured for a malformed
    address.

    Without KEY:SECRET they come from where AWS's own programs find them: the environment, a profile, the machine's
    role. Without HOST (`s3:///BUCKET`) the store is AWS's. HOST is asked by HTTPS, or as `endpoint=http://HOST:PORT`
    says.
    """
    if not address:
        return {"BACKEND": "evalsite.challenges.storage.files.DurableStorage"}
    parts = urlsplit(address)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    bucket, _, folder = parts.path.strip("/").partition("/")
    if parts.scheme != "s3" or not bucket or query.keys() - _WORDS:
        # Not the address itself: it holds a password.
        raise ImproperlyConfigured(f"STORAGE_URL has to look like {FORM}; what else it may say is in docs/server.md.")
    endpoint = query.get("endpoint") or _endpoint(parts)
    return {
        "BACKEND": "evalsite.challenges.storage.object_store.ObjectStore",
        "OPTIONS": {
            **_keys(parts),
            "bucket_name": bucket,
            "location": unquote(folder),
            "region_name": query.get("region"),
            "endpoint_url": endpoint,
            # Stores of one's own seldom have a name in the DNS for each bucket.
            "addressing_style": query.get("addressing") or ("path" if endpoint else "auto"),
        },
    }


def _keys(parts: SplitResult) -> dict[str, str | None]:
    if not parts.username:
        return {}
    # A session of the environment's would not belong to these keys.
    keys = {"access_key": unquote(parts.username), "secret_key": unquote(parts.password or "")}
    return {**keys, "security_token": None}


def _endpoint(parts: SplitResult) -> str | None:
    host = parts.netloc.rpartition("@")[2]
    return f"https://{host}" if host else None
