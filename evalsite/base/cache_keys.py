"""Keys of what is kept in a cache; apart from `cache`, which loads what talks to Redis."""

from hashlib import blake2b


def cache_key(kind: str, *decides: object) -> str:
    """Return a short key for a value of this kind; `decides` is all that the value depends on, compared by `repr`."""
    return f"{kind}-{blake2b(repr(decides).encode(), digest_size=20).hexdigest()}"
