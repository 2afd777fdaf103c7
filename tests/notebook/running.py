"""`python -m tests.notebook.running` runs examples/tutorial.ipynb, and keeps its output."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

TUTORIAL = Path(__file__).parents[2] / "examples" / "tutorial.ipynb"


def executed() -> NotebookNode:
    """The notebook after a run from its beginning, without standard error.

    Raises CellExecutionError.
    """
    notebook = nbformat.read(TUTORIAL, as_version=4)
    NotebookClient(notebook, timeout=900, kernel_name="python3", record_timing=False).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
            cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


if __name__ == "__main__":
    nbformat.write(executed(), TUTORIAL)
