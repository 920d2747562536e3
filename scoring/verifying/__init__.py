"""The command `verify`: whether an archive of a task holds together, and all its figures follow from runs and gold."""
