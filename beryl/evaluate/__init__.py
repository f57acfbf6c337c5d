"""RUNS -> FIGURES. Measures, benchmarks, baselines, reports."""
