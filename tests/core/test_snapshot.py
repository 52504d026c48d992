"""Snapshots: when two moments of a session are the same to everybody who is told of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.snapshot import Snapshot

ONCE = {"serial", "events", "notices"}
"""What is told once, and therefore makes no difference."""


@pytest.mark.parametrize("field", Snapshot.__struct_fields__)
def test_whatever_differs_makes_another_moment_but_what_is_told_once(field: str) -> None:
    one = Snapshot(1, "toy")
    other = replace(one, **{field: ("something", "else")})
    assert (other.standing == one.standing) == (field in ONCE)
