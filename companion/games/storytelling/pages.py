"""What the screens show of Storytelling, and what they ask."""

from __future__ import annotations

from companion.core.game import Choice, Question
from companion.core.messages import Message, say, told, verbatim
from companion.core.panel import Art, Element, Page, Row, Sketch, Text
from companion.core.table import Difference, Observation
from companion.games.storytelling.drawings import clock, track
from companion.games.storytelling.grid import name_of
from companion.games.storytelling.reading import displaced, empty_cells, still_up, tiles_up
from companion.games.storytelling.state import BLOW, SHUFFLE_BACK, TURN_DOWN, State
from companion.games.storytelling.tales import BLEW

FOUND, NEXT = "✓", "→"


def help_now(state: State) -> Message:
    """The rule that applies now, in our own words."""
    phase = state.phase
    rule = {"card": "cards", "flip": "flipping", "retire": "retiring", "over": f"end-{state.mode}"}.get(phase, "")
    return say(f"help.{rule or state.tidy}", turn=state.players[state.active], blew=state.story.label(BLEW))


def pages(state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
    """First what is to be done now; then the drawings, and how it stands."""
    phase, board = state.phase, _board(state)
    if phase == "over":
        struck = state.mode == "midnight" and state.clock >= state.clock_positions
        return (*board, *_over(state)) if struck else (*_over(state), *board)
    if phase == "card":
        first = board if any(page.warns for page in board) else ()
        return (*first, *_before_card(state, seen), _scores(state), *(() if first else board))
    if phase == "flip":
        text, pictures = (_text(state),), (_pictures(state), _names(state))
        return (*(pictures + text if state.up else text + pictures), _scores(state), *board)
    if phase == "tidy":
        return (_tidy(state, difference, seen), *board, _names(state), _scores(state))
    return (_retiring(state), *board, _scores(state))


def aside(state: State) -> tuple[Page, ...]:
    """For the active player: the pictures to be found, as small drawings."""
    phase = state.phase
    if phase == "over":
        return _over(state)[:1]
    if phase == "tidy":
        how = "page.turn-down" if state.tidy == TURN_DOWN else f"help.{state.tidy}"
        words = say(how, n=0, cells=[], blew=state.story.label(BLEW))
        return (Page(say(f"page.{state.outcome}"), (Text(words),)),)
    if phase == "card":
        return (Page(_turn(state), (Text(say("page.card.wait")),)),)
    if phase == "retire":
        return (Page(_turn(state), (Text(say("question.retire", by=state.players[state.active])),)),)
    pictures = _pictures(state)
    return (Page(verbatim(""), pictures.elements),)


def question(state: State, seen: Observation) -> Question | None:
    """The next card, whether somebody retires, and how the tiles went back where the camera missed it."""
    phase, by = state.phase, state.players[state.active]
    if phase == "card" and not tiles_up(seen) and not empty_cells(seen):
        number = state.unread[0]
        choice = Choice(say("choice.next-card"), move={"do": "card", "number": number})
        return Question(say("question.next-card", card=number), (choice,), urgent=False, direct=True)
    if phase == "retire":
        moves = ({"do": "retire", "by": by, "yes": yes} for yes in (False, True))
        labels = (say("choice.stays"), say("choice.retires"))
        return Question(
            say("question.retire", by=by), tuple(Choice(lab, move=m) for lab, m in zip(labels, moves, strict=True))
        )
    if phase != "tidy":
        return None
    if state.tidy == BLOW:
        if seen.zone_of(state.story.piece(BLEW)):
            return None  # the camera sees where it is
        ways = tuple(
            Choice(say("choice.way", way=way), move={"do": "blow", "to": list(to)}) for way, to, _ in state.blows()
        )
        return Question(say("question.blow", blew=state.story.label(BLEW)), ways, urgent=False)
    nowhere = not any(seen.zone_of(state.story.piece(tile)) for _, tile in state.up)
    choice = Choice(say("choice.tiles-down"), move={"do": state.tidy})
    return Question(say("question.tiles-down"), (choice,), urgent=False, direct=nowhere and bool(seen.at_s))


def _turn(state: State) -> Message:
    return say("page.turn", turn=state.players[state.active])


def _before_card(state: State, seen: Observation) -> tuple[Page, ...]:
    """Who is next, and what has to be put right before."""
    todo: list[Element] = []
    if up := tiles_up(seen):
        todo.append(Text(say("page.turn-down", cells=[name_of(cell) for cell in up], n=len(up))))
    if empty := empty_cells(seen):
        todo.append(Text(say("page.empty", cells=list(empty), n=len(empty))))
    todo += _figures(state, seen)
    title = state.story.title
    name = Text(say("name.player", by=state.players[state.active]), big=True)
    left = Row(say("page.next", card=state.unread[0]), say("page.cards-left-short", n=len(state.unread)))
    who = Page(title, (name, left, *_reader(state)))
    return (Page(title, tuple(todo)), who) if todo else (who,)


def _reader(state: State) -> tuple[Element, ...]:
    if not state.storyteller:
        return ()
    return (Text(say("page.reads", by=state.storyteller)),)


def _figures(state: State, seen: Observation) -> list[Element]:
    """Where figures belong that don't stand there; nothing before the table was seen."""
    if not seen.at_s:
        return []
    return [
        Row(say("name.piece", piece=piece), say("name.zone", zone=zone))
        for piece, zone in displaced(state, seen).items()
    ]


def _text(state: State) -> Page:
    card = state.shown
    assert card is not None
    # Without a title there is room for a line more on every screen.
    head = Row(say("page.next", card=card.number), say("page.cards-left-short", n=len(state.unread)))
    return Page(verbatim(""), (head, Text(told(card.text) if card.text else say("page.card.untold"), reading=True)))


def _pictures(state: State) -> Page:
    card = state.shown
    assert card is not None
    tiles = [state.story.tile(name) for name in card.pictures]
    sketches = tuple(
        Sketch(tile.picture, mark="done" if i < state.found else "next" if i == state.found else "")
        for i, tile in enumerate(tiles)
        if tile
    )
    if not all(sketch.picture for sketch in sketches):
        return Page(_turn(state), _names(state).elements)
    return Page(_turn(state), (Art(sketches),))


def _names(state: State) -> Page:
    card = state.shown
    assert card is not None
    rows = tuple(
        Row(
            say("page.picture", number=i + 1, tile=state.story.label(name)),
            verbatim(FOUND if i < state.found else NEXT if i == state.found and state.phase == "flip" else ""),
            i == state.found and state.phase == "flip",
        )
        for i, name in enumerate(card.pictures)
    )
    return Page(say("page.pictures", n=len(rows)), rows)


def _tidy(state: State, difference: Difference, seen: Observation) -> Page:
    """How the turn went, and how the tiles go back."""
    title = say(f"page.{state.outcome}")
    left = list(still_up(state, difference))
    if state.tidy == SHUFFLE_BACK:
        empty = list(empty_cells(seen))
        todo = (
            say("page.shuffle-put", cells=empty) if empty and not left else say("page.shuffle", cells=left, n=len(left))
        )
    elif state.tidy == BLOW:
        others = [name_of(cell) for cell, tile in state.up if tile != BLEW and name_of(cell) in left]
        todo = (
            say("page.turn-down", cells=others, n=len(others))
            if others
            else say("page.blow", blew=state.story.label(BLEW))
        )
    else:
        todo = say("page.turn-down", cells=left, n=len(left))
    return Page(title, (Text(todo), *_figures(state, seen)))


def _retiring(state: State) -> Page:
    return Page(_turn(state), (Text(say("page.holds", n=state.points(state.active))),))


def _board(state: State) -> tuple[Page, ...]:
    """The drawn clock, or the drawn track."""
    if state.mode == "midnight":
        left = state.clock_positions - state.clock
        lines = (say("page.clock.strokes", n=state.clock), say("page.clock.left", n=left))
        if state.phase == "over" and left <= 0:
            lines = (
                say("page.clock.winner", winners=[state.players[player] for player in state.winners] or None),
                _wins(state),
            )
        title = say("page.clock.last" if left == 1 else "page.clock.midnight" if left <= 0 else "page.clock.title")
        return (Page(title, (Art((clock(state.clock, state.clock_positions),), lines),), warns=left == 1),)
    if state.mode == "race":
        title = say("page.track.title", hare=min(state.hare, state.finish), tortoise=min(state.tortoise, state.finish))
        return (Page(title, (Art((track(state.hare, state.tortoise, state.finish),)),)),)
    return ()


def _wins(state: State) -> Message:
    """What has been won at midnight, short enough to stand beside the clock."""
    return say("page.clock.won", n=state.points(state.winners[0])) if state.winners else verbatim("")


def _scores(state: State) -> Page:
    if state.mode == "race":
        return Page(
            say("page.scores.title"), (Row(say("page.completed"), verbatim(str(state.completed))), _left(state))
        )
    return Page(say("page.scores.title"), (*_ranking(state), _left(state)))


def _left(state: State) -> Row:
    return Row(say("page.left"), verbatim(str(len(state.unread))))


def _ranking(state: State) -> tuple[Row, ...]:
    order = sorted(range(len(state.players)), key=lambda p: (-state.points(p), -len(state.won[p])))
    best = max((state.points(p), len(state.won[p])) for p in order)
    return tuple(
        Row(
            say("page.retired" if player in state.retired else "name.player", by=state.players[player]),
            say("page.points", n=state.points(player), cards=len(state.won[player])),
            (state.points(player), len(state.won[player])) == best and best > (0, 0),
        )
        for player in order
    )


def _over(state: State) -> tuple[Page, ...]:
    names = [state.players[player] for player in state.winners]
    if state.mode == "race":
        return (
            Page(
                say("page.over.title"), (Text(say("page.over.race-won" if names else "page.over.race-lost"), big=True),)
            ),
        )
    if not names:
        return (Page(say("page.over.title"), (Text(say("page.over.nobody")), *_ranking(state))),)
    best = state.winners[0]
    points = state.points(best)
    tied = sum(state.points(p) == points for p in range(len(state.players))) > len(names)
    key = "share" if len(names) > 1 else "by-cards" if tied else "wins"
    said = say(f"page.over.{key}", winners=names, n=points, cards=len(state.won[best]))
    return (Page(say("page.over.title"), (Text(said, big=key == "wins"), *_ranking(state))),)
