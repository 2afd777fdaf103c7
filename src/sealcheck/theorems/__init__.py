"""The paper's statements, one module each; `registry` lists them."""
