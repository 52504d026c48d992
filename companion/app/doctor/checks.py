"""One thing that was looked at: what it is called, how it stands, what was measured, and what helps."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class Verdict(StrEnum):
    """How a thing stands."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"
    UNKNOWN = "not known"
    SKIPPED = "skipped"


class Measure(msgspec.Struct, frozen=True):
    """One number behind a verdict.

    Attributes:
        what: its name, stable, in lower case with hyphens.
        value: it.
        unit: such as `px` or `cm`; empty for a count, a name or a truth value.
    """

    what: str
    value: float | int | str | bool | list[str] | None
    unit: str = ""


class Check(msgspec.Struct, frozen=True):
    """What was found of one thing.

    Attributes:
        name: what was looked at, stable, in lower case with hyphens.
        verdict: how it stands.
        says: the same in a few plain words, such as `low at the left`; empty where the verdict says all.
        measured: the numbers behind it.
        remedy: what helps; empty where nothing needs help.
    """

    name: str
    verdict: Verdict
    says: str = ""
    measured: tuple[Measure, ...] = ()
    remedy: str = ""


def worst(checks: Iterable[Check]) -> Verdict:
    """The gravest verdict of all: `fault`, else `warning`, else `ok`."""
    found = {check.verdict for check in checks}
    return next((grave for grave in (Verdict.FAULT, Verdict.WARNING) if grave in found), Verdict.OK)
