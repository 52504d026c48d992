"""From tracks and zones to an observation."""

from __future__ import annotations

from companion.core.table import Observation, Point, Sighting, Stranger
from companion.core.tags import QrTag
from vision.tracks import Tracks
from vision.zones import Pose, ZoneMap


def report(tracks: Tracks, zones: ZoneMap, at_s: float) -> Observation:
    """What lies where now. A piece lies in the zone in which its middle is, wherever its tag was stuck.

    Remembers with each piece the zone in which it lay last.
    """
    gone: dict[str, str] = {}
    sightings = []
    for piece_id, track in tracks.pieces.items():
        if track.piece is None:
            continue
        zone = zones.zone_at(middle_mm(track.pose, track.piece.tag_at_mm), track.piece.kind)
        if zone is not None:
            track.lay_in = zone.id
        elif (last := track.lay_in or tracks.left.get(piece_id)) in zones.ids:
            gone[piece_id] = last
        at_mm, angle_deg = _rounded(track.pose.at_mm), round(track.pose.angle_deg, 1)
        sightings.append(
            Sighting(piece_id, zone.id if zone else None, at_mm, angle_deg, not track.in_sight, track.since_s)
        )
    gone |= {piece: zone for piece, zone in tracks.left.items() if piece not in tracks.pieces}
    strangers = []
    for track in tracks.strangers:
        zone = zones.any_at(track.pose.at_mm)
        text = track.tag.payload if isinstance(track.tag, QrTag) else f"marker {track.tag.number}"
        text = track.piece.id if track.piece else text
        strangers.append(Stranger(track.kind, text, zone.id if zone else None, _rounded(track.pose.at_mm)))
    return Observation(
        tuple(sorted(sightings, key=lambda sighting: sighting.piece)),
        dict(sorted(gone.items())),
        tuple(sorted(strangers, key=lambda stranger: (stranger.kind, stranger.text, stranger.at_mm))),
        zones.unplaced,
        at_s,
    )


def middle_mm(pose: Pose, tag_at_mm: Point) -> Point:
    """Middle of a piece, from the pose of its tag."""
    x, y = pose.place([(-tag_at_mm[0], -tag_at_mm[1])])[0]
    return float(x), float(y)


def _rounded(at_mm: Point) -> Point:
    return round(at_mm[0], 1), round(at_mm[1], 1)
