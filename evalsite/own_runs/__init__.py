"""What the page of a run says of boards: its place, its step, and what changed since the last run."""
