"""Pages of uploads."""
