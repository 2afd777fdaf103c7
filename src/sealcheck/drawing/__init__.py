"""Pictures of programs, runs and signatures: what is drawn, where everything stands, and the formats.

A `Picture` says what is drawn, `layout.arrange` where it stands (a `Scene`, plain data), and a format
writes it: svg, png and tikz from the scene; text, dot and mermaid from the picture, for they arrange
things themselves.
"""
