"""Pictures of programs, runs and signatures: their content, their layout, and the formats.

A `Picture` is the content. `layout.arrange` gives it coordinates, and returns a `Scene`, which is plain data.
The formats svg, png and tikz are made from the scene. The formats text, dot and mermaid are made from the
picture, because they arrange things themselves.
"""
