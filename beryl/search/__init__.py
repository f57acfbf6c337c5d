"""QUERY + INDEX -> HITS. One mode per file."""
