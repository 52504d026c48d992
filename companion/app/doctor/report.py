"""Findings as lines for people, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import msgspec

import companion
from companion.app.doctor.checks import Check, Verdict, worst

NAME, VERDICT = 16, 11
"""Widths of the first two columns."""


def lines(check: Check, columns: int = 100) -> list[str]:
    """A finding in lines for a terminal: name, verdict, what was found, and below it what helps."""
    width = max(40, columns) - NAME - VERDICT
    told = [*wrap(check.says, width, break_on_hyphens=False), *wrap(check.remedy, width, break_on_hyphens=False)]
    head = f"{check.name.replace('-', ' '):<{NAME}}{check.verdict:<{VERDICT}}"
    return [(head + (told[0] if told else "")).rstrip(), *(" " * (NAME + VERDICT) + line for line in told[1:])]


def ending(checks: Sequence[Check]) -> str:
    """All of it in one line."""
    parts = []
    for verdict, called in ((Verdict.FAULT, "fault"), (Verdict.WARNING, "warning")):
        named = [check.name.replace("-", " ") for check in checks if check.verdict is verdict]
        if named:
            parts.append(f"{len(named)} {called}{'' if len(named) == 1 else 's'}: {', '.join(named)}.")
    open_ = [check for check in checks if check.verdict in (Verdict.UNKNOWN, Verdict.SKIPPED)]
    parts = parts or ["Nothing is wrong."]
    if open_:
        parts.append(f"{len(open_)} not known or skipped.")
    return " ".join(parts)


def as_json(checks: Sequence[Check], simulated: bool) -> Any:
    """All of it as plain values for JSON; docs/commands.md tells the keys."""
    return {
        "companion": companion.__version__,
        "verdict": str(worst(checks)),
        "simulated": simulated,
        "checks": msgspec.to_builtins(checks),
    }
