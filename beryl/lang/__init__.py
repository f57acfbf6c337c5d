"""TEXT -> ICFG. One file per language; what they share is in treesitter."""
