#!/usr/bin/python3
"""A login manager for tests: org.freedesktop.login1 as far as sleep and the active user go, with GDBus.

usage: login_manager.py ADDRESS

Takes the name on that bus, then obeys lines on standard input:

  sleep     announces sleep: PrepareForSleep(true)
  wake      announces the end of it: PrepareForSleep(false)
  refuse    from now on refuses delay locks, as polkit may
  lock      says that the screen is locked, by the property LockedHint of a session
  unlock    says that it is not any more
  user UID  says that the session of another user is the active one of seat0
  leave     gives the name up
  return    takes it again

and writes lines to standard output: "ready", "inhibit WHAT WHO MODE" when a lock is taken, "locks N" whenever the
number of locks changes. A lock is a pipe: it is given back when its other end is closed, as in systemd.
"""

import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
INTERFACE = "org.freedesktop.login1.Manager"
SEAT = PATH + "/seat/seat0"
SESSION = PATH + "/session/_31"
XML = """
<node>
  <interface name="org.freedesktop.login1.Manager">
    <method name="Inhibit">
      <arg type="s" name="what" direction="in"/>
      <arg type="s" name="who" direction="in"/>
      <arg type="s" name="why" direction="in"/>
      <arg type="s" name="mode" direction="in"/>
      <arg type="h" name="pipe_fd" direction="out"/>
    </method>
    <signal name="PrepareForSleep"><arg type="b" name="start"/></signal>
  </interface>
  <interface name="org.freedesktop.login1.Seat"><property name="ActiveSession" type="(so)" access="read"/></interface>
  <interface name="org.freedesktop.login1.Session"><property name="User" type="(uo)" access="read"/></interface>
</node>
"""


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def released(end, condition):
    os.close(end)
    locks.discard(end)
    say(f"locks {len(locks)}")
    return False


def called(connection, sender, path, interface, method, parameters, invocation):
    what, who, why, mode = parameters.unpack()
    if refuses:
        invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "Permission denied")
        return
    ours, theirs = os.pipe()
    locks.add(ours)
    GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, ours, GLib.IOCondition.HUP, released)
    handles = Gio.UnixFDList.new()
    index = handles.append(theirs)
    os.close(theirs)
    invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (index,)), handles)
    say(f"inhibit {what} {who} {mode}")
    say(f"locks {len(locks)}")


def announce(starts):
    bus.emit_signal(None, PATH, INTERFACE, "PrepareForSleep", GLib.Variant("(b)", (starts,)))


def own():
    bus.call_sync(
        "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName", GLib.Variant("(su)", (NAME, 0)), None,
        Gio.DBusCallFlags.NONE, -1, None)


def disown():
    bus.call_sync(
        "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ReleaseName", GLib.Variant("(s)", (NAME,)), None,
        Gio.DBusCallFlags.NONE, -1, None)


def known(connection, sender, path, interface, name):
    if name == "User":
        return GLib.Variant("(uo)", (user, f"{PATH}/user/_{user}"))
    return GLib.Variant("(so)", ("1", SESSION) if user is not None else ("", "/"))


def activate(uid):
    global user
    user = uid
    bus.emit_signal(
        None, SEAT, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        GLib.Variant("(sa{sv}as)", (
            "org.freedesktop.login1.Seat", {"ActiveSession": GLib.Variant("(so)", ("1", SESSION))}, [])))


def command(channel, condition):
    global pending, refuses
    data = os.read(0, 65536)
    if not data:
        loop.quit()
        return False
    *lines, pending = (pending + data).split(b"\n")
    for line in lines:
        word = line.decode().strip()
        if word == "sleep":
            announce(True)
        elif word == "wake":
            announce(False)
        elif word == "refuse":
            refuses = True
        elif word.startswith("user "):
            activate(int(word[5:]))
        elif word in ("lock", "unlock"):
            bus.emit_signal(
                None, SESSION, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                GLib.Variant("(sa{sv}as)", (
                    "org.freedesktop.login1.Session", {"LockedHint": GLib.Variant("b", word == "lock")}, [])))
        elif word == "leave":
            disown()
        elif word == "return":
            own()
    return True


pending = b""
refuses = False
user = None
locks = set()
bus = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
    None,
    None,
)
manager, seat, session = Gio.DBusNodeInfo.new_for_xml(XML).interfaces
bus.register_object(PATH, manager, called, None, None)
bus.register_object(SEAT, seat, None, known, None)
bus.register_object(SESSION, session, None, known, None)
own()
loop = GLib.MainLoop()
bus.connect("closed", lambda *_: loop.quit())
GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, command)
say("ready")
loop.run()
