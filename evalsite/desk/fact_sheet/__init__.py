"""The page of the desk about what teams tell of their runs."""
