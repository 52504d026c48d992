"""Moving things as people do: scripts that change a scene a little before each frame.

A script is an iterator. Each step makes the changes of one frame; when it ends, its last changes have been made
and every hand is away. `Stage` runs scripts one after the other, `together` runs several at once.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from typing import Any

from companion.core.box import Piece, PieceId
from companion.core.table import Point, Pose
from vision.scene.scene import Hand, Placed, Scene, SceneError

Script = Iterator[None]
_GRIP_MM = 88.0
"""From the middle of the palm to where the fingers hold a piece."""
_AWAY_MM = 300.0
"""A hand whose palm is so far beyond the table's edge can't be seen."""


class Actor:
    """One person at the table, with one hand.

    Args:
        scene: the table.
        seat_mm: a point beyond the edge at which the person sits; the arm comes from there.
        name: of the hand; two actors need two names.
        rate_hz: frames per second of the camera.
        speed_mm_s: how fast the hand moves, on average.
        shutter_s: for how long the camera's shutter is open; makes the smear.
        skin: `#rrggbb`.
        sleeve: `#rrggbb`.
        left: uses the left hand.
    """

    def __init__(
        self,
        scene: Scene,
        seat_mm: Point,
        name: str = "hand",
        rate_hz: float = 10.0,
        speed_mm_s: float = 700.0,
        shutter_s: float = 0.02,
        skin: str = "#c98f6b",
        sleeve: str = "#37527a",
        left: bool = False,
    ) -> None:
        self.scene = scene
        self.name = name
        self.seat_mm = seat_mm
        self._step_mm = speed_mm_s / rate_hz
        self._shutter = shutter_s * rate_hz
        self._looks: dict[str, Any] = {"skin": skin, "sleeve": sleeve, "left": left}

    def lay(self, piece: Piece | PieceId, at_mm: Point, angle_deg: float = 0.0, face_up: bool = True) -> Script:
        """Brings a piece from beyond the table, or from where it lies, and lets it go."""
        name = piece if isinstance(piece, str) else piece.id
        if name in self.scene.placed:
            yield from self._approach(self._lying(name).at_mm)
            yield from self._carry(piece, self._lying(name).at_mm, at_mm, angle_deg, face_up)
        else:
            yield from self._carry(piece, self._outside(at_mm), at_mm, angle_deg, face_up)
        yield from self._retreat(at_mm)

    def take(self, piece: PieceId) -> Script:
        """Takes a piece from the table."""
        start = self._lying(piece)
        yield from self._approach(start.at_mm)
        yield from self._carry(piece, start.at_mm, self._outside(start.at_mm), start.angle_deg, start.face_up)
        self.scene.remove(piece)
        self.scene.withdraw(self.name)
        yield

    def nudge(self, piece: PieceId, by_mm: Point, turn_deg: float = 0.0) -> Script:
        """Pushes a piece aside, as a sleeve does."""
        start = self._lying(piece)
        end = (start.at_mm[0] + by_mm[0], start.at_mm[1] + by_mm[1])
        yield from self._approach(start.at_mm)
        yield from self._carry(piece, start.at_mm, end, start.angle_deg + turn_deg, start.face_up)
        yield from self._retreat(end)

    def turn_over(self, piece: PieceId, face_up: bool, pose: Pose | None = None) -> Script:
        """Turns a piece where it lies, or so that it then lies with its centre and angle as `pose` says."""
        start = self._lying(piece)
        x, y, angle = pose or (*start.at_mm, start.angle_deg)
        yield from self._approach(start.at_mm)
        self.scene.put(self._what(start), (x, y), angle, face_up)
        yield
        yield from self._retreat((x, y))

    def rest_hand(self, at_mm: Point, frames: int) -> Script:
        """Lays the hand on the table, its fingers over a point, and leaves it there for so many frames."""
        yield from self._approach(at_mm)
        self._hold(at_mm, self._away(at_mm), (0.0, 0.0))
        yield from wait(frames)
        yield from self._retreat(at_mm)

    def _what(self, placed: Placed) -> Piece:
        if not isinstance(placed.what, Piece):
            raise SceneError(f"{placed.what.kind!r} is a prop; actors move pieces, `put_prop` moves props")
        return placed.what

    def _lying(self, name: str) -> Placed:
        try:
            return self.scene.placed[name]
        except KeyError:
            raise SceneError(f"{name!r} does not lie on the virtual table, so no hand can reach it") from None

    def _away(self, at_mm: Point) -> Point:
        """Direction from a point to the seat, of length 1."""
        x, y = self.seat_mm[0] - at_mm[0], self.seat_mm[1] - at_mm[1]
        length = math.hypot(x, y)
        return (x / length, y / length) if length > 1e-6 else (0.0, 1.0)

    def _outside(self, at_mm: Point) -> Point:
        """Where on the way to the seat nothing of the hand, nor of a piece in it, is seen any more."""
        away = self._away(at_mm)
        exits = [
            ((side if way > 0 else 0.0) - at) / way
            for at, way, side in zip(at_mm, away, self.scene.size_mm, strict=True)
            if abs(way) > 1e-6
        ]
        return _along(at_mm, away, max(0.0, min(exits)) + _AWAY_MM)

    def _hold(self, grip_mm: Point, away: Point, moved: Point) -> None:
        palm = _along(grip_mm, away, _GRIP_MM)
        smear = (moved[0] * self._shutter, moved[1] * self._shutter)
        self.scene.reach(self.name, Hand(palm, _along(palm, away, 100.0), motion_mm=smear, **self._looks))

    def _approach(self, at_mm: Point) -> Script:
        for at, moved in self._path(self._outside(at_mm), at_mm):
            self._hold(at, self._away(at_mm), moved)
            yield

    def _retreat(self, at_mm: Point) -> Script:
        for at, moved in self._path(at_mm, self._outside(at_mm)):
            self._hold(at, self._away(at_mm), moved)
            yield
        self.scene.withdraw(self.name)
        yield

    def _carry(self, piece: Piece | PieceId, start: Point, end: Point, angle_deg: float, face_up: bool) -> Script:
        name = piece if isinstance(piece, str) else piece.id
        lying = self.scene.placed.get(name)
        what: Piece | PieceId = self._what(lying) if lying else piece
        first = lying.angle_deg if lying else angle_deg + 12.0
        turn = (angle_deg - first + 180) % 360 - 180
        nearer = start if math.dist(start, self.seat_mm) > math.dist(end, self.seat_mm) else end
        steps = list(self._path(start, end))
        for index, (at, moved) in enumerate(steps):
            angle = angle_deg - turn * (1 - _ease((index + 1) / len(steps)))
            smear = (moved[0] * self._shutter, moved[1] * self._shutter)
            self.scene.put(what, at, angle, face_up, smear)
            self._hold(at, self._away(nearer), moved)
            yield
        self.scene.put(what, end, angle_deg, face_up)
        self._hold(end, self._away(nearer), (0.0, 0.0))
        yield

    def _path(self, start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
        """Where the hand is in each frame, and how far it has come since the one before."""
        steps = max(2, math.ceil(math.dist(start, end) / self._step_mm))
        before = start
        for step in range(1, steps + 1):
            share = _ease(step / steps)
            at = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            yield at, (at[0] - before[0], at[1] - before[1])
            before = at


class Stage:
    """Runs scripts one after the other; a virtual camera asks it before each frame."""

    def __init__(self) -> None:
        self._scripts: deque[Script] = deque()

    def play(self, *scripts: Script) -> None:
        """Adds scripts behind those that wait."""
        self._scripts.extend(scripts)

    @property
    def idle(self) -> bool:
        """Whether nothing is left to play."""
        return not self._scripts

    def __call__(self, _at_s: float) -> None:
        """Makes the changes of the next frame."""
        while self._scripts:
            script = self._scripts[0]
            try:
                next(script)
            except StopIteration:
                self._scripts.remove(script)
            else:
                return


def wait(frames: int) -> Script:
    """Lets so many frames pass."""
    for _ in range(frames):
        yield


def together(*scripts: Script) -> Script:
    """Runs scripts at the same time, until the last has ended."""
    running = list(scripts)
    while running:
        for script in list(running):
            try:
                next(script)
            except StopIteration:
                running.remove(script)
        if running:
            yield


def _along(at_mm: Point, direction: Point, length_mm: float) -> Point:
    return (at_mm[0] + direction[0] * length_mm, at_mm[1] + direction[1] * length_mm)


def _ease(share: float) -> float:
    """Starts and ends softly."""
    return share * share * (3 - 2 * share)
