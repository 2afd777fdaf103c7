"""Pictures of programs, runs and signatures.

A `Picture` is the content. `layout.arrange` turns it into a `Scene`, which has coordinates. The formats svg,
png and tikz are made from the scene. The formats text, dot and mermaid are made from the picture.
"""
