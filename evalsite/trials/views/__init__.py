"""The pages of a trial, one module for each."""
