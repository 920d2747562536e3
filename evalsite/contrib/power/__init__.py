"""How large a test has to be: from the runs so far, or from two runs of the organisers."""
