"""Files from outside: whatever lies there, it is read in bounded time and memory, or refused in words."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.files import OWNERS_BYTES, FileError, lines, opened, read, read_text, there


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _large(path: Path) -> None:
    path.write_bytes(bytes(OWNERS_BYTES + 1))


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**40)  # a terabyte of nothing, which takes no room


def _missing(path: Path) -> None:
    path.symlink_to(path.with_name("gone"))


WRONG: dict[Callable[[Path], None], str] = {
    Path.mkdir: "is a folder; name a file",
    _pipe: "is a pipe; name a file",
    _socket: "is a socket; name a file",
    _device: "is a device; name a file",
    _loop: "can't be read (Too many levels of symbolic links); name a file that can",
    _missing: "can't be read (No such file or directory); name a file that can",
    _large: "has more than 256 KiB; name a smaller file",
    _huge: "has more than 256 KiB; name a smaller file",
}


@pytest.mark.parametrize("way", [read, read_text, lambda path: list(lines(path, OWNERS_BYTES, 2**41))])
@pytest.mark.parametrize(("make", "words"), WRONG.items(), ids=lambda one: getattr(one, "__name__", ""))
def test_what_is_no_file_or_too_large_is_told_at_once(
    tmp_path: Path, way: Callable[[Path], object], make: Callable[[Path], None], words: str
) -> None:
    path = tmp_path / "a.toml"
    make(path)
    with pytest.raises(FileError) as refused:
        way(path)
    assert str(refused.value) == f"{path}: {words}"
    assert refused.value.missing == (make is _missing)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"\xef\xbb\xbfname = 'x'\r\n", "name = 'x'\r\n"),
        (b"x" * OWNERS_BYTES, "x" * OWNERS_BYTES),
    ],
)
def test_a_text_is_read_whole_and_without_what_some_editors_put_first(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(data)
    assert read_text(path) == text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a\nb = '\xe4'\n", "line 2: letters in another encoding; save the file as UTF-8"),
        ("name = 'x'".encode("utf-16"), "line 1: letters in another encoding; save the file as UTF-8"),
        ("name = 'x'".encode("utf-16-le"), "line 1: a zero byte, which no text has; save the file as UTF-8"),
        (b"a\n\0", "line 2: a zero byte, which no text has; save the file as UTF-8"),
    ],
)
def test_what_is_no_text_is_named_with_its_line(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(data)
    with pytest.raises(FileError) as refused:
        read_text(path)
    assert str(refused.value) == f"{path}, {words}"


def test_lines_come_one_after_the_other_with_their_ends(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b"one\n\ntwo")
    assert list(lines(path, 8)) == [b"one\n", b"\n", b"two"]


def test_of_too_many_lines_the_first_ones_come_and_then_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b"one\ntwo\n" * 2**20)
    coming = lines(path, 2**20)
    assert [next(coming), next(coming)] == [b"one\n", b"two\n"]
    with pytest.raises(FileError, match="j: has more than 1 MiB; name a smaller file"):
        list(coming)


def test_a_line_without_end_is_named(tmp_path: Path) -> None:
    _huge(tmp_path / "j")
    with pytest.raises(FileError, match="j, line 1: has more than 262,144 bytes; name another file"):
        list(lines(tmp_path / "j", 2**40))


def test_a_name_with_a_zero_byte_or_a_line_break_is_refused_in_one_line(tmp_path: Path) -> None:
    for name, shown in (("a\0b", r"a\x00b"), ("a\nb", r"a\nb")):
        with pytest.raises(FileError) as refused:
            read(tmp_path / name)
        assert str(refused.value).startswith(f"{tmp_path}/{shown}: can't be read (")


def test_a_file_that_becomes_a_pipe_while_it_is_opened_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    looked_at = (tmp_path / "file").stat()
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(Path, "stat", lambda _path: looked_at)
    with pytest.raises(FileError, match="is a pipe"), opened(tmp_path / "pipe"):
        pass


def test_what_cannot_be_read_is_there_all_the_same(tmp_path: Path) -> None:
    _missing(tmp_path / "dangling")
    _pipe(tmp_path / "pipe")
    assert [there(tmp_path / name) for name in ("dangling", "pipe", "nothing")] == [True, True, False]
