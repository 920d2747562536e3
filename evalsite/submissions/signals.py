"""The signals that submissions send to the apps above them, inside the transaction that makes the change."""

from django.dispatch import Signal

# Sent with `phase_id` and `scenario_id` when a result appears, or when what a board shows of a submission
# changes: withdrawn, restored, another team's, a reference, another name.
# `result` is the one that has appeared; `teams` are the keys of teams, former ones too, whose runs have changed.
results_changed = Signal()
