"""The measures of numbers, a module for each kind: from sums, from ranks, from pairs of systems."""
