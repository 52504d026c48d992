#!/bin/sh
# Run by the real systemd in a clean Debian in which the box is installed, in the versions 1.0.0 and 1.1.0: starts it,
# goes back and updates, both cut after switching and before the restart, stops it, and writes down what happens.
exec >/job/said 2>&1
installed=/opt/companion/current/systemd/install.sh
state() { systemctl show companion -P ActiveState -P NRestarts | tr '\n' ' ' | sed 's/ $//'; }
version() { sed 's|.*/releases/\([^-]*\)-.*|\1|'; }
used() {
    process=$(systemctl show companion -P MainPID)
    echo "current $(readlink -f /opt/companion/current/ | sed 's|$|/|' | version)," \
        "runs $(tr '\0' '\n' <"/proc/$process/cmdline" | head -n 1 | version)"
}
killing=$(mktemp -d) quiet=$(mktemp -d)
cut() { PATH=$killing:$PATH "$@"; }
cat >"$killing/systemctl" <<'KILLER'
#!/bin/sh
# The installer is killed instead of restarting the service.
case $1 in restart) kill -9 $PPID ;; *) exec /bin/systemctl "$@" ;; esac
KILLER
printf '#!/bin/sh\n' >"$quiet/apt-get" # there is no network here, and nothing new to know
chmod 755 "$killing/systemctl" "$quiet/apt-get"
PATH=$quiet:$PATH
systemctl start companion
echo "active: $(state)"
echo "status: $(systemctl show companion -P StatusText)"
echo "in use: $(used)"
cut $installed --rollback
echo "rollback cut: $(used)"
echo "rollback: $($installed --rollback | tail -n 1)"
echo "after rollback: $(used), $(state)"
cut /clone/systemd/install.sh
echo "update cut: $(used)"
echo "update: $(/clone/systemd/install.sh | tail -n 1)"
echo "after update: $(used), $(state)"
echo "again: $(/clone/systemd/install.sh | tail -n 1)"
systemctl stop companion
echo "stopped: $(systemctl show companion -P ActiveState -P Result | sort | tr '\n' ' ' | sed 's/ $//')"
journalctl --sync
journalctl -u companion -o cat --no-pager
