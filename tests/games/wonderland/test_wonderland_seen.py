"""Wonderland XIII in rendered frames: fans of cards, Keys beside decks, cards turned up, the Queen's place."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
import pytest

from companion.app.virtual import VirtualGame
from companion.core.snapshot import Snapshot
from companion.core.table import Observation, ZoneId
from companion.games import load
from companion.service.journal import Journal
from companion.service.session import Session
from tests.games.wonderland.wonder import line
from vision.cameras.virtual import VirtualCamera
from vision.scene.optics import preset
from vision.watcher import Watcher

TWO = ("Alice Cat Queen", "Rabbit Hatter Bundle")
FRAMES = 40


class Seen:
    """A virtual table on which a test lays pieces, read by the real eyes."""

    def __init__(self, players: int = 2, seed: int = 3, room: str = "mild") -> None:
        self.game = load("wonderland")
        self.virtual = VirtualGame(self.game, seed, {"players": ["Ann", "Bea", "Cid", "Dot"][:players]})
        self.scene = self.virtual.scene
        for name, placed in self.scene.placed.items():
            piece = self.game.box.pieces.get(name)
            if piece and placed and not piece.fixed:
                self.scene.remove(name)
        rng = np.random.default_rng(seed)
        self._camera = VirtualCamera(self.scene, preset(room, rng), rng, 6.0, self.virtual.stage)
        self._watcher = Watcher(self.game.box)
        self._watcher.place(self.game.zones(None, {"players": ["Ann", "Bea", "Cid", "Dot"][:players]}))
        self.session: Session | None = None

    def playing(self, notebooks: tuple[str, ...]) -> Seen:
        """With a game that a session follows, and its Notebooks laid."""
        journal = Journal(":memory:")
        journal.append([("setup", self.game, {"game": "wonderland", **line(notebooks=notebooks)}, ())])
        self.snapshots: list[Snapshot] = []
        self.session = Session(self.game, journal, self.snapshots.append)
        for name, zone in self.game.layout(self.session.state).expected:
            self.lay(zone, [name])
        self.look()
        return self

    def lay(self, zone: ZoneId, names: Iterable[str], face_up: bool = True) -> list[str]:
        """Lays cards by name or id, as crooked as people do; gives the pieces."""
        laid = []
        for name in names:
            copies = [name] if name in self.game.box.pieces else [copy.id for copy in self.game.box.copies[name]]
            piece = next(copy for copy in copies if len(copies) == 1 or copy not in self.scene.placed)
            pose = self.virtual.pose_in(zone, piece)
            self.virtual.put(piece, self.virtual.crooked(pose, piece), face_up)
            laid.append(piece)
        return laid

    def explore(self, deck: int, card: str) -> None:
        """Brings a Key beside a deck, and a card from a Notebook on it."""
        for piece, zone in (("keya", f"deck-{deck}/key"), (card, f"deck-{deck}/top")):
            self.scene.remove(piece)
            self.lay(zone, [piece])

    def look(self) -> Observation:
        """What is seen once the table has come to rest."""
        seen = None
        for _ in range(FRAMES):
            frame = self._camera.read()
            assert frame is not None
            found = self._watcher.look(frame)
            if found is not None:
                seen = found
                if self.session:
                    self.session.see(found)
        assert seen is not None
        return seen


@pytest.mark.parametrize("side", ["Ann", "Bea", "Cid", "Dot"])
def test_a_fanned_notebook_of_fifteen_cards_is_read_completely(side: str) -> None:
    table = Seen(players=4, seed=len(side))
    cards = random.Random(side).sample([p.id for p in table.game.box.pieces.values() if p.kind == "card"], 15)
    table.lay(f"notebook/{side}", cards)
    seen = table.look()
    zones = {s.piece: s.zone for s in seen.sightings if not table.game.box.pieces[s.piece].fixed}
    assert zones == dict.fromkeys(cards, f"notebook/{side}")


def test_sixty_cards_face_up_are_all_read() -> None:
    table = Seen(players=4, seed=7)
    cards = [p.id for p in table.game.box.pieces.values() if p.kind == "card"]
    random.Random(7).shuffle(cards)
    wanted: dict[str, str] = {}
    for name in ("Ann", "Bea", "Cid", "Dot"):
        wanted |= dict.fromkeys(table.lay(f"notebook/{name}", [cards.pop() for _ in range(12)]), f"notebook/{name}")
    wanted |= dict.fromkeys(table.lay("tunnel/Cid", [cards.pop() for _ in range(8)]), "tunnel/Cid")
    for deck in range(4):
        wanted |= dict.fromkeys(table.lay(f"deck-{deck}/top", [cards.pop()]), f"deck-{deck}/top")
        wanted |= dict.fromkeys(table.lay(f"deck-{deck}/key", ["key"]), f"deck-{deck}/key")
    seen = {s.piece: s.zone for s in table.look().sightings if not table.game.box.pieces[s.piece].fixed}
    assert (len(seen), seen) == (64, wanted)


def test_an_explore_is_read_and_a_gap_in_the_notebook_is_no_matter() -> None:
    table = Seen().playing(TWO)
    assert table.session is not None
    table.explore(2, "Cata")
    table.look()
    assert (table.session.state.phase, table.session.state.unlocked) == ("take", (2,))
    table.lay("tunnel/Ann", ["Rabbit", "Hatter"])
    table.look()
    assert (table.session.state.phase, table.session.state.tunnel) == ("skill", ("Hatter", "Rabbit"))
    assert table.snapshots[-1].disputes == ()


def test_the_hatters_card_is_known_by_being_turned_up_on_its_deck_for_a_moment() -> None:
    table = Seen().playing(TWO)
    assert table.session is not None
    table.explore(1, "Cata")
    table.lay("tunnel/Ann", ["Bundle", "Hatter"])
    table.look()
    (card,) = table.lay("deck-4/top", ["Queen"])
    table.look()
    assert table.session.state.hatter == ((), ("Queen",))
    table.scene.remove(card)
    table.lay("tunnel/Bea", [card], face_up=False)
    table.look()
    assert (table.session.state.phase, table.snapshots[-1].disputes) == ("decide", ())


def test_a_queen_on_another_card_in_her_place_is_seen_and_so_is_the_turns_end() -> None:
    table = Seen().playing(TWO)
    assert table.session is not None
    table.explore(1, "Alicea")
    queen, cat = table.lay("tunnel/Ann", ["Queen", "Cat"])
    table.look()
    table.scene.remove(queen)
    table.scene.remove(cat)
    table.lay("covered/Ann", [cat])
    table.lay("covered/Ann", [queen])
    table.look()
    assert (table.session.state.phase, table.session.state.covered) == ("decide", ("Cat",))
    for card in (queen, cat):
        table.scene.remove(card)
    table.lay("notebook/Ann", [queen, cat])
    table.look()
    state = table.session.state
    assert (state.players[state.turn], state.notebooks[0], table.snapshots[-1].disputes) == (
        "Bea",
        ("Cat", "Cat", "Queen", "Queen"),
        (),
    )


def test_the_last_card_of_a_fan_that_is_taken_away_is_missed() -> None:
    """What comes to light below it is another card that looks much like it."""
    table = Seen(seed=5).playing(TWO)
    last = max(
        (name for name, placed in table.scene.placed.items() if name.startswith(("Rabbit", "Hatter", "Bundle"))),
        key=lambda name: table.scene.placed[name].order,
    )
    table.scene.remove(last)
    table.look()
    assert [(dispute.piece, dispute.refusal.wording) for dispute in table.snapshots[-1].disputes] == [
        (last, "must-stay")
    ]


@pytest.mark.parametrize(("right_mm", "down_mm", "turn_deg"), [(-6.4, -1.1, -4.6), (8.8, 1.5, 5.6), (4.0, 7.0, -8.0)])
def test_a_card_that_is_turned_back_at_once_has_left_though_its_back_lies_a_little_otherwise(
    right_mm: float, down_mm: float, turn_deg: float
) -> None:
    """Its back was not there long enough to be known as a part of the table."""
    table = Seen(seed=5).playing(TWO)
    (card,) = table.lay("tunnel/Bea", ["Alicel"])
    table.look()
    x, y, angle = table.virtual.poses[card]
    table.virtual.put(card, (x + right_mm, y + down_mm, angle + turn_deg), face_up=False)
    assert card not in {sighting.piece for sighting in table.look().sightings}
