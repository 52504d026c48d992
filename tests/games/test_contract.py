"""The contract suite: it runs over every folder in companion/games and says what is missing until a game plays."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app.virtual import VirtualGame
from companion.app.worlds import lying
from companion.core.game import CODES, Dealer, Game, Question, Refusal, answers, decode, encode, names
from companion.core.messages import Message, verbatim
from companion.core.players import renamed
from companion.core.settle import settle
from companion.core.table import Difference, Layout, Observation, Sighting, compare
from companion.face.words import LANGUAGES, check, load_words, read_game_wording, read_shared_wording
from companion.games import load
from companion.games import names as all_games
from companion.service.referee import Referee
from devices.buzzer import check_melody

ROOT = Path(__file__).resolve().parents[2]
GAMES = all_games()


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game[Any, Any]:
    return load(request.param)


def _players(game: Game[Any, Any]) -> range:
    return range(game.players[0], game.players[1] + 1)


def _play(game: Game[Any, Any], seed: int, players: int) -> Iterator[tuple[Any, Any, Any, Any]]:
    """A whole seeded game: state, move, step, and the dealer after it."""
    dealer = game.dealer(seed, {"players": [f"P{i}" for i in range(1, players + 1)]})
    state = game.setup(dealer.setup)
    assert not isinstance(state, Refusal), state
    while dealer.choices():
        line = dealer.think()
        dealer.do(line)
        move = decode(game, line)
        assert not isinstance(move, Refusal), move
        step = game.apply(state, move)
        assert not isinstance(step, Refusal), (seed, players, line, step)
        yield state, move, step, dealer
        state = step.state


def test_games_are_found() -> None:
    assert "phoenix" in GAMES


def test_a_field_that_the_game_does_not_know_is_refused_at_the_set_up(game: Game[Any, Any]) -> None:
    line = game.dealer(1, {"players": ["P1", "P2"]}).setup
    refusal = game.setup({**line, "no-such-field": 1})
    assert isinstance(refusal, Refusal)
    assert (refusal.code, "no-such-field" in str(refusal.params)) == ("bad-setup", True)


@pytest.mark.parametrize(
    "name", ["", " ", "\x1b[2J", "a\nb", "\0", "\u202eP1", "a\u2029", "\ud800", "x" * 25, "x" * 100_000, "p2"]
)
def test_a_name_that_cannot_be_is_refused_and_told_in_every_language(game: Game[Any, Any], name: str) -> None:
    players = [f"P{number}" for number in range(1, game.players[0] + 2)]
    refusal = game.setup(renamed(game.dealer(1, {"players": players}).setup, {"P1": name}))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.wording.partition("-")[0]) == ("bad-setup", "name")
    for language in LANGUAGES:
        said = load_words(language, game, strict=True).say(refusal.message)
        assert said.isprintable()
        assert len(said) < 200


def test_names_are_trimmed_and_composed_at_the_set_up(game: Game[Any, Any]) -> None:
    line = game.dealer(1, {"players": [f"P{number}" for number in range(1, game.players[0] + 2)]}).setup
    plain, spaced = (game.setup(renamed(line, {"P1": name})) for name in ("José", " Jose\u0301\u3000"))
    assert plain == spaced
    assert not isinstance(plain, Refusal)


def test_random_legal_play_ends_with_an_outcome(game: Game[Any, Any]) -> None:
    for players in _players(game):
        *_, (state, _, step, dealer) = _play(game, 1, players)
        assert game.outcome(state) is None
        outcome = game.outcome(step.state)
        assert outcome is not None
        assert set(outcome.winners) <= set(outcome.scores)
        assert dealer.facts() == game.facts(step.state)


def test_dealer_and_referee_agree_in_every_fact(game: Game[Any, Any]) -> None:
    for players in _players(game):
        for seed in range(3):
            for _, move, step, dealer in _play(game, seed, players):
                assert game.facts(step.state) == dealer.facts(), (players, seed, move)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_dealer_and_referee_agree_in_a_thousand_games_a_player_count(game: Game[Any, Any], part: int) -> None:
    for players in _players(game):
        for seed in range(part * 100, part * 100 + 100):
            for _, move, step, dealer in _play(game, seed, players):
                assert game.facts(step.state) == dealer.facts(), (players, seed, move)


def test_states_are_never_changed(game: Game[Any, Any]) -> None:
    for state, move, _, _ in _play(game, 2, game.players[0]):
        before = msgspec.json.encode(state)
        game.apply(state, move)
        list(game.legal_moves(state))
        game.layout(state)
        game.pages(state, Difference(), Observation())
        assert msgspec.json.encode(state) == before


def test_the_move_made_is_listed_and_unlisted_moves_are_refused(game: Game[Any, Any]) -> None:
    chance = random.Random(5)
    seen: dict[str, dict[bytes, Any]] = {}
    for number, (state, move, _, _) in enumerate(_play(game, 3, game.players[1])):
        legal = {msgspec.json.encode(one): one for one in game.legal_moves(state)}
        kind = encode(move)["do"]
        assert kind in game.chance_moves or msgspec.json.encode(move) in legal, move
        for one in legal.values():
            assert not isinstance(game.apply(state, one), Refusal), one
        seen.setdefault(kind, {}).update(legal)
        if number % 7 == 0:
            others = [one for moves in seen.values() for one in moves.items()]
            for key, one in chance.sample(others, min(40, len(others))):
                unlisted = key not in legal and encode(one)["do"] not in game.chance_moves
                if unlisted:
                    assert isinstance(game.apply(state, one), Refusal), (encode(one), game.facts(state))


def test_refusals_have_stable_codes_and_leave_everything_as_it_was(game: Game[Any, Any]) -> None:
    moves = [move for _, move, _, _ in _play(game, 4, game.players[0])]
    states = [state for state, _, _, _ in _play(game, 4, game.players[0])]
    for state in states[::5]:
        for move in moves[::3]:
            result = game.apply(state, move)
            if isinstance(result, Refusal):
                assert result.code in CODES
                assert result.rule


def test_the_expected_layout_settles_to_nothing(game: Game[Any, Any]) -> None:
    for players in _players(game):
        for _, _, step, _ in _play(game, 5, players):
            look = _table(game, game.layout(step.state))
            settled = settle(game, step.state, look)
            assert (settled.moves, settled.disputes) == ((), ()), game.facts(step.state)


def test_what_the_dealer_lays_is_what_the_rules_expect(game: Game[Any, Any]) -> None:
    for _, move, step, dealer in _play(game, 6, game.players[1]):
        look = Observation(tuple(Sighting(piece, zone) for piece, zone in dealer.table().items()))
        layout = game.layout(step.state)
        everywhere = Layout(layout.expected + layout.optional)
        if game.outcome(step.state) is None:
            assert not compare(everywhere, look, game.box), move


def test_a_whole_game_is_read_from_the_table_alone(game: Game[Any, Any]) -> None:
    """Each look holds what lies there; draws that leave no trace are implied by what follows."""
    for players in _players(game):
        dealer = game.dealer(7, {"players": [f"P{i}" for i in range(1, players + 1)]})
        state = game.setup(dealer.setup)
        before: Mapping[str, str] = dealer.table()
        while dealer.choices():
            line = dealer.think()
            dealer.do(line)
            now = dealer.table()
            gone = {piece: zone for piece, zone in before.items() if piece not in now}
            look = Observation(tuple(Sighting(piece, zone) for piece, zone in now.items()), gone)
            settled = settle(game, state, look)
            assert settled.disputes == (), (players, dealer.facts(), settled)
            state, before = _pressed(game, settled.state, line, settled.difference, look), now
        outcome = game.outcome(state)
        assert outcome is not None
        assert dealer.facts()["winners"] == list(outcome.winners)
        assert game.facts(state) == dealer.facts()


def _pressed(
    game: Game[Any, Any], state: Any, line: Mapping[str, Any], difference: Difference, look: Observation
) -> Any:
    """The state after somebody has pressed the button for a move that the table doesn't show, if that is offered."""
    question = None if game.outcome(state) else game.question(state, difference, look)
    if all(choice.move != line for _, choice in answers(question)):
        return state
    move = decode(game, line)
    assert not isinstance(move, Refusal)
    step = game.apply(state, move)
    assert not isinstance(step, Refusal), step
    return step.state


def _mistakes(game: Game[Any, Any], state: Any, chance: random.Random) -> Iterator[Observation]:
    """The expected table with one piece too many, one gone, and one that lies elsewhere."""
    look = _table(game, game.layout(state))
    lying = {sighting.piece: sighting.zone for sighting in look.sightings if sighting.zone is not None}
    zones = game.zones(state, {})
    free = [piece for piece in game.box.pieces.values() if piece.id not in lying and piece.kind != "anchor"]
    places = [(piece, zone) for piece in free for zone in zones if piece.kind in zone.holds]
    if places:
        piece, zone = chance.choice(places)
        yield msgspec.structs.replace(look, sightings=(*look.sightings, Sighting(piece.id, zone.id)))
    if lying:
        piece_id, home = chance.choice(sorted(lying.items()))
        rest = tuple(sighting for sighting in look.sightings if sighting.piece != piece_id)
        yield msgspec.structs.replace(look, sightings=rest, gone={piece_id: home})
        kind = game.box.pieces[piece_id].kind
        others = [zone.id for zone in zones if kind in zone.holds and zone.id != home]
        if others:
            yield msgspec.structs.replace(look, sightings=(*rest, Sighting(piece_id, chance.choice(others))))


def _pieces(difference: Difference) -> set[str]:
    return {*difference.extra, *difference.missing, *difference.moved}


def test_an_accepted_table_is_the_expected_one_and_any_other_is_refused_with_a_reason(game: Game[Any, Any]) -> None:
    chance = random.Random(8)
    voice = load_words("en", game, strict=True)
    accepted = refused = 0
    for players in _players(game):
        for state, _, _, _ in _play(game, 8, players):
            for look in _mistakes(game, state, chance):
                difference = compare(game.layout(state), look, game.box)
                if not difference:
                    continue
                before = msgspec.json.encode(state)
                step = game.accept(state, difference)
                assert msgspec.json.encode(state) == before
                if isinstance(step, Refusal):
                    refused += 1
                    assert (step.code, bool(voice.say(step.message))) == ("not-allowed", True)
                    continue
                accepted += 1
                assert step.events[0].name == "corrected"
                assert [bool(voice.say(event.message)) for event in step.events] == [True] * len(step.events)
                left = compare(game.layout(step.state), look, game.box)
                assert game.outcome(step.state) or not (_pieces(left) & _pieces(difference)), (state, difference)
                assert msgspec.json.decode(msgspec.json.encode(difference), type=Difference) == difference
    assert accepted
    assert refused


def test_a_replay_gives_the_same_events(game: Game[Any, Any]) -> None:
    first = [(encode(move), step.events) for _, move, step, _ in _play(game, 8, game.players[0])]
    again = [(encode(move), step.events) for _, move, step, _ in _play(game, 8, game.players[0])]
    assert first == again


def test_moves_survive_json(game: Game[Any, Any]) -> None:
    for _, move, _, _ in _play(game, 9, game.players[1]):
        assert decode(game, msgspec.json.decode(msgspec.json.encode(move))) == move


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_said_in_every_language(game: Game[Any, Any], language: str) -> None:
    words = load_words(language, game, strict=True)
    for piece in game.box.pieces.values():
        assert words.say(piece.label)
    assert words.say(Message("name.game"))
    moves = [move for _, move, _, _ in _play(game, 10, game.players[0])]
    for number, (state, _, step, _) in enumerate(_play(game, 10, game.players[0])):
        said = [event.message for event in step.events] + [game.help(state)]
        for page in game.pages(step.state, Difference(), Observation()):
            said += [page.title, *(m for e in page.elements for m in _messages(e))]
        question = game.question(step.state, Difference(), Observation())
        if question:
            said += _asked(question)
        if number % 4 == 0:
            results = (game.apply(state, move) for move in moves[::2])
            said += [result.message for result in results if isinstance(result, Refusal)]
        for message in said:
            assert words.say(message) or message == verbatim("")


def test_the_wording_is_whole_and_alike_in_all_languages(game: Game[Any, Any]) -> None:
    assert check(read_game_wording(game.id), read_shared_wording()) == []


def _asked(question: Question) -> list[Message]:
    """All that a question may say."""
    found = [question.message]
    for choice in question.choices:
        found += [choice.label, *(_asked(choice.then) if choice.then else ())]
    return found


def _messages(element: Any) -> list[Message]:
    return [getattr(element, name) for name in ("message", "left", "right") if hasattr(element, name)]


def test_a_game_is_carried_on_from_its_moves_as_a_journal_keeps_them(game: Game[Any, Any]) -> None:
    for players in _players(game):
        line = {"players": [f"P{number}" for number in range(1, players + 1)]}
        dealer = game.dealer(players, line)
        states, moves = [game.setup(dealer.setup)], []
        while dealer.choices():
            move = dealer.think()
            dealer.do(move)
            moves.append(msgspec.json.decode(msgspec.json.encode(move)))
            step = game.apply(states[-1], decode(game, move))
            assert not isinstance(step, Refusal)
            states.append(step.state)
        again = VirtualGame(game, players, line)
        again.carry_on(states, moves)
        assert again.dealer.facts() == dealer.facts()


def _some(game: Game[Any, Any], players: int, seed: int) -> Iterator[tuple[Any, Mapping[str, str]]]:
    """States here and there in a game, also such as people have corrected, each with what lies on the table."""
    chance = random.Random(seed)
    for state, _, step, dealer in _play(game, seed, players):
        if chance.random() < 0.1:
            yield step.state, dealer.table()
        if chance.random() < 0.1:
            for look in _mistakes(game, state, chance):
                corrected = game.accept(state, compare(game.layout(state), look, game.box))
                if not isinstance(corrected, Refusal) and not game.outcome(corrected.state):
                    yield corrected.state, {s.piece: s.zone for s in look.sightings if s.zone is not None}


def _other_dealer(game: Game[Any, Any], players: int) -> Dealer:
    return game.dealer(99, {"players": [f"P{i}" for i in range(1, players + 1)]})


def test_a_dealer_goes_to_any_state_of_its_game_and_plays_on_from_there(game: Game[Any, Any]) -> None:
    """Or it says that it can't, always: then bots say so."""
    for players in _players(game):
        can = _other_dealer(game, players).adopt(game.setup(_other_dealer(game, players).setup), {})
        for state, table in _some(game, players, 12):
            line = game.dealer(12, {"players": [f"P{i}" for i in range(1, players + 1)]}).setup
            dealer = game.dealer(99, line)
            assert dealer.adopt(state, table) == can
            if not can:
                continue
            assert dealer.facts() == game.facts(state), players
            look = Observation(tuple(Sighting(piece, zone) for piece, zone in dealer.table().items()))
            layout = game.layout(state)
            assert game.outcome(state) or not compare(Layout(layout.expected + layout.optional), look, game.box)
            state = _played_on(game, state, dealer)
            assert game.outcome(state) is not None, players


def _played_on(game: Game[Any, Any], state: Any, dealer: Dealer) -> Any:
    """The state at the end of a dealer's game, which the referee follows move by move."""
    while dealer.choices():
        line = dealer.think()
        dealer.do(line)
        move = decode(game, line)
        step = move if isinstance(move, Refusal) else game.apply(state, move)
        assert not isinstance(step, Refusal), (line, step)
        assert game.facts(step.state) == dealer.facts(), line
        state = step.state
    return state


def test_a_copied_dealer_plays_on_as_it_would_have_done_itself(game: Game[Any, Any]) -> None:
    dealer = _other_dealer(game, game.players[1])
    dealer.do(dealer.think())
    other, before = copy.deepcopy(dealer), dealer.facts()
    told = []
    while other.choices():
        told.append(other.think())
        other.do(told[-1])
    assert dealer.facts() == before
    for line in told:
        assert dealer.think() == line
        dealer.do(line)


def test_hands_bring_the_table_to_any_state_to_which_people_go(game: Game[Any, Any]) -> None:
    players = game.players[0]
    virtual = VirtualGame(game, 13, {"players": [f"P{i}" for i in range(1, players + 1)]}, speed_mm_s=7000.0)
    states = [state for state, _, _, _ in _play(game, 13, players)]
    chance = random.Random(13)
    assert virtual.agrees(states[0])
    for state in chance.sample(states, min(12, len(states))):
        if not virtual.follow(state):
            return  # its dealer can't
        virtual.put_right()
        while not virtual.stage.idle:
            virtual.stage(0.0)
        assert virtual.lies() == lying(virtual.dealer)
        assert virtual.agrees(state)


def test_every_melody_can_be_played(game: Game[Any, Any]) -> None:
    for melody in game.melodies.values():
        check_melody(melody)


def test_zones_of_the_layout_exist(game: Game[Any, Any]) -> None:
    for _, _, step, _ in _play(game, 11, game.players[1]):
        zones = {zone.id for zone in game.zones(step.state, {})}
        assert {zone for _, zone in game.layout(step.state).expected} <= zones


def test_anchors_have_a_place_in_the_arrangement(game: Game[Any, Any]) -> None:
    for players in _players(game):
        line = game.dealer(1, {"players": [f"P{i}" for i in range(players)]}).setup
        state = game.setup(line)
        anchors = {zone.anchor for zone in game.zones(state, {}) if zone.anchor}
        assert anchors <= set(game.arrangement(line))


def _look(game: Game[Any, Any]) -> Referee:
    return Referee(game, load_words("en", game).say)


def test_golden_playthroughs_answer_as_written(game: Game[Any, Any]) -> None:
    files = sorted((ROOT / "companion" / "games" / game.id / "playthroughs").glob("*.jsonl"))
    assert files, "a game has golden playthroughs"
    for path in files:
        referee = _look(game)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            step = msgspec.json.decode(line)
            answer = referee.answer(msgspec.json.encode(step["in"]))
            for key, value in step["out"].items():
                assert _part(answer, key, value) == value, f"{path.name}, line {number}: {answer}"


def test_golden_playthroughs_cite_every_rule(game: Game[Any, Any]) -> None:
    folder = ROOT / "companion" / "games" / game.id / "playthroughs"
    cited = {
        msgspec.json.decode(line)["rule"]
        for path in folder.glob("*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    }
    wanted = set((folder / "rules.txt").read_text("utf-8").split("\n")) - {""}
    assert cited == wanted


def test_every_move_is_in_a_golden_playthrough(game: Game[Any, Any]) -> None:
    folder = ROOT / "companion" / "games" / game.id / "playthroughs"
    text = "".join(path.read_text("utf-8") for path in folder.glob("*.jsonl"))
    assert [name for name in names(game.move_type) if f'"do": "{name}"' not in text] == []


def _part(answer: Any, key: str, value: Any) -> Any:
    """What stands in the answer where the playthrough gives a value; of facts only those that it names."""
    found = answer.get(key)
    if key == "refusal" and isinstance(value, str):
        return found and found["code"]
    if key == "facts":
        return {name: found[name] for name in value}
    if key == "events":
        return [event["event"] for event in found]
    if key == "disputes":
        return [[d["piece"], d["refusal"]["code"]] for d in found]
    return found


def _table(game: Game[Any, Any], layout: Layout) -> Observation:
    """The table just as the layout asks for it, bare names by any copy."""
    used: set[str] = set()
    sightings = []
    # Where a very copy is asked for, it isn't there to stand for a bare name.
    for name, zone in sorted(layout.expected, key=lambda pair: pair[0] not in game.box.pieces):
        copies = [name] if name in game.box.pieces else [copy.id for copy in game.box.copies[name]]
        piece = next(copy for copy in copies if copy not in used)
        used.add(piece)
        sightings.append(Sighting(piece, zone))
    return Observation(tuple(sightings))
