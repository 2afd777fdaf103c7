"""The functions of ``import sealcheck``, which loads neither Spark nor a solver until they are used."""
