"""How the best score of a board grew, of a scenario or of the combined score, in words and as a chart."""
