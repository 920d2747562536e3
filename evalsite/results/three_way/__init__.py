"""The page of one unit in two runs: gold, first and second run; only what differs between the runs stands out."""
