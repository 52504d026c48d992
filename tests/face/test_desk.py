"""The desk: presses, pages, questions and what is heard."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import Choice, Dispute, Event, Question, Refusal
from companion.core.messages import say, verbatim
from companion.core.panel import Button, Lamp, Note, Page, Text
from companion.core.snapshot import Answer, Snapshot, Undo
from companion.face.desk import DISPUTE, Desk
from companion.face.presenter import Trouble

HORN = (Note(440, 0.1),)
PAGE = Page(verbatim("title"), (Text(verbatim("text")),))
QUESTION = Question(verbatim("who?"), (Choice(verbatim("A")), Choice(verbatim("B")), Choice(verbatim("C"))))


def _snapshot(**more: Any) -> Snapshot:
    return Snapshot(1, "tiny", facts={"n": more.pop("n", 0)}, pages=(PAGE,), help=say("help.x"), **more)


def _dispute(piece: str) -> Dispute:
    return Dispute(piece, "zone", None, Refusal("full", "rule"))


@pytest.fixture
def desk() -> Desk:
    desk = Desk({"goal": HORN})
    desk.show(_snapshot())
    return desk


def test_an_event_with_a_melody_is_heard_and_others_are_not(desk: Desk) -> None:
    assert desk.show(_snapshot(n=1, events=(Event("step"),))) == ()
    assert desk.show(_snapshot(n=2, events=(Event("goal"), Event("step")))) == HORN


def test_a_new_dispute_sounds_low_once(desk: Desk) -> None:
    assert desk.show(_snapshot(disputes=(_dispute("a"),))) == DISPUTE
    assert desk.show(_snapshot(disputes=(_dispute("a"),))) == ()
    assert desk.show(_snapshot(disputes=(_dispute("a"), _dispute("b")))) == DISPUTE
    assert desk.show(_snapshot()) == ()


def test_a_dispute_is_red_and_a_quiet_table_green(desk: Desk) -> None:
    assert desk.panel().lamps == {Lamp.GREEN}
    desk.show(_snapshot(disputes=(_dispute("a"),)))
    assert desk.panel().lamps == {Lamp.RED}
    assert desk.panel().pages[0].title == say("title.dispute")


def test_undo_is_asked_before_it_is_done(desk: Desk) -> None:
    assert desk.press(Button.B) is None, "there is nothing to take back yet"
    desk.show(_snapshot(last_move=(Event("step"),)))
    assert desk.press(Button.B) is None
    assert desk.panel().pages[0].title == say("title.undo")
    assert desk.press(Button.B) is None
    assert desk.panel().pages == (PAGE,)
    desk.press(Button.B)
    assert desk.press(Button.A) == Undo()


def test_an_urgent_question_opens_by_itself_and_is_answered_with_what_is_marked(desk: Desk) -> None:
    desk.show(_snapshot(question=QUESTION))
    desk.press(Button.DOWN)
    desk.press(Button.DOWN)
    desk.press(Button.UP)
    assert desk.press(Button.A) == Answer(1, QUESTION)


def test_choices_count_round(desk: Desk) -> None:
    desk.show(_snapshot(question=QUESTION))
    desk.press(Button.UP)
    assert desk.press(Button.A) == Answer(2, QUESTION)


def test_another_question_opens_for_its_button_and_can_wait(desk: Desk) -> None:
    again = Question(verbatim("again?"), (Choice(verbatim("yes")),), urgent=False)
    desk.show(_snapshot(question=again))
    assert desk.panel().pages == (PAGE,)
    desk.press(Button.A)
    assert desk.panel().pages[0].title == verbatim("again?")
    desk.press(Button.B)
    assert desk.panel().pages == (PAGE,)
    desk.press(Button.A)
    assert desk.press(Button.A) == Answer(0, again)


def test_help_opens_and_closes_with_the_same_button(desk: Desk) -> None:
    desk.press(Button.A)
    assert desk.panel().pages[0].title == say("title.help")
    desk.press(Button.A)
    assert desk.panel().pages == (PAGE,)


def test_notices_stay_until_they_are_read(desk: Desk) -> None:
    desk.show(_snapshot(notices=(say("notice.resumed"),)))
    desk.show(_snapshot())
    assert desk.panel().pages[0].title == say("title.notice")
    desk.press(Button.A)
    assert desk.panel().pages == (PAGE,)


def test_pages_turn_and_a_move_shows_the_first_again(desk: Desk) -> None:
    desk.press(Button.DOWN)
    assert desk.page == 1
    desk.show(_snapshot(n=1))
    assert desk.page == 0
    desk.press(Button.UP)
    assert desk.page == -1


def test_a_blind_camera_is_said_before_the_game_and_heals(desk: Desk) -> None:
    desk.trouble("camera", Trouble(say("trouble.camera"), blind=True))
    assert (desk.panel().pages[0].title, desk.panel().lamps) == (say("title.trouble"), {Lamp.AMBER})
    desk.trouble("camera", None)
    assert (desk.panel().pages, desk.panel().lamps) == ((PAGE,), {Lamp.GREEN})
