"""The quick check of an upload, and what is said of its problems."""
