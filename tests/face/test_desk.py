"""The desk: presses, pages, questions and what is heard."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Choice, Dispute, Event, Question, Refusal
from companion.core.messages import Message, say, verbatim
from companion.core.panel import Button, Lamp, Note, Page, Row, Text
from companion.core.snapshot import Accept, Answer, AskNameable, Name, Nameable, PutRight, Redo, Snapshot, Undo
from companion.face.desk import DISPUTE, Desk
from companion.face.situation import Trouble

DIRECT = Question(verbatim("on?"), (Choice(verbatim("on")), Choice(verbatim("aside"))), direct=True)
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


def _choose(desk: Desk, label: Message) -> Any:
    """Presses until the row with this label is marked in the open list, then takes it."""
    for _ in desk.panel().pages[0].elements:
        if next(row.left for row in desk.panel().pages[0].elements if isinstance(row, Row) and row.marked) == label:
            return desk.press(Button.A)
        desk.press(Button.DOWN)
    raise AssertionError(f"{label} is not in the list")


def test_help_is_the_first_in_the_menu_and_closes_with_the_same_button(desk: Desk) -> None:
    desk.press(Button.A)
    assert desk.panel().pages[0].title == say("button.menu")
    desk.press(Button.A)
    assert desk.panel().pages[0].title == say("title.help")
    desk.press(Button.A)
    assert desk.panel().pages == (PAGE,)


def test_the_menu_closes_with_b_and_when_something_happens(desk: Desk) -> None:
    desk.press(Button.A)
    desk.press(Button.B)
    assert desk.panel().pages == (PAGE,)
    for news in ({"n": 1}, {"disputes": (_dispute("a"),)}, {"question": DIRECT}, {"can_redo": True}):
        desk.show(_snapshot())
        desk.press(Button.A)
        assert desk.panel().pages[0].title == say("button.menu")
        desk.show(_snapshot(**news))
        assert desk.panel().pages[0].title != say("button.menu"), news


def test_undo_in_the_menu_is_asked_as_with_its_button(desk: Desk) -> None:
    desk.show(_snapshot(last_move=(Event("step"),)))
    desk.press(Button.A)
    assert _choose(desk, say("button.undo")) is None
    assert desk.panel().pages[0].title == say("title.undo")
    assert desk.press(Button.A) == Undo()
    assert desk.panel().pages == (PAGE,)


def test_what_was_taken_back_is_made_again_from_the_menu(desk: Desk) -> None:
    desk.show(_snapshot(can_redo=True))
    desk.press(Button.A)
    assert _choose(desk, say("menu.redo")) == Redo()
    assert desk.panel().pages == (PAGE,)


def test_the_language_goes_round_and_the_menu_stays_open_for_the_next(desk: Desk) -> None:
    spoken = []
    desk.press(Button.A)
    for name in ("Deutsch", "Español", "Català", "English"):
        assert _choose(desk, verbatim(name)) is None
        spoken.append(desk.language)
    assert spoken == ["de", "es", "ca", "en"]


def test_the_type_is_set_where_there_is_something_to_read(desk: Desk) -> None:
    story = Page(verbatim(""), (Text(verbatim("Once upon a time"), reading=True),))
    desk.show(replace(_snapshot(), pages=(story,)))
    assert desk.panel().pages == (story,)
    desk.press(Button.A)
    _choose(desk, say("menu.small"))
    desk.press(Button.B)
    assert desk.panel().pages == (Page(verbatim(""), (Text(verbatim("Once upon a time")),)),)


def test_a_direct_question_is_answered_with_one_press(desk: Desk) -> None:
    desk.show(_snapshot(question=DIRECT))
    assert desk.panel().pages == (PAGE,)
    assert desk.press(Button.A) == Answer(0, DIRECT)


def test_the_other_answers_of_a_direct_question_are_in_the_menu(desk: Desk) -> None:
    desk.show(_snapshot(question=DIRECT))
    desk.press(Button.B)
    _choose(desk, DIRECT.message)
    assert _choose(desk, verbatim("aside")) == Answer(1, DIRECT)
    assert desk.panel().pages == (PAGE,)


def test_a_dispute_covers_a_direct_question_until_the_table_is_right(desk: Desk) -> None:
    desk.show(_snapshot(question=DIRECT, disputes=(_dispute("a"),)))
    assert desk.press(Button.A) is None
    assert desk.panel().pages[0].title == say("button.menu")
    desk.show(_snapshot(question=DIRECT))
    assert desk.press(Button.A) == Answer(0, DIRECT)


def test_the_menu_of_an_urgent_question_leads_back_to_it(desk: Desk) -> None:
    desk.show(_snapshot(question=QUESTION))
    desk.press(Button.B)
    assert desk.panel().pages[0].title == say("button.menu")
    desk.press(Button.B)
    assert desk.panel().pages[0].title == QUESTION.message


def test_the_menu_is_the_last_in_the_list_of_a_question_that_waits(desk: Desk) -> None:
    desk.show(_snapshot(question=replace(QUESTION, urgent=False)))
    desk.press(Button.A)
    desk.press(Button.UP)
    assert desk.press(Button.A) is None
    assert desk.panel().pages[0].title == say("button.menu")


def test_what_the_player_sees_is_shown_here_until_it_is_closed_or_something_is_asked(desk: Desk) -> None:
    aside = (Page(verbatim("for Ellie")),)
    desk.show(_snapshot(aside=aside))

    def open_it() -> None:
        desk.press(Button.A)
        _choose(desk, say("menu.aside"))
        assert desk.panel().pages == aside

    open_it()
    desk.show(_snapshot(n=1, aside=aside))
    assert desk.panel().pages == aside, "the player goes on"
    desk.press(Button.A)
    assert desk.panel().pages == (PAGE,)
    for news in ({}, {"aside": aside, "question": DIRECT}, {"aside": aside, "disputes": (_dispute("a"),)}):
        desk.show(_snapshot(aside=aside))
        open_it()
        desk.show(_snapshot(**news))
        assert desk.panel().pages != aside, news


def test_closing_what_was_opened_leads_back_to_the_page_where_one_was(desk: Desk) -> None:
    desk.press(Button.DOWN)
    desk.press(Button.A)
    desk.press(Button.A)
    desk.press(Button.DOWN)
    desk.press(Button.DOWN)
    assert desk.page == 2
    desk.press(Button.A)
    assert desk.page == 1


def test_reading_the_help_leaves_a_notice_to_be_read(desk: Desk) -> None:
    desk.press(Button.A)
    desk.press(Button.A)
    desk.show(_snapshot(notices=(say("notice.resumed"),)))
    desk.press(Button.A)
    assert desk.panel().pages[0].title == say("title.notice")


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


# Corrections


WRONG = {"disputes": (_dispute("a"),), "acceptable": say("event.corrected"), "to_put_right": (say("x"), say("y"))}


def _pick(desk: Desk, key: str) -> Any:
    """Goes to an entry of the list that is open, and takes it."""
    for _ in range(20):
        page = desk.panel().pages[0]
        marked = next(e for e in page.elements if isinstance(e, Row) and e.marked)
        if marked.left.key == key:
            return desk.press(Button.A)
        desk.press(Button.DOWN)
    raise AssertionError(f"{key} isn't in the list")


def test_the_table_is_accepted_after_a_yes_that_says_what_will_count(desk: Desk) -> None:
    desk.show(_snapshot(**WRONG))
    desk.press(Button.A)
    assert _pick(desk, "menu.accept") is None
    assert desk.panel().pages == (Page(say("title.accept"), (Text(say("event.corrected")),)),)
    assert desk.press(Button.A) == Accept()


def test_what_would_be_accepted_is_asked_anew_when_the_table_changes(desk: Desk) -> None:
    desk.show(_snapshot(**WRONG))
    desk.press(Button.A)
    _pick(desk, "menu.accept")
    desk.show(_snapshot(**{**WRONG, "acceptable": say("event.other")}))
    assert desk.panel().pages[0].title == say("title.dispute")


def test_the_table_is_put_right_one_thing_after_the_other_until_it_is_or_somebody_stops(desk: Desk) -> None:
    desk.show(_snapshot(**WRONG))
    desk.press(Button.A)
    assert _pick(desk, "menu.put-right") == PutRight()
    desk.show(_snapshot(**WRONG, putting_right=True))
    first = Page(say("title.put-right", n=2), (Text(say("x")),))
    assert (desk.panel().pages[0], desk.panel().lamps) == (first, {Lamp.RED, Lamp.AMBER})
    desk.show(_snapshot(to_put_right=(say("y"),), putting_right=True))
    assert (desk.panel().pages[0].title, desk.panel().lamps) == (say("title.put-right", n=1), {Lamp.AMBER})
    assert desk.press(Button.A) == PutRight(False)
    desk.show(_snapshot())
    assert desk.panel().pages == (PAGE,)


def test_a_piece_is_named_by_its_place_and_then_by_what_it_is(desk: Desk) -> None:
    desk.press(Button.A)
    assert _pick(desk, "menu.name") == AskNameable()
    found = Nameable({"nest": ("red-2", "red-3"), "open": ("blue-2",)}, ("token-1",))
    desk.show(_snapshot(nameable=found))
    rows = [e.left for e in desk.panel().pages[0].elements if isinstance(e, Row)]
    assert rows == [say("named.at", zone="nest"), say("named.at", zone="open"), say("named.gone", piece="token-1")]
    assert desk.press(Button.A) is None
    assert desk.panel().pages[0].title == say("named.at", zone="nest")
    desk.press(Button.DOWN)
    assert desk.press(Button.A) == Name("red-3", "nest")
    assert desk.panel().pages == (PAGE,)


def test_naming_leads_back_from_the_pieces_to_the_places_and_out(desk: Desk) -> None:
    desk.press(Button.A)
    _pick(desk, "menu.name")
    desk.show(_snapshot(nameable=Nameable({"nest": ("red-2",)}, ("token-1",))))
    desk.press(Button.A)
    desk.press(Button.B)
    assert desk.panel().pages[0].title == say("title.name")
    desk.press(Button.DOWN)
    assert desk.press(Button.A) == Name("token-1", None)


def test_with_nothing_to_name_that_is_said_and_leads_out(desk: Desk) -> None:
    desk.press(Button.A)
    _pick(desk, "menu.name")
    desk.show(_snapshot(nameable=Nameable()))
    assert desk.panel().pages[0].elements == (Text(say("notice.nothing-to-name")),)
    assert Button.A not in dict(desk.panel().buttons)
    desk.press(Button.B)
    assert desk.panel().pages == (PAGE,)


def test_a_button_that_is_held_goes_on_by_a_screen_of_a_list(desk: Desk) -> None:
    many = Question(verbatim("who?"), tuple(Choice(verbatim(str(n))) for n in range(9)))
    desk.show(_snapshot(question=many))
    for button, answer in ((Button.DOWN, 3), (Button.DOWN, 6), (Button.UP, 3)):
        desk.press(button)
        desk.hold(button)
        marked = [e.left for e in desk.panel().pages[0].elements if isinstance(e, Row) and e.marked]
        assert marked == [verbatim(str(answer))]
    desk.hold(Button.A)
    assert desk.press(Button.A) == Answer(3, many)


def test_two_buttons_together_pause_the_game_and_let_it_go_on(desk: Desk) -> None:
    desk.press_both()
    assert desk.paused
    assert desk.panel().pages[0].title == say("title.pause")
    desk.press_both()
    assert not desk.paused
    nothing = Desk({})
    nothing.show(Snapshot(1, "tiny"))
    nothing.press_both()
    assert not nothing.paused, "there is no game to pause"


CARDS = Question(verbatim("which card?"), (Choice(verbatim("2")), Choice(verbatim("3"))))
PARTS = Question(verbatim("what?"), (Choice(verbatim("pass")), Choice(verbatim("lay"), then=CARDS)))


def test_an_answer_in_parts_is_given_one_part_after_the_other(desk: Desk) -> None:
    desk.show(_snapshot(question=PARTS))
    desk.press(Button.DOWN)
    assert desk.press(Button.A) is None
    assert desk.panel().pages[0].title == verbatim("which card?")
    assert dict(desk.panel().buttons)[Button.B] == say("button.back")
    desk.press(Button.DOWN)
    assert desk.press(Button.A) == Answer(1, PARTS, (1,))


def test_back_leads_to_the_part_before_with_what_was_taken_there_marked(desk: Desk) -> None:
    desk.show(_snapshot(question=PARTS))
    desk.press(Button.DOWN)
    desk.press(Button.A)
    assert desk.press(Button.B) is None
    rows = [row for row in desk.panel().pages[0].elements if isinstance(row, Row)]
    assert [(row.left, row.marked) for row in rows] == [(verbatim("pass"), False), (verbatim("lay"), True)]
    assert dict(desk.panel().buttons)[Button.B] == say("button.menu")


def test_a_new_question_begins_with_its_first_part(desk: Desk) -> None:
    desk.show(_snapshot(question=PARTS))
    desk.press(Button.DOWN)
    desk.press(Button.A)
    desk.show(_snapshot(question=replace(PARTS, message=verbatim("and now?"))))
    assert desk.panel().pages[0].title == verbatim("and now?")


def test_the_way_to_an_answer_in_parts_is_found(desk: Desk) -> None:
    desk.show(_snapshot(question=PARTS))
    desk.press(Button.DOWN)
    desk.press(Button.A)
    command = None
    presses = []
    while command is None:
        button = desk.towards((0,))
        assert button is not None
        presses.append(button)
        command = desk.press(button)
    assert (presses, command) == ([Button.B, Button.DOWN, Button.A], Answer(0, PARTS))


def test_a_first_answer_with_further_parts_has_no_button_of_its_own(desk: Desk) -> None:
    parts = Question(verbatim("what?"), (Choice(verbatim("lay"), then=CARDS),), direct=True)
    desk.show(_snapshot(question=parts))
    assert desk.panel().pages[0].title == verbatim("what?"), "it opens as a list"
