"""Deleting a task."""
