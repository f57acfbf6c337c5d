"""TABLES <-> DISK. The index directory: base columns and the tables derived from them."""
