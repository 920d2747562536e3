"""The end of a task: what is still open, and the drawer of all that organisers need to write about it."""
