"""Recognising tags that no decoder can read, among those of a game: by how each of them would look from here.

A code of 21 x 21 modules has far more of them than it takes to tell the hundred codes of a game apart, so it can be
named where blur, noise or a finger leave a decoder nothing to correct. What is compared is this. A **look** holds, for
one size in px and one blur, the picture of every code and of their mean. A **pose** says where the code lies; it is
refined by Gauss-Newton steps against the mean, then against the best codes. In that pose the modules that differ
between codes are estimated by a ridge regression that undoes the blur, and compared with the same estimate of each
code's own picture. Their correlation, by Fisher's transform and divided by its spread between codes, is the **score**:
about a standard normal for codes that have nothing to do with one another.

"None of these" is what is said unless score, lead before the second and likeness of the modules all pass (`Limits`).
Some codes that nobody printed are always among those compared, so that a stranger has others to look like.

Source: S. Baker, I. Matthews, Lucas-Kanade 20 years on, 2004 (inverse steps); A. Hoerl, R. Kennard, Ridge
regression, 1970; R. Fisher, On the probable error of a coefficient of correlation, 1921.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.tags import QR_MODULES, ArucoTag, QrTag, Tag, cells, encode
from vision.fiducials import Corners
from vision.frame import Picture
from vision.locate import SHADINGS, Locator, Plane, even, product

Floats = npt.NDArray[np.float32]
Affine = npt.NDArray[np.float64]
"""float64 (2, 3): from cells, counted from the tag's middle, to px."""

SAMPLES = 2
"""Samples of a cell, across and down."""
FINE = 4
"""Samples of a cell in which templates are blurred."""
RIDGES = (0.004, 0.03, 0.2)
"""Variance of the noise over that of a module, from a good light to a poor one; the one that fits best counts."""
LEAST_SPREAD = 0.1
"""Correlations of strange codes spread by no less."""
DECOYS = 48
"""So many codes that nobody printed are compared as well."""
SHARP_PX, SOFT_PX = 0.8, 1.6


@dataclass(frozen=True, slots=True)
class Circumstance:
    """What a point becomes, and what can be seen.

    Attributes:
        sigma_px: of a Gaussian.
        disc_px: radius of a disc.
        motion_px: length of a line.
        angle: its direction in the tag's frame, radians.
        covered: direction in the tag's frame, in eighths of a turn, in which `COVERED` of the tag is hidden.
    """

    sigma_px: float
    disc_px: float = 0.0
    motion_px: float = 0.0
    angle: float = 0.0
    covered: int | None = None

    def visible(self, side: int) -> npt.NDArray[np.bool_]:
        """Cells (side, side) that can be seen."""
        if self.covered is None:
            return np.ones((side, side), bool)
        angle = self.covered * math.pi / 4
        at = np.arange(side) - (side - 1) / 2
        depth = at[None, :] * math.cos(angle) + at[:, None] * math.sin(angle)
        return np.asarray(depth <= np.quantile(depth, 1 - COVERED) + 1e-6)

    def kernel(self, samples_per_px: float) -> Floats:
        """The point spread, summing to one."""
        reach = math.ceil((3 * self.sigma_px + self.disc_px + self.motion_px / 2) * samples_per_px) + 1
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
        spread = np.zeros_like(x)
        spread[reach, reach] = 1
        if self.disc_px:
            spread = np.clip(self.disc_px * samples_per_px + 0.5 - np.hypot(x, y), 0, 1)
        if self.motion_px:
            along = x * math.cos(self.angle) + y * math.sin(self.angle)
            off = np.abs(-x * math.sin(self.angle) + y * math.cos(self.angle))
            half = self.motion_px * samples_per_px / 2
            spread = np.clip(half + 0.5 - np.abs(along), 0, 1) * np.clip(1 - off, 0, 1)
        spread = cv2.GaussianBlur(spread, (0, 0), max(0.3, self.sigma_px * samples_per_px))
        return np.asarray(spread / spread.sum(), np.float32)


MOST_PX = 2.0
"""Larger cells are shrunk: two samples a cell are enough."""
COVERED = 0.32
"""Share that is left out where something covers a part of a tag: a quarter, and what its edge blurs."""
SOFT = Circumstance(SOFT_PX)
STILL = (
    Circumstance(SHARP_PX),
    Circumstance(1.15),
    SOFT,
    Circumstance(SHARP_PX, disc_px=2.2),
    Circumstance(SHARP_PX, disc_px=2.9),
)
COVERS = tuple(Circumstance(SHARP_PX, covered=eighth) for eighth in range(8))
MOTIONS_PX = (4.0, 8.0)
DIRECTIONS = 16


_LINEAR: Floats = np.asarray((np.arange(256) / 255) ** 2.2, np.float32)
"""Cameras encode light about so; undone, blur is a plain sum again."""


class Deck:
    """The tags that can be told apart, all of one kind.

    Args:
        tags: those of the game; others of its kind are added as decoys.

    Attributes:
        tags: the game's first, then None for each decoy.
        white: (K, n, n) float32, 1 for white cells.
        known: (n, n) bool: cells that are the same in every tag of the kind.
        quiet: white cells around.
    """

    def __init__(self, tags: Iterable[Tag]) -> None:
        self.tags: list[Tag | None] = list(dict.fromkeys(tags))
        kind = type(self.tags[0])
        if kind is QrTag:
            self.quiet, self.known = 2, _function_patterns()
            codes = (encode(*names) for names in _decoy_names(self.tags))
            decoys: list[Tag] = [QrTag(code) for code in codes]
        else:
            self.quiet, self.known = 1, np.pad(np.zeros((5, 5), bool), 1, constant_values=True)
            decoys = [ArucoTag(number) for number in range(250)]
        decoys = [tag for tag in decoys if tag not in self.tags]
        black = np.array([cells(tag) for tag in [*self.tags, *decoys] if tag is not None], bool)
        self.tags += [None] * len(decoys)
        self.white = np.where(black, 0, 1).astype(np.float32)

    @property
    def side(self) -> int:
        """Cells a side."""
        return len(self.known)


class Look:
    """How all tags of a deck look at one size and in one blur.

    Args:
        deck: the tags.
        px: width of a cell.
        circumstance: blur and what is hidden.

    Attributes:
        mean: (s, s), the mean of all tags, white 1.
        each: (K, s, s).
        fit: of the mean.
        outline: of the mean to a picture in even light.
    """

    def __init__(self, deck: Deck, px: float, circumstance: Circumstance) -> None:
        n, quiet = deck.side, deck.quiet
        self.size = (n + 2 * quiet) * SAMPLES
        cell = self._cell(n + 2 * quiet, circumstance.kernel(FINE / px))
        middle = n + 2 * quiet
        spots = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), axis=-1).reshape(-1, 2) + quiet
        answers = np.empty((n * n, self.size, self.size), np.float32)
        for answer, (row, column) in zip(answers, spots, strict=True):
            top, left = (middle - row) * SAMPLES, (middle - column) * SAMPLES
            answer[:] = cell[top : top + self.size, left : left + self.size]
        # All is white but for black cells.
        each = 1 - product(1 - deck.white.reshape(-1, n * n), answers.reshape(n * n, -1))
        self.each = each.reshape(-1, self.size, self.size)
        self.mean = self.each.mean(axis=0)
        visible = np.pad(circumstance.visible(n), quiet, mode="edge")
        self._weights = np.kron(visible, np.ones((SAMPLES, SAMPLES), bool)).astype(np.float32)
        self.fit = Fit(self.mean, self._weights)
        self.outline = Fit(self.mean - cv2.GaussianBlur(self.mean, (0, 0), SHADINGS[-1] * SAMPLES), self._weights)
        data = ~deck.known & circumstance.visible(n)
        self._data = np.kron(np.pad(data, quiet), np.ones((SAMPLES, SAMPLES), bool)).ravel()
        x, y = (grid.ravel()[self._data] / 10 for grid in _grid(self.size))
        mean = self.mean.ravel()[self._data]
        plain = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, mean], axis=1)
        self._plain = np.linalg.qr(plain.astype(np.float64))[0].astype(np.float32)
        self._answers = self._without_plain(answers.reshape(n * n, -1)[data.ravel()][:, self._data])
        own = self._without_plain(each[:, self._data] - mean)
        gram = np.asarray(cv2.mulTransposed(self._answers, False), np.float64)
        undo, keys, spreads = [], [], []
        for ridge in RIDGES:
            inverse = cv2.invert(gram + ridge * np.eye(len(gram)), flags=cv2.DECOMP_CHOLESKY)[1]
            undo.append(product(np.asarray(inverse, np.float32), self._answers))
            keys.append(_unit(product(own, undo[-1].T)))
            alike = product(keys[-1], keys[-1].T)[np.triu_indices(len(own), 1)]
            spreads.append(max(LEAST_SPREAD, float(alike.std())))
        self._undo = np.concatenate(undo)
        self._keys = np.array(keys, np.float32)
        self._spreads = np.array(spreads, np.float32)

    def likenesses(self, patch: Floats) -> tuple[Floats, Floats]:
        """Scores and correlations (K,) of all tags with a patch in its pose."""
        seen = self._without_plain(patch.ravel()[None, self._data])[0]
        undone = _unit(product(self._undo, seen[:, None]).reshape(len(RIDGES), -1))
        rhos = np.array([product(keys, one[:, None])[:, 0] for keys, one in zip(self._keys, undone, strict=True)])
        rhos = np.clip(rhos, -0.999, 0.999)
        scores = np.arctanh(rhos) / self._spreads[:, None]
        best = int(scores.max(axis=1).argmax())
        return np.asarray(scores[best], np.float32), rhos[best]

    def fit_of(self, number: int) -> Fit:
        """Of a single tag, in any lean."""
        return Fit(self.each[number], self._weights, lean=True)

    @staticmethod
    def _cell(reach: int, kernel: Floats) -> Floats:
        """A single cell and so many cells on each side of it, blurred."""
        fine = np.zeros(((2 * reach + 1) * FINE,) * 2, np.float32)
        fine[reach * FINE : (reach + 1) * FINE, reach * FINE : (reach + 1) * FINE] = 1
        fine = np.asarray(cv2.filter2D(fine, -1, kernel, borderType=cv2.BORDER_CONSTANT))
        size, ratio = (2 * reach + 1) * SAMPLES, FINE // SAMPLES
        return np.asarray(fine.reshape(size, ratio, size, ratio).mean(axis=(1, 3)), np.float32)

    def _without_plain(self, rows: Floats) -> Floats:
        return np.asarray(rows - product(product(rows, self._plain), self._plain.T), np.float32)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a tag must reach to be named.

    Attributes:
        score: in spreads of strange codes.
        lead: before the second best.
        likeness: correlation of its modules.
    """

    score: float
    lead: float
    likeness: float


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """How much a tag looks like what lies there.

    Attributes:
        number: of the tag in the deck.
        score: see above.
        lead: before the second best.
        rho: correlation of the modules.
        pose: where.
        way: `still`, `covered` or `moved`.
    """

    number: int
    score: float
    lead: float
    rho: float
    pose: Affine
    way: str = "still"

    @property
    def sure(self) -> bool:
        """Whether nothing better need be looked for."""
        return self.passes(SURE)

    def passes(self, limits: Limits) -> bool:
        """Whether that is enough."""
        return self.score >= limits.score and self.lead >= limits.lead and self.rho >= limits.likeness

    @classmethod
    def of(cls, scores: Floats, rhos: Floats, pose: Affine, way: str = "still") -> Likeness:
        """That of the best of all tags."""
        second, first = np.argsort(scores)[-2:]
        lead = float(scores[first] - scores[second])
        return cls(int(first), float(scores[first]), lead, float(rhos[first]), pose, way)


SURE = Limits(9.0, 4.0, 0.85)
LIKELY = 3
"""So many poses are looked at closely."""
UNSURE = 3
"""So many poses are looked at for covers and motion, where nothing else was found."""


class Recogniser:
    """Names the tags of one deck at one size.

    Args:
        deck: the tags.
        px: width of a cell; the picture is shrunk where it is more than `MOST_PX`.
    """

    def __init__(self, deck: Deck, px: float) -> None:
        self.deck = deck
        self.px = px
        self._shrink = max(1.0, px / MOST_PX)
        self._locators: dict[float, Locator] = {}
        self._looks: dict[Circumstance, Look] = {}

    def likenesses(
        self, grey: Picture, plane: Plane, most: int = 12, avoid: Sequence[npt.NDArray[np.float64]] = ()
    ) -> list[Likeness]:
        """What lies in a picture, one for each place, whether or not it is enough to be believed.

        Args:
            grey: uint8 (H, W); the mean of several frames is better.
            plane: float64 (2, 2), px of a step of one cell across and down on the table there.
            most: how many poses are looked at.
            avoid: middles of tags that are known.
        """
        linear = _LINEAR[grey]
        small = linear
        if self._shrink > 1:
            size = tuple(max(1, round(side / self._shrink)) for side in grey.shape[::-1])
            small = np.asarray(cv2.resize(linear, size, interpolation=cv2.INTER_AREA))
        factor = np.array(small.shape[::-1]) / grey.shape[::-1]
        flat = plane * factor[:, None]
        apart = 6 * self.px / self._shrink
        flattened = even(small, SHADINGS[-1] * self.px / self._shrink)
        found: list[Likeness] = []
        for shading in SHADINGS:
            starts = []
            for spot in self._locator(shading).candidates(small, flat, most):
                if any(np.linalg.norm(spot.at_px - middle * factor) < apart for middle in avoid):
                    continue
                cos, sin = math.cos(spot.angle), math.sin(spot.angle)
                start = np.column_stack([flat @ [[cos, -sin], [sin, cos]], spot.at_px])
                pose = self._rough(flattened, start)
                if pose is not None:
                    starts.append((spot.likeness, start, pose, *self._looks_by_score(small, pose, STILL)[0]))
            for _, _, pose, look, _ in sorted(starts, key=lambda one: -one[4])[:LIKELY]:
                if all(_apart(pose[:, 2], one) > apart for one in found if one.sure):
                    found += self._settled(small, pose, look, "still")
            for _, start, pose, _, _ in sorted(starts, key=lambda one: -one[0] - 0.1 * one[4])[:UNSURE]:
                if all(_apart(pose[:, 2], one) > apart for one in found if one.sure):
                    found += [*self._beside_cover(small, flattened, start), *self._moved(small, pose)]
            if any(one.sure for one in found):
                break
        best: list[Likeness] = []
        for one in sorted(found, key=lambda likeness: -likeness.score):
            if all(_apart(one.pose[:, 2], other) > apart for other in best):
                best.append(one)
        return [replace(one, pose=(one.pose + [[0, 0, 0.5]] * 2) / factor[:, None] - [[0, 0, 0.5]] * 2) for one in best]

    def corners_px(self, likeness: Likeness) -> Corners:
        """Corners of the tag."""
        half = self.deck.side / 2
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        return np.asarray(square @ likeness.pose[:, :2].T + likeness.pose[:, 2])

    def _rough(self, flattened: Floats, start: Affine) -> Affine | None:
        """A pose by what all tags have in common, in even light."""
        rough = self._look(SOFT).outline.refined(flattened, start, 4)
        return None if rough is None or not _sane(rough[0], start) else rough[0]

    def _looks_by_score(
        self, picture: Floats, pose: Affine, circumstances: Iterable[Circumstance]
    ) -> list[tuple[Look, float]]:
        """Looks with the score of the tag that is most like what lies in a pose, the best first."""
        looks = [self._look(circumstance) for circumstance in circumstances]
        patch = patch_at(picture, pose, looks[0].size)
        return sorted(((look, float(look.likenesses(patch)[0].max())) for look in looks), key=lambda pair: -pair[1])

    def _settled(self, picture: Floats, pose: Affine, look: Look, way: str) -> list[Likeness]:
        """The best tag in one look, in its own best pose; nothing if none is there."""
        rough = look.fit.refined(picture, pose, 3)
        if rough is None or not _sane(rough[0], pose):
            return []
        scores, _ = look.likenesses(rough[1])
        found = []
        for number in np.argsort(scores)[::-1][:2]:
            fine = look.fit_of(number).refined(picture, rough[0], 3)
            if fine is not None and _sane(fine[0], pose):
                found.append(Likeness.of(*look.likenesses(fine[1]), fine[0], way))
                if found[-1].sure:
                    break
        return sorted(found, key=lambda one: -one.score)[:1]

    def _beside_cover(self, picture: Floats, flattened: Floats, start: Affine) -> list[Likeness]:
        """The best tag if something hides a part of it."""
        found = []
        for circumstance in COVERS:
            look = self._look(circumstance)
            # What covers it pulls the pose away, so each is found anew by what is left.
            rough = look.outline.refined(flattened, start, 4)
            if rough is not None and _sane(rough[0], start):
                pose, patch = look.fit.refined(picture, rough[0], 2) or (rough[0], rough[1])
                found.append((float(look.likenesses(patch)[0].max()), pose, look))
        best = sorted(found, key=lambda one: -one[0])[:2]
        settled = [one for _, pose, look in best for one in self._settled(picture, pose, look, "covered")]
        return sorted(settled, key=lambda one: -one.score)[:1]

    def _moved(self, picture: Floats, pose: Affine) -> list[Likeness]:
        """The best tag if the picture is smeared along the direction in which it changes least."""
        patch = patch_at(picture, pose, self._look(STILL[0]).size)
        across, down = cv2.Sobel(patch, cv2.CV_32F, 1, 0), cv2.Sobel(patch, cv2.CV_32F, 0, 1)
        changes = (2 * float((across * down).sum()), float((across**2).sum() - (down**2).sum()))
        step = math.pi / DIRECTIONS
        along = round((0.5 * math.atan2(*changes) + math.pi / 2) / step)
        circumstances = [
            Circumstance(SHARP_PX, motion_px=length, angle=(along + off) % DIRECTIONS * step)
            for length in MOTIONS_PX
            for off in (0, -1, 1)
        ]
        look, _ = self._looks_by_score(picture, pose, circumstances)[0]
        return self._settled(picture, pose, look, "moved")

    def _locator(self, shading: float) -> Locator:
        if shading not in self._locators:
            common = np.pad(self.deck.white.mean(axis=0), self.deck.quiet, constant_values=1.0)
            self._locators[shading] = Locator(common, self.px / self._shrink, shading)
        return self._locators[shading]

    def _look(self, circumstance: Circumstance) -> Look:
        if circumstance not in self._looks:
            self._looks[circumstance] = Look(self.deck, self.px, circumstance)
        return self._looks[circumstance]


def _apart(at_px: npt.NDArray[np.float64], other: Likeness) -> float:
    return float(np.linalg.norm(at_px - other.pose[:, 2]))


def _sane(pose: Affine, start: Affine) -> bool:
    """Whether a pose is still about where and as large as it was."""
    grown = np.linalg.det(pose[:, :2]) / np.linalg.det(start[:, :2])
    moved = np.linalg.solve(start[:, :2], pose[:, 2] - start[:, 2])
    return bool(0.7 < grown < 1.4 and np.abs(moved).max() < 4)


class Fit:
    """Gauss-Newton steps that lay a picture over a template.

    Args:
        template: (s, s).
        weights: (s, s) of its samples.
        lean: fit a parallelogram instead of a square.
    """

    def __init__(self, template: Floats, weights: Floats, lean: bool = False) -> None:
        self.template = template
        self.lean = lean
        x, y = _grid(len(template))
        down, across = (gradient * SAMPLES for gradient in np.gradient(template))
        moves = (x * across, y * across, x * down, y * down) if lean else (x * down - y * across, x * across + y * down)
        light = (np.ones_like(x), x / 10, y / 10, x * x / 100, x * y / 100, y * y / 100)
        columns = [template, across, down, *moves, *light]
        design = np.stack([column.ravel() for column in columns], axis=1)
        weighted = design * weights.ravel()[:, None]
        normal = product(design.T, weighted).astype(np.float64)
        normal[np.diag_indices(len(normal))] *= 1 + 1e-4
        inverse = np.linalg.inv(normal + 1e-9 * np.eye(len(normal)))[: 3 + len(moves)]
        self._solve = product(inverse.astype(np.float32), weighted.T)

    def refined(self, picture: Floats, pose: Affine, steps: int) -> tuple[Affine, Floats] | None:
        """A better pose and the patch there; None if the template isn't there."""
        for _ in range(steps):
            found = product(self._solve, patch_at(picture, pose, len(self.template)).reshape(-1, 1))[:, 0]
            if found[0] < 1e-3:
                return None
            moved = found[1:].astype(np.float64) / found[0]
            change = np.eye(3)
            if self.lean:
                change[:2, :2] += np.clip(moved[2:].reshape(2, 2), -0.06, 0.06)
            else:
                turn, grow = np.clip(moved[2:], -0.06, 0.06)
                change[:2, :2] += [[grow, -turn], [turn, grow]]
            change[:2, 2] = np.clip(moved[:2], -0.8, 0.8)
            pose = pose @ np.linalg.inv(change)
            if np.abs(moved[:2]).max() < 0.02:
                break
        return pose, patch_at(picture, pose, len(self.template))


def patch_at(picture: Floats, pose: Affine, size: int) -> Floats:
    """The picture in a pose, (size, size) samples."""
    to_cells = np.array(
        [[1 / SAMPLES, 0, (1 - size) / 2 / SAMPLES], [0, 1 / SAMPLES, (1 - size) / 2 / SAMPLES], [0, 0, 1]]
    )
    return cv2.warpAffine(
        picture,
        pose @ to_cells,
        (size, size),
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # type: ignore[return-value]


def _grid(size: int) -> tuple[Floats, Floats]:
    at = ((np.arange(size) + 0.5 - size / 2) / SAMPLES).astype(np.float32)
    x, y = np.meshgrid(at, at)
    return x, y


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6), np.float32)


def _function_patterns() -> npt.NDArray[np.bool_]:
    """Modules of a QR code, version 1, that hold no data. Source: ISO/IEC 18004."""
    known = np.zeros((QR_MODULES, QR_MODULES), bool)
    known[:9, :9] = known[:9, 13:] = known[13:, :9] = known[6, :] = known[:, 6] = True
    return known


def _decoy_names(tags: Sequence[Tag | None]) -> list[tuple[str, str]]:
    rng = np.random.default_rng(20)
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    games = [tag.payload[2:4] if isinstance(tag, QrTag) and len(tag.payload) > 4 else "PH" for tag in tags]
    names = ["".join(letters[i] for i in rng.integers(0, 32, 6)) for _ in range(DECOYS)]
    return [(games[i % len(games)], name) for i, name in enumerate(names)]
