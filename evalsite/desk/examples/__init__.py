"""What a task that was made from an example has of it, and how it becomes the organisers' own."""
