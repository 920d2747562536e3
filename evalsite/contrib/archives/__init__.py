"""The end of a task as files: an archive that can be computed again, and pages that need no server."""
