#!/usr/bin/python3
"""A D-Bus client that says everything to everybody: for tests.

usage: hostile_client.py ADDRESS SEED COUNT [SECONDS]

Opens a session at org.locateme, then calls COUNT times (or for SECONDS) with random paths, interfaces, members, signatures,
values and sizes, from the same SEED the same; every other call has a signature that the member really has. At the end it
writes one JSON object: how many calls were answered, with which errors, and how many were not although they had to be.
"""

import json
import random
import sys
import time
import xml.etree.ElementTree as ElementTree

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.locateme"
# They wait for a place, a heading or a permission: no answer for long is right.
PATIENT = {"RequestLocation", "GetHeading", "Begin", "RequestAuthorization"}
NUMBERS = {
    "y": [0, 1, 255], "n": [0, -1, 32767, -32768], "q": [0, 65535], "i": [0, -1, 2**31 - 1, -(2**31)],
    "u": [0, 1, 2, 4, 2**31, 2**32 - 1], "x": [0, -1, 2**63 - 1, -(2**63)], "t": [0, 1, 2**63, 2**64 - 1],
    "d": [0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 2.3e-308, float("nan"), float("inf"), -float("inf")],
}
TEXTS = ["", "a", "org.locateme.Location1", "Preset", "DistanceFilter", "walk", "../../etc/passwd", "a\nb", "\u202e\U0001f9ed"]


def types(signature):
    """The complete types of a signature."""
    found, start = [], 0
    while start < len(signature):
        end, depth = start, 0
        while True:
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(signature[end], 0)
            end += 1
            if depth == 0 and signature[end - 1] != "a":
                break
        found.append(signature[start:end])
        start = end
    return found


class Hostile:
    def __init__(self, address, seed):
        self.random = random.Random(seed)
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address,
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.loop = GLib.MainLoop()
        self.errors = {}
        self.sent = self.answered = self.unanswered = self.waiting = 0
        self.budget = 0
        self.session = None
        self.known = {}

    # MARK: what there is

    def call(self, path, interface, member, arguments=None):
        return self.bus.call_sync(NAME, path, interface, member, arguments, None, 0, 20_000, None)

    def open(self):
        options = GLib.Variant("(a{sv})", ({"Reason": GLib.Variant("s", "hostile"), "AppId": GLib.Variant("s", "x.Hostile")},))
        self.session = self.call("/org/locateme", f"{NAME}.Manager1", "CreateSession", options).unpack()[0]

    def learn(self):
        for path in ("/org/locateme", "/org/locateme/compass", "/org/locateme/power", self.session):
            text = self.call(path, "org.freedesktop.DBus.Introspectable", "Introspect").unpack()[0]
            rows = self.known["session" if path == self.session else path] = []
            for interface in ElementTree.fromstring(text).iter("interface"):
                for method in interface.iter("method"):
                    types = [a.get("type") for a in method.iter("arg") if a.get("direction", "in") == "in"]
                    rows.append((interface.get("name"), method.get("name"), types))
                for item in interface.iter("property"):
                    rows.append((interface.get("name"), "=" + item.get("name"), [item.get("type")]))

    # MARK: what is said

    def signature(self, depth=0):
        kind = self.random.random()
        if depth > 4 or kind < 0.6:
            return self.random.choice("ybnqiuxtdsogv")
        if kind < 0.75:
            return "a" + self.signature(depth + 1)
        if kind < 0.85:
            return "a{" + self.random.choice("ybnqiuxtdsog") + self.signature(depth + 1) + "}"
        return "(" + "".join(self.signature(depth + 1) for _ in range(self.random.randint(1, 4))) + ")"

    def size(self, depth):
        """How many elements: few, now and then very many, all those of a message together not more than that."""
        wanted = self.random.choice([0, 0, 1, 1, 2, 3, 17, 300]) if self.random.random() < 0.998 else 60_000
        if depth > 6:
            return 0
        count = min(wanted, self.budget, 60_000 if depth == 0 else 20)
        self.budget -= count
        return count

    def value(self, kind, depth=0):
        """A variant of a complete type."""
        if kind in NUMBERS:
            choice = self.random.choice(NUMBERS[kind])
            if kind == "d" and self.random.random() < 0.3:
                choice = self.random.uniform(-1e6, 1e6)
            return GLib.Variant(kind, choice)
        if kind == "b":
            return GLib.Variant("b", self.random.random() < 0.5)
        if kind == "s":
            text = self.random.choice(TEXTS)
            return GLib.Variant("s", text if self.random.random() < 0.9 else text * self.size(0))
        if kind == "o":
            return GLib.Variant("o", self.random.choice(["/", "/a", "/org/locateme", self.session, "/" + "a" * 200]))
        if kind == "g":
            return GLib.Variant("g", self.random.choice(["", "s", "a{sv}", "(((i)))"]))
        if kind == "v":
            inner = self.random.choice("bud") if depth > 6 else self.signature(depth)
            return GLib.Variant.new_variant(self.value(inner, depth + 1))
        if kind.startswith("a{"):
            entry = GLib.VariantType.new(kind[1:])
            entries = []
            for _ in range(self.size(depth)):
                key = self.value(kind[2], depth + 1)
                entries.append(GLib.Variant.new_dict_entry(key, self.value(kind[3:-1], depth + 1)))
            return GLib.Variant.new_array(entry, entries)
        if kind.startswith("a"):
            items = [self.value(kind[1:], depth + 1) for _ in range(self.size(depth))]
            return GLib.Variant.new_array(GLib.VariantType.new(kind[1:]), items)
        return GLib.Variant.new_tuple(*[self.value(one, depth + 1) for one in types(kind[1:-1])])

    def message(self):
        self.budget = 60_000
        paths = list(self.known)
        where = self.random.choice(paths + ["session"] * 3)
        path = self.session if where == "session" else where
        if self.random.random() < 0.05:
            path = self.random.choice(["/", "/x", "/org/locateme/session", "/org/locateme/session/" + "0" * 32, path + "/x"])
        interface, member, types = self.random.choice(self.known[where])
        if member.startswith("="):
            name, kind = member[1:], types[0]
            if self.random.random() < 0.5:
                kind = self.signature()
            arguments = GLib.Variant.new_tuple(
                GLib.Variant("s", interface), GLib.Variant("s", name), GLib.Variant.new_variant(self.value(kind)))
            return path, "org.freedesktop.DBus.Properties", self.random.choice(["Set", "Get", "GetAll"]), arguments
        if self.random.random() < 0.5:
            types = [self.signature() for _ in range(self.random.randint(0, 5))]
        if self.random.random() < 0.03:
            member = self.random.choice(["Nothing", "Start", "a" * 255])
        if self.random.random() < 0.03:
            interface = self.random.choice(["org.locateme.Regions1", "a.b"])
        return path, interface, member, GLib.Variant.new_tuple(*[self.value(kind) for kind in types])

    # MARK: the run

    def answer(self, connection, result, member):
        self.waiting -= 1
        try:
            connection.call_finish(result)
            self.answered += 1
        except GLib.Error as error:
            name = Gio.DBusError.get_remote_error(error)
            if name is not None:
                self.answered += 1
                self.errors[name] = self.errors.get(name, 0) + 1
            elif member not in PATIENT:
                self.unanswered += 1
        self.loop.quit()

    def run(self, count, seconds):
        self.open()
        self.learn()
        end = time.monotonic() + seconds if seconds else None
        while time.monotonic() < end if end else self.sent < count:
            while self.waiting >= 32:
                self.loop.run()
            try:
                path, interface, member, arguments = self.message()
            except (TypeError, OverflowError, GLib.Error):
                continue
            self.sent += 1
            self.waiting += 1
            timeout = 300 if member in PATIENT else 60_000
            self.bus.call(
                NAME, path, interface, member, arguments, None, 0, timeout, None,
                lambda connection, result, member=member: self.answer(connection, result, member))
            if self.sent % 50 == 0:
                while self.waiting > 0:
                    self.loop.run()
                # It may have closed its own session meanwhile.
                try:
                    self.call(self.session, "org.locateme.Session1", "Statistics")
                except GLib.Error:
                    self.open()
        while self.waiting > 0:
            self.loop.run()
        print(json.dumps({
            "sent": self.sent, "answered": self.answered, "unanswered": self.unanswered, "errors": self.errors}))


hostile = Hostile(sys.argv[1], int(sys.argv[2]))
hostile.run(int(sys.argv[3]), float(sys.argv[4]) if len(sys.argv) > 4 else 0)
