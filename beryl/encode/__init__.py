"""NODES -> VECTORS. Text encoders, operator counts, the graph autoencoder and its training."""
