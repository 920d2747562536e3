"""The providers for which the server has keys, as allauth's settings name them; the settings load it."""

from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

_CLASSES = "evalsite.accounts.sign_in.providers"
OPENID = "openid"  # in the address to which the OpenID provider sends people back


def providers(env: environ.Env) -> tuple[dict[str, Any], list[str]]:
    """Return SOCIALACCOUNT_PROVIDERS, and the origins to which the form that begins a log-in may lead."""
    orcid = env.str("ORCID_SITE", "orcid.org")
    openid = env.str("OPENID_URL", "").rstrip("/")
    if openid and urlsplit(openid).scheme not in ("https", "http"):
        raise ImproperlyConfigured("OPENID_URL has to look like https://login.example.org: where the provider is.")
    configured: dict[str, dict[str, Any]] = {
        "orcid": {"provider_class": f"{_CLASSES}.Orcid", "BASE_DOMAIN": orcid, "APPS": _app(env, "ORCID")},
        "github": {"provider_class": f"{_CLASSES}.GitHub", "APPS": _app(env, "GITHUB")},
        "openid_connect": {
            "provider_class": f"{_CLASSES}.OpenId",
            "OAUTH_PKCE_ENABLED": True,
            "APPS": _app(
                env,
                "OPENID",
                provider_id=OPENID,
                name=env.str("OPENID_NAME", "OpenID"),
                settings={"server_url": openid},
            )
            if openid
            else [],
        },
    }
    address = urlsplit(openid)
    origins = {
        "orcid": f"https://{orcid}",
        "github": "https://github.com",
        "openid_connect": env.str("OPENID_ORIGIN", "") or f"{address.scheme}://{address.netloc}",
    }
    return configured, [origins[name] for name, facts in configured.items() if facts["APPS"]]


def _app(env: environ.Env, word: str, **more: Any) -> list[dict[str, Any]]:
    client, secret = env.str(f"{word}_CLIENT_ID", ""), env.str(f"{word}_CLIENT_SECRET", "")
    if bool(client) != bool(secret):
        raise ImproperlyConfigured(
            f"{word}_CLIENT_ID and {word}_CLIENT_SECRET belong together: one of them is not set."
        )
    return [{"client_id": client, "secret": secret} | more] if client else []
