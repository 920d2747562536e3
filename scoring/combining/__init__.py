"""Several scores as one: formulas and ranks over scenarios, with the statistics that a single score has."""
