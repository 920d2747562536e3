"""What the accounts tell the rooms above them, inside the transaction that makes the change."""

from django.dispatch import Signal

# Sent with `team`, `kind` (what happened, for the audit trail), `by` (the person who did it), `changes`
# ({name of a field: (old, new)}) and `detail` (further words, JSON-ready).
team_changed = Signal()
