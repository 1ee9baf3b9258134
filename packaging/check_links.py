#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Checks the relative links of installed pages: each leads to a file of the folder, and to a heading if it names one.

Usage: check_links.py FOLDER
"""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def anchors(page: Path) -> set[str]:
    """Return the names by which links name the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    found = []
    for link in (first or second for first, second in LINK.findall(text)):
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        if re.match(r"[a-z]+:", link):
            continue
        if not target.exists() or (heading and target.suffix == ".md" and heading not in anchors(target)):
            found.append(link)
    return found


def main() -> int:
    folder = Path(sys.argv[1])
    pages = sorted(folder.rglob("*.md"))
    lines = [f"{page.relative_to(folder)}: {link} leads nowhere" for page in pages for link in dead(page)]
    print("\n".join([*lines, f"{len(pages)} pages, {len(lines)} dead links"]))
    return 1 if lines or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
