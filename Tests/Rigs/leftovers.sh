#!/bin/sh
# leftovers.sh MARK
#
# Waits for the end of its input, which is that of the test run that holds the other end, whether it ended or was killed;
# then ends every process that still has LOCATEME_TEST_RUN=MARK in its environment, and lets go what was mounted for it.
trap '' HUP INT TERM
cat >/dev/null
tries=0
while [ $tries -lt 5 ]; do
    files=$(grep -lzxF "LOCATEME_TEST_RUN=$1" /proc/[0-9]*/environ 2>/dev/null)
    [ -n "$files" ] || break
    for file in $files; do
        process=${file#/proc/}
        process=${process%/environ}
        # The mount point is the last argument of a file system.
        arguments=$(tr '\0' '\n' <"/proc/$process/cmdline" 2>/dev/null)
        kill -KILL "$process" 2>/dev/null
        case $arguments in *faultfs-*) umount -l "${arguments##*
}" 2>/dev/null ;; esac
    done
    tries=$((tries + 1))
    sleep 0.2
done
