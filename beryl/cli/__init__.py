"""One file per command; render.py turns answers into text and JSON."""
