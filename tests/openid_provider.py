"""A small OpenID provider that answers over HTTP, and the endpoints of ORCID and GitHub as these have them.

What it is to tell, true or not, is set on it: `person` and `claims` are told as they are.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT = {"client_id": "evalsite", "secret": "a secret of the tests"}


@cache
def _keys() -> tuple[rsa.RSAPrivateKey, rsa.RSAPrivateKey]:
    """Return the provider's key, and one of somebody else."""
    return tuple(rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))


class Provider:
    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.key, self.foreign_key = _keys()
        self.signs_with = self.key
        self.algorithm = "RS256"
        self.person: dict[str, Any] = {"sub": "ada", "name": "Ada Lovelace", "email": "ada@example.org"}
        self.person["email_verified"] = True
        self.claims: dict[str, Any] = {}  # instead of what belongs into an ID token
        self.orcid: dict[str, Any] = {}  # a record
        self.emails: list[dict[str, Any]] = []  # GitHub's list
        self.is_down = False
        self.nonces: dict[str, str] = {}  # by code
        self.asked: list[str] = []  # paths

    def authorise(self, address: str, *, code: str = "code-1") -> dict[str, str]:
        """Return what the browser brings back, as if the person had logged in and agreed at this address."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        self.nonces[code] = query.get("nonce", "")
        return {"code": code, "state": query["state"]}

    def answer(self, path: str, form: dict[str, list[str]]) -> Any:
        self.asked.append(path)
        match path.strip("/").split("/"):
            case [".well-known", "openid-configuration"]:
                return {
                    "issuer": self.address,
                    "authorization_endpoint": f"{self.address}/authorize",
                    "token_endpoint": f"{self.address}/token",
                    "userinfo_endpoint": f"{self.address}/userinfo",
                    "jwks_uri": f"{self.address}/keys",
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                }
            case ["keys"]:
                public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
                return {"keys": [public | {"kid": "key-1", "alg": "RS256", "use": "sig"}]}
            case ["token"]:
                if form.get("client_secret") != [CLIENT["secret"]]:
                    return None
                return {"access_token": "token-1", "token_type": "Bearer", "id_token": self._id_token(form["code"][0])}
            case ["userinfo"] | ["user"]:
                return self.person
            case ["user", "emails"]:
                return self.emails
            case ["oauth", "token"]:  # ORCID's
                return {"access_token": "token-1", "orcid": "0000-0002-1825-0097", "name": "Ada Lovelace"}
            case ["v3.0", _, "record"]:
                return self.orcid
        return None

    def _id_token(self, code: str) -> str:
        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT["client_id"], "iat": now, "exp": now + 60, "sub": "ada"}
        claims |= {"nonce": self.nonces[code]} | self.claims
        if self.algorithm != "RS256":
            return jwt.encode(claims, "", algorithm=self.algorithm, headers={"kid": "key-1"})
        return jwt.encode(claims, self.signs_with, algorithm="RS256", headers={"kid": "key-1"})


@contextmanager
def provider() -> Iterator[Provider]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            answer = found.answer(urlsplit(self.path).path, parse_qs(self.rfile.read(length).decode()))
            self.send_response(503 if found.is_down else 200 if answer is not None else 400)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps({} if found.is_down else answer).encode())

        do_POST = do_GET

        def log_message(self, *words: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found = Provider(server.server_port)
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield found
        finally:
            server.shutdown()


def orcid_record(*emails: tuple[str, bool], orcid: str = "0000-0002-1825-0097") -> dict[str, Any]:
    """Return the parts of a public record that matter, as the API's version 3.0 has them."""
    return {
        "orcid-identifier": {"uri": f"https://orcid.org/{orcid}", "path": orcid, "host": "orcid.org"},
        "person": {
            "name": {"given-names": {"value": "Ada"}, "family-name": {"value": "Lovelace"}, "visibility": "public"},
            "emails": {
                "email": [
                    {"email": email, "verified": verified, "primary": number == 0, "visibility": "public"}
                    for number, (email, verified) in enumerate(emails)
                ]
            },
        },
        "activities-summary": {"works": {"group": []}},
    }
