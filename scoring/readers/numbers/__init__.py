"""Tables of ids and numbers, read and paired; the files themselves are read by `readers/tables/`."""

from scoring.readers.numbers.sides import Gold, Run, read_gold, read_system

__all__ = ["Gold", "Run", "read_gold", "read_system"]
