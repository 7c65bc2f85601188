#!/usr/bin/python3
"""uevent.py ACTION NAME: tells whoever listens to udev in this network namespace that the IIO device NAME came or went.

The format is that of libudev's netlink messages (systemd, src/libsystemd/sd-device/device-monitor.c): a header with a
magic number and the MurmurHash2 of the subsystem, by which sockets filter, then KEY=value pairs, each ended by a NUL.
"""
import socket
import struct
import sys


def murmur2(data: bytes) -> int:
    m, mask = 0x5BD1E995, 0xFFFFFFFF
    h = len(data)
    while len(data) >= 4:
        k = int.from_bytes(data[:4], "little") * m & mask
        k = (k ^ k >> 24) * m & mask
        h = h * m & mask ^ k
        data = data[4:]
    if data:
        h = (h ^ int.from_bytes(data, "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return h ^ h >> 15


action, name = sys.argv[1:]
properties = {
    "ACTION": action, "DEVPATH": "/devices/platform/rig/" + name, "SUBSYSTEM": "iio", "SEQNUM": "1",
    "DEVTYPE": "iio_device", "DEVNAME": "/dev/" + name, "MAJOR": "247", "MINOR": "0",
}
body = b"".join(f"{key}={value}\0".encode() for key, value in properties.items())
header = b"libudev\0" + struct.pack(
    "!I", 0xFEEDCAFE) + struct.pack("=III", 40, 40, len(body)) + struct.pack("!IIII", murmur2(b"iio"), murmur2(b"iio_device"), 0, 0)
with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15) as link:
    link.bind((0, 0))
    link.sendto(header + body, (0, 2))
