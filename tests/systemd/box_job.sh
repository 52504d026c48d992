#!/bin/sh
# Run by the real systemd in a clean Debian in which the box is installed: starts it, rolls it back, stops it, and writes
# down what happens.
exec >/job/said 2>&1
state() { systemctl show companion -P ActiveState -P NRestarts | tr '\n' ' ' | sed 's/ $//'; }
systemctl start companion
echo "active: $(state)"
echo "status: $(systemctl show companion -P StatusText)"
echo "rollback: $(/opt/companion/current/systemd/install.sh --rollback | tail -n 1)"
echo "active again: $(state)"
before=$(date +%s%3N)
systemctl stop companion
echo "stopped in ms: $(($(date +%s%3N) - before))"
echo "stopped: $(systemctl show companion -P ActiveState -P Result | sort | tr '\n' ' ' | sed 's/ $//')"
journalctl --sync
journalctl -u companion -o cat --no-pager
