"""The functions of ``import sealcheck``.  Spark and solvers are loaded only at their first use."""
