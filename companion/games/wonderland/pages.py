"""What the screen shows of Wonderland XIII. It is in everybody's sight, so it never names a face-down card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from companion.core.messages import Message, say, verbatim
from companion.core.panel import Art, Element, Page, Row, Text
from companion.core.table import Difference, Observation
from companion.games.wonderland import skills
from companion.games.wonderland.collapse import CROWD, chances, rabbit_chance
from companion.games.wonderland.drawings import hall
from companion.games.wonderland.look import Look, hidden_in_notebooks, left_cards, left_keys
from companion.games.wonderland.spirits import BUNDLE, BUNDLE_POINTS, CHARACTERS, SET_POINTS
from companion.games.wonderland.state import State, Turned
from companion.games.wonderland.zones import before, keys_of, without

TOPS = 3
"""So many lines stand beside the drawing of the Hall."""


def pages(state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
    """First what has to be tidied up, one thing at a time; then what to do, the Tunnel, the Hall, scores, the risk."""
    if state.phase == "over":
        return (_over(state), _worth(state))
    tidy = next(_tidy(state, difference, seen), None)
    return (
        *((tidy,) if tidy else ()),
        _now(state, difference, seen),
        *_skills(state),
        *_tunnel(state),
        _hall(state),
        _decks(state),
        _scores(state),
        _worth(state),
        *_risk(state),
    )


def _name(state: State, seat: int | None = None) -> Message:
    return say("name.player", by=state.players[state.turn if seat is None else seat])


def _tidy(state: State, difference: Difference, seen: Observation) -> Iterator[Page]:
    """What lies otherwise than it should, though it is no mistake; nothing before the table was seen."""
    if not seen.at_s:
        return
    home, away = left_cards(state, seen)
    owner = say("name.player", by=before(state))
    if away:
        yield Page(owner, (Text(say("page.to-discards", cards=list(away), n=len(away))),))
    if home:
        yield Page(owner, (Text(say("page.to-notebook", cards=list(home), n=len(home))),))
    turned = state.turned
    if turned and turned.target and Look(state, difference, seen).turned():
        stays = turned.card in state.hatter[state.players.index(turned.target)]
        yield Page(_name(state), (Text(_hatters(turned, stays)),))
    for card in state.covered:
        if difference and Look(state, difference, seen).waits_for_queen(card):
            yield Page(_name(state), (Text(say("page.use.Queen", other=card)),))
    if decks := left_keys(state, seen):
        yield Page(owner, (Text(say("page.keys-back", decks=list(decks))),))
    for name, number in hidden_in_notebooks(state, seen).items():
        if state.phase in ("explore", "decide") and not difference:
            yield Page(say("name.player", by=name), (Text(say("page.spread", n=number)),))


def _hatters(turned: Turned, stays: bool) -> Message:
    """Where a card of the Hatter goes that still lies open on its deck."""
    if stays:
        return say("page.hatter-down", deck=turned.deck, target=turned.target)
    return say("page.hatter-away", deck=turned.deck)


def _now(state: State, difference: Difference, seen: Observation) -> Page:
    """Whose turn it is, and what comes next."""
    if state.phase == "explore" and state.deck is None:
        todo = _keys(state, seen) if state.can_explore else (Text(say("page.stuck")),)
        return Page(say("page.turn"), (Text(_name(state), big=True), *todo))
    if state.phase == "explore":
        return Page(_name(state), (Text(say("page.cover", deck=state.deck)),))
    if state.phase == "take":
        return Page(_name(state), (Text(_taking(state, difference, seen)),))
    if state.phase == "skill":
        rows = [Row(say("name.spirit", card=card), say(f"page.act.{card}")) for card in skills.possible(state)]
        told: tuple[Element, ...] = (Text(say("page.skill")), *rows) if rows else (Text(say("page.no-skill")),)
        return Page(_name(state), told)
    if state.phase == "refill":
        return Page(_name(state), (Text(say("page.refill", n=state.missing)),))
    return Page(_name(state), (Text(say("page.decide" if state.can_explore else "page.stuck")),))


def _skills(state: State) -> tuple[Page, ...]:
    """How each skill that can be used is used."""
    able = skills.possible(state) if state.phase == "skill" else ()
    texts = {card: say(f"page.use.{card}", other=_other(state, card)) for card in able}
    return tuple(Page(say("name.spirit", card=card), (Text(text),)) for card, text in texts.items())


def _keys(state: State, seen: Observation) -> tuple[Row, ...]:
    """With how many Keys the player can unlock decks; before he has taken them, that he takes them."""
    here = sum(sighting.zone == keys_of(state.players[state.turn]) for sighting in seen.sightings)
    lay = Row(say("page.unlock"), verbatim(str(state.keys)))
    return (Row(say("page.take-keys"), verbatim(str(state.keys))), lay) if seen.at_s and here < state.keys else (lay,)


def _taking(state: State, difference: Difference, seen: Observation) -> Message:
    beside = state.neighbours(state.deck or 0)
    came = Look(state, difference, seen).came()
    return say("page.take-other" if len(came) == 1 else "page.take", beside=list(beside))


def _other(state: State, card: str) -> str:
    """The other card of this Explore."""
    return next((Counter(state.gained) - Counter([card])).elements(), "")


def _tunnel(state: State) -> tuple[Page, ...]:
    """How near the Tunnel is to its collapse, by character; what the Hatter has put there is only counted."""
    dark = len(state.hatter[state.turn])
    cards = Counter(without(state.tunnel, state.covered))
    if not cards and not dark:
        return ()
    rows = [(one, cards[one] + cards[BUNDLE]) for one in CHARACTERS if cards[one] + cards[BUNDLE]]
    rows.sort(key=lambda row: -row[1])
    lines = [Row(say("name.spirit", card=one), say("page.of", n=n, most=CROWD), n == CROWD - 1) for one, n in rows]
    if cards[BUNDLE]:
        lines.append(Row(say("page.with-bundles"), verbatim(str(cards[BUNDLE]))))
    if state.covered:
        lines.append(Row(say("page.covered"), say("name.spirits", cards=list(state.covered))))
    if dark:
        lines.append(Row(say("page.dark"), verbatim(str(dark))))
    return (Page(say("page.tunnel", n=len(state.tunnel)), tuple(lines)),)


def _hall(state: State) -> Page:
    """The ring as a drawing, beside it what lies open."""
    tops = [say("page.top", deck=number + 1, card=deck.top) for number, deck in enumerate(state.decks) if deck.top]
    beside = tuple(tops[:TOPS]) or (say("page.all-closed"),)
    return Page(say("page.hall"), (Art((hall(state.decks, state.unlocked),), beside),))


def _decks(state: State) -> Page:
    rows = (
        Row(
            say("page.deck", deck=number, n=deck.size),
            say("name.spirit", card=deck.top) if deck.top else verbatim("" if deck.size else "-"),
            number in state.unlocked,
        )
        for number, deck in enumerate(state.decks)
    )
    keys = Row(say("page.keys-middle"), verbatim(str(state.keys_middle)))
    return Page(say("page.decks"), (*rows, keys))


def _scores(state: State) -> Page:
    return Page(say("page.scores"), _ranking(state))


def _ranking(state: State) -> tuple[Row, ...]:
    scores = state.scores
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    best = max(scores)
    return tuple(Row(_name(state, seat), verbatim(str(scores[seat])), 0 < best == scores[seat]) for seat in order)


def _worth(state: State) -> Page:
    """What each Notebook is made of: points of its sets, of its Bundles, and of what is left."""
    rows = []
    for seat, cards in enumerate(state.notebooks):
        held = Counter(cards)
        sets, bundles = min(held[one] for one in CHARACTERS) * SET_POINTS, held[BUNDLE] * BUNDLE_POINTS
        rest = state.scores[seat] - sets - bundles
        rows.append(Row(_name(state, seat), verbatim(f"{sets}+{bundles}+{rest}")))
    return Page(say("page.worth"), tuple(rows))


def _risk(state: State) -> Iterator[Page]:
    """How likely the next check is to find a collapse: a hint for those who page so far."""
    rows = [Row(say("name.deck", deck=deck), _percent(chance)) for deck, chance in chances(state).items()]
    if state.phase == "skill" and "Rabbit" in skills.possible(state):
        rows.append(Row(say("name.spirit", card="Rabbit"), _percent(rabbit_chance(state))))
    if rows:
        yield Page(say("page.risk"), tuple(rows))


def _percent(chance: Fraction) -> Message:
    return say("page.percent", n=round(100 * chance))


def _over(state: State) -> Page:
    winners = [state.players[seat] for seat in state.winners]
    key = "page.over.wins" if len(winners) == 1 else "page.over.share"
    said = say(key, winners=winners, score=max(state.scores))
    return Page(say("page.over.title"), (Text(said, big=len(winners) == 1), *_ranking(state)))
