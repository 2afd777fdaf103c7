"""What ``import sealcheck`` offers, lazily: importing it loads neither Spark nor a solver."""
