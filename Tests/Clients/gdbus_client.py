#!/usr/bin/python3
"""A D-Bus client that is none of ours: GDBus, driven by lines of JSON.

usage: gdbus_client.py ADDRESS

Reads commands from standard input, writes one JSON object per line to standard output:

  {"id": 1, "call": [DESTINATION, PATH, INTERFACE, MEMBER, TYPE, TEXT], "timeout": MS}
      -> {"id": 1, "reply": [VALUES]} or {"id": 1, "error": NAME, "text": TEXT}
      TYPE is the type of the arguments as a tuple, TEXT their GVariant text ("(ss)", "('a', 'b')").
  {"id": 2, "match": RULE}           adds a raw match rule, such as one with eavesdrop='true'
  {"id": 3, "close": true}           ends

It listens with a match rule for every signal there is. Each that reaches it is written as
  {"signal": [SENDER, PATH, INTERFACE, MEMBER], "args": [VALUES], "at": BOOT_MICROSECONDS}
NaN and infinities become the strings nan, inf, -inf.
"""

import json
import math
import os
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return value


def say(what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def heard(connection, sender, path, interface, member, parameters):
    now = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000
    say({"signal": [sender, path, interface, member], "args": plain(parameters.unpack()), "at": now})


def answer(connection, result, identifier):
    try:
        reply = connection.call_finish(result)
        say({"id": identifier, "reply": plain(reply.unpack()) if reply is not None else []})
    except GLib.Error as error:
        name = Gio.DBusError.get_remote_error(error) or error.domain
        Gio.DBusError.strip_remote_error(error)
        say({"id": identifier, "error": name, "text": error.message})


def call(identifier, destination, path, interface, member, signature, text, timeout):
    try:
        parameters = None
        if signature != "()":
            parameters = GLib.Variant.parse(GLib.VariantType(signature), text, None, None)
    except (GLib.Error, TypeError) as error:
        say({"id": identifier, "error": "client", "text": str(error)})
        return
    bus.call(
        destination, path, interface, member, parameters, None, Gio.DBusCallFlags.NONE, timeout, None,
        lambda connection, result: answer(connection, result, identifier),
    )


def obey(order):
    identifier = order.get("id")
    if "call" in order:
        call(identifier, *order["call"], order.get("timeout", 10_000))
    elif "match" in order:
        rule = GLib.Variant("(s)", (order["match"],)).print_(True)
        call(identifier, "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "AddMatch", "(s)", rule, 5000)
    elif "close" in order:
        loop.quit()


def command(channel, condition):
    global pending
    data = os.read(0, 65536)
    if not data:
        loop.quit()
        return False
    *lines, pending = (pending + data).split(b"\n")
    for line in lines:
        obey(json.loads(line))
    return True


pending = b""
bus = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
    None,
    None,
)
bus.set_exit_on_close(False)
bus.signal_subscribe(None, None, None, None, None, Gio.DBusSignalFlags.NONE, heard)
loop = GLib.MainLoop()
bus.connect("closed", lambda *_: (say({"closed": True}), loop.quit()))
say({"name": bus.get_unique_name()})
GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, command)
loop.run()
