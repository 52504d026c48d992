"""The documents of the project, and what stands in them: sections, tables, code, examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TOLD = {path.name: path.read_text("utf-8") for path in DOCUMENTS}
"""All texts by file name."""


def section(text: str, title: str) -> str:
    """What stands below a heading, up to the next one of the same rank or a higher one."""
    found = re.search(rf"^(#+) {re.escape(title)}$\n", text, re.MULTILINE)
    assert found, f"no heading {title!r}"
    rest = text[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def table_rows(text: str) -> list[list[str]]:
    """The rows of all tables, without their headings."""
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    rules = [number for number, row in enumerate(rows) if set("".join(row)) <= set("-| ")]
    return [row for number, row in enumerate(rows) if number not in rules and number + 1 not in rules]


def coded(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Lines in with what a page prints as their answer, in the order of the page."""
    lines = [line for line in text.splitlines() if line[:2] in ("> ", "< ")]
    assert [line[0] for line in lines] == [">", "<"] * (len(lines) // 2)
    return zip((line[2:] for line in lines[::2]), (line[2:] for line in lines[1::2]), strict=True)
