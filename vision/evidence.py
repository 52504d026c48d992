"""Evidence about a place where a piece was seen: is it still there, is it covered, or is the place empty?

A tag that can't be read proves nothing: a hand, a cup or a blurred frame hides it as well. A place counts as empty only
if it can be seen and shows something else than the piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.box import Piece
from vision.fiducials import Corners
from vision.frame import Frame, Picture
from vision.lens import Homography
from vision.zones import Pose, footprint_mm

UNCHANGED = 0.7
"""Correlation of a patch with itself in a later frame is at least this, 0.85 in good light; what moved or left reaches
0.38 at most. Only another tag in the very same place, which is read then, may reach 0.75."""
SEARCH_PX = 2
RING_MM = (4.0, 20.0)
"""Where a place's surroundings begin and end, from the edge of the piece."""
NEAR_MM = 9.0
"""Where their inner part ends."""
SMALL_MM2 = 1000
"""A piece of so little area is a token or a figure."""
EDGE = 60.0
"""Strength of an edge, in grey levels per 8 mm, that can be seen to vanish."""
OWN_MM2 = 500
"""So much of a piece must lie beside all others for this part to tell whether it has left."""
SAME_OWN = 0.2
"""Where no more of this part is something else now, the piece still lies there."""
DIFFERENT = 18
"""Grey levels in any channel between a pixel then and now that is something else now."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A tag as it looked in full resolution when it was read last.

    Attributes:
        grey: uint8 crop around the tag.
        corner_px: left and top of the crop in the picture.
    """

    grey: Picture
    corner_px: tuple[int, int]

    @classmethod
    def of(cls, grey: Picture, corners_px: Corners) -> Patch | None:
        """The patch around a tag, or None at the very edge of the picture."""
        left, top = np.floor(corners_px.min(axis=0)).astype(int)
        right, bottom = np.ceil(corners_px.max(axis=0)).astype(int) + 1
        height, width = grey.shape
        inside = min(left, top) >= SEARCH_PX and right <= width - SEARCH_PX and bottom <= height - SEARCH_PX
        if not inside or right - left < 8 or bottom - top < 8:
            return None
        return cls(grey[top:bottom, left:right].copy(), (int(left), int(top)))

    def likeness(self, grey: Picture) -> float:
        """Normalised cross-correlation, -1..1, with the same place in another frame; a small shift is allowed."""
        left, top = self.corner_px
        height, width = self.grey.shape
        around = grey[top - SEARCH_PX : top + height + SEARCH_PX, left - SEARCH_PX : left + width + SEARCH_PX]
        if around.shape != (height + 2 * SEARCH_PX, width + 2 * SEARCH_PX):
            return -1.0
        return float(cv2.matchTemplate(around, self.grey, cv2.TM_CCOEFF_NORMED).max())


@dataclass(frozen=True, slots=True)
class View:
    """A piece with its surroundings as seen from straight above, a pixel per millimetre, in the frame of its tag.

    Attributes:
        picture: uint8, (h, w) or (h, w, 3), slightly blurred.
        near: mask of the inner part of the surroundings.
        ring: mask of all the surroundings, where no other piece lay.
        body: mask of the piece itself.
        own: mask of the part of it that lies 3 mm and more beside all other pieces.
    """

    picture: Picture
    near: npt.NDArray[np.bool_]
    ring: npt.NDArray[np.bool_]
    body: npt.NDArray[np.bool_]
    own: npt.NDArray[np.bool_]

    @classmethod
    def of(
        cls, frame: Frame, homography: Homography, piece: Piece, pose: Pose, others: Iterable[npt.NDArray[np.float64]]
    ) -> View:
        """How a place looks now.

        Args:
            frame: the picture.
            homography: of the table.
            piece: what lies or lay there.
            pose: where.
            others: footprints in the table frame of pieces nearby, which may come and go on their own account.
        """
        outline = footprint_mm(piece, RING_MM[1])
        left, top = np.floor(outline.min(axis=0))
        width, height = (int(size) for size in np.ceil(outline.max(axis=0) - (left, top)))
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        on_table = pose.place(corners + np.array((left, top)))
        from_px = cv2.getPerspectiveTransform(
            homography.to_px(on_table).astype(np.float32), (corners - 0.5).astype(np.float32)
        )
        picture = cv2.warpPerspective(frame.main, from_px, (width, height), borderMode=cv2.BORDER_REPLICATE)
        picture = cv2.GaussianBlur(picture, (3, 3), 0)
        body, close, near, over = (np.zeros((height, width), np.uint8) for _ in range(4))
        _draw(body, footprint_mm(piece) - (left, top), piece.face.round)
        _draw(near, footprint_mm(piece, NEAR_MM) - (left, top), False)
        _draw(close, footprint_mm(piece, RING_MM[0]) - (left, top), False)
        to_view = Pose((0.0, 0.0), -pose.angle_deg)
        for other in others:
            _draw(over, to_view.place(other - np.array(pose.at_mm)) - (left, top), False)
        ring = (close == 0) & (over == 0)
        own = (body > 0) & (cv2.dilate(over, np.ones((7, 7), np.uint8)) == 0)
        return cls(picture, ring & (near > 0), ring, body > 0, own)  # type: ignore[arg-type]

    def empty_since(self, then: View) -> bool:
        """Whether the piece has left: all around it looks as it did then, and the place itself shows something else.

        A hand or a cup also covers some of the surroundings, and a die or a coin leaves most of a card as it was.
        """
        ring, near = self.ring & then.ring, self.near & then.near
        if ring.sum() < 60:
            return False
        now, before = self._channels(), then._channels()
        gain = np.median((now[ring] + 1) / (before[ring] + 1), axis=0)
        apart = np.abs(now - before * gain).max(axis=-1) > DIFFERENT
        # A cup that hides a whole card stands out a little on two sides only, so the nearest ring is the strictest.
        around = apart[ring].mean() < 0.1 and (near.sum() < 40 or apart[near].mean() < 0.05)
        # The print of a small token covers it all; of a card much may look like its back.
        replaced = apart[then.body].mean() > (0.4 if then.body.sum() < SMALL_MM2 else 0.55)
        own = self.own & then.own
        if OWN_MM2 < own.sum() < 0.9 * then.body.sum():
            # In a fan the rest shows the cards below it, or a hand that hides these as well.
            left = apart[own].mean()
            replaced = left > 0.55 or (replaced and left > SAME_OWN)
        return bool(around and (replaced or self._outline_vanished(then)))

    def _outline_vanished(self, then: View) -> bool:
        """Whether the edges of the piece are gone: what is below a card may look just like it."""
        body = then.body.astype(np.uint8)
        edge = (cv2.dilate(body, np.ones((3, 3), np.uint8)) - cv2.erode(body, np.ones((3, 3), np.uint8))) > 0
        edge &= cv2.dilate((self.own & then.own).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        before, now = _edges(then.picture)[edge], _edges(self.picture)[edge]
        strong = before > EDGE
        return bool(strong.sum() >= 40 and np.mean(now[strong] < 0.5 * before[strong]) > 0.7)

    def _channels(self) -> npt.NDArray[np.float32]:
        picture = self.picture if self.picture.ndim == 3 else self.picture[..., None]
        return picture.astype(np.float32)


def _draw(mask: npt.NDArray[np.uint8], polygon: npt.NDArray[np.float64], round_: bool) -> None:
    if round_:
        middle, size = polygon.mean(axis=0), np.ptp(polygon, axis=0) / 2
        cv2.ellipse(mask, (round(middle[0]), round(middle[1])), (round(size[0]), round(size[1])), 0, 0, 360, 1, -1)
    else:
        cv2.fillConvexPoly(mask, np.round(polygon).astype(np.int32), 1)


def _edges(picture: Picture) -> npt.NDArray[np.float32]:
    grey = (picture if picture.ndim == 2 else picture.mean(axis=-1)).astype(np.float32)
    return cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))  # type: ignore[return-value]
