#!/usr/bin/python3
"""A modem manager for tests: org.freedesktop.ModemManager1 as far as places go, with GDBus.

usage: modem_manager.py ADDRESS

Takes the name on that bus, then obeys lines on standard input:

  modem CAPABILITIES   plugs a modem in, with bits of MMModemLocationSource
  unplug               takes it away
  nmea TEXT            what its receiver says, lines separated by '|'
  raw TIME LAT LON ALT what it says without sentences
  refuse               Setup is unauthorized from now on
  leave                gives the name up

and writes "ready", "setup SOURCES SIGNALS" and "asked" to standard output.
"""

import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.freedesktop.ModemManager1"
ROOT = "/org/freedesktop/ModemManager1"
MODEM = ROOT + "/Modem/0"
LOCATION = NAME + ".Modem.Location"
XML = """
<node>
  <interface name="org.freedesktop.DBus.ObjectManager">
    <method name="GetManagedObjects"><arg type="a{oa{sa{sv}}}" direction="out"/></method>
    <signal name="InterfacesAdded"><arg type="o"/><arg type="a{sa{sv}}"/></signal>
    <signal name="InterfacesRemoved"><arg type="o"/><arg type="as"/></signal>
  </interface>
  <interface name="org.freedesktop.ModemManager1.Modem.Location">
    <method name="Setup"><arg type="u" direction="in"/><arg type="b" direction="in"/></method>
    <method name="GetLocation"><arg type="a{uv}" direction="out"/></method>
    <method name="SetGpsRefreshRate"><arg type="u" direction="in"/></method>
    <property name="Capabilities" type="u" access="read"/>
    <property name="Enabled" type="u" access="read"/>
  </interface>
</node>
"""

state = {"capabilities": 0, "enabled": 1, "nmea": "", "raw": None, "refuses": False, "registration": 0, "rest": ""}


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def location_properties():
    return {
        "Capabilities": GLib.Variant("u", state["capabilities"]),
        "Enabled": GLib.Variant("u", state["enabled"]),
    }


def objects():
    if not state["registration"]:
        return {}
    return {MODEM: {LOCATION: location_properties()}}


def called(connection, sender, path, interface, method, parameters, invocation):
    if method == "GetManagedObjects":
        invocation.return_value(GLib.Variant("(a{oa{sa{sv}}})", (objects(),)))
    elif method == "Setup":
        sources, signals = parameters.unpack()
        say(f"setup {sources} {str(signals).lower()}")
        if state["refuses"]:
            invocation.return_dbus_error(NAME + ".Error.Core.Unauthorized", "PolicyKit authorization failed")
        else:
            state["enabled"] = sources
            invocation.return_value(None)
    elif method == "GetLocation":
        say("asked")
        places = {}
        if state["enabled"] & 4 and state["nmea"]:
            places[4] = GLib.Variant("s", state["nmea"])
        if state["enabled"] & 2 and state["raw"]:
            time, latitude, longitude, altitude = state["raw"]
            places[2] = GLib.Variant(
                "a{sv}",
                {
                    "utc-time": GLib.Variant("s", time),
                    "latitude": GLib.Variant("d", float(latitude)),
                    "longitude": GLib.Variant("d", float(longitude)),
                    "altitude": GLib.Variant("d", float(altitude)),
                },
            )
        invocation.return_value(GLib.Variant("(a{uv})", (places,)))
    else:
        invocation.return_value(None)


def value(connection, sender, path, interface, name):
    return location_properties()[name]


def ordered(channel, condition):
    data = os.read(sys.stdin.fileno(), 65536)
    if not data:
        loop.quit()
        return False
    # Several lines may come at once.
    *lines, state["rest"] = (state["rest"] + data.decode()).split("\n")
    for line in lines:
        obey(line)
    return True


def obey(line):
    word, _, rest = line.strip().partition(" ")
    if word == "modem":
        state["capabilities"] = int(rest)
        state["registration"] = bus.register_object(MODEM, node.interfaces[1], called, value, None)
        bus.emit_signal(
            None, ROOT, "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
            GLib.Variant("(oa{sa{sv}})", (MODEM, {LOCATION: location_properties()})),
        )
    elif word == "unplug":
        bus.unregister_object(state["registration"])
        state["registration"] = 0
        bus.emit_signal(
            None, ROOT, "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
            GLib.Variant("(oas)", (MODEM, [LOCATION])),
        )
    elif word == "nmea":
        state["nmea"] = rest.replace("|", "\r\n")
    elif word == "raw":
        state["raw"] = rest.split()
    elif word == "refuse":
        state["refuses"] = True
    elif word == "leave":
        bus.call_sync(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ReleaseName", GLib.Variant("(s)", (NAME,)),
            None, 0, 5000, None,
        )


bus = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
    None, None,
)
node = Gio.DBusNodeInfo.new_for_xml(XML)
bus.register_object(ROOT, node.interfaces[0], called, None, None)
bus.call_sync(
    "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName", GLib.Variant("(su)", (NAME, 0)), None, 0, 5000,
    None,
)
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, ordered)
say("ready")
loop.run()
