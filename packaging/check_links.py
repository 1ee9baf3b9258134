#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Checks the relative links of installed pages, Markdown or HTML: each leads to a file of the folder, and to a heading if
it names one.

Usage: check_links.py FOLDER
"""
import functools
import html
import re
import sys
from pathlib import Path

SUFFIXES = (".md", ".html")
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


@functools.cache
def anchors(page: Path) -> set[str]:
    """Return the names by which links name the headings of a page."""
    if page.suffix == ".html":
        return set(re.findall(r"\bid=\"([^\"]+)\"", page.read_text()))
    headings = re.findall(r"^#+ (.*)$", page.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    found = []
    # Text of HTML may show Markdown.
    links = (second or (page.suffix == ".md" and first) for first, second in LINK.findall(text))
    for link in map(html.unescape, filter(None, links)):
        path, _, heading = link.partition("#")
        path = path.partition("?")[0]
        target = page.parent / path if path else page
        if re.match(r"[a-z]+:", link):
            continue
        if not target.exists() or (heading and target.suffix in SUFFIXES and heading not in anchors(target)):
            found.append(link)
    return found


def main() -> int:
    folder = Path(sys.argv[1])
    pages = sorted(page for page in folder.rglob("*") if page.suffix in SUFFIXES)
    lines = [f"{page.relative_to(folder)}: {link} leads nowhere" for page in pages for link in dead(page)]
    print("\n".join([*lines, f"{len(pages)} pages, {len(lines)} dead links"]))
    return 1 if lines or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
