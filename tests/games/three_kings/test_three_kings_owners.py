"""An owner's decks: `companion deck`, which of them is played with, and a broken one that stops no game."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.core.content import ContentError
from companion.core.game import Refusal
from companion.games import load
from companion.games.three_kings.by_hand import ZONES
from companion.games.three_kings.deck import shipped
from companion.games.three_kings.template import TEMPLATE
from companion.games.three_kings.vocabulary import VERBS
from companion.service.content import load_equipped
from tests.documents import TOLD, coded, section, table_rows

THREE = {"players": ["Ann", "Ben", "Cleo"]}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The owner's folder, empty; commands run beside it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setattr("companion.service.content.owners_folder", lambda *_: folder)
    return folder


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["deck", *arguments])


def test_new_check_and_list(own: Path) -> None:
    assert _run("new", "-o", "court.toml").exit_code == 0
    assert Path("court.toml").read_text("utf-8") == TEMPLATE
    assert _run("check", "court.toml").stdout == "court.toml: all right\n"
    Path("court.toml").rename(own / "court.toml")
    assert _run("list").stdout.splitlines() == [
        "court        My Action cards  your own",
        "three-kings  Action cards     shipped",
        f"Your own lie in {own}",
    ]


def test_check_names_file_place_mistake_and_remedy(own: Path) -> None:
    Path("court.toml").write_text(TEMPLATE.replace("rank = 1\n", "rank = 0\n", 1), "utf-8")
    result = _run("check", "court.toml")
    told = "court.toml: cards 1, rank: 0; 1 to 99, as printed on the card\n"
    assert (result.exit_code, result.stdout) == (1, told)


def test_an_owners_deck_is_what_is_played_with(own: Path) -> None:
    (own / "court.toml").write_text(TEMPLATE, "utf-8")
    game, warnings = load_equipped("three_kings")
    assert warnings == ()
    state = game.setup(THREE)
    assert [card.id for card in state.actions.cards][:2] == ["card-1", "card-2"]
    named = game.setup({**THREE, "actions": "three-kings"})
    assert named.actions.cards[0].id == "bodyguards"


def test_a_broken_deck_is_left_out_with_a_warning(own: Path) -> None:
    (own / "three-kings.toml").write_text("name = 3", "utf-8")
    game, (warning,) = load_equipped("three_kings")
    assert "name: 3; a text in one or more of en, de, es, ca" in warning
    assert "the shipped one is used instead" in warning
    assert not isinstance(game.setup(THREE), Refusal)


def test_a_game_is_not_equipped_with_what_cannot_be_used() -> None:
    with pytest.raises(ContentError, match="court: cards: missing"):
        load("three_kings").equipped({"court": 'name = { en = "Mine" }'})


def test_the_page_names_every_step_and_every_fact_that_may_change_by_hand() -> None:
    page = TOLD["action-cards.md"]
    assert [coded(row[0])[0] for row in table_rows(section(page, "Effects"))] == list(VERBS)
    assert [zone for zone in ZONES if f"`{zone}`" not in page] == []
    (card,) = (text for text in shipped().values() if "the-death-of-the-traitor" in text)
    example = page.split("```toml\n")[1].split("```")[0]
    assert example in card
