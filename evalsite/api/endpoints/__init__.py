"""The endpoints, a module for each noun."""
