from __future__ import annotations

from typing import Any

import msgspec
import pytest
from art_samples import READING, row
from face_samples import FOREIGN, SCORES, TAKEN_BACK, TURN, TURN_OVER, WHO

from companion.core.game import Question
from companion.core.messages import say, verbatim
from companion.core.panel import Button, Lamp, Page, Row, Text
from companion.face.menu import Item, offered
from companion.face.presenter import Action, actions, lamps, present
from companion.face.situation import Opened, Situation, Trouble

BLIND = Trouble(say("trouble.camera"), blind=True)
QUIET = Trouble(say("trouble.buzzer"))
PAGING = {Button.UP: Action.PAGE_BACK, Button.DOWN: Action.PAGE_ON}
CHOOSING = {Button.UP: Action.PREVIOUS, Button.DOWN: Action.NEXT}
URGENT = msgspec.structs.replace(WHO, urgent=True)
ONE_ANSWER = msgspec.structs.replace(TURN_OVER, choices=TURN_OVER.choices[:1])
PLAYING = Situation(pages=(TURN, SCORES), waiting=True, last_deed=verbatim("Ana: red 3"), help=verbatim("rule"))


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
    (page,) = present(_with(question=URGENT, opened=Opened.QUESTION, chosen=-1, disputes=(TAKEN_BACK,))).pages
    assert page.title == WHO.message
    rows = [element for element in page.elements if isinstance(element, Row)]
    assert [row.left for row in rows] == [choice.label for choice in WHO.choices]
    assert [row.marked for row in rows] == [False, False, False, False, True]


def test_taking_back_is_asked_before_anything_else() -> None:
    situation = _with(opened=Opened.UNDO, question=URGENT, disputes=(TAKEN_BACK,))
    assert present(situation).pages == (Page(say("title.undo"), (Text(verbatim("Ana: red 3")),)),)
    assert actions(situation) == {Button.A: Action.YES, Button.B: Action.NO, **PAGING}


def test_nothing_to_show_is_a_welcome() -> None:
    assert _titles(Situation()) == ["title.welcome"]


@pytest.mark.parametrize(
    ("situation", "a", "b"),
    [
        (PLAYING, Action.MENU, Action.UNDO),
        (_with(last_deed=None, help=None), Action.MENU, None),
        (_with(opened=Opened.HELP), Action.OK, Action.UNDO),
        (_with(opened=Opened.HELP, last_deed=None), Action.OK, Action.MENU),
        (_with(opened=Opened.ASIDE), Action.OK, Action.UNDO),
        (_with(question=WHO), Action.ANSWER, Action.UNDO),
        (_with(question=WHO, last_deed=None), Action.ANSWER, Action.MENU),
        (_with(question=WHO, disputes=(TAKEN_BACK,)), Action.ANSWER, Action.UNDO),
        (_with(notices=(say("n"),), question=WHO), Action.OK, Action.UNDO),
        (_with(notices=(say("n"),), disputes=(TAKEN_BACK,)), Action.MENU, Action.UNDO),
        (_with(question=TURN_OVER), Action.DIRECT, Action.MENU),
        (_with(question=TURN_OVER, notices=(say("n"),)), Action.OK, Action.MENU),
        (_with(question=TURN_OVER, opened=Opened.HELP), Action.OK, Action.MENU),
        (_with(question=TURN_OVER, disputes=(TAKEN_BACK,)), Action.MENU, Action.UNDO),
    ],
)
def test_what_a_and_b_do(situation: Situation, a: Action | None, b: Action | None) -> None:
    wanted = {button: action for button, action in ((Button.A, a), (Button.B, b)) if action}
    assert actions(situation) == {**wanted, **PAGING}


@pytest.mark.parametrize(("question", "b"), [(WHO, Action.LATER), (TURN_OVER, Action.LATER), (URGENT, Action.MENU)])
def test_an_open_question_is_answered_with_a_and_only_put_off_if_it_can_wait(question: Question, b: Action) -> None:
    situation = _with(question=question, opened=Opened.QUESTION)
    assert actions(situation) == {Button.A: Action.CHOOSE, Button.B: b, **CHOOSING}


@pytest.mark.parametrize("question", [None, WHO, URGENT, TURN_OVER, ONE_ANSWER])
@pytest.mark.parametrize("deed", [None, verbatim("deed")])
@pytest.mark.parametrize("more", [{}, {"disputes": (TAKEN_BACK,)}, {"notices": (say("n"),)}])
def test_the_menu_is_never_more_than_three_presses_away(question: Question | None, deed: Any, more: Any) -> None:
    def leads(situation: Situation, presses: int) -> bool:
        found = actions(situation)
        if Action.MENU in found.values() or any(pick is Item.MENU for pick, _ in offered(situation)):
            return True
        if not presses:
            return False
        if found[Button.A] is Action.OK:
            return leads(msgspec.structs.replace(situation, notices=()), presses - 1)
        return found[Button.A] is Action.ANSWER and leads(
            msgspec.structs.replace(situation, opened=Opened.QUESTION), presses - 1
        )

    opened = Opened.QUESTION if question is URGENT else None
    assert leads(_with(question=question, last_deed=deed, opened=opened, **more), 2)


def test_the_screen_says_what_the_buttons_do() -> None:
    situation = _with(question=WHO, opened=Opened.QUESTION)
    wanted = tuple((button, say(f"button.{action}")) for button, action in actions(situation).items())
    assert present(situation).buttons == wanted


def test_the_button_of_a_direct_question_bears_its_first_answer() -> None:
    buttons = dict(present(_with(question=TURN_OVER)).buttons)
    assert (buttons[Button.A], buttons[Button.B]) == (TURN_OVER.choices[0].label, say("button.menu"))


def _menu(**changes: Any) -> list[Item]:
    return [Item(pick) for pick, _ in offered(_with(opened=Opened.MENU, **changes))]


def test_the_menu_holds_what_there_is_and_nothing_else() -> None:
    assert _menu(last_deed=None, help=None) == [Item.LANGUAGE, Item.SOUND]
    assert _menu() == [Item.HELP, Item.UNDO, Item.LANGUAGE, Item.SOUND]
    everything = {"question": WHO, "can_redo": True, "aside": (row(0, 2),), "pages": (READING,)}
    everything |= {"playing": True, "hosted": True, "acceptable": say("event.x"), "to_put_right": (say("x"),)}
    assert _menu(**everything) == [item for item in Item if item is not Item.MENU]


@pytest.mark.parametrize(
    ("changes", "listed"),
    [
        ({"question": WHO}, True),
        ({"question": URGENT}, False),
        ({"question": TURN_OVER}, True),
        ({"question": ONE_ANSWER}, False),
        ({"question": ONE_ANSWER, "disputes": (TAKEN_BACK,)}, True),
    ],
)
def test_the_menu_has_the_question_where_no_button_or_list_has_all_of_it(changes: dict[str, Any], listed: bool) -> None:
    assert (Item.QUESTION in _menu(**changes)) == listed


def test_the_menu_offers_the_next_language_in_its_own_name_and_the_other_type() -> None:
    (page,) = present(_with(opened=Opened.MENU, pages=(READING,), language="ca", large=False, chosen=-2)).pages
    rows = [(element.left, element.marked) for element in page.elements if isinstance(element, Row)]
    assert rows[-3:-1] == [(say("menu.large"), False), (verbatim("English"), True)]


def test_what_is_read_aloud_is_large_unless_small_type_is_set() -> None:
    sizes = []
    for large in (True, False):
        panel = present(_with(pages=(READING,), aside=(READING,), large=large))
        sizes.append([element.reading for page in (*panel.pages, *panel.aside) for element in page.elements])
    assert sizes == [[True, True], [False, False]]


def test_what_faces_the_active_player_is_for_the_second_screen_until_it_is_opened_here() -> None:
    pages = (row(1, 3),)
    assert (present(_with(aside=pages)).pages, present(_with(aside=pages)).aside) == ((TURN, SCORES), pages)
    assert present(_with(aside=pages, opened=Opened.ASIDE)).pages == pages


@pytest.mark.parametrize(
    ("changes", "lit"),
    [
        ({}, {Lamp.GREEN}),
        ({"waiting": False}, set()),
        ({"disputes": (TAKEN_BACK,)}, {Lamp.RED}),
        ({"arranging": True}, {Lamp.AMBER}),
        ({"question": WHO}, {Lamp.GREEN}),
        ({"question": WHO, "opened": Opened.QUESTION}, {Lamp.AMBER}),
        ({"question": TURN_OVER}, {Lamp.AMBER}),
        ({"question": msgspec.structs.replace(TURN_OVER, urgent=False)}, {Lamp.GREEN}),
        ({"question": TURN_OVER, "disputes": (TAKEN_BACK,)}, {Lamp.RED}),
        ({"opened": Opened.UNDO}, {Lamp.AMBER}),
        ({"opened": Opened.MENU}, {Lamp.GREEN}),
        ({"troubles": (BLIND,)}, {Lamp.AMBER}),
        ({"troubles": (QUIET,)}, {Lamp.GREEN}),
        ({"unplaced": ("nest",)}, {Lamp.AMBER}),
        ({"disputes": (TAKEN_BACK,), "troubles": (BLIND,)}, {Lamp.RED, Lamp.AMBER}),
    ],
)
def test_the_lamps_tell_how_things_stand(changes: dict[str, Any], lit: set[Lamp]) -> None:
    assert lamps(_with(**changes)) == frozenset(lit)
