"""What pictures of a table say of camera, light, focus, corners, tags and places: findings in plain words.

Pure: pictures and what is wanted of them in, findings out. Where a picture shows nothing, the other findings are not
known rather than wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from companion.app.doctor.checks import Check, Measure, Verdict
from companion.app.doctor.sight import Quarter, Sight, TagSize, Wanted, measure
from companion.service.mounting import GOOD_PX, LEAST_PX, LENSES_DEG, finer_mode, height_mm, lower_mm
from vision.frame import Frame
from vision.health import BLUR_MODULES, BLUR_PX, BRIGHT, DARK
from vision.reading import Reader

MARKER_PX = 2.5
"""Pixels a cell of a marker must have. Measured on rendered pictures: of markers with 2.0 px 6 in 10 are found, with
2.4 px 9, with 2.7 px all."""
NONE = 0.7
"""With less than this share of the pixels that it must have, hardly any tag is read."""
IN_FOCUS_PX = 1.25
"""A lens in focus makes edges no wider than this."""
SOFTER = 1.3
"""A corner whose edges are so many times wider than those of the sharpest corner is out of focus by itself."""
DIM = 90.0
"""Where paper is darker than this grey level, reading begins to suffer."""
CLEAR = 12.0
"""And where paper and ink differ by less than so many times the noise, which is how a camera makes up for light.
Measured on rendered pictures: with 10 times 9 in 10 codes of 2 px are read in one picture, with 7 times 4."""
EVEN = 0.8
"""Differences within this share of the brightest are those of any lamp."""
UNEVEN = 0.6
"""A side of the table with less than this share of the light of the brightest is dark."""
WASHED = 0.5
"""Where so much of the paper is as white as the camera knows, the tags' edges are eaten."""
LEANING = 0.85
"""Where the farthest corner has less than this share of the pixels of the middle, the camera leans."""
MOST_NAMED = 6
"""So many things of a kind are named; of further ones only the number is told."""
_SIDES = {
    "left": ("top left", "bottom left"),
    "right": ("top right", "bottom right"),
    "top": ("top left", "top right"),
    "bottom": ("bottom left", "bottom right"),
}


class Eye(msgspec.Struct, frozen=True):
    """The camera that took the pictures, as far as it matters for what helps.

    Attributes:
        source: as in the configuration, such as `picamera:`.
        asked_px: width and height that were asked for; None if none were.
        autofocus: it focuses by itself.
    """

    source: str
    asked_px: tuple[int, int] | None = None
    autofocus: bool = True

    @property
    def ribbon(self) -> bool:
        """It is a camera on the ribbon cable."""
        return self.source.startswith("picamera")


class Examination(msgspec.Struct, frozen=True):
    """What was measured and what it means.

    Attributes:
        sight: the measures, with the places of all that was found.
        checks: `picture`, `light`, `focus`, `corners`, `tags`, `places`, and with a reader `reading`.
    """

    sight: Sight
    checks: tuple[Check, ...]


def examine(frames: Sequence[Frame], wanted: Sequence[Wanted], eye: Eye, reader: Reader | None = None) -> Examination:
    """Examines pictures of one table that lies still, in about a second; without a reader in a tenth of that.

    Args:
        frames: see `companion.app.doctor.sight.measure`; four are best.
        wanted: the games that may be played.
        eye: the camera.
        reader: of QR codes; without one the finding `reading` is left out.
    """
    sight = measure(frames, wanted, reader)
    picture = of_picture(sight, eye)
    seeing = [of_light(sight), of_focus(sight, eye)]
    blind = any(check.verdict is Verdict.FAULT for check in seeing)
    others = [*seeing, of_corners(sight, blind), of_tags(sight, eye), of_places(sight)]
    if reader is not None:
        others.append(of_reading(sight))
    if sight.light.flat:
        others = [Check(check.name, Verdict.UNKNOWN, "nothing is to be seen") for check in others]
    return Examination(sight, (picture, *others))


def of_picture(sight: Sight, eye: Eye) -> Check:
    """That there is something to be seen, in the size that was asked for."""
    width, height = sight.size_px
    measured = (Measure("width", width, "px"), Measure("height", height, "px"))
    if sight.light.flat:
        remedy = "Take off the lid, or whatever is in front of the lens, and switch on a light."
        return Check("picture", Verdict.FAULT, "covered, or in the dark", measured, remedy)
    if eye.asked_px and any(
        abs(got - asked) > 0.02 * asked for got, asked in zip(sight.size_px, eye.asked_px, strict=True)
    ):
        said = f"{width}x{height} instead of {eye.asked_px[0]}x{eye.asked_px[1]} pixels"
        return Check("picture", Verdict.WARNING, said, measured, "Set size to one that the camera has.")
    return Check("picture", Verdict.OK, f"{width}x{height} pixels", measured)


def of_light(sight: Sight) -> Check:
    """That it is bright, but not too bright, and about the same everywhere."""
    measured = [Measure(f"white-{one.name.replace(' ', '-')}", round(one.white)) for one in sight.quarters]
    measured.append(Measure("noise", None if sight.noise is None else round(sight.noise, 1)))
    # Where no marker is seen there may be no paper, and a table is darker than paper without being in the dark.
    paper = [quarter for quarter in sight.quarters if quarter.marker_px is not None or quarter.white < DARK[0]]
    most = max((quarter.white for quarter in paper), default=0.0)
    dim = [quarter for quarter in paper if _dim(quarter, sight.noise)]
    uneven = [quarter for quarter in paper if quarter.white < UNEVEN * most]
    washed = [quarter for quarter in paper if (quarter.washed or 0.0) > WASHED]
    # Where it is dim everywhere, small differences tell nothing.
    darker = _where([quarter.name for quarter in dim if quarter.white < EVEN * most])

    def found(verdict: Verdict, says: str, remedy: str = "") -> Check:
        return Check("light", verdict, says, tuple(measured), remedy)

    if sight.light.mean > BRIGHT[0]:
        return found(Verdict.FAULT, "too bright to read tags", "Dim it or move the lamp; exposure_stops = -1 helps.")
    if sight.light.white < DARK[0]:
        return found(Verdict.FAULT, "too dark to read tags", f"Add a lamp{darker}.")
    if dim:
        return found(Verdict.WARNING, f"low{darker}", f"Add a lamp{darker}.")
    if uneven:
        where = _where([quarter.name for quarter in uneven])
        return found(Verdict.WARNING, f"uneven, low{where}", f"Add a lamp{where}.")
    if washed:
        remedy = "Move the lamp that shines there, or set exposure_stops = -0.5."
        where = _where([quarter.name for quarter in washed])
        return found(Verdict.WARNING, f"white is washed out{where}", remedy)
    return found(Verdict.OK, "")


def _dim(quarter: Quarter, noise: float | None) -> bool:
    contrast = None if quarter.black is None else quarter.white - quarter.black
    return quarter.white < DIM or (contrast is not None and noise is not None and contrast < CLEAR * noise)


def of_focus(sight: Sight, eye: Eye) -> Check:
    """That edges are sharp enough for the smallest tags, at all corners."""
    module = min((size.px for size in sight.sizes if size.code), default=None)
    by_corner = {one.name: one.edge_px for one in sight.quarters if one.edge_px is not None}
    edges = [edge for edge in (sight.edge_px, *by_corner.values()) if edge is not None]
    measured = tuple(
        Measure(f"edge-{name.replace(' ', '-')}", round(edge, 1), "px") for name, edge in by_corner.items()
    )
    if not edges:
        return Check("focus", Verdict.UNKNOWN, "no edge is to be seen", remedy="Lay the four corner markers.")
    sharpest = min(edges)
    measured = (Measure("edge", round(sharpest, 1), "px"), *measured)
    limits = [share * module for share in BLUR_MODULES] if module else list(BLUR_PX)
    gone, going = (max(IN_FOCUS_PX, limit) for limit in limits)
    remedy = _focusing(eye)
    if sharpest > gone:
        return Check("focus", Verdict.FAULT, "blurred", measured, remedy)
    if sharpest > going:
        return Check("focus", Verdict.WARNING, "a little blurred", measured, remedy)
    blurred = [name for name, edge in by_corner.items() if edge > max(gone, SOFTER * min(by_corner.values()))]
    if blurred:
        said = f"blurred{_where(blurred)}"
        return Check("focus", Verdict.WARNING, said, measured, f"Hang the camera straight. {remedy}")
    return Check("focus", Verdict.OK, "", measured)


UNCOVER = "Uncover what is missing, or move it or the camera until it is in the picture."


def of_corners(sight: Sight, blind: bool = False) -> Check:
    """That all four corner markers are seen.

    Args:
        sight: what was measured.
        blind: light or focus are so that they may well be there.
    """
    names = [quarter.name for quarter in sight.quarters]
    seen = [name for name in names if name not in sight.missing]
    width, height = [round(side / 10) for side in sight.table_mm] if sight.table_mm else [None, None]
    measured = (
        Measure("seen", seen),
        Measure("missing", list(sight.missing)),
        Measure("table-width", width, "cm"),
        Measure("table-height", height, "cm"),
    )
    if sight.table_mm and sight.missing:
        said = f"not seen: {_and(sight.missing)}; the other three will do, a little less exactly"
        return Check("corners", Verdict.WARNING, said, measured, UNCOVER)
    if sight.table_mm:
        return Check("corners", Verdict.OK, f"all four, {width} x {height} cm apart", measured)
    if blind:
        said = f"not seen: {_and(sight.missing)}" if sight.missing else "they don't fit together"
        return Check("corners", Verdict.FAULT, said, measured, "Mend light and focus first, then look again.")
    if not seen:
        remedy = "Lay the four corner markers into the picture (`companion print` makes them)."
        return Check("corners", Verdict.FAULT, "none is seen", measured, remedy)
    if sight.missing:
        return Check("corners", Verdict.FAULT, f"not seen: {_and(sight.missing)}", measured, UNCOVER)
    remedy = "Lay them flat, clockwise, each in its corner; they must be printed at 100 %."
    return Check("corners", Verdict.FAULT, "all four are seen, but don't fit together", measured, remedy)


def of_tags(sight: Sight, eye: Eye) -> Check:
    """That the tags in use have enough pixels."""
    if not sight.sizes:
        said = "without a corner marker nothing tells how large tags are"
        return Check("tags", Verdict.UNKNOWN, said, remedy="Lay the four corner markers.")
    measured = tuple(_sized(sight.sizes))
    said = "; ".join(_told(sight.sizes))
    least = min(sight.sizes, key=_enough)
    enough = _enough(least)
    if enough < 1.0:
        verdict = Verdict.WARNING if enough >= NONE else Verdict.FAULT
        return Check("tags", verdict, said, measured, _nearer(sight, eye, least))
    if least.least_px < LEANING * least.px and least.least_px < _floor(least):
        remedy = "Hang the camera above the middle, looking straight down."
        far = f"{least.least_px:.1f} px in the farthest corner"
        return Check("tags", Verdict.WARNING, f"{said}; but {far}", measured, remedy)
    return Check("tags", Verdict.OK, said, measured)


def of_places(sight: Sight) -> Check:
    """That the places of the games lie in the picture."""
    measured = (
        Measure("in-sight", sight.placed - len(sight.outside)),
        Measure("outside", list(sight.outside)),
        Measure("not-placed", list(sight.unplaced)),
    )
    if sight.table is None:
        return Check("places", Verdict.UNKNOWN, "the table's corners are not seen")
    if sight.outside:
        remedy = "Move what they belong to further in, or hang the camera higher."
        return Check("places", Verdict.WARNING, f"outside of the picture: {_and(sight.outside)}", measured, remedy)
    if not sight.placed:
        remedy = "Lay the game's anchors on the table to have this looked at."
        return Check("places", Verdict.UNKNOWN, "no anchor is on the table", measured, remedy)
    return Check("places", Verdict.OK, f"{sight.placed} places in sight", measured)


def of_reading(sight: Sight) -> Check:
    """What was read."""
    counts = {game: len(pieces) for game, pieces in sight.seen.items()}
    measured = (*(Measure(game, count) for game, count in counts.items()), Measure("strangers", list(sight.strangers)))
    told = [f"{count} of {game}" for game, count in counts.items() if count]
    said = f"tags read: {_and(told)}"
    if sight.strangers:
        remedy = "Print a damaged tag anew; take what belongs to no game off the table."
        return Check("reading", Verdict.WARNING, f"{said}; strange: {_and(sight.strangers)}", measured, remedy)
    if not told:
        return Check("reading", Verdict.UNKNOWN, "no tag lies on the table", measured, "Lay some cards and tokens.")
    return Check("reading", Verdict.OK, said, measured)


def _floor(size: TagSize) -> float:
    """Pixels that a module of this sort must have."""
    return LEAST_PX if size.code else MARKER_PX


def _enough(size: TagSize) -> float:
    """Its pixels as a share of those that it must have; rounded as they are told."""
    return round(size.px, 1) / _floor(size)


def _told(sizes: Sequence[TagSize]) -> Iterator[str]:
    """How large they are, in words: one part for each degree, smallest first."""
    groups: dict[str, list[TagSize]] = {}
    for size in sorted(sizes, key=lambda one: one.px):
        groups.setdefault(_degree(size), []).append(size)
    for degree, group in groups.items():
        kinds = dict.fromkeys(f"{kind}s" for size in group for kind in size.kinds)
        yield f"{group[0].px:.1f} px per module: {degree} for {_and(list(kinds))}"


def _degree(size: TagSize) -> str:
    enough = _enough(size)
    if enough < 1.0:
        return "too little"
    return "fine" if round(size.px, 1) >= GOOD_PX else "just enough"


def _sized(sizes: Sequence[TagSize]) -> Iterator[Measure]:
    for size in sizes:
        name = f"{size.game}-{'-'.join(size.kinds)}"
        yield Measure(name, round(size.px, 2), "px per module")
        yield Measure(f"{name}-farthest", round(size.least_px, 2), "px per module")


def _nearer(sight: Sight, eye: Eye, size: TagSize) -> str:
    """What gives such tags more pixels: a lower camera, as far as the corners stay in sight, or a finer mode."""
    wanted = _floor(size)
    share = lower_mm(size.px, 1.0, wanted)
    by = f"by {share * 100:.0f} % of its height"
    if eye.ribbon and sight.px_per_mm:
        heights = {name: height_mm(sight.size_px[0] / sight.px_per_mm, deg) for name, deg in LENSES_DEG.items()}
        each = (f"{share * height / 10:.0f} cm ({name})" for name, height in heights.items())
        by = f"by {' or '.join(each)}"
    lower = f"Lower the camera {by}"
    if wanted / size.px > _room(sight):
        lower = f"Lay the corner markers closer together and lower the camera {by}"
    mode = finer_mode(size.px, sight.size_px[0], wanted)
    if eye.ribbon:
        return f"{lower}, or set size = [{mode[0]}, {mode[1]}]." if mode else f"{lower}."
    return f"{lower}, or choose a larger size of the pictures."


def _room(sight: Sight) -> float:
    """How often the picture could be magnified about its middle until a corner of the table leaves it."""
    if sight.outline_px is None:
        return float("inf")
    middle = np.array(sight.size_px) / 2
    return float((middle / np.maximum(1.0, np.abs(sight.outline_px - middle))).min())


def _focusing(eye: Eye) -> str:
    wipe = "Wipe the lens and take off its foil"
    if eye.autofocus:
        return f"{wipe}; with autofocus = false and the right lens_position it stays sharp."
    return f"{wipe}; see that lens_position fits the height, or turn the lens by hand."


def _where(names: Sequence[str]) -> str:
    """` at the left`, ` at the bottom right`; empty where it is so at three corners or all."""
    for side, both in _SIDES.items():
        if set(names) == set(both):
            return f" at the {side}"
    return f" at the {names[0]}" if len(names) == 1 else ""


def _and(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)
