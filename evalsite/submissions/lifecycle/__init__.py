"""The life of a scoring from the queue to its result."""
