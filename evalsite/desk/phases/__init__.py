"""The pages of the desk about phases."""
