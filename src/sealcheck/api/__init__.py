"""The functions of ``import sealcheck``.  Spark and solvers are loaded at their first use, not by the import."""
