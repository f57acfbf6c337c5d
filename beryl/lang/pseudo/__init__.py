"""Pseudocode text -> p-code -> ICFG: lines, rewrite, nodes, parser, frontend."""
