"""Pictures of programs, runs and signatures.

A `Picture` says what is drawn, without coordinates. `layout.arrange` turns a picture into a `Scene`, which
has coordinates. The formats svg, png and tikz are made from the scene. The formats text, dot and mermaid are
made from the picture.
"""
