"""A mock of org.locateme for the tests of client programs, a template of python-dbusmock.

    python3 -m dbusmock --template org_locateme.py [--session] [--parameters '{"Magnetic": 90.0}']

It has what a client of headings and places meets: Manager1.CreateSession, Status1, at /org/locateme/compass Compass1 and
Calibration1, and at a session Session1, Heading1 and Location1. As the service does, it sends signals to the owner of a session alone, answers others with AccessDenied, and ends
a session with its owner. Filters are kept, not applied: what a test sets is what is sent.

Parameters, with what is at first: Magnetic 0.0, True -1.0, Accuracy 5.0, HeadingAvailable True, Denied False (places).

What tests tell it, at /org/locateme, interface org.freedesktop.DBus.Mock:

    SetHeading(d magnetic, d true, d accuracy)     a new heading; true < 0: unknown, accuracy < 0: not valid
    LoseHeading(s reason)                          the sensor is gone; SetHeading brings it back
    SetPlace(d latitude, d longitude, d accuracy)  a new place; accuracy < 0: none is known any more
    DenyPlaces(b denied)                           the permission to know places is taken, or given
    CloseSessions(u reason)                        as when the service ends: 3
"""

import time

import dbus
import dbus.service
from dbusmock import MOCK_IFACE, get_object

BUS_NAME = "org.locateme"
MAIN_OBJ = "/org/locateme"
MAIN_IFACE = "org.locateme.Manager1"
SYSTEM_BUS = True

STATUS = "org.locateme.Status1"
SESSION = "org.locateme.Session1"
HEADING = "org.locateme.Heading1"
LOCATION = "org.locateme.Location1"
COMPASS = "org.locateme.Compass1"
CALIBRATION = "org.locateme.Calibration1"
COMPASS_OBJ = "/org/locateme/compass"
HEADING_TYPE = "xtdddddduua{sv}"
FIX_TYPE = "txtddddddddddua{sv}"


class World:
    """What all sessions see."""

    def __init__(self, mock, parameters):
        self.mock = mock
        self.compass = compass(mock, bool(parameters.get("HeadingAvailable", True)))
        self.sessions = {}
        self.count = 0
        self.magnetic = float(parameters.get("Magnetic", 0.0))
        self.true = float(parameters.get("True", -1.0))
        self.accuracy = float(parameters.get("Accuracy", 5.0))
        self.denied = bool(parameters.get("Denied", False))
        self.lost = False
        self.place = None
        self.fixes = 0

    def heading(self):
        real, boot = clocks()
        # What a level phone that points north feels in a field of 20 µT north and 40 µT down.
        return dbus.Struct(
            (
                real, boot, self.magnetic, -1.0 if self.denied else self.true, self.accuracy, 0.0, 20.0, -40.0,
                dbus.UInt32(1), dbus.UInt32(3), dbus.Dictionary({"Source": "fused-9", "TurnRate": 0.0}, signature="sv"),
            ),
            signature=HEADING_TYPE,
        )

    def fix(self):
        real, boot = clocks()
        return dbus.Struct(
            (
                dbus.UInt64(self.fixes), real, boot, *self.place, 0.0, 0.0, -1.0, -1.0, -1.0, -1.0, -1.0,
                dbus.UInt32(1), dbus.Dictionary({"Source": "mock"}, signature="sv"),
            ),
            signature=FIX_TYPE,
        )

    def status(self):
        valid = self.accuracy >= 0 and not self.lost and self.in_use()
        place = None if self.denied else self.place
        return {
            "MagneticHeading": self.magnetic if valid else -1.0,
            "TrueHeading": self.true if valid and not self.denied else -1.0,
            "HeadingAccuracy": self.accuracy if valid else -1.0,
            "HeadingTime": clocks()[0] if valid else dbus.Int64(0),
            "Latitude": place[0] if place else float("nan"), "Longitude": place[1] if place else float("nan"),
            "HorizontalAccuracy": place[2] if place else -1.0,
            "LocationTime": clocks()[0] if place else dbus.Int64(0),
        }

    def in_use(self):
        return any(session.runs(HEADING) or session.runs(LOCATION) for session in self.sessions.values())

    def changed(self):
        # Status1 never signals: its values are put there without one.
        self.mock.props[STATUS].update(self.status())
        runs = any(session.runs(HEADING) for session in self.sessions.values()) and not self.lost
        self.compass.props[COMPASS].update({"Rate": 100.0 if runs else 0.0, "Fusion": "fused-9" if runs else "none"})
        if self.mock.props[MAIN_IFACE]["InUse"] != self.in_use():
            self.mock.UpdateProperties(MAIN_IFACE, {"InUse": dbus.Boolean(self.in_use())})


def compass(mock, available):
    """The object of the hardware: three sensors that are well, or none."""
    kinds = ("magnetometer", "accelerometer", "gyroscope") if available else ()
    sensors = [
        {
            "Id": f"mock/{kind}", "Kind": kind, "Name": f"mock-{kind}", "Driver": "", "Path": "", "Label": "",
            "Location": "", "MatrixSource": "identity", "Buffered": True, "Selected": True, "Reason": "the only one",
        }
        for kind in kinds
    ]
    mock.AddObject(
        COMPASS_OBJ, COMPASS,
        dbus.Dictionary(
            {
                "Magnetometer": "mock/magnetometer" if available else "",
                "Accelerometer": "mock/accelerometer" if available else "",
                "Gyroscope": "mock/gyroscope" if available else "", "Fusion": "none", "Rate": 0.0,
                "DeclinationOverride": float("nan"), "MagneticModel": "WMM2025", "MagneticModelExpired": False,
            },
            signature="sv",
        ),
        [
            ("ListSensors", "", "aa{sv}", f"ret = dbus.Array({sensors!r}, signature='a{{sv}}')"),
            ("Diagnose", "", "aa{sv}", "ret = dbus.Array([], signature='a{sv}')"),
        ],
    )
    made = get_object(COMPASS_OBJ)
    made.AddProperties(
        CALIBRATION,
        dbus.Dictionary({"State": dbus.UInt32(0), "Quality": dbus.UInt32(3), "Reason": ""}, signature="sv"),
    )
    made.AddMethods(CALIBRATION, [("Get", "", "a{sv}", "ret = dbus.Dictionary({}, signature='sv')")])
    return made


class Part(dbus.service.Object):
    """What the interfaces of a session share."""

    def __init__(self, world, owner, path, options):
        super().__init__(world.mock.connection, path)
        self.world = world
        self.owner = owner
        self.path = path
        # python-dbusmock looks for methods added at run time here first, then among those below.
        self.interface, self.methods = SESSION, {}
        self.values = {
            SESSION: {
                "AppId": options.get("AppId", ""), "Authorization": dbus.UInt32(3),
                "AccuracyAuthorization": dbus.UInt32(2), "Background": dbus.UInt32(0),
            },
            HEADING: {
                "HeadingFilter": 1.0, "HeadingOrientation": dbus.UInt32(1), "ShowCalibration": True, "Running": False,
            },
            LOCATION: {
                "DesiredAccuracy": -1.0, "DistanceFilter": -1.0, "ConfirmedDistance": False, "RequiredAccuracy": 0.0,
                "AcceptTimeout": dbus.UInt32(10000), "AcceptTries": dbus.UInt32(10), "MinimumInterval": dbus.UInt32(0),
                "MaximumDelay": dbus.UInt32(0), "MaximumAge": dbus.UInt32(30000), "ActivityType": dbus.UInt32(1),
                "PausesAutomatically": True, "Mode": dbus.UInt32(0), "Preset": "",
            },
        }
        self.permit()

    def permit(self):
        """Puts in force whether places may be known."""
        self.change(
            SESSION, Authorization=dbus.UInt32(2 if self.world.denied else 3),
            AccuracyAuthorization=dbus.UInt32(0 if self.world.denied else 2),
        )

    def runs(self, interface):
        return bool(self.values[HEADING]["Running"] if interface == HEADING else self.values[LOCATION]["Mode"])

    def check(self, sender):
        if sender != self.owner:
            raise failure("org.freedesktop.DBus.Error.AccessDenied", f"'{self.path}' is not a session of yours")

    def send(self, interface, signal, signature, *arguments):
        message = dbus.lowlevel.SignalMessage(self.path, interface, signal)
        message.set_destination(self.owner)
        message.append(*arguments, signature=signature)
        self.connection.send_message(message)

    def change(self, interface, **values):
        changed = {name: value for name, value in values.items() if self.values[interface][name] != value}
        self.values[interface].update(changed)
        if changed:
            self.send("org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", interface, changed, [])

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v", sender_keyword="sender")
    def Get(self, interface, name, sender=None):
        return self.GetAll(interface, sender=sender)[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}", sender_keyword="sender")
    def GetAll(self, interface, sender=None):
        self.check(sender)
        return dbus.Dictionary(self.values.get(interface, {}), signature="sv")

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ssv", sender_keyword="sender")
    def Set(self, interface, name, value, sender=None):
        self.check(sender)
        read_only = name in ("Running", "Mode") or interface == SESSION
        if read_only or name not in self.values.get(interface, {}):
            raise failure("org.freedesktop.DBus.Error.PropertyReadOnly", f"{name} cannot be set")
        self.change(interface, **{str(name): value})


class SessionPart(Part):
    @dbus.service.method(SESSION, sender_keyword="sender")
    def Close(self, sender=None):
        self.check(sender)
        self.end(1)

    @dbus.service.method(SESSION, in_signature="u", sender_keyword="sender")
    def SetForeground(self, _state, sender=None):
        self.check(sender)

    def end(self, reason):
        self.send(SESSION, "Closed", "u", dbus.UInt32(reason))
        self.world.sessions.pop(self.path, None)
        self.remove_from_connection()
        self.world.changed()


class HeadingPart(Part):
    @dbus.service.method(HEADING, sender_keyword="sender")
    def Start(self, sender=None):
        self.check(sender)
        if not self.world.mock.props[MAIN_IFACE]["HeadingAvailable"]:
            raise failure("org.locateme.Error.HeadingFailure", "no magnetometer was found")
        self.change(HEADING, Running=True)
        self.world.changed()
        self.tell_heading()

    @dbus.service.method(HEADING, sender_keyword="sender")
    def Stop(self, sender=None):
        self.check(sender)
        self.change(HEADING, Running=False)
        self.world.changed()

    @dbus.service.method(HEADING, in_signature="u", out_signature=f"({HEADING_TYPE})", sender_keyword="sender")
    def GetHeading(self, _maximum_age_ms, sender=None):
        self.check(sender)
        if self.world.lost or not self.world.mock.props[MAIN_IFACE]["HeadingAvailable"]:
            raise failure("org.locateme.Error.HeadingFailure", "no magnetometer was found")
        return self.world.heading()

    @dbus.service.method(HEADING, sender_keyword="sender")
    def DismissCalibration(self, sender=None):
        self.check(sender)

    def tell_heading(self):
        if self.runs(HEADING) and not self.world.lost:
            self.send(HEADING, "HeadingUpdated", f"({HEADING_TYPE})", self.world.heading())


class LocationPart(Part):
    def permitted(self, sender):
        self.check(sender)
        if self.world.denied:
            raise failure("org.locateme.Error.Denied", "this user may not know places")

    @dbus.service.method(LOCATION, sender_keyword="sender")
    def Start(self, sender=None):
        self.permitted(sender)
        self.change(LOCATION, Mode=dbus.UInt32(1))
        self.world.changed()
        self.tell_place()

    @dbus.service.method(LOCATION, sender_keyword="sender")
    def Stop(self, sender=None):
        self.check(sender)
        self.change(LOCATION, Mode=dbus.UInt32(0))
        self.world.changed()

    @dbus.service.method(LOCATION, out_signature="u", sender_keyword="sender")
    def Flush(self, sender=None):
        self.check(sender)
        return dbus.UInt32(0)

    @dbus.service.method(LOCATION, in_signature="u", out_signature=f"({FIX_TYPE})", sender_keyword="sender")
    def GetLastKnown(self, _maximum_age_ms, sender=None):
        self.permitted(sender)
        if not self.world.place:
            raise failure("org.locateme.Error.LocationUnknown", "no place is known")
        return self.world.fix()

    @dbus.service.method(LOCATION, in_signature="duu", out_signature=f"({FIX_TYPE})", sender_keyword="sender")
    def RequestLocation(self, _accuracy, _timeout_ms, maximum_age_ms, sender=None):
        return self.GetLastKnown(maximum_age_ms, sender=sender)

    def tell_place(self):
        if self.runs(LOCATION) and self.world.place:
            self.send(LOCATION, "LocationsUpdated", f"a({FIX_TYPE})", [self.world.fix()])


# HeadingPart and LocationPart both have Start and Stop: dbus-python looks for the one of the interface that is called.
class Session(SessionPart, HeadingPart, LocationPart):
    pass


def failure(name, text):
    return dbus.exceptions.DBusException(text, name=name)


def clocks():
    """UTC and boot time in microseconds."""
    return dbus.Int64(time.time_ns() // 1000), dbus.UInt64(time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000)


def load(mock, parameters):
    mock.world = World(mock, parameters)
    mock.AddProperties(
        MAIN_IFACE,
        dbus.Dictionary(
            {
                "Version": "mock", "ApiVersion": dbus.UInt32(1), "LocationServicesEnabled": True,
                "LocationAvailable": True, "HeadingAvailable": bool(parameters.get("HeadingAvailable", True)),
                "SignificantChangeAvailable": False, "RegionMonitoringAvailable": False, "GeocodingAvailable": False,
                "InUse": False, "MaximumRegionRadius": -1.0, "MaximumRegions": dbus.UInt32(0),
                "Capabilities": dbus.Array(["heading", "location"], signature="s"),
                "Sources": dbus.Array([], signature="(ssu)"),
            },
            signature="sv",
        ),
    )
    mock.AddProperties(STATUS, dbus.Dictionary(mock.world.status(), signature="sv"))


@dbus.service.method(MAIN_IFACE, in_signature="a{sv}", out_signature="o", sender_keyword="sender")
def CreateSession(self, options, sender=None):
    if not 1 <= len(str(options.get("Reason", "")).encode()) <= 200:
        raise failure("org.freedesktop.DBus.Error.InvalidArgs", "Reason is required, 1 to 200 bytes")
    world = self.world
    world.count += 1
    path = f"/org/locateme/session/mock{world.count}"
    session = world.sessions[path] = Session(world, sender, path, options)

    def owner_changed(owner):
        if not owner and world.sessions.get(path) is session:
            session.end(1)

    self.connection.watch_name_owner(sender, owner_changed)
    return dbus.ObjectPath(path)


@dbus.service.method(MOCK_IFACE, in_signature="ddd")
def SetHeading(self, magnetic, true, accuracy):
    world = self.world
    world.magnetic, world.true, world.accuracy, world.lost = magnetic, true, accuracy, False
    world.changed()
    for session in list(world.sessions.values()):
        session.tell_heading()


@dbus.service.method(MOCK_IFACE, in_signature="s")
def LoseHeading(self, reason):
    world = self.world
    world.lost = True
    world.changed()
    for session in list(world.sessions.values()):
        if session.runs(HEADING):
            session.send(HEADING, "HeadingLost", "s", reason)


@dbus.service.method(MOCK_IFACE, in_signature="ddd")
def SetPlace(self, latitude, longitude, accuracy):
    world = self.world
    world.place = (latitude, longitude, accuracy) if accuracy >= 0 else None
    world.fixes += 1
    world.changed()
    for session in list(world.sessions.values()):
        session.tell_place()


@dbus.service.method(MOCK_IFACE, in_signature="b")
def DenyPlaces(self, denied):
    world = self.world
    world.denied = bool(denied)
    for session in list(world.sessions.values()):
        session.permit()
        if denied and session.runs(LOCATION):
            session.change(LOCATION, Mode=dbus.UInt32(0))
            session.send(
                SESSION, "Error", "ssa{sv}", "org.locateme.Error.Denied", "the permission to know places was taken",
                dbus.Dictionary({}, signature="sv"),
            )
    world.changed()


@dbus.service.method(MOCK_IFACE, in_signature="u")
def CloseSessions(self, reason):
    for session in list(self.world.sessions.values()):
        session.end(reason)
