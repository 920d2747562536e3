"""The measures of texts, each as the program that the field uses computes it."""
