#!/usr/bin/python3
"""An agent of GeoClue for tests: lets every program in.

usage: geoclue_agent.py ADDRESS

Writes "ready" when GeoClue has taken it.
"""

import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

XML = """
<node>
  <interface name="org.freedesktop.GeoClue2.Agent">
    <method name="AuthorizeApp">
      <arg type="s" direction="in"/><arg type="u" direction="in"/>
      <arg type="b" direction="out"/><arg type="u" direction="out"/>
    </method>
    <property name="MaxAccuracyLevel" type="u" access="read"/>
  </interface>
</node>
"""


def called(connection, sender, path, interface, method, parameters, invocation):
    invocation.return_value(GLib.Variant("(bu)", (True, parameters.unpack()[1])))


def value(connection, sender, path, interface, name):
    return GLib.Variant("u", 8)


def added(connection, result):
    connection.call_finish(result)
    sys.stdout.write("ready\n")
    sys.stdout.flush()


bus = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
    None, None,
)
bus.register_object(
    "/org/freedesktop/GeoClue2/Agent", Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], called, value, None
)
# GeoClue reads the agent's property before it answers, so nothing may wait here.
bus.call(
    "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager", "org.freedesktop.GeoClue2.Manager", "AddAgent",
    GLib.Variant("(s)", ("geoclue-demo-agent",)), None, 0, 20000, None, added,
)
GLib.MainLoop().run()
