"""Taking the table as it lies, because people say that it is right."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.core.table import Difference, ZoneId
from companion.games.wonderland.collapse import collapses
from companion.games.wonderland.look import is_key, name_of
from companion.games.wonderland.spirits import in_order
from companion.games.wonderland.state import Deck, State
from companion.games.wonderland.zones import PILE, covered, deck_top, notebook, tunnel, without

CORRECTIONS = "corrections"

Piles = dict[ZoneId, list[str]]
"""By zone, the cards that are known to lie there, topmost last."""


def accept(state: State, difference: Difference) -> Step | Refusal:
    """The state in which the rules expect the table as it lies.

    Cards count where they lie, if all of them are known to come from somewhere else. Keys don't: they say what was
    unlocked, and a Tunnel only between two Explores, since in one it says what was drawn.
    """
    if state.phase in ("over", "refill"):
        return _not("", "accept-not-now")
    came, left = list(_came(difference)), list(_left(difference))
    if any(is_key(piece) for piece, _ in (*came, *left)):
        return _not("", "accept-keys")
    piles, gone = _piles(state), [(name_of(piece), zone) for piece, zone in left]
    for piece, zone in came:
        card = name_of(piece)
        if zone not in piles:
            return _not(card, "accept-beside")
        home = next((pair for pair in gone if pair[0] == card), None)
        if home:
            gone.remove(home)
        source = home[1] if home else PILE
        if card not in piles[source]:
            return _not(card, "accept-unknown")
        if covered(state.players[state.turn]) in (source, zone) or (
            tunnel(state.players[state.turn]) in (source, zone) and state.phase != "decide"
        ):
            return _not(card, "accept-tunnel")
        piles[source].reverse()
        piles[source].remove(card)  # the topmost one
        piles[source].reverse()
        piles[zone].append(card)
    if gone:
        return _not(gone[0][0], "accept-gone")
    after = _with(state, piles)
    wrong = _impossible(state, after)
    if wrong:
        return wrong
    cards = [name_of(piece) for piece, _ in came]
    return Step(after, (Event("corrected", {"cards": cards, "turn": state.players[state.turn]}),))


def _impossible(state: State, after: State) -> Refusal | None:
    """Why the rules know no such moment, though all cards are known: it would have ended a turn or the game."""
    for before, deck in zip(state.decks, after.decks, strict=True):
        if before.size and not deck.size:
            return _not(before.top, "accept-last")
        if deck.size and not before.size:
            return _not(deck.top, "accept-empty")
    if after.phase == "explore" and after.deck is not None and not after.notebook:
        return _not(state.notebook[0], "accept-cover")
    if collapses(after.counting):
        return _not(without(after.tunnel, state.tunnel)[0], "accept-collapse")
    return None


def _came(difference: Difference) -> Iterator[tuple[str, ZoneId | None]]:
    """Pieces that lie where the rules expect none of them, and where that is."""
    yield from difference.extra.items()
    yield from ((piece, where) for piece, (_, where) in difference.moved.items())


def _left(difference: Difference) -> Iterator[tuple[str, ZoneId]]:
    """Pieces that don't lie where the rules expect them, and where that is."""
    yield from difference.missing.items()
    yield from ((piece, home) for piece, (home, _) in difference.moved.items())


def _piles(state: State) -> Piles:
    piles = {notebook(name): list(cards) for name, cards in zip(state.players, state.notebooks, strict=True)}
    piles |= {deck_top(number): list(deck.up) for number, deck in enumerate(state.decks)}
    name = state.players[state.turn]
    below = (*state.covered, *("Queen",) * len(state.covered))
    piles |= {tunnel(name): list(without(state.tunnel, below)), covered(name): list(below)}
    return piles | {PILE: list(state.discards)}


def _with(state: State, piles: Piles) -> State:
    name = state.players[state.turn]
    return replace(
        state,
        notebooks=tuple(in_order(piles[notebook(player)]) for player in state.players),
        decks=tuple(Deck(deck.down, tuple(piles[deck_top(number)])) for number, deck in enumerate(state.decks)),
        tunnel=in_order((*piles[tunnel(name)], *piles[covered(name)])),
        discards=in_order(piles[PILE]),
    )


def _not(card: str, wording: str) -> Refusal:
    return Refusal("not-allowed", CORRECTIONS, {"card": card}, wording)
