"""Names for what is kept in a cache: of any length and with any sign in it, a name has few and plain ones."""

from hashlib import blake2b


def cache_key(kind: str, *decides: object) -> str:
    """`decides` is all that decides what is kept under this name; it is told apart by its `repr`."""
    return f"{kind}-{blake2b(repr(decides).encode(), digest_size=20).hexdigest()}"
