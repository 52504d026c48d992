#!/bin/sh
# Run by the real systemd in a namespace: uses the real unit with a stand-in for the program, and writes down what
# happens.
exec >/job/said 2>&1
state() { systemctl show companion -P ActiveState -P StatusText -P NRestarts -P Result -P ExecMainStatus | tr '\n' ' '; }
until_started() { # N: waits for the start with this number; on a busy machine it may take long
    tries=0
    until [ "$(systemctl show companion -P NRestarts)" -ge "$1" ] && systemctl -q is-active companion; do
        tries=$((tries + 1))
        [ $tries -lt 3000 ] || break
        sleep 0.1
    done
}
cp /job/stand_in.py /usr/local/bin/stand-in
chmod 755 /usr/local/bin/stand-in
mkdir -p /opt/companion/current/venv/bin /etc/companion /etc/sysusers.d
ln -sf /usr/local/bin/stand-in /opt/companion/current/venv/bin/companion
cp /job/companion.sysusers /etc/sysusers.d/companion.conf
systemd-sysusers /etc/sysusers.d/companion.conf
# nodes without a driver: no such device where they are allowed, and no permission where they are not
mknod /dev/vcio c 10 250 && mknod /dev/strange c 10 251
chgrp video /dev/vcio /dev/strange && chmod 660 /dev/vcio /dev/strange
sed 's/^WatchdogSec=.*/WatchdogSec=10/; s/^RestartSec=.*/RestartSec=1/; s/^Timeout\(Start\|Stop\)Sec=.*/Timeout\1Sec=300/' /job/companion.service >/etc/systemd/system/companion.service
systemctl daemon-reload
systemctl start companion
echo "started $(state)"
echo "user $(ps -o user= -p "$(systemctl show companion -P MainPID)")"
systemctl kill --signal=KILL companion
until_started 1
echo "killed $(state)"
touch /run/companion/hang
chown companion /run/companion/hang
until_started 2
echo "hung $(state)"
systemctl stop companion
echo "stopped $(state)"
ls -ld /var/lib/companion
journalctl --sync
journalctl -u companion -o cat --no-pager >/job/journal
