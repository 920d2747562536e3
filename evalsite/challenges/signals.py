"""What the challenges tell the rooms above them, inside the transaction that makes the change."""

from django.dispatch import Signal

# Sent with `gold` and `by` when a gold has been added, or discarded: its runs are to be scored, or their results to go.
gold_changed = Signal()
