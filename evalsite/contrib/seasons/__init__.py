"""Seasons: a task goes on in a new phase, and the board before stays as it is."""
