"""Collect first, gold later: phases that take runs before there is gold, and pools of what these answer."""
