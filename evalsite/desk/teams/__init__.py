"""The teams that have entered a task, with what they have used, and what they are given beyond it."""
