"""Makes the corpus of small hard frames that `tests/vision/test_hard_frames.py` reads.

Run it when the model of the camera changes. Each PNG shows three frames of one still tag, side by side;
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from shots import CONDITIONS, NOMINAL, take
from strangers import another_edition, one_letter_off

from companion.core.tags import QrTag
from companion.games import load

FOLDER = Path(__file__).resolve().parents[1] / "vision" / "data" / "hard"
SEED = 2024
SIZES = {
    "nominal": 1.0,
    "low light": 1.25,
    "glare": 1.25,
    "defocus disc 2.5 px": 1.5,
    "motion 4 px": 1.5,
    "motion 8 px": 2.0,
    "a quarter covered": 1.5,
}


def main() -> None:
    """Writes all frames and what is expected of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    own = [p.tag.payload for p in load("phoenix").box.pieces.values() if isinstance(p.tag, QrTag)]
    expected = []
    strangers = {"one letter off": one_letter_off, "another edition": another_edition}
    for number, name in enumerate([*SIZES, *SIZES, *strangers]):
        rng = np.random.default_rng([SEED, number])
        payload = own[int(rng.integers(len(own)))]
        px = SIZES.get(name, 1.5)
        condition = next((c for c in CONDITIONS if c.name == name), NOMINAL)
        tag = strangers[name](own, rng) if name in strangers else QrTag(payload)
        shot = take(tag, px, condition, rng, frames=3, around_mm=60.0)
        file = f"{number:02}-{name.replace(' ', '-').replace('.', '')}.png"
        cv2.imwrite(str(FOLDER / file), np.hstack(shot.frames), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        expected.append(
            {
                "file": file,
                "payload": None if name in strangers else payload,
                "px_per_module": px,
                "plane": shot.to_px.round(5).tolist(),
                "corners_px": shot.corners_px.round(2).tolist(),
            }
        )
    (FOLDER / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
