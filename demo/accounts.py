"""Whom one can log in as; no secret, since the demo listens on this machine only."""

ORGANISER = "organiser@demo.invalid"
PARTICIPANT = "participant@demo.invalid"
PASSWORD = "evalsite-demo"
ACCOUNTS = {"organiser": ORGANISER, "participant": PARTICIPANT}
