"""PATHS + EXAMPLES -> VERDICT. Symbolic execution and the solver."""
