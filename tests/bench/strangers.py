"""Things that are no piece of the game, to be seen and not named; for fixing limits, and for judging them.

Those by which limits are fixed and those by which they are judged differ in seeds, in games and in kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import segno
from numpy.random import Generator
from shots import CONDITIONS, Shot, take

from companion.core.tags import QrTag, cells, encode

Cells = npt.NDArray[np.bool_]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
PX_PER_MODULE = (1.0, 1.25, 1.5, 2.0, 3.0)


def text(rng: Generator, length: int) -> str:
    return "".join(LETTERS[i] for i in rng.integers(0, len(LETTERS), length))


def code(payload: str, level: str = "q") -> Cells:
    """Any code of version 1."""
    made = segno.make(payload, version=1, error=level, micro=False, boost_error=False)
    return np.array([[bool(module) for module in row] for row in made.matrix])


def somebody_elses(_own: list[str], rng: Generator) -> Cells:
    """As long as ours, and of the same level."""
    return code(text(rng, 16))


def another_level(_own: list[str], rng: Generator) -> Cells:
    level, length = (("l", 20), ("m", 17), ("h", 10), ("q", 7), ("l", 25))[rng.integers(5)]
    words = text(rng, length)
    return code(words.lower()[: length * 2 // 3] if rng.random() < 0.5 else words, level)


def another_game(_own: list[str], rng: Generator) -> Cells:
    """Sound by its own check."""
    return np.array(cells(QrTag(encode(text(rng, 2), text(rng, int(rng.integers(3, 7)))))))


def another_edition(own: list[str], rng: Generator) -> Cells:
    """Sound, of the same game, and nothing that it has."""
    while True:
        payload = encode(own[0][2:4], text(rng, int(rng.integers(3, 7))))
        if payload not in own:
            return np.array(cells(QrTag(payload)))


def one_letter_off(own: list[str], rng: Generator) -> Cells:
    """One of ours with one letter changed, the nearest that there is."""
    letters = list(own[rng.integers(len(own))])
    at = int(rng.integers(len(letters)))
    letters[at] = LETTERS[(LETTERS.find(letters[at]) + int(rng.integers(1, len(LETTERS)))) % len(LETTERS)]
    return code("".join(letters))


def mirrored(own: list[str], rng: Generator) -> Cells:
    return np.array(cells(QrTag(own[rng.integers(len(own))])))[:, ::-1]


def negative(own: list[str], rng: Generator) -> Cells:
    """Black and white exchanged."""
    return ~np.array(cells(QrTag(own[rng.integers(len(own))])))


def noise(_own: list[str], rng: Generator) -> Cells:
    """Black and white squares, as on a crossword or a cloth; now and then with the corners of a code."""
    squares = rng.random((21, 21)) < rng.uniform(0.3, 0.7)
    if rng.random() < 0.5:
        frame = np.array(cells(QrTag(encode("ZZ", "ZZ"))))
        known = np.zeros((21, 21), bool)
        known[:8, :8] = known[:8, 13:] = known[13:, :8] = True
        squares = np.where(known, frame, squares)
    return squares


def nothing(_own: list[str], _rng: Generator) -> Cells:
    """A card's face and the table."""
    return np.zeros((0, 0), bool)


def one_over_another(_own: list[str], rng: Generator) -> Cells:
    """Halves of two overlapping tags, both of somebody else."""
    return code(text(rng, 16))


Kind = Callable[[list[str], Generator], Cells]
FIXING: tuple[Kind, ...] = (somebody_elses, one_letter_off, mirrored, noise, nothing, one_over_another)
JUDGING: tuple[Kind, ...] = (*FIXING, another_level, another_game, another_edition, negative)


def seen(kind: Kind, own: list[str], rng: Generator, px: float) -> tuple[Shot, str]:
    """A shot of a stranger, its noise that of one frame or of the mean of some, and its condition."""
    condition = CONDITIONS[rng.integers(len(CONDITIONS))]
    usual = replace(condition, electrons=condition.electrons * float(rng.choice([1, 4])))
    over = one_over_another(own, rng) if kind is one_over_another else None
    around_mm = 70.0 if kind is nothing else 44.0
    return take(kind(own, rng), px, usual, rng, frames=1, around_mm=around_mm, over=over), condition.name
