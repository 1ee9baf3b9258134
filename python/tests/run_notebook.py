#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Executes the code cells of a notebook, one after another, without Jupyter. As there, the value of a last expression is
shown: its _repr_html_() must make a text, and its repr() too. An exception ends the run, and names the cell.

Usage: run_notebook.py NOTEBOOK
"""
import ast
import json
import sys
from typing import Any


def show(value: Any) -> None:
    """Make what a notebook would show."""
    make = getattr(value, "_repr_html_", None)
    text = make() if make is not None else None
    assert text is None or text.startswith("<"), text
    print(f"{value!r}" + (f", {len(text)} bytes of HTML" if text else ""))


def run_cell(name: str, source: str, names: dict[str, Any]) -> None:
    """Execute a cell."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)
        if value is not None:
            show(value)


def main() -> None:
    """Execute the notebook."""
    with open(sys.argv[1], encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    if not cells:
        raise SystemExit(f"{sys.argv[1]}: no code cells")
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        if cell["outputs"]:
            raise SystemExit(f"{sys.argv[1]}: cell {number} has outputs, which grow old: clear them")
        run_cell(f"<cell {number}>", "".join(cell["source"]), names)
    print(f"{len(cells)} cells of {sys.argv[1]}")


if __name__ == "__main__":
    main()
