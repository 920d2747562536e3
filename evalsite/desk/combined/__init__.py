"""The combined score of a phase, as organisers say what it is."""
