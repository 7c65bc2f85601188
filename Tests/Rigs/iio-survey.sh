#!/bin/sh
# iio-survey.sh PROBE HEADINGCTL ROOT...
#
# For each ROOT of an IIO rig, in one mount namespace and one after the other: a line `root ROOT`, what
# `headingctl sensors --local --json` says, and what `iio-probe survey` measures. Much quicker than a namespace each.
set -eu
if [ "${IIO_NAMESPACE:-}" != inside ]; then
    if [ "$(id -u)" = 0 ]; then user=; else user=-Ur; fi
    IIO_NAMESPACE=inside exec unshare $user -m --propagation private sh "$0" "$@"
fi
export SYSTEMD_DEVICE_VERIFY_SYSFS=0
probe=$1
headingctl=$2
shift 2
nodes=$(mktemp -d)
for node in null zero full random urandom tty; do
    : > "$nodes/$node"
    mount --bind "/dev/$node" "$nodes/$node"
done
mount --rbind "$nodes" /dev
for root; do
    mount --rbind "$root/sys" /sys
    if [ -d /run/udev ]; then mount --bind "$root/run/udev" /run/udev; fi
    for node in "$root"/dev/iio:device*; do
        if [ -e "$node" ]; then ln -s "$node" /dev/; fi
    done
    echo "root $root"
    "$headingctl" sensors --local --json 2> /dev/null || true
    echo 'survey 100' | "$probe" 2> /dev/null || true
    rm -f /dev/iio:device*
    if [ -d /run/udev ]; then umount /run/udev; fi
    umount -l /sys
done
