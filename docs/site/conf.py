# SPDX-License-Identifier: Apache-2.0
"""The settings of Sphinx for the site of all pages. tools/make_site calls it, with paths and version in variables."""
import logging
import os
import re
from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes

GLOSSARY = "docs/glossary"
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


def running_text(doctree: nodes.document) -> Iterator[nodes.Text]:
    """Yield the parts of a page that are no title, head of a table, code or link."""
    outside = (nodes.title, nodes.literal, nodes.literal_block, nodes.reference, nodes.thead, addnodes.desc)
    for text in list(doctree.findall(nodes.Text)):
        above = text.parent
        while above is not None and not isinstance(above, outside):
            above = above.parent
        if above is None:
            yield text


def on_read(app, doctree):
    """Give each row of the glossary a name by which links find it, and keep its words."""
    if app.env.docname != GLOSSARY:
        return
    app.env.glossary_words = {}
    for row in doctree.findall(nodes.row):
        if isinstance(row.parent, nodes.tbody):
            words = row[0].astext()
            row["ids"].append("word-" + re.sub(r"\W+", "-", words).lower())
            app.env.glossary_words.update({word: row["ids"][-1] for word in words.split(", ")})


def on_resolved(app, doctree, docname):
    """Link the first use of each word of the glossary on a page of the guide. A word may be plural."""
    words = getattr(app.env, "glossary_words", {})
    if docname in (GLOSSARY, root_doc) or not re.fullmatch(r"docs/[\w-]+|README", docname):
        return
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(longest_first)})(s|es)?\b")
    page = app.builder.get_relative_uri(docname, GLOSSARY)
    seen: set[str] = set()
    for text in running_text(doctree):
        parts: list[nodes.Node] = []
        end = 0
        for match in pattern.finditer(text.astext()):
            word = match.group(1)
            if word in seen:
                continue
            seen.add(word)
            parts += [nodes.Text(text.astext()[end:match.start()]),
                      nodes.reference("", match.group(0), refuri=f"{page}#{words[word]}", internal=True,
                                      classes=["word"])]
            end = match.end()
        if parts:
            text.parent.replace(text, [*parts, nodes.Text(text.astext()[end:])])


def setup(app):
    """Connect the functions above. C has a name space for structures and one for functions; Sphinx has not."""
    app.connect("autodoc-process-docstring", on_docstring)
    app.connect("doctree-read", on_read)
    app.connect("doctree-resolved", on_resolved)
    logging.getLogger("sphinx.sphinx.domains.c").addFilter(
        lambda record: "Duplicate C declaration" not in record.getMessage())
