"""The engine's own commands: their arguments, and evaluations and comparisons as text, JSON, CSV and LaTeX."""
