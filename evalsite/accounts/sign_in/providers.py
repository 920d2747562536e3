"""ORCID, GitHub and OpenID as allauth has them, made stricter where a provider, or who poses as one, errs.

Of what a provider tells of a person the site keeps what the page of connected accounts shows, and no more.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import jwt
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialLogin, SocialToken
from allauth.socialaccount.providers.base import ProviderAccount
from allauth.socialaccount.providers.github.provider import GitHubProvider
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.socialaccount.providers.orcid.provider import OrcidProvider, extract_from_dict
from allauth.socialaccount.providers.orcid.views import OrcidOAuth2Adapter
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from requests import RequestException

_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
NO_REPLY = "@users.noreply.github.com"  # GitHub's own addresses, at which nobody reads mail
# Of signatures that a provider alone can make: with a shared secret, or none, anybody who reads a key could.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
PATIENCE = 10  # seconds for the provider to send its keys
Facts = dict[str, Any]
P = ParamSpec("P")
R = TypeVar("R")


def _understood(step: Callable[P, R]) -> Callable[P, R]:
    """Tell answers that no provider gives, such as a list for an object, as allauth tells others that are wrong."""

    @wraps(step)
    def careful(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return step(*args, **kwargs)
        except (AttributeError, LookupError, TypeError, ValueError, ImproperlyConfigured) as error:
            raise OAuth2Error(f"not understood: {type(error).__name__}") from error

    return careful


class _Account(ProviderAccount):
    def to_str(self) -> str:
        return str(self.account.extra_data.get("shown") or super().to_str())


class OrcidAdapter(OrcidOAuth2Adapter):
    parse_token = _understood(OrcidOAuth2Adapter.parse_token)

    @_understood
    def complete_login(self, request: HttpRequest, app: Any, token: SocialToken, **kwargs: Any) -> SocialLogin:
        """Read the public record of the iD that came with the token, which has to be about this iD."""
        orcid = kwargs["response"]["orcid"]
        if not _ORCID.fullmatch(orcid):
            raise OAuth2Error("no ORCID iD")
        with get_adapter().get_requests_session() as session:
            answer = session.get(self.profile_url % orcid, headers={"accept": "application/orcid+json"})
            answer.raise_for_status()
            record = answer.json()
        if record["orcid-identifier"]["path"] != orcid:
            raise OAuth2Error("the record of another iD")
        return self.get_provider().sociallogin_from_response(request, record)


class Orcid(OrcidProvider):
    name = "ORCID"
    package = "allauth.socialaccount.providers.orcid"
    oauth2_adapter_class, account_class = OrcidAdapter, _Account

    def extract_email_addresses(self, data: Facts) -> list[EmailAddress]:
        """Return the addresses that the person shows to everybody; ORCID says which of them are confirmed."""
        listed = extract_from_dict(data, ["person", "emails", "email"]) or []
        return [
            EmailAddress(email=entry["email"], verified=entry["verified"] is True, primary=entry["primary"] is True)
            for entry in listed
        ]

    def extract_extra_data(self, data: Facts) -> Facts:
        return {"shown": data["orcid-identifier"]["path"]}


class GitHubAdapter(GitHubOAuth2Adapter):
    parse_token = _understood(GitHubOAuth2Adapter.parse_token)
    complete_login = _understood(GitHubOAuth2Adapter.complete_login)


class GitHub(GitHubProvider):
    package = "allauth.socialaccount.providers.github"
    oauth2_adapter_class, account_class = GitHubAdapter, _Account

    def extract_email_addresses(self, data: Facts) -> list[EmailAddress]:
        return [address for address in super().extract_email_addresses(data) if not address.email.endswith(NO_REPLY)]

    def extract_extra_data(self, data: Facts) -> Facts:
        return {"shown": data["login"]}


class OpenIdAdapter(OpenIDConnectOAuth2Adapter):
    """Checks of an ID token what allauth leaves to TLS: signature and nonce, and that both answers name one person."""

    nonce = ""
    parse_token = _understood(OpenIDConnectOAuth2Adapter.parse_token)

    def get_access_token_data(
        self, request: HttpRequest, app: Any, client: Any, pkce_code_verifier: str | None = None
    ) -> Facts:
        self.nonce = _nonce(pkce_code_verifier or "")
        return super().get_access_token_data(request, app, client, pkce_code_verifier)

    @_understood
    def complete_login(self, request: HttpRequest, app: Any, token: SocialToken, **kwargs: Any) -> SocialLogin:
        claims = self._decode_id_token(app, kwargs["response"]["id_token"])
        if claims["nonce"] != self.nonce:
            raise OAuth2Error("an ID token for another log-in")
        person = self._fetch_user_info(token.token)
        if person["sub"] != claims["sub"]:
            raise OAuth2Error("the ID token is about another person")
        return self.get_provider().sociallogin_from_response(request, {"userinfo": person, "iss": claims["iss"]})

    def _decode_id_token(self, app: Any, id_token: str) -> Facts:
        address = self.openid_config["jwks_uri"]
        if not address.startswith(("https://", "http://")):  # PyJWT would read a file as well
            raise OAuth2Error("no address of keys")
        keys = jwt.PyJWKClient(address, timeout=PATIENCE)
        try:
            return jwt.decode(
                id_token,
                keys.get_signing_key_from_jwt(id_token),
                algorithms=ALGORITHMS,
                issuer=self.openid_config["issuer"],
                audience=app.client_id,
            )
        except jwt.PyJWTError as error:
            raise OAuth2Error("no valid ID token") from error


class OpenId(OpenIDConnectProvider):
    package = "allauth.socialaccount.providers.openid_connect"
    oauth2_adapter_class, account_class = OpenIdAdapter, _Account

    def get_pkce_params(self) -> Facts:
        parameters = super().get_pkce_params()
        return parameters | {"nonce": _nonce(parameters["code_verifier"])}

    def redirect(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Ask the provider where to log in, which it may not answer."""
        try:
            return _understood(super().redirect)(request, *args, **kwargs)
        except (OAuth2Error, RequestException) as error:
            return render_authentication_error(request, self, exception=error)

    def extract_uid(self, data: Facts) -> str:
        """Return a key of issuer and person, since another issuer, after a move, may have the same name for another."""
        sub = data["userinfo"]["sub"]
        if not isinstance(sub, str) or not sub:
            raise OAuth2Error("nobody's name")
        return hashlib.sha256(f"{data['iss']} {sub}".encode()).hexdigest()

    def extract_email_addresses(self, data: Facts) -> list[EmailAddress]:
        """Return the address, confirmed only where the provider says so outright, and not by a word such as "false"."""
        person = data["userinfo"]
        email, is_confirmed = person.get("email"), person.get("email_verified") is True
        return [EmailAddress(email=email, verified=is_confirmed, primary=True)] if isinstance(email, str) else []

    def extract_extra_data(self, data: Facts) -> Facts:
        return {"shown": _first_text(data["userinfo"], "preferred_username", "email", "name")}


def _nonce(code_verifier: str) -> str:
    """Return what binds an ID token to the browser that began the log-in: the session alone has the verifier."""
    return hashlib.sha256(f"nonce {code_verifier}".encode()).hexdigest()


def _first_text(facts: Mapping[str, Any], *names: str) -> str:
    return next((str(facts[name])[:200] for name in names if facts.get(name)), "")
