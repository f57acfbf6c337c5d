"""GRAPHS. builder makes one, calls joins procedures, show draws it."""
