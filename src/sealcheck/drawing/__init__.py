"""Pictures of programs, runs and signatures: their content, their layout, and the formats.

A `Picture` is the content. `layout.arrange` gives it coordinates; the result is a `Scene`, which is plain
data. A format writes the result: svg, png and tikz use the scene; text, dot and mermaid use the picture,
because they arrange things themselves.
"""
