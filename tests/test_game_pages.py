"""What the referee protocol's page and each game's page say is so: fields, zones, moves, facts, codes, examples."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import msgspec
import pytest

from companion.core.game import CODES, Game
from companion.face.words import load_words
from companion.games import load, names
from companion.service.referee import ASKS, FORMS, Referee
from tests.documents import ROOT, TOLD, coded, examples, section, table_rows

PROTOCOL = TOLD["referee-protocol.md"]
PROTOCOLS_GAME = "phoenix"
"""The game in the examples of the protocol's own page; a game's own page has examples of that game."""
GAME_PAGES = ROOT / "docs" / "games"


def _codes(path: Path) -> set[str]:
    """The codes of the refusals that a module gives, also where a variable holds the code."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    calls = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal"]
    firsts = [call.args[0] for call in calls if call.args]
    held = {first.id for first in firsts if isinstance(first, ast.Name)}
    assigned = [node for node in nodes if isinstance(node, ast.Assign)]
    firsts += [node.value for node in assigned if any(getattr(one, "id", "") in held for one in node.targets)]
    return {node.value for first in firsts for node in ast.walk(first) if isinstance(node, ast.Constant)}


def test_every_refusal_code_is_described_and_no_other() -> None:
    rows = table_rows(section(PROTOCOL, "Refusal codes"))
    assert sorted(coded(row[0])[0] for row in rows) == sorted(CODES)


def test_the_codes_that_every_game_has_are_told_from_the_others() -> None:
    shared = ("service/referee.py", "core/settle.py", "core/game.py")
    given = set().union(*(_codes(ROOT / "companion" / path) for path in shared))
    rows = table_rows(section(PROTOCOL, "Refusal codes"))
    assert {coded(row[0])[0] for row in rows if row[2] != "-"} == given


def test_every_form_and_question_of_the_protocol_is_described() -> None:
    lines = [json.loads(coded(row[0])[0]) for row in table_rows(section(PROTOCOL, "Lines in")) if "..." not in row[0]]
    assert {line["ask"] for line in lines if "ask" in line} == set(ASKS)
    told = re.findall(r'^\| `\{"([a-z]+)"', section(PROTOCOL, "Lines in"), re.MULTILINE)
    assert set(told) == set(FORMS)


@pytest.fixture(params=names())
def game(request: pytest.FixtureRequest) -> Game[Any, Any]:
    return load(request.param)


@pytest.fixture
def page(game: Game[Any, Any]) -> str:
    """The page of a game."""
    file = GAME_PAGES / f"{game.id}.md"
    assert file.is_file(), (
        f"{game.id} has no page: write docs/games/{file.name}; docs/add-a-game.md tells what is in it"
    )
    return file.read_text("utf-8")


def test_every_game_has_a_page_and_nothing_else_has_one() -> None:
    assert sorted(file.stem for file in GAME_PAGES.glob("*.md")) == sorted(names())


def _kinds(game: Game[Any, Any]) -> Mapping[str, Any]:
    """The types of a game's moves by name."""
    kinds = getattr(game.move_type, "__args__", (game.move_type,))
    return {kind.__struct_config__.tag: kind for kind in kinds}


def test_a_games_moves_are_described_and_no_others(game: Game[Any, Any], page: str) -> None:
    told = {coded(row[0])[0]: set(coded(row[1])) for row in table_rows(section(page, "Moves"))}
    assert sorted(told) == sorted(_kinds(game))
    schema = msgspec.json.schema(game.move_type)
    known = {field for part in schema["$defs"].values() for field in part.get("properties", {})}
    for name, kind in _kinds(game).items():
        assert set(kind.__struct_encode_fields__) <= told[name] <= known, name


def _set_up_fields(game: Game[Any, Any]) -> set[str]:
    """The fields of the struct that a game calls `Line`, in whichever of its modules."""
    package = import_module(f"companion.games.{game.id}")
    modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
    (line,) = [m.Line for m in modules if getattr(getattr(m, "Line", None), "__module__", "") == m.__name__]
    return set(line.__struct_fields__)


def test_a_games_set_up_is_described_and_nothing_else(game: Game[Any, Any], page: str) -> None:
    told = [name for row in table_rows(section(page, "Setting up")) for name in coded(row[0])]
    assert sorted(told) == sorted({*_set_up_fields(game), "game"})


def _played(game: Game[Any, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """All answers in a game's golden playthroughs, each with the set-up line that is in force, if one is."""
    for path in sorted((ROOT / "companion" / "games" / game.id / "playthroughs").glob("*.jsonl")):
        referee = Referee(game, load_words("en", game).say)
        line: Mapping[str, Any] = {}
        for text in path.read_text("utf-8").splitlines():
            asked = json.loads(text)["in"]
            answer = referee.answer(json.dumps(asked))
            line = asked["setup"] if "setup" in asked and answer["ok"] else line
            yield line, answer


def _named(rows: list[list[str]], line: Mapping[str, Any]) -> set[str]:
    """What the first cells of a table name, without rows whose third cell (`mode=race`) is not so in a set-up line."""

    def so(only: str) -> bool:
        key, _, value = only.partition("=")
        return str(line.get(key)) == value

    return {name for row in rows if all(map(so, coded("".join(row[2:])))) for name in coded(row[0])}


def test_a_games_facts_are_described_and_no_others(game: Game[Any, Any], page: str) -> None:
    rows = table_rows(section(page, "Facts"))
    seen = set()
    for line, answer in _played(game):
        if line:
            assert set(answer["facts"]) == _named(rows, line), line
            seen |= set(answer["facts"])
    assert seen == {name for row in rows for name in coded(row[0])}


def _pattern(text: str, zone: str) -> str:
    """A pattern for what is told of a zone's name; capitals stand for what `NEST` is ..., or else for anything."""

    def values(capitals: re.Match[str]) -> str:
        told = re.search(rf"`{capitals[0]}` is ((?:`[^`]+`(?:, | or )?)+)", text)
        return f"({'|'.join(coded(told[1]))})" if told else "[^/]+"

    return re.sub("[A-Z]{2,}", values, zone)


def test_a_games_zones_are_described_and_no_others(game: Game[Any, Any], page: str) -> None:
    text = section(page, "Zones")
    rows, seen = table_rows(text), set()
    for line in {json.dumps(line): line for line, _ in _played(game) if line}.values():
        patterns = [_pattern(text, zone) for zone in _named(rows, line)]
        zones = [zone.id for zone in game.zones(game.setup(line), {})]
        assert [zone for zone in zones if not any(re.fullmatch(one, zone) for one in patterns)] == []
        assert [one for one in patterns if not any(re.fullmatch(one, zone) for zone in zones)] == []
        seen |= set(patterns)
    assert seen == {_pattern(text, zone) for row in rows for zone in coded(row[0])}


def test_the_codes_that_a_game_gives_are_described_and_no_others(game: Game[Any, Any], page: str) -> None:
    told = {coded(row[0])[0] for row in table_rows(section(page, "Refusal codes"))}
    assert told == set().union(*(_codes(path) for path in (ROOT / "companion" / "games" / game.id).glob("*.py")))
    everywhere = {coded(row[0])[0] for row in table_rows(section(PROTOCOL, "Refusal codes")) if row[2] != "-"}
    given = {answer["refusal"]["code"] for _, answer in _played(game) if "refusal" in answer}
    assert given <= told | everywhere


def _inside(shown: Any, answer: Any) -> bool:
    """Whether all that is shown is in the answer; lists count as a whole."""
    if isinstance(shown, dict):
        return isinstance(answer, dict) and all(k in answer and _inside(v, answer[k]) for k, v in shown.items())
    if isinstance(shown, list):
        return isinstance(answer, list) and len(shown) == len(answer) and all(map(_inside, shown, answer))
    return bool(shown == answer)


def _answered(text: str, game: Game[Any, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The lines of a page's examples, what is printed as their answers, and what a referee answers."""
    referee = Referee(game, load_words("en", game).say)
    for line, printed in examples(text):
        yield line, json.loads(printed), json.loads(next(referee.run([line])))


def _wrong(text: str, game: Game[Any, Any]) -> list[str]:
    """Examples of a page that are answered otherwise than it prints."""
    found = _answered(text, game)
    return [f"{line} answers {json.dumps(answer)}" for line, printed, answer in found if not _inside(printed, answer)]


def test_the_examples_of_the_protocol_answer_as_printed() -> None:
    assert len(list(examples(PROTOCOL))) > 10
    assert "\n".join(_wrong(PROTOCOL, load(PROTOCOLS_GAME))) == ""


def test_the_examples_of_a_game_answer_as_printed(game: Game[Any, Any], page: str) -> None:
    assert "\n".join(_wrong(page, game)) == ""


def test_each_move_of_a_game_is_in_an_example_of_its_page(game: Game[Any, Any], page: str) -> None:
    lines = [json.loads(line) for line, _ in examples(page)]
    made = [move for _, _, answer in _answered(page, game) for move in answer.get("moves", [])]
    assert {one["do"] for one in (*lines, *made) if "do" in one} == set(_kinds(game))


@pytest.mark.parametrize("name", ["", *names()])
def test_the_first_answer_with_facts_is_printed_whole(name: str) -> None:
    text = (GAME_PAGES / f"{name}.md").read_text("utf-8") if name else PROTOCOL
    first = (pair for line, *pair in _answered(text, load(name or PROTOCOLS_GAME)) if line.startswith('{"setup"'))
    printed, answer = next([printed, answer] for printed, answer in first if answer["ok"])
    assert printed == answer
