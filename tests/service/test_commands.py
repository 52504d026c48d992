"""Every command at every moment of every game is done, or refused in words that all languages have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import pytest
from msgspec.structs import replace

from companion.core.game import Choice, Game, Question
from companion.core.messages import LANGUAGES, Message, say
from companion.core.snapshot import (
    Accept,
    Answer,
    AskNameable,
    Command,
    Leave,
    Name,
    PutRight,
    Redo,
    Restart,
    Snapshot,
    Undo,
)
from companion.core.table import Observation, Sighting
from companion.face.words import load_words
from companion.service.entries import ACCEPTED, ENDED, FREED, MOVE, REDO, SETUP, UNDO, Entry
from companion.service.journal import Journal
from companion.service.replay import replay
from companion.service.session import Session
from tests.dealt import Deal, Dealt

DEALS = [
    Deal("phoenix", 3, 1),
    Deal("storytelling", 3, 1, "midnight"),
    Deal("wonderland", 3, 1),
    Deal("three_kings", 4, 1),
]
STALE = Question(say("question.game"), (Choice(say("choice.again"), draft={"nonsense": 1}),))
ENTRIES: dict[type[Command], set[str]] = {
    Undo: {UNDO},
    Redo: {REDO},
    Restart: {ENDED, SETUP},
    Answer: {MOVE, SETUP},
    Accept: {ACCEPTED, MOVE},
    Name: {MOVE, FREED},
    PutRight: {MOVE},
    AskNameable: set(),
    Leave: set(),
}
"""What a command may add to the journal, with what the table tells once it is looked at again."""
SILENT = (Leave(), PutRight(), PutRight(on=False), Restart())
"""What may change nothing without a word: another game is the table's affair, and the others may be so already."""


class Moment(NamedTuple):
    """A session at some moment, as something to come back to.

    Attributes:
        game: the rules.
        entries: of the journal.
        draft: of the session.
        seen: the looks since it was made.
        before: what was told before the command.
    """

    game: Game[Any, Any]
    entries: tuple[Entry, ...]
    draft: dict[str, Any]
    seen: tuple[Observation, ...]
    before: tuple[Command, ...] = ()

    def session(self) -> tuple[Session, Journal, list[Snapshot]]:
        journal = Journal(":memory:")
        told: list[Snapshot] = []
        for entry in self.entries:
            journal.append([(entry.kind, self.game, entry.body, entry.events)])
        # A game that is over is carried on as well: as if it had just ended.
        resume = bool(self.entries) and replay(self.game, self.entries)
        session = Session(self.game, journal, told.append, self.draft, resume)
        for seen in self.seen:
            session.see(seen)
        for command in self.before:
            session.tell(command)
        return session, journal, told


def _played(deal: Deal, moves: int | None) -> Moment:
    """A game after so many moves, or at its end."""
    journal = Journal(":memory:")
    dealt = Dealt(deal, journal)
    dealt.look()
    while moves is None or moves > 0:
        if not dealt.move():
            break
        dealt.look()
        moves = moves and moves - 1
    if moves is not None:
        dealt.agree()
    draft = {**deal.options, "players": dealt.dealer.setup["players"]}
    return Moment(dealt.game, tuple(journal.entries()), draft, (dealt.seen(),))


def _wrong(moment: Moment) -> Observation:
    """The table with a piece that lies where the rules don't want it."""
    (seen,) = moment.seen
    lying = {sighting.piece for sighting in seen.sightings}
    _, _, told = moment.session()
    for zone in told[-1].zones:
        for piece in moment.game.box.pieces.values():
            if piece.kind in zone.holds and piece.id not in lying:
                wrong = replace(seen, sightings=(*seen.sightings, Sighting(piece.id, zone.id)))
                session, _, told = moment.session()
                session.see(wrong)
                if told[-1].disputes and not told[-1].events:
                    return wrong
    raise AssertionError("nothing is wrong anywhere")


def _moments(deal: Deal) -> dict[str, Moment]:
    playing, over = _played(deal, 12), _played(deal, None)
    start = deal.dealer().table()
    part = tuple(Sighting(piece, zone) for piece, zone in list(start.items())[:1])
    unset = Moment(playing.game, (), {}, ())
    disputed = playing._replace(seen=(*playing.seen, _wrong(playing)))
    return {
        "set-up": unset,
        "unfinished set-up": unset._replace(draft=deal.options, seen=(Observation(part, at_s=1.0),)),
        "play": playing,
        "taken back": playing._replace(before=(Undo(), Undo())),
        "dispute": disputed,
        "putting right": disputed._replace(before=(PutRight(),)),
        "over": over,
        "resumed, nothing seen yet": playing._replace(seen=()),
    }


def _commands(moment: Moment) -> Iterator[Command]:
    session, _, told = moment.session()
    session.tell(AskNameable())
    question = told[-1].question or STALE
    zones = [zone.id for zone in told[-1].zones]
    yield from (Undo(), Redo(), Restart(), Leave(), Accept(), PutRight(), PutRight(on=False), AskNameable())
    yield from (Answer(number, question) for number in range(-1, len(question.choices) + 1))
    yield from (Answer(0, question, (7,)), Answer(0, STALE))
    names = {moment.game.box.name_of(piece): piece for piece in moment.game.box.pieces}
    some = [name for number, name in enumerate(names) if number % (len(names) // 6) == 0]
    places = (None, "", "attic", *zones[:: 1 + len(zones) // 3])
    for piece in ("", "no-such-piece", *some, *(names[name] for name in some)):
        yield from (Name(piece, place) for place in places)
    for piece in told[-1].nameable.gone[:3] if told[-1].nameable else ():
        yield Name(piece, None)


CASES = [pytest.param(deal, id=deal.name) for deal in DEALS]


@pytest.mark.parametrize("deal", CASES)
def test_every_command_at_every_moment_is_done_or_refused_in_words(deal: Deal) -> None:
    voices = [load_words(language, deal.game, strict=True) for language in LANGUAGES]
    tried = set()
    for name, moment in _moments(deal).items():
        for command in _commands(moment):
            refusals = _done_or_refused(moment, command, f"{name}: {command}")
            assert all(voice.say(refusal) for voice in voices for refusal in refusals)
            tried.add(type(command))
    assert tried == set(get_args(Command))


def _done_or_refused(moment: Moment, command: Command, what: str) -> list[Message]:
    """What people are told of it beside the game."""
    session, journal, told = moment.session()
    count, before, stood = len(list(journal.entries())), told[-1], _stands(session)
    told.clear()
    session.tell(command)
    fresh = [entry.kind for entry in list(journal.entries())[count:]]
    assert set(fresh) <= ENTRIES[type(command)], what
    assert not fresh or _stands(session) != stood, f"{what}: a pointless entry"
    notices = [notice for snapshot in told for notice in snapshot.notices]
    assert notices or command in SILENT or any(_differs(one, before) for one in told), what
    return notices


def _stands(session: Session) -> Any:
    history = session.history
    return history and ([made.state for made in history.past], len(history.future), history.taken_back)


def _differs(one: Snapshot, other: Snapshot) -> bool:
    return replace(one, serial=0, events=()) != replace(other, serial=0, events=())
