"""All runs of a task: found by filters, changed one or many at a time, downloaded, and the organisers' own uploaded."""
