"""This package holds the page of a team's runs: the list, the runs that it chooses, and those that it compares."""
