# SPDX-License-Identifier: Apache-2.0
"""The settings of Sphinx for the site of all pages. tools/make_site calls it, with paths and version in variables."""
import logging
import os
import re

project = "tilefarm"
author = "the tilefarm developers"
release = os.environ["SITE_VERSION"]
root_doc = "docs/index"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"tilefarm {release.partition('+')[0]}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
myst_heading_anchors = 4
exclude_patterns = [".github"]
highlight_language = "none"
breathe_projects = {"tilefarm": os.environ["SITE_XML"]}
breathe_default_project = "tilefarm"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
# What headers use of C and of their macros.
c_id_attributes = ["TF_API"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"


def mark_parameters(lines: list[str]) -> list[str]:
    """
    Return the lines of a docstring with marks for Sphinx. Our paragraphs of parameters have the names in a first
    column, and text that begins at one column in all lines.
    """
    marked: list[str] = []
    for block in "\n".join(lines).split("\n\n"):
        rows = block.split("\n")
        first = re.match(r"[a-z_][\w, *]*? {2,}(?=\S)", rows[0])
        long = re.match(r"([a-z_]\w*) ", rows[0])
        column = first.end() if first else None
        if first is None and long and len(rows) > 1 and re.match(r" {%d}\S" % long.end(), rows[1]):
            column = long.end()
        if column is not None:
            for row in rows:
                name, text = row[:column].strip(), row[column:]
                marked.append(f":param {name}: {text}" if name else f"   {text}")
        else:
            marked += rows
        marked.append("")
    return marked


def on_docstring(app, what, name, object_, options, lines):
    """Change a docstring in place."""
    lines[:] = mark_parameters(lines)


def setup(app):
    """Connect the functions above. C has a name space for structures and one for functions; Sphinx has not."""
    app.connect("autodoc-process-docstring", on_docstring)
    logging.getLogger("sphinx.sphinx.domains.c").addFilter(
        lambda record: "Duplicate C declaration" not in record.getMessage())
