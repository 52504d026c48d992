"""Bots at the virtual table follow what people do with the buttons."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.app.play import Options
from companion.app.worlds import lying
from companion.core.game import Game
from companion.core.snapshot import Accept, Answer, Redo, Restart, Undo
from companion.games import load
from tests.proofs.people import Watched

TWO = ("Ellie", "Sam")


def _play(game: Game[Any, Any], **more: Any) -> Watched:
    return Watched(game, Options(**({"players": TWO, "seed": 3} | more)))


def _steps(play: Watched, until: Callable[[], bool], most: int = 600) -> None:
    """Steps until something is so; fails if it never is."""
    for _ in range(most):
        play.step()
        if until():
            return
    pytest.fail(f"not within {most} frames; the log: {[entry.text for entry in play.log]}")


def _tell(play: Watched, *commands: Any) -> None:
    """As if somebody had pressed buttons."""
    play.touched()
    for command in commands:
        play.table.session.tell(command)


def _moved(play: Watched, moves: int) -> Callable[[], bool]:
    history = play.table.session.history
    return lambda: history is not None and len(history.past) > moves


def _right(play: Watched) -> bool:
    """The table is understood, and lies as the dealer has it."""
    assert play.virtual is not None
    return (
        play.virtual.stage.idle
        and play.table.session.state is not None
        and play.virtual.agrees(play.table.session.state)
        and not play.table.snapshot.disputes
        and play.virtual.lies() == lying(play.virtual.dealer)
    )


@pytest.mark.parametrize("name", ["phoenix", "storytelling", "wonderland", "three_kings"])
def test_hands_put_right_what_was_taken_back_and_lay_again_what_is_made_again(name: str) -> None:
    players = ("Ellie", "Sam", "Ezio") if name == "three_kings" else TWO
    with closing(_play(load(name), players=players)) as play:
        _steps(play, lambda: play.table.session.state is not None)
        _steps(play, _moved(play, 5), 3000)
        facts = play.table.snapshot.facts
        play.paused = True
        _steps(play, lambda: play.virtual is not None and play.virtual.stage.idle)
        _tell(play, Undo(), Undo())
        play.paused = False
        _steps(play, lambda: _right(play))
        play.paused = True
        assert play.table.snapshot.facts != facts
        _tell(play, Redo(), Redo())
        assert play.table.snapshot.facts == facts
        play.paused = False
        _steps(play, lambda: _right(play))
        assert play.game.facts(play.table.session.state) == facts
        _steps(play, _moved(play, 7), 3000)


def test_a_card_that_still_lies_there_when_the_program_stops_counts_once_it_is_laid_again(
    phoenix: Game[Any, Any], tmp_path: Path
) -> None:
    with closing(_play(phoenix, journal=tmp_path / "j")) as play:
        _steps(play, lambda: play.table.session.state is not None)
        _steps(play, _moved(play, 3))
        _tell(play, Undo())
    with closing(_play(phoenix, journal=tmp_path / "j")) as play:
        _steps(play, lambda: _right(play))
        _steps(play, _moved(play, 4))


def test_a_corrected_game_goes_on_and_is_carried_on(phoenix: Game[Any, Any], tmp_path: Path) -> None:
    with closing(_play(phoenix, journal=tmp_path / "j")) as play:
        _steps(play, lambda: play.table.session.state is not None)
        _steps(play, _moved(play, 3))
        _accept(play)
        facts = play.table.snapshot.facts
        _steps(play, lambda: _right(play))
        assert play.table.snapshot.facts == facts
    with closing(_play(phoenix, journal=tmp_path / "j")) as play:
        assert play.virtual is not None
        assert play.virtual.dealer.facts() == play.table.snapshot.facts == facts
        _steps(play, _moved(play, 6))


def _accept(play: Watched) -> None:
    """Somebody does something wrong, and says that it is right."""
    for _ in range(20):
        _steps(play, lambda: _right(play))
        play.do_wrong()
        _steps(play, lambda: bool(play.table.snapshot.disputes))
        if play.table.snapshot.acceptable:
            _tell(play, Accept())
            return
        play.put_right()
    pytest.fail("nothing that could be accepted")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "The bots can't go on from here."),
        ("de", "Von hier aus kommen die Bots nicht weiter."),
        ("es", "Los bots no pueden seguir desde aquí."),
        ("ca", "Els bots no poden continuar des d'aquí."),
    ],
)
def test_a_bot_that_cannot_follow_says_so_and_goes_on_when_that_is_taken_back(
    phoenix: Game[Any, Any], monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    monkeypatch.setattr("companion.games.phoenix.dealer.PhoenixDealer.adopt", lambda *_: False)
    with closing(_play(phoenix, language=language)) as play:
        _steps(play, lambda: play.table.session.state is not None)
        _steps(play, _moved(play, 3))
        _accept(play)
        _steps(play, lambda: any(entry.text.startswith(words) for entry in play.log))
        _tell(play, Undo())
        _steps(play, lambda: _right(play))
        _steps(play, _moved(play, 4))


def test_a_new_game_is_dealt_and_played(phoenix: Game[Any, Any]) -> None:
    with closing(_play(phoenix)) as play:
        _steps(play, lambda: play.table.session.state is not None)
        _steps(play, _moved(play, 3))
        _tell(play, Restart())
        _steps(play, lambda: play.table.session.state is not None)
        _steps(play, _moved(play, 3))
        assert play.virtual is not None
        assert play.virtual.players == list(TWO)


def test_a_game_that_people_set_up_otherwise_is_dealt_so() -> None:
    with closing(_play(load("storytelling"))) as play:
        assert play.virtual is not None
        dealt = play.virtual.setup
        play.paused = True
        while play.table.session.state is None:
            play.step()
            question = play.table.snapshot.question if play.table.session.state is None else None
            drafts = [choice.draft or {} for choice in question.choices] if question else []
            other = next((number for number, draft in enumerate(drafts) if not draft.items() <= dealt.items()), 0)
            if question:
                _tell(play, Answer(other, question))
        play.paused = False
        _steps(play, lambda: _right(play))
        asked = ("story", "mode", "storyteller", "first")
        assert [play.virtual.setup[key] == dealt[key] for key in asked] == [False] * len(asked)
        _steps(play, _moved(play, 3))
