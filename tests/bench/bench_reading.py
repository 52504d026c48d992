"""Which share of tags is read, by px per module and by what goes wrong; and how many strangers are named.

Run with `./go bench reading`, some minutes, or `./go bench reading --full`, for hours; `--write` makes the plots and
tables of `docs/reading.md` from the same run. Pictures come from `shots.py`; the unit is a plain zxing-cpp read.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import plots
from shots import CONDITIONS, Condition, Shot, take
from strangers import JUDGING, seen

from companion.core.tags import ARUCO_CELLS, ArucoTag, QrTag, Tag
from companion.games import load
from vision.closed_world import ClosedWorld
from vision.fiducials import Corners, Fiducials
from vision.frame import Frame
from vision.lens import Homography
from vision.reading import Decoder, Reader, Zbar, Zxing
from vision.scan import Found, Scanner, World

DOCS = Path(__file__).resolve().parents[2] / "docs"
PX = (1.0, 1.25, 1.5, 2.0, 3.0)
FRAMES, STACK, GLANCES, NEEDED = 6, 4, 2, 2
"""As the watcher looks at what has changed, and how many frames must agree."""
GAMES = ("three_kings", "storytelling", "wonderland")
"""Limits were fixed with another one."""
MARKER_MM = 15.0
FREE_MM, SLOT_MM = 110.0, 60.0
"""What is looked at: a changed part of the table, or the surroundings of a place where a piece is expected."""
SAMPLES, STRANGERS = {False: 6, True: 200}, {False: 400, True: 100_000}
WAYS = ("zxing-cpp, full frame", "zbar, full frame", "product, anywhere", "product, in its place")
SEED = 31

Shares = dict[str, dict[str, list[float]]]
"""Shares of 100 by way, condition and px."""


class Product:
    """The reading of one game's tags as the watcher does it."""

    def __init__(self, game: str) -> None:
        self.box = load(game).box
        self.closed = ClosedWorld(self.box)
        self.scanner = Scanner(Reader.standard(), Fiducials())

    def looks(
        self, shot: Shot, px_per_mm: np.ndarray[tuple[int, ...], np.dtype[np.float64]], expected: bool
    ) -> Iterator[list[Found]]:
        """What is found in each frame in turn."""
        table = scaled(px_per_mm)

        def may_lie(_tag: Tag, _corners: Corners) -> bool:
            return expected

        for number, picture in enumerate(shot.frames):
            frame = Frame.of(picture, 0.0)
            stack = shot.frames[max(0, number + 1 - STACK) : number + 1] if number >= GLANCES else []
            world = World(self.closed, table, may_lie)
            yield self.scanner.parts(frame, [(0, 0, *frame.size)], stack=stack, world=world)

    def reads(self, tag: Tag, shot: Shot, expected: bool) -> tuple[bool, set[Tag]]:
        """Whether enough frames agree on a tag, and what else they agree on."""
        votes: Counter[Tag] = Counter()
        for found in self.looks(shot, shot.to_px, expected):
            votes.update({one.tag for one in found})
            if votes[tag] >= NEEDED:
                break
        return votes[tag] >= NEEDED, {other for other, count in votes.items() if count >= NEEDED and other != tag}


def scaled(px_per_mm: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Homography:
    to_px = np.eye(3)
    to_px[:2, :2] = px_per_mm
    return Homography(np.linalg.inv(to_px))


def any_frame(decoder: Decoder) -> Callable[[Tag, Shot], bool]:
    """A decoder on whole frames as they are; any one frame will do."""
    reader = Reader(decoder)
    return lambda tag, shot: any(
        QrTag(one.text) == tag for picture in shot.frames for one in reader.read(picture, enlarge=1)
    )


def cards(samples: int) -> tuple[Shares, Counter[str]]:
    """How many cards' codes are read, and what was misread."""
    plain, zbar = any_frame(Zxing(thorough=True)), any_frame(Zbar())
    products = {game: Product(game) for game in GAMES}
    shares: Shares = {way: {c.name: [] for c in CONDITIONS} for way in WAYS}
    misread: Counter[str] = Counter()
    for condition in CONDITIONS:
        for px in PX:
            right: Counter[str] = Counter()
            for number in range(samples):
                product = products[GAMES[number % len(GAMES)]]
                rng = np.random.default_rng([SEED, number, int(100 * px)])
                tags = [piece.tag for piece in product.box.pieces.values() if isinstance(piece.tag, QrTag)]
                tag = tags[int(rng.integers(len(tags)))]
                for way, expected, around_mm in ((WAYS[2], False, FREE_MM), (WAYS[3], True, SLOT_MM)):
                    shot = take(tag, px, condition, rng, frames=FRAMES, around_mm=around_mm)
                    read, others = product.reads(tag, shot, expected)
                    right[way] += read
                    misread[way] += len(others)
                    if not expected:
                        right[WAYS[0]] += plain(tag, shot)
                        right[WAYS[1]] += zbar(tag, shot)
            for way in WAYS:
                shares[way][condition.name].append(100 * right[way] / samples)
        _rows(condition, shares)
    return shares, misread


def markers(samples: int) -> Shares:
    """How many tokens are read where a card on the same table has so many px per module."""
    detector, product = Fiducials(), Product("phoenix")
    cell_mm = MARKER_MM / ARUCO_CELLS
    ways = ("OpenCV, thorough", "product, in its place")
    shares: Shares = {way: {c.name: [] for c in CONDITIONS} for way in ways}
    tokens = [p for p in product.box.pieces.values() if isinstance(p.tag, ArucoTag) and p.kind == "token"]
    for condition in CONDITIONS:
        for px in PX:
            right: Counter[str] = Counter()
            for number in range(samples):
                rng = np.random.default_rng([SEED + 1, number, int(100 * px)])
                piece = tokens[int(rng.integers(len(tokens)))]
                cell_px = px * cell_mm
                # Drawn at the piece's own size, so that the product knows it; scale and not size makes the px.
                own_mm = piece.tag_mm / ARUCO_CELLS
                shot = take(
                    piece.tag, cell_px, condition, rng, frames=FRAMES, cell_mm=own_mm, quiet=1, around_mm=SLOT_MM
                )
                assert isinstance(piece.tag, ArucoTag)
                found = [detector.find_all(picture) for picture in shot.frames]
                right[ways[0]] += any(piece.tag.number == one for frame in found for one, _ in frame)
                right[ways[1]] += product.reads(piece.tag, shot, True)[0]
            for way in ways:
                shares[way][condition.name].append(100 * right[way] / samples)
        _rows(condition, shares)
    return shares


def strangers(count: int) -> tuple[int, Counter[str]]:
    """How many strangers were shown, and by kind how many of them were named as a piece, in a place of one."""
    products = {game: Product(game) for game in GAMES}
    named: Counter[str] = Counter()
    for number in range(count):
        rng = np.random.default_rng([SEED + 2, number])
        product, kind = products[GAMES[number % len(GAMES)]], JUDGING[number % len(JUDGING)]
        px = PX[int(rng.integers(len(PX)))]
        own = [p.tag.payload for p in product.box.pieces.values() if isinstance(p.tag, QrTag)]
        shot, _ = seen(kind, own, rng, px)
        grey = shot.frames[0]
        found = product.closed.recognise(grey, np.zeros(2), scaled(shot.to_px), lambda *_: True, [])
        named[kind.__name__.replace("_", " ")] += len(found)
    return count, named


def _rows(condition: Condition, shares: Shares) -> None:
    for way, by_condition in shares.items():
        cells = " ".join(f"{share:5.0f}" for share in by_condition[condition.name])
        print(f"  {condition.name:<22} {way:<24} {cells}", flush=True)


def table(shares: Mapping[str, Mapping[str, list[float]]]) -> str:
    """As Markdown, a row for each condition and way."""
    lines = [
        "| condition | read by | " + " | ".join(f"{px:g}" for px in PX) + " |",
        "| --- | --- |" + " --- |" * len(PX),
    ]
    for condition in CONDITIONS:
        for way, by_condition in shares.items():
            cells = " | ".join(f"{share:.0f}" for share in by_condition[condition.name])
            lines.append(f"| {condition.name} | {way} | {cells} |")
    return "\n".join(lines)


def write(samples: int, by_code: Shares, by_marker: Shares, judged: str) -> None:
    """Plots, and the tables between the two marks of the page."""
    name = "px per module"
    plots.draw(DOCS / "pictures" / "reading.png", {way: by_code[way] for way in (WAYS[0], *WAYS[2:])}, PX, name)
    plots.draw(DOCS / "pictures" / "reading-markers.png", by_marker, PX, f"{name} of a card on the same table")
    page = DOCS / "reading.md"
    before, _, rest = page.read_text("utf-8").partition("<!-- bench -->\n")
    _, _, after = rest.partition("<!-- end of bench -->\n")
    parts = [
        f"{samples} tags for each figure; shares of 100, by px per module.",
        "![Shares of codes read by px per module, in each condition](pictures/reading.png)",
        table(by_code),
        f"Markers of 15 mm, by the px per module that a card has on the same table ({samples} for each figure):",
        "![The same of markers](pictures/reading-markers.png)",
        table(by_marker),
        judged,
    ]
    body = "\n\n".join(parts)
    page.write_text(f"{before}<!-- bench -->\n{body}\n<!-- end of bench -->\n{after}", "utf-8")


def main(arguments: list[str]) -> None:
    """Prints all shares."""
    cv2.setNumThreads(1)
    full = "--full" in arguments
    samples = SAMPLES[full]
    print(f"share of codes read within {FRAMES} frames, {samples} each; px per module: {PX}")
    by_code, misread = cards(samples)
    print(f"misread beside them: {dict(misread) or 'none'}")
    print("share of markers of 15 mm read, by the px per module of cards on the same table")
    by_marker = markers(samples)
    shown, named = strangers(STRANGERS[full])
    wrong = sum(named.values())
    # With none wrong of n, the share is below 3 / n with 95 % confidence.
    bound = 3 / shown if not wrong else (wrong + 2 * wrong**0.5 + 2) / shown
    judged = f"Of {shown} strangers {wrong} were named; with 95 % confidence less than {1e6 * bound:.0f} in a million."
    print(judged, {kind: count for kind, count in named.items() if count})
    if "--write" in arguments:
        write(samples, by_code, by_marker, judged)


if __name__ == "__main__":
    main(sys.argv[1:])
