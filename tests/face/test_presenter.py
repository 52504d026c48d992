from __future__ import annotations

from typing import Any

import msgspec
import pytest
from face_samples import FOREIGN, SCORES, TAKEN_BACK, TURN, WHO

from companion.core.messages import say, verbatim
from companion.core.panel import Button, Lamp, Page, Row, Text
from companion.face.presenter import Action, Situation, Trouble, actions, lamps, present

BLIND = Trouble(say("trouble.camera"), blind=True)
QUIET = Trouble(say("trouble.buzzer"))
PAGING = {Button.UP: Action.PAGE_BACK, Button.DOWN: Action.PAGE_ON}
PLAYING = Situation(pages=(TURN, SCORES), waiting=True, can_undo=True, help=verbatim("rule"))


def _with(**changes: Any) -> Situation:
    return msgspec.structs.replace(PLAYING, **changes)


def _titles(situation: Situation) -> list[str]:
    return [page.title.params.get("text", page.title.key) for page in present(situation).pages]


def test_while_all_is_well_the_game_has_the_screen() -> None:
    assert present(PLAYING).pages == (TURN, SCORES)


def test_disputes_come_first_then_what_blinds_then_notices_then_the_game_then_other_troubles() -> None:
    situation = _with(disputes=(TAKEN_BACK, FOREIGN), troubles=(QUIET, BLIND), unplaced=("nest",), notices=(say("n"),))
    wanted = (
        ["title.dispute"] * 2 + ["title.trouble"] * 2 + ["title.notice", "Runde 1 von 3", "Phönix", "title.trouble"]
    )
    assert _titles(situation) == wanted


def test_a_dispute_says_what_is_wrong_and_how_to_put_it_right() -> None:
    page = present(_with(disputes=(TAKEN_BACK,))).pages[0]
    assert page == Page(say("title.dispute"), (Text(TAKEN_BACK.refusal.message),))


def test_an_open_question_has_the_whole_screen_and_marks_the_chosen_answer() -> None:
    (page,) = present(_with(question=WHO, asking=True, chosen=-1, disputes=(TAKEN_BACK,))).pages
    assert page.title == WHO.message
    rows = [element for element in page.elements if isinstance(element, Row)]
    assert [row.left for row in rows] == [choice.label for choice in WHO.choices]
    assert [row.marked for row in rows] == [False, False, False, False, True]


def test_taking_back_is_asked_before_anything_else() -> None:
    situation = _with(undoing=verbatim("Ana: red 3"), question=WHO, asking=True, disputes=(TAKEN_BACK,))
    assert present(situation).pages == (Page(say("title.undo"), (Text(verbatim("Ana: red 3")),)),)
    assert actions(situation) == {Button.A: Action.YES, Button.B: Action.NO, **PAGING}


def test_nothing_to_show_is_a_welcome() -> None:
    assert _titles(Situation()) == ["title.welcome"]


@pytest.mark.parametrize(
    ("situation", "a", "b"),
    [
        (PLAYING, Action.HELP, Action.UNDO),
        (_with(can_undo=False, help=None), None, None),
        (_with(helping=True), Action.OK, Action.UNDO),
        (_with(question=WHO), Action.ANSWER, Action.UNDO),
        (_with(question=WHO, disputes=(TAKEN_BACK,)), Action.ANSWER, Action.UNDO),
        (_with(notices=(say("n"),), question=WHO), Action.OK, Action.UNDO),
        (_with(notices=(say("n"),), disputes=(TAKEN_BACK,)), Action.HELP, Action.UNDO),
    ],
)
def test_what_a_and_b_do(situation: Situation, a: Action | None, b: Action | None) -> None:
    wanted = {button: action for button, action in ((Button.A, a), (Button.B, b)) if action}
    assert actions(situation) == {**wanted, **PAGING}


@pytest.mark.parametrize(("urgent", "later"), [(False, {Button.B: Action.LATER}), (True, {})])
def test_an_open_question_is_answered_with_a_and_only_put_off_if_it_can_wait(
    urgent: bool, later: dict[Button, Action]
) -> None:
    situation = _with(question=msgspec.structs.replace(WHO, urgent=urgent), asking=True)
    choosing = {Button.UP: Action.PREVIOUS, Button.DOWN: Action.NEXT}
    assert actions(situation) == {Button.A: Action.CHOOSE, **later, **choosing}


def test_the_screen_says_what_the_buttons_do() -> None:
    situation = _with(question=WHO, asking=True)
    wanted = tuple((button, say(f"button.{action}")) for button, action in actions(situation).items())
    assert present(situation).buttons == wanted


@pytest.mark.parametrize(
    ("changes", "lit"),
    [
        ({}, {Lamp.GREEN}),
        ({"waiting": False}, set()),
        ({"disputes": (TAKEN_BACK,)}, {Lamp.RED}),
        ({"arranging": True}, {Lamp.AMBER}),
        ({"question": WHO}, {Lamp.GREEN}),
        ({"question": WHO, "asking": True}, {Lamp.AMBER}),
        ({"undoing": verbatim("x")}, {Lamp.AMBER}),
        ({"troubles": (BLIND,)}, {Lamp.AMBER}),
        ({"troubles": (QUIET,)}, {Lamp.GREEN}),
        ({"unplaced": ("nest",)}, {Lamp.AMBER}),
        ({"disputes": (TAKEN_BACK,), "troubles": (BLIND,)}, {Lamp.RED, Lamp.AMBER}),
    ],
)
def test_the_lamps_tell_how_things_stand(changes: dict[str, Any], lit: set[Lamp]) -> None:
    assert lamps(_with(**changes)) == frozenset(lit)
