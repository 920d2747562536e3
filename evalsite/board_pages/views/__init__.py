"""The pages of the boards, one module for each."""
