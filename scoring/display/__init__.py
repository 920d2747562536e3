"""This room shows results to people: as SVG, as tables of CSV and LaTeX, and on a terminal."""
