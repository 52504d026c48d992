from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from vision_samples import LAID, Table, small_box

from vision.overlay import COVERED, SEEN, ZONE, drawn
from vision.pictures import PictureError
from vision.scene import Prop
from vision.still import read_still


def test_a_picture_of_a_table_is_read_whole(tmp_path: Path) -> None:
    table = Table(optics="everyday")
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), table.frame().main)
    report = read_still(path, [small_box()])
    assert json.loads(json.dumps(report)) == report
    assert (report["table"], report["size_px"]) == (True, [2304, 1296])
    tags = {tag["piece"]: (tag["game"], tag["check"]) for tag in report["tags"]}
    assert tags == {"red2a": ("PH", "ok"), "red3a": ("PH", "ok"), "red4a": ("PH", "ok")}
    markers = {marker["piece"] or marker["id"] for marker in report["fiducials"]}
    assert markers == {0, 1, 2, 3, "nest-1", "nest-2", "token-20", "token-21", "token-22"}
    nest = next(marker for marker in report["fiducials"] if marker["piece"] == "nest-2")
    assert math.dist(nest["centre_mm"], LAID[1][1]) < 3
    assert set(nest) == {"id", "piece", "game", "corners_px", "centre_px", "centre_mm", "angle_deg"}


def test_without_a_table_there_are_pixels_only(tmp_path: Path) -> None:
    table = Table()
    path = tmp_path / "part.png"
    cv2.imwrite(str(path), table.frame().main[200:1000, 300:1900])
    report = read_still(path, [])
    assert report["table"] is False
    assert {tag["piece"] for tag in report["tags"]} == {None}
    assert {tag["centre_mm"] for tag in report["tags"]} == {None}
    assert [tag["centre_px"][1] for tag in report["tags"]] == sorted(tag["centre_px"][1] for tag in report["tags"])


def test_a_file_that_is_missing_or_no_picture_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(
        PictureError, match=r"none.png: can't be read \(No such file or directory\); name a file that can"
    ):
        read_still(tmp_path / "none.png", [])
    (tmp_path / "text.png").write_text("hello")
    with pytest.raises(PictureError, match=r"text.png: not a picture \(5 bytes\)"):
        read_still(tmp_path / "text.png", [])


def test_the_overlay_shows_zones_pieces_and_what_is_covered() -> None:
    table = Table()
    table.run(15)
    table.scene.put_prop("cup", Prop(), table.scene.placed["red2a"].at_mm)
    table.run(10)
    frame = table.frame()
    picture = drawn(frame, table.watcher)
    assert picture.shape == frame.main.shape
    changed = np.any(picture != frame.main, axis=-1)
    assert 0.005 < changed.mean() < 0.1
    for colour in (ZONE, SEEN, COVERED):
        assert np.all(picture == colour, axis=-1).sum() > 100


def test_labels_of_the_overlay_are_short_and_do_not_cover_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table([*LAID, ("token-23", (285.0, 255.0), 30.0)])
    table.run(15)
    written: dict[tuple[int, int, int, int], str] = {}
    write = cv2.putText

    def put_text(picture: Any, text: str, foot: tuple[int, int], font: int, scale: float, *how: Any) -> Any:
        (width, height), _ = cv2.getTextSize(text, font, scale, how[1])
        written[(foot[0], foot[1] - height, foot[0] + width, foot[1])] = text
        return write(picture, text, foot, font, scale, *how)

    monkeypatch.setattr(cv2, "putText", put_text)
    drawn(table.frame(), table.watcher)
    zones = ["pit", "north", "east", "south", "west"] * 2
    assert sorted(written.values()) == sorted([*zones, *(name for name, *_ in LAID), "token-23"])
    for (left, top, right, bottom), (a, b, c, d) in itertools.combinations(written, 2):
        assert right <= a or c <= left or bottom <= b or d <= top


def test_the_overlay_of_an_unknown_table_says_so() -> None:
    table = Table()
    frame = table.frame()
    assert np.any(drawn(frame, table.watcher) != frame.main)
