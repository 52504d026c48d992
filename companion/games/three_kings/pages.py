"""What the screen shows of 3 Kings. It is in everybody's sight, so it never names a card that lies face down."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.messages import Message, say, verbatim
from companion.core.panel import Art, Element, Page, Row, Text
from companion.core.table import Difference, Observation
from companion.games.three_kings import cards, marks
from companion.games.three_kings.asking import step_now
from companion.games.three_kings.cards import EYE, FACTIONS
from companion.games.three_kings.disputes import actions_left, tidy, to_discards
from companion.games.three_kings.drawings import court
from companion.games.three_kings.fights import explained
from companion.games.three_kings.look import Look
from companion.games.three_kings.state import EYE_WINS_AT, HAND, THRONES, State

EYE_NEAR = 3
"""With so many points less than it needs the Eye of the Lodge is a danger."""


def pages(state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
    """First what has to go elsewhere; then the last fight, what to do now, and how it stands."""
    look = Look(state, difference, seen)
    if state.phase == "over":
        return (_over(state), _points(state))
    fight = tuple(explained(state.fought)) if state.fought else ()
    fallen = any(place == "infirmary" for _, place in state.left)
    return (
        *_tidy(look),
        *fight[:1],
        *((_counted(state),) if fallen else ()),
        _now(look),
        *fight[1:],
        *_marks(state),
        _points(state),
        _court(state),
        _hands(state),
        _piles(state),
    )


def _name(state: State, seat: int) -> Message:
    return say("name.player", by=state.seats[seat].name)


def _title(state: State, what: str) -> Message:
    return say("page.title", turn=state.turn, what=say(f"page.{what}.title", round=state.round))


def _tidy(look: Look) -> tuple[Page, ...]:
    """Where things have to go, though nothing is wrong; nothing before the table was seen."""
    if not look.seen.at_s:
        return ()
    rows: list[Element] = [Row(say("name.piece", card=p), say("name.place", zone=zone)) for p, zone in tidy(look)]
    # Before the next Throne is awarded, or anybody moves, the strongest card takes its Throne, and the rest goes away.
    fallen = any(place == "infirmary" for _, place in look.state.left)
    if (away := to_discards(look)) and not fallen:
        rows.append(Text(say("page.tidy.discards", n=len(away))))
    if away := actions_left(look):
        rows.append(Text(say("page.tidy.actions", n=len(away))))
    return (Page(say("page.tidy.title"), tuple(rows)),) if rows else ()


def _now(look: Look) -> Page:
    """Who has to do what."""
    state = look.state
    if state.counting:
        return _count(look)
    if state.drawn:
        return _action(state)
    return _NOW[state.phase](look)


def _count(look: Look) -> Page:
    state, shown = look.state, len(look.revealed())
    lines: list[Element] = [Text(say("page.count.todo", n=state.infirmary, first=state.seats[state.first].name))]
    if state.infirmary:
        lines.append(Row(say("page.revealed"), verbatim(f"{shown}/{state.infirmary}")))
    return Page(say("page.count.title"), tuple(lines))


def _action(state: State) -> Page:
    """The Action card that comes next, to be read aloud."""
    assert state.head is not None
    by, step = _name(state, state.waiting[0]), step_now(state)
    todo = say("page.action-card.choose" if step is None else "page.action-card.step")
    mark = say(f"page.action-card.{state.head.mark.lower()}")
    rank = Row(by, say("page.action-card.rank", rank=state.head.rank))
    return Page(state.head.title, (rank, Text(todo), Text(state.head.words), Text(mark)))


def _recruit(look: Look) -> Page:
    state = look.state
    seat = state.waiting[0]
    lacking = HAND - state.hands[seat]
    todo = say("page.recruit.draw" if lacking > 0 else "page.recruit.discard", n=abs(lacking))
    return Page(_title(state, "recruit"), (Text(_name(state, seat), big=True), Text(todo)))


def _plan(look: Look) -> Page:
    state = look.state
    rows = (Row(_name(state, seat), verbatim(str(sum(look.filled(seat))))) for seat in state.waiting)
    return Page(_title(state, "plan"), (Text(say("page.plan.todo")), *rows))


def _reveal(look: Look) -> Page:
    state = look.state
    spaces = [seat for seat, there in enumerate(state.spaces) if there[state.round - 1]]
    if not spaces:
        return Page(_title(state, "reveal"), (Text(say("page.reveal.nobody", round=state.round)),))
    left = [seat for seat in spaces if not look.turned_up(seat, state.round)]
    rows = (Text(_name(state, seat)) for seat in left)
    return Page(_title(state, "reveal"), (Text(say("page.reveal.todo", round=state.round)), *rows))


def _act(look: Look) -> Page:
    state = look.state
    seat = state.waiting[0]
    return _deed(look, seat, state.shown[seat])


def _deed(look: Look, seat: int, card: str) -> Page:
    """What a player's Character may do."""
    kind, value = cards.known(card).kind, cards.known(card).value
    drawn = look.drawn_actions() if look.drawing() else []
    found = (Row(say("page.drawn"), verbatim(f"{len(drawn)}/{value}")),) if drawn else ()
    title = say("page.act.title", by=look.state.seats[seat].name, card=card)
    return Page(title, (*found, Text(say(f"page.do.{kind}", n=value))))


def _counsel(look: Look) -> Page:
    state = look.state
    seat, stands = state.waiting[0], look.stands()
    if stands:
        return _deed(look, seat, state.thrones[stands - 1])
    return Page(_title(state, "counsel"), (Text(_name(state, seat), big=True), Text(say("page.counsel.send"))))


def _intrigue(look: Look) -> Page:
    state = look.state
    title = say("page.intrigue.title", turn=state.turn, laid=" ".join(map(str, state.intrigue)))
    return Page(title, (Text(_name(state, state.waiting[0]), big=True), Text(say("page.intrigue.todo"))))


def _award(look: Look) -> Page:
    state, throne = look.state, look.state.awarding
    there = state.intrigue[throne - 1]
    title = say("page.award.title", turn=state.turn, throne=throne)
    if not there:
        return Page(title, (Text(say("page.award.none")),))
    todo = Text(say("page.award.todo", n=there, first=state.seats[state.first].name))
    shown = min(len(look.awarded()), there)
    return Page(title, (todo, Row(say("page.revealed"), verbatim(f"{shown}/{there}"))))


def _counted(state: State) -> Page:
    """How the Count of the Fallen has changed the points: what lay there, by kind."""
    kinds = [cards.known(card).kind for card, _ in state.left]
    rows = tuple(
        Row(say("name.kind", kind=kind), verbatim(str(kinds.count(kind)))) for kind in dict.fromkeys(sorted(kinds))
    )
    return Page(say("page.counted.title", n=len(kinds)), (*rows, Text(say("page.counted.shuffle"))))


def _marks(state: State) -> Iterator[Page]:
    """How the Marks are dealt, as long as they may still be."""
    if state.turn == 1 and state.phase in ("recruit", "plan"):
        yield Page(say("page.marks.title"), (Text(marks.instruction(len(state.seats))),))


def _points(state: State) -> Page:
    said = [say("page.points.of", faction=faction, n=vp) for faction, vp in zip(FACTIONS, state.vp, strict=True)]
    rows = (Row(said[0], said[1]), Row(said[2], said[3]))
    near = state.phase != "over" and state.vp[EYE] >= EYE_WINS_AT - EYE_NEAR
    warning = (Text(say("page.points.eye", n=EYE_WINS_AT)),) if near else ()
    return Page(say("page.points.title"), (*rows, *warning), warns=near)


def _court(state: State) -> Page:
    kinds = [cards.known(card).kind for card in state.thrones]
    there = [state.counselors.count(throne) for throne in range(1, THRONES + 1)]
    rows = tuple(
        Row(
            say("page.court.throne", throne=throne, card=card),
            say("page.court.counselors", n=number) if number else verbatim(""),
            throne in state.closed,
        )
        for throne, (card, number) in enumerate(zip(state.thrones, there, strict=True), 1)
    )
    return Page(say("page.court.title"), (Art((court(kinds, state.closed),)), *rows))


def _hands(state: State) -> Page:
    """Cards in hand, who is protected, and who begins."""
    rows = tuple(
        Row(
            say("page.hands.first" if seat == state.first else "name.player", by=player.name),
            say("page.hands.protected" if seat in state.protected else "page.hands.cards", n=state.hands[seat]),
            seat == state.active,
        )
        for seat, player in enumerate(state.seats)
    )
    return Page(say("page.hands.title"), rows)


def _piles(state: State) -> Page:
    numbers = {
        "deck": state.deck,
        "discards": state.discards,
        "infirmary": state.infirmary,
        "action_deck": state.action_deck,
    }
    rows = tuple(Row(say("name.fact", fact=fact), verbatim(str(number))) for fact, number in numbers.items())
    return Page(say("page.piles.title"), rows)


def _over(state: State) -> Page:
    names = [FACTIONS[faction] for faction in state.winners]
    key = "eye" if state.eye_reached else "wins" if len(names) == 1 else "share"
    points = max(state.vp[faction] for faction in state.winners)
    said = say(f"page.over.{key}", winners=names, n=points)
    return Page(say("page.over.title"), (Text(said, big=True), Text(say("page.over.marks"))))


_NOW = {
    "recruit": _recruit,
    "plan": _plan,
    "reveal": _reveal,
    "action": _act,
    "counsel": _counsel,
    "intrigue": _intrigue,
    "award": _award,
}
