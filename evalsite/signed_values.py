"""Values in a shared cache are signed with the site's key: nothing is unpickled but what the site has put there.

A pickle runs code when it is read: without the signature, whoever writes into Redis would run code in the site.
"""

import pickle
from typing import Any

from django.core.signing import BadSignature
from django.utils.crypto import constant_time_compare, salted_hmac

_SALT = "evalsite.signed_values"
_LENGTH = 32  # bytes of a signature


class SignedSerializer:
    """Django's way to store values in Redis, with a signature before each pickle."""

    def dumps(self, value: Any) -> int | bytes:
        if type(value) is int:  # as Django does it: Redis counts, and a whole number is read as nothing else
            return value
        content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return _signature(content) + content

    def loads(self, data: bytes) -> Any:
        """Raises BadSignature for what the site has not put there, or has signed with another key."""
        try:
            return int(data)
        except ValueError:
            signature, content = data[:_LENGTH], data[_LENGTH:]
        if not constant_time_compare(signature, _signature(content)):
            raise BadSignature("a value in the cache is not the site's")
        return pickle.loads(content)


def _signature(content: bytes) -> bytes:
    return salted_hmac(_SALT, content, algorithm="sha256").digest()
