"""Makes a board of somebody's table of systems and units, without an account and without storing anything."""
