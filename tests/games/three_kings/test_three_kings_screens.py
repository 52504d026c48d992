"""Every page of 3 Kings as the screen shows it, in all languages side by side: en, de, es, ca."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.panel import Button
from companion.face.fonts import find_fonts
from companion.face.screen import render
from companion.face.words import LANGUAGES, load_words
from tests import goldens
from tests.games.three_kings.throne_table import (
    ANN,
    BEN,
    CLEO,
    SIX,
    Table,
    acting,
    at_award,
    at_counsel,
    at_intrigue,
    planned,
)

GOLDEN = Path(__file__).parent / "golden"
A, B, UP, DOWN = Button.A, Button.B, Button.UP, Button.DOWN
STAGE = "stage/cards"
SCREENS = 4
"""So many of a scene are kept; how the game stands, which comes last, is in scenes of its own."""


def _paged(table: Table, *buttons: Button) -> Table:
    return table.press(*buttons)


def _on_stage(table: Table, *cards: str) -> Table:
    return table.look(dict.fromkeys(cards, STAGE))


def _drawn() -> Table:
    """Ann has shown three Action cards."""
    table = acting("mercenary-3a")
    return table.play({"do": "act", "by": ANN, "actions": ["bodyguards", "the-usurper", "the-death-of-the-traitor"]})


def _stepping() -> Table:
    """The card waits for a choice."""
    table = acting("mercenary-1a").play({"do": "act", "by": ANN, "actions": ["kidnapping"]})
    return table.play({"do": "action", "by": ANN})


def _fallen_due() -> Table:
    table = Table(turn=2, hands={ANN: 6, BEN: 6, CLEO: 3}, deck=1, discards=44, infirmary=5)
    return table.play({"do": "recruit", "by": CLEO})


FALLEN = ("noble-2a", "spy-1a", "mercenary-2a", "corruptiona", "guard-1a")


def _counted() -> Table:
    table = _fallen_due().play({"do": "fallen", "cards": FALLEN})
    return table.look(dict.fromkeys(FALLEN, STAGE))


def _fight(sitting: str, *cards: str, sent: int = 0) -> Table:
    """The fight for Throne 1, decided."""
    counselors = dict.fromkeys((ANN, BEN, CLEO)[:sent], 1)
    thrones = [sitting, "merchant-1a", "priest-1a"]
    table = at_award(len(cards), 2, 1, thrones=thrones, counselors=counselors)
    return table.play({"do": "award", "throne": 1, "cards": cards})


def _safe() -> Table:
    return _fight("noble-1a", "guard-2a", "spy-2a", sent=2)


def _falls() -> Table:
    return _fight("priest-2a", "guard-3a", "noble-3a", "spy-1a", "merchant-2a", "corruptiona")


def _tied() -> Table:
    return _fight("noble-1a", "mercenary-2a", "spy-2a", "purgea")


def _over(**vp: int) -> Table:
    table = at_award(0, 0, 0)
    return table.change(
        phase="over", vp=(vp.get("owl", 0), vp.get("wyvern", 0), vp.get("serpent", 0), vp.get("eye", 0))
    )


def _eye_wins() -> Table:
    return _over(owl=17, eye=15).change(eye_reached=True)


def _tidy() -> Table:
    """After the fight the strongest card still lies on the stage, and markers stand where they stood."""
    table = at_award(3, 0, 0)
    return table.look({"spy-3a": STAGE, "merchant-1b": STAGE, "corruptiona": STAGE})


def _prepared(put: dict[str, str], **draft: object) -> Table:
    table = Table({"players": [ANN, BEN, CLEO], **draft})
    return table.look(put)


READY = {
    "noble-1a": "throne/1",
    "merchant-1a": "throne/2",
    "priest-1a": "throne/3",
    "first-player": "first/blue",
    "turn-token": "turn/1",
    "marker-owl": "vp/owl/0",
    "marker-wyvern": "vp/wyvern/0",
    "marker-serpent": "vp/serpent/0",
    "marker-eye": "vp/eye/0",
    "counselor-red": "home/red",
    "counselor-blue": "home/blue",
}

SCENES: dict[str, Callable[[], Table]] = {
    "setup-players": lambda: Table({}).look(),
    "setup-sheets": lambda: Table({"players": [ANN, BEN, CLEO]}),
    "setup-marks": lambda: _paged(Table({"players": [ANN, BEN, CLEO]}), DOWN),
    "setup-thrones": lambda: _prepared({"noble-1a": "throne/1", "merchant-1b": "throne/3"}),
    "setup-counselor": lambda: _prepared(READY),
    "recruit": lambda: Table(turn=2, hands={ANN: 2, BEN: 6, CLEO: 6}),
    "recruit-discard": lambda: Table(turn=2, hands={ANN: 6, BEN: 8, CLEO: 6}),
    "plan": lambda: Table(turn=2, hands=SIX).backs("space/red/1", "space/red/3", "space/purple/1"),
    "plan-asked": lambda: _paged(Table(turn=2, hands=SIX).backs("space/red/1", "space/red/3", "space/purple/1"), A),
    "reveal": lambda: planned("x--", "xx-", "x-x").look({"noble-2a": "space/red/1"}),
    "reveal-nobody": lambda: planned("-x-", "---", "---"),
    "act-noble": lambda: acting("noble-3a"),
    "act-noble-asked": lambda: _paged(acting("noble-3a").look({"noble-1a": None, "spy-3b": "throne/1"}), A),
    "act-guard-asked": lambda: _paged(acting("guard-2b", discards=20, deck=27), A),
    "act-merchant": lambda: acting("merchant-2b"),
    "act-merchant-asked": lambda: _paged(acting("merchant-2b", discards=20, deck=27), A),
    "act-mercenary": lambda: _on_stage(acting("mercenary-3b"), "action-04"),
    "act-priest-asked": lambda: _paged(acting("priest-2b"), A),
    "act-priest-how-many": lambda: _paged(acting("priest-2b"), A, A),
    "act-spy": lambda: acting("spy-2b"),
    "action-card": _drawn,
    "action-card-asked": lambda: _paged(_drawn(), A),
    "action-step-asked": lambda: _paged(_stepping(), A),
    "counsel": at_counsel,
    "counsel-sent": lambda: at_counsel().look({"counselor-red": "counselors/2"}),
    "counsel-sent-asked": lambda: _paged(at_counsel().look({"counselor-red": "counselors/3"}), A),
    "intrigue": lambda: at_intrigue().backs("intrigue/2"),
    "award": lambda: at_award(3, 2, 1),
    "award-shown": lambda: _on_stage(at_award(3, 2, 1), "noble-2a", "spy-1a"),
    "award-none": lambda: at_award(0, 2, 1),
    "fight-safe": _safe,
    "fight-falls": _falls,
    "fight-tied": _tied,
    "tidy": _tidy,
    "count": lambda: _on_stage(_fallen_due(), "noble-2a", "spy-1a"),
    "counted": _counted,
    "standing": lambda: acting(
        "noble-1b", vp={"owl": 14, "eye": 13, "serpent": -1}, counselors={ANN: 1, BEN: 1, CLEO: 3}
    ),
    "standing-protected": lambda: acting("noble-1b").change(protected=(1,), closed=(2,)),
    "over": lambda: _over(owl=9, serpent=14),
    "over-shared": lambda: _over(owl=14, serpent=14),
    "over-eye": _eye_wins,
    "dispute-throne": lambda: planned().look({"merchant-1a": None}),
    "dispute-two-laid": lambda: at_intrigue().backs("intrigue/1", "intrigue/3"),
    "dispute-marker": lambda: planned().look({"marker-owl": "vp/owl/5"}),
    "dispute-later-space": lambda: planned().look({"spy-3a": "space/red/2"}),
    "dispute-stage": lambda: planned().look({"spy-3a": STAGE}),
    "dispute-counselor": lambda: at_counsel(counselors={BEN: 2}).look({"counselor-purple": "counselors/1"}),
    "dispute-too-many": lambda: _on_stage(at_award(2, 2, 1), "noble-2a", "spy-1a", "guard-1a"),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_looks_like_its_golden_picture(name: str, tmp_path: Path) -> None:
    fonts = find_fonts()
    if fonts.remedy:
        pytest.skip(fonts.remedy)
    table = SCENES[name]()
    panel = table.desk.panel()
    shown = None if name.startswith(("standing", "fight", "setup")) else SCREENS
    columns = [render(panel, load_words(language, table.game), fonts)[:shown] for language in LANGUAGES]
    goldens.check(goldens.sheet(columns), GOLDEN / f"{name}.png", tmp_path)


def test_every_golden_picture_belongs_to_a_scene() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(SCENES)
