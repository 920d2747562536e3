"""Apps that a site can do without, each whole in its folder: docs/contrib.md."""
