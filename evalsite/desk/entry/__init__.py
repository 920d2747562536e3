"""The page of the desk about how teams enter the task."""
