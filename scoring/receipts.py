"""Links the receipts of uploads into a chain: nobody slips one in, or drops one, without changing what follows.

A receipt is a line of text. Its digest is its SHA-256, and the head of the chain after it is the SHA-256 of the head
before and that digest, both as hexadecimal digits: all earlier receipts are in it. docs/archive.md says what this
proves, and what it does not.
"""

import hashlib

FIRST_HEAD = "0" * 64  # before the first receipt of a site


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def head_after(head: str, digest: str) -> str:
    """Return the head of a chain to which a receipt of this digest is added."""
    return digest_of(head + digest)
