"""The end of a phase: closing it, its final boards, its results and its gold for everybody."""
