"""FUNCTION PAIR -> NUMBER. One feature-class per file."""
