"""Long work in the background: a row for each job, which survives whoever works on it."""
