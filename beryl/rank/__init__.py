"""HITS -> FRAGMENTS. Pure functions, no input or output."""
