"""How results reach people: as SVG, as tables of CSV and LaTeX, and on a terminal."""
