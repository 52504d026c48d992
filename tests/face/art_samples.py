"""Pictures for the tests of the face: six that are told apart at a glance, a clock, and a track as wide as three."""

from __future__ import annotations

from companion.core.art import Layer, Picture
from companion.core.messages import verbatim
from companion.core.panel import Art, Page, Sketch, Text

HOUSE: Picture = (
    Layer("M18 46 L82 46 L82 90 L18 90 Z", "#eeddbb"),
    Layer("M8 50 L50 10 L92 50 Z", "#bb4433"),
    Layer("M42 62 L58 62 L58 90 L42 90 Z", "#553311", ink=True),
)
SUN: Picture = (
    Layer("M50 8 L50 92 M8 50 L92 50 M20 20 L80 80 M80 20 L20 80"),
    Layer("M50 26 C82 26 82 74 50 74 C18 74 18 26 50 26 Z", "#ffcc33"),
)
TREE: Picture = (
    Layer("M44 60 L56 60 L56 92 L44 92 Z", "#774422", ink=True),
    Layer("M50 8 C84 8 92 64 50 64 C8 64 16 8 50 8 Z", "#449944"),
)
BOAT: Picture = (
    Layer("M50 10 L50 66"),
    Layer("M54 14 L88 58 L54 58 Z", "#ffffff"),
    Layer("M8 66 L92 66 L76 90 L24 90 Z", "#884422"),
)
STAR: Picture = (Layer("M50 8 L61 40 L94 40 L68 60 L78 92 L50 72 L22 92 L32 60 L6 40 L39 40 Z", "#ffdd44"),)
KEY: Picture = (
    Layer("M30 30 C58 30 58 72 30 72 C2 72 2 30 30 30 Z", "#ddaa22"),
    Layer("M50 46 L94 46 L94 68 L84 68 L84 56 L50 56 Z", "#ddaa22", ink=True),
)
SIX = (HOUSE, SUN, TREE, BOAT, STAR, KEY)

CLOCK: Picture = (
    Layer("M50 4 C112 4 112 96 50 96 C-12 96 -12 4 50 4 Z", "#ffffff"),
    Layer("M50 50 L50 14 M50 50 L30 38"),
    Layer("M46 46 L54 46 L54 54 L46 54 Z", "#222222", ink=True),
)
TRACK: Picture = (
    Layer("M2 4 L298 4 L298 96 L2 96 Z", "#88aa66"),
    Layer("M32 34 L268 34 L268 66 L32 66 Z", "#ddccaa"),
    *(Layer(f"M{x} 4 L{x} 34 M{x} 66 L{x} 96") for x in range(32, 300, 59)),
    Layer("M46 8 L74 8 L60 30 Z", "#222222", ink=True),
    Layer("M150 70 L176 70 L176 92 L150 92 Z", "#ffffff"),
)


def found(done: int, count: int) -> tuple[Sketch, ...]:
    """So many pictures, the first of them found already, and the one after these next."""
    marks = ["done"] * done + ["next"] + [""] * count
    return tuple(Sketch(picture, mark=mark) for picture, mark in zip(SIX[:count], marks, strict=False))


def row(done: int, count: int, title: str = "Seite 4") -> Page:
    """A page of so many pictures."""
    return Page(verbatim(title), (Art(found(done, count)),))


BELLS = Page(
    verbatim("Mitternacht"),
    (Art((Sketch(CLOCK),), (verbatim("10 Uhr"), verbatim("noch zwei Schläge"))),),
)
RACE = Page(verbatim("Das Rennen"), (Art((Sketch(TRACK, 300.0),)),))
WITH_TEXT = Page(verbatim("Ellie"), (Art((Sketch(STAR), Sketch(KEY))), Text(verbatim("Welche Kachel?"))))
STORY = "Es war einmal ein Mädchen, das fegte jeden Tag die Asche vom Herd. „Wer singt denn da?“, fragte die Maus."
READING = Page(verbatim(""), (Text(verbatim(STORY), reading=True),))
