"""Pictures of programs, runs and signatures: their content, their layout, and the formats.

A `Picture` is the content, `layout.arrange` gives coordinates (a `Scene`, plain data), and a format
writes it: svg, png and tikz from the scene; text, dot and mermaid from the picture, for they arrange
things themselves.
"""
