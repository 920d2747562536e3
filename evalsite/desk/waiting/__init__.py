"""What waits for the organisers: one list, seen in To do, in the navigation, on Your tasks and in a mail a day."""
