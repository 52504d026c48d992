"""Fans on the virtual table: each tag shows, gaps are closed, and what lies below a taken card comes to light."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.app.fans import hides
from companion.app.virtual import VirtualGame
from companion.core.box import Piece
from companion.games import load
from vision.zones import Pose as TagPose

PLAYERS = {"players": ["Ann", "Bea"]}


def _table(seed: int = 1) -> VirtualGame:
    """A table of Wonderland XIII, whose Notebooks and Tunnels are fans."""
    return VirtualGame(load("wonderland"), seed, PLAYERS)


def _play(table: VirtualGame) -> None:
    while not table.stage.idle:
        table.stage(0.0)


def _fill(table: VirtualGame, zone: str, number: int) -> list[str]:
    """Lays so many cards that lie nowhere yet."""
    free = [p.id for p in table.game.box.pieces.values() if p.kind == "card" and p.id not in table.scene.placed]
    for piece in free[:number]:
        table.put(piece, table.crooked(table.pose_in(zone, piece), piece))
    return free[:number]


def _hidden(table: VirtualGame, zone: str) -> list[str]:
    """Cards of a fan whose tags another one covers."""
    placed = [table.scene.placed[name] for _, name in table._fans()[zone].lying()]
    found = []
    for below in placed:
        for above in placed:
            assert isinstance(below.what, Piece) and isinstance(above.what, Piece)
            x, y = below.what.tag_at_mm
            square = [(x - 10.5, y - 10.5), (x + 10.5, y - 10.5), (x + 10.5, y + 10.5), (x - 10.5, y + 10.5)]
            tag = TagPose(below.at_mm, below.angle_deg).place(square).astype(np.float32)
            if above.order > below.order and hides(above.what, (*above.at_mm, above.angle_deg), [tag]):
                found.append(below.what.id)
    return found


def test_no_card_that_is_laid_in_a_fan_hides_the_tag_of_another() -> None:
    for seed in range(5):
        table = _table(seed)
        _fill(table, "notebook/Ann", 15)
        assert len(table._fans()["notebook/Ann"].lying()) == 18
        assert _hidden(table, "notebook/Ann") == []


def test_a_gap_is_not_filled_and_cards_come_behind_the_last_one() -> None:
    table = _table()
    _fill(table, "notebook/Ann", 3)
    fan = table._fans()["notebook/Ann"]
    table.scene.remove(fan.lying()[1][1])
    assert table.pose_in("notebook/Ann", "") == fan.spots[6]


def _with(lying: dict[str, Any], zone: str, pieces: list[str]) -> dict[str, Any]:
    return {**lying, **dict.fromkeys(pieces, (zone, True))}


def test_a_full_fan_with_gaps_is_closed_up_before_more_is_laid() -> None:
    table = _table()
    cards = _fill(table, "notebook/Ann", 16)
    fan = table._fans()["notebook/Ann"]
    assert [number for number, _ in fan.lying()] == list(range(19))
    before = {name: ("notebook/Ann", True) for _, name in fan.lying()}
    left = [name for number, name in fan.lying() if number % 4]
    for name in set(before) - set(left):
        table.scene.remove(name)
    before = _with({}, "notebook/Ann", left)
    new = [p.id for p in table.game.box.pieces.values() if p.kind == "card" and p.id not in (*cards, *left)][:3]
    new = [name for name in new if name not in table.scene.placed]
    table.stage.play(table.rearrange(before, _with(before, "notebook/Ann", new)))
    _play(table)
    assert [name for _, name in fan.lying()] == [*left, *new]
    assert [number for number, _ in fan.lying()] == list(range(len(left) + len(new)))
    assert _hidden(table, "notebook/Ann") == []


def test_the_card_below_a_top_card_lies_there_when_that_is_taken() -> None:
    table = _table()
    down = {piece: zone for piece, zone in table.dealer.face_down().items() if zone == "deck-1/top"}
    (top,) = down
    below = next(p.id for p in table.game.box.pieces.values() if p.kind == "card" and p.id not in table.scene.placed)
    before = {top: ("deck-1/top", False)}
    after = {top: ("tunnel/Ann", True), below: ("deck-1/top", False)}
    pose = table.poses[top]
    table.stage.play(table.rearrange(before, after))
    _play(table)
    assert table.poses[below] == pose
    assert (table.scene.placed[below].face_up, table.scene.placed[top].face_up) == (False, True)
    assert table.scene.placed[top].order > table.scene.placed[below].order
