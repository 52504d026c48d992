from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from face_samples import BOX, GAME, tiny_words

from companion.core.game import CODES
from companion.core.messages import Message, say, verbatim
from companion.face.presenter import Action
from companion.face.tables import WordingError, read
from companion.face.words import LANGUAGES, Words, check, load_words, read_shared_wording

EN = tiny_words("en", strict=True)


def test_values_stand_as_they_are_or_as_their_kind_names_them() -> None:
    assert EN.say(say("event.placed", by="Ana", card="red-3a")) == "Ana lays red 3"
    assert EN.say(say("event.placed", by="Ana", card="red-3")) == "Ana lays red 3"
    assert EN.say(say("event.placed", by="Ana", card="blue-9")) == "Ana lays blue-9"


def test_a_zone_is_named_by_its_parts_and_the_fewest_stars_win() -> None:
    zone = Words("en", {}, {"en": {**GAME["en"], "at": "{zone:zone}"}}, BOX, strict=True)
    names = ["left/crown", "left/thief", "seat/Ana", "a/b/c", "hall", "attic", None]
    said = [zone.say(say("at", zone=name)) for name in names]
    assert said == ["crown side, left nest", "thief side, left nest", "before Ana", "corner", "the hall", "attic", ""]


def test_none_and_truth_are_looked_up_by_name() -> None:
    kinds = {"en": {"is": {"none": "nowhere", "true": "yes", "false": "no"}, "at": "{a:is} {b:is} {c:is}"}}
    assert Words("en", kinds, strict=True).say(say("at", a=None, b=True, c=False)) == "nowhere yes no"


def test_a_capital_kind_begins_with_a_capital() -> None:
    words = Words("en", {"en": {"at": "{card:Piece}, {by:Piece}"}}, GAME, BOX, strict=True)
    assert words.say(say("at", card="red-3a", by="de la Cruz")) == "Red 3, De la Cruz"


def test_messages_within_messages_are_said_also_after_a_journal() -> None:
    inner = say("event.placed", by="Ana", card="red-3a")
    outer = say("notice.taken-back", what=inner)
    read_back = msgspec.convert(msgspec.json.decode(msgspec.json.encode(outer)), Message)
    assert EN.say(outer) == EN.say(read_back) == "Taken back: Ana lays red 3"


def test_verbatim_is_the_same_in_every_language() -> None:
    assert {tiny_words(language).say(verbatim("41 %")) for language in LANGUAGES} == {"41 %"}


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 cards left"), (1, "one card left"), (2, "2 cards left"), (21, "21 cards left")]
)
def test_the_number_chooses_the_plural(n: int, text: str) -> None:
    assert EN.say(say("event.left", n=n)) == text


def test_zero_has_its_own_plural_where_there_is_one() -> None:
    assert [EN.say(say("score.none", n=n)) for n in (0, 1)] == ["none", "1"]


@pytest.mark.parametrize(
    ("language", "names", "text"),
    [
        ("en", [], ""),
        ("en", ["Ana"], "Ana"),
        ("en", ["Ana", "Bo"], "Ana and Bo"),
        ("de", ["Ana", "Bo", "Cy"], "Ana, Bo und Cy"),
        ("ca", ["Ana", "Imma"], "Ana i Imma"),
        ("es", ["Ana", "Bo"], "Ana y Bo"),
        ("es", ["Ana", "Íñigo"], "Ana e Íñigo"),
        ("es", ["Ana", "Hilario"], "Ana e Hilario"),
        ("es", ["nieve", "hielo"], "nieve y hielo"),
    ],
)
def test_lists_are_joined_as_the_language_does(language: str, names: list[str], text: str) -> None:
    words = Words(language, read_shared_wording(), {language: {"who": "{names}"}}, strict=True)
    assert words.say(say("who", names=names)) == text


def test_missing_texts_are_said_in_english_then_as_their_key() -> None:
    german = tiny_words("de")
    assert german.say(say("lay")) == "Lay a card"
    assert german.say(say("no.such.key")) == "no.such.key"
    assert german.say(say("event")) == "event"
    assert german.say(say("event.placed", by="Ana")) == "Ana legt ?"
    assert Words("de", {"de": {"at": "{x:nothing}"}}).say(say("at", x=3)) == "3"


@pytest.mark.parametrize("message", [say("lay"), say("event.placed", by="Ana"), say("broken", x=1)])
def test_strict_words_raise_where_something_is_missing(message: Message) -> None:
    words = Words("de", {"de": {"broken": "{x:nothing}"}}, GAME, BOX, strict=True)
    with pytest.raises(WordingError):
        words.say(message)


@pytest.mark.parametrize(
    "entry", [{"a": {"*": "{0:a}"}, "at": "{x:a}"}, {"a": {"*": "{0:b}"}, "b": {"*": "{0:a}"}, "at": "{x:a}"}]
)
def test_wording_that_refers_to_itself_ends(entry: dict[str, Any]) -> None:
    assert Words("en", {"en": entry}).say(say("at", x="round")) == "round"


def test_an_unknown_language_names_those_there_are() -> None:
    with pytest.raises(WordingError, match="'fr': there are en, de, es, ca"):
        load_words("fr")


def test_the_shared_wording_is_complete_and_alike_in_all_languages() -> None:
    assert check(read_shared_wording()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_and_every_button_has_a_shared_text(language: str) -> None:
    words = load_words(language, strict=True)
    wanted = [f"refusal.{code}" for code in CODES] + [
        f"button.{action}" for action in Action if action is not Action.DIRECT
    ]
    assert [key for key in wanted if not words.has(key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["foreign", "damaged", "double"])
def test_strange_tags_are_named_with_their_place(language: str, kind: str) -> None:
    words = Words(language, read_shared_wording(), {language: {**GAME["de"]}}, BOX, strict=True)
    said = words.say(say(f"refusal.tag-{kind}", text="red-3a", zone="left/crown"))
    assert "Seite Krone, linkes Nest" in said
    assert "{" not in said


def test_check_tells_everything_that_is_wrong() -> None:
    wording = {
        "en": {"a": "{x}", "b": {"one": "one", "other": "{n}"}, "c": "{x:ghost}", "d": "{no brace", "e": "{x:guild}"},
        "de": {"a": "{y}", "b": {"one": "{n}", "other": "{n}"}, "c": "{x}", "d": "x", "e": "{x:der-gilde}"},
        "es": {"a": "{x}", "b": {"one": "uno", "other": "{n}"}, "c": "{x}", "e": "{x:guild}"},
    }
    wording["de"]["der-gilde"] = {"crown": "der Krone"}
    assert check(wording, {"en": {"guild": {}}, "es": {}}) == [
        "ca: there is no ca.toml",
        "de: a has {y}; en has {x}",
        "es: d is missing; en says '{no brace'",
        "en: c asks for the kind 'ghost'; there is no table [ghost]",
        "en: d has a brace that is no placeholder: '{no brace'",
        "es: e asks for the kind 'guild'; there is no table [guild]",
    ]


@pytest.mark.parametrize(
    ("text", "problem"), [("a = \n", "not a TOML file"), ("[a]\nb = 3\n", r"key a\.b: 3 is no text")]
)
def test_a_broken_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "de.toml").write_text(text, "utf-8")
    with pytest.raises(WordingError, match=rf"de\.toml: {problem}"):
        read(tmp_path)


def test_a_folder_with_some_languages_gives_those(tmp_path: Path) -> None:
    (tmp_path / "es.toml").write_text('a = "¡hola!"\n', "utf-8")
    assert read(tmp_path) == {"es": {"a": "¡hola!"}}
