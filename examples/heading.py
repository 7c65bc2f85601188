#!/usr/bin/python3
"""Prints the heading whenever it has changed by a degree. Python with GDBus (Debian: python3-gi).

usage: heading.py [session]

The service is looked for on the system bus, or on the session bus.
"""

import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

SERVICE = "org.locateme"

bus = Gio.bus_get_sync(Gio.BusType.SESSION if sys.argv[1:] == ["session"] else Gio.BusType.SYSTEM)
session = None


def call(path, interface, method, arguments=None):
    reply = bus.call_sync(SERVICE, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 5000, None)
    return reply.unpack() if reply is not None else None


def heard(_bus, _sender, _path, _interface, signal, parameters):
    if signal == "HeadingUpdated":
        _real, _boot, magnetic, true, accuracy, *_rest = parameters.unpack()[0]
        # Below 0 means: not valid. True needs a known place and the permission to know it.
        if accuracy < 0:
            print("no valid heading", flush=True)
        else:
            shown = f"{true:.1f} true" if true >= 0 else f"{magnetic:.1f} magnetic"
            print(f"{shown}, within {accuracy:.0f} degrees", flush=True)
    elif signal == "HeadingLost":
        print("lost:", parameters.unpack()[0], flush=True)


def start():
    """A session lives as long as this connection, so the path is new each time the service is."""
    global session
    (session,) = call(
        "/org/locateme", "org.locateme.Manager1", "CreateSession",
        GLib.Variant("(a{sv})", ({"Reason": GLib.Variant("s", "example in Python")},)),
    )
    bus.signal_subscribe(SERVICE, "org.locateme.Heading1", None, session, None, Gio.DBusSignalFlags.NONE, heard)
    call(session, "org.locateme.Heading1", "Start")


def appeared(_bus, _name, _owner):
    try:
        start()
    except GLib.Error as error:
        print(error.message, file=sys.stderr)


def vanished(_bus, _name):
    print("the service is not there; waiting for it", file=sys.stderr)


# Starts the service if it can be started, and again whenever a new one appears.
Gio.bus_watch_name_on_connection(bus, SERVICE, Gio.BusNameWatcherFlags.AUTO_START, appeared, vanished)
try:
    GLib.MainLoop().run()
except KeyboardInterrupt:
    pass
