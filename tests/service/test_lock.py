"""One process at a time has a journal; the kernel gives it back, however that process ends."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.service.entries import JournalError
from companion.service.journal import Journal
from companion.service.lock import holder_of

HOLD = """
import sys
from pathlib import Path
from companion.service.journal import Journal

journal = Journal(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has the journal open."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "j")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def test_a_second_process_is_refused_with_the_file_and_the_number_of_the_first(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    with pytest.raises(JournalError) as raised:
        Journal(tmp_path / "j")
    assert str(raised.value) == (
        f"journal {tmp_path / 'j'}: process {holder.pid} is playing with it; end that one first, or name another file"
    )
    assert raised.value.trouble == "journal-held"


def test_a_killed_process_gives_it_back_at_once(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with closing(Journal(tmp_path / "j")), pytest.raises(JournalError, match="is playing with it"):
        Journal(tmp_path / "j")


def test_play_says_who_has_the_journal_and_ends(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    command = [sys.executable, "-m", "companion", "play", "phoenix", "--journal", str(tmp_path / "j"), "--plain"]
    second = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (second.returncode, second.stdout) == (1, "")
    assert f"process {holder.pid} is playing with it" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
@pytest.mark.parametrize("number", [0, 1])
def test_by_whatever_name_a_second_process_calls_it_it_is_refused(
    tmp_path: Path, holder: subprocess.Popen[str], link: Callable[[Path, Path], None], number: int
) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / "other"
    link((other, other.with_name("other-2"))[number], (tmp_path / "j", tmp_path / "j-2")[number])
    with pytest.raises(JournalError, match=f"process {holder.pid} is playing with it"):
        Journal(other)
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == [("other", "other-2")[number]]


@pytest.mark.parametrize("gone", ["j", "j-2"])
def test_while_one_of_its_files_is_gone_a_second_process_is_refused_by_the_other(
    tmp_path: Path, holder: subprocess.Popen[str], gone: str
) -> None:
    (tmp_path / gone).unlink()
    with pytest.raises(JournalError, match=f"process {holder.pid} is playing with it"):
        Journal(tmp_path / "j")
    assert holder_of(tmp_path / "j") in ("", f"{holder.pid}")


def test_a_link_to_a_folder_leads_to_the_same_two_files(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    Journal(tmp_path / "link" / "j").close()
    with closing(Journal(tmp_path / "there" / "j")) as journal:
        assert journal.news() == ()
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["j", "j-2"]


def test_of_a_holder_that_the_kernel_does_not_tell_it_is_said_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hidden(self: Path) -> str:
        raise PermissionError(self)

    with closing(Journal(tmp_path / "j")):
        monkeypatch.setattr(Path, "read_text", hidden)
        with pytest.raises(JournalError, match=r"process \(unknown\) is playing"):
            Journal(tmp_path / "j")


OTHERS = """
import os, sys
from pathlib import Path
from companion.service.entries import JournalError
from companion.service.journal import Journal

os.setgid(65534), os.setuid(65534)
try:
    Journal(Path(sys.argv[1]))
except JournalError as error:
    print(error.trouble, error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
@pytest.mark.parametrize("closed", ["j", "j-2", "."])
def test_files_of_another_user_are_named_with_their_owner_and_what_to_type(closed: str) -> None:
    nobody = pwd.getpwuid(65534).pw_name
    with tempfile.TemporaryDirectory() as name:  # others may look into it, unlike a folder of pytest's
        folder = Path(name)
        Journal(folder / "j").close()
        for path in (folder, *folder.iterdir()):
            os.chown(path, 65534, 65534)
        os.chown(folder / closed, 0, 0)
        if closed == ".":
            (folder / "j-2").unlink()
        (folder / closed).chmod(0o755 if closed == "." else 0o644)
        done = subprocess.run([sys.executable, "-c", OTHERS, folder / "j"], capture_output=True, text=True, check=False)
    assert done.stdout == (
        f"journal-owner journal {folder / 'j'}: Permission denied; nothing was written, and the move was not made; "
        f"{folder / closed} is root's, and {nobody} may not write it; type: sudo chown {nobody} {folder / closed}\n"
    ), done.stderr


MAKE = """
import sys
from pathlib import Path
from companion.service.journal import Journal, JournalError

sys.stdin.readline()
try:
    journal = Journal(Path(sys.argv[1]))
    print("open", flush=True)
except JournalError as error:
    print(error.trouble, flush=True)
sys.stdin.readline()
"""


def test_of_those_that_make_it_at_the_same_moment_one_has_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAKE, str(tmp_path / "j")]
    makers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for maker in makers:
        assert maker.stdin
        maker.stdin.write("now\n")
        maker.stdin.flush()
    told = sorted(maker.stdout.readline().strip() for maker in makers if maker.stdout)
    for maker in makers:
        maker.communicate("end\n")
    assert told == [*["journal-held"] * 3, "open"]
