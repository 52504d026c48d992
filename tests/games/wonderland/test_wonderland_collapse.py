"""When a Tunnel collapses; and how likely it is, against counting every order in which the cards may lie."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from msgspec.structs import replace
from wonder import at, played

from companion.games.wonderland.collapse import chance, chances, collapses, crowds, rabbit_chance
from companion.games.wonderland.spirits import COUNTS
from companion.games.wonderland.state import Deck, State


def _stands(cards: Sequence[str]) -> bool:
    """Counted out card by card, a Bundle as one of everybody."""
    return all(
        sum(card in (one, "Bundle") for card in cards) < 3 for one in ("Alice", "Rabbit", "Cat", "Hatter", "Queen")
    )


def _some_game(seed: int) -> State:
    """A turn in which seven cards are unseen: Tunnel, face-down cards of the Hatter and open tops are by chance."""
    dice = random.Random(seed)
    while (state := _dealt(dice)) is None:
        pass
    return state


def _dealt(dice: random.Random) -> State | None:
    cards = [card for card, number in COUNTS.items() for _ in range(number)]
    dice.shuffle(cards)
    unseen, cards = 7, cards[7:]

    def take(number: int) -> tuple[str, ...]:
        return tuple(sorted(cards.pop() for _ in range(number)))

    tunnel, dark, other = take(dice.randrange(6)), take(dice.choice([0, 0, 1, 2])), take(dice.randrange(2))
    covered = tunnel[:1] if dice.random() < 0.3 and "Queen" in tunnel[1:] else ()
    decks = [Deck(dice.randrange(3), take(dice.choice([0, 0, 1, 2]))) for _ in range(5)]
    if not _stands(tunnel[len(covered) :] + dark) or not all(deck.size for deck in decks):
        return None
    if sum(deck.down for deck in decks) > unseen:
        return None
    return State(
        players=("Ann", "Bea"),
        turn=0,
        phase="decide",
        notebooks=(take(2), take(2)),
        decks=tuple(decks),
        unlocked=(dice.randrange(5),),
        keys=dice.randrange(3),
        tunnel=tunnel,
        covered=covered,
        hatter=(dark, other),
        discards=tuple(sorted(cards)),
    )


def _counted(state: State, tops: Sequence[str], blind: bool) -> Fraction:
    """Every order of the cards that the player can't know; of those in which his Tunnel stands now, how many fail."""
    left = list(state.tunnel)
    for card in state.covered:
        left.remove(card)
    dark = list(state.hatter[0])
    pool = [card for card, number in state.unseen.items() for _ in range(number)] + (dark if blind else [])
    slots = len(dark) if blind else 0
    shut = list(tops).count("")
    total = failing = 0
    for order in permutations(pool, slots + shut):
        before = left + (list(order[:slots]) if blind else dark)
        if not _stands(before):
            continue
        total += 1
        failing += not _stands(before + [top for top in tops if top] + list(order[slots:]))
    return Fraction(failing, total)


@pytest.mark.parametrize("blind", [False, True])
def test_chances_are_those_of_counting_every_order(blind: bool) -> None:
    met = set()
    for seed in range(60):
        state = _some_game(seed)
        for deck, found in chances(state, blind=blind).items():
            tops = [state.decks[beside].top for beside in state.neighbours(deck)]
            assert found == _counted(state, tops, blind), (seed, deck)
            met.add((len(state.hatter[0]), tops.count(""), 0 < found < 1))
        assert rabbit_chance(state, blind=blind) == _counted(state, [""], blind), seed
    assert {(dark, shut) for dark, shut, _ in met} == {(dark, shut) for dark in range(3) for shut in range(3)}
    assert {doubtful for _, _, doubtful in met} == {True, False}


def test_of_a_whole_deck_nobody_has_seen_the_likelihood_is_exact_as_well() -> None:
    """55 unseen cards, 11 of which are Alice or a Bundle; a Tunnel with two Alices."""
    state = replace(at("11, 11, 11, 11, 11", discards="Alice Alice Alice Bundle Bundle"), phase="decide", unlocked=(0,))
    state = replace(state, tunnel=("Alice", "Alice"))
    assert (state.unseen["Alice"] + state.unseen["Bundle"], sum(state.unseen.values())) == (11, 55)
    # Neither card is one of the eleven, nor do the two make a crowd by themselves: that takes three.
    assert chance(state, 0) == 1 - Fraction(44 * 43, 55 * 54)
    assert rabbit_chance(state) == Fraction(11, 55)


def test_open_tops_are_certain() -> None:
    state = replace(at("9, 9 Queen, 9, 9, 9 Queen"), phase="decide", unlocked=(0,), tunnel=("Cat", "Queen"))
    assert chance(state, 0) == 1
    assert chance(replace(state, tunnel=("Alice", "Cat")), 0) == 0
    assert chance(replace(state, tunnel=("Cat", "Queen", "Queen"), covered=("Queen",)), 0) == 1


def test_a_player_who_does_not_know_what_the_hatter_laid_before_him_gets_another_number_than_the_others() -> None:
    state = replace(at("2, 2 Queen, 2, 2, 2 Queen", Ann="Queen"), phase="decide", unlocked=(0,))
    assert (chance(state, 0, blind=False), chance(state, 0)) == (1, Fraction(8 + 8, 60))


def test_chances_are_told_of_explores_that_can_be_made_and_at_no_other_time() -> None:
    state = at("9, 9, 9, 9, 9")
    assert list(chances(state)) == [0, 1, 2, 3, 4]
    assert list(chances(played(state, "unlock 3"))) == [3]
    assert chances(played(state, "unlock 3", "cover 3 Cat")) == {}
    bare = played(state, "unlock 3", "cover 3 Cat", "take 2:Cat 4:Rabbit", "skill Rabbit deck=0 reveals=Queen")
    assert list(chances(replace(bare, keys=0))) == [3]
    assert list(chances(bare)) == [0, 1, 2, 3, 4]
    assert chances(replace(bare, notebooks=((), ()))) == {}


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("", ()),
        ("Alice Alice Bundle", ("Alice",)),
        ("Bundle Bundle", ()),
        ("Bundle Bundle Cat", ("Cat",)),
        ("Bundle Bundle Bundle", ("Alice", "Rabbit", "Cat", "Hatter", "Queen")),
        ("Alice Alice Cat Cat Queen Queen Hatter Hatter Rabbit Rabbit", ()),
        ("Rabbit Rabbit Rabbit Queen", ("Rabbit",)),
        ("Alice Cat Alice Cat Bundle", ("Alice", "Cat")),
    ],
)
def test_three_of_a_character_are_too_many_and_a_bundle_is_one_of_each(cards: str, found: tuple[str, ...]) -> None:
    assert (crowds(cards.split()), collapses(cards.split())) == (found, bool(found))
