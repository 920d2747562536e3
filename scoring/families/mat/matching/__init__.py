"""Which spans and tokens of gold and system belong together: one module for each rule of the field."""
