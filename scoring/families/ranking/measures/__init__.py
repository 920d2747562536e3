"""The measures of a query: those of trec_eval that every task has, and those that an organiser adds."""
