"""What a stranger or a participant sees of a task at a chosen time."""
