"""The end of a task: what is still open."""
