#!/bin/bash
# Prints the heading once a second while some program uses the compass, as a panel would. Shell with busctl and gdbus
# (Debian: systemd, libglib2.0-bin).
#
# usage: heading.sh [session]
#
# A session ends with the connection that made it, and each call of busctl is a connection of its own. So a script looks at
# Status1, which switches no sensor on and tells what is there: -1 while nothing uses the compass. A script that needs the
# compass itself reads 'headingctl heading --follow'.
set -euo pipefail
[ "${1-}" = session ] && bus=--user gbus=--session || bus=--system gbus=--system

status() { busctl "$bus" get-property org.locateme /org/locateme org.locateme.Status1 "$1" | cut -d ' ' -f 2; }
in_use() { [ "$(busctl "$bus" get-property org.locateme /org/locateme org.locateme.Manager1 InUse)" = "b true" ]; }

show_while_in_use() {
    local true magnetic
    while in_use; do
        true=$(status TrueHeading)
        magnetic=$(status MagneticHeading)
        if [ "$true" != -1 ]; then
            printf '%.1f true\n' "$true"
        elif [ "$magnetic" != -1 ]; then
            printf '%.1f magnetic\n' "$magnetic"
        fi
        sleep 1
    done
}

# Whether the compass is used is the one thing about it that everybody is told. The first line says who the service is.
exec 3< <(exec gdbus monitor "$gbus" --dest org.locateme --object-path /org/locateme)
monitor=$!
trap 'kill "$monitor"' EXIT
trap 'exit 0' INT TERM
while IFS= read -r change <&3; do
    case $change in *"is owned by"* | *"'InUse': <true>"*) show_while_in_use ;; esac
done
