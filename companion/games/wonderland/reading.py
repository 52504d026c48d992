"""What a difference on the table means: the next legal move, or what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import permutations

from companion.core.box import PieceId
from companion.core.game import Dispute, Refusal, Step
from companion.core.table import Difference, Observation
from companion.games.wonderland.box import KEY
from companion.games.wonderland.disputes import disputes
from companion.games.wonderland.look import Look, is_key, left_keys, name_of, ways_of_drawing
from companion.games.wonderland.moves import Cover, Move, NoSkill, Refill, Skill, Stop, Take, Unlock
from companion.games.wonderland.rules import apply
from companion.games.wonderland.state import State
from companion.games.wonderland.zones import MIDDLE, PILE, covered, deck_of, keys_of, notebook, tunnel

HEAD_START_S = 1.5
"""Of two Keys or cards the one that came so much earlier was first."""

Reading = Move | tuple[Dispute, ...]


def interpret(state: State, difference: Difference, seen: Observation) -> Reading:
    """The next legal move that explains a part of the difference, or all its disputes."""
    if state.phase == "over":
        return ()
    look = Look(state, difference, seen)
    moves = (reader(look) for reader in _READERS[state.phase])
    legal = (move for move in moves if move and not isinstance(apply(state, move), Refusal))
    return next(legal, None) or tuple(disputes(look))


def _stopped(look: Look) -> Move | None:
    """Cards of the Tunnel lie in the Notebook, and none is seen in the Tunnel any more but those of the Hatter."""
    state, places = look.state, (tunnel(look.turn), covered(look.turn))
    due, came = Counter(state.tunnel), Counter(map(name_of, look.cards_in(notebook(look.turn))))
    here = Counter(name_of(s.piece) for s in look.seen.sightings if s.zone in places and not s.hidden)
    del here[KEY]
    only_hatters = due <= came and here <= Counter(state.hatter[state.turn])
    return Stop(look.turn) if due & came and (not here or only_hatters) else None


def _unlocked(look: Look) -> Move | None:
    """A Key lies beside a deck."""
    left = (None, *left_keys(look.state, look.seen))
    decks = {piece: deck_of(zone) for piece, zone in look.extra.items() if is_key(piece)}
    first = _first(look, [piece for piece, deck in decks.items() if deck not in left])
    return Unlock(decks[first] or 0, look.turn) if first else None


def _covered(look: Look) -> Move | None:
    """A card from the Notebook lies on a deck."""
    decks = {piece: deck_of(zone) for piece, zone in look.extra.items() if not is_key(piece)}
    laid = [piece for piece, deck in decks.items() if deck is not None]
    first = _first(look, [piece for piece in laid if look.lacks(piece, notebook(look.turn))])
    return Cover(decks[first] or 0, name_of(first), look.turn) if first else None


def _taken(look: Look) -> Move | None:
    """Both neighbours' cards lie in the Tunnel, or have been swept to the discards where they make it collapse."""
    beside = look.state.neighbours(look.state.deck or 0)
    cards, swept = look.came(), look.cards_in(PILE)
    if len(cards) > len(beside):
        return None
    for found in permutations([*cards, *swept], len(beside)):
        pairs = list(zip(found, beside, strict=True))
        if set(cards) <= set(found) and all(look.came_from(piece, deck) for piece, deck in pairs):
            move = Take({str(deck): name_of(piece) for piece, deck in pairs}, look.turn)
            if len(cards) == len(beside) or _collapses(look.state, move):
                return move
    return None


def _collapses(state: State, move: Take) -> bool:
    step = apply(state, move)
    return isinstance(step, Step) and any(event.name == "collapse" for event in step.events)


def _alice(look: Look) -> Move | None:
    """A Key has come from the middle to the player."""
    took = any(is_key(p) and zone == keys_of(look.turn) and look.lacks(p, MIDDLE) for p, zone in look.extra.items())
    return Skill("Alice", by=look.turn) if took else None


def _drew(look: Look) -> Move | None:
    """A card was turned up on its deck or brought into the Tunnel, and there is only one way in which it can be."""
    ways = list(ways_of_drawing(look))
    return ways[0] if len(ways) == 1 else None


def _queen(look: Look) -> Move | None:
    """A Queen lies in her place."""
    queen = any(name_of(piece) == "Queen" for piece in look.cards_in(covered(look.turn)))
    other = next((Counter(look.state.gained) - Counter(["Queen"])).elements(), "")
    return Skill("Queen", covers=other, by=look.turn) if queen else None


def _no_skill(look: Look) -> Move | None:
    """Where no skill can be used, going on or stopping says so."""
    on_decks = [piece for piece, zone in look.extra.items() if deck_of(zone) is not None]
    goes_on = any(is_key(piece) or look.lacks(piece, notebook(look.turn)) for piece in on_decks)
    stops = any(look.owes(piece) for piece in look.cards_in(notebook(look.turn)))
    return NoSkill(look.turn) if goes_on or stops else None


def _refilled(look: Look) -> Move | None:
    """As many cards as are due have come to the Notebook from the discards."""
    cards = look.cards_in(notebook(look.turn))
    due = len(cards) == look.state.missing
    return Refill(tuple(sorted(map(name_of, cards))), look.turn) if due else None


def _first(look: Look, pieces: Iterable[PieceId]) -> PieceId | None:
    """The only one of them, or the one that came plainly before the others."""
    order = look.in_order(iter(pieces))
    if len(order) > 1 and look.between_s(order[0], order[1]) < HEAD_START_S:
        return None
    return order[0] if order else None


_READERS: Mapping[str, tuple[Callable[[Look], Move | None], ...]] = {
    "explore": (_unlocked, _covered),
    "take": (_taken,),
    "skill": (_alice, _drew, _queen, _no_skill),
    "decide": (_stopped, _unlocked, _covered),
    "refill": (_refilled,),
}
