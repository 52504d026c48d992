"""What the screen shows of Schatz des Phönix, and what it asks."""

from __future__ import annotations

from companion.core.game import Choice, Question
from companion.core.messages import Message, say, verbatim
from companion.core.panel import Element, Page, Row, Text
from companion.core.table import Difference, Observation
from companion.games.phoenix.box import LARGE_VALUE, NESTS, START_TOKEN
from companion.games.phoenix.preparing import token_state
from companion.games.phoenix.reading import token_counts
from companion.games.phoenix.state import PER_SIDE, State
from companion.games.phoenix.zones import at_sides

RULES = {"play": "playing-a-card", "treasure": "treasure", "between": "new-round", "over": "end"}


def help_now(state: State) -> Message:
    """The rule that applies now, in our own words."""
    return say(f"help.{RULES[state.phase]}", turn=_name(state, state.turn))


def pages(state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
    """First what is to be done now, then the scores, then the nests."""
    if state.phase == "over":
        return (_over(state),)
    if state.phase == "between":
        return (*_between(state, difference, seen), _scores(state))
    if state.phase == "treasure":
        return (_treasure(state), _scores(state), _tokens(state))
    return (_play(state), _scores(state), _tokens(state), _cards(state))


def question(state: State, difference: Difference) -> Question | None:
    """Which token was taken, if the camera can't tell: asked only when somebody wants to tell it."""
    picking = state.picking
    if state.phase != "treasure" or not picking or not picking[1]:
        return None
    nest, order = picking
    taken = [p for p, zone in difference.missing.items() if zone == NESTS[nest]]
    by = state.seats[order[0]].name
    values = [(value, False) for value in sorted(set(state.tokens[nest]), reverse=True)]
    if state.large_there and NESTS[nest] == "big":
        values.insert(0, (LARGE_VALUE, True))
    choices = tuple(
        Choice(
            say("choice.large" if large else "choice.token", value=value),
            move={"do": "pick", "nest": NESTS[nest], "token": value, "large": large, "by": by},
        )
        for value, large in values
    )
    return Question(say("question.which-token", by=by, nest=NESTS[nest]), choices, urgent=len(taken) > 1)


def _play(state: State) -> Page:
    turn = state.seats[state.turn]
    title = say("page.play.title", round=state.round)
    if state.to_draw is not None:
        title = say("page.play.draw", by=_name(state, state.to_draw))
    lines = (Text(say("name.player", by=turn.name), big=True), Text(say("page.play.lay", side=turn.guild)))
    return Page(title, lines)


def _treasure(state: State) -> Page:
    nest, order = state.picking or (0, ())
    rows = tuple(
        Row(
            say("name.player", by=_name(state, seat)),
            verbatim(str(state.combo(nest, seat))),
            seat == order[0],
        )
        for seat in order
    )
    picks = Row(say("page.treasure.picks", by=_name(state, order[0])), _sum(state.values_in(nest)))
    return Page(say("page.treasure.title", nest=NESTS[nest]), (picks, *rows))


def _between(state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
    title = say("page.between.title", round=state.round + 1)
    first: list[Element] = []
    if START_TOKEN in difference.moved or START_TOKEN in difference.missing:
        first.append(Text(say("page.between.holder", by=_name(state, state.holder))))
    if at_sides(seen):
        first.append(Text(say("page.between.clear")))
    counts = token_counts(seen, len(state.seats))
    rows = tuple(Row(say("name.nest", nest=nest), token_state(*counts[nest])) for nest in NESTS)
    return (*((Page(title, tuple(first)),) if first else ()), Page(title, rows))


def _over(state: State) -> Page:
    winners = [_name(state, seat) for seat in state.winners]
    best = max(state.scores)
    said = say("page.over.wins" if len(winners) == 1 else "page.over.share", winners=winners, score=best)
    return Page(say("page.over.title"), (Text(said, big=len(winners) == 1), *_ranking(state)))


def _scores(state: State) -> Page:
    return Page(say("page.scores.title"), _ranking(state))


def _ranking(state: State) -> tuple[Row, ...]:
    order = sorted(range(len(state.seats)), key=lambda seat: -state.scores[seat])
    best = max(state.scores)
    return tuple(
        Row(
            say("name.player", by=_name(state, seat)),
            verbatim(str(state.scores[seat])),
            0 < best == state.scores[seat],
        )
        for seat in order
    )


def _tokens(state: State) -> Page:
    rows = (Row(say("name.nest", nest=nest), _sum(state.values_in(index))) for index, nest in enumerate(NESTS))
    return Page(say("page.tokens.title", round=state.round), tuple(rows))


def _cards(state: State) -> Page:
    rows = []
    for nest, row in zip(NESTS, state.nests, strict=True):
        lying = sum(len(cards) for cards in row)
        rows.append(Row(say("name.nest", nest=nest), say("page.cards.of", n=lying, all=PER_SIDE * len(row))))
    return Page(say("page.cards.title"), tuple(rows))


def _sum(values: tuple[int, ...]) -> Message:
    return verbatim("+".join(str(value) for value in values) or "-")


def _name(state: State, seat: int) -> str:
    return state.seats[seat].name
