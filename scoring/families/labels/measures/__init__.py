"""The measures beside those of scikit-learn, a module for each kind."""
