"""Every page of Wonderland XIII as the screen shows it, in all languages side by side: en, de, es, ca."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core.panel import Button
from companion.face.fonts import find_fonts
from companion.face.screen import render
from companion.face.words import LANGUAGES, load_words
from tests import goldens
from tests.games.wonderland.wonder_table import Table

GOLDEN = Path(__file__).parent / "golden"
A, B, UP, DOWN = Button.A, Button.B, Button.UP, Button.DOWN
FOUR = ("Alice Cat Queen", "Rabbit Hatter Bundle", "Cat Cat Rabbit", "Queen Alice Hatter")
OPEN = "9, 9 Queen, 7 Cat Rabbit, 9, 0"
DEALT = {"Alicea": "notebook/Ann", "Cata": "notebook/Ann", "Queena": "notebook/Ann", "Rabbita": "notebook/Bea"}
KEYS = {"keya": "middle/key", "keyb": "middle/key", "keyc": "middle/key", "keyd": "middle/key"}


def _explored(first: str, second: str, hall: str = "9, 9, 9, 9, 9") -> Table:
    """Ann has covered deck 2 and taken two cards."""
    table = Table(hall, FOUR)
    return table.play("unlock 1", "cover 1 Cat", f"take 0:{first} 2:{second}")


def _collapsed() -> Table:
    """Three Rabbits still lie in Ann's Tunnel."""
    table = _explored("Rabbit", "Rabbit").play("skill Rabbit deck=3 reveals=Cat", "cover 1 Alice")
    lying = dict(table.lying)
    table.play("take 0:Rabbit 2:Hatter")
    table.lying = {**table.lying, **{p: zone for p, zone in lying.items() if zone == "tunnel/Ann"}}
    return table.look(Rabbitl="tunnel/Ann", Hatterl="tunnel/Ann")


def _stopped() -> Table:
    """Ann has pressed the button, and her Tunnel and a Key lie as before."""
    table = _explored("Queen", "Bundle").play("skill Queen covers=Bundle")
    return table.press(A).look()


def _left_key() -> Table:
    table = _explored("Queen", "Bundle").play("skill Queen covers=Bundle", "stop")
    table.since = {"keya": 5.0} | {p: 20.0 for p, zone in table.lying.items() if zone == "notebook/Ann"}
    return table.look(keya="deck-1/key")


def _revealed() -> Table:
    """The Hatter's card lies open on deck 4."""
    return _explored("Hatter", "Hatter").look(Bundleh="deck-3/top")


def _hatter_down() -> Table:
    return _revealed().press(DOWN, A).look()


def _hatter_discarded() -> Table:
    """With that card Bea's face-down ones are too many of a kind, and are discarded before it was turned down."""
    table = Table("9, 9, 9, 9, 9", FOUR, Bea="Cat Bundle").play("unlock 1", "cover 1 Cat", "take 0:Hatter 2:Hatter")
    return table.look(Bundleh="deck-3/top").press(A).look()


def _over(*notebooks: str) -> Table:
    """Ann has explored for the last time."""
    table = Table("5, 1, 9, 9, 1", notebooks)
    return table.play("unlock 0", f"cover 0 {notebooks[0].split()[0]}", "take 4:Queen 1:Cat", "skill Queen covers=Cat")


def _crowded() -> Table:
    """A Tunnel with all there is to be said of it."""
    table = (
        _explored("Bundle", "Queen")
        .play("skill Queen covers=Bundle")
        .change(tunnel=("Bundle", "Bundle", "Queen", "Rabbit"), hatter=(("Cat", "Alice"), (), (), ()))
    )
    return _page(table, "tunnel")


SCENES: dict[str, Callable[[], Table]] = {
    "prepare-players": lambda: Table(draft={}).look(),
    "prepare-first": lambda: Table(draft={"players": ["1", "2", "3"]}).look(),
    "prepare-sheets": lambda: Table(draft={"players": ["Ann", "Bea"], "turn": "Ann"}),
    "prepare-deal": lambda: Table(draft={"players": ["Ann", "Bea"], "turn": "Ann"}).look(**DEALT),
    "prepare-face-down": lambda: Table(draft={"players": ["Ann", "Bea"], "turn": "Ann"}).look(
        **DEALT, Rabbitb="notebook/Bea", Rabbitc="notebook/Bea", Hattera="deck-2/top"
    ),
    "prepare-keys": lambda: Table(draft={"players": ["Ann", "Bea"], "turn": "Ann"}).look(
        **DEALT, Rabbitb="notebook/Bea", Rabbitc="notebook/Bea", keya="middle/key"
    ),
    "prepare-decks": lambda: _page(Table(draft={"players": ["Ann", "Bea"], "turn": "Ann"}).look(**DEALT), "decks"),
    "explore": lambda: Table(OPEN, FOUR),
    "explore-keys-to-be-taken": lambda: Table(OPEN, FOUR).look(keyc="middle/key", keyd="middle/key"),
    "explore-cover": lambda: Table(OPEN, FOUR).play("unlock 3"),
    "explore-stuck": lambda: Table(OPEN, ("", "Cat Cat Cat", "Cat")),
    "take": lambda: Table(OPEN, FOUR).play("unlock 1", "cover 1 Cat"),
    "take-other": lambda: Table("9, 9, 9, 9, 9", FOUR).play("unlock 1", "cover 1 Cat").look(Rabbitl="tunnel/Ann"),
    "skill-alice-rabbit": lambda: _explored("Alice", "Rabbit"),
    "skill-cat-hatter": lambda: _explored("Cat", "Hatter"),
    "skill-queen": lambda: _explored("Queen", "Bundle"),
    "skill-none": lambda: _explored("Bundle", "Bundle", "9, 9, 9, 9, 9"),
    "skill-how-cat": lambda: _page(_explored("Cat", "Hatter"), "Cat"),
    "skill-how-hatter": lambda: _page(_explored("Cat", "Hatter"), "Hatter"),
    "skill-how-alice": lambda: _page(_explored("Alice", "Rabbit"), "Alice"),
    "skill-how-rabbit": lambda: _page(_explored("Alice", "Rabbit"), "Rabbit"),
    "skill-how-queen": lambda: _page(_explored("Queen", "Bundle"), "Queen"),
    "skill-asked": lambda: _explored("Queen", "Hatter").press(A),
    "skill-target": lambda: _explored("Cat", "Hatter").press(A, DOWN, A),
    "skill-deck": lambda: _explored("Cat", "Hatter").press(A, A),
    "skill-turn-away": lambda: _explored("Cat", "Hatter").press(A, DOWN, A, DOWN, A, A),
    "skill-which-card": lambda: _explored("Cat", "Hatter").press(A, DOWN, A, DOWN, A, A, A),
    "skill-for-whom": _revealed,
    "skill-from-which-deck": lambda: _explored("Rabbit", "Bundle").look(Bundleh="tunnel/Ann"),
    "hatter-face-down": _hatter_down,
    "hatter-discarded": _hatter_discarded,
    "decide": lambda: _explored("Alice", "Bundle").play("skill Alice"),
    "decide-tunnel": _crowded,
    "tidy-to-discards": _collapsed,
    "tidy-to-notebook": _stopped,
    "tidy-key": _left_key,
    "tidy-spread": lambda: _hide(Table(OPEN, FOUR)),
    "refill": lambda: _explored("Queen", "Bundle").change(
        phase="refill", notebooks=(("Cat",), *Table(OPEN, FOUR).state.notebooks[1:]), tunnel=(), covered=(), gained=(),
        unlocked=(), keys=0, deck=None, discards=("Alice", "Cat", "Rabbit"),
    ),
    "hall": lambda: _page(Table(OPEN, FOUR).play("unlock 1"), "hall"),
    "hall-closed": lambda: _page(Table("9, 9, 9, 9, 9", FOUR), "hall"),
    "decks": lambda: _page(Table(OPEN, FOUR).play("unlock 1"), "decks"),
    "scores": lambda: _page(Table(OPEN, ("Bundle Cat", *FOUR[1:])), "scores"),
    "worth": lambda: _page(Table(OPEN, ("Alice Rabbit Cat Hatter Queen Bundle Bundle Cat Cat", *FOUR[1:])), "worth"),
    "risk": lambda: _page(Table(OPEN, FOUR), "risk"),
    "risk-rabbit": lambda: _page(_explored("Rabbit", "Cat"), "risk"),
    "help": lambda: Table(OPEN, FOUR).press(A, A),
    "dispute-locked": lambda: _moved(Table(OPEN, FOUR), "Cat", "deck-3/top"),
    "dispute-two-keys": lambda: Table(OPEN, FOUR).look(keyc="deck-0/key", keyd="deck-3/key"),
    "dispute-not-from-notebook": lambda: Table(OPEN, FOUR).play("unlock 3").look(Bundleh="deck-3/top"),
    "dispute-not-from-beside": lambda: Table("9, 9, 9 Cat, 9 Bundle, 9", FOUR).play("unlock 2", "cover 2 Cat").look(
        Rabbitl="tunnel/Ann", Rabbitk="tunnel/Ann"
    ),
    "dispute-too-many": lambda: Table("9, 9, 9, 9, 9", FOUR).play("unlock 2", "cover 2 Cat").look(
        Rabbitl="tunnel/Ann", Catl="tunnel/Ann", Queenl="tunnel/Ann"
    ),
    "dispute-must-stay": lambda: _away(Table(OPEN, FOUR), "Cat", "notebook/Cid"),
    "dispute-key-must-stay": lambda: _away(Table(OPEN, FOUR).play("unlock 1"), "key", "deck-1/key"),
    "dispute-strange-notebook": lambda: Table(OPEN, FOUR).look(Rabbitl="notebook/Cid"),
    "dispute-to-discards": lambda: _moved(Table(OPEN, FOUR), "Cat", "discards/pile"),
    "over-one-winner": lambda: _over("Cat Alice Alice Rabbit Hatter", "Alice Rabbit"),
    "over-shared": lambda: _over("Hatter Alice", "Rabbit Hatter Queen"),
}  # fmt: skip


def _hide(table: Table) -> Table:
    """A card of Bea's Notebook lies below another one."""
    del table.lying[table.first("Hatter", "notebook/Bea")]
    return table.look()


def _moved(table: Table, name: str, zone: str) -> Table:
    """A card of Ann's Notebook lies elsewhere."""
    piece = table.first(name, "notebook/Ann")
    return table.look(**{piece: zone})


def _away(table: Table, name: str, zone: str) -> Table:
    return table.look(**{table.first(name, zone): None})


def _page(table: Table, title: str) -> Table:
    """With the page of this title, and not the first one."""
    titles = [page.title for page in table.desk.panel().pages]
    keys = [title.params.get("card") or title.key.removeprefix("page.") for title in titles]
    table.page = keys.index(title)
    return table


@pytest.mark.parametrize("name", SCENES)
def test_each_page_looks_like_its_golden_picture(name: str, tmp_path: Path) -> None:
    fonts = find_fonts()
    if fonts.remedy:
        pytest.skip(fonts.remedy)
    table = SCENES[name]()
    panel = table.desk.panel()
    panel = replace(panel, pages=panel.pages[table.page : table.page + 1])
    columns = [render(panel, load_words(language, table.game, strict=True), fonts) for language in LANGUAGES]
    goldens.check(goldens.sheet(columns), GOLDEN / f"{name}.png", tmp_path)


def test_every_golden_picture_belongs_to_a_scene() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {*SCENES}
