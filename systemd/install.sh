#!/bin/sh
# Installs Tabletop Companion as a service of Raspberry Pi OS or Debian. README.md beside this file tells all.
#
#   sudo systemd/install.sh              install, or update: the new version comes to lie beside the old one
#   sudo systemd/install.sh --check      only say what is wrong
#   sudo systemd/install.sh --rollback   go back to the version before
#   sudo systemd/install.sh --remove     remove the program; games and settings stay
#   sudo systemd/install.sh --purge      remove games and settings too, after asking
#
# For tests: COMPANION_ROOT is put before all paths and makes root unnecessary, COMPANION_PYTHON is the system's Python.
set -eu
umask 022
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
source=$(dirname -- "$here")
root=${COMPANION_ROOT:-}
python=${COMPANION_PYTHON:-/usr/bin/python3}
base=$root/opt/companion
settings=$root/etc/companion
state=$root/var/lib/companion
units=$root/etc/systemd/system
users=$root/etc/sysusers.d/companion.conf
command=$root/usr/local/bin/companion

NEEDED='python3-venv python3-numpy python3-opencv libzbar0t64|libzbar0 fonts-spleen'
ON_A_PI='python3-picamera2 python3-lgpio' # in Raspberry Pi's repository; Debian's own lacks them
PARTS='companion vision devices systemd pyproject.toml README.md'
DISK_MB=300      # a release has about 100 MB, and pip unpacks it
PACKAGES_MB=1500 # OpenCV brings a lot
KEPT=3
RAISING_BACKOFF=254 # the first systemd that knows RestartSteps=

problems=
hints=
missing=
half_built=
changed=no

main() {
    cd /
    case ${1:-} in
    '') install_ ;;
    --check) check ;;
    --rollback) rollback ;;
    --remove) remove ;;
    --purge) purge ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$here/install.sh" ;;
    *) fail "$1: no such option; there are --check, --rollback, --remove, --purge and --help" ;;
    esac
}

say() { printf '%s\n' "$*"; }

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

problem() {
    problems="$problems
  - $*"
}

hint() {
    hints="$hints
  - $*"
}

# --- checks -----------------------------------------------------------------------------------------------------------

check() {
    find_out_what_is_wrong
    say "All that is needed is there${missing:+, or can be installed:$missing}."
}

# Says everything that is wrong at once, and ends if any of it forbids installing.
find_out_what_is_wrong() {
    is_root || [ "${1:-}" != must-be-root ] || problem "This must run as root: sudo $here/install.sh"
    check_system
    check_systemd
    check_python
    check_packages
    check_disk
    check_pi
    [ -z "$hints" ] || say "Worth knowing:$hints"
    [ -z "$problems" ] || fail "this is wrong, and nothing was changed:$problems"
}

is_root() { [ -n "$root" ] || [ "$(id -u)" = 0 ]; }

check_system() {
    architecture=$(dpkg --print-architecture 2>/dev/null || echo unknown)
    case $architecture in
    arm64 | amd64) ;;
    # a 32-bit system may well have a 64-bit kernel, so uname doesn't tell
    *) problem "This system is for $architecture, not for 64 bits: OpenCV and zxing-cpp have no packages for it." \
        "Write the 64-bit Raspberry Pi OS onto the card." ;;
    esac
    id=$(os_release ID) version_id=$(os_release VERSION_ID) name=$(os_release PRETTY_NAME)
    case $id:$version_id in
    debian: | debian:1[2-9] | debian:[2-9][0-9]) ;;
    *) problem "This system is ${name:-unknown}: Raspberry Pi OS or Debian is needed, Bookworm (12) or newer." ;;
    esac
}

check_systemd() {
    for program in systemctl systemd-sysusers; do
        command -v $program >/dev/null || problem "$program is missing: sudo apt-get install systemd"
    done
}

os_release() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$root/etc/os-release" 2>/dev/null || true; }

check_python() {
    found=$("$python" -c 'import sys; print(".".join(map(str, sys.version_info[:2])))' 2>/dev/null || true)
    case $found in
    3.1[1-9] | 3.[2-9][0-9])
        clash=$("$python" "$here/packages.py" clashes) || problem "$clash"
        ;;
    '') problem "$python is missing or broken: sudo apt-get install python3" ;;
    *) problem "$python is Python $found: 3.11 or newer is needed, as in Bookworm." ;;
    esac
}

check_disk() {
    folder=$base
    while [ ! -d "$folder" ]; do folder=$(dirname -- "$folder"); done
    free_mb=$(df -Pk -- "$folder" | awk 'NR == 2 {print int($4 / 1024)}')
    needed_mb=$DISK_MB
    [ -z "$missing" ] || needed_mb=$((DISK_MB + PACKAGES_MB))
    [ "$free_mb" -ge $needed_mb ] ||
        problem "$folder has $free_mb MB free, $needed_mb MB are needed: make room, for example by sudo apt-get clean"
}

# Finds out which packages are missing, and whether apt can bring them.
check_packages() {
    for wanted in $NEEDED $ON_A_PI; do
        is_installed "$wanted" || missing="$missing $wanted"
    done
    [ -n "$missing" ] || return 0
    if ! is_root; then
        hint "Whether apt can install$missing was not checked: that needs root."
        return
    fi
    if ! answer=$(apt-get update -q -o APT::Update::Error-Mode=any 2>&1); then
        problem "The packages$missing are missing, and apt can't be reached:" \
            "$(say "$answer" | sed -n '/^[EW]: /{p;q;}') Is there a network? 'sudo apt-get update' tells more."
        return
    fi
    wanted_ones=$missing missing=
    for wanted in $wanted_ones; do
        if one=$(known_to_apt "$wanted"); then
            missing="$missing $one"
        else
            case " $ON_A_PI " in
            *" $wanted "*) without "$wanted" ;;
            *) problem "apt knows no package $wanted; is Debian's main archive in its sources?" ;;
            esac
        fi
    done
}

without() {
    case $1 in
    python3-picamera2) effect='a camera on the ribbon cable can not be used, only one on USB' ;;
    *) effect='buttons, lamps and buzzer can not be used' ;;
    esac
    hint "$1 is in Raspberry Pi's repository, not in this system's; going on without: $effect."
}

# One of alternatives with | between them.
is_installed() {
    for one in $(say "$1" | tr '|' ' '); do
        case $(dpkg-query -W -f '${db:Status-Abbrev}' "$one" 2>/dev/null) in ii*) return 0 ;; esac
    done
    return 1
}

known_to_apt() {
    for one in $(say "$1" | tr '|' ' '); do
        if [ -n "$(apt-cache madison "$one" 2>/dev/null)" ]; then
            say "$one"
            return 0
        fi
    done
    return 1
}

check_pi() {
    model=$(cat -- "$root/proc/device-tree/model" 2>/dev/null | tr -d '\000')
    case $model in
    *'Raspberry Pi'*) ;;
    *)
        hint "This is no Raspberry Pi: there are no pins and no display, the box can only be tried out."
        return
        ;;
    esac
    [ -e "$root/dev/i2c-1" ] ||
        hint "I2C is off, so a display on it stays dark: sudo raspi-config nonint do_i2c 0"
    grep -qE '^(camera_auto_detect=1|dtoverlay=(imx|ov))' "$root/boot/firmware/config.txt" 2>/dev/null ||
        hint "The camera on the ribbon cable is off: write camera_auto_detect=1 into /boot/firmware/config.txt, and restart."
    grep -qE '^start_x=1' "$root/boot/firmware/config.txt" 2>/dev/null &&
        hint "start_x=1 in /boot/firmware/config.txt asks for the old camera system: remove that line, and restart."
    return 0
}

# --- installing -------------------------------------------------------------------------------------------------------

install_() {
    [ -f "$source/pyproject.toml" ] ||
        fail "$source is not the project: run systemd/install.sh from a clone or an unpacked release"
    find_out_what_is_wrong must-be-root
    take_the_lock
    rm -f -- "$base/returning" # whoever installs has given up going back
    clear_away
    install_packages
    put "$here/companion.sysusers" "$users" 0644
    systemd-sysusers ${root:+--root="$root"} "$users"
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$source/pyproject.toml")
    name=$version-$(fingerprint)
    find_release "$name"
    [ -n "$release" ] || build "$name"
    install_settings "$release" "$(release_of current)"
    use "$release"
    prune "$release"
    if [ $changed = no ]; then
        say "Version $release is installed already; nothing was changed."
    else
        say "Installed: version $release."
    fi
}

# One installer at a time; the lock ends with the process and all that it has started.
take_the_lock() {
    mkdir -p -- "$base"
    exec 9>>"$base/lock"
    flock -n 9 || fail "another installer is at work; wait for it"
}

# Notes on the disk, before the first change that the service will have to be restarted for, that there is one, and
# which release was in use. The note is taken away when the service has come up: a run that was cut leaves it behind.
begin() {
    changed=yes
    [ -L "$base/unfinished" ] || point "releases/$(release_of current)" "$base/unfinished"
}

finish() { rm -f -- "$base/unfinished" "$base/returning"; }

install_packages() {
    [ -n "$missing" ] || return 0
    say "Installing packages:$missing"
    begin
    dpkg --configure -a >"$base/apt.log" 2>&1 </dev/null || true # after a cut apt-get refuses to work without it
    # shellcheck disable=SC2086 # names without spaces
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >"$base/apt.log" 2>&1 </dev/null ||
        fail "apt-get install$missing failed, nothing else was changed: $(tail -n 5 "$base/apt.log")"
    rm -f -- "$base/apt.log"
}

# Names the very files, and the Python they are installed for: after an upgrade of the system it is another release.
fingerprint() {
    (
        cd -- "$source"
        # shellcheck disable=SC2086 # names without spaces
        find $PARTS -type f ! -path '*/__pycache__/*' -print0 | sort -z | xargs -0 sha256sum
        "$python" -c 'import sys; print(sys.version_info[:2])'
    ) | sha256sum | cut -c 1-8
}

# Sets release to one of this name that is complete and passes its test: the one in use, if it does; or to nothing.
find_release() {
    release=
    used=$(release_of current)
    for path in "$base/releases/$used" "$base/releases/$1" "$base/releases/$1"-*; do
        [ "$(files_of "${path##*/}")" = "$1" ] || continue
        if [ ! -e "$path/complete" ] || [ "${path##*/}" = "$release" ]; then continue; fi
        release=${path##*/}
        if why=$(test_release "$path" 2>&1); then
            [ "$release" = "$used" ] || say "Version $release is there already."
            return
        fi
        say "Version $release is there, but does not pass its test:" "$why"
    done
    release=
}

# The name without the number by which a release that was built again differs.
files_of() { say "$1" | sed 's/\(-[0-9a-f]\{8\}\)-[0-9]*$/\1/'; }

# Makes a release beside the others, tests it, and sets release to it; a failure leaves no trace.
build() {
    release=$1 number=1
    while [ -e "$base/releases/$release" ]; do
        number=$((number + 1)) release=$1-$number
    done
    new=$base/releases/$release
    half_built=$new
    changed=yes
    trap discard_half_built EXIT
    trap 'exit 130' INT HUP TERM
    mkdir -p -- "$new/source"
    say "Building version $release, which takes some minutes ..."
    for part in $PARTS; do cp -R -- "$source/$part" "$new/source/"; done # pip litters the folder it builds in
    cp -R -- "$source/systemd" "$new/systemd"
    chmod -R u=rwX,go=rX "$new/systemd" # whatever the clone's were
    "$python" -m venv --system-site-packages "$new/venv" >"$new/log" 2>&1 || broken "python3 -m venv"
    "$new/venv/bin/python" "$here/packages.py" constraints >"$new/constraints.txt"
    "$new/venv/bin/python" "$here/packages.py" requirements "$here/requirements.lock" >"$new/requirements.txt"
    # no compiler: a package without a ready-made wheel is an error at once, not after an hour
    pip --require-hashes --no-deps --only-binary :all: -r "$new/requirements.txt"
    # what it takes to build is locked as well, and installed by now
    pip --no-index --no-deps --no-build-isolation "$new/source"
    rm -rf -- "$new/source"
    as_service "$new/venv/bin/companion" config example >"$new/config.example.toml" 2>"$new/log" ||
        broken "companion config example"
    test_release "$new" || fail "version $release does not pass its test, see above; it is not used"
    rm -f -- "$new/log"
    sync # complete must not be on the disk before the rest
    : >"$new/complete"
    sync -- "$new"
    half_built=
}

pip() {
    "$new/venv/bin/python" -m pip install -q --no-input --no-cache-dir --disable-pip-version-check "$@" \
        >"$new/log" 2>&1 || broken "pip install"
}

broken() {
    # pip names each of a package's locked hashes before the one that it got
    fail "$1 failed; the version that was installed stays in use. $(sed '/^ *Expected /d' "$new/log" | tail -n 8)"
}

discard_half_built() { [ -z "$half_built" ] || rm -rf -- "$half_built"; }

# Whether a release runs: its command, everything compiled, its own example of settings. What is wrong is printed.
test_release() {
    as_service "$1/venv/bin/companion" --version >/dev/null || {
        say "companion --version: failed"
        return 1
    }
    as_service "$1/venv/bin/python" "$1/systemd/packages.py" selftest "$1/constraints.txt" || return 1
    check_settings "$1" "$1/config.example.toml"
}

check_settings() {
    answer=$(as_service "$1/venv/bin/companion" config check "$2" 2>&1) || {
        say "$answer"
        return 1
    }
}

# Runs something with the rights that the service has.
as_service() {
    if [ -z "$root" ]; then
        timeout 120 runuser -u companion -- env HOME="$state" "$@"
    else
        "$@"
    fi
}

# The owner's settings are never touched; what is new in the example lies beside them.
install_settings() {
    example=$base/releases/$1/config.example.toml
    if [ ! -e "$settings/config.toml" ]; then
        put "$example" "$settings/config.toml" 0640 companion
    elif ! cmp -s "$example" "$base/releases/$2/config.example.toml" && ! cmp -s "$example" "$settings/config.toml"; then
        put "$example" "$settings/config.toml.new" 0644
        say "Your settings stay as they are; what they could be now is in $settings/config.toml.new"
    fi
    # something wrong there stops no box: it takes the default instead
    check_settings "$base/releases/$1" "$settings/config.toml" || say "To be mended in $settings/config.toml, when you like."
}

# --- which release is used --------------------------------------------------------------------------------------------

release_of() { basename -- "$(readlink -- "$base/$1" 2>/dev/null || true)"; }

# The release whose program the service runs, which after a cut may be another than the current one; empty if none.
running() {
    [ -d "$root/run/systemd/system" ] || return 0
    process=$(systemctl show -P MainPID companion 2>/dev/null || true)
    # the first word is the Python that the program's first line names
    tr '\0' '\n' 2>/dev/null <"$root/proc/${process:-0}/cmdline" | sed -n '1s|.*/releases/\([^/]*\)/venv/.*|\1|p'
}

# Uses a release; if the service then doesn't come up, the one that came up last.
use() {
    now=$(running)
    back=
    for one in $now $(release_of unfinished) $(release_of current); do
        if [ "$one" = "$1" ] || [ ! -d "$base/releases/$one" ]; then continue; fi
        back=$one
        break
    done
    if [ -L "$base/unfinished" ]; then
        changed=yes
    elif ! systemctl -q is-enabled companion || { [ -n "$now" ] && [ "$now" != "$1" ]; }; then
        begin
    fi
    place "$1"
    [ $changed = yes ] || return 0
    if start; then
        if [ -n "$back" ] && [ "$(files_of "$back")" != "$(files_of "$1")" ]; then
            point "releases/$back" "$base/previous"
        fi
        finish
        return 0
    fi
    why='journalctl -u companion tells why'
    [ -n "$back" ] || fail "version $1 is installed, but the service does not start: $why"
    place "$back"
    start || fail "the service does not start, neither with version $1 nor with version $back, which is used again: $why"
    finish
    fail "the service does not start with version $1 ($why); version $back is used again"
}

place() {
    if [ "$(release_of current)" != "$1" ]; then
        begin
        point "releases/$1" "$base/current"
    fi
    own=$base/releases/$1/systemd
    put "$own/companion.service" "$units/companion.service" 0644
    if [ "$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')" -ge $RAISING_BACKOFF ]; then
        put "$own/companion.service.d/backoff.conf" "$units/companion.service.d/backoff.conf" 0644
    fi
    if [ "$(readlink -- "$command" 2>/dev/null)" != /opt/companion/current/venv/bin/companion ]; then
        begin
        point /opt/companion/current/venv/bin/companion "$command"
    fi
}

# Whether the service comes up; being of Type=notify, systemctl waits for its word.
start() {
    systemctl -q enable companion || return 1
    if [ -d "$root/run/systemd/system" ]; then
        systemctl daemon-reload && systemctl restart companion
    else
        say "systemd is not running here: the service begins with the next start of the machine."
    fi
}

# Lets a symbolic link point to something else, in one step: there is no moment without it, and a power cut finds the old
# or the new one.
point() {
    mkdir -p -- "$(dirname -- "$2")"
    rm -f -- "$2.next"
    ln -s -- "$1" "$2.next"
    mv -T -- "$2.next" "$2"
    sync -- "$(dirname -- "$2")"
}

# Copies a file in one step, if it isn't there with the same content already, and gives it to a group.
put() {
    if cmp -s -- "$1" "$2"; then
        rm -f -- "$2.next" # from a run that was cut
        return 0
    fi
    begin
    mkdir -p -- "$(dirname -- "$2")"
    cp -- "$1" "$2.next"
    chmod "$3" "$2.next"
    [ -z "${4:-}" ] || [ -n "$root" ] || chgrp "$4" "$2.next"
    sync -- "$2.next"
    mv -T -- "$2.next" "$2"
    sync -- "$(dirname -- "$2")"
}

# The releases that must stay, each between spaces.
needed() { say " $(release_of current) $(release_of previous) $(release_of unfinished) $(running) "; }

# Clears away what runs that were cut have left half built or half removed.
clear_away() {
    stay=$(needed)
    for path in "$base/releases"/*/; do
        other=$(basename -- "$path")
        case $stay in *" $other "*) continue ;; esac
        [ ! -d "$path" ] || [ -e "$path/complete" ] || discard "$other"
    done
}

# Removes the oldest releases, and all others of the same files, never the one in use nor the one before.
prune() {
    stay=$(needed)
    kept=1
    [ ! -L "$base/previous" ] || kept=2
    # shellcheck disable=SC2045 # their names are made here; only ls sorts by time
    for path in $(ls -1td -- "$base/releases"/*/); do
        other=$(basename -- "$path")
        case $stay in *" $other "*) continue ;; esac
        kept=$((kept + 1))
        if [ $kept -gt $KEPT ] || [ "$(files_of "$other")" = "$(files_of "$1")" ]; then
            discard "$other"
            say "Removed the old version $other."
        fi
    done
}

discard() {
    rm -f -- "$base/releases/$1/complete"
    sync -- "$base/releases/$1" # half of it must never pass for the whole
    rm -rf -- "${base:?}/releases/$1"
}

rollback() {
    is_root || fail "this must run as root: sudo $here/install.sh --rollback"
    to=$(release_of returning) from=$(release_of current) # from a run that was cut
    if [ -z "$to" ] && [ -L "$base/unfinished" ] && [ "$(release_of unfinished)" != "$from" ]; then
        to=$(release_of unfinished) # an update was cut, and the one before was in use until then
    fi
    [ -n "$to" ] || to=$(release_of previous)
    [ -e "$base/releases/${to:-none}/complete" ] || fail "there is no version before this one to go back to"
    take_the_lock
    clear_away
    test_release "$base/releases/$to" || fail "version $to does not pass its test, see above; version $from stays in use"
    [ -L "$base/returning" ] || point "releases/$to" "$base/returning"
    use "$to"
    finish
    say "Version $to is used again, instead of $(release_of previous)."
}

# --- removing ---------------------------------------------------------------------------------------------------------

remove() {
    is_root || fail "this must run as root: sudo $here/install.sh --remove"
    if [ ! -d "$base" ] && [ ! -e "$units/companion.service" ]; then
        say "Nothing is installed."
        return 0
    fi
    take_away
    say "Removed. Games in $state and settings in $settings are still there, and so are the system's packages."
}

# What shows that something is installed goes last, so that a run that was cut can be repeated.
take_away() {
    take_the_lock
    if [ -e "$units/companion.service" ]; then
        systemctl -q disable companion
        [ ! -d "$root/run/systemd/system" ] || systemctl stop companion
    fi
    rm -f -- "$units/companion.service" "$units/companion.service.d/backoff.conf" "$command"
    rmdir -- "$units/companion.service.d" 2>/dev/null || true # the owner's own drop-ins stay
    [ ! -d "$root/run/systemd/system" ] || systemctl daemon-reload
    rm -f -- "$base/current" "$base/previous" "$base/unfinished" "$base/returning" "$base/releases"/*/complete
    rm -rf -- "$base"
}

purge() {
    is_root || fail "this must run as root: sudo $here/install.sh --purge"
    say "All games in $state and all settings in $settings will be deleted as well. Type yes to go on:"
    answer=
    read -r answer || true
    [ "$answer" = yes ] || fail "the answer was not yes; nothing was changed"
    take_away
    rm -rf -- "$state" "$settings" "$users"
    if [ -z "$root" ] && id companion >/dev/null 2>&1; then userdel companion; fi
    say "Removed, with all games, all settings and the user companion. The system's packages are still there."
}

main "$@"
