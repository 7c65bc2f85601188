#!/usr/bin/python3
"""Drives the guest of scripts/test-kernel-drivers from a recording and compares headings with its truth.

usage: drive.py IMAGE BINARIES TUMBLE.lmrec TURN.lmrec

IMAGE holds vmlinux and initrd.cpio, BINARIES locatemed and headingctl. TUMBLE teaches the daemon the magnetometer, in TURN
the device rests at headings of 0, 90, … degrees. Both carry truth lines. Exit status 0 if everything agreed, else 1.
"""

import json
import math
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

GRAVITY = 9.80665
TOLERANCE = 1.0
SETTLE = 20
failures = 0


def check(holds, text):
    global failures
    print(("ok    " if holds else "WRONG ") + text, flush=True)
    failures += not holds


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Guest:
    """A virtual machine with real drivers; its control port and iiod are reached through ports of this machine."""

    def __init__(self, image, folder):
        self.iiod, control = free_port(), free_port()
        forward = f"hostfwd=tcp:127.0.0.1:{self.iiod}-:30431,hostfwd=tcp:127.0.0.1:{control}-:7000"
        self.log = os.path.join(folder, "boot.log")
        begin = time.monotonic()
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-cpu", "max", "-m", "768", "-smp", "2",
             "-display", "none", "-serial", f"file:{self.log}", "-monitor", "none", "-no-reboot",
             "-kernel", f"{image}/vmlinux", "-initrd", f"{image}/initrd.cpio",
             "-append", "console=ttyS0 panic=-1 quiet loglevel=3 nokaslr mitigations=off no_timer_check tsc=unstable "
                        "random.trust_cpu=on",
             "-netdev", f"user,id=net,restrict=on,{forward}", "-device", "virtio-net-pci,netdev=net,romfile="],
            stdin=subprocess.DEVNULL)
        while True:
            text = open(self.log, errors="replace").read() if os.path.exists(self.log) else ""
            ready = re.search(r"GUEST READY with (.*)", text)
            if ready:
                break
            if self.process.poll() is not None or time.monotonic() - begin > 240:
                raise SystemExit(f"the guest did not start; its console:\n{text[-3000:]}")
            time.sleep(0.1)
        self.devices = ready.group(1).split()
        print(f"guest ready after {time.monotonic() - begin:.0f} s: {' '.join(self.devices)}", flush=True)
        self.socket = socket.create_connection(("127.0.0.1", control), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(120)
        self.answers = self.socket.makefile("r", errors="replace")
        self.lock = threading.Lock()

    def report(self, lines):
        with self.lock:
            self.socket.sendall("".join(lines).encode())

    def ask(self, order):
        with self.lock:
            self.socket.sendall((order + "\n").encode())
            lines = []
            while True:
                line = self.answers.readline()
                if not line:
                    raise SystemExit("the guest's control port is gone")
                if re.fullmatch(r"(ok|err -?\d+)\n", line):
                    return "".join(lines).strip("\n"), line.strip()
                lines.append(line)

    def shell(self, command):
        return self.ask("sh " + command)[0]

    def stop(self):
        self.process.kill()
        self.process.wait()


class Recording:
    """Samples as counts of the hub, and the true heading of the top edge."""

    def __init__(self, path):
        self.lines = []
        self.latest = {}
        self.truth = []
        for line in open(path):
            fields = line.split()
            if line.startswith("#") or len(fields) < 5:
                continue
            at, kind = int(fields[0]) * 1e-6, fields[1]
            values = [float(value) if value != "-" else math.nan for value in fields[2:]]
            if kind == "magn":  # µT; the hub counts millionths of a gauss
                self.add(at, "magn", [value / 100 * 1e6 for value in values])
            elif kind == "accel":  # hubs count gravity's pull, in thousandths of g
                self.add(at, "accel", [-value / GRAVITY * 1e3 for value in values])
            elif kind == "gyro":  # thousandths of a degree per second
                self.add(at, "gyro", [math.degrees(value) * 1e3 for value in values])
            elif kind == "truth":
                w, x, y, z = values
                # Second column of the rotation matrix: where the top edge points, east and north.
                east, north = 2 * (x * y - w * z), w * w - x * x + y * y - z * z
                self.truth.append((at, math.degrees(math.atan2(east, north)) % 360))

    def add(self, at, kind, counts):
        # Fifty a second of each are enough, and what the emulated machine can take.
        if at - self.latest.get(kind, -1) < 0.0195:
            return
        self.latest[kind] = at
        self.lines.append((at, kind, [round(value) for value in counts]))

    def heading(self, at):
        return min(self.truth, key=lambda entry: abs(entry[0] - at))[1]

    def rests(self):
        """Moments near the ends of the stretches of three seconds and more in which the heading stays: the turn after
        one begins with rates that are no rest any more."""
        ends, since = [], 0
        for (before, one), (at, other) in zip(self.truth, self.truth[1:]):
            if abs((other - one + 180) % 360 - 180) > 0.05:
                if before - since > 3:
                    ends.append(before - 0.4)
                since = at
        if self.truth[-1][0] - since > 3:
            ends.append(self.truth[-1][0])
        return ends


class Feed(threading.Thread):
    """Sends a recording at its own pace, and holds the last readings while nobody wants it to go on."""

    def __init__(self, guest):
        super().__init__(daemon=True)
        self.guest = guest
        self.orders = []
        self.reached = threading.Event()
        self.ended = False
        self.last = {}
        self.start()

    def play(self, recording, begin, end):
        """Sends what lies between two times; returns when it is sent."""
        self.reached.clear()
        self.orders.append((recording, begin, end))
        self.reached.wait()

    def run(self):
        count = 0
        while not self.ended:
            if self.orders:
                recording, begin, end = self.orders.pop(0)
                origin = time.monotonic() - begin
                batch, due = [], begin
                for at, kind, counts in recording.lines:
                    if at < begin or at >= end:
                        continue
                    if at - due > 0.02:
                        self.guest.report(batch)
                        batch, due = [], at
                        wait = origin + at - time.monotonic()
                        if wait > 0:
                            time.sleep(wait)
                    self.last[kind] = counts
                    batch.append(f"{kind} {counts[0]} {counts[1]} {counts[2]}\n")
                self.guest.report(batch)
                self.reached.set()
            else:
                # A resting chip has noise: a count up and down.
                count += 1
                step = 1 if count % 2 else -1
                self.guest.report(
                    [f"{kind} {c[0] + step} {c[1] - step} {c[2] + step}\n" for kind, c in self.last.items()])
                time.sleep(0.02)


def error_of(text, expected):
    """How far the heading of an answer is off in degrees, and the answer; None and what it is if it is none."""
    try:
        answer = json.loads(text.splitlines()[0])
        return abs((answer["magnetic"] - expected + 180) % 360 - 180), answer
    except (ValueError, IndexError, KeyError, TypeError):
        return None, text[:300]


def compare(where, ask, expected):
    """Asks until the heading is right, for as long as a resting device may take: the device goes on resting, and without
    a gyroscope a heading follows a turn of 90° to within a degree in some three seconds. An emulated machine that gets
    a tenth of a processor does a tenth of the work."""
    begin = time.monotonic()
    while True:
        error, answer = error_of(ask(), expected)
        seconds = time.monotonic() - begin
        if error is not None and error <= TOLERANCE or seconds > SETTLE:
            break
        time.sleep(1)
    if error is None:
        return check(False, f"{where}: no heading but '{answer}'")
    check(
        error <= TOLERANCE,
        f"{where}: {answer['magnetic']:.2f}° where the recording says {expected:.2f}°, after {seconds:.0f} s "
        f"(± {answer['accuracy']:.1f}°, {answer.get('source', '?')})")


def run_on_host(guest, feed, binaries, tumble, turn, folder):
    print("locatemed on this machine, through iiod", flush=True)
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True)
    address = bus.stdout.readline().strip()
    state = os.path.join(folder, "state")
    log = open(os.path.join(folder, "host.log"), "w+")
    # The real system bus has nothing to do with it.
    environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=address)
    daemon = subprocess.Popen(
        [f"{binaries}/locatemed", "--bus", address, "--iio-uri", f"ip:127.0.0.1:{guest.iiod}", "--no-gpsd",
         "--state-dir", state, "--config", "/dev/null"], stderr=log, env=environment)

    def ask(*words):
        return subprocess.run(
            [f"{binaries}/headingctl", *words, "--bus", address, "--json"], capture_output=True, text=True,
            timeout=90, env=environment)

    try:
        follower = subprocess.Popen(
            [f"{binaries}/headingctl", "heading", "--follow", "--filter", "5", "--bus", address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        wait_until_on(lambda: ask("status", "--passive").stdout)
        calibration = subprocess.Popen(
            [f"{binaries}/headingctl", "calibrate", "--wait", "90s", "--json", "--bus", address],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        feed.play(tumble, 0, math.inf)
        text = calibration.communicate(timeout=120)[0].strip()
        check(calibration.returncode == 0, f"the tumble calibrates it: {text.splitlines()[-1] if text else text}")
        begin = 0
        for end in turn.rests():
            feed.play(turn, begin, end)
            begin = end

            def heading():
                result = ask("heading", "--wait", "20s")
                return result.stdout or result.stderr

            compare("host", heading, turn.heading(end))
        sensors = [json.loads(line) for line in ask("sensors").stdout.splitlines()]
        used = {sensor["kind"]: sensor for sensor in sensors if sensor.get("selected")}
        names = {kind: sensor["name"] for kind, sensor in used.items()}
        check(
            names.get("magnetometer") == "magn_3d" and names.get("accelerometer") == "accel_3d"
            and names.get("gyroscope") == "gyro_3d", f"the hub's sensors are used: {names}")
        check(
            all(sensor["buffered"] for sensor in used.values()), "through their buffers and triggers")
        follower.kill()
        follower.wait()
        begin = time.monotonic()
        daemon.send_signal(signal.SIGTERM)
        check(daemon.wait(30) == 0, f"SIGTERM ends it in {time.monotonic() - begin:.1f} s with status 0")
    finally:
        if failures:
            log.seek(0)
            print(log.read()[-3000:])
        for process in (daemon, bus):
            if process.poll() is None:
                process.kill()
            process.wait()


def wait_until_on(status):
    """Waits until the daemon has switched sensors on; what is fed before is lost."""
    for _ in range(120):
        if '"ok"' in status() or '"starting"' in status():
            break
        time.sleep(0.25)
    time.sleep(1)


def run_in_guest(guest, feed, tumble, turn):
    print("locatemed, dbus-daemon and headingctl inside of the guest, on local:", flush=True)
    guest.shell("dbus-daemon --config-file=/etc/bus.conf --fork >/tmp/bus.log 2>&1")
    address = "unix:path=/run/bus"
    guest.shell(
        f"DBUS_SYSTEM_BUS_ADDRESS={address} locatemed --bus {address} --no-gpsd --state-dir /tmp/state "
        "--config /dev/null >/tmp/daemon.log 2>&1 & echo $! >/tmp/daemon.pid")
    guest.shell(f"headingctl heading --follow --filter 5 --bus {address} >/tmp/follow.log 2>&1 &")
    time.sleep(3)
    guest.shell(
        f"(headingctl calibrate --wait 90s --json --bus {address} >/tmp/calibration.log 2>&1; "
        "echo status $? >>/tmp/calibration.log) >/dev/null 2>&1 &")
    feed.play(tumble, 0, math.inf)
    text = ""
    for _ in range(500):
        text = guest.shell("tail -n 2 /tmp/calibration.log")
        if "status" in text:
            break
        time.sleep(0.2)
    check("status 0" in text, f"the tumble calibrates it: {text.splitlines()[0] if text else text}")
    begin = 0
    for end in turn.rests():
        feed.play(turn, begin, end)
        begin = end

        def heading():
            # In the background, so that the hub goes on meanwhile.
            guest.shell(
                f"rm -f /tmp/answer; (headingctl heading --wait 20s --json --bus {address} >/tmp/answer.new 2>&1; "
                "mv /tmp/answer.new /tmp/answer) >/dev/null 2>&1 &")
            for _ in range(200):
                text = guest.shell("cat /tmp/answer 2>/dev/null")
                if text:
                    return text
                time.sleep(0.2)
            return ""

        compare("guest", heading, turn.heading(end))
    log = guest.shell("cat /tmp/daemon.log")
    if failures:
        print(log[-3000:])
    guest.shell("kill $(cat /tmp/daemon.pid)")
    begin = time.monotonic()
    while runs := guest.shell("grep -s State: /proc/$(cat /tmp/daemon.pid)/status | grep -v zombie"):
        if time.monotonic() - begin > 20:
            break
        time.sleep(0.1)
    check(not runs, f"SIGTERM ends it, in {time.monotonic() - begin:.1f} s of the emulated machine {runs}")


def look_at_chips(guest):
    print("st_magn, st_accel, st_gyro on i2c-stub", flush=True)
    bus = guest.shell("cat /etc/stub")
    # 0.21 G along y and −0.42 G along z at 1100 and 980 LSB/G (LSM303DLHC data sheet, table 75): X, Z, Y from 0x03,
    # most significant byte first.
    y, z = 231, -412 & 0xffff
    guest.ask(f"i2c {bus} 0x1e 3 0 0 {z >> 8} {z & 255} {y >> 8} {y & 255}")
    # 1 g along z: 1000 counts of 1 mg, left-aligned in 16 bits, X, Y, Z from 0x28, least significant byte first.
    guest.ask(f"i2c {bus} 0x19 0xa8 0 0 0 0 {(1000 << 4) & 255} {1000 << 4 >> 8}")
    text = guest.shell("headingctl sensors --local --json 2>&1")
    found = {}
    for line in text.splitlines():
        if line.startswith('{"id"'):
            sensor = json.loads(line)
            found[sensor["name"]] = sensor
    for name in ("lsm303dlhc_magn", "lsm303dlhc_accel", "l3gd20"):
        check(name in found, f"{name} is found" + (f" and {found[name]['reason']}" if name in found else f" not: {text[:300]}"))
    if "lsm303dlhc_magn" in found:
        scale = found["lsm303dlhc_magn"]["scale"]
        # Both in µT a count.
        check(
            abs(scale[0] - 100 / 1100) < 0.001 and abs(scale[2] - 100 / 980) < 0.001,
            f"its scales are those of the data sheet, one for each axis: {scale}")


def main():
    image, binaries, tumble, turn = sys.argv[1:]
    tumble, turn = Recording(tumble), Recording(turn)
    print(f"{len(tumble.lines)} and {len(turn.lines)} samples, {len(turn.rests())} headings", flush=True)
    with tempfile.TemporaryDirectory(prefix="locateme-kernel.") as folder:
        guest = Guest(image, folder)
        try:
            expected = {"magn_3d", "accel_3d", "gyro_3d", "lsm303dlhc_magn", "lsm303dlhc_accel", "l3gd20"}
            check(set(guest.devices) == expected, f"the kernel's drivers have bound: {sorted(guest.devices)}")
            feed = Feed(guest)
            run_on_host(guest, feed, binaries, tumble, turn, folder)
            run_in_guest(guest, feed, tumble, turn)
            feed.ended = True
            feed.join()
            look_at_chips(guest)
        finally:
            guest.stop()
    print(f"{failures} wrong" if failures else "all agreed")
    sys.exit(1 if failures else 0)


main()
