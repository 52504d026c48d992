#!/bin/sh
# Starts the real systemd as process 1 of namespaces of its own, over an overlay of this machine's root or of another
# one: nothing on disk changes, and there is no network. Needs root.
#
# usage: in_namespace.sh FOLDER JOB [ROOT]    FOLDER is seen inside as /job; its file JOB is run there, then all ends.
set -eu
folder=$(realpath "$1") job=$2 lower=${3:-/}
begin=$(mktemp)
trap 'rm -f "$begin"' EXIT
cat >"$begin" <<BEGIN
set -eu
mount --make-rprivate /
layers=\$(mktemp -d)
mount -t tmpfs tmpfs \$layers
mkdir \$layers/upper \$layers/work \$layers/root
mount -t overlay overlay -o lowerdir=$lower,upperdir=\$layers/upper,workdir=\$layers/work \$layers/root
cd \$layers/root
cat >etc/systemd/system/job.service <<UNIT
[Unit]
After=basic.target systemd-journald.service
[Service]
Type=oneshot
ExecStart=/bin/sh /job/$job
ExecStopPost=/bin/systemctl poweroff --force
UNIT
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 none sys/fs/cgroup
for part in run tmp dev; do mount -t tmpfs tmpfs \$part; done
for node in null zero full random urandom tty; do
    touch dev/\$node
    mount --bind /dev/\$node dev/\$node
done
mkdir -p dev/pts dev/shm job
ln -s /proc/self/fd dev/fd
mount --bind "$folder" job
exec chroot . env -i container=unshare PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --log-target=console --show-status=0 --unit=job.service
BEGIN
timeout 1200 unshare --mount --pid --uts --ipc --net --cgroup --fork --kill-child sh "$begin"
