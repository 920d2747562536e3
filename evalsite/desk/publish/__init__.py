"""The page of the desk from which a task is published."""
