"""What a careless or malicious world makes of good input: values and texts that are nearly right, or not at all."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, example, settings
from hypothesis import strategies as st

from companion.core.content import Problem
from companion.files import OWNERS_BYTES

LONGEST_S = 3.0
"""Nothing here may take longer, in seconds of the processor; it takes milliseconds."""

PHASES = (Phase.explicit, Phase.generate)
"""What fails is shown as it is: to make it small takes longer than to look at it."""

HOSTILE = (
    "a = " + "[" * 3000,
    "a = " + "9" * 5000,
    "a = " + "{b = " * 2000,
    "a" + ".a" * 3000 + " = 1",
    '"\\u0000\\n" = 1',
    'name = { "x\\n" = 1, en = "' + "x" * 100_000 + '" }',
)
"""Content files that are no mistake of an owner's."""


def _filled(piece: Callable[[int], str], head: str = "", tail: str = "") -> str:
    """A file of nearly as many bytes as are read."""
    count = (OWNERS_BYTES - len(head) - len(tail)) // len(piece(10**5))
    return head + "".join(map(piece, range(count))) + tail


TILES = "tiles = [" + ",".join('{name = "%05d"}' % number for number in range(6000)) + "]\n"  # noqa: UP031
LARGE = {
    "keys": _filled(lambda n: f"k{n:x} = 1\n"),
    "keys below a deep header": _filled(lambda n: f"{n:x}=1\n", "[" + "a." * 60_000 + "a]\n"),
    "a key of many names": "a" + _filled(lambda _: ".a", tail=" = 1"),
    "an inline key of many names": "a = {b" + _filled(lambda _: ".b", tail=" = 1}"),
    "as many names and keys as are read": f"[{'.'.join('a' * 20)}]\n"
    + "".join(f"{'.'.join('b' * 19)}.k{n:x} = 1\n" for n in range(4998)),
    "headers": "[[cards]]\n" * 4999,
    "empty cards": _filled(lambda _: "{},", "cards = [", "]"),
    "numbers": _filled(lambda _: "1,", "tiles = [", "]"),
    "an inline table": _filled(lambda n: f"k{n:x}=1,", "name = {", "x=1}"),
    "escapes": _filled(lambda _: "\\t", 'name = "', '"'),
    "no end": '"' * OWNERS_BYTES,
    "brackets": "[" * OWNERS_BYTES,
    "blanks in a header": "[" + " " * (OWNERS_BYTES - 2) + "x",
    "cards of tiles that are none": _filled(lambda _: '{pictures=["x","x","x","x","x"]},', TILES + "cards = [", "]"),
}
"""Content files as large as may be, by what makes each slow to read."""
large = pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
Test = TypeVar("Test", bound=Callable[..., None])


def hostile(test: Test) -> Test:
    """Tries each of `HOSTILE` as well."""
    for text in HOSTILE:
        test = example(text)(test)
    return test


def told_whole(problems: list[Problem]) -> None:
    """Each problem says where it is, and what, in letters that can be printed."""
    assert all(problem.where and problem.what for problem in problems)
    assert all(str(problem).isprintable() for problem in problems), problems


def short(most: int) -> settings:
    """The same inputs in every run, as many as a run of all tests can bear."""
    return settings(max_examples=most, deadline=None, derandomize=True, database=None, phases=PHASES)


def long(most: int) -> settings:
    """Other inputs in every run, and many."""
    slow = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
    return settings(max_examples=most, deadline=None, database=None, phases=PHASES, suppress_health_check=slow)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 20)
    | st.just(10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(["", "big", "red-3a", "small-1/crown", "open", "\0", "é", "🂡", "__class__", "A", "grid/A1"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=12,
)

Path = tuple[Any, ...]


@contextmanager
def no_hang() -> Iterator[None]:
    """Fails if what happens within takes long."""
    start = time.process_time()
    yield
    assert time.process_time() - start < LONGEST_S


def mutated(value: Any, other: Any, seed: int) -> Any:
    """A value with one to three of its parts replaced by another one, taken away, doubled, or exchanged."""
    chance = random.Random(seed)
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(value, ()))
        if not places:
            return other
        *path, key = chance.choice(places)
        parent = value
        for step in path:
            parent = parent[step]
        _change(parent, key, copy.deepcopy(other), chance)
    return value


def _places(value: Any, path: Path) -> Iterator[Path]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from _places(one, (*path, key))


def _change(parent: Any, key: Any, other: Any, chance: random.Random) -> None:
    act = chance.choice(["replace", "replace", "remove", "double", "rename"])
    if act == "remove":
        del parent[key]
    elif isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]) if act == "double" else other)
    elif act == "rename":
        parent[f"{key}x"] = parent.pop(key)
    else:
        parent[key] = [parent[key]] * 3 if act == "double" else other


def garbled(text: str, seed: int, spice: tuple[str, ...] = ()) -> str:
    """A text with a few places cut out, doubled, exchanged or spiced."""
    chance = random.Random(seed)
    acts: tuple[Callable[[str, int, int], str], ...] = (
        lambda text, start, end: text[:start] + text[end:],
        lambda text, start, end: text[:end] + text[start:end] + text[end:],
        lambda text, start, end: text[:start] + text[start:end][::-1] + text[end:],
        lambda text, start, _: text[:start] + chance.choice([*spice, "\0", "[", '"', "9" * 30, "é"]) + text[start:],
        lambda text, start, _: text[:start],
        lambda text, start, _: text[:start] + chr(chance.choice([0, 9, 10, 127, 0x85, 0xFFFF, 0x1F0A1])) + text[start:],
    )
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(text))
        text = chance.choice(acts)(text, start, min(len(text), start + chance.randint(1, 60)))
    return text
