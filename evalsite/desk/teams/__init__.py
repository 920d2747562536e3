"""The teams that have entered a task, with what they have used, and extra uploads."""
