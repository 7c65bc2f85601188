#!/bin/sh
# iio-namespace.sh ROOT COMMAND...
#
# With IIO_NAMESPACE_NETWORK=1 also in a network namespace of its own, so that device events that are made up stay in it.
# Runs COMMAND where ROOT/sys is /sys and ROOT/dev is /dev, in a mount namespace of its own: real libiio, real files,
# real FIFOs as device nodes, and nothing shows outside. Works as root and, where the kernel lets ordinary users
# make user namespaces, as anybody. The process id is that of COMMAND.
set -eu
if [ "${IIO_NAMESPACE:-}" != inside ]; then
    if [ "$(id -u)" = 0 ]; then user=; else user=-Ur; fi
    if [ "${IIO_NAMESPACE_NETWORK:-}" = 1 ]; then network=-n; else network=; fi
    IIO_NAMESPACE_USER=$(id -u) IIO_NAMESPACE_GROUP=$(id -g) IIO_NAMESPACE=inside exec unshare $user $network -m --propagation private sh "$0" "$@"
fi
user=$IIO_NAMESPACE_USER group=$IIO_NAMESPACE_GROUP
unset IIO_NAMESPACE IIO_NAMESPACE_USER IIO_NAMESPACE_GROUP
root=$1
shift
for node in null zero full random urandom tty; do
    [ -e "$root/dev/$node" ] || : > "$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
done
for folder in pts shm; do
    [ -d "$root/dev/$folder" ] || mkdir -p "$root/dev/$folder"
    mount --rbind "/dev/$folder" "$root/dev/$folder"
done
[ -L "$root/dev/fd" ] || ln -sfn /proc/self/fd "$root/dev/fd"
mount --rbind "$root/dev" /dev
mount --rbind "$root/sys" /sys
# A machine on which udev never ran has none; an ordinary user cannot make it.
[ -d /run/udev ] || mkdir -p /run/udev 2>/dev/null || true
if [ -d /run/udev ]; then mount --bind "$root/run/udev" /run/udev; fi
# libudev: this /sys is none of the kernel's.
export SYSTEMD_DEVICE_VERIFY_SYSFS=0
# Whoever is not root is himself again: a bus would not believe a user 0 whom the kernel calls otherwise.
if [ "$user" != 0 ]; then exec unshare -U --map-user="$user" --map-group="$group" -- "$@"; fi
exec "$@"
