"""When the error atlas is seen, and by whom: the lowest role of each moment in `access/test_over_time.py`."""

ADDRESSES = {"errors beside the gold": ("board_atlas", ["task", "phase", "scenario"])}
LOWEST = {"gold released": ["stranger"], "kept for members, with its gold": ["alice"]}
ELSE = ["viewer"]
