"""What the submissions tell the rooms above them, inside the transaction that makes the change."""

from django.dispatch import Signal

# Sent with `phase_id` and `scenario_id` when a result appears, when the scoring of a run that has one ends without,
# or when a submission is withdrawn or restored.
results_changed = Signal()
